"""Intervals that hold the truth as often as they say, of means over deals: rounds of one deal are not independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
"""How often an interval is to hold the truth."""


class Spread(NamedTuple):
    """Means with their intervals; each an array over all but the last axis of what the means were taken of."""

    mean: NDArray[np.float64]
    error: NDArray[np.float64]
    """Standard error; infinite if there is one value."""
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def skewed(values: NDArray[np.float64]) -> Spread:
    """Return the means along the last axis with their intervals, which are unbounded if there is one value.

    Points are skewed, and with few deals Student's t then misses to one side. So its statistic is made symmetric by
    the cubic of P. Hall ("On the removal of skewness by transformation", Journal of the Royal Statistical Society
    B 54, 1992, 221-228), and the interval is what Student's t says of that, undone.
    """
    mean, error, skewness = _moments(values)
    return skewed_by(mean, error, skewness, values.shape[-1])


def skewed_by(
    mean: NDArray[np.float64], error: NDArray[np.float64], skewness: NDArray[np.float64], count: int
) -> Spread:
    """Return the intervals of `skewed` for ``count`` values of which only this is known."""
    if count < 2:
        return Spread(mean, error, mean - np.inf, mean + np.inf)
    bend = _bend(skewness, count)

    def undone(symmetric: float) -> NDArray[np.float64]:
        statistic: NDArray[np.float64] = 3 / bend * (np.cbrt(1 + bend * (symmetric - bend / 6)) - 1)
        return statistic

    reach = quantile(count - 1)
    return Spread(mean, error, mean - error * undone(reach), mean - error * undone(-reach))


def either(values: NDArray[np.float64]) -> Spread:
    """Return the means of differences with intervals that reach to each side as far as `skewed` or Student's t does.

    Differences of unlike agents are skewed, and Student's t misses some; those of equal ones are symmetric with long
    tails, and what `skewed` takes for skewness is chance. Beforehand nobody knows which it is.
    """
    mean, error, low, high = skewed(values)
    if (count := values.shape[-1]) < 2:
        return Spread(mean, error, low, high)
    reach = quantile(count - 1) * error
    return Spread(mean, error, np.minimum(low, mean - reach), np.maximum(high, mean + reach))


def by_chance(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely means at least as far from 0 are if the truth is 0; 5 % where `either` ends at 0."""
    from scipy.special import stdtr

    mean, error, skewness = _moments(values)
    if (count := values.shape[-1]) < 2:
        return np.ones_like(mean)
    statistic = np.divide(mean, error, out=np.where(mean == 0, 0.0, np.inf), where=error > 0)
    bend = _bend(skewness, count)
    symmetric = ((1 + bend * statistic / 3) ** 3 - 1) / bend + bend / 6
    nearer = np.where(error > 0, np.minimum(np.abs(statistic), np.abs(symmetric)), statistic)
    chance: NDArray[np.float64] = 2 * stdtr(count - 1, -nearer)
    return chance


def quantile(freedom: int) -> float:
    """Return how many standard errors a Student's t interval reaches to each side."""
    from scipy.special import stdtrit  # imported late, as it is slow

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def holm(chances: Sequence[float]) -> tuple[bool, ...]:
    """Tell which of several findings hold together: one that does not is among them with 5 % at most.

    The smallest chance is held against 5 % shared by all of them, the next against 5 % shared by the others, and
    so on up to the first that fails (S. Holm, "A simple sequentially rejective multiple test procedure",
    Scandinavian Journal of Statistics 6, 1979, 65-70).

    Args:
        chances: For each finding, how likely it would come about by chance alone.

    >>> holm([0.04, 0.01, 0.03])
    (False, True, False)
    """
    holds = [False] * len(chances)
    for left, place in zip(range(len(chances), 0, -1), np.argsort(chances, kind="stable"), strict=True):
        if chances[place] * left > 1 - CONFIDENCE:
            break
        holds[place] = True
    return tuple(holds)


def _moments(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return means, their standard errors, and the skewness of the values."""
    mean, count = values.mean(-1), values.shape[-1]
    error = values.std(-1, ddof=1) / np.sqrt(count) if count > 1 else np.full_like(mean, np.inf)
    apart = values - mean[..., None]
    cubes = np.einsum("...d,...d,...d->...", apart, apart, apart) / count
    squares = np.einsum("...d,...d->...", apart, apart) / count
    return mean, error, cubes / np.where(squares > 0, squares, 1) ** 1.5


def _bend(skewness: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return how far the transformation bends; towards 0 it has a limit, reached to within a millionth here."""
    bend = skewness / np.sqrt(count)
    return np.where(np.abs(bend) < 1e-6, 1e-6, bend)
