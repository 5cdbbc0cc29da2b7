"""What a rule sees of a mainline, by its verdicts: how many cards back, and whether the line's length counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.likeness import Classes, twins
from eleusis_ai.rules.machine import Machine

Pairs: TypeAlias = NDArray[np.bool_]
"""Shape (states, states): which pairs of states are meant; of the two orders the one with the lesser first."""

MOST_STATES = 1_024
"""States of a machine of which all pairs are gone through."""
MOST_LENGTHS = 1_000
"""Lengths of mainlines that may differ in the states they reach."""
MOST_CARDS = 52
"""The farthest card back that is looked for."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What the verdicts of a rule depend on, along lines that begin with any card and go on with legal ones."""

    twins: Classes
    """The cards it cannot tell from each other."""
    lookback: int | None
    """The least number of last cards that decide, with the line's length; None if none up to 52 do, or if there
    are too many states to tell. Lines shorter than that do not count, as the starters lie there."""
    position: bool
    """Whether the line's length matters beside these cards; True also if it cannot be told."""
    is_whole: bool
    """Whether lookback and position were worked out."""


@lru_cache(maxsize=512)
def sight(rule: Rule) -> Sight | None:
    """Return what ``rule`` sees; None if its verdicts do not tell.

    They do not where there is no finite machine; nor where play can come to a dead end, for what the rule would
    say beyond it is never seen. (On the last card alone a rule has said all after one card.)
    """
    machine = rule.machine
    is_table = rule.lookback is not None and rule.lookback <= 1 and not rule.uses_position
    if machine is None or not (is_table or machine.masks.all()):
        return None
    if len(machine.masks) > MOST_STATES:
        return Sight(twins(machine), None, position=True, is_whole=False)
    letters = np.unique(machine.moves, axis=1).T
    cards = _lookback(machine, letters)
    position = cards is None or _position_matters(machine, letters, cards)
    return Sight(twins(machine), cards, position=position, is_whole=True)


def looks_at(rule: Rule) -> tuple[int | None, bool]:
    """Return how many of the last cards count, None: the whole line may; and whether the line's length may.

    Verdicts decide where they can, as in `Sight`; where they cannot, what the terms name.
    """
    seen = sight(rule)
    if seen is not None and seen.is_whole:
        return seen.lookback, seen.position
    return rule.lookback, rule.uses_position


def _lookback(machine: Machine, letters: NDArray[np.int32]) -> int | None:
    """Return how many last cards decide together with the length."""
    pairs = _of_one_length(machine)
    if pairs is None:
        return None
    for cards in range(MOST_CARDS + 1):
        if not _differ(machine, pairs):
            return cards
        # One card more leaves pairs that were there before: once none goes, none ever will.
        fewer = _after_same_card(pairs, letters)
        if np.count_nonzero(fewer) == np.count_nonzero(pairs):
            return None
        pairs = fewer
    return None


def _position_matters(machine: Machine, letters: NDArray[np.int32], cards: int) -> bool:
    """Tell whether lines that agree in the last ``cards`` cards may differ in their verdicts."""
    count = len(machine.masks)
    here = np.zeros(count, dtype=np.bool_)
    here[machine.moves[machine.moves >= 0]] = True
    if cards:
        here[0] = True
    pairs = np.triu(here[:, None] & here[None, :], 1)
    for _ in range(cards):
        pairs = _after_same_card(pairs, letters)
    return _differ(machine, pairs)


def _of_one_length(machine: Machine) -> Pairs | None:
    """Return the pairs of states that lines of the same length lead to; None if there are too many lengths."""
    count = len(machine.masks)
    pairs = np.zeros((count, count), dtype=np.bool_)
    here = np.zeros(count, dtype=np.bool_)
    here[machine.moves[0]] = True
    seen = set[bytes]()
    for _ in range(MOST_LENGTHS):
        if here.tobytes() in seen:
            return np.triu(pairs, 1)
        seen.add(here.tobytes())
        states = np.flatnonzero(here)
        pairs[np.ix_(states, states)] = True
        reached = machine.moves[states]
        here = np.zeros(count, dtype=np.bool_)
        here[reached[reached >= 0]] = True
    return None


def _after_same_card(pairs: Pairs, letters: NDArray[np.int32]) -> Pairs:
    """Return the pairs of states once the same card has been laid; ``letters`` has one row for each kind of it."""
    found = np.zeros_like(pairs)
    ones, twos = np.nonzero(pairs)
    for moves in letters:
        one, two = moves[ones], moves[twos]
        apart = (one >= 0) & (two >= 0) & (one != two)
        one, two = one[apart], two[apart]
        found[np.minimum(one, two), np.maximum(one, two)] = True
    return found


def _differ(machine: Machine, pairs: Pairs) -> bool:
    ones, twos = np.nonzero(pairs)
    return bool((machine.masks[ones] != machine.masks[twos]).any())
