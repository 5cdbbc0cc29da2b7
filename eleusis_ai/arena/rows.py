"""A round as rows of three tables: one for the round, one for each seat, one for each move."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from eleusis_ai.arena.families import family_of
from eleusis_ai.arena.outcomes import Outcome, SeatOutcome, Timing
from eleusis_ai.arena.schedule import Key
from eleusis_ai.cards import Card
from eleusis_ai.events import (
    AttemptJudged,
    Event,
    NoPlayJudged,
    Picked,
    ProphetCalled,
    ProphetOverthrown,
    StarterLaid,
    StatementJudged,
)
from eleusis_ai.moves import Attempt, BecomeProphet, Call, Move, NoPlay, Pass, Pick, StateRule, parse_move
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.round import Round

KINDS: dict[type[Move], str] = {
    Attempt: "attempt",
    NoPlay: "no play",
    BecomeProphet: "prophet",
    Pass: "pass",
    Call: "call",
    Pick: "pick",
    StateRule: "statement",
}
"""What the table of moves calls each kind of move."""


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """One round."""

    key: str
    """The round, as in all three tables."""
    place: int
    """Which line of the log it is, from 1, as in ``eleusis replay DIR#17``."""
    deal: int
    seating: int
    round: int | None
    """Which round of a match; null: no match is played."""
    hero: str | None
    """The agent whose seat alone is rated; null: all are."""
    profile: str
    """A published name, or JSON of a base and what differs from it."""
    rule: str | None
    """The secret rule; null: the dealer judged by hand."""
    starter: str | None
    """The rule's condition on the first card."""
    family: str
    """What kind of rule it is."""
    published: bool
    """Whether the catalogue has the rule, and ``family`` is one of its families."""
    hint: str | None
    seats: int
    dealer: int
    """The dealer's seat, from 0."""
    first: int
    """The seat that began."""
    end_reason: str
    """``emptied``, ``stock``, ``expelled``, ...: why the round ended."""
    moves: int
    """Moves of any kind."""
    starters: int
    """Cards that were laid before the first turn."""
    played: int
    """Cards that were played, starters not counted."""
    accepted: int
    """Cards on the mainline in the end, starters counted."""
    rejected: int
    """Cards on sidelines in the end, or lying as mistake cards."""
    substitutes: int
    """Moves that were made for seats which gave no legal answer."""


class SeatRow(msgspec.Struct, frozen=True, kw_only=True):
    """One seat in one round."""

    key: str
    seat: int
    """From 0."""
    agent: str
    """Who sat there; the dealer's name at his seat."""
    dealer: bool
    """Whether it is the dealer's seat."""
    points: int
    rated: bool
    """Whether the seat counts in the ratings."""
    won: bool
    """Whether no scientist has more points; never true of a dealer."""
    cards: int
    """Cards in the hand in the end; a prophet's is laid aside."""
    expelled: bool
    prophet_at: int | None
    """Cards on the mainline when it became prophet; null: it never did."""
    prophet_right: int | None
    """Plays and no plays that it judged right as prophet; null: it never was."""
    overthrown: bool | None
    """Whether it erred as prophet; null: it never was."""
    substitutes: int
    """Moves that were made for it."""
    seconds: float | None
    """How long its agent thought in this round, over all of its chairs; null: not known, or a dealer."""
    decisions: int | None
    """What ``seconds`` are divided by for the mean time of a decision."""


class MoveRow(msgspec.Struct, frozen=True, kw_only=True):
    """One move."""

    key: str
    move: int
    """From 1, as in a record's moves."""
    seat: int
    """Who was asked: a scientist, the prophet, or the dealer for a pick."""
    agent: str
    kind: str
    """``attempt``, ``no play``, ``prophet``, ``pass``, ``call``, ``pick`` or ``statement``."""
    text: str
    """The move as it stands in the record."""
    cards: tuple[str, ...]
    """The cards of an attempt, in order; the hand shown with a no play; a card that is picked or named."""
    mainline: int
    """Cards on the mainline before the move."""
    hand: int
    """Cards in the seat's hand before the move."""
    danger: bool
    """Whether expulsion was in force."""
    was_right: bool | None
    """The dealer's verdict on an attempt, a no play or a statement, and on a prophet's call; null for other moves."""
    accepted: int
    """Cards that joined the mainline by it."""
    rejected: int
    """Cards that went to a sideline by it."""
    substitute: str | None
    """What the seat did instead of answering; null: the move is its own."""


class Rows(NamedTuple):
    """One round in all three tables."""

    rounds: tuple[RoundRow, ...]
    seats: tuple[SeatRow, ...]
    moves: tuple[MoveRow, ...]


