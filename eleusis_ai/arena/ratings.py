"""Who did better: what each agent got in every round, and how sure the differences are."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from eleusis_ai.arena.outcomes import Outcome, SeatOutcome, Timing
from eleusis_ai.arena.schedule import Key

CONFIDENCE = 0.95
"""How often an interval is to hold the true difference."""


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """One agent's line in a ranking; counts are of seats in rounds."""

    agent: str
    seat_rounds: int
    """Seats played, over all rounds."""
    points: float
    """Mean of the deals' mean points for a seat in a round."""
    error: float
    """Standard error of ``points``, taken from deal to deal; infinite if there is only one."""
    won: int
    declared: int
    in_office: int
    overthrown: int
    expelled: int
    milliseconds: float | None
    """Mean time of a decision; None: not known."""
    faults: dict[str, int]
    """How many moves were made for it, by what it did instead of answering."""


class Difference(NamedTuple):
    """How many more points one agent gets than another: the mean, and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:+.1f} [{self.low:.1f}, {self.high:.1f}]"


class Ranking(msgspec.Struct, frozen=True):
    """The agents of a tournament, best first."""

    standings: tuple[Standing, ...]
    deal_means: dict[str, dict[int, float]]
    """By agent, then by deal: mean points for a seat in a round."""

    def paired_difference(self, a: str, b: str) -> Difference:
        """Return how many more points ``a`` gets than ``b`` for a seat in a round.

        Both played the same deals, so the difference is taken within each deal, and Student's t over the
        deals gives the interval; it is unbounded if there are fewer than two.
        """
        shared = [deal for deal in self.deal_means[a] if deal in self.deal_means[b]]
        gains = [self.deal_means[a][deal] - self.deal_means[b][deal] for deal in shared]
        mean, error = _mean_and_error(gains)
        reach = _student(len(gains) - 1) * error if len(gains) > 1 else math.inf
        return Difference(mean, mean - reach, mean + reach)


def rank(outcomes: Iterable[Outcome], timings: Iterable[Timing] = ()) -> Ranking:
    """Rank agents by mean points, from what came of the rounds; equal ones stay in their order."""
    found: dict[str, list[tuple[int, SeatOutcome]]] = defaultdict(list)
    for outcome in outcomes:
        deal = Key.parse(outcome.key).deal
        for seat in outcome.seats:
            if seat.rated:
                found[seat.agent].append((deal, seat))
    seconds: dict[str, float] = defaultdict(float)
    decisions: dict[str, int] = defaultdict(int)
    for timing in timings:
        for agent in timing.seconds:
            seconds[agent] += timing.seconds[agent]
            decisions[agent] += timing.decisions[agent]
    deal_means = {agent: _deal_means(own) for agent, own in found.items()}
    standings = []
    for agent, own in found.items():
        points, error = _mean_and_error(list(deal_means[agent].values()))
        seats = [seat for _, seat in own]
        careers = [seat.career for seat in seats if seat.career is not None]
        fell = sum(career.fell for career in careers)
        standings.append(
            Standing(
                agent=agent,
                seat_rounds=len(own),
                points=points,
                error=error,
                won=sum(seat.won for seat in seats),
                declared=len(careers),
                in_office=len(careers) - fell,
                overthrown=fell,
                expelled=sum(seat.expelled for seat in seats),
                milliseconds=1000 * seconds[agent] / decisions[agent] if decisions[agent] else None,
                faults=dict(sorted(sum((Counter(seat.faults) for seat in seats), Counter[str]()).items())),
            )
        )
    return Ranking(tuple(sorted(standings, key=lambda standing: -standing.points)), deal_means)


def _deal_means(rounds: Iterable[tuple[int, SeatOutcome]]) -> dict[int, float]:
    points: dict[int, list[int]] = defaultdict(list)
    for deal, seat in rounds:
        points[deal].append(seat.points)
    return {deal: fmean(values) for deal, values in points.items()}


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    if len(values) < 2:
        return fmean(values), math.inf
    return fmean(values), stdev(values) / math.sqrt(len(values))


def _student(freedom: int) -> float:
    """Return how many standard errors the interval reaches to each side of the mean."""
    from scipy.special import stdtrit  # imported late, as it is slow

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
