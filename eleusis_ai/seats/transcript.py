"""A view written as messages, and read back from them: they hold what the view holds, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from eleusis_ai.cards import cards_text, parse_cards
from eleusis_ai.events import EndReason, Event, RuleShown, parse_event
from eleusis_ai.layout import Layout, Marker
from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import Attempt, Call, Decision, DecisionKind, Move, NoPlay, StateRule, parse_move
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint
from eleusis_ai.scoring import round_points
from eleusis_ai.seats.faults import BadMessage, OutOfTurn
from eleusis_ai.seats.protocol import (
    DecisionMessage,
    EventsMessage,
    FromTable,
    ProfileMessage,
    ResultMessage,
    SeatMessage,
    Statements,
    Strings,
    ViewMessage,
)
from eleusis_ai.view import Public, View


class Telling:
    """Tells one seat of a round, message by message, what its views hold."""

    def __init__(self, *, seed: int, time_limit: float) -> None:
        self._seed, self._time_limit = seed, time_limit
        self._told: int | None = None
        """Events that were told; None: nothing was."""

    def introduction(self, view: View) -> Iterator[FromTable]:
        """Yield what stays as it is for the whole round; it is said once."""
        public = view.public
        yield ProfileMessage(public.profile)
        yield SeatMessage(
            seat=view.seat,
            seats=public.seats,
            dealer=public.dealer,
            hint=_text(public.hint),
            by_hand=public.by_hand,
            seed=self._seed,
            time_limit=self._time_limit,
        )

    def situation(self, view: View) -> Iterator[FromTable]:
        """Yield what has happened since this was last asked, and the table as it is now."""
        if self._told is None:
            yield from self.introduction(view)
        yield EventsMessage(tuple(map(str, view.events[self._told or 0 :])))
        self._told = len(view.events)
        yield sight(view)


def sight(view: View) -> ViewMessage:
    """Return the table as the seat sees it."""
    public = view.public
    return ViewMessage(
        hand=cards_text(view.hand),
        layout=str(public.layout),
        hand_sizes=public.hand_sizes,
        stock_size=public.stock_size,
        turn=public.turn,
        danger=public.danger,
        attempt=_text(public.attempt),
        shown=cards_text(public.shown),
        call=_text(public.call),
        prophet=public.prophet,
        former_prophets=public.former_prophets,
        marker=_text(public.marker),
        expelled=public.expelled,
        played=public.played,
        accepted_since=public.accepted_since,
        rejected_since=public.rejected_since,
        played_at_declaration=public.played_at_declaration,
        stage=public.stage,
        mistakes=tuple(map(cards_text, public.mistakes)),
        dealer_points=public.dealer_points,
        idle=public.idle,
        turns_left=public.turns_left,
        ending=_text(public.ending),
        end_reason=_text(public.end_reason),
        emptied=public.emptied,
        stated=public.stated,
    )


def question(moves: LegalMoves, number: int) -> DecisionMessage:
    """Return what the seat is asked, with what it may answer."""
    play = moves.kind is DecisionKind.PLAY
    listed = [str(card) for card in dict.fromkeys(moves.hand)] if play else [str(move) for move in moves]
    return DecisionMessage(
        number=number,
        kind=moves.kind.value,
        legal=(*listed, *([str(NoPlay())] if play and moves.no_play else [])),
        strings=Strings(cards_text(moves.hand), moves.longest) if moves.longest > 1 else None,
        statements=Statements(moves.rejected) if moves.kind is DecisionKind.STATE_RULE else None,
    )


def result(view: View) -> ResultMessage:
    """Return how the round has ended."""
    rule = next((event.rule for event in reversed(view.events) if isinstance(event, RuleShown)), None)
    return ResultMessage(points=round_points(view.public), rule=rule)


class Reading:
    """Puts a seat's views together again from what a table says."""

    def __init__(self) -> None:
        self._profile: Profile | None = None
        self._seat: SeatMessage | None = None
        self._sight: ViewMessage | None = None
        self._events: tuple[Event, ...] = ()

    @property
    def seat(self) -> SeatMessage:
        """Where the agent sits.

        Raises:
            OutOfTurn: if that was not said.
        """
        if self._seat is None:
            raise OutOfTurn("a table says profile, seat, events and view before it asks for a decision")
        return self._seat

    def take(self, message: ProfileMessage | SeatMessage | EventsMessage | ViewMessage) -> None:
        """Take in what is said of the table.

        Raises:
            BadMessage: if an event is none.
        """
        match message:
            case ProfileMessage(profile):
                self._profile = profile
            case SeatMessage():
                self._seat = message
            case EventsMessage(events):
                try:
                    self._events += tuple(map(parse_event, events))
                except ValueError as error:
                    raise BadMessage(str(error)) from None
            case ViewMessage():
                self._sight = message

    def view(self, kind: str | None) -> View:
        """Return what the seat sees where a decision of ``kind`` is pending for it; None: the round is over.

        Raises:
            OutOfTurn: if something was not said yet.
            BadMessage: if something is not what it should be.
        """
        if self._profile is None or self._sight is None:
            raise OutOfTurn("a table says profile, seat, events and view before it asks for a decision")
        try:
            return _seen(self._profile, self.seat, self._sight, kind, self._events)
        except (ValueError, LookupError) as error:
            raise BadMessage(f"the view cannot be read: {error}") from None


def _seen(
    profile: Profile, seat: SeatMessage, sight: ViewMessage, kind: str | None, events: tuple[Event, ...]
) -> View:
    attempt, call = _move(sight.attempt), _move(sight.call)
    if not isinstance(attempt, Attempt | NoPlay | StateRule | None) or not isinstance(call, Call | None):
        raise BadMessage(f"{sight.attempt!r:.80} is no action, or {sight.call!r:.80} no call")
    public = Public(
        profile=profile,
        seats=seat.seats,
        dealer=seat.dealer,
        hint=None if seat.hint is None else Hint.parse(seat.hint),
        by_hand=seat.by_hand,
        layout=Layout.parse(sight.layout),
        hand_sizes=sight.hand_sizes,
        stock_size=sight.stock_size,
        expelled=sight.expelled,
        prophet=sight.prophet,
        former_prophets=sight.former_prophets,
        marker=None if sight.marker is None else Marker.parse(sight.marker),
        played=sight.played,
        accepted_since=sight.accepted_since,
        rejected_since=sight.rejected_since,
        played_at_declaration=sight.played_at_declaration,
        danger=sight.danger,
        decision=None if kind is None else Decision(DecisionKind(kind), seat.seat),
        turn=sight.turn,
        attempt=attempt,
        shown=parse_cards(sight.shown),
        call=call,
        end_reason=_reason(sight.end_reason),
        emptied=sight.emptied,
        events=events,
        ending=_reason(sight.ending),
        stated=sight.stated,
        stage=sight.stage,
        mistakes=tuple(map(parse_cards, sight.mistakes)),
        dealer_points=sight.dealer_points,
        idle=sight.idle,
        turns_left=sight.turns_left,
    )
    return View(seat.seat, parse_cards(sight.hand), public)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _move(text: str | None) -> Move | None:
    return None if text is None else parse_move(text)


def _reason(text: str | None) -> EndReason | None:
    return None if text is None else EndReason(text)
