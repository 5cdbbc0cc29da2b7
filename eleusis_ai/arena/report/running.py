"""Means that are taken deal by deal in one pass, since rounds of one deal are not independent."""

from __future__ import annotations

import math
from collections.abc import Hashable

import numpy as np

from eleusis_ai.arena.intervals import skewed_by
from eleusis_ai.charts import Interval


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
        self._cubes = 0.0

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
        """Return the mean with its interval over the deals, which are skewed, as points are; see `intervals.skewed`.

        It is unbounded if there is only one deal. There must be a value.
        """
        self._close()
        assert self._deals, "nothing has no mean"
        variance = self._squares / self._deals
        error = math.sqrt(variance / (self._deals - 1)) if self._deals > 1 else math.inf
        skewness = self._cubes / self._deals / variance**1.5 if variance > 0 else 0.0
        found = skewed_by(np.array(self._mean), np.array(error), np.array(skewness), self._deals)
        return Interval(float(found.mean), float(found.low), float(found.high))

    def _close(self) -> None:
        """Take the mean of the deal that was open into the moments of the deals' (T. Terriberry's way, 2007)."""
        if not self._size:
            return
        before, self._deals = self._deals, self._deals + 1
        off = self._sum / self._size - self._mean
        step = off / self._deals
        self._cubes += step**2 * off * before * (before - 1) - 3 * step * self._squares
        self._squares += off * step * before
        self._mean += step
        self._sum, self._size, self._deal = 0.0, 0, None
