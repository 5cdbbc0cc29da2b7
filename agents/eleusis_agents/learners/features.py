"""What is told of a candidate card and the mainline's end in numbers, for classifiers that know no cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import CARDS, Suit
from eleusis_ai.layout import Cards

Features = NDArray[np.float32]

ALONE = ("rank", "red", "odd", "face", "club", "diamond", "heart", "spade")
"""What is told of a card by itself."""
TOGETHER = ("same color", "same suit", "same parity", "both or no face", "rise", "distance", "next suit")
"""What is told of the candidate and a mainline card together."""
_PLAIN = [ALONE.index(name) for name in ("rank", "red", "odd", "club", "diamond", "heart", "spade")]


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """The columns of a table of candidates."""

    names: tuple[str, ...]
    of: Callable[[Cards], Features]
    """Returns what is told of each candidate after a mainline of at least one card: shape (52, names)."""


def _raw(mainline: Cards) -> Features:
    alone, _ = _tables()
    last = np.broadcast_to(alone[mainline[-1]], alone.shape)
    return np.concatenate((alone[:, _PLAIN], last[:, _PLAIN]), axis=1)


def _relational(mainline: Cards) -> Features:
    alone, together = _tables()
    last = mainline[-1]
    before = mainline[-2] if len(mainline) > 1 else last
    found = np.empty((52, len(RELATIONAL.names)), np.float32)
    width, pair = len(ALONE), len(TOGETHER)
    found[:, :width] = alone
    found[:, width : 2 * width] = alone[last]
    found[:, 2 * width : 2 * width + pair] = together[last]
    found[:, 2 * width + pair : 2 * width + 2 * pair] = together[before]
    found[:, -2] = len(mainline) % 2
    found[:, -1] = len(mainline) % 3
    return found


RAW = FeatureSet(tuple(f"{whose}: {ALONE[place]}" for whose in ("card", "last") for place in _PLAIN), _raw)
"""Rank, colour, parity and suit of the candidate and of the last card, each by itself."""
RELATIONAL = FeatureSet(
    (
        *(f"card: {name}" for name in ALONE),
        *(f"last: {name}" for name in ALONE),
        *(f"card and last: {name}" for name in TOGETHER),
        *(f"card and the one before: {name}" for name in TOGETHER),
        "position % 2",
        "position % 3",
    ),
    _relational,
)
"""The same, and what the candidate has in common with the last two cards."""
FEATURES = {"raw": RAW, "relational": RELATIONAL}
"""The sets by name."""


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
