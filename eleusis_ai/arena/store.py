"""The folder of a run: its config, its records and its timings, one line a round, never overwritten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Self

import msgspec

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.record import Record, read_log

RUNS = Path("runs")
"""Where runs go that are given no folder."""


class FolderTaken(ValueError):
    """A folder that already holds the records of a run."""


class NoRecord(LookupError):
    """A record that is asked for and is not there."""


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How long each agent thought in one round; kept apart, since no two runs agree on it."""

    key: str
    """The record's key."""
    seconds: dict[str, float]
    """By agent, over all its chairs."""
    decisions: dict[str, int]
    """By agent, over all its chairs."""


class Store:
    """What a run leaves behind: ``config.json``, ``records.jsonl`` and ``timings.jsonl`` in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "records.jsonl"
        self._timings = folder / "timings.jsonl"

    @classmethod
    def create(cls, folder: Path, config: TournamentConfig) -> Self:
        """Begin a run in ``folder``, which is made if need be.

        Raises:
            FolderTaken: if it holds the records of another run.
        """
        store = cls(folder)
        if store.log.exists():
            raise FolderTaken(
                f"{folder} already holds the records of a run, which are never overwritten; "
                f"name another folder, as in --out {free_folder(folder.name, folder.parent)}"
            )
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(config)) + b"\n")
        store.log.touch()
        store._timings.touch()
        return store

    def append(self, record: Record, timing: Timing) -> None:
        """Write one round; it is on disk when this returns."""
        # The record comes last: a round whose record is there is complete.
        for path, line in ((self._timings, msgspec.json.encode(timing)), (self.log, str(record).encode())):
            with path.open("ab") as file:
                file.write(line + b"\n")

    def records(self) -> Iterator[Record]:
        """Read the rounds played so far, oldest first."""
        return read_log(self.log)

    def timings(self) -> Iterator[Timing]:
        """Read how long the agents thought, in the order of the records."""
        with self._timings.open("rb") as lines:
            for line in lines:
                yield msgspec.json.decode(line, type=Timing)


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
