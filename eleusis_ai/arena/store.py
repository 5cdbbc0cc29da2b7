"""The folder of a run: config, records, outcomes and timings, a line for each round, never overwritten."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.mending import Found, Logs, Misplaced, Rows, look_over, put_in_order, whole_lines
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.places import Part, Places
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.logs import COMPRESSED, Appender, claim, key_of, lines, read_log, sync
from eleusis_ai.record import InvalidRecord, Record

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

    @property
    def log(self) -> Path:
        """The log of records, which may be compressed."""
        return self.logs.records

    @property
    def logs(self) -> Logs:
        """The logs of the run, as they are, or would be."""
        plain = self.folder / "records.jsonl"
        packed = plain.with_name(plain.name + COMPRESSED)
        records = packed if packed.exists() else plain
        return Logs(records, self.folder / "outcomes.jsonl", self.folder / "timings.jsonl")

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
        for name, came, wanted in differences(load_config(self.config), config):
            raise FolderTaken(
                f"{self.folder} holds another run: its {name} is {came}, and {wanted} is asked for; "
                f"{self.config} is a config that resumes it"
            )

    @contextmanager
    def writer(self, config: TournamentConfig, *, resume: bool = False, zstd: bool = False) -> Iterator[Writer]:
        """Open the folder for the rounds of ``config``, and make it if need be; nobody else may write meanwhile.

        What a crash left behind is put right. In the end the rounds stand in the order of the schedule, in whatever
        order they were written.

        Args:
            config: The tournament.
            resume: Whether to go on with the run that is there, if there is one.
            zstd: Whether the records are compressed; those that are there stay as they are.

        Raises:
            FolderTaken: as `check`, or if another process writes into it, or its records are not of the schedule.
            MissingExtra: if records are compressed, and zstandard is not installed.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.config.open("a+b") as settings:
            if not claim(settings):
                raise FolderTaken(
                    f"another process is playing into {self.folder}; wait for it, or name another folder"
                )
            self.check(config, resume=resume)
            if not self.log.exists() or not self.log.stat().st_size:
                self._begin(settings, config, zstd=zstd)
            schedule = Schedule(config)
            try:
                found = look_over(self.logs, schedule)
            except Misplaced as error:
                raise FolderTaken(f"{error}; `eleusis verify {self.folder}` tells what is wrong") from None
            if not (found.in_order and found.rows_fit):
                put_in_order(self.logs, schedule, found.places)
            with ExitStack() as stack:
                logs = [stack.enter_context(closing(Appender(path))) for path in self.logs]
                writer = Writer(logs, schedule, found)
                yield writer
            if not writer.in_order:
                put_in_order(self.logs, schedule, found.places)

    def _begin(self, settings: BinaryIO, config: TournamentConfig, *, zstd: bool) -> None:
        """Write the config of a run that has no records yet, and make the logs."""
        settings.truncate(0)
        settings.write(msgspec.json.format(msgspec.json.encode(config)) + b"\n")
        settings.flush()
        os.fsync(settings.fileno())
        for path in self.logs:
            path.unlink(missing_ok=True)
        records, *rows = self.logs
        for path in (records.with_name(records.name + COMPRESSED) if zstd else records, *rows):
            path.touch()
        sync(self.folder)

    def discard(self) -> None:
        """Take away the config and the logs, and the folder if nothing else is in it."""
        for path in (self.config, *self.logs):
            path.unlink(missing_ok=True)
        if self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()

    def records(self) -> Iterator[Record]:
        """Read the rounds played so far, as they stand in the log."""
        return read_log(self.log)

    def lines(self) -> Iterator[Line]:
        """Read the lines of each whole round, as they stand in the log of records.

        Raises:
            InvalidRecord: if a line has no key.
        """
        outcomes, timings = Rows(self.logs.outcomes), Rows(self.logs.timings)
        for at, line in enumerate(whole_lines(self.log), start=1):
            try:
                key = key_of(line)
            except InvalidRecord as error:
                raise InvalidRecord(f"{self.log}, line {at}: {error}") from None
            yield Line(at, key, line[:-1], outcomes.take(key), timings.take(key))

    def outcomes(self) -> Iterator[Outcome]:
        """Read what came of the rounds, in the order of the records; what is lost or broken is made anew by replay.

        Raises:
            InvalidRecord: if a record has no outcome, and cannot be replayed.
        """
        for line in self.lines():
            try:
                outcome = None if line.outcome is None else msgspec.json.decode(line.outcome, type=Outcome)
            except msgspec.DecodeError:
                outcome = None
            yield outcome or Outcome.of(Record.parse(line.record))

    def timings(self) -> Iterator[Timing]:
        """Read how long the agents thought, in the order of the records, where that is known."""
        for line in self.lines():
            if line.timing is not None:
                yield msgspec.json.decode(line.timing, type=Timing)


