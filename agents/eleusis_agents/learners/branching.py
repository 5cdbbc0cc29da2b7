"""What evidence leaves of the rules behind one guard: survivors for each branch, and strings across branches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.guards import Guard
from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.survivors import Sieve, Survivors

MOST_TERMS = 16
"""Terms of one guard's sum; a string that would bring more waits until some have vanished."""
NEGLIGIBLE = 1e-13
"""Share of the first term's weight below which a term has vanished."""
TRIES = 50
"""Draws for each rule that is wanted before one by which a string is right is taken."""
Choice = tuple[int, ...]
"""A predicate for each branch of a guard."""


class Term(NamedTuple):
    """Rules with a sign.

    That a string is wrong is no fact about one branch, but its opposite is a fact about each: the rules by which
    it is wrong are all rules, less those by which all its cards are legal.
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


class WrongString:
    """Cards one after the other of which at least one is illegal."""

    def __init__(
        self,
        branches: Sequence[NDArray[np.int8]],
        legal: Sequence[tuple[NDArray[np.bool_], NDArray[np.bool_]]],
        noise: float,
    ) -> None:
        """Store, for each card, the branch of each guard, and by which predicates it is legal.

        ``legal`` has the predicates on the last card first, then those on the one before it.
        """
        self._branches = branches
        self._legal = legal
        self.noise = noise
        self._sieves: dict[tuple[bool, int, Choice], Sieve] = {}

    def places(self, guard: int) -> dict[int, Choice]:
        """Return by branch of ``guard`` which of the cards fell there; cards that were free are left out."""
        found: dict[int, Choice] = {}
        for place, branches in enumerate(self._branches):
            branch = int(branches[guard])
            if branch != FREE:
                found[branch] = (*found.get(branch, ()), place)
        return found

    def sieve(self, side: int, places: Choice, *, right: bool) -> Sieve:
        """Return what lets those predicates through by which the cards at ``places`` are all legal, or not all."""
        key = right, side, places
        if key not in self._sieves:
            legal = self.all_legal(side, places)
            odds = np.array([1 - self.noise, self.noise])[legal.astype(np.intp)] if self.noise else ~legal
            self._sieves[key] = Sieve(legal if right else odds)
        return self._sieves[key]

    def all_legal(self, side: int, places: Choice) -> NDArray[np.bool_]:
        """Tell for each predicate whether all cards at ``places`` are legal by it."""
        legal: NDArray[np.bool_] = np.logical_and.reduce([self._legal[place][side] for place in places])
        return legal

    def is_right(self, guard: int, side: int, chosen: Choice) -> bool:
        """Tell whether all cards are legal by a rule."""
        return all(
            branches[guard] == FREE or legal[side][chosen[branches[guard]]]
            for branches, legal in zip(self._branches, self._legal, strict=True)
        )


class Branching:
    """The rules behind one guard."""

    def __init__(self, index: int, guard: Guard, prior: float, root: Survivors) -> None:
        self.index = index
        self.side = guard.anchor - 1
        self.factor = prior
        """The prior of the guard, times the chance of what was seen where no branch had a say."""
        self.terms = [Term(1.0, (root,) * guard.branches)]
        self._across: list[WrongString] = []
        self._waiting: list[WrongString] = []

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

    def add(self, string: WrongString) -> None:
        """Take in a wrong string."""
        places = string.places(self.index)
        if not places:
            self.factor *= string.noise
        elif len(places) == 1:
            ((branch, where),) = places.items()
            self.sift(branch, string.sieve(self.side, where, right=False))
        else:
            self._across.append(string)
            self._waiting.append(string)
            self._tidy()

    def draw(self, count: int, rng: Random) -> Iterator[Choice]:
        """Yield ``count`` rules drawn by weight, such that no string is right."""
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
        """Tell whether all strings across branches are wrong by a rule, or might be taken for wrong."""
        return not any(not string.noise and string.is_right(self.index, self.side, chosen) for string in self._across)

    def _tidy(self) -> None:
        """Forget terms that have vanished, and take in strings that have waited for that."""
        least = NEGLIGIBLE * abs(self.terms[0].weight)
        self.terms[1:] = [term for term in self.terms[1:] if abs(term.weight) > least]
        while self._waiting and 2 * len(self.terms) <= MOST_TERMS:
            string = self._waiting.pop(0)
            right = self.terms
            for branch, where in string.places(self.index).items():
                sieve = string.sieve(self.side, where, right=True)
                right = [term.sifted(branch, sieve) for term in right]
            right = [Term(-term.sign * (1 - 2 * string.noise), term.branches) for term in right if term.weight]
            self.terms = [Term(term.sign * (1 - string.noise), term.branches) for term in self.terms] + right
