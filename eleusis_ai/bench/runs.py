"""A run of a benchmark: learners found, jobs done, the result written where it can be read and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic

import msgspec
from tqdm import tqdm

from eleusis_ai.bench.benchmark import Benchmark, C, J, S, Summary, Table
from eleusis_ai.bench.crew import each
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.players import PlayerSpec
from eleusis_ai.provenance import commit, versions
from eleusis_ai.registry import MissingExtra, make_learner, registered

PACKAGES = ("eleusis-ai", "msgspec", "numpy", "scikit-learn", "scipy")
"""Whose versions a result states."""
_UNEQUAL = ("seconds", "seconds_making", "megabytes")
"""Fields of a finding that differ from run to run."""


class LearnerResult(msgspec.Struct, frozen=True, kw_only=True):
    """What one learner found, or an agent in its place."""

    name: str
    """What the tables call it."""
    use: str
    options: dict[str, Any]
    provenance: str
    """Where what it knows beforehand comes from, if it says so."""
    cases: tuple[dict[str, Any], ...]
    """The findings, job by job."""

    @property
    def encoded(self) -> bytes:
        """The learner as JSON, a line for each case."""
        start, _, end = msgspec.json.encode(msgspec.structs.replace(self, cases=())).rpartition(b"[]")
        return start + b"[\n" + b",\n".join(map(msgspec.json.encode, self.cases)) + b"\n]" + end


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """A whole run; equal to the byte for equal code, settings and package versions, save where times are asked."""

    benchmark: str
    question: str
    commit: str | None
    """Of the checkout that ran it, with ``-dirty`` if the packages on disk differ from it; None: no checkout."""
    seed: int
    settings: dict[str, Any]
    versions: dict[str, str]
    remarks: tuple[str, ...]
    tables: tuple[Table, ...]
    learners: tuple[LearnerResult, ...]

    @property
    def encoded(self) -> bytes:
        """The result as JSON, a line for each case; `result.json` holds it."""
        head = msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(self, learners=())), indent=1)
        start, _, end = head.rpartition(b"[]")
        return start + b"[\n" + b",\n".join(learner.encoded for learner in self.learners) + b"\n ]" + end + b"\n"


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A result, and what is shown of it besides."""

    result: Result
    summary: Summary


def installed_learners() -> tuple[list[LearnerSpec], list[str]]:
    """Return the registered learners, and a remark for each that lacks an extra."""
    found, remarks = [], []
    for name in registered("learners"):
        try:
            make_learner(name)
        except MissingExtra as error:
            remarks.append(f"{name} was left out: {error}")
        else:
            found.append(LearnerSpec(name))
    return found, remarks


def run(
    benchmark: Benchmark[S, J, C],
    settings: S,
    learners: Sequence[LearnerSpec | PlayerSpec],
    *,
    workers: int = 1,
    remarks: Sequence[str] = (),
    folder: Path | None = None,
) -> Run:
    """Let every learner do every job, and sum up.

    The ``folder`` for what is found is made before that: what cannot be written is better known then than after.

    Raises:
        OSError: if the folder cannot be made.
        UnknownPart, InvalidOptions, MissingExtra: if a learner cannot be made.
    """
    provenance = [spec.provenance for spec in learners]
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    jobs = list(benchmark.jobs(settings))
    work = [(spec, job) for spec in learners for job in jobs]
    cases = each(_Doing(benchmark.run, benchmark.by_agent, settings), work, workers=workers, alone=benchmark.alone)
    done = list(tqdm(cases, benchmark.name, len(work), disable=None, leave=False))
    found = {spec.name: done[at * len(jobs) : (at + 1) * len(jobs)] for at, spec in enumerate(learners)}
    summary = benchmark.summary(settings, found)
    result = Result(
        benchmark=benchmark.name,
        question=benchmark.question,
        commit=commit(),
        seed=settings.seed,
        settings=msgspec.to_builtins(settings),
        versions=versions(PACKAGES),
        remarks=(*summary.remarks, *remarks),
        tables=summary.tables,
        learners=tuple(
            LearnerResult(
                name=spec.name,
                use=spec.use,
                options=spec.options,
                provenance=said,
                cases=tuple(_equal_part(case) for case in found[spec.name]),
            )
            for spec, said in zip(learners, provenance, strict=True)
        ),
    )
    return Run(result=result, summary=summary)


class _Doing(Generic[S, J, C]):
    """Does a job of a benchmark; unlike a closure it can be sent to another process."""

    def __init__(
        self,
        do: Callable[[LearnerSpec, S, J], C],
        by_agent: Callable[[PlayerSpec, S, J], C] | None,
        settings: S,
    ) -> None:
        self._do, self._by_agent = do, by_agent
        self._settings = settings

    def __call__(self, work: tuple[LearnerSpec | PlayerSpec, J]) -> C:
        spec, job = work
        if isinstance(spec, LearnerSpec):
            return self._do(spec, self._settings, job)
        assert self._by_agent is not None, "agents take part only where there is something for them to do"
        return self._by_agent(spec, self._settings, job)


def _equal_part(case: msgspec.Struct) -> dict[str, Any]:
    fields: Mapping[str, Any] = msgspec.to_builtins(case)
    return {name: value for name, value in fields.items() if name not in _UNEQUAL}
