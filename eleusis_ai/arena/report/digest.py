"""What a report counts of its runs: all rounds in one pass, whatever their number."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

import msgspec

from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.families import RuleFamily, family_of
from eleusis_ai.arena.outcomes import Career, Outcome, SeatOutcome, Timing
from eleusis_ai.arena.report.examples import Example, Examples
from eleusis_ai.arena.report.running import RunningMean
from eleusis_ai.arena.schedule import Key
from eleusis_ai.arena.store import Line, NoRecord, Store
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import Record
from eleusis_ai.seeds import generator

Subject: TypeAlias = tuple[str, ...]
"""What a number is about, such as ``("family", "tree", "markov1")``."""
BINS = 20
"""Bins of a tenfold of time."""
LEAST = 1e-3
"""Milliseconds below which times are not told apart."""


class ReportedRun(msgspec.Struct, frozen=True, kw_only=True):
    """One of the runs that are reported."""

    store: Store
    config: TournamentConfig
    name: str
    """What tells it from the others: its profile, if each has its own, else its folder."""
    rounds: int
    """How many whole rounds are in the log."""


class _Ruled(msgspec.Struct, frozen=True):
    """All that is read of most records."""

    rule: str | None


class Prophecies(msgspec.Struct):
    """What came of an agent's times as prophet."""

    declared: int = 0
    fell: int = 0
    right: int = 0
    """Plays and no plays judged right."""
    line: int = 0
    """Cards on the mainline at the declarations, over all of them."""

    def add(self, career: Career) -> None:
        """Take in one time."""
        self.declared += 1
        self.fell += career.fell
        self.right += career.right
        self.line += career.declared


