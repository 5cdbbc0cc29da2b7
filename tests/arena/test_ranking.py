from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean, stdev

import msgspec
import pytest
from scipy import stats

from eleusis_ai.arena.ranking import SeatRound, rank, ranking, seat_rounds
from eleusis_ai.arena.store import Timing
from eleusis_ai.cards import CARDS
from eleusis_ai.moves import BecomeProphet, Call, Pass
from eleusis_ai.profiles import HOWELL
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule

POINTS = {"a": [(5, 7), (2, 4), (9, 12)], "b": [(4, 4), (3, 0), (6, 8)]}
"""Points of two agents in the two seatings of three deals."""


def made(points: dict[str, list[tuple[int, int]]]) -> Iterator[SeatRound]:
    for agent, deals in points.items():
        for deal, seatings in enumerate(deals):
            for value in seatings:
                yield SeatRound(
                    deal=f"deal {deal}",
                    agent=agent,
                    points=value,
                    won=value > 6,
                    declared=value > 5,
                    in_office=value > 8,
                    overthrown=5 < value < 9,
                    expelled=value == 0,
                )


def test_means_and_errors_are_taken_from_deal_to_deal() -> None:
    result = rank(made(POINTS))
    best, other = result.standings
    assert (best.agent, other.agent) == ("a", "b")
    assert best.points == pytest.approx(39 / 6)
    assert best.error == pytest.approx(stdev([6, 3, 10.5]) / math.sqrt(3))
    assert result.deal_means["b"] == {"deal 0": 4, "deal 1": 1.5, "deal 2": 7}


def test_counts_are_of_seats() -> None:
    best = rank(made(POINTS)).standings[0]
    assert (best.seat_rounds, best.won, best.declared, best.in_office, best.overthrown) == (6, 3, 3, 2, 1)
    assert rank(made(POINTS)).standings[1].expelled == 1


def test_the_paired_difference_is_students_t_over_the_deals() -> None:
    result = rank(made(POINTS))
    gains = [6 - 4, 3 - 1.5, 10.5 - 7]
    wanted = stats.ttest_rel([6, 3, 10.5], [4, 1.5, 7]).confidence_interval(0.95)
    mean, low, high = result.paired_difference("a", "b")
    assert mean == pytest.approx(fmean(gains))
    assert (low, high) == pytest.approx(tuple(wanted))
    turned = result.paired_difference("b", "a")
    assert turned == pytest.approx((-mean, -high, -low))


def test_one_deal_says_nothing_of_the_spread() -> None:
    result = rank(made({"a": [(5, 7)], "b": [(4, 4)]}))
    assert result.standings[0].error == math.inf
    assert result.paired_difference("a", "b") == (2, -math.inf, math.inf)


def test_time_is_a_mean_over_decisions() -> None:
    timings = [
        Timing(key="deal 0 seating 0", seconds={"a": 1.0, "b": 0.1}, decisions={"a": 10, "b": 10}),
        Timing(key="deal 0 seating 1", seconds={"a": 0.5}, decisions={"a": 20}),
    ]
    by_agent = {standing.agent: standing.milliseconds for standing in rank(made(POINTS), timings).standings}
    assert by_agent == {"a": pytest.approx(50), "b": pytest.approx(10)}
    assert rank(made(POINTS)).standings[0].milliseconds is None


def round_of_two_prophets() -> Record:
    """Play a round in which seat 1 is prophet and errs at once, and seat 2 is prophet to the end."""
    every_card_is_right = Rule.parse("card.rank < 14")
    round_ = Round.deal(HOWELL, every_card_is_right, seats=5, dealer=0, deck=CARDS * 3, first=1)
    while round_.decision is not None:
        moves = round_.legal_moves()
        if BecomeProphet() in moves:
            round_.apply(BecomeProphet() if round_.decision.seat in (1, 2) else Pass())
        elif Call(right=True) in moves:
            round_.apply(Call(right=round_.prophet == 2))
        else:
            round_.apply(next(iter(moves)))
    line_up = ("dealer", "fallen", "seer", "third", "fourth")
    return msgspec.structs.replace(round_.record(), key="deal 4 seating 1", agents=line_up)


def test_what_came_of_a_seat_is_replayed_from_the_record() -> None:
    record = round_of_two_prophets()
    found = {each.agent: each for each in seat_rounds(record)}
    assert list(found) == ["fallen", "seer", "third", "fourth"]
    assert {each.deal for each in found.values()} == {"deal 4"}
    prophets = {name: (each.declared, each.overthrown, each.in_office) for name, each in found.items()}
    assert prophets == {
        "fallen": (True, True, False),
        "seer": (True, False, True),
        "third": (False, False, False),
        "fourth": (False, False, False),
    }
    assert record.scores is not None
    assert tuple(each.points for each in found.values()) == record.scores[1:]
    assert [name for name, each in found.items() if each.won] == ["seer"]


def test_a_log_is_ranked_without_the_dealer() -> None:
    result = ranking([round_of_two_prophets()])
    assert result.standings[0].agent == "seer"
    assert "dealer" not in result.deal_means
