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


def student(values: NDArray[np.float64]) -> Spread:
    """Return the means along the last axis with Student's t intervals, which are unbounded if there is one value."""
    mean, error = _mean_and_error(values)
    if (count := values.shape[-1]) < 2:
        return Spread(mean, error, mean - np.inf, mean + np.inf)
    reach = quantile(count - 1) * error
    return Spread(mean, error, mean - reach, mean + reach)


def skewed(values: NDArray[np.float64]) -> Spread:
    """Return the means along the last axis with intervals that are right for skewed values too, as points are.

    Student's statistic is made symmetric by the cubic of P. Hall ("On the removal of skewness by transformation",
    Journal of the Royal Statistical Society B 54, 1992, 221-228), which can be undone; its quantiles are taken as
    those of Student's t. Without skewness the intervals are those of `student`.
    """
    mean, error = _mean_and_error(values)
    apart = values - mean[..., None]
    cubes, squares = (apart**3).mean(-1), (apart**2).mean(-1)
    return skewed_by(mean, error, cubes / np.where(squares > 0, squares, 1) ** 1.5, values.shape[-1])


def skewed_by(
    mean: NDArray[np.float64], error: NDArray[np.float64], skewness: NDArray[np.float64], count: int
) -> Spread:
    """Return the intervals of `skewed` for ``count`` values of which only this is known."""
    if count < 2:
        return Spread(mean, error, mean - np.inf, mean + np.inf)
    bend = skewness / np.sqrt(count)
    bend = np.where(np.abs(bend) < 1e-6, 1e-6, bend)  # its limit, to within a millionth of the error

    def undone(symmetric: float) -> NDArray[np.float64]:
        statistic: NDArray[np.float64] = 3 / bend * (np.cbrt(1 + bend * (symmetric - bend / 6)) - 1)
        return statistic

    reach = quantile(count - 1)
    return Spread(mean, error, mean - error * undone(reach), mean - error * undone(-reach))


def quantile(freedom: int) -> float:
    """Return how many standard errors a Student's t interval reaches to each side."""
    from scipy.special import stdtrit  # imported late, as it is slow

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def two_sided(mean: float, error: float, freedom: int) -> float:
    """Return how likely a mean would be at least as far from 0 by chance alone, by Student's t with ``freedom``."""
    from scipy.special import stdtr

    if freedom < 1 or mean == 0:
        return 1.0
    return 2 * float(stdtr(freedom, -abs(mean) / error)) if error else 0.0


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


def _mean_and_error(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    mean, count = values.mean(-1), values.shape[-1]
    error = values.std(-1, ddof=1) / np.sqrt(count) if count > 1 else np.full_like(mean, np.inf)
    return mean, error
