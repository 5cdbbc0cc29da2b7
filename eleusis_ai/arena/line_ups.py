"""Line-ups balanced over many deals: who sits on which chair, with whom, and on whose left."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.seeds import generator

PERIOD = 240
"""Deals after which the line-ups come again, the agents having changed places with each other."""
CANDIDATES = 64
"""Line-ups that are drawn for a deal; the one is taken that makes up best for the deals before it."""

LineUp: TypeAlias = tuple[int, ...]
"""An agent's number by chair; the next chair is on the left, and the first one next to the last."""


@lru_cache(maxsize=64)  # a deal's rounds ask for it one after the other
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
        # How often so far: each on each chair, on the left of each, and at a table with each.
        self._on_chair = np.zeros((agents, chairs), np.int64)
        self._on_left = np.zeros((agents, agents), np.int64)
        self._together = np.zeros((agents, agents), np.int64)
        self._pairs = np.triu_indices(chairs, 1)

    def deal(self, place: int) -> tuple[LineUp, ...]:
        """Return the line-ups of the deal at ``place``."""
        while len(self._deals) <= place:
            drawn = np.array([self._drawn() for _ in range(CANDIDATES if self._deals else 1)])
            self._take(drawn[np.argmin(self._crowding(drawn))])
        return self._deals[place]

    def _drawn(self) -> list[list[int]]:
        """Draw line-ups for a deal; if not all can sit equally often, those do who have sat least."""
        order = list(range(self._agents))
        places = [chair % self._agents for chair in range(self._chairs)]
        if self._deals:
            self._rng.shuffle(order)
        if not self._rotate:
            order.sort(key=self._on_chair.sum(axis=1).__getitem__)
        if self._deals and (not self._rotate or self._agents < self._chairs):
            self._rng.shuffle(places)
        turns = range(self._agents if self._rotate else 1)
        return [[order[(place + turn) % self._agents] for place in places] for turn in turns]

    def _crowding(self, drawn: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how often there has been already what each of ``drawn`` would bring; one number for each."""
        first, second = self._pairs
        chairs = self._on_chair[drawn, np.arange(self._chairs)].sum(axis=(1, 2))
        lefts = self._on_left[np.roll(drawn, 1, axis=2), drawn].sum(axis=(1, 2))
        meetings = self._together[drawn[:, :, first], drawn[:, :, second]].sum(axis=(1, 2))
        crowding: NDArray[np.int64] = chairs + lefts + meetings
        return crowding

    def _take(self, found: NDArray[np.int64]) -> None:
        first, second = self._pairs
        np.add.at(self._on_chair, (found, np.arange(self._chairs)), 1)
        np.add.at(self._on_left, (np.roll(found, 1, axis=1), found), 1)
        for one, other in ((first, second), (second, first)):
            np.add.at(self._together, (found[:, one], found[:, other]), 1)
        self._deals.append(tuple(tuple(line_up) for line_up in found.tolist()))


@cache
def _design(agents: int, chairs: int, *, rotate: bool) -> _Design:
    return _Design(agents, chairs, rotate=rotate)
