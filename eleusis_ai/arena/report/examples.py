"""The rounds behind a number: of all that went into it the first, the last, and one in the middle."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

DRAWN = 15
"""Rounds drawn by lot, of which the middle one is shown."""


class Example(NamedTuple):
    """One round behind a number."""

    value: float
    """What it was chosen for, such as the points that an agent got."""
    run: int
    """Which of the runs that are reported, from 0."""
    number: int
    """Its place in the log, from 1."""
    key: str
    """What the log calls it."""


class Examples:
    """Keeps the rounds of the least and the largest value, and some drawn by lot, however many go by."""

    def __init__(self, chance: Random) -> None:
        self.rounds = 0
        """How many rounds there are; several values may come from one, if they come together."""
        self._chance = chance
        self._values = 0
        self._last: tuple[int, int] | None = None
        self._least: Example | None = None
        self._largest: Example | None = None
        self._drawn: list[Example] = []

    def add(self, example: Example) -> None:
        """Take in a round; of equal ones the first is kept."""
        if (here := (example.run, example.number)) != self._last:
            self.rounds += 1
            self._last = here
        self._values += 1
        if self._least is None or self._largest is None:
            self._least = self._largest = example
        elif example.value < self._least.value:
            self._least = example
        elif example.value > self._largest.value:
            self._largest = example
        if len(self._drawn) < DRAWN:
            self._drawn.append(example)
        elif (place := int(self._chance.random() * self._values)) < DRAWN:
            self._drawn[place] = example

    def shown(self) -> tuple[Example, ...]:
        """Return the rounds to show, the largest value first: up to three, the same one for two values maybe."""
        if self._least is None or self._largest is None:
            return ()
        middle = sorted(self._drawn)[len(self._drawn) // 2]
        return tuple(dict.fromkeys((self._largest, middle, self._least)))
