"""How quick is a hall with 200 tables of five, and what is lost when it is killed?

`eleusis serve` runs on this machine, and a crowd in another process plays at it over WebSockets: five clients a
table, a move every two seconds at each, drawn by chance. Latency is what a client sees: from the request that it
sends to the acknowledgement that the move is on the disk, and to the state that the other clients are told. In a
second run `random` agents sit in three chairs of each table, whose clients look on. In a third the server is killed
under load and started again, some times; clients come back by themselves, and every move that was acknowledged is
looked for in the ledger.

Run it with: pip install -e ".[web]" && python -m benchmarks.web
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from benchmarks.crowd import SEATS, Crowd
from eleusis_ai.provenance import commit, versions
from eleusis_ai.seats.web.entries import MoveMade, read_entry
from eleusis_ai.seats.web.ledger import Ledger

RESULTS = Path(__file__).parent / "results"
PACKAGES = ("eleusis-ai", "msgspec", "starlette", "uvicorn", "websockets")
START = "from eleusis_ai.cli import main; main()"
MB = 1_000_000


class Latency(msgspec.Struct, frozen=True):
    """Milliseconds."""

    median: float
    p95: float
    worst: float

    @classmethod
    def of(cls, seconds: list[float]) -> Latency:
        """Sum up what was measured."""
        cuts = quantiles(seconds, n=20)
        return cls(*(round(1000 * each, 1) for each in (cuts[9], cuts[18], max(seconds))))


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured while the crowd played."""

    tables: int
    clients: int
    agents: int
    """Chairs of each table in which agents sit."""
    seconds: float
    moves: int
    """Those of clients."""
    acknowledged: Latency
    seen_by_others: Latency
    state_bytes: int
    """The median."""
    refused: dict[str, int]
    server_mb: float
    """RSS of the server in the end."""
    workers_mb: float
    """That of the processes in which agents think."""
    server_cpu: float
    """Cores that the server used, of all threads."""
    crowd_cpu: float
    """Cores that the clients used, on the same machine."""


class Kills(msgspec.Struct, frozen=True, kw_only=True):
    """What was found after the server was killed under load."""

    tables: int
    kills: int
    acknowledged: int
    """Moves."""
    lost: int
    """Those of them that are not in the ledger, or not as they were made."""
    stale: int
    """Clients that came back to a table older than what they had been told is kept."""
    unanswered: int
    """Requests that were under way when the server was killed."""
    restart: float
    """Seconds until the server listens again, at most."""
    returns: Latency
    """From the lost connection to the first state after it, the restart of the server included."""
    server_mb: float


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured."""

    loads: list[Load]
    kills: Kills
    cores: int | None
    commit: str | None
    versions: dict[str, str]


def main() -> None:
    """Let the crowd play, kill the server, print what was seen, and write it down."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--tables", type=int, default=200)
    options.add_argument("--seconds", type=float, default=60.0, help="of play, in each of the runs")
    options.add_argument("--beat", type=float, default=2.0, help="seconds between two moves at a table")
    options.add_argument("--kills", type=int, default=3)
    given = options.parse_args()
    rate = {"tables": given.tables, "seconds": given.seconds, "beat": given.beat}
    print(f"{'':<22}{'moves':>8}{'acknowledged, ms':>22}{'seen by others, ms':>22}{'server MB':>11}{'cores':>7}")
    print(f"{'':<22}{'':>8}{'median     p95':>22}{'median     p95':>22}")
    loads = []
    for persons in (SEATS, 2):
        loads.append(asyncio.run(load(persons=persons, **rate)))
        show(loads[-1])
    kills = asyncio.run(killed(kills=given.kills, **rate))
    show_kills(kills)
    result = Result(loads=loads, kills=kills, cores=os.cpu_count(), commit=commit(), versions=versions(PACKAGES))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "web.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    print(f"written to {RESULTS / 'web.json'}")


class Server:
    """`eleusis serve` in a process of its own."""

    def __init__(self, ledger: Path, *options: str) -> None:
        self._command = [sys.executable, "-c", START, "serve", "--file", str(ledger), *options]
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it, at the same port as before, and wait until it listens."""
        self._process = subprocess.Popen(
            [*self._command, "--port", str(self.port)], stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None, "it is a pipe"
        said = self._process.stdout.readline()
        found = re.search(r"127\.0\.0\.1:(\d+)/", said)
        if found is None:
            raise SystemExit(f"the server does not start: {said}")
        self.port = int(found[1])

    def kill(self) -> None:
        """Kill it, as ``kill -9`` does."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None, "it is a pipe"
        self._process.stdout.close()

    @property
    def memory(self) -> tuple[float, float]:
        """Megabytes that it and its workers hold in RAM."""
        pid = self._process.pid
        tasks = Path(f"/proc/{pid}/task").glob("*/children")
        workers = [int(child) for task in tasks for child in task.read_text().split()]
        return rss(pid), sum(map(rss, workers))

    @property
    def cpu(self) -> float:
        """Seconds of work so far."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rss(pid: int) -> float:
    """Return the megabytes that a process holds in RAM."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return 0.0 if found is None else int(found[1]) * 1024 / MB


