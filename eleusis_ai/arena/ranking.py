"""Who did better: what each agent got in every round, and how sure the differences are."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from eleusis_ai.arena.store import Timing
from eleusis_ai.record import Record

CONFIDENCE = 0.95
"""How often an interval is to hold the true difference."""


class SeatRound(msgspec.Struct, frozen=True, kw_only=True):
    """What one agent made of one seat in one round."""

    deal: str
    """The deal, such as ``deal 3``; rounds of one deal share rule and cards."""
    agent: str
    points: int
    won: bool
    """Whether no scientist has more points; where several tie, all of them won."""
    declared: bool
    """Whether it became prophet."""
    in_office: bool
    """Whether it was prophet at the end."""
    overthrown: bool
    """Whether it erred as prophet."""
    expelled: bool
    faults: tuple[str, ...] = ()
    """For each move that was made for it, what it did instead of answering."""


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
    deal_means: dict[str, dict[str, float]]
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


def ranking(records: Iterable[Record], timings: Iterable[Timing] = ()) -> Ranking:
    """Rank the agents of a log, which is read once, one round after the other.

    Raises:
        InvalidRecord: if a record cannot be replayed.
    """
    return rank((seat_round for record in records for seat_round in seat_rounds(record)), timings)


def rank(rounds: Iterable[SeatRound], timings: Iterable[Timing] = ()) -> Ranking:
    """Rank agents by mean points, from what each made of its seats; equal ones stay in their order."""
    found: dict[str, list[SeatRound]] = defaultdict(list)
    for seat_round in rounds:
        found[seat_round.agent].append(seat_round)
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
        standings.append(
            Standing(
                agent=agent,
                seat_rounds=len(own),
                points=points,
                error=error,
                won=sum(each.won for each in own),
                declared=sum(each.declared for each in own),
                in_office=sum(each.in_office for each in own),
                overthrown=sum(each.overthrown for each in own),
                expelled=sum(each.expelled for each in own),
                milliseconds=1000 * seconds[agent] / decisions[agent] if decisions[agent] else None,
                faults=dict(sorted(Counter(fault for each in own for fault in each.faults).items())),
            )
        )
    return Ranking(tuple(sorted(standings, key=lambda standing: -standing.points)), deal_means)


def seat_rounds(record: Record) -> Iterator[SeatRound]:
    """Replay a round and yield what came of it for each scientist, from the dealer's left.

    Raises:
        InvalidRecord: if the record cannot be replayed.
    """
    played = record.replay()
    faults = defaultdict[int, list[str]](list)
    for stand_in in record.stand_ins():
        faults[stand_in.seat].append(stand_in.fault)
    points = played.scores()
    best = max(points[seat] for seat in played.scientists)
    for seat in played.scientists:
        overthrown = seat in played.former_prophets
        yield SeatRound(
            deal=record.key.partition(" seating ")[0],
            agent=record.agents[seat],
            points=points[seat],
            won=points[seat] == best,
            declared=overthrown or seat == played.prophet,
            in_office=seat == played.prophet,
            overthrown=overthrown,
            expelled=seat in played.expelled,
            faults=tuple(faults[seat]),
        )


def _deal_means(rounds: Iterable[SeatRound]) -> dict[str, float]:
    points: dict[str, list[int]] = defaultdict(list)
    for each in rounds:
        points[each.deal].append(each.points)
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
