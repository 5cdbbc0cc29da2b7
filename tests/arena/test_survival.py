"""A run may be killed at any moment, and its records depend on nothing but its config."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

from eleusis_ai.arena.config import TournamentConfig, load_config
from tests.arena.test_tournament import HERE, config
from tests.processes import PATIENCE, children, gone, linux, wait_until

ROOT = Path(__file__).parent.parent.parent


def few_deals(deals: int) -> TournamentConfig:
    """Return the tournament `quick` with its own agents, cut short."""
    return msgspec.structs.replace(load_config("quick"), deals=deals)


def save(settings: TournamentConfig, folder: Path) -> Path:
    path = folder / "asked.json"
    path.write_bytes(msgspec.json.encode(settings))
    return path


@contextmanager
def running(asked: Path, out: Path, *options: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Start a run in a session of its own, from a shell's point of view; kill what is left of it in the end."""
    code = "from eleusis_ai.cli import main; main()"
    command = [sys.executable, "-c", code, "tournament", str(asked), "--out", str(out), *options]
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield run
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.communicate()


def play(asked: Path, out: Path, *options: str, **environment: str) -> bytes:
    """Let a run come to its end; return its records."""
    with running(asked, out, *options, **environment) as run:
        _, said = run.communicate(timeout=2 * PATIENCE)
    assert run.returncode == 0, said
    return records(out)


def records(out: Path) -> bytes:
    log = out / "records.jsonl"
    return log.read_bytes() if log.exists() else b""


def grown(out: Path, size: int, run: subprocess.Popen[str]) -> Callable[[], bool]:
    """Return what tells whether the log of ``run`` has ``size`` bytes, or the run is over."""
    return lambda: len(records(out)) >= size or run.poll() is not None


def test_records_depend_on_nothing_but_the_config(tmp_path: Path) -> None:
    asked = save(few_deals(2), tmp_path)
    one = play(asked, tmp_path / "one", PYTHONHASHSEED="1", OPENBLAS_NUM_THREADS="1")
    two = play(asked, tmp_path / "two", "--workers", "2", PYTHONHASHSEED="2", OPENBLAS_NUM_THREADS="2")
    assert one.count(b"\n") == 6
    assert one == two


def test_a_run_that_is_killed_at_ten_moments_ends_with_the_same_bytes(tmp_path: Path) -> None:
    # Without `tree`, whose library takes a second to load, eleven times.
    agents = tuple(agent for agent in few_deals(1).agents if agent.use != "tree")
    asked = save(msgspec.structs.replace(few_deals(10), agents=agents), tmp_path)
    out = tmp_path / "killed"
    whole = play(asked, tmp_path / "whole", "--workers", "2")
    rng = Random(1)
    for number in range(10):
        with running(asked, out, "--resume", "--workers", str(1 + number % 2)) as run:
            if number % 3:  # while it plays, otherwise while it starts
                wait_until(grown(out, len(records(out)) + rng.randrange(1, len(whole) // 12), run))
                time.sleep(rng.uniform(0, 0.1))
            else:
                time.sleep(rng.uniform(0, 0.6))
            run.kill()
            run.wait()
        assert run.returncode == -signal.SIGKILL, "the run came to its end before it was killed"
        assert whole.startswith(records(out))
    assert play(asked, out, "--resume") == whole


def test_ctrl_c_stops_a_run_with_a_word(tmp_path: Path) -> None:
    asked, out = save(config(deals=5000), tmp_path), tmp_path / "out"
    with running(asked, out, "--workers", "2") as run:
        wait_until(lambda: records(out))
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does: to every process of the run
        _, said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130
    again = f"eleusis tournament {asked} --out {out} --resume"
    assert said == f"stopped; what was played is in {out}, and it goes on by: {again}\n"


@linux
@pytest.mark.parametrize("kind", ["sleeps", "spins"])
def test_nothing_goes_on_for_a_driver_that_was_killed(kind: str, tmp_path: Path) -> None:
    agents = [{"id": "bad", "use": f"{HERE}:Misfit", "options": {"kind": kind}}]
    asked, out = save(config(agents=agents), tmp_path), tmp_path / "out"
    with running(asked, out) as run:
        wait_until((out / "records.jsonl").exists)
        time.sleep(0.3)
        left = children(run.pid)
        assert left
        run.kill()
        run.wait()
        wait_until(lambda: all(map(gone, left)))


@linux
@pytest.mark.parametrize(("workers", "program"), [("1", "eleusis_ai.arena.worker"), ("2", "popen_loky")])
def test_a_worker_that_someone_kills_costs_nobody_a_move(workers: str, program: str, tmp_path: Path) -> None:
    asked = save(config(deals=60), tmp_path)
    whole = play(asked, tmp_path / "whole")
    out = tmp_path / "out"
    with running(asked, out, "--workers", workers) as run:
        for part in (1, 2, 3):
            wait_until(grown(out, part * len(whole) // 5, run))
            worker = next(pid for pid, command in children(run.pid).items() if program in command)
            os.kill(worker, signal.SIGKILL)
        _, said = run.communicate(timeout=PATIENCE)
    assert (run.returncode, said) == (0, "")
    assert records(out) == whole
