"""Milliseconds a decision and megabytes, as evidence grows."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated

import msgspec

from eleusis_ai.bench.benchmark import Benchmark, Cell, Settings, Summary, Table
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.targets import Target, targets
from eleusis_ai.cards import CARDS
from eleusis_ai.evidence import Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.seeds import generator


class SpeedSettings(Settings, frozen=True, kw_only=True):
    """What is done; ``limit`` is the number of rules of each family."""

    rules: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Sets: ``eight``, ``catalog``, ``test``, or files of rules."""
    up_to: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=10_000)], ...], msgspec.Meta(min_length=1)]
    """Ends of the stretches of judged cards over which decisions are timed, such as 10, 40, 160."""
    samples: Annotated[int, msgspec.Meta(ge=0, le=10_000)]
    """Rules that are drawn in each decision; 0: none."""

    def __post_init__(self) -> None:
        """Refuse stretches that go backwards.

        Raises:
            ValueError: if they do.
        """
        if list(self.up_to) != sorted(set(self.up_to)):
            raise ValueError(f"up_to is {list(self.up_to)}; it grows, as in [10, 40, 160]")


class SpeedFound(msgspec.Struct, frozen=True, kw_only=True):
    """What all the rules took, in a process of their own."""

    decisions: int
    """How many were timed."""
    seconds: tuple[tuple[float, ...], ...]
    """For each stretch, the time of every decision in it."""
    making: tuple[float, ...] = msgspec.field(name="seconds_making")
    """The time to make a learner, the first time and each time after it."""
    megabytes: tuple[float, float]
    """Peak memory of the process before the first learner was made, and in the end."""


def jobs(settings: SpeedSettings) -> list[int]:
    """Return the one job: all rules, one after the other, so that the memory is that of a whole tournament."""
    del settings
    return [0]


def time_all(spec: LearnerSpec, settings: SpeedSettings, job: int) -> SpeedFound:
    """Time every decision: a verdict is taken in, all 52 chances are given, and rules are drawn."""
    del job
    before = _peak()
    stretches: list[list[float]] = [[] for _ in settings.up_to]
    making = []
    for target in targets(settings.rules, limit=settings.limit):
        began = perf_counter()
        learner = spec.make()
        learner.predict((CARDS[0],))
        making.append(perf_counter() - began)
        for count, (verdict, line) in enumerate(_judged(target, settings), 1):
            began = perf_counter()
            learner.observe([verdict])
            learner.predict(line)
            if settings.samples:
                learner.sample(settings.samples)
            stretch = next(place for place, end in enumerate(settings.up_to) if count <= end)
            stretches[stretch].append(perf_counter() - began)
    return SpeedFound(
        decisions=sum(map(len, stretches)),
        seconds=tuple(map(tuple, stretches)),
        making=tuple(making),
        megabytes=(before, _peak()),
    )


def _judged(target: Target, settings: SpeedSettings) -> list[tuple[Verdict, Cards]]:
    """Return random judged cards, each with the mainline that follows."""
    rng = generator(f"{settings.seed}/speed/{target.id}")
    line: Cards = (target.first_card(f"{settings.seed}/speed/{target.id}/starter"),)
    found = []
    for _ in range(settings.up_to[-1]):
        card = rng.choice(CARDS)
        legal = target.rule.allows(line, card)
        verdict = Verdict(line, card, legal=legal)
        line = (*line, card) if legal else line
        found.append((verdict, line))
    return found


def _peak() -> float:
    """Return the largest memory that this process has had, in megabytes; 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        # `getrusage` would count what the parent process held at the fork.
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 2**10
    try:
        import resource
    except ImportError:
        return 0.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def summary(settings: SpeedSettings, found: Mapping[str, Sequence[SpeedFound]]) -> Summary:
    """Tell medians and the worst decision of each stretch, and memory."""
    starts = (1, *(end + 1 for end in settings.up_to))
    spans = [f"{start}-{end}" for start, end in zip(starts, settings.up_to, strict=False)]
    return Summary(
        tables=(
            Table(
                title="Decisions timed",
                head=("learner", "decisions"),
                rows=tuple((name, sum(case.decisions for case in cases)) for name, cases in found.items()),
            ),
        ),
        times=(
            Table(
                title="Milliseconds a decision, median / worst, by judged cards; and megabytes",
                head=("learner", *spans, "to make", "MB", "MB of it"),
                rows=tuple((name, *_row(cases)) for name, cases in found.items()),
            ),
        ),
        remarks=(
            "A decision: one verdict is taken in, the 52 chances are given, and "
            f"{settings.samples or 'no'} rules are drawn. Each learner has a process of its own, on one thread.",
            "To make: the first in a process / the next, in milliseconds. MB: peak memory of the process, and how "
            "much of it came after the package was loaded.",
        ),
    )


def _row(cases: Sequence[SpeedFound]) -> list[Cell]:
    cells: list[Cell] = []
    for stretch in zip(*(case.seconds for case in cases), strict=True):
        times = [1000 * second for seconds in stretch for second in seconds]
        cells.append(f"{median(times):.1f} / {max(times):.1f}" if times else None)
    first, *rest = (1000 * second for case in cases for second in case.making)
    cells.append(f"{first:.0f} / {median(rest):.1f}" if rest else f"{first:.0f}")
    before, after = (max(case.megabytes[place] for case in cases) for place in (0, 1))
    return [*cells, round(after), round(after - before)]


QUESTION = "How long does a decision take, and how much memory, as evidence grows?"
BENCHMARK = Benchmark("speed", QUESTION, SpeedSettings, jobs, time_all, summary, alone=True)
