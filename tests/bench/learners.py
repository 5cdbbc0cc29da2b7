"""Learners for the benchmarks to try."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import CARDS
from eleusis_ai.evidence import Evidence, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule


class Knowing:
    """Knows a list of rules of which one is the secret one, and drops those that are contradicted."""

    provenance = "it was given the list"

    def __init__(self, rules: Sequence[str]) -> None:
        self.left = [Rule.parse(rule) for rule in rules]

    def observe(self, evidence: Iterable[Evidence]) -> None:
        for item in evidence:
            assert isinstance(item, Verdict)
            fitting = [rule for rule in self.left if rule.allows(item.mainline, item.card) == item.legal]
            if item.mainline and fitting:
                self.left = fitting

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        legal = np.array([[rule.allows(mainline, card) for card in CARDS] for rule in self.left], np.float64)
        chances: NDArray[np.float64] = legal.mean(axis=0)
        return chances

    def sample(self, n: int) -> list[Rule] | None:
        return [self.left[i % len(self.left)] for i in range(n)]

    def explain(self) -> list[tuple[Rule | str, float]]:
        return [(rule, 1 / len(self.left)) for rule in self.left]


class Vague(Knowing):
    """Gives one chance where 52 are wanted."""

    def __init__(self) -> None:
        super().__init__(["card.is_red"])

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        return np.array([0.5])
