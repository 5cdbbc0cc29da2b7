"""Learners that stand in for real ones: they believe what a test says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.evidence import Evidence
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule


def same(one: Rule, other: Rule) -> bool:
    """Tell whether two rules agree after 600 random lines, each last card among them."""
    rng = Random(1)
    lines = [(*rng.choices(CARDS, k=rng.randint(2, 7)), CARDS[number % 52]) for number in range(600)]
    return all(one.mask(line) == other.mask(line) for line in lines)


class Believer:
    """Takes each of some rules for equally likely; whether it also samples them is a choice."""

    def __init__(self, *rules: str, samples: bool = True) -> None:
        self.rules = [Rule.parse(rule) for rule in rules]
        self.samples = samples

    def observe(self, evidence: Iterable[Evidence]) -> None:
        list(evidence)

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        legal = np.array([[rule.allows(mainline, card) for card in CARDS] for rule in self.rules], np.float64)
        chances: NDArray[np.float64] = legal.mean(axis=0)
        return chances

    def sample(self, n: int) -> list[Rule] | None:
        return [self.rules[i % len(self.rules)] for i in range(n)] if self.samples else None

    def explain(self) -> list[tuple[Rule | str, float]]:
        return [(rule, 1 / len(self.rules)) for rule in self.rules]


class Guesser:
    """Gives each card a chance, the same after every mainline, and has no rules."""

    def __init__(self, chances: Mapping[str, float], other: float = 0.0) -> None:
        self.chances = np.full(52, other)
        for card, chance in chances.items():
            self.chances[Card.parse(card)] = chance

    def observe(self, evidence: Iterable[Evidence]) -> None:
        list(evidence)

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        return self.chances.copy()

    def sample(self, n: int) -> list[Rule] | None:
        return None

    def explain(self) -> list[tuple[Rule | str, float]]:
        return [("a guess", 1.0)]
