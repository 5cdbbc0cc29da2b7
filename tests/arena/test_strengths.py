from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from eleusis_ai.arena.strengths import SCALE, Strengths, strengths
from eleusis_ai.arena.tally import Comparisons


def of_deals(won: NDArray[np.float64]) -> Comparisons:
    """Make comparisons from what was won by whom over whom: shape (deals, K, K)."""
    games = won + won.transpose(0, 2, 1)
    designs, design = np.unique(games, axis=0, return_inverse=True)
    return Comparisons((2 * won.sum(-1)).astype(np.uint16), designs, design.astype(np.uint32).ravel(), won.sum(0))


def found(won: NDArray[np.float64]) -> Strengths:
    result = strengths([f"agent {place}" for place in range(won.shape[1])], of_deals(won))
    assert result is not None
    return result


def two(*wins: float, games: int = 4) -> NDArray[np.float64]:
    """Make deals in which the first of two agents wins so many of its games."""
    return np.array([[[0, win], [games - win, 0]] for win in wins], np.float64)


def test_of_two_agents_the_strength_is_the_log_odds() -> None:
    result = found(two(3, 3, 2.5, 3.5))
    assert result.agents == ("agent 0", "agent 1")
    assert result.chance("agent 0", "agent 1").mean == pytest.approx(0.75)
    assert result.points == pytest.approx((SCALE * math.log(3) / 2, -SCALE * math.log(3) / 2))
    assert 400 * math.log10(3) == pytest.approx(result.points[0] - result.points[1])


def test_the_interval_is_that_of_leaving_out_each_deal_in_turn() -> None:
    shares = np.array([3, 1, 2.5, 3.5, 2, 4])
    result = found(two(*shares))
    # By hand: of two agents the step of Newton's moves the log-odds by the surplus over the curvature.
    rate = shares.mean() / 4
    steps = (shares - 4 * rate) / (5 * 4 * rate * (1 - rate))
    error = SCALE * math.sqrt(5 / 6 * (steps**2).sum())
    chance = result.chance("agent 0", "agent 1")
    reach = 2.570581836 * error  # Student's t with 5 degrees of freedom
    ahead = result.points[0] - result.points[1]
    assert chance.low == pytest.approx(1 / (1 + 10 ** (-(ahead - reach) / 400)))
    assert chance.high == pytest.approx(1 / (1 + 10 ** (-(ahead + reach) / 400)))


def test_true_strengths_are_found_again() -> None:
    truth = np.array([200.0, 50.0, -50.0, -200.0])
    chances = 1 / (1 + 10 ** (-(truth[:, None] - truth[None, :]) / 400))
    won = np.zeros((3000, 4, 4))
    rng = np.random.default_rng(3)
    for i in range(4):
        for j in range(i):
            won[:, i, j] = rng.binomial(4, chances[i, j], 3000)
            won[:, j, i] = 4 - won[:, i, j]
    result = found(won)
    for agent, true in enumerate(truth):
        strength = result.strength(f"agent {agent}")
        assert strength.mean == pytest.approx(true, abs=10)
        assert strength.low < true < strength.high


@given(st.lists(st.lists(st.integers(0, 8), min_size=6, max_size=6), min_size=1, max_size=6))
def test_what_is_expected_is_what_was_won_and_the_mean_is_0(rows: list[list[int]]) -> None:
    won = np.zeros((len(rows), 3, 3))
    won[:, ~np.eye(3, dtype=bool)] = np.array(rows) / 2
    result = strengths("abc", of_deals(won))
    if result is None or result.imagined:
        return
    assert sum(result.points) == pytest.approx(0, abs=1e-6)
    games = won.sum(0) + won.sum(0).T
    for place, agent in enumerate("abc"):
        expected = sum(
            games[place, "abc".index(other)] * result.chance(agent, other).mean for other in "abc" if other != agent
        )
        assert expected == pytest.approx(won.sum((0, 2))[place], rel=1e-6)


def test_agents_that_cannot_be_compared_have_no_strengths() -> None:
    apart = np.zeros((5, 4, 4))
    apart[:, 0, 1] = apart[:, 1, 0] = apart[:, 2, 3] = apart[:, 3, 2] = 1
    assert strengths("abcd", of_deals(apart)) is None
    assert strengths("a", of_deals(np.zeros((2, 1, 1)))) is None


def test_who_never_won_is_weak_but_not_infinitely() -> None:
    result = found(two(4, 4, 4, 4, 4, 4, 4, 4, 4, 4))
    assert result.imagined
    chance = result.chance("agent 0", "agent 1")
    assert chance.mean == pytest.approx(10.5 / 11)
    assert chance.low < 0.8
    assert chance.high > 0.99
    assert found(two(*[4] * 40)).points[0] > result.points[0], "more deals say more"
    assert not found(two(4, 4, 3.5)).imagined


def test_one_deal_that_joins_agents_alone_leaves_the_intervals_open() -> None:
    won = np.zeros((6, 3, 3))
    won[:5, 0, 1] = won[:5, 1, 0] = 1
    won[5, 1, 2] = won[5, 2, 1] = 1
    result = found(won)
    assert result.covariance is None
    assert result.strength("agent 0").high == math.inf
    assert (result.chance("agent 0", "agent 1").low, result.chance("agent 0", "agent 1").high) == (0, 1)


def test_deals_without_comparisons_count_for_nothing() -> None:
    won = two(3, 1, 2)
    with_idle = np.concatenate([won, np.zeros((4, 2, 2))])
    assert found(with_idle) == found(won)
