"""The predicates that may still decide in a branch, with their weights, and sieves that let some of them through."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

Likelihood = NDArray[np.float64] | NDArray[np.bool_]
"""Shape (predicates,): the chance of what was seen by each predicate; truth values where it is 0 or 1."""

NEGLIGIBLE = 1e-10
"""Share of the heaviest weight below which a predicate is dropped, where evidence may be wrong."""


class Survivors:
    """Some predicates and their weights; never changed, since the branches of many guards share it."""

    __slots__ = ("rows", "total", "weights")

    rows: NDArray[np.int32]
    """Which predicates, ascending."""
    weights: NDArray[np.float64]
    """The prior probability of each, times the chance of all that was seen in the branch."""
    total: float
    """The sum of the weights."""

    def __init__(self, rows: NDArray[np.int32], weights: NDArray[np.float64]) -> None:
        self.rows = rows
        self.weights = weights
        self.total = float(weights.sum())

    @classmethod
    def of(cls, prior: NDArray[np.float64]) -> Survivors:
        """Return all predicates that ``prior`` gives a chance."""
        rows = np.flatnonzero(prior).astype(np.int32)
        return cls(rows, prior[rows])

    def sifted(self, likelihood: Likelihood) -> Survivors:
        """Return what is left after something was seen in the branch."""
        found = likelihood.take(self.rows)
        if found.dtype == np.bool_:
            kept = found.nonzero()[0]
            return self if len(kept) == len(found) else Survivors(self.rows.take(kept), self.weights.take(kept))
        weights = self.weights * found
        kept = (weights > NEGLIGIBLE * weights.max(initial=0.0)).nonzero()[0]
        return Survivors(self.rows.take(kept), weights.take(kept))

    def heaviest(self, count: int) -> list[tuple[int, float]]:
        """Return the ``count`` heaviest predicates with their shares of the total, the heaviest first."""
        some = np.arange(len(self.rows))
        if len(some) > count:
            least = np.partition(self.weights, -count)[-count]
            some = np.flatnonzero(self.weights >= least)
        order = some[np.argsort(-self.weights[some], kind="stable")][:count]
        return list(zip(self.rows[order].tolist(), (self.weights[order] / self.total).tolist(), strict=True))

    def draw(self, count: int, rng: Random) -> list[int]:
        """Return the predicates at ``count`` evenly spaced places of the weights laid end to end, shuffled."""
        ends = np.cumsum(self.weights)
        places = np.searchsorted(ends, (np.arange(count) + rng.random()) / count * ends[-1], side="right")
        found: list[int] = self.rows[np.minimum(places, len(self.rows) - 1)].tolist()
        rng.shuffle(found)
        return found


class Sieve:
    """What was seen, for all branches in which it was: survivors that go in twice come out once."""

    __slots__ = ("_known", "_likelihood")

    def __init__(self, likelihood: Likelihood) -> None:
        self._likelihood = likelihood
        self._known: dict[int, tuple[Survivors, Survivors]] = {}

    def __call__(self, survivors: Survivors) -> Survivors:
        """Return what is left of ``survivors``."""
        known = self._known.get(id(survivors))
        if known is None:
            # The survivors are kept with the answer, so that no other ones can take their identity.
            known = self._known[id(survivors)] = survivors, survivors.sifted(self._likelihood)
        return known[1]
