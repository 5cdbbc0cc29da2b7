"""One round of Eleusis: an object that accepts moves and returns events."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Self, assert_never

import msgspec

from eleusis_ai.cards import Card, cards_text
from eleusis_ai.dealing import deal_of
from eleusis_ai.events import (
    Attempted,
    AttemptJudged,
    Dealt,
    Event,
    Hinted,
    NoPlayDeclared,
    NoPlayJudged,
    ProphetCalled,
    ReserveOpened,
    SeatPassed,
    StarterLaid,
    TurnBegan,
)
from eleusis_ai.imagination import Unimaginable, imagined_cards
from eleusis_ai.layout import Layout
from eleusis_ai.legal import IllegalMove, LegalMoves, legal_moves
from eleusis_ai.moves import (
    Attempt,
    BecomeProphet,
    Call,
    Decision,
    DecisionKind,
    Move,
    NoPlay,
    Pass,
    Pick,
    StateRule,
)
from eleusis_ai.procedure import Procedure
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.stock import Stock
from eleusis_ai.view import View


class Round(Procedure):
    """A round in play. Ask ``decision`` and ``legal_moves``, then ``apply`` a move; the rest is to look at.

    Mutable and quick; every value it hands out is frozen.
    """

    __slots__ = ()

    @classmethod
    def deal(
        cls,
        profile: Profile,
        rule: Rule | None,
        *,
        seats: int,
        dealer: int,
        deck: Sequence[Card],
        first: int | None = None,
        starters: Sequence[Card] | None = None,
        hint: Hint | None = None,
        rng: Random | None = None,
    ) -> Self:
        """Deal a round.

        Args:
            profile: The way to play.
            rule: The secret rule; None for a dealer who judges by hand.
            seats: Players, the dealer included.
            dealer: The dealer's seat.
            deck: Dealt from its front: hands from the dealer's left, starters, stock; cards beyond the
                profile's packs are the reserve, in packs of 52.
            first: The seat that begins, in place of the profile's way of choosing it.
            starters: The starter cards, legal by definition; needed when ``rule`` is None. Cards turned
                before them go under the stock.
            hint: The dealer's hint.
            rng: Draws the lot where the profile has one and ``first`` is not given.

        Raises:
            InvalidDeal: if the profile, the seats, the deck, the hint and the rule do not fit together.
        """
        deal = deal_of(
            profile, rule, seats=seats, dealer=dealer, deck=deck, first=first, starters=starters, hint=hint
        )
        self = cls.__new__(cls)
        self.profile, self.rule, self.seats, self.dealer, self.hint = profile, rule, seats, dealer, hint
        self.layout = Layout()
        self.prophet = self.marker = self.decision = self.dealer_points = None
        self.ending = self.end_reason = self.emptied = self.stated = None
        self.mistakes, self.stage, self.idle, self._passed = ((),) * seats, 1, 0, 0
        self.turns_left = profile.turn_limit
        self.former_prophets = self.expelled = ()
        self.played = self._accepted_since = self._rejected_since = self._played_at_declaration = 0
        self.danger = self._hung = False
        self.attempt = self.call = self._public = self._legal = None
        self.shown, self._moves = (), []
        self._hands, self._stock = list(deal.hands), deal.stock()
        log: list[Event] = [Dealt(seat, len(self._hands[seat]), self._hands[seat]) for seat in deal.scientists]
        if hint is not None:
            log.append(Hinted(str(hint)))
        for card, legal in deal.lay_starters(self._stock):
            self.layout = self.layout.extended((card,))
            self.played += profile.starters_count
            log.append(StarterLaid(card, legal))
        self._aside = self._stock.set_aside() if profile.hand_size is None else ()
        if opened := self._stock.open_reserve():
            log.append(ReserveOpened(opened))
        first = deal.first_seat(self.layout.mainline[-1], rng)
        self._deal = msgspec.structs.replace(deal, first=first)
        self._begin_turn(first, log)
        self._told, self._fresh = (), log
        return self

    def record(self) -> Record:
        """Return the log from which this round can be replayed.

        Raises:
            ValueError: if the deck is not known, as that of a round that was imagined.
        """
        if self._deal is None:
            raise ValueError("a round whose deck is not known has no record; one that was dealt has")
        return Record.of(self._deal, self.moves, self.scores() if self.over else None)

    @classmethod
    def imagine(cls, view: View, rule: Rule | None, rng: Random) -> Round:
        """Make a round that agrees with ``view``, with ``rule`` as its secret and hidden cards drawn by lot.

        Cards that everybody saw go under the stock are where they must be, or in the hand that drew them. It
        plays on like any round, and has no record.

        Raises:
            Unimaginable: if the round of ``view`` was not played with whole packs of 52, or if the dealer
                must pick a legal card and ``rule`` allows none of them.
        """
        public = view.public
        hands, stock, reserve, aside = imagined_cards(view, rng)
        self = cls.__new__(cls)
        self.profile, self.rule, self.seats, self.dealer = public.profile, rule, public.seats, public.dealer
        self.hint, self.layout = public.hint, public.layout
        self.prophet, self.marker = public.prophet, public.marker
        self.former_prophets, self.expelled, self.turn = public.former_prophets, public.expelled, public.turn
        self.played, self.danger, self.decision = public.played, public.danger, public.decision
        self.end_reason, self.emptied = public.end_reason, public.emptied
        self.ending, self.stated, self.stage, self.mistakes = (
            public.ending,
            public.stated,
            public.stage,
            public.mistakes,
        )
        self.dealer_points, self.idle, self.turns_left = public.dealer_points, public.idle, public.turns_left
        self._passed = 0
        for event in public.events:
            if isinstance(event, SeatPassed | TurnBegan):
                self._passed = self._passed + 1 if isinstance(event, SeatPassed) else 0
        self._accepted_since, self._rejected_since = public.accepted_since, public.rejected_since
        self._played_at_declaration = public.played_at_declaration
        self.attempt, self.shown, self.call = public.attempt, public.shown, public.call
        self._told, self._fresh, self._public, self._legal = public.events, [], None, None
        judged = [event for event in public.events if isinstance(event, AttemptJudged | NoPlayJudged)]
        self._hung = bool(judged) and isinstance(judged[-1], AttemptJudged) and not judged[-1].right
        self._hands, self._stock, self._aside = hands, Stock(stock, reserve), aside
        self._deal, self._moves = None, []
        if self.decision is not None and self.decision.kind is DecisionKind.PICK and not self.legal_moves().hand:
            raise Unimaginable(f"a legal card must be picked, and {rule} allows none of {cards_text(self.shown)}")
        return self

    def copy(self) -> Round:
        """Return an independent copy, for search."""
        other = Round.__new__(Round)
        # Written out, since a search copies at every step, and a loop takes three times as long.
        other.profile, other.rule, other.seats, other.dealer = self.profile, self.rule, self.seats, self.dealer
        other.hint, other.layout, other.prophet = self.hint, self.layout, self.prophet
        other.former_prophets, other.marker, other.expelled = self.former_prophets, self.marker, self.expelled
        other.played, other.danger, other.turn, other.decision = self.played, self.danger, self.turn, self.decision
        other.end_reason, other.ending, other.emptied = self.end_reason, self.ending, self.emptied
        other.stated, other.stage, other.mistakes = self.stated, self.stage, self.mistakes
        other.dealer_points, other.idle, other.turns_left = self.dealer_points, self.idle, self.turns_left
        other.attempt, other.shown, other.call, other._deal = self.attempt, self.shown, self.call, self._deal
        other._aside, other._told, other._legal, other._public = self._aside, self._told, self._legal, self._public
        other._hung, other._passed, other._accepted_since = self._hung, self._passed, self._accepted_since
        other._rejected_since, other._played_at_declaration = self._rejected_since, self._played_at_declaration
        other._hands, other._stock = self._hands.copy(), self._stock.copy()
        other._moves, other._fresh = self._moves.copy(), self._fresh.copy()
        return other

    # What may be done.

    def legal_moves(self) -> LegalMoves:
        """Return the legal moves of the pending decision.

        Raises:
            IllegalMove: if the round is over.
        """
        if self.decision is None:
            raise IllegalMove("the round is over: no move is legal; look at `scores()`")
        if self._legal is None:
            self._legal = legal_moves(self, self._hands[self.decision.seat])
            if self.decision.kind is DecisionKind.PICK and self.rule is not None:
                mask = self._mask(self.layout.mainline)
                legal = tuple(card for card in self._legal.hand if mask >> card & 1)
                self._legal = LegalMoves(DecisionKind.PICK, legal)
        return self._legal

    def check(self, move: Move) -> None:
        """Raise if ``move`` may not be made now.

        Raises:
            IllegalMove: with the reason in a sentence.
        """
        problem = (self._legal or self.legal_moves()).problem(move)
        if problem is not None:
            raise IllegalMove(f"{self.decision}: {problem}")

    def apply(self, move: Move) -> tuple[Event, ...]:
        """Make ``move`` and return what happened, hidden cards included: pass on ``event.seen_by(seat)``.

        Raises:
            IllegalMove: as `check`; nothing has changed then.
        """
        self.check(move)
        assert self.decision is not None, "a checked move answers a decision"
        kind, seat = self.decision.kind, self.decision.seat
        self._moves.append(move)
        self._public = self._legal = None
        log: list[Event] = []
        match move:
            case Attempt():
                if self.stage == 1:  # a mistake card lies open already, and stays where it is unless it is right
                    for card in move.cards:
                        self._discard(seat, card)
                log.append(Attempted(seat, move.cards))
                self._propose(move, log)
            case Pass():
                if kind is DecisionKind.STATE_RULE:
                    self._close(log)
                else:
                    self._next_turn(log)
            case NoPlay():
                self.shown = self._hands[seat]
                log.append(NoPlayDeclared(seat, self.shown))
                self._propose(move, log)
            case Call():
                if seat == self.prophet:
                    self.call = move
                    log.append(ProphetCalled(seat, move))
                    if self.rule is None:
                        self.decision = Decision(DecisionKind.CALL, self.dealer)
                    else:
                        self._judge(log)
                else:
                    self._judge_by_hand(move, log)
            case Pick():
                self._wrong_no_play(move.card, log)
            case BecomeProphet():
                self._declare(seat, log)
                self._next_turn(log)
            case StateRule():
                self._state(move, log)
            case _:
                assert_never(move)
        self._fresh += log
        return tuple(log)
