"""The folder of a run: its config, its records and its timings, one line a round, never overwritten."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from typing import BinaryIO

import msgspec

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.record import Record, read_log

RUNS = Path("runs")
"""Where runs go that are given no folder."""


class FolderTaken(ValueError):
    """A folder that already holds the records of a run."""


class NoRecord(LookupError):
    """A record that is asked for and is not there."""


class Store:
    """What a run leaves behind: config, records, outcomes and timings in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = folder / "config.json"
        self.log = folder / "records.jsonl"
        self.rows = folder / "outcomes.jsonl"
        self.clock = folder / "timings.jsonl"

    def check(self, config: TournamentConfig, *, resume: bool) -> None:
        """Refuse a folder into which ``config`` may not be played; it is not touched.

        Raises:
            FolderTaken: if it holds the records of another run, or of this one without ``resume``.
        """
        if not self.log.exists() or not self.log.stat().st_size:
            return
        if not resume:
            raise FolderTaken(
                f"{self.folder} already holds the records of a run, which are never overwritten; go on with it by "
                f"--resume, or name another folder, as in --out {free_folder(self.folder.name, self.folder.parent)}"
            )
        there = load_config(self.config)
        for name in config.__struct_fields__:
            came, wanted = (msgspec.json.encode(getattr(each, name)).decode() for each in (there, config))
            if came != wanted:
                raise FolderTaken(
                    f"{self.folder} holds another run: its {name} is {came}, and {wanted} is asked for; "
                    f"{self.config} is a config that resumes it"
                )

    @contextmanager
    def writer(self, config: TournamentConfig, *, resume: bool = False) -> Iterator[Writer]:
        """Open the folder for the rounds of ``config``, and make it if need be; nobody else may write meanwhile.

        Raises:
            FolderTaken: as `check`, or if another process writes into it.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log.open("a+b") as log, self.rows.open("a+b") as rows, self.clock.open("a+b") as clock:
            _lock(log, self.folder)
            self.check(config, resume=resume)
            if not self.log.stat().st_size:
                fresh = self.config.with_suffix(".new")
                with fresh.open("wb") as file:
                    _write(file, [msgspec.json.format(msgspec.json.encode(config))])
                fresh.replace(self.config)
            yield Writer(log, rows, clock)

    def records(self) -> Iterator[Record]:
        """Read the rounds played so far, oldest first."""
        return read_log(self.log)

    def outcomes(self) -> Iterator[Outcome]:
        """Read what came of the rounds, in the order of the records."""
        with self.rows.open("rb") as lines:
            for line in lines:
                yield msgspec.json.decode(line, type=Outcome)

    def timings(self) -> Iterator[Timing]:
        """Read how long the agents thought, in the order of the records."""
        with self.clock.open("rb") as lines:
            for line in lines:
                yield msgspec.json.decode(line, type=Timing)


class Writer:
    """The open logs of a run. What a crash left behind the last whole round is cut off."""

    rounds: int
    """How many rounds were there."""
    torn: bool
    """Whether the last line was cut off, since it had no end."""

    def __init__(self, log: BinaryIO, rows: BinaryIO, clock: BinaryIO) -> None:
        self._log, self._rows, self._clock = log, rows, clock
        self.rounds, self.torn = _cut(log)
        _cut(rows, self.rounds)
        _cut(clock, self.rounds)

    def append(self, batch: Batch) -> None:
        """Write rounds that were played together; they are on the disk when this returns."""
        # The records come last: a round whose record is there is complete.
        _write(self._rows, batch.outcomes)
        _write(self._clock, batch.timings)
        _write(self._log, batch.records)


def _write(file: BinaryIO, lines: Iterable[bytes]) -> None:
    """Write lines; they are on the disk when this returns."""
    file.write(b"".join(line + b"\n" for line in lines))
    file.flush()
    os.fsync(file.fileno())


def _lock(file: BinaryIO, folder: Path) -> None:
    """Keep other processes from writing into ``folder`` for as long as ``file`` is open."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise FolderTaken(f"another process is playing into {folder}; wait for it, or name another folder") from None


def _cut(file: BinaryIO, most: int | None = None) -> tuple[int, bool]:
    """Keep the whole lines of ``file``, ``most`` at most; return how many they are, and whether anything went."""
    file.seek(0)
    lines = size = 0
    for line in islice(file, most):
        if not line.endswith(b"\n"):
            break
        lines += 1
        size += len(line)
    cut = file.seek(0, os.SEEK_END) > size
    if cut:
        file.truncate(size)
    return lines, cut


def free_folder(name: str, parent: Path = RUNS) -> Path:
    """Return the first of ``NAME-1``, ``NAME-2``, ... in ``parent`` that does not exist."""
    return next(folder for number in count(1) if not (folder := parent / f"{name}-{number}").exists())


def find_record(target: str) -> Record:
    """Return the record that ``FILE`` or ``FILE#n`` means: the first one, or the n-th, counted from 1.

    Raises:
        NoRecord: if there is no such file, or no such record in it.
        InvalidRecord: if a line up to there is not a record.
    """
    name, hash_, number = target.rpartition("#")
    if not (hash_ and number.isdecimal()):
        name, number = target, "1"
    path = Path(name)
    log = Store(path).log if path.is_dir() else path
    if not log.is_file():
        raise NoRecord(f"there is no log {log}; name a records.jsonl or a tournament's folder, as in runs/quick-1#3")
    at = 0
    for at, record in enumerate(read_log(log), start=1):
        if at == int(number):
            return record
    raise NoRecord(
        f"{log} has no record {number}; it has {at}, as in {name}#1" if at else f"{log} has no records yet"
    )
