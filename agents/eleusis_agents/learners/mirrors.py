"""Mirrors of predicates: what they become where ranks run the other way."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.predicates import Masks, Predicates, mixed
from eleusis_ai.cards import CARDS

NONE = -1
"""The mirror of a predicate that has none but itself."""
TURNED = np.array([13 * card.suit + 13 - card.rank for card in CARDS])
"""Shape (52,): each card's partner where ranks run the other way: an ace for a king, a two for a queen."""


@lru_cache(maxsize=4)
def turned(predicates: Predicates) -> NDArray[np.int32]:
    """Return what each predicate that looks at the last card at most is with all ranks running the other way.

    Shape (local,): the place of the one that judges so, or ``NONE`` where none does, or the predicate itself.
    """
    own, wanted = (np.zeros(predicates.local, np.uint64) for _ in range(2))
    table = predicates.atoms.table
    for row, reverse in zip(table, _turned(table), strict=True):
        own, wanted = mixed(own, predicates.joined(row)), mixed(wanted, predicates.joined(reverse))
    order = np.argsort(own, kind="stable")
    places = order[np.minimum(np.searchsorted(own[order], wanted), len(own) - 1)]
    found = (own[places] == wanted) & (places != np.arange(len(own)))
    return np.where(found, places, NONE).astype(np.int32)


def _turned(table: Masks) -> Masks:
    """Return verdicts after each last card, shape (53, n), where all ranks run the other way."""
    found = np.zeros_like(table)
    for card, partner in enumerate(TURNED.tolist()):
        found |= (table >> np.uint64(card) & np.uint64(1)) << np.uint64(partner)
    turned: Masks = found[np.append(TURNED, len(CARDS))]
    return turned
