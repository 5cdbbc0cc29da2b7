"""How strong each agent is: one number, from which follows how often it finishes before another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.arena.intervals import quantile
from eleusis_ai.arena.tally import Comparisons
from eleusis_ai.charts import Interval

SCALE = 400 / math.log(10)
"""Points of strength in one unit of log-odds: as in chess, 400 points are odds of ten to one."""
_IMAGINED = 0.5
"""Of a deal won and a deal lost, how much is imagined for each pair where agents cannot be told apart otherwise."""
_CELLS = 1 << 18
"""How many numbers are worked on at a time."""


@dataclass(frozen=True, slots=True)
class Strengths:
    """The strengths of agents that were compared, directly or through others."""

    agents: tuple[str, ...]
    """The strongest first."""
    points: tuple[float, ...]
    """By agent; their mean is 0."""
    covariance: tuple[tuple[float, ...], ...] | None
    """Of ``points``, from deal to deal; None: the deals are too few to tell."""
    deals: int
    """In how many deals agents were compared."""
    imagined: bool
    """Whether some agents never finished before others, so that a deal had to be imagined in which they do."""

    def strength(self, agent: str) -> Interval:
        """Return the strength of ``agent`` with its 95 % interval."""
        at = self.agents.index(agent)
        reach = self._reach(np.eye(len(self.agents))[at])
        return Interval(self.points[at], self.points[at] - reach, self.points[at] + reach)

    def chance(self, agent: str, other: str) -> Interval:
        """Return how often ``agent`` finishes before ``other``, with its 95 % interval; a tie counts half."""
        at, beside = self.agents.index(agent), self.agents.index(other)
        ahead = self.points[at] - self.points[beside]
        reach = self._reach(np.eye(len(self.agents))[at] - np.eye(len(self.agents))[beside])
        low, mean, high = (_logistic(np.array(each / SCALE)) for each in (ahead - reach, ahead, ahead + reach))
        return Interval(float(mean), float(low), float(high))

    def _reach(self, weights: NDArray[np.float64]) -> float:
        """Return how far the interval of a weighted sum of strengths reaches to each side."""
        if self.covariance is None:
            return math.inf
        return quantile(self.deals - 1) * math.sqrt(max(0.0, weights @ np.array(self.covariance) @ weights))


def strengths(agents: Sequence[str], comparisons: Comparisons) -> Strengths | None:
    """Find the strengths under which what was won is likeliest; None if not all agents can be compared.

    Two agents at a table are one comparison, a tie is half a win for both (R. Bradley and M. Terry, "Rank analysis
    of incomplete block designs", Biometrika 39, 1952, 324-345). The intervals are the jackknife's: each deal is left
    out in turn, with one step of Newton's from the whole (Bell and McCaffrey, "Bias reduction in standard errors for
    linear regression with multi-stage samples", Survey Methodology 28, 2002, 169-181), and Student's t over deals.

    An agent that never finished before another would be infinitely weak. Then half a deal won and half a deal lost
    are imagined for every pair, and counted in the intervals, as halves are added to a table of four (J. Gart and
    J. Zweifel, "On the bias of various estimators of the logit and its variance", Biometrika 54, 1967, 181-187).

    The likelihood is scipy's to climb and not `choix`'s, since intervals need its slopes in any case.

    Args:
        agents: Their names, in the order in which they are numbered.
        comparisons: What is known.
    """
    won, designs = comparisons.won, comparisons.designs
    if len(agents) < 2 or not _all_reach(won + won.T):
        return None
    times = np.bincount(comparisons.design, minlength=len(designs))
    deals = int(times[designs.any((1, 2))].sum())
    met: NDArray[np.float64] = np.tensordot(times, designs > 0, 1).astype(np.float64)
    imagined = not _all_reach(won)
    if imagined:
        won = won + _IMAGINED * np.divide(won + won.T, met, out=np.zeros_like(won), where=met > 0)
    found = _likeliest(won)
    covariance = _covariance(found, won, comparisons, deals)
    if covariance is not None and imagined:
        covariance += _of_imagined(found, won, met)
    size = len(agents)
    centred = np.eye(size) - 1 / size
    points = SCALE * centred @ found
    order = sorted(range(size), key=lambda place: -points[place])
    if covariance is not None:
        covariance = SCALE**2 * (centred @ covariance @ centred)[np.ix_(order, order)]
    return Strengths(
        agents=tuple(agents[place] for place in order),
        points=tuple(float(points[place]) for place in order),
        covariance=None if covariance is None else tuple(tuple(map(float, row)) for row in covariance),
        deals=deals,
        imagined=imagined,
    )


def _likeliest(won: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the strengths in log-odds, with mean 0, at which the likelihood is level."""
    from scipy.optimize import root  # imported late, as it is slow

    size, total = len(won), won.sum()
    wins, games = won.sum(1) / total, (won + won.T) / total

    def slope(at: NDArray[np.float64]) -> NDArray[np.float64]:
        missing: NDArray[np.float64] = (games * _chances(at)).sum(1) - wins + at.sum() / size
        return missing

    def curve(at: NDArray[np.float64]) -> NDArray[np.float64]:
        return _curvature(games, _chances(at)) + 1 / size

    done = root(slope, np.zeros(size), jac=curve, tol=1e-12)
    level: NDArray[np.float64] = done.x
    assert np.abs(slope(level)).max() < 1e-8, f"the likelihood has one summit, but none was found: {done.message}"
    return level


def _covariance(
    at: NDArray[np.float64], won: NDArray[np.float64], comparisons: Comparisons, deals: int
) -> NDArray[np.float64] | None:
    """Return the jackknife's covariance of the strengths in log-odds; None if one deal bears too much."""
    size, chances = len(at), _chances(at)
    whole = _curvature(won + won.T, chances)
    without = whole - _curvature(comparisons.designs, chances)
    # Without a deal that alone joins some agents to the others, nothing would hold them.
    if deals < 2 or np.linalg.eigvalsh(without)[:, 1].min() < 1e-9 * np.trace(whole):
        return None
    steps = np.linalg.inv(without + np.trace(whole) / size)
    expected = (comparisons.designs * chances).sum(-1)
    sums, products = np.zeros(size), np.zeros((size, size))
    at_a_time = max(1, _CELLS // size**2)
    for start in range(0, len(comparisons.design), at_a_time):
        design = comparisons.design[start : start + at_a_time]
        surplus = comparisons.half_wins[start : start + at_a_time] / 2 - expected[design]
        moved = np.einsum("di,dij->dj", surplus, steps[design])
        sums += moved.sum(0)
        products += moved.T @ moved
    covariance: NDArray[np.float64] = (deals - 1) / deals * (products - np.outer(sums, sums) / deals)
    return covariance


def _of_imagined(at: NDArray[np.float64], won: NDArray[np.float64], met: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the imagined deals add to the covariance."""
    size, chances = len(at), _chances(at)
    whole = _curvature(won + won.T, chances)
    step = np.linalg.inv(whole + np.trace(whole) / size)
    added = np.zeros((size, size))
    for winner, loser in np.argwhere(met > 0):
        in_a_deal = (won + won.T)[winner, loser] / (met[winner, loser] + 2 * _IMAGINED)
        surplus = np.zeros(size)
        surplus[winner] = in_a_deal * chances[loser, winner]
        surplus[loser] = -surplus[winner]
        added += _IMAGINED * np.outer(surplus @ step, surplus @ step)
    return added


def _chances(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how often each agent finishes before each other: shape (K, K)."""
    return _logistic(at[:, None] - at[None, :])


def _logistic(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    from scipy.special import expit

    chance: NDArray[np.float64] = expit(odds)
    return chance


def _curvature(games: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how sharply the likelihood falls off around the strengths: shape (..., K, K)."""
    known = games * chances * chances.T
    curve: NDArray[np.float64] = -known
    size = len(chances)
    curve[..., range(size), range(size)] = known.sum(-1)
    return curve


def _all_reach(steps: NDArray[np.float64]) -> bool:
    """Tell whether from each place every other is reached by steps that are more than 0."""
    size = len(steps)
    return bool((np.linalg.matrix_power((steps > 0) + np.eye(size), size) > 0).all())
