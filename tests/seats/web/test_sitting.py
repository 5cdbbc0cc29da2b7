from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.cards import cards_text
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.web.entries import (
    AgentSeated,
    Entry,
    InvalidEntry,
    MoveMade,
    PersonJoined,
    PersonLeft,
    RoundBegun,
    RoundVoided,
    RuleGiven,
    StarterTurned,
    TableFounded,
    read_entry,
    write_entry,
)
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.sitting import Errand, Phase, Sitting, Task, Who
from eleusis_ai.seats.web.tokens import mark_of
from tests.properties.rounds import PLAYED, RULES, Table, on_paper
from tests.seats.web.sittings import deal, deck_of, gathered, moves, sitting_of, told

RED = Rule.parse("card.is_red")
DECK = deck_of(gathered("howell", 5).profile, 1)
FOUNDED = TableFounded(setting=TableSetting(seats=5), seed="s", host=mark_of("host"))
ENTRIES: list[Entry] = [
    FOUNDED,
    PersonJoined(2, "Ann", mark_of("ann")),
    PersonLeft(2),
    AgentSeated(3, "random"),
    AgentSeated(3, None),
    RoundBegun(0, cards_text(DECK)),
    RuleGiven(rule="card.is_red", starter="card.rank == A", hint="lookback 2"),
    RuleGiven(),
    StarterTurned("more"),
    MoveMade("7H 9D"),
    MoveMade("no play", fault="slow", beliefs=(("card.is_red", 0.5),)),
    RoundVoided(),
]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: type(entry).__name__)
def test_an_entry_reads_back(entry: Entry) -> None:
    assert read_entry(write_entry(entry)) == entry


@pytest.mark.parametrize("line", [b"", b"{}", b'{"entry":"won"}', b'{"entry":"left"}', b"\xff", b"[" * 5000])
def test_what_is_no_entry_is_refused(line: bytes) -> None:
    with pytest.raises(InvalidEntry, match="not an entry"):
        read_entry(line)


@pytest.mark.parametrize("profile", PLAYED, ids=str)
@pytest.mark.parametrize("by_hand", [False, True], ids=["by rule", "by hand"])
def test_a_table_is_what_its_entries_make(profile: Profile, by_hand: bool) -> None:
    """At each moment a table made anew from what was written down is the same to everybody."""
    table = Table(profile, RULES["near"], 3, 0.7)
    sitting = sitting_of(table)
    first = read_again(founding(sitting))
    deck = deck_of(profile, 1)
    deal(sitting, None if by_hand else table.rule, deck)
    rest: list[Entry] = [RoundBegun(sitting.dealer, cards_text(deck)), given(sitting)]
    while sitting.starters is not None:
        rest.append(StarterTurned("right"))
        sitting.apply(rest[-1])
    for move in moves(sitting, table):
        rest.append(msgspec.structs.replace(move, beliefs=(("card.is_red", 0.25),)))
        sitting.apply(rest[-1])
        if len(rest) % 20 == 0:
            assert_same(Sitting.of([*first, *read_again(rest)]), sitting)
    again = Sitting.of([*first, *read_again(rest)])
    assert_same(again, sitting)
    assert sitting.round is not None
    assert again.totals == sitting.round.scores()
    assert again.played == sitting.played
    assert again.errand() == sitting.errand() is None
    record = sitting.played[0].record
    assert record is not None
    assert record.replay().scores() == sitting.totals
    assert record.agents == sitting.names


def read_again(entries: list[Entry]) -> list[Entry]:
    return [read_entry(write_entry(entry)) for entry in entries]


def assert_same(one: Sitting, other: Sitting) -> None:
    assert [told(one, seat) for seat in (None, 0, 1, 2)] == [told(other, seat) for seat in (None, 0, 1, 2)]


def founding(sitting: Sitting) -> list[Entry]:
    people = [(seat, chair.person) for seat, chair in enumerate(sitting.chairs)]
    return [
        TableFounded(setting=sitting.setting, seed=sitting.seed, host=sitting.host),
        *(PersonJoined(seat, person.name, person.token) for seat, person in people if person is not None),
    ]


def given(sitting: Sitting) -> RuleGiven:
    return sitting._given


