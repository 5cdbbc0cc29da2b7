"""The words of the rule language: attributes of a card, constants and functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from eleusis_ai.cards import CARDS, RANKS, Card, Suit


class Kind(Enum):
    """What a term stands for; the value is the word used in messages."""

    TRUTH = "a truth value"
    NUMBER = "a number"
    SUIT = "a suit"
    COLOR = "a colour"
    CARD = "a card"

    @property
    def is_numeric(self) -> bool:
        """Whether one may calculate with it; truth values count as 0 and 1, as in Python."""
        return self in (Kind.NUMBER, Kind.TRUTH)


@dataclass(frozen=True, slots=True)
class CardAttribute:
    """One attribute of a card, as a table over the pack."""

    kind: Kind
    """What the attribute stands for."""
    values: tuple[int, ...]
    """Shape (52,): the value for each card; suits are 0 to 3, colours 0 (black) and 1 (red)."""
    classes: Mapping[int, int]
    """Value to the mask of the cards that have it."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A named value, such as the queen's rank or the suit of hearts."""

    kind: Kind
    """What the name stands for."""
    value: int
    """Its number, as in ``CardAttribute.values``."""


def _attribute(kind: Kind, value: Callable[[Card], int]) -> CardAttribute:
    values = tuple(int(value(card)) for card in CARDS)
    classes: dict[int, int] = {}
    for card in CARDS:
        classes[values[card]] = classes.get(values[card], 0) | card.bit
    return CardAttribute(kind, values, MappingProxyType(classes))


ATTRIBUTES: Mapping[str, CardAttribute] = MappingProxyType(
    {
        "rank": _attribute(Kind.NUMBER, lambda card: card.rank),
        "suit": _attribute(Kind.SUIT, lambda card: card.suit),
        "color": _attribute(Kind.COLOR, lambda card: card.is_red),
        "value": _attribute(Kind.NUMBER, lambda card: min(card.rank, 10)),
        "is_red": _attribute(Kind.TRUTH, lambda card: card.is_red),
        "is_black": _attribute(Kind.TRUTH, lambda card: not card.is_red),
        "is_odd": _attribute(Kind.TRUTH, lambda card: card.rank % 2 == 1),
        "is_even": _attribute(Kind.TRUTH, lambda card: card.rank % 2 == 0),
        "is_face": _attribute(Kind.TRUTH, lambda card: card.rank > 10),
        "is_prime": _attribute(Kind.TRUTH, lambda card: card.rank in (2, 3, 5, 7, 11, 13)),
    }
)
"""The attributes of a card; an ace is odd and not prime, a face card is a jack, queen or king."""

CONSTANTS: Mapping[str, Constant] = MappingProxyType(
    {name: Constant(Kind.NUMBER, RANKS.index(name) + 1) for name in "AJQK"}
    | {suit.name: Constant(Kind.SUIT, suit) for suit in Suit}
    | {"black": Constant(Kind.COLOR, 0), "red": Constant(Kind.COLOR, 1)}
)
"""Ranks A J Q K, suits C D H S and the two colours."""

FUNCTIONS = ("abs", "min", "max", "sum", "len", "count", "any", "all", "gcd", "after", "run")
"""What may be called."""

NAMES = ("card", "last", "mainline", "position", "rejected")
"""What a rule may look at."""

WORDS = frozenset((*NAMES, *FUNCTIONS, *CONSTANTS, *ATTRIBUTES))
"""Every word with a meaning; a generator's variable must be another one."""
