"""A learner that keeps every rule of its space that explains what was seen, weighed by length."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.space import Masks, Space, holding, space
from eleusis_ai.cards import Card, mask_of
from eleusis_ai.evidence import Evidence, HintGiven, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

Flags = NDArray[np.bool_]

EXPLAINED = 10
"""Rules that ``explain`` names."""
SLACK = 2
"""Mistakes beyond the fewest that a rule may have once no faultless one is left."""


class EliminationLearner:
    """Eliminates rules as evidence contradicts them; those left vote by their prior probability.

    If the secret rule is outside the space, sooner or later none is left. Then the rules with the fewest
    mistakes come back, and the share of their mistakes is taken for the chance that a verdict of theirs fails.

    >>> from eleusis_ai.cards import Card
    >>> learner = EliminationLearner()
    >>> line = (Card.parse("7H"),)
    >>> learner.observe([Verdict(line, Card.parse("2D"), legal=False), Verdict(line, Card.parse("KC"), legal=True)])
    >>> round(float(learner.predict(line)[Card.parse("QS")]), 2)
    0.69
    """

    def __init__(self) -> None:
        self._space: Space = space()
        self._log: list[Evidence] = []
        self._memo: dict[tuple[int, Cards], NDArray[np.float64]] = {}
        self._restart(limit=0)

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Count the mistakes of each rule, and drop those with too many."""
        for item in evidence:
            self._log.append(item)
            self._memo.clear()
            self._weigh(item)
            self._drop()
            if not len(self._rows):
                self._come_back()

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the weight of the rules by which each card is legal after ``mainline``: shape (52,)."""
        key = self._space.situation_key(mainline)
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._predict(mainline)
        return known.copy()

    def sample(self, n: int) -> list[Rule] | None:
        """Return the rules at ``n`` evenly spaced places of the weights laid end to end, no chance in it.

        None if no rule is faultless: those left are known to be false.
        """
        if self._mistakes.any():
            return None
        ends = np.cumsum(self._weights())
        places = np.searchsorted(ends, (np.arange(n) + 0.5) / n * ends[-1])
        return [self._space.rule(row) for row in self._rows[places]]

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return the heaviest rules."""
        weights = self._weights()
        best = np.argsort(-weights, kind="stable")[:EXPLAINED]
        return [(self._space.rule(self._rows[index]), float(weights[index])) for index in best]

    def _restart(self, limit: int) -> None:
        """Take all rules back, without mistakes."""
        self._limit = limit
        self._rows = np.arange(len(self._space))
        self._guard, self._branches = self._space.guard, self._space.branches
        self._prior = self._space.prior
        self._mistakes = np.zeros(len(self._space), np.int16)
        self._latest: tuple[Cards, Masks] | None = None

    def _weigh(self, item: Evidence) -> None:
        self._mistakes = self._mistakes + self._contradicted(item)

    def _drop(self) -> None:
        kept = self._mistakes <= self._limit
        if kept.all():
            return
        self._rows, self._guard, self._branches = self._rows[kept], self._guard[kept], self._branches[kept]
        self._prior, self._mistakes = self._prior[kept], self._mistakes[kept]
        self._latest = None

    def _come_back(self) -> None:
        """Count all mistakes anew, and keep the rules with the fewest."""
        self._restart(limit=0)
        for item in self._log:
            self._weigh(item)
        self._limit = int(self._mistakes.min()) + SLACK
        self._drop()

    def _masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline`` by each rule left; a shown hand asks for the same ones often."""
        if self._latest is None or self._latest[0] != mainline:
            self._latest = mainline, self._space.masks(mainline, self._guard, self._branches)
        return self._latest[1]

    def _allowed(self, mainline: Cards, card: Card) -> Flags:
        """Tell for each rule left whether ``card`` is legal after ``mainline``."""
        found: Flags = (self._masks(mainline) >> np.uint64(card) & np.uint64(1)).astype(np.bool_)
        return found

    def _contradicted(self, item: Evidence) -> Flags:
        """Tell for each rule left whether ``item`` cannot be if the rule is the secret one."""
        found: Flags
        match item:
            case Verdict(mainline, card, legal):
                found = self._allowed(mainline, card) != legal
            case SomeIllegal(pairs):
                found = np.ones(len(self._rows), np.bool_)
                for mainline, card in pairs:
                    found &= self._allowed(mainline, card)
            case SomeLegal(mainline, hand):
                found = (self._masks(mainline) & np.uint64(mask_of(hand))) == 0
            case HintGiven(hint):
                found = ~holding(hint)[self._rows]
            case _:
                assert_never(item)
        return found

    def _noise(self) -> float:
        """Return the chance that a verdict of the best rules fails."""
        fewest = int(self._mistakes.min())
        return (fewest + 1) / (len(self._log) + 2) if fewest else 0.0

    def _weights(self) -> NDArray[np.float64]:
        """Return the probabilities of the rules left, which sum to 1."""
        weights = self._prior
        if noise := self._noise():
            weights = weights * (noise / (1 - noise)) ** self._mistakes.astype(np.float64)
        normal: NDArray[np.float64] = weights / weights.sum()
        return normal

    def _predict(self, mainline: Cards) -> NDArray[np.float64]:
        masks, weights, noise = self._masks(mainline), self._weights(), self._noise()
        shares = np.zeros(56)
        for byte in range(7):
            # Adding up weights by the value of a byte is much quicker than card by card.
            value = (masks >> np.uint64(8 * byte) & np.uint64(255)).astype(np.intp)
            shares[8 * byte : 8 * byte + 8] = np.bincount(value, weights, 256) @ _BITS
        return np.clip(noise + (1 - 2 * noise) * shares[:52], 0, 1)


_BITS = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.float64)
"""Shape (256, 8): the bits of each byte, the lowest first."""
