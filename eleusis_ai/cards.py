"""Playing cards: 52 values with a rank, a suit and a colour, and their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum, IntEnum

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Rank texts; rank 1 is the ace, 11 to 13 are jack, queen and king."""

ALL_CARDS = (1 << 52) - 1
"""The mask in which every card is present (bit ``card`` stands for ``card``)."""


class InvalidCard(ValueError):
    """A text or number that is not a card."""


class Color(Enum):
    """The colour of a suit."""

    BLACK = "black"
    RED = "red"

    def __str__(self) -> str:
        return self.value


class Suit(IntEnum):
    """The four suits, in the order of card numbers."""

    C = 0
    D = 1
    H = 2
    S = 3

    def __str__(self) -> str:
        return self.name

    @property
    def color(self) -> Color:
        """Red for diamonds and hearts, black for clubs and spades."""
        return Color.RED if self in (Suit.D, Suit.H) else Color.BLACK

    @property
    def symbol(self) -> str:
        """The pip, one of ♣♦♥♠."""
        return "♣♦♥♠"[self]


class Card(int):
    """A card as the number ``suit * 13 + rank - 1``, 0 to 51; there is one object for each.

    >>> card = Card.parse("7H")
    >>> int(card), card.rank, card.suit.name, card.is_red, str(card)
    (32, 7, 'H', True, '7H')
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        """Return the card of ``number``.

        Raises:
            InvalidCard: if ``number`` is outside 0 to 51.
        """
        if not 0 <= number < 52:
            raise InvalidCard(f"{number} is not the number of a card; cards are 0 (AC) to 51 (KS), 32 is 7H")
        return CARDS[number]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read a card such as ``7H``, ``10S`` or ``q♦``; case does not matter.

        Raises:
            InvalidCard: if ``text`` is not a rank followed by a suit.
        """
        card = _BY_TEXT.get(text.strip().upper())
        if card is None:
            raise InvalidCard(
                f"{text!r} is not a card; write a rank of {' '.join(RANKS)}, then a suit of C D H S, as in '7H'"
            )
        return card

    @property
    def rank(self) -> int:
        """1 (ace) to 13 (king)."""
        return self % 13 + 1

    @property
    def suit(self) -> Suit:
        """The suit."""
        return _SUITS[self // 13]

    @property
    def color(self) -> Color:
        """The colour of the suit."""
        return self.suit.color

    @property
    def is_red(self) -> bool:
        """A diamond or a heart."""
        return 13 <= self < 39

    @property
    def symbol(self) -> str:
        """The card as printed on a table, such as ``7♥``."""
        return _SYMBOLS[self]

    @property
    def bit(self) -> int:
        """The mask that holds this card alone."""
        return 1 << self

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f"Card.parse({_TEXTS[self]!r})"

    def __format__(self, spec: str) -> str:
        return format(_TEXTS[self], spec)

    def __reduce__(self) -> tuple[Callable[[int], Card], tuple[int]]:
        return _numbered, (int(self),)


_SUITS = tuple(Suit)
_TEXTS = (*(rank + suit.name for suit in Suit for rank in RANKS), "?")
_SYMBOLS = (*(rank + suit.symbol for suit in Suit for rank in RANKS), "?")
CARDS: tuple[Card, ...] = tuple(int.__new__(Card, number) for number in range(52))
"""All cards in the order of their numbers."""
UNKNOWN: Card = int.__new__(Card, 52)
"""Stands for a card that nobody saw or wrote down. It is in no pack and no mask, has no suit, and no text is read as
it; written it is ``?``."""
_BY_TEXT = {card.symbol: card for card in CARDS} | dict(zip(_TEXTS, CARDS, strict=False))


def _numbered(number: int) -> Card:
    return UNKNOWN if number == UNKNOWN else CARDS[number]


def pack() -> list[Card]:
    """Return a new, unshuffled pack of 52 cards."""
    return list(CARDS)


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards separated by spaces or commas, such as ``7H 9D``; the empty text is no card.

    Raises:
        InvalidCard: if a word is not a card.
    """
    return tuple(Card.parse(word) for word in re.split(r"[\s,]+", text.strip()) if word)


def cards_text(cards: Iterable[Card]) -> str:
    """Write cards separated by spaces; ``parse_cards`` reads them back."""
    return " ".join(_TEXTS[card] for card in cards)


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a 52-bit mask in the order of their numbers."""
    return tuple(card for card in CARDS if mask >> card & 1)


def mask_of(cards: Iterable[Card]) -> int:
    """Return the 52-bit mask of ``cards``; a card that occurs twice counts once."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def lowest(mask: int) -> Card:
    """Return the first card of a 52-bit mask, which must not be empty."""
    return CARDS[(mask & -mask).bit_length() - 1]
