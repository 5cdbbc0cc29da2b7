"""Rounds that were played together, as the lines that go into the logs of a run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from eleusis_ai.arena.referee import Fault, Played


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Lines without their ends, one a round each, in the order of the schedule: what a worker sends to its driver."""

    numbers: tuple[int, ...]
    """The rounds' places in the schedule, ascending, from 0."""
    records: tuple[bytes, ...]
    outcomes: tuple[bytes, ...]
    timings: tuple[bytes, ...]
    """Of rounds that are merged, those that are known."""
    faults: tuple[Fault, ...] = ()
    """The first of each kind, by agent."""

    @classmethod
    def of(cls, numbers: Sequence[int], played: Sequence[Played]) -> Self:
        """Write rounds down."""
        faults = {(fault.agent, fault.kind): fault for each in reversed(played) for fault in each.faults}
        return cls(
            numbers=tuple(numbers),
            records=tuple(str(each.record).encode() for each in played),
            outcomes=tuple(msgspec.json.encode(each.outcome) for each in played),
            timings=tuple(msgspec.json.encode(each.timing) for each in played),
            faults=tuple(faults.values()),
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Put batches together that follow each other."""
        faults = {(fault.agent, fault.kind): fault for part in reversed(parts) for fault in part.faults}
        return cls(
            numbers=tuple(number for part in parts for number in part.numbers),
            records=tuple(line for part in parts for line in part.records),
            outcomes=tuple(line for part in parts for line in part.outcomes),
            timings=tuple(line for part in parts for line in part.timings),
            faults=tuple(faults.values()),
        )
