"""One round of Eleusis: an object that accepts moves and returns events."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import assert_never

import msgspec

from eleusis_ai.cards import Card, cards_text, mask_of
from eleusis_ai.dealing import Deal, deal_of
from eleusis_ai.events import (
    Attempted,
    AttemptJudged,
    Dealt,
    Drew,
    EndReason,
    Event,
    Hinted,
    NoPlayDeclared,
    NoPlayJudged,
    Picked,
    ProphetCalled,
    ProphetDeclared,
    ProphetOverthrown,
    Refused,
    ReserveOpened,
    RoundEnded,
    RuleShown,
    Scored,
    SeatExpelled,
    StarterLaid,
    TurnBegan,
)
from eleusis_ai.imagination import Unimaginable, imagined_cards
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.legal import IllegalMove, LegalMoves, legal_moves
from eleusis_ai.moves import Attempt, BecomeProphet, Call, Decision, DecisionKind, Move, NoPlay, Pass, Pick
from eleusis_ai.profiles import Judging, LegalCard, MarkerPlace, Profile, ShownHand
from eleusis_ai.record import Record
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.scoring import round_points
from eleusis_ai.stock import Stock
from eleusis_ai.view import Public, View, scientists_of


class Round:
    """A round in play. Ask ``decision`` and ``legal_moves``, then ``apply`` a move; the rest is to look at.

    Mutable and quick; every value it hands out is frozen.
    """

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
    emptied: int | None
    """The seat whose hand was legally emptied."""
    attempt: Attempt | NoPlay | None
    """The action under judgement."""
    shown: Cards
    """The hand shown for a no play under judgement."""
    call: Call | None
    """The prophet's answer to the action under judgement, once given."""

    _deal: Deal | None
    _hands: list[Cards]
    _stock: Stock
    _moves: list[Move]
    _told: tuple[Event, ...]
    """What has happened, as everyone may know it, but for what is in ``_fresh``."""
    _fresh: list[Event]
    """What has happened since somebody last looked."""
    _legal: LegalMoves | None
    _public: Public | None
    _hung: bool
    """Whether the last action ended in a branch of the sideline."""
    _accepted_since: int
    _rejected_since: int
    _played_at_declaration: int

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
    ) -> Round:
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
        self.prophet = self.marker = self.end_reason = self.emptied = self.decision = None
        self.former_prophets = self.expelled = ()
        self.played = self._accepted_since = self._rejected_since = self._played_at_declaration = 0
        self.danger = self._hung = False
        self.attempt = self.call = self._public = self._legal = None
        self.shown, self._moves = (), []
        self._hands, self._stock = list(deal.hands), deal.stock()
        log: list[Event] = [Dealt(seat, profile.hand_size, self._hands[seat]) for seat in deal.scientists]
        if hint is not None:
            log.append(Hinted(str(hint)))
        for card, legal in deal.lay_starters(self._stock):
            self.layout = self.layout.extended((card,))
            self.played += profile.starters_count
            log.append(StarterLaid(card, legal))
        if opened := self._stock.open_reserve():
            log.append(ReserveOpened(opened))
        first = deal.first_seat(self.layout.mainline[-1], rng)
        self._deal = msgspec.structs.replace(deal, first=first)
        self._begin_turn(first, log)
        self._told, self._fresh = (), log
        return self

    # What may be looked at.

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

    def record(self) -> Record:
        """Return the log from which this round can be replayed.

        Raises:
            ValueError: if the round was imagined: nobody dealt it.
        """
        if self._deal is None:
            raise ValueError("an imagined round has no record; one that was dealt has")
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
        hands, stock, reserve = imagined_cards(view, rng)
        self = cls.__new__(cls)
        self.profile, self.rule, self.seats, self.dealer = public.profile, rule, public.seats, public.dealer
        self.hint, self.layout = public.hint, public.layout
        self.prophet, self.marker = public.prophet, public.marker
        self.former_prophets, self.expelled, self.turn = public.former_prophets, public.expelled, public.turn
        self.played, self.danger, self.decision = public.played, public.danger, public.decision
        self.end_reason, self.emptied = public.end_reason, public.emptied
        self._accepted_since, self._rejected_since = public.accepted_since, public.rejected_since
        self._played_at_declaration = public.played_at_declaration
        self.attempt, self.shown, self.call = public.attempt, public.shown, public.call
        self._told, self._fresh, self._public, self._legal = public.events, [], None, None
        judged = [event for event in public.events if isinstance(event, AttemptJudged | NoPlayJudged)]
        self._hung = bool(judged) and isinstance(judged[-1], AttemptJudged) and not judged[-1].right
        self._hands, self._stock = hands, Stock(stock, reserve)
        self._deal, self._moves = None, []
        if self.decision is not None and self.decision.kind is DecisionKind.PICK and not self.legal_moves().hand:
            raise Unimaginable(f"a legal card must be picked, and {rule} allows none of {cards_text(self.shown)}")
        return self

    def copy(self) -> Round:
        """Return an independent copy, for search."""
        other = Round.__new__(Round)
        other.__dict__.update(self.__dict__)
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
        seat = self.decision.seat
        self._moves.append(move)
        self._public = self._legal = None
        log: list[Event] = []
        match move:
            case Attempt():
                for card in move.cards:
                    self._discard(seat, card)
                log.append(Attempted(seat, move.cards))
                self._propose(move, log)
            case Pass():
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
            case _:
                assert_never(move)
        self._fresh += log
        return tuple(log)

    # Judgement.

    def _mask(self, line: Cards) -> int:
        """Return the mask of the cards that are legal after ``line``."""
        assert self.rule is not None, "without a rule the dealer judges by hand"
        return self.rule.mask(line, self.layout.rejected if self.rule.reads_rejected else ())

    def _propose(self, action: Attempt | NoPlay, log: list[Event]) -> None:
        """Put ``action`` before the prophet, or a dealer who judges by hand, or the rule."""
        self.attempt = action
        if self.prophet is not None:
            self.decision = Decision(DecisionKind.CALL, self.prophet)
        elif self.rule is None:
            self.decision = Decision(DecisionKind.CALL, self.dealer)
        else:
            self._judge(log)

    def _judge(self, log: list[Event]) -> None:
        """Judge the pending action by the rule."""
        line = self.layout.mainline
        if not isinstance(self.attempt, Attempt):
            self._no_play(right=not mask_of(self.shown) & self._mask(line), log=log)
            return
        cards = self.attempt.cards
        good = 0
        while good < len(cards) and self._mask(line + cards[:good]) >> cards[good] & 1:
            good += 1
        self._attempt(cards, good, log)

    def _judge_by_hand(self, call: Call, log: list[Event]) -> None:
        """Judge the pending action as the dealer says."""
        if isinstance(self.attempt, Attempt):
            cards = self.attempt.cards
            self._attempt(cards, len(cards) if call.right else call.prefix or 0, log)
        elif call.right or call.card is None:
            self._no_play(right=call.right, log=log)
        else:
            self._upheld_no_play(call.card, log)

    def _attempt(self, cards: Cards, good: int, log: list[Event]) -> None:
        """Carry out an attempt whose first ``good`` cards are right and whose next one is wrong."""
        right = good == len(cards)
        by_card = self.profile.judging is Judging.CARD_BY_CARD and len(cards) > 1
        prefix = good if by_card and not right else None
        waived = self.call is not None and self.call != Call(right=right, prefix=prefix)
        log.append(AttemptJudged(self.turn, cards, right, prefix))
        joined = cards if right else cards[: prefix or 0]
        hung = cards[len(joined) :]
        if joined:
            self.layout = self.layout.extended(joined)
        if hung:
            self.layout = self.layout.with_rejected(hung)
        self._hung = bool(hung)
        self._count(len(joined), len(hung))
        covered = True
        if not right and not waived:
            covered = self._draw(self.turn, self.profile.penalty_per_card * len(cards), log)
            self._expel(log)
        self._finish(log, waived=waived, covered=covered)

    def _no_play(self, *, right: bool, log: list[Event]) -> None:
        """Carry out a declaration of no play, as far as it goes before the dealer picks a card."""
        seat, hand, call = self.turn, self.shown, self.call
        self._hung = False
        if not right:
            named = None if call is None else call.card
            if named is not None and self.rule is not None and self._mask(self.layout.mainline) >> named & 1:
                self._upheld_no_play(named, log)
                return
            log.append(NoPlayJudged(seat, hand, right=False))
            if named is not None:
                log.append(Refused(named))
            self.decision = Decision(DecisionKind.PICK, self.dealer)
            return
        log.append(NoPlayJudged(seat, hand, right=True))
        self._hands[seat] = ()
        match self.profile.shown_hand:
            case ShownHand.UNDER_STOCK:
                self._stock.put_under(hand)
            case ShownHand.ABOVE:
                self.layout = self.layout.with_shown(hand)
            case ShownHand.OUT:
                pass
        covered = self._draw(seat, max(0, len(hand) - self.profile.no_play_reduction), log)
        self._finish(log, waived=call is not None and not call.right, covered=covered)

    def _upheld_no_play(self, card: Card, log: list[Event]) -> None:
        """Carry out a wrong no play in which the prophet named a legal card."""
        log.append(NoPlayJudged(self.turn, self.shown, right=False))
        self._wrong_no_play(card, log, upheld=True)

    def _wrong_no_play(self, card: Card, log: list[Event], *, upheld: bool = False) -> None:
        """Carry out a wrong no play once the judge's legal card is known."""
        waived = self.call is not None and not upheld
        self._hung = False
        played = self.profile.legal_card is LegalCard.PLAYED
        log.append(Picked(card, played))
        if played:
            self._discard(self.turn, card)
            self.layout = self.layout.extended((card,))
            self._count(1, 0)
        covered = True
        if not waived:
            covered = self._draw(self.turn, self.profile.no_play_penalty, log)
            if self.profile.no_play_expels:
                self._expel(log)
        self._finish(log, waived=waived, covered=covered)

    def _count(self, accepted: int, rejected: int) -> None:
        self.played += accepted + rejected
        if self.prophet is not None:
            self._accepted_since += accepted
            self._rejected_since += rejected

    def _expel(self, log: list[Event]) -> None:
        if self.danger:
            self.expelled = (*self.expelled, self.turn)
            log.append(SeatExpelled(self.turn))

    # The prophet.

    def _may_declare(self, seat: int) -> bool:
        terms = self.profile.prophet
        if terms is None or self.prophet is not None:
            return False
        if seat in self.former_prophets or seat in self.expelled:
            return False
        others = self.seats - 2 - len(self.expelled)
        return others >= terms.others_left and len(self.layout.mainline) >= terms.mainline_from

    def _declare(self, seat: int, log: list[Event]) -> None:
        terms = self.profile.prophet
        assert terms is not None, "only a profile with a prophet asks for one"
        end = len(self.layout.mainline) - 1
        on_branch = terms.marker is MarkerPlace.OWN_LAST and self._hung
        self.prophet = seat
        self.marker = Marker(end, len(self.layout.sidelines[end]) - 1 if on_branch else None)
        self._played_at_declaration = self.played
        log.append(ProphetDeclared(seat, self.marker))

    def _overthrow(self, log: list[Event]) -> None:
        assert self.prophet is not None, "only a prophet in office errs"
        assert self.profile.prophet is not None, "only a profile with a prophet has one in office"
        seat = self.prophet
        log.append(ProphetOverthrown(seat))
        self.prophet = self.marker = None
        self.former_prophets = (*self.former_prophets, seat)
        self._accepted_since = self._rejected_since = self._played_at_declaration = 0
        self._draw(seat, self.profile.prophet.error_penalty, log)

    # Turns and the end.

    def _finish(self, log: list[Event], *, waived: bool, covered: bool) -> None:
        """End the action of the seat whose turn it is.

        Args:
            log: What has happened.
            waived: The prophet erred about it, and is overthrown.
            covered: The stock gave all the cards that the seat owed, so that an empty hand is legally empty.
        """
        if waived:
            self._overthrow(log)
        self.attempt = self.call = None
        self.shown = ()
        self.decision = None
        if covered and not self._hands[self.turn]:
            self.emptied = self.turn
            self._end(EndReason.EMPTIED, log)
        elif self._stock.exhausted or (self.profile.ends_on_last_card and not self._stock.size):
            self._end(EndReason.STOCK, log)
        elif len(self.expelled) == self.seats - 1 - (self.prophet is not None):
            self._end(EndReason.EXPELLED, log)
        elif self._may_declare(self.turn):
            self.decision = Decision(DecisionKind.AFTER_TURN, self.turn)
        else:
            self._next_turn(log)

    def _end(self, reason: EndReason, log: list[Event]) -> None:
        self.end_reason = reason
        log.append(RoundEnded(reason))
        log.append(Scored(round_points(self.public())))
        self._public = None
        if self.rule is not None:
            starter = "" if self.rule.starter is None else f"; first card: {self.rule.starter}"
            log.append(RuleShown(f"{self.rule}{starter}"))

    def _next_turn(self, log: list[Event]) -> None:
        seat = self.turn
        while True:
            seat = (seat + 1) % self.seats
            if seat not in (self.dealer, self.prophet) and seat not in self.expelled:
                self._begin_turn(seat, log)
                return

    def _begin_turn(self, seat: int, log: list[Event]) -> None:
        """Give the turn to ``seat`` and fix whether expulsion is in force for it."""
        self.turn = seat
        if self.prophet is None:
            start, laid = self.profile.expulsion_from, self.played
        else:
            assert self.profile.prophet is not None, "only a profile with a prophet has one in office"
            start, laid = self.profile.prophet.expulsion_from, self._accepted_since + self._rejected_since
        self.danger = start is not None and laid >= start
        self.decision = Decision(DecisionKind.PLAY, seat)
        log.append(TurnBegan(seat, self.danger))

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
