"""The learner that is tried: made by its name, and its chances looked at before they are used."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Learner
from eleusis_ai.evidence import Evidence
from eleusis_ai.layout import Cards
from eleusis_ai.registry import make_learner
from eleusis_ai.rules.language import Rule


class BadLearner(ValueError):
    """A learner that does not keep its contract."""


class LearnerSpec(msgspec.Struct, frozen=True):
    """Which learner is tried, and what it is made with."""

    use: str
    """A registered name, or an address ``module:Class``."""
    options: dict[str, Any] = {}

    @property
    def name(self) -> str:
        """What tables call it."""
        return self.use.rpartition(":")[2]

    @property
    def provenance(self) -> str:
        """Where what it knows beforehand comes from; empty if it does not say."""
        return str(getattr(make_learner(self.use, self.options), "provenance", ""))

    def make(self) -> Learner:
        """Make a new learner.

        Raises:
            UnknownPart, InvalidOptions, MissingExtra: if it cannot be made.
        """
        return _Checked(make_learner(self.use, self.options), self.use)


class _Checked:
    """A learner whose chances are chances: what is wrong is said of the learner, not of the benchmark."""

    def __init__(self, learner: Learner, use: str) -> None:
        self._learner = learner
        self._use = use

    def observe(self, evidence: Iterable[Evidence]) -> None:
        self._learner.observe(evidence)

    def sample(self, n: int) -> list[Rule] | None:
        return self._learner.sample(n)

    def explain(self) -> list[tuple[Rule | str, float]]:
        return self._learner.explain()

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the chances of the 52 cards.

        Raises:
            BadLearner: if they are none.
        """
        told: object = self._learner.predict(mainline)
        chances = np.asarray(told)
        if chances.shape != (52,) or chances.dtype.kind != "f" or not ((chances >= 0) & (chances <= 1)).all():
            raise BadLearner(
                f"{self._use} predicts {told!r:.60}, not 52 probabilities; "
                f"`eleusis agents check {self._use}` tells more"
            )
        return chances
