"""Line-ups balanced over many deals: who sits on which chair, with whom, and on whose left."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import TypeAlias

from eleusis_ai.seeds import generator

PERIOD = 240
"""Deals after which the line-ups come again, the agents having changed places with each other."""
CANDIDATES = 64
"""Line-ups that are drawn for a deal; the one is taken that makes up best for the deals before it."""

LineUp: TypeAlias = tuple[int, ...]
"""An agent's number by chair; the next chair is on the left, and the first one next to the last."""


def line_ups(agents: int, chairs: int, *, deal: int, rotate: bool) -> tuple[LineUp, ...]:
    """Return who sits on the chairs in a deal.

    That is one line-up; with ``rotate`` as many as agents, so that each sits on every chair once. The first one of
    all has the agents in their order. Over the deals any two agents meet about equally often, each sits about
    equally often on the left of each, and, without rotation, on each chair. Where agents are fewer than chairs,
    some sit on several. The cost is that of `PERIOD` deals at most, once in a process.
    """
    period, place = divmod(deal, PERIOD)
    drawn = _design(agents, chairs, rotate=rotate).deal(place)
    if not period:
        return drawn
    names = list(range(agents))
    generator(f"line-ups/{agents}/{chairs}/{period}").shuffle(names)
    return tuple(tuple(names[agent] for agent in line_up) for line_up in drawn)


class _Design:
    """The line-ups of a period, made as far as they are asked for."""

    def __init__(self, agents: int, chairs: int, *, rotate: bool) -> None:
        self._agents, self._chairs, self._rotate = agents, chairs, rotate
        self._rng = generator(f"line-ups/{agents}/{chairs}")
        self._deals: list[tuple[LineUp, ...]] = []
        self._seats = [0] * agents
        self._times = Counter[tuple[str, int, int]]()

    def deal(self, place: int) -> tuple[LineUp, ...]:
        """Return the line-ups of the deal at ``place``."""
        while len(self._deals) <= place:
            found = min((self._drawn() for _ in range(CANDIDATES)), key=self._crowding)
            self._deals.append(found)
            for line_up in found:
                self._times.update(_facts(line_up))
                for agent in line_up:
                    self._seats[agent] += 1
        return self._deals[place]

    def _drawn(self) -> tuple[LineUp, ...]:
        """Draw line-ups for a deal; if not all can sit equally often, those do who have sat least."""
        order = list(range(self._agents))
        places = [chair % self._agents for chair in range(self._chairs)]
        if self._deals:
            self._rng.shuffle(order)
        if not self._rotate:
            order.sort(key=self._seats.__getitem__)
        if self._deals and (not self._rotate or self._agents < self._chairs):
            self._rng.shuffle(places)
        turns = range(self._agents if self._rotate else 1)
        return tuple(tuple(order[(place + turn) % self._agents] for place in places) for turn in turns)

    def _crowding(self, drawn: tuple[LineUp, ...]) -> int:
        """Return how often there has been already what these line-ups would bring."""
        return sum(self._times[fact] for line_up in drawn for fact in _facts(line_up))


@cache
def _design(agents: int, chairs: int, *, rotate: bool) -> _Design:
    return _Design(agents, chairs, rotate=rotate)


def _facts(line_up: LineUp) -> list[tuple[str, int, int]]:
    """Return what is to be equally frequent: who sits where, on whose left, and with whom."""
    facts = [("chair", agent, chair) for chair, agent in enumerate(line_up)]
    facts += [("left", line_up[chair - 1], agent) for chair, agent in enumerate(line_up)]
    facts += [("with", min(pair), max(pair)) for pair in combinations(line_up, 2)]
    return facts
