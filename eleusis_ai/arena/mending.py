"""The logs of a run put right: what a crash left is cut off, rows go with their records, rounds stand in order."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, takewhile
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

import msgspec

from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.places import Places
from eleusis_ai.arena.schedule import InvalidKey, NoSuchRound, Schedule
from eleusis_ai.logs import Appender, cut, key_of, lines, seekable, sync
from eleusis_ai.record import InvalidRecord, Record

BLOCK = 1 << 18
"""About how many bytes of a log that is written anew go to the disk together."""
FRESH = "new-"
"""How the name of a log begins that is being written anew."""


class Misplaced(ValueError):
    """A line of a log that does not belong where it stands."""


class Logs(NamedTuple):
    """The three logs of a run."""

    records: Path
    outcomes: Path
    timings: Path

    def fresh(self) -> Self:
        """Return where they are written anew."""
        return type(self)(*(path.with_name(FRESH + path.name) for path in self))


class Found(NamedTuple):
    """What stands in the logs of a run."""

    places: Places
    """The rounds whose records are there."""
    in_order: bool
    """Whether the records stand in the order of the schedule."""
    rows_fit: bool
    """Whether outcomes and timings are those of the records, in their order."""
    torn: bool
    """Whether the end of the records was cut off."""


class Rows:
    """Lines that follow those of another log, key by key; some may be missing."""

    size: int
    """Bytes of the lines that were taken."""

    def __init__(self, path: Path) -> None:
        self._lines = whole_lines(path)
        self._next = next(self._lines, None)
        self.size = 0

    def take(self, key: str) -> bytes | None:
        """Return the next line, without its end, if it is of ``key``."""
        line = self._next
        if line is None or _key(line) != key:
            return None
        self._next = next(self._lines, None)
        self.size += len(line)
        return line[:-1]

    def rest(self) -> Iterator[bytes]:
        """Yield the lines that were not taken."""
        return self._lines if self._next is None else chain([self._next], self._lines)


class Picker:
    """The lines of a log by their rounds' places in the schedule; 8 bytes are held for each."""

    def __init__(self, file: BinaryIO, schedule: Schedule) -> None:
        self._file = file
        self._offsets = array("q", [-1]) * schedule.rounds
        offset = file.seek(0)
        for line in file:
            number = _number(schedule, line)
            if number is not None and self._offsets[number] < 0:
                self._offsets[number] = offset
            offset += len(line)

    def line(self, number: int) -> bytes | None:
        """Return the line of a round, without its end; None: there is none."""
        if self._offsets[number] < 0:
            return None
        self._file.seek(self._offsets[number])
        return self._file.readline().removesuffix(b"\n")


def whole_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a log with their ends, but for a last one without; none, if there is no such file."""
    return takewhile(lambda line: line.endswith(b"\n"), lines(path)) if path.exists() else iter(())


def outcome_line(record: bytes) -> bytes:
    """Replay a record, and return what came of it, without the line's end.

    Raises:
        InvalidRecord: if it cannot be replayed.
    """
    return msgspec.json.encode(Outcome.of(Record.parse(record)))


def look_over(logs: Logs, schedule: Schedule) -> Found:
    """Cut off what is torn, or is ahead of the records, and tell what is there.

    Raises:
        Misplaced: if a record is not one of the schedule, or stands there twice; the message names it.
        InvalidRecord: if the log of records is compressed, and broken.
    """
    for path in logs.fresh():
        path.unlink(missing_ok=True)
    torn = cut(logs.records)
    places, in_order, fit, last = Places(schedule.rounds), True, True, -1
    outcomes, timings = Rows(logs.outcomes), Rows(logs.timings)
    for at, line in enumerate(lines(logs.records), start=1):
        try:
            key = key_of(line)
            number = schedule.number(key)
        except (InvalidRecord, InvalidKey, NoSuchRound) as error:
            raise Misplaced(f"{logs.records}, line {at}: {error}") from None
        if number in places:
            raise Misplaced(f"{logs.records}, line {at}: {key} stands there already")
        places.add(number)
        in_order &= number > last
        last = number
        fit &= outcomes.take(key) is not None
        timings.take(key)
    for path, rows in ((logs.outcomes, outcomes), (logs.timings, timings)):
        left = (_number(schedule, line) for line in rows.rest())
        if any(number in places for number in left if number is not None):
            fit = False
        elif path.exists():
            cut(path, end=rows.size)
    return Found(places=places, in_order=in_order, rows_fit=fit, torn=torn)


def put_in_order(logs: Logs, schedule: Schedule, places: Places) -> None:
    """Write the logs anew in the order of the schedule, each row with its record; lost outcomes are replayed.

    A crash on the way loses nothing: the old logs stay until the new ones are whole. The records are replaced last,
    so where they stand in order, their rows do too.

    Raises:
        InvalidRecord: if an outcome is lost, and its record cannot be replayed.
    """
    fresh = logs.fresh()
    for path in logs:
        path.touch()
    with ExitStack() as stack:
        records, outcomes, timings = (Picker(stack.enter_context(seekable(path)), schedule) for path in logs)

        def outcome(number: int) -> bytes | None:
            line, record = outcomes.line(number), records.line(number)
            return line if line is not None or record is None else outcome_line(record)

        for path, line_of in zip(fresh, (records.line, outcome, timings.line), strict=True):
            write(path, (line for number in places if (line := line_of(number)) is not None))
    replace(fresh, logs)


def write(path: Path, block: Iterable[bytes]) -> None:
    """Write lines, given without their ends, into a log that is made for them; they are on the disk in the end."""
    path.unlink(missing_ok=True)
    log = Appender(path)
    try:
        waiting: list[bytes] = []
        size = 0
        for line in block:
            waiting.append(line)
            size += len(line)
            if size >= BLOCK:
                log.append(waiting)
                waiting, size = [], 0
        log.append(waiting)
    finally:
        log.close()


def replace(fresh: Logs, logs: Logs) -> None:
    """Put logs that were written anew into the place of the old ones."""
    for new, old in zip(reversed(fresh), reversed(logs), strict=True):
        new.replace(old)
    sync(logs.records.parent)


def _key(line: bytes) -> str | None:
    """Return the key of a line; None: it has none."""
    try:
        return key_of(line)
    except InvalidRecord:
        return None


def _number(schedule: Schedule, line: bytes) -> int | None:
    """Return the place in the schedule of a line's round; None: it has none, or the line is torn."""
    key = _key(line) if line.endswith(b"\n") else None
    try:
        return None if key is None else schedule.number(key)
    except (InvalidKey, NoSuchRound):
        return None
