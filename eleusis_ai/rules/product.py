"""Two rules followed side by side: the first line on which their verdicts part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, lowest, mask_of
from eleusis_ai.rules.extent import Endless
from eleusis_ai.rules.machine import Machine, Mask
from eleusis_ai.rules.memory import Memory

Line: TypeAlias = tuple[Card, ...]
Parting: TypeAlias = tuple[Line, int]
"""The cards that lead to a difference, the first in the order of the cards among the shortest, and the mask of
the cards that one of the rules alone allows there."""

MOST_AHEAD = 3_000
"""Pairs of states that are gone through one by one; so many take about as long as making a machine."""
MOST_PAIRS = 1_000_000
"""Pairs of states of two machines that are gone through; with more the answer is sampled."""
_LARGEST_TABLE = 2**26
"""Bytes of a table that tells of every pair whether it was reached."""


def parting_ahead(one: tuple[Memory, Mask], two: tuple[Memory, Mask], line: Line) -> Parting | None:
    """Return the first difference after ``line``, None if there is none, looking at the nearest pairs alone.

    It needs no machine, and most rules that differ do so within a card or two.

    Raises:
        Endless: if no difference is near, but there are more pairs.
    """
    (first, mask), (second, other) = one, two
    groups = [mask_of(cards) for cards in _alike(first.classes, second.classes)]
    states = first.walk(line), second.walk(line)
    paths: list[Line] = [()]
    waiting = [states]
    # Any card may be the first of all, so that the empty table is like no later state.
    seen = {states} if line else set()
    for further, (state, beside) in zip(paths, waiting, strict=True):  # both grow meanwhile
        mainline = line + further
        legal = mask(mainline)
        if differing := legal ^ other(mainline):
            return further, differing
        followed = legal if mainline else ALL_CARDS
        shown = sorted(lowest(followed & group) for group in groups if followed & group)
        following = zip(first.following(state, shown), second.following(beside, shown), strict=True)
        for card, pair in zip(shown, following, strict=True):
            if pair not in seen:
                seen.add(pair)
                paths.append((*further, card))
                waiting.append(pair)
        if len(paths) > MOST_AHEAD:
            first.followed = second.followed = MOST_AHEAD
            raise Endless(f"there are more than {MOST_AHEAD:,} pairs of states ahead")
    first.followed += len(paths)
    second.followed += len(paths)
    return None


def parting(first: tuple[Machine, int], second: tuple[Machine, int]) -> Parting | None:
    """Return the first difference between two machines, each begun in one of its states; None if there is none.

    Raises:
        Endless: if there are too many pairs of states.
    """
    (one, state), (two, other) = first, second
    shown = [cards[0] for cards in _alike(one.classes, two.classes)]
    # Pairs are numbered from 1. Where the masks are the same so are the cards that are followed: 0 stands for
    # both states being absent.
    width = len(two.masks) + 1
    moves = (one.moves[:, shown] + np.int64(1)) * width
    beside = two.moves[:, shown] + np.int64(1)
    seen = _Seen(len(one.masks) * width + width)
    pairs = np.array([(state + 1) * width + other + 1], dtype=np.int64)
    seen.add(pairs)
    steps: list[NDArray[np.intp]] = []
    while len(pairs):
        ones, twos = pairs // width - 1, pairs % width - 1
        differing = one.masks[ones] ^ two.masks[twos]
        if differing.any():
            place = int(np.flatnonzero(differing)[0])
            return _traced(steps, place, shown), int(differing[place])
        following = (moves[ones] + beside[twos]).ravel()
        places = seen.fresh(following)
        pairs = following[places]
        seen.add(pairs)
        steps.append(places)
        if seen.count > MOST_PAIRS:
            raise Endless(f"the two rules have more than {MOST_PAIRS:,} pairs of states")
    return None


def _alike(one: Sequence[int], two: Sequence[int]) -> list[list[Card]]:
    """Return the cards in groups that neither of two classifications tells apart, in the order of the cards."""
    groups: dict[tuple[int, int], list[Card]] = {}
    for card in CARDS:
        groups.setdefault((one[card], two[card]), []).append(card)
    return list(groups.values())


class _Seen:
    """The pairs that have been reached; a table of all where that is small, else a sorted list."""

    def __init__(self, size: int) -> None:
        self.count = 0
        self._table = np.zeros(size, dtype=np.bool_) if size <= _LARGEST_TABLE else None
        self._places = None if self._table is None else np.empty(size, dtype=np.int32)
        self._sorted = np.zeros(1, dtype=np.int64)
        if self._table is not None:
            self._table[0] = True

    def fresh(self, pairs: NDArray[np.int64]) -> NDArray[np.intp]:
        """Return the places of the pairs that were not reached yet, the first place of each, in order."""
        if self._table is None or self._places is None:
            reached, places = np.unique(pairs, return_index=True)
            return np.sort(places[~np.isin(reached, self._sorted)])
        places = np.flatnonzero(~self._table[pairs])
        found = pairs[places]
        # Of equal pairs the first is written last, and stays.
        self._places[found[::-1]] = places[::-1]
        is_first: NDArray[np.bool_] = self._places[found] == places
        return places[is_first]

    def add(self, pairs: NDArray[np.int64]) -> None:
        """Note pairs that were not reached yet."""
        self.count += len(pairs)
        if self._table is not None:
            self._table[pairs] = True
        else:
            self._sorted = np.concatenate((self._sorted, pairs))


def _traced(steps: Sequence[NDArray[np.intp]], place: int, shown: Sequence[Card]) -> Line:
    line = []
    for places in reversed(steps):
        place, card = divmod(int(places[place]), len(shown))
        line.append(shown[card])
    return tuple(reversed(line))
