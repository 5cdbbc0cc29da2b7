"""Doubts: that of some facts, each about one mainline, not all are true."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.guards import Reading
from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.survivors import Sieve

Choice = tuple[int, ...]
"""The predicates behind a guard: one for each branch, or one in all if they are tied."""
Readings = tuple[tuple[int, Reading], ...]
"""By branch of a guard, the place of its predicate in a choice, and how it is read."""
Places = tuple[tuple[int, Reading], ...]
"""Places of facts, and how the predicate that each is about is read."""


class Fact(NamedTuple):
    """What may be true of a rule after one mainline: that a card is legal, or that it judges like another rule."""

    branches: NDArray[np.int8]
    """Shape (guards,): the branch of each guard."""
    true: tuple[NDArray[np.bool_], ...]
    """By reading, of which predicates it is true."""
    free: bool
    """Whether it is true where all cards are legal."""


class NotAll:
    """Not all of some facts are true: a string was wrong, or a rule that was stated."""

    def __init__(self, facts: Sequence[Fact], noise: float) -> None:
        """Store the facts; with the chance ``noise`` all of them are true none the less."""
        self._facts = facts
        self.noise = noise
        self._sieves: dict[tuple[bool, Places], Sieve] = {}

    def places(self, guard: int, readings: Readings) -> dict[int, Places] | None:
        """Return by place in a choice which facts are about it; None if one is false whatever the predicates."""
        found: dict[int, Places] = {}
        for place, fact in enumerate(self._facts):
            branch = int(fact.branches[guard])
            if branch != FREE:
                slot, reading = readings[branch]
                found[slot] = (*found.get(slot, ()), (place, reading))
            elif not fact.free:
                return None
        return found

    def sieve(self, places: Places, *, true: bool) -> Sieve:
        """Return what lets those predicates through of which the facts at ``places`` are all true, or not all."""
        key = true, places
        if key not in self._sieves:
            several = [self._facts[place].true[how] for place, how in places]
            # Where one predicate is read in two ways all are local, and so the others need no answer.
            shared = min(map(len, several))
            all_true: NDArray[np.bool_] = np.logical_and.reduce([true[:shared] for true in several])
            odds = np.where(all_true, self.noise, 1 - self.noise) if self.noise else ~all_true
            self._sieves[key] = Sieve(all_true if true else odds)
        return self._sieves[key]

    def contradicts(self, guard: int, readings: Readings, chosen: Choice) -> bool:
        """Tell whether all facts are true of a rule."""
        for fact in self._facts:
            branch = int(fact.branches[guard])
            if branch == FREE:
                true = fact.free
            else:
                slot, reading = readings[branch]
                true = bool(fact.true[reading][chosen[slot]])
            if not true:
                return False
        return True
