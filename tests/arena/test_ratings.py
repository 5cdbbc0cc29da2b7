from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import stdev

import numpy as np
import pytest

from eleusis_ai.arena.intervals import by_chance, either
from eleusis_ai.arena.outcomes import Career, Outcome, SeatOutcome, Timing
from eleusis_ai.arena.ratings import rank

POINTS = {"a": [(5, 7), (2, 4), (9, 12)], "b": [(4, 4), (3, 0), (6, 8)]}
"""Points of two agents in the two seatings of three deals."""


def made(points: dict[str, list[tuple[int, int]]]) -> Iterator[Outcome]:
    """Yield the rounds of deals that all agents play, deal by deal."""
    for deal in range(max(map(len, points.values()))):
        for seating in range(2):
            seats = [seat(agent, deals[deal][seating]) for agent, deals in points.items() if deal < len(deals)]
            yield Outcome(key=f"deal {deal} seating {seating}", seats=tuple(seats))


def seat(agent: str, points: int) -> SeatOutcome:
    career = Career(declared=9, fell=points < 9) if points > 5 else None
    return SeatOutcome(agent=agent, points=points, won=points > 6, career=career, expelled=points == 0)


def test_means_and_errors_are_taken_from_deal_to_deal() -> None:
    result = rank(made(POINTS))
    best, other = result.standings
    assert (best.agent, other.agent) == ("a", "b")
    assert best.points == pytest.approx(39 / 6)
    assert best.deals == 3
    assert best.error == pytest.approx(stdev([6, 3, 10.5]) / math.sqrt(3))
    assert best.low < best.points < best.high
    assert result.deal_means["b"].deals.tolist() == [0, 1, 2]
    assert result.deal_means["b"].means.tolist() == [4, 1.5, 7]


def test_counts_are_of_seats() -> None:
    best = rank(made(POINTS)).standings[0]
    assert (best.seat_rounds, best.won, best.declared, best.in_office, best.overthrown) == (6, 3, 3, 2, 1)
    assert rank(made(POINTS)).standings[1].expelled == 1


def test_the_paired_difference_is_taken_within_deals() -> None:
    result = rank(made(POINTS))
    mean, low, high = result.paired_difference("a", "b")
    gains = np.array([6 - 4, 3 - 1.5, 10.5 - 7])
    assert (mean, low, high) == pytest.approx((gains.mean(), either(gains).low, either(gains).high))
    assert result.paired_difference("b", "a") == pytest.approx((-mean, -high, -low))
    (pair,) = result.pairs
    assert (pair.better, pair.worse, pair.deals) == ("a", "b", 3)
    assert pair.holds == (low > 0)
    assert pair.difference == (mean, low, high)
    assert pair.chance == by_chance(gains)


def test_only_deals_that_both_played_are_paired() -> None:
    alone = made(POINTS | {"a": [*POINTS["a"], (99, 99)]})
    assert rank(alone).paired_difference("a", "b") == rank(made(POINTS)).paired_difference("a", "b")


def test_agents_that_share_no_deal_differ_by_nobody_knows_how_much() -> None:
    rounds = [
        Outcome(key="deal 0 seating 0", seats=(seat("a", 5), seat("b", 1))),
        Outcome(key="deal 1 seating 0", seats=(seat("b", 1), seat("c", 2))),
    ]
    assert rank(rounds).paired_difference("a", "c") == (3, -math.inf, math.inf)


def test_one_deal_says_nothing_of_the_spread() -> None:
    result = rank(made({"a": [(5, 7)], "b": [(4, 4)]}))
    assert (result.standings[0].error, result.standings[0].high) == (math.inf, math.inf)
    assert result.paired_difference("a", "b") == (2, -math.inf, math.inf)
    assert not result.pairs[0].holds
    assert result.strengths is not None
    assert result.strengths.strength("a").low == -math.inf


def test_a_difference_that_holds_alone_may_not_hold_among_many() -> None:
    rng = np.random.default_rng(7)
    base, deals = rng.integers(20, 40, 10), 10
    points = {
        f"agent {number}": [(int(base[deal]), int(rng.integers(20, 40))) for deal in range(deals)]
        for number in range(8)
    }
    pairs = rank(made(points)).pairs
    assert len(pairs) == 28
    alone = [pair for pair in pairs if pair.chance < 0.05]
    assert alone, "of 28 differences some are large by chance"
    assert not any(pair.holds for pair in pairs)


def test_time_is_a_mean_over_decisions() -> None:
    timings = [
        Timing(key="deal 0 seating 0", seconds={"a": 1.0, "b": 0.1}, decisions={"a": 10, "b": 10}),
        Timing(key="deal 0 seating 1", seconds={"a": 0.5}, decisions={"a": 20}),
    ]
    by_agent = {standing.agent: standing.milliseconds for standing in rank(made(POINTS), timings).standings}
    assert by_agent == {"a": pytest.approx(50), "b": pytest.approx(10)}
    assert rank(made(POINTS)).standings[0].milliseconds is None
