"""Means that are taken deal by deal in one pass, since rounds of one deal are not independent."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import cache

from eleusis_ai.charts import Interval

CONFIDENCE = 0.95
"""How often an interval is to hold the true mean."""


class RunningMean:
    """The mean of the deals' means of something, and its interval; values of one deal come one after the other."""

    def __init__(self) -> None:
        self.count = 0
        """How many values there are."""
        self._deal: Hashable = None
        self._sum = 0.0
        self._size = 0
        self._deals = 0
        self._mean = 0.0
        self._squares = 0.0

    def add(self, deal: Hashable, value: float) -> None:
        """Take in a value from ``deal``."""
        if deal != self._deal:
            self._close()
            self._deal = deal
        self.count += 1
        self._sum += value
        self._size += 1

    @property
    def deals(self) -> int:
        """How many deals the values come from."""
        self._close()
        return self._deals

    def interval(self) -> Interval:
        """Return the mean with Student's interval over the deals, which is unbounded if there is only one.

        There must be a value.
        """
        self._close()
        assert self._deals, "nothing has no mean"
        if self._deals == 1:
            return Interval(self._mean, -math.inf, math.inf)
        error = math.sqrt(self._squares / (self._deals - 1) / self._deals)
        reach = _student(self._deals - 1) * error
        return Interval(self._mean, self._mean - reach, self._mean + reach)

    def _close(self) -> None:
        """Take the mean of the deal that was open into that of the deals (B. P. Welford's way, 1962)."""
        if not self._size:
            return
        self._deals += 1
        found = self._sum / self._size
        off = found - self._mean
        self._mean += off / self._deals
        self._squares += off * (found - self._mean)
        self._sum, self._size, self._deal = 0.0, 0, None


@cache
def _student(freedom: int) -> float:
    """Return how many standard errors the interval reaches to each side of the mean."""
    from scipy.special import stdtrit  # imported late, as it is slow

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
