"""The face-down cards left: drawn from the front, added to underneath, renewed by reserve packs."""

from __future__ import annotations

from collections.abc import Iterator

from eleusis_ai.cards import Card
from eleusis_ai.layout import Cards


class Stock:
    """The stock in play, and the reserve of packs not yet opened. Its order is nobody's to see."""

    __slots__ = ("_at", "_cards", "exhausted", "reserve")

    reserve: Cards
    """The cards of the packs not yet opened, in packs of 52."""
    exhausted: bool
    """Whether a draw has asked for more than was left."""

    def __init__(self, cards: Cards, reserve: Cards = ()) -> None:
        self._cards, self._at = cards, 0
        self.reserve, self.exhausted = reserve, False

    @property
    def cards(self) -> Cards:
        """The cards from the front, without the reserve."""
        return self._cards[self._at :]

    @property
    def size(self) -> int:
        """How many cards there are, without the reserve."""
        return len(self._cards) - self._at

    def turn(self) -> Card:
        """Take the front card."""
        card = self._cards[self._at]
        self._at += 1
        return card

    def put_under(self, cards: Cards) -> None:
        """Put ``cards`` under the stock, in their order; they lie above the reserve."""
        self._cards += cards

    def set_aside(self) -> Cards:
        """Take all cards out of play."""
        aside, self._at = self.cards, len(self._cards)
        return aside

    def open_reserve(self) -> int:
        """Make the next reserve pack the stock if the stock is used up; return how many cards came."""
        if self.size or not self.reserve:
            return 0
        self._cards, self._at, self.reserve = self.reserve[:52], 0, self.reserve[52:]
        return self.size

    def draw(self, count: int) -> Iterator[tuple[Cards, int]]:
        """Draw ``count`` cards, or what is left, in one portion for each pack they come from.

        Yields:
            The cards of the portion, and the size of the reserve pack that was opened after it, or 0.
        """
        while count:
            if not self.size:
                self.exhausted = True
                return
            portion = self._cards[self._at : self._at + count]
            self._at += len(portion)
            count -= len(portion)
            yield portion, self.open_reserve()

    def copy(self) -> Stock:
        """Return an independent copy."""
        other = Stock(self._cards, self.reserve)
        other._at, other.exhausted = self._at, self.exhausted
        return other
