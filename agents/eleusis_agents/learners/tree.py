"""A learner that grows a decision tree over what the candidate and the last two cards have in common."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from sklearn.tree import DecisionTreeClassifier, export_text

from eleusis_agents.learners.examples import SMOOTHING, Examples
from eleusis_agents.learners.features import RELATIONAL
from eleusis_ai.evidence import Evidence
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

MAX_DEPTH = 6
"""Splits from the root to a leaf, at most."""
EXPLAINED = 6
"""Splits deep that ``explain`` tells of the tree."""


class TreeLearner:
    """Fits a tree when it is asked after new evidence; a leaf's chance is its share of legal cards, smoothed.

    >>> from eleusis_ai.cards import CARDS, Card
    >>> from eleusis_ai.evidence import Verdict
    >>> learner = TreeLearner()
    >>> line = (Card.parse("7H"),)
    >>> learner.observe([Verdict(line, card, legal=not card.is_red) for card in CARDS[::3]])
    >>> round(float(learner.predict(line)[Card.parse("KS")]), 2)
    0.95
    """

    def __init__(self) -> None:
        self._examples = Examples(RELATIONAL)
        self._tree: DecisionTreeClassifier | None = None
        self._chances = np.empty(0)
        self._overall = 0.5
        self._fitted = 0
        self._memo: dict[tuple[int, Cards], NDArray[np.float64]] = {}

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Keep the evidence as rows of features."""
        self._examples.add(evidence)

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the smoothed share of legal cards in the leaf of each candidate: shape (52,)."""
        self._grow()
        if self._tree is None or not mainline:
            return np.full(52, self._overall)
        key = (len(mainline) % 6, mainline[-2:])
        known = self._memo.get(key)
        if known is None:
            known = self._memo[key] = self._chances[self._tree.tree_.apply(RELATIONAL.of(mainline))]
        return known.copy()

    def sample(self, n: int) -> None:  # noqa: ARG002 - the interface asks for it
        """Return None: a tree is no rule of the language."""
        return

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return the tree's upper splits as one text."""
        self._grow()
        if self._tree is None:
            return [(f"every card is legal with chance {self._overall:.2f}", 1.0)]
        names = list(RELATIONAL.names)
        return [(export_text(self._tree, feature_names=names, max_depth=EXPLAINED, decimals=1), 1.0)]

    def _grow(self) -> None:
        """Fit the tree to the evidence, unless it is fitted."""
        if self._fitted == len(self._examples):
            return
        self._fitted = len(self._examples)
        self._memo.clear()
        legal, weight, rows = self._examples.legal, self._examples.weight, self._examples.rows
        self._overall = self._examples.share
        if legal.all() or not legal.any():
            return
        tree = DecisionTreeClassifier(criterion="entropy", max_depth=MAX_DEPTH, random_state=0)
        tree.fit(rows, legal, sample_weight=weight)
        leaves = tree.tree_.apply(rows)
        right = np.bincount(leaves, weight * legal, tree.tree_.node_count) + SMOOTHING
        every = np.bincount(leaves, weight, tree.tree_.node_count) + 2 * SMOOTHING
        self._tree, self._chances = tree, right / every
