"""The benchmarks by name, and the one door through which they are run."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from eleusis_ai.bench import calibration, identification, llm_protocol, pairs, speed
from eleusis_ai.bench.benchmark import Benchmark
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.players import PlayerSpec
from eleusis_ai.bench.runs import Run, installed_learners, run
from eleusis_ai.bench.settings import load_settings
from eleusis_ai.registry import InvalidOptions, UnknownPart
from eleusis_ai.shipped import find_config

BENCHMARKS: dict[str, Benchmark[Any, Any, Any]] = {
    module.BENCHMARK.name: module.BENCHMARK for module in (identification, llm_protocol, pairs, calibration, speed)
}
"""All benchmarks."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be run."""

    benchmark: str
    learners: tuple[str, ...] = ()
    """Registered names or addresses; none: all that are installed."""
    agents: tuple[str, ...] = ()
    """Agents that take the place of learners, by name or address; with them, no learner is taken unasked."""
    options: dict[str, Any] = {}
    """What the learner or the agent is made with; only where there is one."""
    config: str | None = None
    """A TOML file of settings, or the name of shipped ones; None: those named like the benchmark."""
    seed: int | None = None
    limit: int | None = None
    """In place of what the settings have; None: that."""
    workers: int = 1


def find_benchmark(name: str) -> Benchmark[Any, Any, Any]:
    """Return the benchmark of that name.

    Raises:
        UnknownPart: if there is none; the message guesses, or lists the names.
    """
    if name in BENCHMARKS:
        return BENCHMARKS[name]
    close = difflib.get_close_matches(name, BENCHMARKS, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(BENCHMARKS)}"
    raise UnknownPart(f"{name!r} is not a benchmark; {hint}")


def run_request(request: Request, folder: Path | None = None) -> Run:
    """Run a benchmark; the ``folder`` for its result is made as soon as all is known to fit.

    Raises:
        UnknownPart, InvalidOptions, MissingExtra: if there is no such benchmark, or a learner cannot be made.
        UnknownConfig, InvalidSettings: if the settings cannot be read.
    """
    benchmark = find_benchmark(request.benchmark)
    path = find_config("benchmarks", request.config or request.benchmark)
    settings = load_settings(benchmark.settings, path, {"seed": request.seed, "limit": request.limit})
    if request.agents and benchmark.by_agent is None:
        raise InvalidOptions(f"{benchmark.name} is for learners; agents take part in llm-protocol")
    learners, remarks = _entrants(request)
    return run(benchmark, settings, learners, workers=request.workers, remarks=remarks, folder=folder)


def default_folder(request: Request) -> Path:
    """Return where a result goes if nobody says where."""
    name = f"bench-{request.benchmark}"
    if len(names := (*request.learners, *request.agents)) == 1:
        name += f"-{LearnerSpec(names[0]).name}"
    return Path("experiments", "results", name)


def _entrants(request: Request) -> tuple[Sequence[LearnerSpec | PlayerSpec], list[str]]:
    options = request.options
    if options and len(request.learners) + len(request.agents) != 1:
        raise InvalidOptions("options go to one learner; name it, as in --learner sklearn --options features=raw")
    if not request.learners and not request.agents:
        return installed_learners()
    specs: list[LearnerSpec | PlayerSpec] = [LearnerSpec(name, options) for name in dict.fromkeys(request.learners)]
    specs += [PlayerSpec(name, options) for name in dict.fromkeys(request.agents)]
    shown = [spec.name for spec in specs]
    twice = [name for name in shown if shown.count(name) > 1]
    if twice:
        raise InvalidOptions(f"two learners would both be called {twice[0]!r} in the tables; run them one by one")
    return specs, []
