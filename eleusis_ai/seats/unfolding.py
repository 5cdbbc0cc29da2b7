"""A record unfolded into steps: the round is played again, and each move tells what it changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from eleusis_ai.cards import cards_text
from eleusis_ai.drawing import standing
from eleusis_ai.events import (
    Attempted,
    AttemptJudged,
    Drew,
    Event,
    NoPlayJudged,
    Picked,
    StatementJudged,
)
from eleusis_ai.layout import Cards, Layout
from eleusis_ai.moves import Attempt, DecisionKind, NoPlay, Pass, StateRule, parse_move
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.seats.steps import Pending, Replay, Statement, Step, Table
from eleusis_ai.seats.telling import cards_said, told
from eleusis_ai.view import Public

NOBODY = -1
"""The seat that is told a round as no seat of the table sees it."""
ACTOR, OTHER, LAID, DRAWN, HAND = "@^#~$"
"""What stands in a phrase for the seat that was asked and for the other seat whose cards change (both after an S
or s), for the cards that one of them laid or drew, and for the hand that was shown. No rule has these signs."""


def replay_of(record: Record) -> Replay:
    """Replay a record, and write down what each of its moves changes.

    Raises:
        InvalidRecord: if it cannot be replayed.
    """
    record.replay()
    round_ = record.deal()
    phrases = Phrases()
    rule = round_.rule
    hands, line, table = tuple(map(cards_text, round_.hands)), cards_text(round_.layout.mainline), _table(round_)
    said = phrases.places(told(round_.events, ("",) * round_.seats, NOBODY))
    steps = tuple(_steps(record, round_, phrases))
    return Replay(
        key=record.key,
        agents=record.agents,
        profile=round_.profile.name,
        seats=round_.seats,
        dealer=round_.dealer,
        rule=None if rule is None else str(rule),
        words=None if rule is None else rule.text,
        starter=None if rule is None or rule.starter is None else str(rule.starter),
        hint=None if round_.hint is None else round_.hint.text,
        hands=hands,
        line=line,
        table=table,
        say=phrases.all,
        said=said,
        steps=steps,
    )


class Phrases:
    """What is said in a round, each phrase once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    @property
    def all(self) -> tuple[str, ...]:
        """The phrases, in the order in which they were first said."""
        return tuple(self._places)

    def places(self, lines: Sequence[str]) -> tuple[int, ...]:
        """Return where the lines stand among the phrases."""
        return tuple(self._places.setdefault(line, len(self._places)) for line in lines)


def _steps(record: Record, round_: Round, phrases: Phrases) -> Iterator[Step]:
    """Play the moves of a round that was just dealt, a pass together with what it follows."""
    number = 0
    while number < len(record.moves):
        end = number + 1
        while end < len(record.moves) and record.moves[end] == str(Pass()) and end + 1 not in record.substitutes:
            end += 1
        yield _step(round_, record.moves[number:end], record.substitutes.get(number + 1), phrases)
        number = end


def _step(round_: Round, moves: Sequence[str], fault: str | None, phrases: Phrases) -> Step:
    """Make ``moves`` and tell what they changed."""
    assert round_.decision is not None, "a record that replays moves where a decision is pending"
    actor, turn, in_hand, before = round_.decision.seat, round_.turn, round_.stage == 1, _table(round_)
    layout, mistakes, hand = round_.layout, round_.mistakes, round_.hands[actor]
    judged = round_.attempt.cards if isinstance(round_.attempt, Attempt) else ()
    events: list[Event] = []
    lines: list[str] = []
    for move in moves:
        happened = round_.apply(parse_move(move))
        events += happened
        lines += told(happened, ("",) * round_.seats, NOBODY)
    changes = _hand_changes(events, turn, in_hand=in_hand)
    slots = _slots(actor, changes, hand)
    drawn = sum(len(change.come) for change in changes.values())
    own = changes.pop(actor, _Change())
    lain = _Lain.between(layout, round_.layout)
    counted = bool(lain) and lain.joined + lain.hung == (own.gone or judged)
    said = phrases.places([_phrase(line, slots) for line in lines])
    return Step(
        moves=len(moves),
        hand=str(own),
        others={seat: str(change) for seat, change in sorted(changes.items())},
        mistakes=dict(_mistake_changes(mistakes, round_.mistakes)),
        joined=len(lain.joined) if counted else cards_text(lain.joined) or 0,
        hung=len(lain.hung) if counted else cards_text(lain.hung) or 0,
        above=cards_text(lain.above),
        verdict=_verdict(events, lain),
        said=said[0] if len(said) == 1 else said,
        note="" if fault is None else f"seat {actor} {fault}; the first legal move was made for it",
        pending=_pending(round_.public(), actor, own.gone, hand),
        **_new(before, _table(round_), drawn),
    )


@dataclass(slots=True)
class _Change:
    """What becomes of a hand in one step."""

    gone: Cards = ()
    whole: bool = False
    """Whether all that was there goes."""
    come: Cards = ()

    def __str__(self) -> str:
        gone = "-*" if self.whole else f"-{cards_text(self.gone)}" if self.gone else ""
        return f"{gone}+{cards_text(self.come)}" if self.come else gone


