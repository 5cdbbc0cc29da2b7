"""How a dealer who judges by hand finds the starters: cards are turned, and he says of each whether it fits."""

from __future__ import annotations

from eleusis_ai.cards import Card
from eleusis_ai.dealing import Deal
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import StarterTerms

RIGHT, MORE, WRONG, BEGIN = WORDS = ("right", "more", "wrong", "begin")
"""What the dealer may say of a turned card: it starts the line, and play begins; it is laid, and another is turned;
it goes under the stock; play begins without it."""


class Starters:
    """The starters as far as they are found. While ``card`` is not None, ``say`` what becomes of it."""

    def __init__(self, deal: Deal) -> None:
        """Turn the first card of the stock of ``deal``, and lay it where the profile takes it as it comes."""
        self._stock, self._unfit = deal.stock(), 0
        self.laid: Cards = ()
        """The cards laid so far."""
        self.card: Card | None = None
        """The turned card of which the dealer has to say whether it fits; None: all starters are found."""
        self._most = min(52, self._stock.size)
        if deal.profile.starter is not StarterTerms.FIT:
            self.laid = (self._stock.turn(),)
            self._most = 1 if deal.profile.starter is StarterTerms.AS_TURNED else 2
        self._turn()

    @property
    def words(self) -> tuple[str, ...]:
        """What may be said now: of `WORDS`, ``begin`` only where a card lies."""
        return WORDS if self.laid else WORDS[:-1]

    def say(self, word: str) -> None:
        """Do what the dealer says of the turned card, which must be one of ``words``."""
        assert self.card is not None, "the dealer is asked only while a card is turned"
        assert word in self.words, "what the dealer may say is in `words`"
        card, self.card = self.card, None
        if word == BEGIN:
            return
        if word == WRONG:
            self._stock.put_under((card,))
            self._unfit += 1
            if self._unfit < self._stock.size:
                self._turn()
                return
            card = self._stock.turn()  # after a full pass without one that fits, the top card is taken
        self.laid, self._unfit = (*self.laid, card), 0
        if word == MORE:
            self._turn()

    def _turn(self) -> None:
        if len(self.laid) < self._most and self._stock.size:
            self.card = self._stock.turn()
