"""Who did better: what each agent got, how sure the differences are, and how strong each agent is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import msgspec
import numpy as np

from eleusis_ai.arena.intervals import by_chance, either, holm, skewed
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.strengths import Strengths, strengths
from eleusis_ai.arena.tally import Count, DealMeans, Tally


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One agent's line in a ranking; counts are of seats in rounds."""

    agent: str
    deals: int
    """How many deals it had a part in."""
    seat_rounds: int
    """Seats played, over all rounds."""
    dealt: int
    """Of them, those on which it dealt; the counts below are of the others."""
    points: float
    """Mean of the deals' mean points for a seat in a round."""
    error: float
    """Standard error of ``points``, taken from deal to deal; infinite if there is only one."""
    low: float
    """From where the 95 % interval of ``points`` reaches."""
    high: float
    """Up to where it reaches."""
    won: int
    declared: int
    in_office: int
    overthrown: int
    expelled: int
    matches: int
    """Places taken in matches that were played to their end."""
    matches_won: int
    """Of them, those with the highest total; where several tie, all of them won."""
    milliseconds: float | None
    """Mean time of a decision; None: not known."""
    faults: dict[str, int]
    """How many moves were made for it, by what it did instead of answering."""

    @property
    def scientist_rounds(self) -> int:
        """Seats played, those of a dealer left out."""
        return self.seat_rounds - self.dealt


class Difference(NamedTuple):
    """How many more points one agent gets than another: the mean, and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:.1f}, {self.high:.1f}]"


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two agents compared."""

    better: str
    worse: str
    difference: Difference
    """How many more points the first gets."""
    deals: int
    """In how many deals both had a part."""
    chance: float
    """How likely a difference as large would be by chance alone."""
    holds: bool
    """Whether the difference still holds when all pairs are looked at, by Holm's correction at 5 %."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The agents of a tournament, best first."""

    standings: tuple[Standing, ...]
    pairs: tuple[Pair, ...]
    """Every pair of agents, in the order of the standings."""
    strengths: Strengths | None
    """None: not all agents can be compared."""
    heroes: bool
    """Whether only the heroes' seats are rated."""
    deal_means: Mapping[str, DealMeans] = field(compare=False, repr=False)
    """What each agent got deal by deal."""

    def paired_difference(self, a: str, b: str) -> Difference:
        """Return how many more points ``a`` gets than ``b`` for a seat in a round, as `paired_difference` does."""
        return paired_difference(self.deal_means[a], self.deal_means[b])


def paired_difference(a: DealMeans, b: DealMeans) -> Difference:
    """Return how many more points ``a`` brought than ``b`` for a seat in a round.

    The difference is taken within each deal that both have, and the interval over these deals; it is unbounded if
    there are fewer than two. Deals of one alone are left out: what the other would have got
    there is not known. Where there are none in common, the means differ by what is returned, and nothing is sure.
    """
    return _paired(a, b)[0]


def rank(outcomes: Iterable[Outcome], timings: Iterable[Timing] = ()) -> Ranking:
    """Rank agents by mean points, from what came of the rounds; equal ones stay in their order.

    Outcomes are read once and not kept: a few bytes are, for each agent of each deal.

    Raises:
        InvalidKey: if the key of an outcome is none.
        PartedDeal: if the outcomes of a deal do not follow one another.
    """
    tally = Tally()
    tally.add(outcomes)
    times = _milliseconds(timings)
    means = tally.deal_means()
    standings = [_standing(agent, count, means[agent], times.get(agent)) for agent, count in tally.counts.items()]
    standings.sort(key=lambda standing: -standing.points)
    return Ranking(
        standings=tuple(standings),
        pairs=_pairs({standing.agent: means[standing.agent] for standing in standings}),
        strengths=strengths(tuple(means), tally.comparisons()),
        heroes=tally.heroes,
        deal_means=means,
    )


def _milliseconds(timings: Iterable[Timing]) -> dict[str, float]:
    """Return the mean time of a decision by agent."""
    seconds: dict[str, float] = defaultdict(float)
    decisions: dict[str, int] = defaultdict(int)
    for timing in timings:
        for agent in timing.seconds:
            seconds[agent] += timing.seconds[agent]
            decisions[agent] += timing.decisions[agent]
    return {agent: 1000 * seconds[agent] / count for agent, count in decisions.items() if count}


def _standing(agent: str, count: Count, means: DealMeans, milliseconds: float | None) -> Standing:
    found = skewed(means.means)
    return Standing(
        agent=agent,
        deals=len(means.deals),
        seat_rounds=count.seat_rounds,
        dealt=count.dealt,
        points=float(found.mean),
        error=float(found.error),
        low=float(found.low),
        high=float(found.high),
        won=count.won,
        declared=count.declared,
        in_office=count.declared - count.overthrown,
        overthrown=count.overthrown,
        expelled=count.expelled,
        matches=count.matches,
        matches_won=count.matches_won,
        milliseconds=milliseconds,
        faults=dict(sorted(count.faults.items())),
    )


def _pairs(means: Mapping[str, DealMeans]) -> tuple[Pair, ...]:
    names = list(combinations(means, 2))
    found = [_paired(means[better], means[worse]) for better, worse in names]
    chances = [chance for _, _, chance in found]
    return tuple(
        Pair(better=better, worse=worse, difference=difference, deals=deals, chance=chance, holds=holds)
        for (better, worse), (difference, deals, chance), holds in zip(names, found, holm(chances), strict=True)
    )


def _paired(a: DealMeans, b: DealMeans) -> tuple[Difference, int, float]:
    """Return the difference, in how many deals it was found, and how likely it would be by chance alone."""
    if np.array_equal(a.deals, b.deals):
        gains = a.means - b.means
    else:
        _, of_a, of_b = np.intersect1d(a.deals, b.deals, assume_unique=True, return_indices=True)
        gains = a.means[of_a] - b.means[of_b]
    if not len(gains):
        return Difference(float(a.means.mean() - b.means.mean()), -math.inf, math.inf), 0, 1.0
    mean, _, low, high = (float(each) for each in either(gains))
    return Difference(mean, low, high), len(gains), float(by_chance(gains))
