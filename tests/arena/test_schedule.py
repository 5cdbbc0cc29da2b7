from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.arena.config import Form, TournamentConfig, config_from
from eleusis_ai.arena.schedule import InvalidKey, NoSuchRound, Schedule, Table

HERE = "tests.arena.players"


def players(*ids: str) -> list[dict[str, Any]]:
    return [{"id": name, "use": f"{HERE}:Restless"} for name in ids]


def config(*ids: str, **changes: Any) -> TournamentConfig:
    fields = {
        "name": "small",
        "profile": "howell",
        "seats": 5,
        "seed": 3,
        "deals": 2,
        "dealer": {"use": f"{HERE}:Painter"},
        "agents": players(*ids),
    }
    return config_from(fields | changes)


FORMS = {
    "league": config("a", "b", "c", deals=4),
    "league, one seating": config("a", "b", "c", "d", "e", deals=9, rotate=False),
    "duplicate": config("a", "b", schedule="duplicate", others=players("x", "y"), deals=3),
    "duplicate among themselves": config("a", "b", "c", schedule="duplicate"),
    "matches": config("a", "b", "c", "d", "e", "f", schedule="matches", dealers={"b": {"use": "catalog"}}),
    "matches of two": config("a", "b", schedule="matches", seats=4, rotate=False),
    "gauntlet": config("a", schedule="gauntlet", others=players("x", "y", "z"), deals=3),
}


def tables(form: TournamentConfig) -> list[Table]:
    schedule = Schedule(form)
    return list(schedule.tables(range(schedule.rounds)))


def around(table: Table) -> list[str]:
    """Return the ids of the agents from the dealer's left."""
    seats = len(table.names)
    return [table.names[(table.dealer + step) % seats] for step in range(1, seats)]


@pytest.mark.parametrize(
    ("form", "rounds", "first", "last"),
    [
        ("league", 12, "deal 0 seating 0", "deal 3 seating 2"),
        ("league, one seating", 9, "deal 0 seating 0", "deal 8 seating 0"),
        ("duplicate", 24, "deal 0 seating 0 hero a", "deal 2 seating 3 hero b"),
        ("duplicate among themselves", 24, "deal 0 seating 0 hero a", "deal 1 seating 3 hero c"),
        ("matches", 60, "deal 0 seating 0 round 0", "deal 1 seating 5 round 4"),
        ("matches of two", 8, "deal 0 seating 0 round 0", "deal 1 seating 0 round 3"),
        ("gauntlet", 12, "deal 0 seating 0", "deal 2 seating 3"),
    ],
)
def test_how_many_rounds_and_what_they_are_called(form: str, rounds: int, first: str, last: str) -> None:
    laid_out = tables(FORMS[form])
    assert (len(laid_out), laid_out[0].key, laid_out[-1].key) == (rounds, first, last)
    assert Schedule(FORMS[form]).rounds == rounds


@st.composite
def configs(draw: st.DrawFn) -> TournamentConfig:
    """Draw a tournament of any schedule, of few deals, so that it can be laid out whole."""
    form = draw(st.sampled_from(Form))
    ids = [f"agent {number}" for number in range(draw(st.integers(1, 1 if form is Form.GAUNTLET else 9)))]
    others = [f"other {number}" for number in range(draw(st.integers(form is Form.GAUNTLET, 6)))]
    return config(
        *ids,
        schedule=str(form),
        seats=draw(st.integers(4, 8)),
        deals=draw(st.integers(3, 6)),
        rotate=form in (Form.DUPLICATE, Form.GAUNTLET) or draw(st.booleans()),
        others=players(*others) if form in (Form.DUPLICATE, Form.GAUNTLET) else [],
    )


@given(configs())
def test_places_and_keys_mean_each_other(form: TournamentConfig) -> None:
    schedule = Schedule(form)
    for number in range(schedule.rounds):
        key = schedule.key(number)
        assert schedule.number(key) == schedule.number(str(key)) == number
        assert schedule.deal_of(number) == key.deal == number // schedule.rounds_a_deal


@given(configs(), st.integers(1, 400))
def test_blocks_cover_everything_and_part_no_deal(form: TournamentConfig, rounds_each: int) -> None:
    schedule = Schedule(form)
    blocks = list(schedule.blocks(rounds_each))
    assert [number for block in blocks for number in block] == list(range(schedule.rounds))
    deals = [{schedule.deal_of(number) for number in block} for block in blocks]
    assert sum(map(len, deals)) == form.deals
    assert all(len(block) <= max(rounds_each, schedule.rounds_a_deal) for block in blocks)


@given(configs(), st.data())
def test_any_part_of_a_schedule_is_laid_out_as_the_whole_is(form: TournamentConfig, data: st.DataObject) -> None:
    whole = tables(form)
    part = sorted(data.draw(st.sets(st.integers(0, len(whole) - 1), max_size=5)))
    assert list(Schedule(form).tables(part)) == [whole[number] for number in part]


