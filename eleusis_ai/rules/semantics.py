"""A rule's verdicts: the mask of legal cards after any mainline, remembered by what the rule looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from eleusis_ai.cards import ALL_CARDS, CARDS, Card
from eleusis_ai.rules import terms
from eleusis_ai.rules.blocks import AbsentCard
from eleusis_ai.rules.evaluation import judge
from eleusis_ai.rules.reach import lookback, reads_rejected, uses_position

Verdicts: TypeAlias = Callable[[Sequence[Card], Sequence[Card]], int]
"""From the mainline and the rejected cards to the mask of the cards that are legal next."""

REMEMBERED = 4_096
"""Masks kept for a rule that looks at a few cards; all two-card pasts of a pack fit (2,704)."""
REMEMBERED_LINES = 64
"""Masks kept for a rule that looks at whole lines, where only the latest line is asked for again."""


def verdicts(term: terms.Term, starter: terms.Term | None) -> Verdicts:
    """Return the verdicts of ``term`` with the starter condition ``starter``.

    Where ``term`` would look at an absent card the mask is the starter condition's; without one it is all
    52 cards. A given condition alone decides the first card. A candidate for which the term divides by zero,
    misses a key or takes the least of nothing is illegal.
    """
    first = ALL_CARDS if starter is None else judge(starter)((), ())
    judged = judge(term)

    def mask(mainline: Sequence[Card], rejected: Sequence[Card]) -> int:
        if starter is not None and not mainline:
            return first
        try:
            return judged(mainline, rejected)
        except AbsentCard:
            return first

    back = lookback(term)
    if reads_rejected(term):
        return _remembered(mask, REMEMBERED_LINES, lambda mainline, rejected: (tuple(mainline), tuple(rejected)))
    if back is None:
        return _remembered(mask, REMEMBERED_LINES, lambda mainline, _: tuple(mainline))
    if uses_position(term):
        return _remembered(mask, REMEMBERED, lambda mainline, _: (len(mainline), *_tail(mainline, back)))
    if back <= 1:
        return _table(mask, back)
    return _remembered(mask, REMEMBERED, lambda mainline, _: _tail(mainline, back))


def _tail(mainline: Sequence[Card], back: int) -> tuple[Card, ...]:
    return tuple(mainline[-back:]) if back else ()


def _table(mask: Verdicts, back: int) -> Verdicts:
    """Work out all masks of a rule that looks at the last card alone; the last place is the empty line's."""
    masks = [mask((card,), ()) for card in CARDS] if back else [mask((CARDS[0],), ())] * 52
    table = (*masks, mask((), ()))
    return lambda mainline, _: table[mainline[-1] if mainline else -1]


def _remembered(mask: Verdicts, most: int, key_of: Callable[[Sequence[Card], Sequence[Card]], object]) -> Verdicts:
    masks: dict[object, int] = {}

    def remembered(mainline: Sequence[Card], rejected: Sequence[Card]) -> int:
        key = key_of(mainline, rejected)
        known = masks.get(key)
        if known is None:
            if len(masks) >= most:
                masks.clear()
            known = masks[key] = mask(mainline, rejected)
        return known

    return remembered
