"""Which branch of each guard a mainline is in, remembered by what the guards look at."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.atoms import cards_needed
from eleusis_agents.learners.guards import Guard
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

FREE = -1
"""The branch of a guard that looks for a mainline card that is not there: all cards are legal."""
REMEMBERED = 8_192
"""Situations of which the branches are kept."""


class Situations:
    """The branches of guards, worked out once for each part of the mainline that matters."""

    def __init__(self, guards: Sequence[Guard]) -> None:
        """Read the guards' tests."""
        self.guards = tuple(guards)
        self.tests = tuple(tuple(map(Rule.parse, guard.tests)) for guard in guards)
        """The tests of each guard."""
        self._ways = [guard.branch or _tried(tests) for guard, tests in zip(guards, self.tests, strict=True)]
        places: dict[str, list[int]] = {}
        for index, tests in enumerate(self.tests):
            places.setdefault(_sight(tests), []).append(index)
        self._groups = [(_KEYS[sight], np.array(members)) for sight, members in places.items()]
        self._known: list[dict[object, NDArray[np.int8]]] = [{} for _ in self._groups]

    def branches(self, mainline: Cards) -> NDArray[np.int8]:
        """Return the branch that each guard takes after ``mainline``, or ``FREE``: shape (guards,)."""
        found = np.empty(len(self.guards), np.int8)
        for (key_of, places), known in zip(self._groups, self._known, strict=True):
            key = key_of(mainline)
            chosen = known.get(key)
            if chosen is None:
                if len(known) >= REMEMBERED:
                    known.clear()
                chosen = known[key] = np.array([self._ways[place](mainline) for place in places], np.int8)
            found[places] = chosen
        return found


_KEYS: dict[str, Callable[[Cards], object]] = {
    "last": lambda mainline: mainline[-1:],
    "two": lambda mainline: mainline[-2:],
    "position": len,
    "line": lambda mainline: mainline,
}


def _sight(tests: tuple[Rule, ...]) -> str:
    """Return the key of ``_KEYS`` for all that the tests look at."""
    if any(test.lookback is None for test in tests):
        return "line"
    back = max((test.lookback or 0 for test in tests), default=0)
    if any(test.uses_position for test in tests):
        return "line" if back else "position"
    return "last" if back <= 1 else "two" if back == 2 else "line"


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
