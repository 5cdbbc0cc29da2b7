"""Means with the interval they come with, taken rule by rule: rounds of one rule are not independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.charts import Interval
from eleusis_ai.seeds import generator

RESAMPLES = 4_000
"""Draws of as many clusters as there are."""
CONFIDENCE = 0.95
"""How often an interval is to hold the true mean."""


def by_cluster(values: Mapping[str, Sequence[float]]) -> Interval | None:
    """Return the mean of the clusters' means, with its bootstrap interval; None without values.

    Clusters are drawn with replacement, each with all that is in it; the interval lies between the percentiles
    of the means of the draws (B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993). The draws
    are the same for the same number of clusters. A cluster without values does not count.

    >>> str(by_cluster({"one rule": [1.0, 3.0], "another": [4.0]}))
    '3.00 [2.00, 4.00]'
    """
    means = np.array([sum(found) / len(found) for found in values.values() if found], np.float64)
    if not len(means):
        return None
    drawn = means[_draws(len(means))].mean(axis=1)
    low, high = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(*(round(float(figure), 9) for figure in (means.mean(), low, high)))


@cache
def _draws(clusters: int) -> NDArray[np.intp]:
    """Return which clusters are drawn: shape (`RESAMPLES`, clusters)."""
    rng = generator(f"bootstrap/{clusters}")
    places = rng.choices(range(clusters), k=RESAMPLES * clusters)
    return np.array(places, np.intp).reshape(RESAMPLES, clusters)
