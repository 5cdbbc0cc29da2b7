"""How even line-ups are, after every number of deals: the largest count less the smallest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations, permutations, product
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.arena.line_ups import PERIOD, line_ups

Pair: TypeAlias = tuple[int, int]


class Gaps(NamedTuple):
    """Largest less smallest count, over agents or pairs of different agents."""

    seats: int
    """How often an agent sits down."""
    chairs: int
    """How often an agent sits on a chair."""
    meetings: int
    """How often two agents sit at the same table."""
    lefts: int
    """How often an agent sits on the left of another."""


class Tally:
    """Counts who sat where, with whom, and on whose left."""

    def __init__(self, agents: int, chairs: int) -> None:
        self.agents, self.chairs = range(agents), range(chairs)
        self.on_chair, self.meetings, self.lefts = Counter[Pair](), Counter[Pair](), Counter[Pair]()

    def add(self, line_up: tuple[int, ...]) -> None:
        self.on_chair.update((agent, chair) for chair, agent in enumerate(line_up))
        self.meetings.update((min(pair), max(pair)) for pair in combinations(line_up, 2))
        self.lefts.update((line_up[chair - 1], agent) for chair, agent in enumerate(line_up))

    def gaps(self) -> Gaps:
        return Gaps(
            gap(sum(self.on_chair[agent, chair] for chair in self.chairs) for agent in self.agents),
            gap(self.on_chair[place] for place in product(self.agents, self.chairs)),
            gap(self.meetings[pair] for pair in combinations(self.agents, 2)),
            gap(self.lefts[pair] for pair in permutations(self.agents, 2)),
        )


def gap(counts: Iterable[int]) -> int:
    found = list(counts)
    return max(found) - min(found) if found else 0


def worst_gaps(agents: int, chairs: int, deals: int, *, rotate: bool) -> Gaps:
    """Return the largest gaps that there are after any number of deals up to ``deals``."""
    tally, found = Tally(agents, chairs), []
    for deal in range(deals):
        for line_up in line_ups(agents, chairs, deal=deal, rotate=rotate):
            tally.add(line_up)
        found.append(tally.gaps())
    return Gaps(*(max(column) for column in zip(*found, strict=True)))


WORST = {
    (True, 1, 4): Gaps(0, 0, 0, 0),
    (True, 2, 4): Gaps(0, 0, 0, 0),
    (True, 3, 4): Gaps(0, 0, 0, 3),
    (True, 4, 4): Gaps(0, 0, 0, 8),
    (True, 5, 4): Gaps(0, 0, 0, 6),
    (True, 6, 4): Gaps(0, 0, 6, 7),
    (True, 6, 5): Gaps(0, 0, 0, 10),
    (True, 7, 4): Gaps(0, 0, 9, 9),
    (True, 8, 4): Gaps(0, 0, 12, 11),
    (True, 8, 7): Gaps(0, 0, 0, 17),
    (True, 8, 8): Gaps(0, 0, 0, 24),
    (False, 1, 4): Gaps(0, 0, 0, 0),
    (False, 2, 4): Gaps(0, 2, 0, 0),
    (False, 3, 4): Gaps(1, 2, 1, 1),
    (False, 4, 4): Gaps(0, 2, 0, 2),
    (False, 5, 4): Gaps(1, 2, 2, 2),
    (False, 6, 4): Gaps(1, 3, 4, 3),
    (False, 8, 4): Gaps(1, 3, 5, 3),
    (False, 8, 7): Gaps(1, 4, 2, 4),
    (False, 20, 4): Gaps(1, 4, 5, 4),
}
"""By rotation, agents and chairs: the largest gaps over a period. A deal that is rotated is as many rounds as agents,
so that a gap of so many is one deal."""


@pytest.mark.parametrize(("rotate", "agents", "chairs"), WORST)
def test_line_ups_are_even_after_any_number_of_deals(rotate: bool, agents: int, chairs: int) -> None:
    found = worst_gaps(agents, chairs, 40, rotate=rotate)
    assert all(gap <= most for gap, most in zip(found, WORST[rotate, agents, chairs], strict=True)), found


@pytest.mark.long
@pytest.mark.parametrize(("rotate", "agents", "chairs"), WORST)
def test_line_ups_are_even_all_through_a_period(rotate: bool, agents: int, chairs: int) -> None:
    assert worst_gaps(agents, chairs, PERIOD, rotate=rotate) == WORST[rotate, agents, chairs]


@pytest.mark.long
@pytest.mark.parametrize(("rotate", "agents", "chairs"), [(True, 6, 4), (False, 6, 4), (True, 4, 4), (False, 8, 4)])
def test_gaps_of_many_periods_hardly_add_up(rotate: bool, agents: int, chairs: int) -> None:
    tally, periods = Tally(agents, chairs), 100
    for deal in range(periods * PERIOD):
        for line_up in line_ups(agents, chairs, deal=deal, rotate=rotate):
            tally.add(line_up)
    for gap_, most in zip(tally.gaps(), WORST[rotate, agents, chairs], strict=True):
        assert gap_ <= most * periods**0.5 * 2


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 40), st.integers(0, 10**6), st.booleans())
def test_a_deal_is_fair_by_itself(agents: int, chairs: int, place: int, period: int, rotate: bool) -> None:
    drawn = line_ups(agents, chairs, deal=period * PERIOD + place, rotate=rotate)
    assert len(drawn) == (agents if rotate else 1)
    for line_up in drawn:
        assert set(line_up) <= set(range(agents))
        assert gap(line_up.count(agent) for agent in range(agents)) <= 1
    if rotate:
        for chair in zip(*drawn, strict=True):
            assert sorted(chair) == list(range(agents))


def test_the_first_line_up_has_the_agents_in_their_order() -> None:
    assert line_ups(3, 4, deal=0, rotate=True) == ((0, 1, 2, 0), (1, 2, 0, 1), (2, 0, 1, 2))
    assert line_ups(5, 4, deal=0, rotate=False) == ((0, 1, 2, 3),)