@given(configs())
def test_everyone_rated_sits_on_every_chair_of_a_rotated_deal_equally_often(form: TournamentConfig) -> None:
    schedule = Schedule(form)
    if not form.rotate:
        return
    chairs: dict[str, Counter[int]] = {}
    for number in range(schedule.rounds_a_deal):
        key = schedule.key(number)
        names = schedule.names(key)
        hero = key.hero_seat(key.dealer, form.seats)
        for chair, seat in enumerate((key.dealer + step) % form.seats for step in range(1, form.seats)):
            if hero is None or seat == hero:
                chairs.setdefault(names[seat], Counter())[chair] += 1
    assert {agent.id for agent in form.agents} <= set(chairs)
    for name in (agent.id for agent in form.agents):
        assert len(chairs[name]) == form.seats - 1
        assert len(set(chairs[name].values())) == 1


@pytest.mark.parametrize(
    ("form", "key"),
    [
        ("league", "deal 4 seating 0"),
        ("league", "deal 0 seating 3"),
        ("league", "deal 0 seating 0 round 0"),
        ("league", "deal 0 seating 0 hero a"),
        ("duplicate", "deal 0 seating 0"),
        ("duplicate", "deal 0 seating 0 hero x"),
        ("matches", "deal 0 seating 0 round 5"),
        ("matches", "deal 0 seating 0"),
        ("gauntlet", "deal 0 seating 4"),
    ],
)
def test_what_is_not_in_the_schedule_is_told(form: str, key: str) -> None:
    with pytest.raises(NoSuchRound, match=f"no round '{key}'; the last one is 'deal"):
        Schedule(FORMS[form]).number(key)


def test_a_number_past_the_end_and_a_text_that_is_no_key_are_told() -> None:
    with pytest.raises(NoSuchRound, match="there is no round 12; the schedule has 12, the last is 11"):
        Schedule(FORMS["league"]).key(12)
    with pytest.raises(InvalidKey):
        Schedule(FORMS["league"]).number("round 3")


def test_in_a_league_every_agent_sits_on_every_chair_of_a_deal() -> None:
    for deal in range(4):
        line_ups = [around(table) for table in tables(FORMS["league"])[3 * deal : 3 * deal + 3]]
        for chair in zip(*line_ups, strict=True):
            assert sorted(chair) == ["a", "b", "c"]


def test_seatings_of_a_deal_share_rule_and_chance() -> None:
    by_deal: dict[int, set[tuple[str, str]]] = {}
    for table in tables(FORMS["league"]):
        by_deal.setdefault(table.number // 3, set()).add((table.chance, str(table.rule)))
    assert [len(facts) for facts in by_deal.values()] == [1, 1, 1, 1]


def test_seeds_are_named_after_deal_seating_and_agent() -> None:
    table = tables(config("a", "b", seats=4))[1]
    assert set(table.seeds) == {
        "",
        *(f"3/deal/0/seating/1/agent/{name}" for name in "ab"),
        f"3/deal/0/seating/1/agent/{Counter(table.names).most_common(1)[0][0]}/copy/2",
    }


def test_a_hero_sits_on_every_chair_in_turn_and_nothing_else_depends_on_who_he_is() -> None:
    laid_out = tables(FORMS["duplicate"])
    for first, second in zip(laid_out[::2], laid_out[1::2], strict=True):
        hero = Schedule(FORMS["duplicate"]).key(first.number).seating
        assert (around(first)[hero], around(second)[hero]) == ("a", "b")
        for chair, (one, other) in enumerate(zip(around(first), around(second), strict=True)):
            assert chair == hero or (one == other and one in "xy")
        assert first.seeds == second.seeds
        assert len(set(first.seeds)) == 5
        assert (first.rule, first.chance, first.dealer) == (second.rule, second.chance, second.dealer)


def test_in_a_match_every_agent_deals_by_its_own_dealer_and_rule() -> None:
    by_match: dict[tuple[int, int], list[Table]] = {}
    for table in tables(FORMS["matches"]):
        key = Schedule(FORMS["matches"]).key(table.number)
        by_match.setdefault((key.deal, key.seating), []).append(table)
    for match in by_match.values():
        assert [table.dealer for table in match] == list(range(5))
        assert len({table.names for table in match}) == 1
        assert len({table.chance for table in match}) == 5
        for table in match:
            dealer = table.names[table.dealer]
            assert table.dealer_spec.use == ("catalog" if dealer == "b" else f"{HERE}:Painter")
            assert [spec and spec.id for spec in table.line_up] == [
                None if seat == table.dealer else name for seat, name in enumerate(table.names)
            ]


def test_in_a_match_a_rule_belongs_to_the_agent_that_deals_it() -> None:
    rules: dict[tuple[int, str], set[str]] = {}
    for table in tables(FORMS["matches"]):
        deal = Schedule(FORMS["matches"]).deal_of(table.number)
        rules.setdefault((deal, table.names[table.dealer]), set()).add(str(table.rule))
    assert len(rules) == 12
    assert all(len(each) == 1 for each in rules.values())


def test_in_a_gauntlet_the_agent_takes_each_chair_and_the_order_stays() -> None:
    for start in (0, 4, 8):
        line_ups = [around(table) for table in tables(FORMS["gauntlet"])[start : start + 4]]
        assert [line_up.index("a") for line_up in line_ups] == [0, 1, 2, 3]
        assert len({tuple(line_up[at:] + line_up[:at]) for at, line_up in enumerate(line_ups)}) == 1
        assert sorted(line_ups[0]) == ["a", "x", "y", "z"]
