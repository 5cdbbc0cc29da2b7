"""A round at a real table, of which one hand is known: what the people at the table tell makes it go on."""

from __future__ import annotations

from typing import Self

from eleusis_ai.cards import UNKNOWN, Card
from eleusis_ai.events import IN_WORDS, Event, RuleStated
from eleusis_ai.layout import Cards
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import Attempt, Call, DecisionKind, Move, NoPlay, Pick
from eleusis_ai.profiles import Profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.stock import Stock


class UnseenRound(Round):
    """A round whose dealer judges by hand, and in which no hand is known but that of ``seat``.

    The procedure is that of every round; cards that ``seat`` does not see are `UNKNOWN`. Its own cards are told by
    ``receive`` as it gets them, what the others do by ``apply``. Its view is that of the true round.
    """

    __slots__ = ("seat",)

    seat: int
    """Whose hand is known."""

    @classmethod
    def begin(
        cls,
        profile: Profile,
        *,
        seats: int,
        dealer: int,
        seat: int,
        starters: Cards,
        first: int | None = None,
        hint: Hint | None = None,
    ) -> Self:
        """Begin a round that was dealt on a real table, from whole packs, before ``seat`` looks at its hand.

        Raises:
            InvalidDeal: if the parts do not fit together, or lots are drawn for who begins and ``first`` is missing.
        """
        dealt = profile.dealt(seats) * (seats - 1)
        left = 52 * profile.packs - dealt - len(starters)
        hidden = (UNKNOWN,)
        deck = hidden * dealt + starters + hidden * left + hidden * (52 * profile.reserve_packs)
        self = cls.deal(
            profile, None, seats=seats, dealer=dealer, deck=deck, first=first, starters=starters, hint=hint
        )
        self.seat, self._deal = seat, None
        self._stock = _FaceDown(self._stock.cards, self._stock.reserve)
        return self

    @property
    def owed(self) -> int:
        """How many cards of the known hand have not been told yet; none are once they do not matter any more."""
        return 0 if self.over or self.seat in self.expelled else self._hands[self.seat].count(UNKNOWN)

    @property
    def following(self) -> int | None:
        """The seat that plays after the one that has just acted, unless something comes between; None: the end."""
        return self._seat_after(self.turn) if self.ending is None and not self.over else None

    def receive(self, cards: Cards) -> None:
        """Tell what ``seat`` got, or the first of it.

        Raises:
            IllegalMove: if it is nothing, or more than is owed.
        """
        if not 0 < len(cards) <= self.owed:
            raise IllegalMove(f"{len(cards)} cards; 1 to {self.owed} are owed to seat {self.seat}")
        self._hands[self.seat] = _filled(self._hands[self.seat], cards)
        self._public = self._legal = None

    def apply(self, move: Move, shown: Cards = ()) -> tuple[Event, ...]:
        """Make a move as `Round.apply` does.

        Args:
            move: The move. An attempt of another seat may have `UNKNOWN` cards, which cannot be right.
            shown: For a no play of another seat the hand it shows; those nobody wrote down are `UNKNOWN`.

        Raises:
            IllegalMove: if it cannot be made, as far as one can tell; nothing has changed then.
        """
        if self.owed:
            raise IllegalMove(f"seat {self.seat} is owed {self.owed} cards; `receive` them first")
        before = self._hands.copy(), self.shown
        try:
            if self.decision is not None:
                self._uncover(move, shown, self.decision.seat)
            events = super().apply(move)
        except IllegalMove:
            self._hands, self.shown = before
            self._legal = None
            raise
        for seat in self.scientists:
            if seat != self.seat and not (self.shown and seat == self.turn):
                self._hands[seat] = (UNKNOWN,) * len(self._hands[seat])
        return events

    def hear(self, *, right: bool) -> tuple[Event, ...]:
        """Hear the seat that may state the rule do so in words, and the dealer say whether it is right.

        Raises:
            IllegalMove: if no rule may be stated now.
        """
        if self.decision is None or self.decision.kind is not DecisionKind.STATE_RULE:
            raise IllegalMove(f"{self.decision or 'the round is over'}: no rule may be stated now")
        log: list[Event] = [RuleStated(self.turn, IN_WORDS)]
        self._public = self._legal = None
        self._statement(log, right=right, proved=False)
        self._fresh += log
        return tuple(log)

    def recount(self, seat: int, size: int) -> None:
        """Take the word of the table for how many cards another seat holds.

        Raises:
            IllegalMove: if the seat holds the known hand or none, or has shown its hand.
        """
        if seat in (self.seat, self.dealer) or size < 1 or self.over or (self.shown and seat == self.turn):
            raise IllegalMove(f"seat {seat} cannot be given {size} cards; another scientist can, at least 1, in play")
        self._hands[seat] = (UNKNOWN,) * size
        self._public = self._legal = None

    def restock(self, size: int) -> None:
        """Take the word of the table for how many cards the stock has.

        Raises:
            IllegalMove: if it is less than 0, or the round is over.
        """
        if size < 0 or self.over:
            raise IllegalMove(f"{size} cards cannot be in the stock now; 0 or more can, in play")
        self._stock = _FaceDown((UNKNOWN,) * size, self._stock.reserve)
        self._public = None

    def _uncover(self, move: Move, shown: Cards, seat: int) -> None:
        """Put into the hands what ``move`` of ``seat`` shows of them.

        Raises:
            IllegalMove: if it shows what cannot be.
        """
        held = self._hands[seat]
        match move:
            case Attempt(cards) if seat != self.seat and self.stage == 1:
                if len(cards) > len(held):
                    raise IllegalMove(f"seat {seat} plays {len(cards)} cards, and holds {len(held)}")
                self._hands[seat] = cards + held[len(cards) :]
            case NoPlay() if seat != self.seat:
                if len(shown) != len(held):
                    raise IllegalMove(f"seat {seat} shows {len(shown)} cards, and holds {len(held)}")
                self._hands[seat] = shown
            case Pick(card):
                self._name(card)
            case Call(card=card) if card is not None:
                self._name(card)
            case Call(right=right, prefix=prefix) if seat == self.dealer and isinstance(self.attempt, Attempt):
                cards = self.attempt.cards
                if UNKNOWN in (cards if right else cards[: prefix or 0]):
                    raise IllegalMove("a right card joins the mainline, and must be known")
        self._legal = None

    def _name(self, card: Card) -> None:
        """Put ``card`` in place of an unknown one of the shown hand if it is not among the others."""
        if card is UNKNOWN:
            raise IllegalMove("a card that is named as legal must be known")
        if card not in self.shown and UNKNOWN in self.shown:
            self.shown = _filled(self.shown, (card,))
            if self.turn != self.seat:
                self._hands[self.turn] = self.shown


class _FaceDown(Stock):
    """A stock of a real table: nobody relies on the order in which cards were put under it."""

    def put_under(self, cards: Cards) -> None:
        """Put ``cards`` under the stock, where they are not known any more."""
        super().put_under((UNKNOWN,) * len(cards))


def _filled(hand: Cards, cards: Cards) -> Cards:
    """Return ``hand`` with ``cards`` in place of the first of its unknown ones."""
    at = hand.index(UNKNOWN)
    return hand[:at] + cards + hand[at + len(cards) :]
