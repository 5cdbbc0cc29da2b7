"""What clients are sent of a table: what everybody may know, made once, and what one seat may know besides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

import msgspec

from eleusis_ai.cards import Card, cards_of, cards_text
from eleusis_ai.drawing import standing
from eleusis_ai.events import AttemptJudged, Drew, Event, Picked, StarterLaid
from eleusis_ai.layout import Marker
from eleusis_ai.moves import Attempt, DecisionKind, NoPlay, StateRule, rule_text
from eleusis_ai.profiles import HintTerms
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import PLAIN_HINTS, Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.phrases import LANGUAGES
from eleusis_ai.seats.steps import Pending, Statement
from eleusis_ai.seats.unfolding import statements
from eleusis_ai.seats.web.sitting import Phase, Sitting
from eleusis_ai.view import Public, View

NewsValue: TypeAlias = "str | int | bool | list[int] | None"


class _Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a frame."""


class Words(_Part, frozen=True):
    """A rule in words, in the languages of the sources."""

    en: str
    fr: str
    pt: str
    it: str


class HintPart(_Part, frozen=True):
    """A hint: its text, and in words."""

    text: str
    words: str

    @classmethod
    def of(cls, hint: Hint) -> HintPart:
        """Write a hint down."""
        return cls(text=str(hint), words=hint.text)


class ChairPart(_Part, frozen=True):
    """Who sits where."""

    seat: int
    kind: str
    name: str
    agent: str | None
    whose: str | None
    """Whose chair it is, while an agent sits in it."""
    present: bool
    host: bool
    deals: bool


class ColumnPart(_Part, frozen=True):
    """A card of the mainline, with what lies below and above it."""

    card: str
    together: bool
    """Whether it was played in one string with the card before it."""
    below: list[list[str]]
    above: list[list[str]]


class SeatPart(_Part, frozen=True):
    """What lies before a seat."""

    seat: int
    size: int
    marks: list[str]
    mistakes: list[str]
    points: int | None


class AskedPart(_Part, frozen=True):
    """Who is asked, and for what."""

    seat: int
    kind: str


class TablePart(_Part, frozen=True):
    """What lies on the table."""

    line: list[ColumnPart]
    marker: Marker | None
    seats: list[SeatPart]
    dealer: int
    asked: AskedPart | None
    stock: int
    reserve: int
    danger: bool
    played: int
    since: tuple[int, int] | None
    turns: int | None
    stage: int
    hint: HintPart | None
    pending: Pending | None
    stated: list[Statement]
    by_hand: bool


class ResultPart(_Part, frozen=True):
    """How a round ended, and its secrets."""

    reason: str
    rule: str | None
    starter: str | None
    words: Words | None
    points: tuple[int, ...] | None
    replay: bool


class PublicPart(_Part, frozen=True):
    """What everybody may know."""

    phase: str
    round: int
    totals: tuple[int, ...]
    spectators: int
    chairs: list[ChairPart]
    table: TablePart | None
    news: list[dict[str, NewsValue]]
    result: ResultPart | None


class DecisionPart(_Part, frozen=True, omit_defaults=True):
    """What a seat is asked, and what it may answer."""

    kind: str
    cards: list[str] = []
    """Cards that may be played or picked."""
    longest: int | None = None
    no_play: bool | None = None
    calls: list[str] = []
    prophet: bool = False


class RulePart(_Part, frozen=True):
    """The secret rule, for the dealer who gave it."""

    text: str
    starter: str | None
    words: Words
    legal: list[str]
    """The cards that are legal now."""


class DealPart(_Part, frozen=True):
    """What a person who deals has to choose."""

    hint: str
    """Whether a hint is given: ``none``, ``optional`` or ``required``."""
    hints: list[HintPart]
    """What may be said by one who judges by hand."""
    starters: str
    """How the starters are found."""


class StarterPart(_Part, frozen=True):
    """What a dealer who judges by hand says of a turned card."""

    card: str
    laid: list[str]
    words: list[str]


class PrivatePart(_Part, frozen=True):
    """What one seat may know besides."""

    seat: int
    hand: list[str]
    drew: list[str]
    """The cards that the last entry brought."""
    decision: DecisionPart | None
    rule: RulePart | None
    deal: DealPart | None
    starter: StarterPart | None


class State(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="state"):
    """A table after its last entry."""

    number: int
    public: msgspec.Raw
    private: msgspec.Raw | None


