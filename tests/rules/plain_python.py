"""What Python itself makes of a rule, card by card: the reference that the verdicts are held against."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import gcd
from types import CodeType
from typing import Any, SupportsIndex, overload

from eleusis_ai.cards import ALL_CARDS, CARDS, Card


class Absent(Exception):
    """A mainline card that is not there."""


class PlainCard:
    def __init__(self, card: Card) -> None:
        self.number = int(card)
        self.rank = card.rank
        self.suit = "CDHS"[card.suit]
        self.is_red = self.suit in "DH"
        self.is_black = not self.is_red
        self.color = "red" if self.is_red else "black"
        self.value = min(self.rank, 10)
        self.is_odd = self.rank % 2 == 1
        self.is_even = self.rank % 2 == 0
        self.is_face = self.rank >= 11
        self.is_prime = self.rank in (2, 3, 5, 7, 11, 13)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PlainCard) and self.number == other.number

    def __hash__(self) -> int:
        return self.number


PLAIN = [PlainCard(card) for card in CARDS]


class PlainLine(list[PlainCard]):
    @overload
    def __getitem__(self, index: SupportsIndex) -> PlainCard: ...
    @overload
    def __getitem__(self, index: slice) -> list[PlainCard]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> PlainCard | list[PlainCard]:
        if isinstance(index, slice):
            return list(self)[index]
        try:
            return list(self)[index]
        except IndexError:
            raise Absent from None


def _run(values: Iterable[object]) -> int:
    length, before = 0, object()
    for value in values:
        length = length + 1 if value == before else 1
        before = value
    return length


def _after(suit: str, cycle: str) -> str:
    return cycle[(cycle.index(suit) + 1) % len(cycle)]


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "count": lambda values: sum(1 for value in values if value),
    "run": _run,
    "after": _after,
    "gcd": gcd,
}
CONSTANTS = {
    "A": 1,
    "J": 11,
    "Q": 12,
    "K": 13,
    "C": "C",
    "D": "D",
    "H": "H",
    "S": "S",
    "red": "red",
    "black": "black",
}


def plain_code(text: str) -> CodeType:
    """Compile ``text`` with ``last`` spelt out, so that only rules that look at it need it."""
    return compile(re.sub(r"\blast\b", "mainline[-1]", text), "<rule>", "eval")


def plain_mask(
    code: CodeType, mainline: Sequence[Card], rejected: Sequence[Card] = (), absent: int = ALL_CARDS
) -> int:
    """Judge every card with ``eval``; where a mainline card is absent the mask is ``absent``."""
    mask = 0
    line = PlainLine(PLAIN[card] for card in mainline)
    for card in CARDS:
        names: dict[str, Any] = {
            **CONSTANTS,
            **FUNCTIONS,
            "card": PLAIN[card],
            "mainline": line,
            "position": len(line),
            "rejected": [PLAIN[card] for card in rejected],
        }
        try:
            mask |= bool(eval(code, names)) << card
        except Absent:
            return absent
        except (ZeroDivisionError, KeyError, IndexError, ValueError):
            pass
    return mask
