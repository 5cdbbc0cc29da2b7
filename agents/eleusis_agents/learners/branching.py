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
    """Rules with a sign.

    That something is not true of all branches says nothing of one, but its opposite says something of each: the
    rules of which it is not true are all rules, less those of which it is.
    """

    sign: float
    branches: tuple[Survivors, ...]

    @property
    def weight(self) -> float:
        """The sign, times the chance of all that was seen."""
        weight = self.sign
        for survivors in self.branches:
            weight *= survivors.total
        return weight

    def sifted(self, branch: int, sieve: Sieve) -> Term:
        """Return the term after something was seen in a branch."""
        branches = self.branches
        return Term(self.sign, (*branches[:branch], sieve(branches[branch]), *branches[branch + 1 :]))


class Branching:
    """The rules behind one guard."""

    def __init__(self, index: int, guard: Guard, prior: float, root: Survivors) -> None:
        self.index = index
        self.side = guard.anchor - 1
        self.factor = prior
        """The prior of the guard, times the chance of what was seen where no branch had a say."""
        self.terms = [Term(1.0, (root,) * guard.branches)]
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
        self.terms = [term.sifted(branch, sieve) for term in self.terms]
        if len(self.terms) > 1 or self._waiting:
            self._tidy()

    def add(self, doubt: NotAll) -> None:
        """Take in that some facts are not all true."""
        places = doubt.places(self.index)
        if places is None:
            self.factor *= 1 - doubt.noise
        elif not places:
            self.factor *= doubt.noise
        elif len(places) == 1:
            ((branch, where),) = places.items()
            self.sift(branch, doubt.sieve(self.side, where, true=False))
        else:
            self._across.append(doubt)
            self._waiting.append(doubt)
            self._tidy()

    def draw(self, count: int, rng: Random) -> Iterator[Choice]:
        """Yield ``count`` rules drawn by weight, such that no doubt contradicts them."""
        plain, left = self.terms[0], TRIES * count
        while count:
            for chosen in zip(*(survivors.draw(count, rng) for survivors in plain.branches), strict=True):
                left -= 1
                if left < 0 or self.explains(chosen):
                    count -= 1
                    yield chosen

    def heaviest(self, most: int) -> Iterator[tuple[Choice, float]]:
        """Yield some ``most`` of the heaviest rules with their weights."""
        plain = self.terms[0]
        width = max(2, int(most ** (1 / len(plain.branches))))
        for several in product(*(survivors.heaviest(width) for survivors in plain.branches)):
            chosen = tuple(row for row, _ in several)
            if self.explains(chosen):
                weight = self.factor * plain.weight
                for _, share in several:
                    weight *= share
                yield chosen, weight

    def explains(self, chosen: Choice) -> bool:
        """Tell whether no doubt across branches contradicts a rule for sure."""
        return all(doubt.noise or not doubt.contradicts(self.index, self.side, chosen) for doubt in self._across)

    def _tidy(self) -> None:
        """Forget terms that have vanished, and take in doubts that have waited for that."""
        least = NEGLIGIBLE * abs(self.terms[0].weight)
        self.terms[1:] = [term for term in self.terms[1:] if abs(term.weight) > least]
        while self._waiting and 2 * len(self.terms) <= MOST_TERMS:
            doubt = self._waiting.pop(0)
            true = self.terms
            for branch, where in (doubt.places(self.index) or {}).items():
                sieve = doubt.sieve(self.side, where, true=True)
                true = [term.sifted(branch, sieve) for term in true]
            true = [Term(-term.sign * (1 - 2 * doubt.noise), term.branches) for term in true if term.weight]
            self.terms = [Term(term.sign * (1 - doubt.noise), term.branches) for term in self.terms] + true
