"""A round as it stands: where every card lies, whose move it is, and what has happened."""

from __future__ import annotations

from eleusis_ai.cards import Card
from eleusis_ai.dealing import Deal
from eleusis_ai.events import Drew, EndReason, Event, ReserveOpened
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import Attempt, Call, Decision, Move, NoPlay, StateRule
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.scoring import round_points
from eleusis_ai.stock import Stock
from eleusis_ai.view import Public, View, scientists_of


class Standing:
    """What a round consists of, to be looked at; every value it hands out is frozen."""

    profile: Profile
    rule: Rule | None
    """The secret rule; None: the dealer judges by hand."""
    seats: int
    """Players, the dealer included."""
    dealer: int
    hint: Hint | None
    layout: Layout
    """The cards on the table."""
    prophet: int | None
    """The seat in office."""
    former_prophets: tuple[int, ...]
    """Overthrown prophets, in the order they fell."""
    marker: Marker | None
    """Where the marker of the prophet in office lies."""
    expelled: tuple[int, ...]
    """Expelled seats, in the order they went."""
    played: int
    """Cards played so far, starters counted where the profile says so."""
    danger: bool
    """Whether expulsion is in force for this turn."""
    turn: int
    """The scientist whose turn it is, or who acted last."""
    decision: Decision | None
    """Whose move it is, and of which kind; None: the round is over."""
    end_reason: EndReason | None
    """Why the round ended; None: it goes on."""
    ending: EndReason | None
    """Why the round ends once the seat that acted has stated the rule or not; None: it goes on."""
    emptied: int | None
    """The seat whose hand was legally emptied; where several ran out of mistake cards in one lap, one of them."""
    stated: int | None
    """The seat that stated the rule, and was right."""
    stage: int
    """1, or 2 when all hands are played and mistake cards are."""
    mistakes: tuple[Cards, ...]
    """Every seat's mistake cards, in the order they fell."""
    dealer_points: int | None
    """The dealer's points, where the end of stage one has fixed them."""
    idle: int
    """Turns since a right card was laid, those of passed seats included."""
    turns_left: int | None
    """Turns that are left; None: they are not limited."""
    attempt: Attempt | NoPlay | StateRule | None
    """The action under judgement, or the statement."""
    shown: Cards
    """The hand shown for a no play under judgement; in stage two mistake cards that a dealer by hand looks at."""
    call: Call | None
    """The prophet's answer to the action under judgement, once given."""

    _deal: Deal | None
    _hands: list[Cards]
    _stock: Stock
    _aside: Cards
    _moves: list[Move]
    _told: tuple[Event, ...]
    """What has happened, as everyone may know it, but for what is in ``_fresh``."""
    _fresh: list[Event]
    """What has happened since somebody last looked."""
    _legal: LegalMoves | None
    _public: Public | None
    _hung: bool
    """Whether the last action ended in a branch of the sideline."""
    _passed: int
    """Seats passed in a row in stage two."""
    _accepted_since: int
    _rejected_since: int
    _played_at_declaration: int

    __slots__ = tuple(__annotations__)  # there are too many for instances to share the keys of a dictionary

    @property
    def hands(self) -> tuple[Cards, ...]:
        """Every seat's hand, in the order of arrival; a prophet's is laid aside."""
        return tuple(self._hands)

    @property
    def stock(self) -> Cards:
        """The stock, from the front it is drawn from; without the reserve."""
        return self._stock.cards

    @property
    def reserve(self) -> Cards:
        """The cards of the packs not yet opened."""
        return self._stock.reserve

    @property
    def aside(self) -> Cards:
        """The cards left over where all were dealt out: out of play, and nobody's to see."""
        return self._aside

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.end_reason is not None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far."""
        return tuple(self._moves)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that has happened, as everyone may know it."""
        if self._fresh:
            self._told += tuple([event.seen_by(None) for event in self._fresh])
            self._fresh = []
        return self._told

    @property
    def scientists(self) -> tuple[int, ...]:
        """The seats other than the dealer's, from the dealer's left."""
        return scientists_of(self.dealer, self.seats)

    def public(self) -> Public:
        """Return what everyone may know; made once per move."""
        if self._public is None:
            # By position, in the order of the fields: this is made at every move.
            self._public = Public(
                self.profile,
                self.seats,
                self.dealer,
                self.hint,
                self.rule is None,
                self.layout,
                tuple(map(len, self._hands)),
                self._stock.size,
                self.expelled,
                self.prophet,
                self.former_prophets,
                self.marker,
                self.played,
                self._accepted_since,
                self._rejected_since,
                self._played_at_declaration,
                self.danger,
                self.decision,
                self.turn,
                self.attempt,
                self.shown,
                self.call,
                self.end_reason,
                self.emptied,
                self.events,
                self.ending,
                self.stated,
                self.stage,
                self.mistakes,
                self.dealer_points,
                self.idle,
                self.turns_left,
            )
        return self._public

    def view(self, seat: int) -> View:
        """Return what ``seat`` may know."""
        return View(seat, self._hands[seat], self.public())

    def scores(self) -> tuple[int, ...]:
        """Return the points of every seat, the dealer's too.

        Raises:
            ValueError: if the round is not over.
        """
        if not self.over:
            raise ValueError("points are counted when the round is over, and this one goes on")
        return round_points(self.public())

    # Cards.

    def _discard(self, seat: int, card: Card) -> None:
        """Take the earliest ``card`` out of the hand of ``seat``."""
        hand = self._hands[seat]
        at = hand.index(card)
        self._hands[seat] = hand[:at] + hand[at + 1 :]

    def _draw(self, seat: int, count: int, log: list[Event]) -> bool:
        """Draw ``count`` cards for ``seat``, or what is left; return whether the stock covered them."""
        drawn = 0
        for cards, opened in self._stock.draw(count):
            drawn += len(cards)
            self._hands[seat] += cards
            log.append(Drew(seat, len(cards), cards))
            if opened:
                log.append(ReserveOpened(opened))
        return drawn == count
