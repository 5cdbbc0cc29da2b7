from __future__ import annotations

import pytest

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.events import (
    Attempted,
    AttemptJudged,
    Dealt,
    Drew,
    EndReason,
    Event,
    Hinted,
    InvalidEvent,
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
    RuleStated,
    Scored,
    SeatExpelled,
    SeatPassed,
    StageTwoBegan,
    StarterLaid,
    StatementJudged,
    TurnBegan,
    parse_event,
)
from eleusis_ai.layout import Marker
from eleusis_ai.moves import Call

SEVEN = Card.parse("7H")
TWO = parse_cards("7H 8D")

TEXTS: list[tuple[str, Event]] = [
    ("seat 1 is dealt 2: 7H 8D", Dealt(1, 2, TWO)),
    ("seat 1 is dealt 2", Dealt(1, 2)),
    ("seat 11 draws 2: 7H 8D", Drew(11, 2, TWO)),
    ("seat 11 draws 2", Drew(11, 2)),
    ("hint: the suit of the last card counts: C D H S", Hinted("the suit of the last card counts: C D H S")),
    ("starter 7H", StarterLaid(SEVEN, found_legal=False)),
    ("starter 7H found legal", StarterLaid(SEVEN, found_legal=True)),
    ("turn of seat 2", TurnBegan(2, danger=False)),
    ("turn of seat 2, expulsion in force", TurnBegan(2, danger=True)),
    ("seat 2 plays 7H 8D", Attempted(2, TWO)),
    ("seat 2 declares no play, showing 7H 8D", NoPlayDeclared(2, TWO)),
    ("prophet seat 3 says right", ProphetCalled(3, Call(right=True))),
    ("prophet seat 3 says wrong", ProphetCalled(3, Call(right=False))),
    ("prophet seat 3 says wrong 7H", ProphetCalled(3, Call(right=False, card=SEVEN))),
    ("prophet seat 3 says wrong after 2", ProphetCalled(3, Call(right=False, prefix=2))),
    ("attempt of seat 2 right: 7H 8D", AttemptJudged(2, TWO, right=True)),
    ("attempt of seat 2 wrong: 7H 8D", AttemptJudged(2, TWO, right=False)),
    ("attempt of seat 2 wrong after 0: 7H 8D", AttemptJudged(2, TWO, right=False, prefix=0)),
    ("attempt of seat 2 wrong after 1: 7H 8D", AttemptJudged(2, TWO, right=False, prefix=1)),
    ("no play of seat 2 right: 7H 8D", NoPlayJudged(2, TWO, right=True)),
    ("no play of seat 2 wrong: 7H 8D", NoPlayJudged(2, TWO, right=False)),
    ("7H refused", Refused(SEVEN)),
    ("7H picked and played", Picked(SEVEN, played=True)),
    ("7H pointed out", Picked(SEVEN, played=False)),
    ("reserve pack of 52 opened", ReserveOpened(52)),
    ("seat 2 is expelled", SeatExpelled(2)),
    ("seat 2 becomes prophet, marker on 12", ProphetDeclared(2, Marker(12))),
    ("seat 2 becomes prophet, marker on 12.1", ProphetDeclared(2, Marker(12, 1))),
    ("prophet seat 2 is overthrown", ProphetOverthrown(2)),
    ("round ends: emptied", RoundEnded(EndReason.EMPTIED)),
    ("round ends: stock", RoundEnded(EndReason.STOCK)),
    ("round ends: expelled", RoundEnded(EndReason.EXPELLED)),
    ("round ends: stated", RoundEnded(EndReason.STATED)),
    ("round ends: turns", RoundEnded(EndReason.TURNS)),
    ("round ends: stalled", RoundEnded(EndReason.STALLED)),
    ("stage two begins", StageTwoBegan()),
    ("seat 2 is passed, none of 7H 8D being legal", SeatPassed(2, TWO)),
    (
        "seat 2 states card.rank == A; first card: card.is_red",
        RuleStated(2, "card.rank == A; first card: card.is_red"),
    ),
    ("statement of seat 2 right, proved", StatementJudged(2, right=True, proved=True)),
    ("statement of seat 2 wrong, not proved", StatementJudged(2, right=False, proved=False)),
    ("points: 16 0 9 16", Scored((16, 0, 9, 16))),
    ("points: -4", Scored((-4,))),
    ("rule: card.color != last.color", RuleShown("card.color != last.color")),
]


@pytest.mark.parametrize(("text", "event"), TEXTS)
def test_an_event(text: str, event: Event) -> None:
    assert str(event) == text
    assert parse_event(text) == event
    assert type(parse_event(text)) is type(event)


def test_every_event_has_its_row() -> None:
    def kinds(base: type[Event]) -> set[type[Event]]:
        below = base.__subclasses__()
        return set(below).union(*map(kinds, below))

    private_base = {Dealt.__base__}
    assert {type(event) for _, event in TEXTS} == kinds(Event) - private_base


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", "one that is: 'seat 2 plays 7H 8D'"),
        ("seat 2 sings", "one that is: 'seat 2 plays 7H 8D'"),
        ("seat two plays 7H", "one that is: 'seat 2 plays 7H 8D'"),
        ("seat 2 plays", "one that is: 'seat 2 plays 7H 8D'"),
        ("Seat 2 plays 7H", "one that is: 'seat 2 plays 7H 8D'"),
        ("seat 2 plays 7X", "'7X' is not a card"),
        ("seat 2 draws 1: 7X", "'7X' is not a card"),
        ("prophet seat 3 says wrong 7X", "'7X' is not a card"),
        ("seat 2 becomes prophet, marker on 1.2.3", "'1.2.3' is not a marker"),
        ("round ends: boredom", "one that is: 'seat 2 plays 7H 8D'"),
        ("points: many", "one that is: 'seat 2 plays 7H 8D'"),
    ],
)
def test_no_event(text: str, about: str) -> None:
    with pytest.raises(InvalidEvent) as error:
        parse_event(text)
    assert str(error.value).startswith(f"{text!r} is not an event")
    assert about in str(error.value)


@pytest.mark.parametrize(("text", "event"), TEXTS)
def test_who_may_see_which_cards(text: str, event: Event) -> None:
    hidden = isinstance(event, Dealt | Drew)
    blanked = parse_event(text.split(": ")[0]) if hidden else event
    assert event.seen_by(None) == blanked
    assert event.seen_by(0) == blanked
    if isinstance(event, Dealt | Drew):
        assert event.seen_by(event.seat) == event
        assert blanked.seen_by(event.seat) == blanked
