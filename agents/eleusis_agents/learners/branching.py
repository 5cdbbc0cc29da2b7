"""What evidence leaves of the rules behind one guard: survivors for each branch, and doubts across branches."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import NamedTuple

from eleusis_agents.learners.doubts import Choice, NotAll
from eleusis_agents.learners.guards import Guard
from eleusis_agents.learners.survivors import Sieve, Survivors

MOST_TERMS = 16
"""Terms of one guard's sum; a doubt that would bring more waits until some have vanished."""
NEGLIGIBLE = 1e-13
"""Share of the first term's weight below which a term has vanished."""
TRIES = 50
"""Draws for each rule that is wanted before one that a doubt contradicts is taken."""


class Term(NamedTuple):
    """Rules with a sign: survivors for each predicate that is chosen, for most guards one in each branch.

    That something is not true of all branches says nothing of one, but its opposite says something of each: the
    rules of which it is not true are all rules, less those of which it is.
    """

    sign: float
    chosen: tuple[Survivors, ...]

    @property
    def weight(self) -> float:
        """The sign, times the chance of all that was seen."""
        weight = self.sign
        for survivors in self.chosen:
            weight *= survivors.total
        return weight

    def sifted(self, slot: int, sieve: Sieve) -> Term:
        """Return the term after something was seen of one predicate."""
        chosen = self.chosen
        return Term(self.sign, (*chosen[:slot], sieve(chosen[slot]), *chosen[slot + 1 :]))


class Branching:
    """The rules behind one guard."""

    def __init__(self, index: int, guard: Guard, prior: float, root: Survivors) -> None:
        self.index = index
        self.readings = guard.readings
        """By branch, the place of its predicate in a choice, and how it is read."""
        self.factor = prior
        """The prior of the guard, times the chance of what was seen where no branch had a say."""
        self.terms = [Term(1.0, (root,) * guard.slots)]
        self._across: list[NotAll] = []
        self._waiting: list[NotAll] = []

    @property
    def weight(self) -> float:
        """The prior chance of the guard together with all that was seen."""
        if len(self.terms) == 1:
            return self.factor * self.terms[0].weight
        return max(0.0, self.factor * sum(term.weight for term in self.terms))

    def sift(self, branch: int, sieve: Sieve) -> None:
        """Take in what was seen in one branch."""
        self._sift(self.readings[branch][0], sieve)

    def _sift(self, slot: int, sieve: Sieve) -> None:
        self.terms = [term.sifted(slot, sieve) for term in self.terms]
        if len(self.terms) > 1 or self._waiting:
            self._tidy()

    def add(self, doubt: NotAll) -> None:
        """Take in that some facts are not all true."""
        places = doubt.places(self.index, self.readings)
        if places is None:
            self.factor *= 1 - doubt.noise
        elif not places:
            self.factor *= doubt.noise
        elif len(places) == 1:
            ((slot, where),) = places.items()
            self._sift(slot, doubt.sieve(where, true=False))
        else:
            self._across.append(doubt)
            self._waiting.append(doubt)
            self._tidy()

    def draw(self, count: int, rng: Random) -> Iterator[Choice]:
        """Yield ``count`` rules drawn by weight, such that no doubt contradicts them."""
        plain, left = self.terms[0], TRIES * count
        while count:
            for chosen in zip(*(survivors.draw(count, rng) for survivors in plain.chosen), strict=True):
                left -= 1
                if left < 0 or self.explains(chosen):
                    count -= 1
                    yield chosen

    def heaviest(self, most: int) -> Iterator[tuple[Choice, float]]:
        """Yield some ``most`` of the heaviest rules with their weights."""
        plain = self.terms[0]
        width = max(2, int(most ** (1 / len(plain.chosen))))
        for several in product(*(survivors.heaviest(width) for survivors in plain.chosen)):
            chosen = tuple(row for row, _ in several)
            if self.explains(chosen):
                weight = self.factor * plain.weight
                for _, share in several:
                    weight *= share
                yield chosen, weight

    def explains(self, chosen: Choice) -> bool:
        """Tell whether no doubt across branches contradicts a rule for sure."""
        return all(doubt.noise or not doubt.contradicts(self.index, self.readings, chosen) for doubt in self._across)

    def _tidy(self) -> None:
        """Forget terms that have vanished, and take in doubts that have waited for that."""
        least = NEGLIGIBLE * abs(self.terms[0].weight)
        self.terms[1:] = [term for term in self.terms[1:] if abs(term.weight) > least]
        while self._waiting and 2 * len(self.terms) <= MOST_TERMS:
            doubt = self._waiting.pop(0)
            true = self.terms
            for slot, where in (doubt.places(self.index, self.readings) or {}).items():
                sieve = doubt.sieve(where, true=True)
                true = [term.sifted(slot, sieve) for term in true]
            true = [Term(-term.sign * (1 - 2 * doubt.noise), term.chosen) for term in true if term.weight]
            self.terms = [Term(term.sign * (1 - doubt.noise), term.chosen) for term in self.terms] + true
