"""How much memory does a long tournament take, in the process that drives it and in those that play?

Agents that move by chance play a league at a `howell` table of five, under rules of the catalogue. The driver is
watched from outside while it plays, logs and ranks; two more processes rank the finished run once more, and
write its report. Memory is what the processes hold in RAM (RSS). A run that needs more as it goes on would be seen to
climb.

Run it with: pip install -e ".[bench]" && python benchmarks/memory.py --rounds 50000
A million rounds take about a gigabyte of disk in --out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import psutil

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.ratings import rank
from eleusis_ai.arena.report.publication import publish
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.charts import Chart, Series, can_draw, draw
from eleusis_ai.provenance import commit, versions

RESULTS = Path(__file__).parent / "results"
AGENTS = 4
ROWS = 12
"""Lines of the table that is printed, about."""
SAMPLES = 400
"""Points of the curve that is kept, at most."""
PACKAGES = ("eleusis-ai", "msgspec", "numpy", "psutil")
MB = 1_000_000


class Sample(msgspec.Struct, frozen=True):
    """Memory at one moment of a run."""

    seconds: float
    rounds: int
    driver: float
    """Megabytes."""
    workers: float
    """Megabytes, all of them together."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured."""

    rounds: int
    workers: int
    seconds: float
    log_bytes: int
    peaks: dict[str, float]
    """Megabytes of the driver, and of those that read the run afterwards."""
    samples: list[Sample]
    commit: str | None
    versions: dict[str, str]


def main() -> None:
    """Play, watch, print the curve, and write it down."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=1_000_000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--out", type=Path, help="where the run is kept; default: it is thrown away")
    options.add_argument("--zstd", action="store_true", help="compress the records")
    given = options.parse_args()
    with TemporaryDirectory() as scratch:
        folder = given.out or Path(scratch, "run")
        result = measure(settings(given.rounds), folder, given)
    show(result)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "memory.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    if can_draw():
        draw(chart(result), RESULTS / "memory.png")
    print(f"written to {RESULTS / 'memory.json'}")


def settings(rounds: int) -> TournamentConfig:
    """Return the tournament, of about so many rounds."""
    fields = {
        "name": "memory",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": max(1, rounds // AGENTS),
        "dealer": {"use": "catalog"},
        "agents": [{"id": f"random-{number}", "use": "random"} for number in range(1, AGENTS + 1)],
    }
    return config_from(fields)


def measure(config: TournamentConfig, folder: Path, given: argparse.Namespace) -> Result:
    """Play the tournament, and read it again, each in a process that is watched."""
    log = Store(folder).log.with_suffix(".jsonl.zst" if given.zstd else ".jsonl")
    sizes: list[int] = []
    samples = watch(play, config, folder, given, each=lambda: sizes.append(log.stat().st_size if log.exists() else 0))
    rounds, size = Schedule(config).rounds, log.stat().st_size
    played = [
        msgspec.structs.replace(sample, rounds=round(rounds * at / size))
        for sample, at in zip(samples, sizes, strict=True)
    ]
    peaks = {"driver": max(sample.driver for sample in played)}
    for name, read in READERS.items():
        peaks[name] = max(sample.driver for sample in watch(read, folder))
    return Result(
        rounds=rounds,
        workers=given.workers,
        seconds=round(samples[-1].seconds, 1),
        log_bytes=size,
        peaks=peaks,
        samples=played[:: 1 + len(played) // SAMPLES],
        commit=commit(),
        versions=versions(PACKAGES),
    )


def play(config: TournamentConfig, folder: Path, given: argparse.Namespace) -> None:
    """Be the driver."""
    run_tournament(config, folder, workers=given.workers, zstd=given.zstd)


def rank_again(folder: Path) -> None:
    """Rank a run from its outcomes."""
    store = Store(folder)
    rank(store.outcomes(), store.timings())


def report(folder: Path) -> None:
    """Write the report of a run, without the rounds that it would play again for the learning curves."""
    publish(study([folder], curves=0), folder)


READERS: dict[str, Callable[[Path], None]] = {"ranking": rank_again, "report": report}
"""Who reads the run afterwards."""


def watch(target: Callable[..., None], *arguments: Any, each: Callable[[], object] = lambda: None) -> list[Sample]:
    """Run ``target`` in a process of its own, and sample its memory and that of its children until it ends."""
    process = multiprocessing.get_context("spawn").Process(target=target, args=arguments)
    process.start()
    began, samples = time.monotonic(), []
    pause = 0.05
    while process.is_alive():
        try:
            driver = psutil.Process(process.pid)
            workers = sum(rss(child) for child in driver.children(recursive=True))
            sample = Sample(round(time.monotonic() - began, 2), 0, round(rss(driver), 1), round(workers, 1))
        except psutil.NoSuchProcess:
            break
        each()
        samples.append(sample)
        process.join(pause)
        pause = min(0.25, 1.2 * pause)
    process.join()
    if process.exitcode:
        raise SystemExit(f"{target.__name__} failed; see above")
    return samples


def rss(process: psutil.Process) -> float:
    """Return the megabytes that a process holds in RAM; 0 if it is gone."""
    try:
        return float(process.memory_info().rss) / MB
    except psutil.NoSuchProcess:
        return 0.0


def show(result: Result) -> None:
    """Print the curve, in some lines."""
    print(f"{'rounds played':>14}{'driver MB':>11}{'workers MB':>12}")
    for sample in result.samples[:: 1 + len(result.samples) // ROWS]:
        print(f"{sample.rounds:>14,}{sample.driver:>11.0f}{sample.workers:>12.0f}")
    print(
        f"{result.rounds:,} rounds by {result.workers} workers in {result.seconds:,.0f} s, "
        f"{result.log_bytes / MB:,.0f} MB of records"
    )
    for name, peak in result.peaks.items():
        print(f"peak of the {name}: {peak:.0f} MB")


def chart(result: Result) -> Chart:
    """Return the curve as a chart."""
    rounds = tuple(float(sample.rounds) for sample in result.samples)
    return Chart(
        title=f"memory of a tournament of {result.rounds:,} rounds",
        x_label="rounds played",
        y_label="MB",
        lines=(
            Series(name="driver", x=rounds, y=tuple(sample.driver for sample in result.samples)),
            Series(
                name=f"its {result.workers} workers", x=rounds, y=tuple(sample.workers for sample in result.samples)
            ),
        ),
    )


if __name__ == "__main__":
    main()
