"""A learner that grows a decision tree over what the candidate and the last two cards have in common."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import assert_never

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, export_text

from eleusis_ai.cards import CARDS, Suit
from eleusis_ai.evidence import Evidence, HintGiven, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

Features = NDArray[np.float32]

ALONE = ("rank", "red", "odd", "face", "club", "diamond", "heart", "spade")
"""What is told of a card by itself."""
TOGETHER = ("same color", "same suit", "same parity", "both or no face", "rise", "distance", "next suit")
"""What is told of the candidate and a mainline card together."""
NAMES = (
    *(f"card: {name}" for name in ALONE),
    *(f"last: {name}" for name in ALONE),
    *(f"card and last: {name}" for name in TOGETHER),
    *(f"card and the one before: {name}" for name in TOGETHER),
    "position % 2",
    "position % 3",
)
"""The columns of the features."""
MAX_DEPTH = 6
"""Splits from the root to a leaf, at most."""
SMOOTHING = 0.5
"""What is added to the legal and to the illegal cards of a leaf (Jeffreys)."""
EXPLAINED = 6
"""Splits deep that ``explain`` tells of the tree."""


class TreeLearner:
    """Fits a tree when it is asked after new evidence; a leaf's chance is its share of legal cards, smoothed.

    Of a rejected string each card is taken to be wrong with a weight of 1 in its length; of a hand with some
    legal card each card is taken to be legal, likewise. Hints are not understood.

    >>> from eleusis_ai.cards import Card
    >>> learner = TreeLearner()
    >>> line = (Card.parse("7H"),)
    >>> learner.observe([Verdict(line, card, legal=not card.is_red) for card in CARDS[::3]])
    >>> round(float(learner.predict(line)[Card.parse("KS")]), 2)
    0.95
    """

    def __init__(self) -> None:
        self._rows: list[Features] = []
        self._legal: list[bool] = []
        self._weight: list[float] = []
        self._tree: DecisionTreeClassifier | None = None
        self._chances = np.empty(0)
        self._overall = 0.5
        self._fresh = True
        self._memo: dict[tuple[int, Cards], NDArray[np.float64]] = {}

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Keep the evidence as rows of features."""
        for item in evidence:
            match item:
                case Verdict(mainline, card, legal):
                    self._note(mainline, (card,), legal=legal)
                case SomeIllegal(pairs):
                    for mainline, card in pairs:
                        self._note(mainline, (card,), legal=False, weight=1 / len(pairs))
                case SomeLegal(mainline, hand):
                    self._note(mainline, hand, legal=True, weight=1 / len(hand))
                case HintGiven():
                    pass
                case _:
                    assert_never(item)

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the smoothed share of legal cards in the leaf of each candidate: shape (52,)."""
        self._grow()
        if self._tree is None or not mainline:
            return np.full(52, self._overall)
        key = (len(mainline) % 6, mainline[-2:])
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._chances[self._tree.tree_.apply(_features(mainline))]
        return known.copy()

    def sample(self, n: int) -> None:  # noqa: ARG002 - the interface asks for it
        """Return None: a tree is no rule of the language."""
        return

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return the tree's upper splits as one text."""
        self._grow()
        if self._tree is None:
            return [(f"every card is legal with chance {self._overall:.2f}", 1.0)]
        return [(export_text(self._tree, feature_names=list(NAMES), max_depth=EXPLAINED, decimals=1), 1.0)]

    def _note(self, mainline: Cards, cards: Cards, *, legal: bool, weight: float = 1.0) -> None:
        if not mainline:
            # A starter has nothing to stand in relation to.
            return
        self._rows += list(_features(mainline)[list(cards)])
        self._legal += [legal] * len(cards)
        self._weight += [weight] * len(cards)
        self._fresh = False

    def _grow(self) -> None:
        """Fit the tree to the evidence, unless it is fitted."""
        if self._fresh:
            return
        self._fresh = True
        self._memo.clear()
        legal, weight = np.array(self._legal), np.array(self._weight)
        self._overall = (weight @ legal + SMOOTHING) / (weight.sum() + 2 * SMOOTHING)
        if legal.all() or not legal.any():
            return
        tree = DecisionTreeClassifier(criterion="entropy", max_depth=MAX_DEPTH, random_state=0)
        rows = np.array(self._rows)
        tree.fit(rows, legal, sample_weight=weight)
        leaves = tree.tree_.apply(rows)
        right = np.bincount(leaves, weight * legal, tree.tree_.node_count) + SMOOTHING
        every = np.bincount(leaves, weight, tree.tree_.node_count) + 2 * SMOOTHING
        self._tree, self._chances = tree, right / every


def _features(mainline: Cards) -> Features:
    """Return what is told of each candidate after ``mainline``: shape (52, features), float32."""
    alone, together = _tables()
    last = mainline[-1]
    before = mainline[-2] if len(mainline) > 1 else last
    found = np.empty((52, len(NAMES)), np.float32)
    width, pair = len(ALONE), len(TOGETHER)
    found[:, :width] = alone
    found[:, width : 2 * width] = alone[last]
    found[:, 2 * width : 2 * width + pair] = together[last]
    found[:, 2 * width + pair : 2 * width + 2 * pair] = together[before]
    found[:, -2] = len(mainline) % 2
    found[:, -1] = len(mainline) % 3
    return found


@cache
def _tables() -> tuple[Features, Features]:
    """Return `ALONE` of each card, shape (52, 8), and `TOGETHER` of each mainline card and candidate, (52, 52, 7)."""
    rank = np.array([card.rank for card in CARDS])
    suit = np.array([card.suit for card in CARDS])
    red = np.array([card.is_red for card in CARDS])
    odd, face = rank % 2, rank > 10
    alone = np.stack([rank, red, odd, face, *(suit == each for each in Suit)], axis=1)
    rise = rank - rank[:, None]
    together = np.stack(
        [
            *(value == value[:, None] for value in (red, suit, odd, face)),
            rise,
            np.abs(rise),
            (suit - suit[:, None]) % 4,
        ],
        axis=2,
    )
    return alone.astype(np.float32), together.astype(np.float32)
