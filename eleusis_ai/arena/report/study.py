"""Everything a report tells of some runs, found out in two passes over their logs, whatever their length."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from eleusis_ai.agent import Explains
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.ratings import Ranking, rank
from eleusis_ai.arena.report.curves import Curve, Foresight, foresee, stretch_of
from eleusis_ai.arena.report.digest import Digest, ReportedRun
from eleusis_ai.arena.report.examples import Example
from eleusis_ai.arena.report.figures import Finding
from eleusis_ai.arena.report.findings import findings
from eleusis_ai.arena.report.progress import WHOLE
from eleusis_ai.arena.schedule import Key, NoSuchRound, Schedule, Table
from eleusis_ai.record import Record
from eleusis_ai.registry import InvalidOptions, MissingExtra, UnknownPart, make_agent
from eleusis_ai.seeds import generator

BRIEF = ("profiles", "families", "careers", "times")
"""The findings that a terminal shows beside the ranking."""


class Study(msgspec.Struct, frozen=True, kw_only=True):
    """What is told of some runs."""

    digest: Digest
    ranking: Ranking
    findings: tuple[Finding, ...]
    records: dict[tuple[int, int], Record]
    """The rounds behind the numbers, by run and place in its log."""
    remarks: tuple[str, ...]
    """What could not be found out, a sentence each."""

    @property
    def briefly(self) -> tuple[Finding, ...]:
        """What a terminal shows beside the ranking."""
        return tuple(finding for finding in self.findings if finding.name in BRIEF)


def study(folders: Sequence[Path], *, curves: int) -> Study:
    """Find out what there is to tell of the runs in ``folders``, as far as they are played.

    Args:
        folders: One or more; where there are several, a deal of one is never taken for a deal of another.
        curves: How many rounds are played again for the learning curves, drawn by lot; it takes about half a second
            each for an agent that weighs many rules.

    Raises:
        NoRecord: if there is no run in one of them, or it has no rounds yet.
        InvalidRecord: if a log holds something else.
    """
    digest = Digest()
    for folder in folders:
        digest.add(folder)
    ranking = rank(_outcomes(digest.runs), _timings(digest.runs))
    drawn = _drawn(digest.runs, curves)
    wanted = {(shown.run, shown.number) for found in digest.examples.values() for shown in found.shown()}
    records = dict(_fetch(digest.runs, wanted.union(drawn)))
    seers = _Seers(digest)
    for run, number in drawn:
        seers.ask(run, number, records[run, number])
    agents = [standing.agent for standing in ranking.standings]
    found = {agent: seers.curves[agent] for agent in agents if agent in seers.curves}
    return Study(
        digest=digest,
        ranking=ranking,
        findings=tuple(findings(digest, ranking, found)),
        records=records,
        remarks=tuple(seers.remarks()),
    )


def _outcomes(runs: Iterable[ReportedRun]) -> Iterator[Outcome]:
    """Yield the outcomes of all runs, their deals numbered on."""
    before = 0
    for run in runs:
        for outcome in run.store.outcomes():
            if not before:
                yield outcome
                continue
            key = Key.parse(outcome.key)
            yield msgspec.structs.replace(outcome, key=str(key._replace(deal=key.deal + before)))
        before += run.config.deals


def _timings(runs: Iterable[ReportedRun]) -> Iterator[Timing]:
    for run in runs:
        yield from run.store.timings()


def _drawn(runs: Sequence[ReportedRun], count: int) -> list[tuple[int, int]]:
    """Draw rounds by lot from all runs, in their order."""
    places = range(sum(run.rounds for run in runs))
    chance = generator("/".join(("report", *(f"{run.config.seed}/{run.config.name}" for run in runs), "curves")))
    chosen = sorted(chance.sample(places, min(count, len(places))))
    starts = [sum(run.rounds for run in runs[:index]) for index in range(len(runs))]
    found = []
    for place in chosen:
        run = max(index for index, start in enumerate(starts) if start <= place)
        found.append((run, place - starts[run] + 1))
    return found


def _fetch(
    runs: Sequence[ReportedRun], wanted: Iterable[tuple[int, int]]
) -> Iterator[tuple[tuple[int, int], Record]]:
    """Read the wanted rounds."""
    numbers = defaultdict[int, set[int]](set)
    for run, number in wanted:
        numbers[run].add(number)
    for run, own in numbers.items():
        for line in islice(runs[run].store.lines(), max(own)):
            if line.at in own:
                yield (run, line.at), Record.parse(line.record)


class _Seers:
    """Asks agents for their beliefs along the rounds that were drawn, and gathers their learning curves."""

    def __init__(self, digest: Digest) -> None:
        self.curves: dict[str, Curve] = {}
        """By agent."""
        self._missed: list[str] = []
        self._unmade: dict[str, str] = {}
        self._digest = digest

    def remarks(self) -> Iterator[str]:
        """Yield what is not in the curves, a sentence each."""
        for name, error in self._unmade.items():
            yield f"there is no learning curve of {name}: {error}"
        if self._missed:
            yield f"{len(self._missed)} rounds drawn are not in the learning curves, the first is {self._missed[0]}"

    def ask(self, run: int, number: int, record: Record) -> None:
        """Play a round again with those of its agents that have beliefs."""
        schedule = Schedule(self._digest.runs[run].config)
        try:
            table = next(schedule.tables([schedule.number(record.key)]))
            asked = self._made(table, record)
        except (LookupError, ValueError) as error:
            self._missed.append(f"{record.key}: {error}")
            return
        if not asked:
            return
        try:
            found = foresee(record, asked)
        except Exception as error:  # an agent's own defects are its author's
            self._missed.append(f"{record.key}: {type(error).__name__}: {error}")
            return
        for seat, foresights in found.items():
            self._note(record.agents[seat], Example(0.0, run, number, record.key), foresights)

    def _made(self, table: Table, record: Record) -> dict[int, Explains]:
        """Make those that have beliefs, one of each name, by seat.

        Raises:
            NoSuchRound: if others sit at the table.
        """
        if table.names != record.agents:
            raise NoSuchRound(f"the config seats {', '.join(table.names)}, the log has {', '.join(record.agents)}")
        seats = {name: seat for seat, name in reversed(list(enumerate(table.names))) if seat != table.dealer}
        asked: dict[int, Explains] = {}
        for name, seat in seats.items():
            spec = table.line_up[seat]
            assert spec is not None, "beside the dealer everybody is an agent"
            try:
                agent = make_agent(spec, seat=seat, seed=table.seeds[seat])
            except (UnknownPart, InvalidOptions, MissingExtra) as error:
                self._unmade[name] = str(error)
                continue
            if isinstance(agent, Explains):
                asked[seat] = agent
        return asked

    def _note(self, agent: str, example: Example, foresights: Sequence[Foresight]) -> None:
        deal = (example.run, Key.parse(example.key).deal)
        self.curves.setdefault(agent, Curve()).add(deal, foresights)
        chances = defaultdict[str, list[float]](list)
        for foresight in foresights:
            for stretch in (WHOLE, stretch_of(foresight.seen)):
                chances[stretch].append(foresight.chance)
        for stretch, given in chances.items():
            here = example._replace(value=sum(given) / len(given))
            self._digest.show(here, ("curve", agent, stretch))
