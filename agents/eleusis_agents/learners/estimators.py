"""Learners made of classifiers in the manner of scikit-learn: any class with ``fit`` and ``predict``."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import all_estimators
from sklearn.utils.validation import has_fit_parameter

from eleusis_agents.learners.examples import SMOOTHING, Examples
from eleusis_agents.learners.features import FEATURES, Features
from eleusis_ai.evidence import Evidence
from eleusis_ai.layout import Cards
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.rules.language import Rule


@runtime_checkable
class Estimator(Protocol):
    """A classifier; it may also have ``predict_proba``, and take a ``sample_weight``."""

    def fit(self, X: Features, y: NDArray[np.bool_]) -> object:  # noqa: N803 - scikit-learn's names
        """Learn from rows and their verdicts."""
        ...

    def predict(self, X: Features) -> NDArray[Any]:  # noqa: N803
        """Return a verdict for each row."""
        ...


class SklearnLearner:
    """Fits a classifier when it is asked after new evidence.

    Its chances are those of ``predict_proba``, drawn to the overall share by one verdict's weight, so that nothing
    is ever certain; without ``predict_proba`` the chance of a verdict is the share of the verdicts shown that the
    classifier gives back. While there are not two kinds of verdicts, or the classifier refuses the few there are,
    every card has the overall share.

    >>> from sklearn.linear_model import LogisticRegression
    >>> from eleusis_ai.cards import CARDS, Card
    >>> from eleusis_ai.evidence import Verdict
    >>> learner = SklearnLearner(LogisticRegression(), features="raw")
    >>> line = (Card.parse("7H"),)
    >>> learner.observe([Verdict(line, card, legal=not card.is_red) for card in CARDS[::3]])
    >>> bool(learner.predict(line)[Card.parse("KS")] > 0.7)
    True
    """

    def __init__(
        self,
        estimator: str | Estimator = "DecisionTreeClassifier",
        features: str = "raw",
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """Choose what is fitted.

        Args:
            estimator: A classifier, of which a copy is fitted each time; or the name of one of scikit-learn's.
            features: ``raw``: rank, colour, parity and suit of both cards; ``relational``: also what they have in
                common.
            parameters: What a classifier that is named is made with. A ``random_state`` is 0 unless it is given.

        Raises:
            InvalidOptions: if there is no such classifier or set of features, or it does not take the parameters.
        """
        if features not in FEATURES:
            raise InvalidOptions(f"{features!r} is no set of features; write one of {', '.join(FEATURES)}")
        self._prototype = _named(estimator, parameters or {}) if isinstance(estimator, str) else estimator
        if not isinstance(self._prototype, Estimator):
            raise InvalidOptions(
                f"{estimator!r:.60} has no `fit` and `predict`; an estimator is as in 'RandomForestClassifier'"
            )
        self._features = features
        self._examples = Examples(FEATURES[features])
        self._weighs = has_fit_parameter(self._prototype, "sample_weight")
        self._fitted: Estimator | None = None
        self._trust = 0.5
        self._seen = 0
        self._problem = "there are not two kinds of verdicts yet"
        self._memo: dict[tuple[int, Cards], NDArray[np.float64]] = {}

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Keep the evidence as rows of features."""
        self._examples.add(evidence)

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the chance of each candidate: shape (52,)."""
        self._fit()
        if self._fitted is None or not mainline:
            return np.full(52, self._examples.share if len(self._examples) else 0.5)
        key = (len(mainline) % 6, mainline[-2:])
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._chances(self._fitted, self._examples.features.of(mainline))
        return known.copy()

    def sample(self, n: int) -> None:  # noqa: ARG002 - the interface asks for it
        """Return None: a classifier is no rule of the language."""
        return

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return what was fitted to what, as one text."""
        self._fit()
        name = type(self._prototype).__name__.lstrip("_")
        if self._fitted is None:
            return [(f"{name}, not fitted: {self._problem}", 1.0)]
        return [(f"{name} on {len(self._examples)} judged cards, {self._features} features", 1.0)]

    def _fit(self) -> None:
        """Fit a new copy to the evidence, unless that is done."""
        if self._seen == len(self._examples):
            return
        self._seen = len(self._examples)
        self._memo.clear()
        self._fitted = None
        rows, legal, weight = self._examples.rows, self._examples.legal, self._examples.weight
        given: dict[str, Any] = {"sample_weight": weight} if self._weighs else {}
        if not self._weighs:
            # Without weights a card of which it is not known whether it was the wrong one would count in full.
            rows, legal = rows[weight == 1], legal[weight == 1]
        if not len(legal) or legal.all() or not legal.any():
            return
        fitted = _copy(self._prototype)
        try:
            with _silence():
                fitted.fit(rows, legal, **given)
                agreed = _verdicts(fitted, rows) == legal
        except ValueError as error:
            if type(error).__name__ == "InvalidParameterError":
                raise InvalidOptions(f"{type(fitted).__name__}: {error}") from None
            self._problem = str(error)
            return
        self._fitted = fitted
        self._trust = float((agreed.sum() + SMOOTHING) / (len(legal) + 2 * SMOOTHING))

    def _chances(self, fitted: Estimator, rows: Features) -> NDArray[np.float64]:
        with _silence():
            try:
                told = _probabilities(fitted, rows)
                if told is None:
                    return np.where(_verdicts(fitted, rows), self._trust, 1 - self._trust)
            except ValueError as error:
                self._problem = str(error)
                return np.full(len(rows), self._examples.share)
        count = len(self._examples)
        told = np.nan_to_num(told, nan=0.5)
        return np.clip((count * told + self._examples.share) / (count + 1), 0, 1)


