"""What guards and conditions make of a mainline, remembered by what they look at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.atoms import cards_needed
from eleusis_agents.learners.glances import Glance
from eleusis_agents.learners.guards import Guard
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

FREE = -1
"""The branch of a guard that looks for a mainline card that is not there: all cards are legal."""
REMEMBERED = 4_096
"""Answers to one glance that are kept."""

Number = TypeVar("Number", np.int8, np.uint64)


class Answers(Generic[Number]):
    """Several questions about a mainline, asked once for all mainlines that are the same to them."""

    def __init__(self, asked: Sequence[tuple[Glance, Callable[[Cards], int]]], kind: type[Number]) -> None:
        """Store the questions, each with all that it looks at, and the type of the answers."""
        self._kind: type[Number] = kind
        self._asked = asked
        places: dict[Glance, list[int]] = {}
        for place, (glance, _) in enumerate(asked):
            places.setdefault(glance, []).append(place)
        self._groups = [(glance, np.array(members)) for glance, members in places.items()]
        self._known: list[dict[Hashable, NDArray[Number]]] = [{} for _ in self._groups]

    def after(self, mainline: Cards) -> NDArray[Number]:
        """Return all answers: shape (questions,)."""
        found = np.empty(len(self._asked), self._kind)
        for (glance, places), known in zip(self._groups, self._known, strict=True):
            key = glance(mainline)
            answers = known.get(key)
            if answers is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                answers = known[key] = np.array([self._asked[place][1](mainline) for place in places], self._kind)
            found[places] = answers
        return found

    def only(self, places: Sequence[int]) -> Answers[Number]:
        """Return some of the questions."""
        return Answers([self._asked[place] for place in places], self._kind)


class Situations:
    """The branches of guards."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        """Read the guards' tests."""
        self.guards = tuple(guards)
        self.tests = tuple(tuple(map(Rule.parse, guard.tests)) for guard in guards)
        """The tests of each guard."""
        asked = [(guard.glance, _tried(tests)) for guard, tests in zip(guards, self.tests, strict=True)]
        self._answers = Answers(asked, np.int8)

    def branches(self, mainline: Cards) -> NDArray[np.int8]:
        """Return the branch that each guard takes after ``mainline``, or ``FREE``: shape (guards,)."""
        return self._answers.after(mainline)


def _tried(tests: tuple[Rule, ...]) -> Callable[[Cards], int]:
    """Return what tries one test after the other."""
    asked = [(test, cards_needed(test)) for test in tests]

    def branch(mainline: Cards) -> int:
        for number, (test, needed) in enumerate(asked):
            if needed > len(mainline):
                return FREE
            if test.mask(mainline):
                return number
        return len(asked)

    return branch
