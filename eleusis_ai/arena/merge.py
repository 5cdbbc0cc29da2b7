"""Parts of one tournament, played apart, put together in the order of its schedule."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.mending import outcome_line
from eleusis_ai.arena.schedule import InvalidKey, NoSuchRound, Schedule
from eleusis_ai.arena.store import Line, NoRecord, Store, Writer, differences

BLOCK = 200
"""Rounds that are written together."""


class Unmergeable(ValueError):
    """Runs that are not parts of one tournament, or contradict each other."""


class Placed(NamedTuple):
    """A round of one of the parts."""

    number: int
    """Its place in the schedule."""
    part: int
    """Which of the folders it lies in, from 0."""
    line: Line


class Merged(NamedTuple):
    """What was put together."""

    rounds: int
    doubles: int
    """Rounds that lay in a second folder, too, and were left out there."""
    missing: int
    first_missing: str | None
    """The key of the first round that lies in no folder; None: all are there."""


def merge(folders: Sequence[Path], out: Path, *, zstd: bool = False) -> Merged:
    """Put the runs in ``folders`` together into the new run ``out``, which can be resumed if rounds are missing.

    Nothing is held but a block of rounds, and a bit for each of the schedule. What is refused leaves no ``out``.

    Raises:
        NoRecord: if there is no run in one of them.
        Unmergeable: if their configs differ, a round lies in two of them and differs, or the records of one are not
            those of the schedule in its order.
        FolderTaken: if ``out`` holds a run already.
        InvalidRecord: if a line has no key, or an outcome is lost and its record cannot be replayed.
        MissingExtra: if a log is compressed, and zstandard is not installed.
    """
    stores = [Store(folder) for folder in folders]
    config = _common_config(stores)
    schedule = Schedule(config)
    new = Store(out)
    new.check(config, resume=False)
    with new.writer(config, zstd=zstd) as writer:
        try:
            doubles = _put_together(stores, schedule, writer)
        except BaseException:
            new.discard()
            raise
    missing = next(writer.there.missing(), None)
    return Merged(
        rounds=len(writer.there),
        doubles=doubles,
        missing=schedule.rounds - len(writer.there),
        first_missing=None if missing is None else str(schedule.key(missing)),
    )


def _put_together(stores: Sequence[Store], schedule: Schedule, writer: Writer) -> int:
    """Write the rounds of all parts in their order, and return how many were found a second time."""
    doubles = 0
    block: list[Placed] = []
    everything = heapq.merge(*(_placed(part, store, schedule) for part, store in enumerate(stores)))
    for _, group in groupby(everything, key=attrgetter("number")):
        first, *again = group
        for other in again:
            _check_same(first, other, stores)
        doubles += len(again)
        block.append(first)
        if len(block) == BLOCK:
            writer.append(_batch(block))
            block.clear()
    writer.append(_batch(block))
    return doubles


def _common_config(stores: Sequence[Store]) -> TournamentConfig:
    """Return the config of all the runs."""
    for store in stores:
        if not store.config.is_file() or not store.log.is_file():
            raise NoRecord(
                f"there is no run in {store.folder}; name the folders of parts, as in runs/part-1 runs/part-2"
            )
    first, *others = stores
    config = load_config(first.config)
    for other in others:
        for name, a, b in differences(config, load_config(other.config)):
            raise Unmergeable(
                f"{first.folder} and {other.folder} are not parts of one tournament: {name} is {a} in the first, "
                f"and {b} in the second; parts are played with one config and one --seed"
            )
    return config


def _placed(part: int, store: Store, schedule: Schedule) -> Iterator[Placed]:
    """Yield the rounds of one part, which ascend."""
    last = -1
    for line in store.lines():
        try:
            number = schedule.number(line.key)
        except (InvalidKey, NoSuchRound) as error:
            raise Unmergeable(f"{_where(store, line)}: {error}") from None
        if number <= last:
            raise Unmergeable(
                f"{_where(store, line)}: {line.key} stands after {schedule.key(last)}; rounds are put in order by "
                f"eleusis tournament {store.config} --out {store.folder} --resume, with the --part it was played with"
            )
        last = number
        yield Placed(number, part, line)


def _check_same(first: Placed, other: Placed, stores: Sequence[Store]) -> None:
    if first.line.record != other.line.record:
        a, b = (_where(stores[each.part], each.line) for each in (first, other))
        raise Unmergeable(
            f"{first.line.key} is not the same in {a} and in {b}; `eleusis verify` tells which is wrong"
        )


def _where(store: Store, line: Line) -> str:
    return f"{store.log}, line {line.at}"


def _batch(block: Sequence[Placed]) -> Batch:
    return Batch(
        numbers=tuple(each.number for each in block),
        records=tuple(each.line.record for each in block),
        outcomes=tuple(each.line.outcome or outcome_line(each.line.record) for each in block),
        timings=tuple(each.line.timing for each in block if each.line.timing is not None),
    )
