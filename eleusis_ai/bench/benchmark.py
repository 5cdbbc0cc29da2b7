"""What every benchmark has: settings, jobs that can be done in any order, and a summary of what they found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeAlias, TypeVar

import msgspec

from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.players import PlayerSpec
from eleusis_ai.charts import Chart, Interval

S = TypeVar("S", bound="Settings")
J = TypeVar("J")
C = TypeVar("C", bound=msgspec.Struct)

Cell: TypeAlias = str | int | float | Interval | None
"""What stands in a table; None: there is no such figure."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every benchmark can be told; each has settings of its own besides."""

    seed: int = 1
    """Names everything that is drawn by chance."""
    limit: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How much of the work is done, for a quick look; each benchmark says of what. None: all."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a report."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What came of all the jobs."""

    tables: tuple[Table, ...]
    times: tuple[Table, ...] = ()
    """What differs from run to run."""
    charts: tuple[Chart, ...] = ()
    remarks: tuple[str, ...] = ()
    """What a reader must know to read the tables."""


@dataclass(frozen=True, slots=True)
class Benchmark(Generic[S, J, C]):
    """One benchmark: each learner does the same jobs."""

    name: str
    question: str
    """What it asks of a learner."""
    settings: type[S]
    jobs: Callable[[S], Sequence[J]]
    """Lists the jobs that the settings ask for."""
    run: Callable[[LearnerSpec, S, J], C]
    """Does one job with a new learner; it may be done in another process. What it returns under ``seconds`` and
    ``megabytes`` is kept out of the results, which are the same to the byte whenever they are found."""
    summary: Callable[[S, Mapping[str, Sequence[C]]], Summary]
    """Sums up what was found, by learner, in the order of the jobs."""
    by_agent: Callable[[PlayerSpec, S, J], C] | None = None
    """Does one job with an agent that takes the place of a learner; None: no agent takes part."""
    alone: bool = False
    """Whether each job is done in a process of its own, one after the other: its time and memory are what counts."""