class Clock:
    """How long an agent thinks about a decision."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.decisions = 0
        self._bins = Counter[int]()

    def add(self, seconds: float, decisions: int) -> float:
        """Take in one round, and return its milliseconds a decision."""
        self.seconds += seconds
        self.decisions += decisions
        spent = 1000 * seconds / decisions
        self._bins[round(BINS * math.log10(max(spent, LEAST)))] += 1
        return spent

    @property
    def milliseconds(self) -> float:
        """The mean of all decisions."""
        return 1000 * self.seconds / self.decisions

    def reached_by(self, share: float) -> float:
        """Return the milliseconds a decision that ``share`` of the rounds stay below, to a tenth of it."""
        left = share * self._bins.total()
        for place, count in sorted(self._bins.items()):
            left -= count
            if left <= 0:
                return float(10 ** (place / BINS))
        raise AssertionError("no share is more than all")


class Digest:
    """Counts runs, round by round; it holds no round."""

    def __init__(self) -> None:
        self.runs: list[ReportedRun] = []
        self.means = defaultdict[Subject, RunningMean](RunningMean)
        """Points, by what they are about."""
        self.examples = dict[Subject, Examples]()
        """Rounds, by the number they stand behind."""
        self._anchors = dict[Subject, str]()
        self._chance = generator("report")
        self.families = set[RuleFamily]()
        self.prophecies = defaultdict[str, Prophecies](Prophecies)
        """By agent."""
        self.faults = Counter[tuple[str, str]]()
        """By agent and what it did."""
        self.clocks = defaultdict[str, Clock](Clock)
        """By agent."""

    def add(self, folder: Path) -> None:
        """Take in a run, as far as it is played.

        Raises:
            NoRecord: if there is none in ``folder``.
            InvalidRecord: if its log holds something else.
        """
        store = Store(folder)
        if not store.config.is_file() or not store.log.is_file():
            raise NoRecord(f"there is no run in {folder}; name a tournament's folder, as in runs/quick-1")
        config = load_config(store.config)
        run, number = len(self.runs), 0
        self._chance = generator(f"{config.seed}/report/{config.name}")
        for line in store.lines():
            number = line.at
            here = Example(0.0, run, number, line.key)
            family = family_of(msgspec.json.decode(line.record, type=_Ruled).rule)
            self.families.add(family)
            self._count(_outcome(line), here, str(family))
            if line.timing is not None:
                self._time(msgspec.json.decode(line.timing, type=Timing), here)
        if not number:
            raise NoRecord(f"{folder} has no rounds yet; eleusis tournament {store.config} --out {folder} --resume")
        self.runs.append(ReportedRun(store=store, config=config, name=str(folder), rounds=number))
        self._name_runs()

    def _name_runs(self) -> None:
        """Call runs by their profiles, or by their folders if two have the same."""
        ways = (
            [profile_from(run.config.profile).name for run in self.runs],
            [run.store.folder.name for run in self.runs],
            [str(run.store.folder) for run in self.runs],
        )
        names = next((found for found in ways if len(set(found)) == len(found)), ways[-1])
        self.runs = [msgspec.structs.replace(run, name=name) for run, name in zip(self.runs, names, strict=True)]

    def _count(self, outcome: Outcome, example: Example, family: str) -> None:
        deal = (example.run, Key.parse(outcome.key).deal)
        points: dict[str, list[int]] = {}
        for seat in outcome.seats:
            if not seat.rated:
                continue
            points.setdefault(seat.agent, []).append(seat.points)
            here = example._replace(value=float(seat.points))
            self._add_points(deal, here, ("points", seat.agent))
            self._add_points(deal, here, ("run", seat.agent, str(example.run)))
            if not seat.dealt:
                self._add_points(deal, here, ("family", seat.agent, family))
                self._add_points(deal, here, ("prophet" if seat.career else "no prophet", seat.agent))
                self._follow(seat, here)
        if got := [seat.points for seat in outcome.seats if not seat.dealt]:
            self.show(example._replace(value=sum(got) / len(got)), ("rules", family))
        for one, two in combinations(sorted(points), 2):
            more = sum(points[one]) / len(points[one]) - sum(points[two]) / len(points[two])
            self.show(example._replace(value=more), ("pair", one, two))

    def _follow(self, seat: SeatOutcome, example: Example) -> None:
        """Note what else happened to a seat."""
        if seat.won:
            self.show(example, ("won", seat.agent))
        if seat.expelled:
            self.show(example, ("expelled", seat.agent))
        if seat.career is not None:
            self.prophecies[seat.agent].add(seat.career)
            self.show(example, ("fell" if seat.career.fell else "kept", seat.agent))
            self.show(example._replace(value=float(seat.career.right)), ("judged", seat.agent))
        for kind, times in seat.faults.items():
            self.faults[seat.agent, kind] += times
            self.show(example._replace(value=float(times)), ("fault", seat.agent, kind))

    def _time(self, timing: Timing, example: Example) -> None:
        for agent, seconds in timing.seconds.items():
            if timing.decisions[agent]:
                spent = self.clocks[agent].add(seconds, timing.decisions[agent])
                self.show(example._replace(value=spent), ("time", agent))

    def _add_points(self, deal: tuple[int, int], example: Example, subject: Subject) -> None:
        self.means[subject].add(deal, example.value)
        self.show(example, subject)

    def show(self, example: Example, subject: Subject) -> None:
        """Put a round behind the number that ``subject`` is about."""
        found = self.examples.get(subject)
        if found is None:
            found = self.examples[subject] = Examples(self._chance)
            self._anchors[subject] = f"of-{len(self.examples)}"
        found.add(example)

    def anchor(self, subject: Subject) -> str:
        """Return the name of the place in a page where the rounds behind a number are told."""
        return self._anchors[subject]

    def place(self, run: int, number: int) -> int:
        """Return the place of a round among those of all runs, counted from 1; in the first run, that in its log."""
        return number + sum(each.rounds for each in self.runs[:run])


def _outcome(line: Line) -> Outcome:
    """Return what came of a round, by replay if nobody wrote it down."""
    if line.outcome is None:
        return Outcome.of(Record.parse(line.record))
    return msgspec.json.decode(line.outcome, type=Outcome)