class ForestLearner(SklearnLearner):
    """A random forest (L. Breiman, "Random Forests", 2001) over what the cards have in common."""

    def __init__(self, trees: int = 50, features: str = "relational") -> None:
        super().__init__("RandomForestClassifier", features, {"n_estimators": trees})


@contextmanager
def _silence() -> Iterator[None]:
    """Keep warnings from the terminal, which belongs to the table."""
    with warnings.catch_warnings(record=True):  # recorded, those are kept too that are shown past all filters
        warnings.simplefilter("ignore")
        yield


@cache
def _classifiers() -> dict[str, type]:
    """Return scikit-learn's classifiers by name: nothing else that a user may type is ever made."""
    with _silence():
        return dict(all_estimators(type_filter="classifier"))


def _named(name: str, parameters: Mapping[str, Any]) -> Estimator:
    found = _classifiers().get(name)
    if found is None:
        close = difflib.get_close_matches(name, _classifiers(), n=1)
        hint = f"did you mean {close[0]!r}?" if close else "one is 'RandomForestClassifier'"
        raise InvalidOptions(f"scikit-learn has no classifier {name!r}; {hint}")
    try:
        estimator = found(**parameters)
    except TypeError as error:
        raise InvalidOptions(f"{name} cannot be made with {dict(parameters)}: {error}") from None
    if "random_state" in estimator.get_params() and "random_state" not in parameters:
        estimator.set_params(random_state=0)
    made: Estimator = estimator
    return made


def _copy(prototype: Estimator) -> Any:
    return clone(prototype) if hasattr(prototype, "get_params") else deepcopy(prototype)


def _probabilities(fitted: Any, rows: Features) -> NDArray[np.float64] | None:
    """Return the chance that each row is legal; None: the classifier does not say."""
    try:
        told = fitted.predict_proba(rows)
    except AttributeError:
        return None
    return np.asarray(told, np.float64)[:, 1]  # of two classes False comes first


def _verdicts(fitted: Any, rows: Features) -> NDArray[np.bool_]:
    return np.asarray(fitted.predict(rows)).astype(np.bool_)
