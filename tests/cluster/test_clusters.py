"""A tournament is the same on every backend, and loses nothing with a worker: on real clusters of Dask and Ray."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena import clusters
from eleusis_ai.arena.engine import BackendLost
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.registry import AgentSpec
from tests.arena.test_survival import ROOT, few_deals, play, records, running, save
from tests.arena.test_tournament import HERE, config
from tests.processes import PATIENCE, wait_until

pytestmark = pytest.mark.cluster

TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
"""With this the programs of a Ray cluster know each other."""


@pytest.fixture(scope="module")
def everyone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tournament of all registered kinds of agents, and of one that takes its process down."""
    quick = few_deals(1)
    bad = AgentSpec("bad", f"{HERE}:Misfit", {"kind": "exits"})
    return save(msgspec.structs.replace(quick, agents=(*quick.agents, bad)), tmp_path_factory.mktemp("config"))


@pytest.fixture(scope="module")
def serial(everyone: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    written = play(everyone, tmp_path_factory.mktemp("serial") / "out", PYTHONHASHSEED="1", OPENBLAS_NUM_THREADS="1")
    assert written.count(b"\n") == 4
    assert b"exited" in written
    return written


@pytest.mark.parametrize(
    ("backend", "workers"), [("processes", "2"), ("dask", "1"), ("dask", "2"), ("ray", "1"), ("ray", "2")]
)
def test_every_backend_writes_the_same_bytes(
    backend: str, workers: str, everyone: Path, serial: bytes, tmp_path: Path
) -> None:
    options = ("--backend", backend, "--workers", workers)
    out = tmp_path / "out"
    assert play(everyone, out, *options, PYTHONHASHSEED="2", OPENBLAS_NUM_THREADS="2") == serial


@pytest.mark.parametrize("backend", ["processes", "dask", "ray"])
def test_a_worker_that_is_killed_in_mid_run_costs_nobody_a_move(backend: str, tmp_path: Path) -> None:
    agents = [{"id": name, "use": f"{HERE}:Restless"} for name in ("ann", "ben", "cem")]

    def gated(gate: Path) -> Path:
        gate.mkdir()
        waits = {"id": "dov", "use": f"{HERE}:Gated", "options": {"gate": str(gate)}}
        return save(config(deals=8, agents=[*agents, waits]), gate)

    whole, gate = tmp_path / "whole", tmp_path / "gate"
    asked = gated(whole)
    (whole / "open").touch()
    expected = play(asked, whole / "out")

    asked, out = gated(gate), gate / "out"
    killed: set[int] = set()
    with running(asked, out, "--backend", backend, "--workers", "2") as run:
        for _ in range(2):
            wait_until(lambda: players(gate) - killed or run.poll() is not None)
            (victim,) = players(gate) - killed
            os.kill(victim, signal.SIGKILL)
            killed.add(victim)
        (gate / "open").touch()
        _, said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, said
    assert players(gate) - killed, "nobody played on"
    assert records(out) == expected


def players(gate: Path) -> set[int]:
    """Return the processes in which the agent that waits has been asked."""
    return {int(path.name) for path in gate.iterdir() if path.name.isdecimal()}


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_a_cluster_is_reached_by_its_address(backend: str, everyone: Path, serial: bytes, tmp_path: Path) -> None:
    with {"dask": dask_cluster, "ray": ray_cluster}[backend]() as address:
        assert play(everyone, tmp_path / "out", "--backend", backend, "--address", address, **TOKEN) == serial


@contextmanager
def dask_cluster() -> Iterator[str]:
    """Start a scheduler and two workers from the command line."""
    port = free_port()
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-m", "dask"]
    with (
        program(*dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"),
        program(*dask, "worker", address, "--nworkers", "2", "--nthreads", "1", "--no-dashboard"),
    ):
        yield address


@contextmanager
def ray_cluster() -> Iterator[str]:
    """Start a head from the command line."""
    address = f"127.0.0.1:{free_port()}"
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus", "2"]
    with program(*ray, "--port", address.partition(":")[2], "--include-dashboard", "false"):
        wait_until(lambda: listens(address))
        yield address


@contextmanager
def program(*command: str) -> Iterator[None]:
    """Run a program in the repository; end it, and whatever it has started."""
    run = subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | TOKEN,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        run.terminate()
        run.wait(PATIENCE)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def listens(address: str) -> bool:
    host, _, port = address.partition(":")
    with socket.socket() as caller:
        return caller.connect_ex((host, int(port))) == 0


def test_where_no_scheduler_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "SECONDS", 0.5)
    with pytest.raises(BackendLost, match=r"no Dask cluster with workers answers at tcp://127.0.0.1:9"):
        run_tournament(config(), tmp_path / "out", backend="dask", address="tcp://127.0.0.1:9")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_what_cannot_be_made_there_is_told_before_anything_is_played(backend: str, tmp_path: Path) -> None:
    asked = save(config(agents=[{"id": "bad", "use": f"{HERE}:Unborn", "options": {"how": "raises"}}]), tmp_path)
    with running(asked, tmp_path / "out", "--backend", backend) as run:
        _, said = run.communicate(timeout=PATIENCE)
    assert run.returncode == 2
    assert "agent 'bad' cannot be made: ZeroDivisionError: an agent's own defect" in said
    assert not (tmp_path / "out").exists()