@contextmanager
def served(folder: Path, *options: str) -> Iterator[Server]:
    """Run a server with these options of `eleusis serve`, and kill it in the end."""
    server = Server(folder / "tables.sqlite", *options)
    try:
        yield server
    finally:
        server.kill()


async def load(*, tables: int, persons: int, seconds: float, beat: float) -> Load:
    """Let a crowd play, and measure."""
    with TemporaryDirectory() as folder, served(Path(folder)) as server:
        crowd = Crowd(server.port, tables=tables, persons=persons, beat=beat)
        await crowd.come()
        began, before, own = perf_counter(), server.cpu, sum(os.times()[:2])
        async with crowd.playing():
            await crowd.go_on(seconds)
        spent = perf_counter() - began
        server_mb, workers_mb = server.memory
        result = Load(
            tables=tables,
            clients=tables * SEATS,
            agents=SEATS - persons,
            seconds=round(spent, 1),
            moves=len(crowd.timings.done),
            acknowledged=Latency.of(crowd.timings.done),
            seen_by_others=Latency.of(crowd.timings.seen),
            state_bytes=sorted(crowd.timings.bytes)[len(crowd.timings.bytes) // 2],
            refused=dict(crowd.timings.refused),
            server_mb=round(server_mb, 1),
            workers_mb=round(workers_mb, 1),
            server_cpu=round((server.cpu - before) / spent, 3),
            crowd_cpu=round((sum(os.times()[:2]) - own) / spent, 3),
        )
        await crowd.leave()
        return result


async def killed(*options: str, tables: int, seconds: float, beat: float, kills: int) -> Kills:
    """Let a crowd play while the server is killed, and look for what was acknowledged."""
    with TemporaryDirectory() as folder:
        with served(Path(folder), *options) as server:
            crowd = Crowd(server.port, tables=tables, persons=SEATS, beat=beat)
            await crowd.come()
            restarts = [0.0]
            async with crowd.playing():
                for _ in range(kills):
                    await crowd.go_on(seconds / (kills + 1))
                    server.kill()
                    began = perf_counter()
                    await asyncio.to_thread(server.start)
                    restarts.append(perf_counter() - began)
                    await crowd.back()
                await crowd.go_on(seconds / (kills + 1))
            server_mb, _ = server.memory
        await crowd.leave()
        return Kills(
            tables=tables,
            kills=kills,
            acknowledged=len(list(crowd.acknowledged)),
            lost=missing(Path(folder) / "tables.sqlite", crowd),
            stale=crowd.stale,
            unanswered=crowd.timings.unanswered,
            restart=round(max(restarts), 1),
            returns=Latency.of(crowd.timings.returns),
            server_mb=round(server_mb, 1),
        )


def missing(path: Path, crowd: Crowd) -> int:
    """Count the moves that were acknowledged, and are not in the ledger as they were made."""
    with closing(Ledger(path)) as ledger:
        logs = dict(ledger.tables())
    found = {
        (table, number): entry.move
        for table, lines in logs.items()
        for number, entry in enumerate(map(read_entry, lines), start=1)
        if isinstance(entry, MoveMade)
    }
    return sum(found.get((each.table, each.number)) != each.move for each in crowd.acknowledged)


def show(load: Load) -> None:
    """Print what was measured while the crowd played."""
    name = "clients in all chairs" if not load.agents else f"agents in {load.agents} chairs"
    acknowledged, seen = (f"{each.median:>14}{each.p95:>8}" for each in (load.acknowledged, load.seen_by_others))
    print(f"{name:<22}{load.moves:>8,}{acknowledged}{seen}{load.server_mb:>11.0f}{load.server_cpu:>7.2f}", flush=True)


def show_kills(kills: Kills) -> None:
    """Print what was found after the server was killed."""
    print(f"killed {kills.kills} times under load: {kills.acknowledged:,} moves acknowledged, {kills.lost} lost")
    print(f"the server listens again after {kills.restart} s, at most", end="; ")
    print(f"clients are back after {kills.returns.median / 1000:.1f} s, at most {kills.returns.worst / 1000:.1f} s")


if __name__ == "__main__":
    main()