def _hand_changes(events: Iterable[Event], turn: int, *, in_hand: bool) -> dict[int, _Change]:
    """Return what becomes of the hands, by seat.

    Args:
        events: What has happened, drawn cards included.
        turn: The scientist whose turn it is.
        in_hand: Whether it is cards of a hand that are played; otherwise mistake cards are.
    """
    changes: dict[int, _Change] = {}
    for event in events:
        match event:
            case Attempted(seat, cards) if in_hand:
                changes.setdefault(seat, _Change()).gone = cards
            case NoPlayJudged(seat, _, right) if right:
                changes.setdefault(seat, _Change()).whole = True
            case Picked(card, played) if played:
                changes.setdefault(turn, _Change()).gone = (card,)
            case Drew(seat, _, cards) if cards:
                changes.setdefault(seat, _Change()).come += cards
            case _:
                pass
    return changes


def _mistake_changes(before: Sequence[Cards], after: Sequence[Cards]) -> Iterator[tuple[int, str]]:
    """Yield the seats before which mistake cards came to lie or went, and which."""
    for seat, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            gone = tuple((Counter(old) - Counter(new)).elements())
            yield seat, str(_Change(gone=gone, come=new[len(old) - len(gone) :]))


@dataclass(frozen=True, slots=True)
class _Lain:
    """What came to lie on the table in one step: layouts only grow at their end."""

    joined: Cards
    hung: Cards
    above: Cards

    def __bool__(self) -> bool:
        return bool(self.joined or self.hung)

    @classmethod
    def between(cls, before: Layout, after: Layout) -> Self:
        """Compare two layouts."""
        old = len(before.mainline)
        joined = after.mainline[old:]
        branches = after.sidelines[-1][0 if joined else len(before.sidelines[-1]) :]
        hands = after.shown[-1][0 if joined else len(before.shown[-1]) :]
        return cls(joined, branches[0] if branches else (), hands[0] if hands else ())


def _verdict(events: Iterable[Event], lain: _Lain) -> bool | UnsetType | None:
    """Return whether what was judged is right, None if nothing was; unset where what was laid tells."""
    judged = [event.right for event in events if isinstance(event, AttemptJudged | NoPlayJudged | StatementJudged)]
    verdict = judged[-1] if judged else None
    plain = False if lain.hung else True if lain.joined else None
    return UNSET if verdict == plain else verdict


def _slots(actor: int, changes: dict[int, _Change], hand: Cards) -> dict[str, str]:
    """Return the signs that stand in phrases for what a step tells anyhow, by the words they stand for."""
    slots = {f"eat {actor}": ACTOR}
    others = sorted(seat for seat in changes if seat != actor)
    if len(others) == 1:
        slots[f"eat {others[0]}"] = OTHER
    first = [changes[seat] for seat in (actor, *others) if seat in changes]
    laid = next((change.gone for change in first if change.gone), ())
    drawn = next((change.come for change in first if change.come), ())
    if drawn:
        slots[f"{len(drawn)}: {cards_said(drawn)}"] = DRAWN
    return slots | {cards_said(cards): sign for cards, sign in ((hand, HAND), (laid, LAID)) if cards}


def _phrase(line: str, slots: dict[str, str]) -> str:
    """Put signs in a line for what its step tells anyhow, so that a round has few different phrases.

    Wherever the words stand, putting them back for the signs gives the line again.
    """
    for words in sorted(slots, key=len, reverse=True):
        line = line.replace(words, slots[words])
    return line


def _table(round_: Round) -> Table:
    """Read a round as it stands."""
    public = round_.public()
    decision = public.decision
    asked: int | str | None = None
    if decision is not None:
        asked = decision.seat if decision.kind is DecisionKind.PLAY else f"{decision.seat} {decision.kind.value}"
    marks = {seat: found for seat in range(public.seats) if (found := tuple(standing(public, seat)))}
    return Table(
        asked=asked,
        stock=public.stock_size,
        reserve=len(round_.reserve),
        danger=public.danger and decision is not None,
        marker=None if public.marker is None else str(public.marker),
        since=None if public.prophet is None else (public.accepted_since, public.rejected_since),
        marks=marks,
        stage=public.stage,
        turns=public.turns_left,
        stated=tuple(statements(public)),
        points=round_.scores() if round_.over else None,
    )


def _new(before: Table, after: Table, drawn: int) -> dict[str, Any]:
    """Return the fields of the table that are not what they were, or what ``drawn`` cards make of them."""
    plain = msgspec.structs.replace(before, stock=before.stock - drawn)
    fields = Table.__struct_fields__
    new = {name: getattr(after, name) for name in fields if getattr(after, name) != getattr(plain, name)}
    if "marks" in new:
        seats = sorted(before.marks.keys() | after.marks)
        marks = ((seat, after.marks.get(seat, ())) for seat in seats)
        new["marks"] = {seat: found for seat, found in marks if found != before.marks.get(seat, ())}
    return new


def statements(public: Public) -> Iterator[Statement]:
    """Yield the rules that were stated, with whether they were right."""
    stated = public.statements
    for number, event in enumerate(stated, start=1):
        last = number == len(stated)
        heard = not (last and isinstance(public.attempt, StateRule))
        yield Statement(
            seat=event.seat, rule=event.rule, right=(last and public.stated is not None) if heard else None
        )


def _pending(public: Public, actor: int, laid: Cards, hand: Cards) -> str | Pending | None:
    """Return what lies before a judge, if anything does."""
    call = None if public.call is None else str(public.call)
    own = public.turn == actor and call is None
    match public.attempt:
        case None | StateRule():
            return None
        case Attempt(cards):
            return LAID if own and cards == laid else Pending(seat=public.turn, cards=cards_text(cards), call=call)
        case NoPlay():
            shown = public.shown
            return HAND if own and shown == hand else Pending(seat=public.turn, hand=cards_text(shown), call=call)
