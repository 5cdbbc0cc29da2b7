"""Mainlines after which a rule's verdicts differ most: what to show of it."""

from __future__ import annotations

from typing import TypeAlias

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of
from eleusis_ai.rules.language import Rule

MOST_LINES = 2_000
"""Lines among which the telling ones are looked for, the shortest first."""
LONGEST = 12
"""Cards on a few longer lines that are looked at too."""

Line: TypeAlias = tuple[Card, ...]


def glimpses(rule: Rule, number: int) -> tuple[Line, ...]:
    """Return ``number`` lines, or fewer, that tell most of ``rule``; at least one.

    The empty table is one of them, unless any card may start. Of the others each time that line is taken whose
    mask differs in most cards from the most similar one before; of such lines the shortest, then the first.
    """
    first = rule.mask(())
    lines = {rule.mask(line): line for line in reversed(_lines(rule))}
    chosen: list[Line] = [] if first == ALL_CARDS else [()]
    shown = [first]
    while len(chosen) < number:
        mask, line = max(
            lines.items(), key=lambda pair: (min((pair[0] ^ other).bit_count() for other in shown), -_place(pair[1]))
        )
        if mask in shown:
            break
        chosen.append(line)
        shown.append(mask)
    return tuple(chosen) or ((),)


def _place(line: Line) -> int:
    """Number the lines of few cards by length, then by their cards."""
    place = 0
    for card in line:
        place = 53 * place + card + 1
    return place


def _lines(rule: Rule) -> list[Line]:
    """Return lines that can be reached: the shortest, and some longer ones for what shows late."""
    longer: list[Line] = []
    for start in CARDS[::6]:
        line: Line = (start,)
        while len(line) < LONGEST and (legal := cards_of(rule.mask(line))):
            line = (*line, legal[7 * (start + len(line)) % len(legal)])
            longer.append(line)
    return _shortest(rule) + sorted(longer, key=len)


def _shortest(rule: Rule) -> list[Line]:
    lines: list[Line] = [(card,) for card in CARDS]
    for line in lines:
        room = MOST_LINES - len(lines)
        lines += [(*line, card) for card in cards_of(rule.mask(line))[: max(0, room)]]
    return lines
