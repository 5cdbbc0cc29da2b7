"""A learner that finds the best decision tree of a given depth, where `TreeLearner` grows a good one.

Source: J. van der Linden, M. de Weerdt and E. Demirović, "Necessary and Sufficient Conditions for Optimal Decision
Trees using Dynamic Programming" (NeurIPS 2023), whose STreeD it calls.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.estimators import SklearnLearner
from eleusis_agents.learners.features import Features
from eleusis_ai.registry import InvalidOptions, MissingExtra

DEEPEST = 4
"""Levels that can still be searched while a player waits."""


class StreedLearner(SklearnLearner):
    """Fits the tree with the fewest mistakes; every difference of a feature's values is a question it may ask."""

    def __init__(self, depth: int = 3, features: str = "relational") -> None:
        """Choose the depth, 1 to 4.

        Raises:
            MissingExtra: if pystreed is not installed.
            InvalidOptions: if the depth is another, or there are no such features.
        """
        if depth not in range(1, DEEPEST + 1):
            raise InvalidOptions(f"a depth of {depth!r:.20}; it is 1 to {DEEPEST}, as in depth=3")
        super().__init__(_Streed(depth), features)


class _Streed:
    """STreeD with the thresholds of all columns laid out as questions."""

    def __init__(self, depth: int) -> None:
        try:
            # Imported by name: it takes seconds, and its types are not known.
            self._make = import_module("pystreed").STreeDClassifier
        except ImportError:
            raise MissingExtra("the learner streed", "streed") from None
        self._depth = depth
        self._questions: list[tuple[int, float]] = []

    def fit(self, X: Features, y: NDArray[np.bool_]) -> None:  # noqa: N803 - scikit-learn's names
        self._questions = [
            (column, float(value)) for column in range(X.shape[1]) for value in np.unique(X[:, column])[:-1]
        ]
        self._tree: Any = self._make(max_depth=self._depth, max_num_nodes=2**self._depth - 1)
        self._tree.fit(self._answers(X), y.astype(np.int64))

    def predict(self, X: Features) -> NDArray[np.bool_]:  # noqa: N803
        return np.asarray(self._tree.predict(self._answers(X))).astype(np.bool_)

    def predict_proba(self, X: Features) -> NDArray[np.float64]:  # noqa: N803
        return np.asarray(self._tree.predict_proba(self._answers(X)), np.float64)

    def _answers(self, rows: Features) -> NDArray[np.bool_]:
        """Return whether each row is at most each threshold: shape (rows, questions)."""
        columns = [column for column, _ in self._questions]
        return np.asarray(rows[:, columns] <= np.array([value for _, value in self._questions], np.float32))
