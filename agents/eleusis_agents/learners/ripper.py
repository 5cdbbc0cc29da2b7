"""A learner that adds if-then rules one by one until all legal cards are covered.

Source: W. Cohen, "Fast Effective Rule Induction" (ICML 1995), as written by I. Moscovitz in wittgenstein.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.estimators import SklearnLearner
from eleusis_agents.learners.features import FEATURES, Features
from eleusis_ai.registry import MissingExtra


class RipperLearner(SklearnLearner):
    """Fits RIPPER, anew for each decision."""

    def __init__(self, features: str = "relational") -> None:
        """Choose the features.

        Raises:
            MissingExtra: if wittgenstein is not installed.
            InvalidOptions: if there are no such features.
        """
        super().__init__(_Ripper(FEATURES[features].names if features in FEATURES else ()), features)


class _Ripper:
    """RIPPER over named columns."""

    def __init__(self, names: tuple[str, ...]) -> None:
        try:
            self._make = import_module("wittgenstein").RIPPER
            self._frame = import_module("pandas").DataFrame
        except ImportError:
            raise MissingExtra("the learner ripper", "ripper") from None
        self._names = names

    def fit(self, X: Features, y: NDArray[np.bool_]) -> None:  # noqa: N803 - scikit-learn's names
        self._rules: Any = self._make(random_state=0)
        self._rules.fit(self._table(X), y.tolist(), pos_class=True)

    def predict(self, X: Features) -> NDArray[np.bool_]:  # noqa: N803
        return np.asarray(self._rules.predict(self._table(X))).astype(np.bool_)

    def predict_proba(self, X: Features) -> NDArray[np.float64]:  # noqa: N803
        return np.asarray(self._rules.predict_proba(self._table(X)), np.float64)

    def _table(self, rows: Features) -> Any:
        return self._frame(rows, columns=list(self._names))