_WRITER = msgspec.json.Encoder()


def state_frame(number: int, public: bytes, private: bytes | None) -> bytes:
    """Write the frame of one client from its two parts."""
    return _WRITER.encode(
        State(number=number, public=msgspec.Raw(public), private=None if private is None else msgspec.Raw(private))
    )


def public_part(
    sitting: Sitting, *, present: frozenset[int] = frozenset(), spectators: int = 0, news: bool = True
) -> bytes:
    """Write what everybody may know of a table, as JSON.

    Args:
        sitting: The table.
        present: The seats whose persons are there.
        spectators: How many look on.
        news: Whether what the last entry made happen is told.
    """
    table = None if sitting.round is None else _table(sitting.round, sitting.phase)
    part = PublicPart(
        phase=sitting.phase.value,
        round=sitting.rounds,
        totals=sitting.totals,
        spectators=spectators,
        chairs=[_chair(sitting, seat, present) for seat in range(len(sitting.chairs))],
        table=table,
        news=[news_of(event.seen_by(None)) for event in sitting.happened] if news else [],
        result=_result(sitting) if sitting.phase is Phase.OVER else None,
    )
    return _WRITER.encode(part)


def private_part(sitting: Sitting, seat: int, *, news: bool = True) -> bytes:
    """Write what ``seat`` may know besides, as JSON."""
    round_, dealer = sitting.round, seat == sitting.dealer
    view = None if round_ is None else round_.view(seat)
    # A person who deals has given the rule, and may know it; a program's rule stays its own.
    rule = round_.rule if round_ is not None and dealer and sitting.rule_is_a_persons else None
    asked = sitting.phase is Phase.PLAYING and sitting.answers(seat)
    part = PrivatePart(
        seat=seat,
        hand=[] if view is None else _texts(view.hand),
        drew=_drawn(sitting, seat) if news else [],
        decision=_decision(view, rule) if asked and view is not None else None,
        rule=None if rule is None or view is None else _rule(rule, view.public),
        deal=_deal(sitting, seat),
        starter=_starter(sitting, seat),
    )
    return _WRITER.encode(part)


@lru_cache(maxsize=512)
def words_of(rule: Rule) -> Words:
    """Say a rule in the four languages."""
    return Words(**{language: rule.sentence(language) for language in LANGUAGES})


def _chair(sitting: Sitting, seat: int, present: frozenset[int]) -> ChairPart:
    chair = sitting.chairs[seat]
    person = chair.person
    return ChairPart(
        seat=seat,
        kind=chair.kind,
        name=chair.name,
        agent=chair.agent,
        whose=person.name if person is not None and chair.agent is not None else None,
        present=chair.agent is not None or seat in present,
        host=person is not None and person.token in sitting.hosts,
        deals=seat == sitting.dealer,
    )


def _table(round_: Round, phase: Phase) -> TablePart:
    public, decision = round_.public(), round_.decision
    playing = phase is Phase.PLAYING
    points = round_.scores() if round_.over else None
    return TablePart(
        line=list(_columns(public)),
        marker=public.marker,
        seats=[
            SeatPart(
                seat=seat,
                size=public.hand_sizes[seat],
                marks=list(standing(public, seat)),
                mistakes=_texts(public.mistakes[seat]),
                points=None if points is None else points[seat],
            )
            for seat in range(public.seats)
        ],
        dealer=public.dealer,
        asked=AskedPart(seat=decision.seat, kind=decision.kind.value) if decision is not None and playing else None,
        stock=public.stock_size,
        reserve=len(round_.reserve),
        danger=public.danger and decision is not None and playing,
        played=public.played,
        since=None if public.prophet is None else (public.accepted_since, public.rejected_since),
        turns=public.turns_left,
        stage=public.stage,
        hint=None if public.hint is None else HintPart.of(public.hint),
        pending=_pending(public) if playing else None,
        stated=list(statements(public)),
        by_hand=public.by_hand,
    )


def _columns(public: Public) -> Iterator[ColumnPart]:
    together = _strings(public)
    layout = public.layout
    for at, card in enumerate(layout.mainline):
        yield ColumnPart(
            card=str(card),
            together=at in together,
            below=[_texts(cards) for cards in layout.sidelines[at]],
            above=[_texts(cards) for cards in layout.shown[at]],
        )