def rows(record: Record, timing: Timing | None, *, place: int) -> Rows:
    """Play a record again, and return its rows.

    Args:
        record: The record of a round that is over.
        timing: How long its agents thought; None: not known.
        place: Which line of the log it is, from 1.

    Raises:
        InvalidRecord: if it does not replay, or the round is not over.
    """
    round_ = record.deal()
    moves = _Moves(record, round_)
    for number, text in enumerate(record.moves, start=1):
        try:
            moves.add(number, parse_move(text))
        except ValueError as error:
            raise InvalidRecord(f"move {number} of {len(record.moves)}, {text!r}: {error}") from None
    if not round_.over:
        raise InvalidRecord("the round is not over")
    outcome = Outcome.seen(round_, record)
    seats = tuple(_seat_rows(record, round_, outcome, timing))
    return Rows((_round_row(record, round_, place),), seats, tuple(moves.rows))


def _round_row(record: Record, played: Round, place: int) -> RoundRow:
    key, profile, family = Key.parse(record.key), record.profile, family_of(record.rule)
    return RoundRow(
        key=record.key,
        place=place,
        deal=key.deal,
        seating=key.seating,
        round=key.round,
        hero=key.hero,
        profile=profile if isinstance(profile, str) else msgspec.json.encode(profile).decode(),
        rule=record.rule,
        starter=record.starter,
        family=family.name,
        published=family.published,
        hint=record.hint,
        seats=record.seats,
        dealer=record.dealer,
        first=record.first,
        end_reason=str(played.end_reason),
        moves=len(record.moves),
        starters=sum(isinstance(event, StarterLaid) for event in played.events),
        played=played.played,
        accepted=len(played.layout.mainline),
        rejected=len(played.layout.rejected) + sum(map(len, played.mistakes)),
        substitutes=len(record.substitutes),
    )


def _seat_rows(record: Record, played: Round, outcome: Outcome, timing: Timing | None) -> Iterator[SeatRow]:
    scientists = dict(zip(played.scientists, outcome.seats, strict=False))
    for seat, points in enumerate(played.scores()):
        agent = _agent(record, seat)
        dealer = SeatOutcome(agent=agent, points=points, rated=len(outcome.seats) == played.seats)
        here = scientists.get(seat, dealer)
        career, clocked = here.career, timing is not None and agent in timing.decisions
        yield SeatRow(
            key=record.key,
            seat=seat,
            agent=agent,
            dealer=seat == played.dealer,
            points=points,
            rated=here.rated,
            won=here.won,
            cards=len(played.hands[seat]),
            expelled=here.expelled,
            prophet_at=None if career is None else career.declared,
            prophet_right=None if career is None else career.right,
            overthrown=None if career is None else career.fell,
            substitutes=sum(here.faults.values()),
            seconds=timing.seconds[agent] if timing is not None and clocked else None,
            decisions=timing.decisions[agent] if timing is not None and clocked else None,
        )


class _Moves:
    """The rows of a round's moves, filled in as it is played: a verdict may come some moves later."""

    def __init__(self, record: Record, round_: Round) -> None:
        self.rows: list[MoveRow] = []
        self._record, self._round = record, round_
        self._action = self._call = -1

    def add(self, number: int, move: Move) -> None:
        """Make the next move.

        Raises:
            IllegalMove: if it is not legal here.
        """
        round_ = self._round
        seat = -1 if round_.decision is None else round_.decision.seat
        before = (len(round_.layout.mainline), () if seat < 0 else round_.hands[seat], round_.danger)
        events = round_.apply(move)
        mainline, hand, danger = before
        self.rows.append(
            MoveRow(
                key=self._record.key,
                move=number,
                seat=seat,
                agent=_agent(self._record, seat),
                kind=KINDS[type(move)],
                text=self._record.moves[number - 1],
                cards=tuple(map(str, _cards(move, hand))),
                mainline=mainline,
                hand=len(hand),
                danger=danger,
                was_right=None,
                accepted=0,
                rejected=0,
                substitute=self._record.substitutes.get(number),
            )
        )
        if isinstance(move, Attempt | NoPlay | StateRule):
            self._action = len(self.rows) - 1
        for event in events:
            self._note(event)

    def _note(self, event: Event) -> None:
        """Fill in what an event tells of this move, or of one before it."""
        match event:
            case AttemptJudged(_, cards, right, prefix):
                accepted = len(cards) if right else prefix or 0
                self._fill(self._action, was_right=right, accepted=accepted, rejected=len(cards) - accepted)
            case NoPlayJudged(_, _, right) | StatementJudged(_, right):
                self._fill(self._action, was_right=right)
            case ProphetCalled():
                self._call = len(self.rows) - 1
                self._fill(self._call, was_right=True)
            case ProphetOverthrown():
                self._fill(self._call, was_right=False)
            case Picked(_, True):
                self._fill(len(self.rows) - 1, accepted=1)
            case _:
                pass

    def _fill(self, at: int, **fields: bool | int) -> None:
        self.rows[at] = msgspec.structs.replace(self.rows[at], **fields)


def _cards(move: Move, hand: Sequence[Card]) -> Sequence[Card]:
    """Return the cards that a move is about."""
    match move:
        case Attempt(cards):
            return cards
        case NoPlay():
            return hand
        case Pick(card):
            return (card,)
        case Call(card=card) if card is not None:
            return (card,)
        case _:
            return ()


def _agent(record: Record, seat: int) -> str:
    return record.agents[seat] if record.agents else ""