class Line(NamedTuple):
    """What the logs of a run say of one round; lines have no ends."""

    at: int
    """Which line of the log of records, from 1."""
    key: str
    record: bytes
    outcome: bytes | None
    timing: bytes | None


class Writer:
    """The open logs of a run."""

    there: Places
    """The rounds whose records are there."""
    torn: bool
    """Whether the end of the records was cut off, since a crash had left it in the middle of a round."""
    in_order: bool
    """Whether the records stand in the order of the schedule."""

    def __init__(self, logs: Sequence[Appender], schedule: Schedule, found: Found) -> None:
        self._schedule = schedule
        self.there, self.torn, self.in_order = found.places, found.torn, True
        self._last = max(found.places, default=-1)
        self._records, self._outcomes, self._timings = logs

    def missing(self, part: Part | None = None) -> Iterator[int]:
        """Yield the rounds that are to be played, in the order of the schedule; they may be appended meanwhile."""
        for number in self.there.missing():
            if part is None or part.has(self._schedule.deal_of(number)):
                yield number

    def append(self, batch: Batch) -> None:
        """Write rounds that were played together; they are on the disk when this returns."""
        # The records come last: a round whose record is there is complete.
        self._outcomes.append(batch.outcomes)
        self._timings.append(batch.timings)
        self._records.append(batch.records)
        for number in batch.numbers:
            assert number not in self.there, f"round {number} is written once"
            self.there.add(number)
            self.in_order &= number > self._last
            self._last = number


def differences(one: TournamentConfig, other: TournamentConfig) -> Iterator[tuple[str, str, str]]:
    """Yield the keys in which two configs differ, and their values as JSON."""
    for name in one.__struct_fields__:
        a, b = (msgspec.json.encode(getattr(each, name)).decode() for each in (one, other))
        if a != b:
            yield name, a, b


def free_folder(name: str, parent: Path = RUNS) -> Path:
    """Return the first of ``NAME-1``, ``NAME-2``, ... in ``parent`` that does not exist."""
    return next(folder for number in count(1) if not (folder := parent / f"{name}-{number}").exists())


def find_record(target: str) -> Record:
    """Return the record that ``FILE`` or ``FILE#n`` means: the first one, or the n-th, counted from 1.

    Raises:
        NoRecord: if there is no such file, or no such record in it.
        InvalidRecord: if that line is not a record.
        MissingExtra: if the log is compressed, and zstandard is not installed.
    """
    log, number = place_of(target)
    if not log.is_file():
        raise NoRecord(f"there is no log {log}; name a records.jsonl or a tournament's folder, as in runs/quick-1#3")
    at = 0
    for at, line in enumerate(lines(log), start=1):
        if at == number:
            try:
                return Record.parse(line)
            except InvalidRecord as error:
                raise InvalidRecord(f"{log}, line {at}: {error}") from None
    raise NoRecord(
        f"{log} has no record {number}; it has {at}, as in {target.rpartition('#')[0]}#1"
        if at
        else f"{log} has no records yet"
    )


def place_of(target: str) -> tuple[Path, int]:
    """Return the log that ``FILE`` or ``FILE#n`` means, of a folder the one in it, and which of its records."""
    name, hash_, number = target.rpartition("#")
    if not (hash_ and number.isdecimal()):
        name, number = target, "1"
    path = Path(name)
    return Store(path).log if path.is_dir() else path, int(number)
