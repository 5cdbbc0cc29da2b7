"""Whether a rule uses nothing but numbers: the ranks of the card and of the last accepted one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import CARDS
from eleusis_ai.rules.language import Rule

_SUIT = np.uint64(13)
"""Bits from a card of a mask to the same rank in the next suit."""


def uses_numbers_only(rule: Rule) -> bool:
    """Tell whether the verdicts of ``rule`` depend on the two ranks alone, however it is worded.

    The verdicts on the first card count too. False also where that cannot be seen, since the rule looks at
    rejected cards or has too many states.

    >>> uses_numbers_only(Rule.parse("card.rank >= last.rank or card.suit in {H, S} and card.is_face"))
    False
    >>> uses_numbers_only(Rule.parse("card.rank >= last.rank and (card.is_red or card.is_black)"))
    True
    """
    machine = rule.machine
    if machine is None or not _blind_to_suits(machine.masks):
        return False
    for rank in range(13):
        cards = [card for card in CARDS if card.rank == rank + 1]
        reached = machine.moves[:, cards]
        if len(np.unique(machine.masks[reached[reached >= 0]])) > 1:
            return False
    return True


def _blind_to_suits(masks: NDArray[np.uint64]) -> bool:
    """Tell whether in each of ``masks``, shape (n,), a rank is legal in all suits or in none."""
    one_suit = masks & np.uint64((1 << 13) - 1)
    whole = one_suit | one_suit << _SUIT | one_suit << _SUIT * np.uint64(2) | one_suit << _SUIT * np.uint64(3)
    return bool((whole == masks).all())
