"""A tournament before it is played: who sits where, how evenly, and how long it will take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean
from time import perf_counter
from typing import NamedTuple, TypeAlias

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text
from threadpoolctl import threadpool_limits

from eleusis_ai.arena.config import Form, TournamentConfig
from eleusis_ai.arena.line_ups import PERIOD
from eleusis_ai.arena.referee import play_table
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.profiles import profile_from

SHOWN = 12
"""Rounds that are shown seat by seat."""
SECONDS = 5.0
"""How long rounds are played to see how long they take."""
GOLDEN = (5**0.5 - 1) / 2


def preview(config: TournamentConfig, *, workers: int) -> Group:
    """Play a few rounds of a tournament, write nothing, and lay out what it will be; 80 columns are enough.

    Raises:
        UnknownPart: if there is no such agent or dealer.
        InvalidOptions: if one of them does not take its options.
    """
    schedule = Schedule(config)
    pace = measure(schedule, seconds=SECONDS)
    return Group(
        _summary(schedule),
        Text(),
        _rounds(schedule),
        Text(),
        _balance(schedule),
        Text(),
        Text(_estimate(schedule, pace, workers)),
    )


def _summary(schedule: Schedule) -> Text:
    config = schedule.config
    seatings = f"{config.deals} deals x {schedule.seatings} seatings"
    repeats = schedule.rounds_a_deal // schedule.seatings
    kind = {Form.DUPLICATE: " heroes", Form.MATCHES: " rounds"}.get(config.schedule, "")
    return Text(
        f"{config.name}: a schedule of {config.schedule}, {profile_from(config.profile).name}, {config.seats} seats\n"
        f"{seatings}{f' x {repeats}{kind}' if kind else ''} = {schedule.rounds} rounds"
    )


def _rounds(schedule: Schedule) -> Table:
    """Lay out the first rounds, seat by seat from the dealer's left."""
    table = Table("round", "dealer", box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("from the dealer's left")
    for number in range(min(SHOWN, schedule.rounds)):
        key = schedule.key(number)
        names = schedule.names(key)
        table.add_row(str(key), names[key.dealer], " ".join(names[key.dealer + 1 :] + names[: key.dealer]))
    if schedule.rounds > SHOWN:
        table.add_row("...", "", "")
        table.add_row(str(schedule.key(schedule.rounds - 1)), "", "")
    return table


def _balance(schedule: Schedule) -> Group:
    """Lay out how often each agent sits, on each chair, with each other, and on whose right; rated seats only."""
    config = schedule.config
    rounds = min(schedule.rounds, PERIOD * schedule.rounds_a_deal)
    tally = Counter[Fact]()
    for number in range(rounds):
        tally.update(_facts(schedule, number))
    heroes = config.schedule is Form.DUPLICATE
    table = Table("agent", box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for name in (
        "seats",
        *(["deals"] if config.schedule is Form.MATCHES else []),
        "on a chair",
        "with another",
        "on its left",
    ):
        table.add_column(name, justify="right")
    for agent in config.agents if heroes else config.players:
        others = [each.id for each in (config.table if heroes else config.players) if each.id != agent.id]
        chairs = [tally["chair", agent.id, str(chair)] for chair in range(config.seats - 1)]
        cells = [str(sum(chairs)), *([str(tally["deals", agent.id, ""])] if config.schedule is Form.MATCHES else [])]
        cells += [_span(chairs), *(_span([tally[kind, agent.id, o] for o in others]) for kind in ("with", "left"))]
        table.add_row(agent.id, *cells)
    legend = "how often an agent sits down, on each chair, with each other one, and with each on its left"
    if heroes:
        legend += ";\nas hero, since he alone is rated"
    if rounds < schedule.rounds:
        legend += f";\ncounted over the first {PERIOD} deals"
    return Group(table, Text(legend, "dim"))


Fact: TypeAlias = tuple[str, str, str]
"""A kind, an agent, and what it met with."""


def _facts(schedule: Schedule, number: int) -> Iterator[Fact]:
    """Yield what a round brings to its rated agents."""
    key = schedule.key(number)
    names = schedule.names(key)
    if key.round is not None:
        yield "deals", names[key.dealer], ""
    around = names[key.dealer + 1 :] + names[: key.dealer]
    for chair, agent in enumerate(around):
        if key.hero is not None and chair != key.seating:
            continue
        yield "chair", agent, str(chair)
        yield "left", agent, around[(chair + 1) % len(around)]
        yield from (("with", agent, other) for at, other in enumerate(around) if at != chair)


def _span(counts: Sequence[int]) -> str:
    """Return the smallest and the largest count."""
    low, high = min(counts, default=0), max(counts, default=0)
    return str(low) if low == high else f"{low} to {high}"


class Pace(NamedTuple):
    """How long rounds took."""

    rounds: int
    mean: float
    """Seconds."""
    low: float
    high: float


def measure(schedule: Schedule, *, seconds: float) -> Pace:
    """Play rounds from all over a schedule for about so many seconds, at least two.

    The first does not count, as agents load libraries in it, unless it is the only one.
    """
    profile, spent = profile_from(schedule.config.profile), list[float]()
    while len(spent) < min(schedule.rounds, 2) or (len(spent) < schedule.rounds and sum(spent) < seconds):
        # Places a golden section apart are spread evenly however many there are.
        (table,) = schedule.tables([int(len(spent) * GOLDEN % 1 * schedule.rounds)])
        began = perf_counter()
        with threadpool_limits(limits=1):
            play_table(schedule.config, table, profile=profile)
        spent.append(perf_counter() - began)
    counted = spent[1:] or spent
    return Pace(len(counted), fmean(counted), min(counted), max(counted))


def _estimate(schedule: Schedule, pace: Pace, workers: int) -> str:
    whole = pace.mean * schedule.rounds / min(workers, schedule.rounds)
    return (
        f"about {_duration(whole)} with --workers {workers}\n"
        f"measured on {pace.rounds} rounds, {pace.low:.2g} to {pace.high:.2g} s each; nothing was written"
    )


def _duration(seconds: float) -> str:
    """Write a time down to the precision of an estimate.

    >>> [_duration(seconds) for seconds in (0.2, 48, 700, 9000, 400_000)]
    ['1 s', '48 s', '12 minutes', '2.5 hours', '4.6 days']
    """
    for unit, size, digits in (("days", 86_400, 1), ("hours", 3600, 1), ("minutes", 60, 0)):
        if seconds >= 2 * size:
            return f"{seconds / size:.{digits}f} {unit}"
    return f"{max(1, round(seconds))} s"
