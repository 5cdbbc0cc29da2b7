"""Evidence as a classifier wants it: rows of features, each with a verdict and a weight."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.features import Features, FeatureSet
from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards

SMOOTHING = 0.5
"""What is added to the legal and to the illegal cards of a group when its share is taken (Jeffreys)."""


class Examples:
    """The judged cards that a learner has been shown.

    Of a rejected string each card is taken to be wrong with a weight of 1 in its length; of a hand with some
    legal card each card is taken to be legal, likewise. Hints are not understood, and a starter has nothing to
    stand in relation to.
    """

    def __init__(self, features: FeatureSet) -> None:
        self.features = features
        self._rows: list[Features] = []
        self._legal: list[bool] = []
        self._weight: list[float] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, evidence: Iterable[Evidence]) -> None:
        """Keep the evidence as rows."""
        for item in evidence:
            match item:
                case Verdict(mainline, card, legal):
                    self._note(mainline, (card,), legal=legal)
                case SomeIllegal(pairs):
                    for mainline, card in pairs:
                        self._note(mainline, (card,), legal=False, weight=1 / len(pairs))
                case SomeLegal(mainline, hand):
                    self._note(mainline, hand, legal=True, weight=1 / len(hand))
                case HintGiven() | NotTheRule():
                    pass
                case _:
                    assert_never(item)

    @property
    def rows(self) -> Features:
        """What is told of each judged card: shape (rows, features)."""
        return np.array(self._rows)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """The verdicts: shape (rows,)."""
        return np.array(self._legal, np.bool_)

    @property
    def weight(self) -> NDArray[np.float64]:
        """How much each counts: shape (rows,), 1 where it is known which card was judged."""
        return np.array(self._weight, np.float64)

    @property
    def share(self) -> float:
        """The smoothed share of legal cards."""
        weight = self.weight
        return float((weight @ self.legal + SMOOTHING) / (weight.sum() + 2 * SMOOTHING))

    def _note(self, mainline: Cards, cards: Cards, *, legal: bool, weight: float = 1.0) -> None:
        if not mainline:
            return
        self._rows += list(self.features.of(mainline)[list(cards)])
        self._legal += [legal] * len(cards)
        self._weight += [weight] * len(cards)
