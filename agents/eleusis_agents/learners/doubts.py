"""Doubts: that of some facts, each about one mainline, not all are true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.survivors import Sieve

Choice = tuple[int, ...]
"""A predicate for each branch of a guard."""


class Fact(NamedTuple):
    """What may be true of a rule after one mainline: that a card is legal, or that it judges like another rule."""

    branches: NDArray[np.int8]
    """Shape (guards,): the branch of each guard."""
    true: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    """Of which predicates it is true: first of those on the last card, then of those on the one before it."""
    free: bool
    """Whether it is true where all cards are legal."""


class NotAll:
    """Not all of some facts are true: a string was wrong, or a rule that was stated."""

    def __init__(self, facts: Sequence[Fact], noise: float) -> None:
        """Store the facts; with the chance ``noise`` all of them are true none the less."""
        self._facts = facts
        self.noise = noise
        self._sieves: dict[tuple[bool, int, Choice], Sieve] = {}

    def places(self, guard: int) -> dict[int, Choice] | None:
        """Return by branch of ``guard`` which facts are about it; None if one is false whatever the predicates."""
        found: dict[int, Choice] = {}
        for place, fact in enumerate(self._facts):
            branch = int(fact.branches[guard])
            if branch != FREE:
                found[branch] = (*found.get(branch, ()), place)
            elif not fact.free:
                return None
        return found

    def sieve(self, side: int, places: Choice, *, true: bool) -> Sieve:
        """Return what lets those predicates through of which the facts at ``places`` are all true, or not all."""
        key = true, side, places
        if key not in self._sieves:
            all_true: NDArray[np.bool_] = np.logical_and.reduce([self._facts[place].true[side] for place in places])
            odds = np.where(all_true, self.noise, 1 - self.noise) if self.noise else ~all_true
            self._sieves[key] = Sieve(all_true if true else odds)
        return self._sieves[key]

    def contradicts(self, guard: int, side: int, chosen: Choice) -> bool:
        """Tell whether all facts are true of a rule."""
        branches = [int(fact.branches[guard]) for fact in self._facts]
        return all(
            fact.free if branch == FREE else bool(fact.true[side][chosen[branch]])
            for fact, branch in zip(self._facts, branches, strict=True)
        )