def _strings(public: Public) -> set[int]:
    """Return the places of the mainline whose card was played in one string with the card before it."""
    together: set[int] = set()
    place = 0
    for event in public.events:
        match event:
            case AttemptJudged(_, cards, right, prefix):
                joined = len(cards) if right else prefix or 0
                together.update(range(place + 1, place + joined))
                place += joined
            case StarterLaid() | Picked(_, True):
                place += 1
            case _:
                pass
    return together


def _pending(public: Public) -> Pending | None:
    """Return what lies before a judge."""
    call = None if public.call is None else str(public.call)
    match public.attempt:
        case None:
            return None
        case Attempt(cards):
            return Pending(seat=public.turn, cards=cards_text(cards), call=call)
        case NoPlay():
            return Pending(seat=public.turn, hand=cards_text(public.shown), call=call)
        case StateRule(rule):
            return Pending(seat=public.turn, rule=rule_text(rule), call=call)


def _result(sitting: Sitting) -> ResultPart:
    round_ = sitting.round
    rule = None if round_ is None else round_.rule
    ended = None if round_ is None or round_.end_reason is None else round_.end_reason.value
    return ResultPart(
        reason="void" if sitting.void or ended is None else ended,
        rule=None if rule is None else str(rule),
        starter=None if rule is None or rule.starter is None else str(rule.starter),
        words=None if rule is None else words_of(rule),
        points=round_.scores() if round_ is not None and round_.over else None,
        replay=round_ is not None,
    )


def news_of(event: Event) -> dict[str, NewsValue]:
    """Write an event, as everybody may know it, with its fields in the project's texts."""
    fields = event.__struct_fields__
    return {"event": type(event).__name__} | {name: _value(getattr(event, name)) for name in fields}


def _value(value: object) -> NewsValue:
    match value:
        case Card():
            return str(value)
        case None | bool() | int():
            return value
        case tuple() if all(isinstance(each, Card) for each in value):
            return cards_text(value)
        case tuple():
            return list(value)
        case _:
            return str(value)


def _drawn(sitting: Sitting, seat: int) -> list[str]:
    return [
        str(card)
        for event in sitting.happened
        if isinstance(event, Drew) and event.seat == seat
        for card in event.cards or ()
    ]


def _decision(view: View, rule: Rule | None) -> DecisionPart | None:
    """Write what the seat of ``view`` is asked; ``rule`` is known to a dealer who gave it."""
    if view.decision is None or view.decision.seat != view.seat:
        return None
    moves, kind = view.legal_moves(), view.decision.kind
    match kind:
        case DecisionKind.PLAY:
            return DecisionPart(
                kind=kind.value, cards=_texts(moves.hand), longest=moves.longest, no_play=moves.no_play
            )
        case DecisionKind.CALL:
            return DecisionPart(kind=kind.value, calls=list(map(str, moves.calls)))
        case DecisionKind.PICK:
            legal = ~0 if rule is None else _mask(rule, view.public)
            return DecisionPart(
                kind=kind.value, cards=_texts(card for card in dict.fromkeys(moves.hand) if legal >> card & 1)
            )
        case DecisionKind.AFTER_TURN:
            return DecisionPart(kind=kind.value, prophet=True)
        case DecisionKind.STATE_RULE:
            return DecisionPart(kind=kind.value)


def _mask(rule: Rule, public: Public) -> int:
    layout = public.layout
    return rule.mask(layout.mainline, layout.rejected if rule.reads_rejected else ())


def _rule(rule: Rule, public: Public) -> RulePart:
    return RulePart(
        text=str(rule),
        starter=None if rule.starter is None else str(rule.starter),
        words=words_of(rule),
        legal=_texts(cards_of(_mask(rule, public))),
    )


def _deal(sitting: Sitting, seat: int) -> DealPart | None:
    if sitting.phase is not Phase.DEALING or seat != sitting.dealer or sitting.starters is not None:
        return None
    terms = sitting.profile.hint
    return DealPart(
        hint=terms.value,
        hints=[] if terms is HintTerms.NONE else list(map(HintPart.of, PLAIN_HINTS)),
        starters=sitting.profile.starter.value,
    )


def _starter(sitting: Sitting, seat: int) -> StarterPart | None:
    found = sitting.starters
    if found is None or found.card is None or seat != sitting.dealer:
        return None
    return StarterPart(card=str(found.card), laid=_texts(found.laid), words=list(found.words))


def _texts(cards: Iterator[Card] | tuple[Card, ...]) -> list[str]:
    return list(map(str, cards))
