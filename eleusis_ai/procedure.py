"""The procedure of a round: how an action is judged, what follows from it, and who is next."""

from __future__ import annotations

from eleusis_ai.cards import Card, mask_of
from eleusis_ai.events import (
    AttemptJudged,
    EndReason,
    Event,
    NoPlayJudged,
    Picked,
    ProphetDeclared,
    ProphetOverthrown,
    Refused,
    RoundEnded,
    RuleShown,
    RuleStated,
    Scored,
    SeatExpelled,
    SeatPassed,
    StageTwoBegan,
    StatementJudged,
    TurnBegan,
)
from eleusis_ai.layout import Cards, Marker
from eleusis_ai.moves import Attempt, Call, Decision, DecisionKind, NoPlay, StateRule, rule_text
from eleusis_ai.profiles import Judging, LegalCard, MarkerPlace, ShownHand, Stating
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.scoring import leader_points, round_points
from eleusis_ai.standing import Standing


class Procedure(Standing):
    """What is done to a round; every step adds what happens to a log."""

    __slots__ = ()

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
        elif isinstance(self.attempt, StateRule):
            self._statement(log, right=call.right, proved=False)
        elif self.stage == 2:
            self._try_mistakes(log, legal=not call.right)
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
        if self.profile.mistake_cards:
            self._keep_mistakes(joined, hung)
        elif hung:
            self.layout = self.layout.with_rejected(hung)
        self._hung = bool(hung)
        self._count(len(joined), len(hung))
        covered = True
        if not right and not waived:
            covered = self._draw(self.turn, self.profile.penalty_per_card * len(cards), log)
            self._expel(log)
        self._finish(log, right=right, waived=waived, covered=covered)

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
        self._finish(log, right=True, waived=call is not None and not call.right, covered=covered)

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
        self._finish(log, right=False, waived=waived, covered=covered)

    def _count(self, accepted: int, rejected: int) -> None:
        self.played += accepted + rejected
        if accepted:
            self.idle = -1  # this turn, which `_finish` counts, was not idle
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

    # Statements.

    def _state(self, statement: StateRule, log: list[Event]) -> None:
        """Hear what the secret rule is said to be; a dealer who judges by hand is asked."""
        log.append(RuleStated(self.turn, rule_text(statement.rule)))
        if self.rule is None:
            self.attempt = statement
            self.decision = Decision(DecisionKind.CALL, self.dealer)
            return
        found = equivalent(self.rule, statement.rule, self.layout.mainline, self.layout.rejected)
        self._statement(log, right=found.same, proved=found.exact)

    def _statement(self, log: list[Event], *, right: bool, proved: bool) -> None:
        log.append(StatementJudged(self.turn, right, proved))
        self.attempt = None
        if right:
            self.stated = self.turn
            self.ending = EndReason.STATED
        elif self.turns_left is not None:
            self.turns_left = max(0, self.turns_left - self.profile.wrong_statement_turns)
            self.ending = self._ending()
        self._close(log)

    # Mistake cards.

    def _keep_mistakes(self, joined: Cards, hung: Cards) -> None:
        """Lay a wrong card before its player in stage one; take a right one away in stage two."""
        held = self.mistakes[self.turn]
        if self.stage == 1:
            held += hung
        for card in joined if self.stage == 2 else ():
            at = held.index(card)
            held = held[:at] + held[at + 1 :]
        self.mistakes = (*self.mistakes[: self.turn], held, *self.mistakes[self.turn + 1 :])

    def _try_mistakes(self, log: list[Event], *, legal: bool | None = None) -> None:
        """Give the turn to the next scientist with a legal mistake card, and pass the others.

        Args:
            log: What has happened.
            legal: What the dealer said of the seat whose turn it is; None: he has not been asked.
        """
        while True:
            if legal:
                self._passed = 0
                self.attempt, self.shown = None, ()
                self._begin_turn(self.turn, log)
                return
            if legal is not None:
                self._passed += 1
                self.idle += 1
                log.append(SeatPassed(self.turn, self.mistakes[self.turn]))
                if self._passed == self.seats - 1 or self._stalled:
                    self.attempt, self.shown, self.decision = None, (), None
                    self._end(EndReason.STALLED, log)
                    return
            self.turn = self._seat_after(self.turn)
            if self.rule is None:
                self.attempt, self.shown = NoPlay(), self.mistakes[self.turn]
                self.decision = Decision(DecisionKind.CALL, self.dealer)
                return
            legal = bool(mask_of(self.mistakes[self.turn]) & self._mask(self.layout.mainline))

    # Turns and the end.

    def _finish(self, log: list[Event], *, right: bool, waived: bool, covered: bool) -> None:
        """End the action of the seat whose turn it is.

        Args:
            log: What has happened.
            right: The attempt, or the no play, was right.
            waived: The prophet erred about it, and is overthrown.
            covered: The stock gave all the cards that the seat owed, so that an empty hand is legally empty.
        """
        if waived:
            self._overthrow(log)
        self.attempt = self.call = None
        self.shown = ()
        self.decision = None
        self.idle += 1
        if self.turns_left is not None:
            self.turns_left -= 1
        if self.profile.mistake_cards:
            self.emptied = self._without_cards()
        elif covered and not self._hands[self.turn]:
            self.emptied = self.turn
        self.ending = self._ending()
        stating = self.profile.stating
        if stating is Stating.NEVER or self.turn in self.expelled or not (right or stating is Stating.AFTER_ANY):
            self._close(log)
        else:
            self.decision = Decision(DecisionKind.STATE_RULE, self.turn)

    def _close(self, log: list[Event]) -> None:
        """Go on once the action is done, and any statement heard: with the end, a declaration, or the next turn."""
        self.decision = None
        if self.ending is not None:
            self._end(self.ending, log)
        elif self._may_declare(self.turn):
            self.decision = Decision(DecisionKind.AFTER_TURN, self.turn)
        else:
            self._next_turn(log)

    def _ending(self) -> EndReason | None:
        """Return why the round ends after this action; None: it does not."""
        if self.emptied is not None:
            return EndReason.EMPTIED
        if self._stock.exhausted or (self.profile.ends_on_last_card and not self._stock.size):
            return EndReason.STOCK
        if len(self.expelled) == self.seats - 1 - (self.prophet is not None):
            return EndReason.EXPELLED
        if self.turns_left == 0:
            return EndReason.TURNS
        return EndReason.STALLED if self.profile.idle_laps is not None and self._stalled else None

    @property
    def _stalled(self) -> bool:
        laps = self.profile.idle_laps
        if laps is None:
            return False
        return self.idle >= laps * (self.seats - 1 - (self.prophet is not None) - len(self.expelled))

    def _without_cards(self) -> int | None:
        """Return a scientist without hand and mistake cards; in stage one not before all have played their hands."""
        if any(self._hands):
            return None
        return next((seat for seat in self.scientists if not self.mistakes[seat]), None)

    def _end(self, reason: EndReason, log: list[Event]) -> None:
        self.end_reason = reason
        log.append(RoundEnded(reason))
        log.append(Scored(round_points(self.public())))
        self._public = None
        if self.rule is not None:
            log.append(RuleShown(rule_text(self.rule)))

    def _next_turn(self, log: list[Event]) -> None:
        if self.profile.mistake_cards and not any(self._hands):
            if self.stage == 1:
                self.stage = 2
                self.dealer_points = leader_points(self.mistakes[seat] for seat in self.scientists)
                log.append(StageTwoBegan())
            self._try_mistakes(log)
        else:
            self._begin_turn(self._seat_after(self.turn), log)

    def _seat_after(self, seat: int) -> int:
        """Return the next seat to the left that plays."""
        while True:
            seat = (seat + 1) % self.seats
            if seat not in (self.dealer, self.prophet) and seat not in self.expelled:
                return seat

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
