from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import fmean, stdev

import pytest
from scipy import stats

from eleusis_ai.arena.outcomes import Career, Outcome, SeatOutcome, Timing
from eleusis_ai.arena.ratings import rank

POINTS = {"a": [(5, 7), (2, 4), (9, 12)], "b": [(4, 4), (3, 0), (6, 8)]}
"""Points of two agents in the two seatings of three deals."""


def made(points: dict[str, list[tuple[int, int]]]) -> Iterator[Outcome]:
    for agent, deals in points.items():
        for deal, seatings in enumerate(deals):
            for seating, value in enumerate(seatings):
                seat = SeatOutcome(
                    agent=agent,
                    points=value,
                    won=value > 6,
                    career=Career(declared=9, fell=value < 9) if value > 5 else None,
                    expelled=value == 0,
                )
                yield Outcome(key=f"deal {deal} seating {seating}", seats=(seat,))


def test_means_and_errors_are_taken_from_deal_to_deal() -> None:
    result = rank(made(POINTS))
    best, other = result.standings
    assert (best.agent, other.agent) == ("a", "b")
    assert best.points == pytest.approx(39 / 6)
    assert best.error == pytest.approx(stdev([6, 3, 10.5]) / math.sqrt(3))
    assert result.deal_means["b"] == {0: 4, 1: 1.5, 2: 7}


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