def test_by_hand_the_same_round_as_from_paper() -> None:
    """Starters that are found card by card are those of a round dealt with them."""
    table = Table(PLAYED[1], RULES["colors"], 5, 0.5)
    model = table.deal()
    deck = model.record().deck
    sitting = gathered(table.profile.name, model.seats, dealer=model.dealer)
    sitting.apply(RoundBegun(model.dealer, deck))
    sitting.apply(RuleGiven())
    assert sitting.phase is Phase.DEALING
    assert sitting.starters is not None
    while sitting.starters is not None:
        card = sitting.starters.card
        sitting.apply(StarterTurned("right" if card == model.layout.mainline[0] else "wrong"))
    assert sitting.round is not None
    assert sitting.round.events == on_paper(model).events


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ([], "a log begins with the founding of its table, and not with NoneType"),
        ([PersonLeft(1)], "a log begins with the founding of its table, and not with PersonLeft"),
        ([FOUNDED, FOUNDED], "entry 2, TableFounded, cannot follow: a table is founded once"),
        ([FOUNDED, PersonLeft(9)], "entry 2, PersonLeft, cannot follow: list"),
        ([FOUNDED, MoveMade("7H")], "the table is gathering, and not playing"),
        ([FOUNDED, RuleGiven()], "the table is gathering, and not dealing"),
        ([FOUNDED, RoundVoided()], "the table is gathering, and a round that goes on may be ended"),
        ([FOUNDED, ENTRIES[5], ENTRIES[5]], "the table is dealing, and a round begins between rounds"),
        ([FOUNDED, ENTRIES[5], StarterTurned("right")], "no card is turned"),
        ([FOUNDED, ENTRIES[5], RuleGiven(), StarterTurned("begin")], "cannot follow: what the dealer may say"),
        ([FOUNDED, ENTRIES[5], RuleGiven(rule="card.is_red"), MoveMade("nonsense")], "entry 4, MoveMade"),
        ([FOUNDED, ENTRIES[5], RuleGiven(rule="card is red")], "entry 3, RuleGiven"),
        ([FOUNDED, RoundBegun(0, "7H"), RuleGiven(rule="card.is_red")], "a deck of 1 cards"),
    ],
)
def test_a_log_that_is_none_is_refused(entries: list[Entry], problem: str) -> None:
    with pytest.raises(InvalidEntry, match=problem):
        Sitting.of(entries)


def over(sitting: Sitting) -> Sitting:
    """Play a round to its end."""
    deal(sitting, RED, DECK)
    for move in moves(sitting, Table(sitting.profile, RED, 1, 0.0)):
        sitting.apply(move)
    return sitting


def test_the_deal_passes_and_points_add_up() -> None:
    sitting = over(gathered("howell", 5, dealer=4))
    assert (sitting.rounds, sitting.dealer, sitting.next_dealer) == (1, 4, 0)
    first = sitting.totals
    assert over(sitting).dealer == 0
    assert sitting.round is not None
    assert sitting.totals == tuple(map(sum, zip(first, sitting.round.scores(), strict=True)))
    assert [played.record.key for played in sitting.played if played.record] == ["round 1", "round 2"]


def test_the_deal_stays_where_it_is_agreed() -> None:
    founded = TableFounded(setting=TableSetting(seats=5, first_dealer=2, passes=False), seed="s", host="")
    sitting = over(Sitting(founded))
    assert sitting.next_dealer == 2


def test_a_round_that_is_ended_gives_no_points_and_is_dealt_again() -> None:
    sitting = gathered("howell", 5, dealer=3)
    deal(sitting, RED, DECK)
    sitting.apply(RoundVoided())
    assert (sitting.phase, sitting.totals, sitting.next_dealer) == (Phase.OVER, (0,) * 5, 3)
    assert b'"reason":"void","rule":"card.is_red"' in told(sitting, None)
    sitting.apply(RoundBegun(3, cards_text(DECK)))
    sitting.apply(RoundVoided())
    assert sitting.played[1].record is None
    assert b'"table":null' in told(sitting, None)
    assert b'"replay":false' in told(sitting, None)


def test_who_somebody_is() -> None:
    sitting = gathered("howell", 5)
    assert sitting.who(mark_of("token 3")) == Who(3, host=False)
    assert sitting.who(mark_of("host")) == Who(None, host=True)
    assert sitting.who(mark_of("other")) == sitting.who(None) == Who(None, host=False)


def test_what_a_table_does_by_itself() -> None:
    sitting = gathered("howell", 5, program=True)
    assert sitting.errand() is None
    sitting.apply(RoundBegun(0, cards_text(DECK)))
    assert sitting.errand() == Errand(Task.CHOOSE_RULE, 0, "random", sitting.number)
    sitting.apply(RuleGiven(rule="card.is_red"))
    assert sitting.errand() is None
    assert sitting.round is not None
    asked = sitting.round.turn
    sitting.apply(AgentSeated(asked, "tree"))
    errand = sitting.errand()
    assert errand == Errand(Task.ASK, asked, "tree", sitting.number - 1)
    sitting.apply(AgentSeated(asked % 4 + 1, "tree"))
    assert sitting.errand() == errand  # what it thinks about is the same
    sitting.apply(AgentSeated(asked, None))
    assert sitting.errand() is None
    sitting.apply(MoveMade("no play"))  # wrong: a legal card must be picked
    pick = sitting.errand()
    assert pick is not None
    assert pick.task is Task.PICK
    sitting.apply(AgentSeated(0, None))
    sitting.apply(PersonJoined(0, "Late", mark_of("late")))
    assert sitting.errand() == pick  # a program's rule stays its own
    assert not sitting.answers(0)
    assert b'"rule":null' in told(sitting, 0)
    assert sitting.pick().is_red


def test_nobody_judges_by_hand_in_a_persons_place() -> None:
    sitting = gathered("howell", 5)
    deal(sitting, None, DECK)
    assert sitting.starters is not None
    sitting.apply(StarterTurned("right"))
    sitting.apply(MoveMade("no play"))
    sitting.apply(AgentSeated(0, "random"))
    assert sitting.errand() is None
    assert not sitting.answers(0)
    sitting.apply(AgentSeated(0, None))
    assert sitting.answers(0)
