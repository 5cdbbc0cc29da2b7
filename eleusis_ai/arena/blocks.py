"""Blocks: rounds that are played by one task of a backend, as many as take about a second."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from time import perf_counter

import msgspec

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.sandbox import Sandbox
from eleusis_ai.arena.worker import Failed, Unplayable
from eleusis_ai.registry import InvalidOptions, UnknownPart

SECONDS = 1.0
"""What a block is to take. Shorter ones cost more time between them, longer ones are more to lose."""
GROWTH = 4
"""How many times as long as the last one a block may be."""


class Block(msgspec.Struct, frozen=True):
    """Rounds that were played together."""

    batch: Batch
    seconds: float
    """How long it took."""


_own = threading.local()  # a sandbox ends with the thread that started it


def play_block(config: TournamentConfig, numbers: Sequence[int]) -> Block | Failed:
    """Play the rounds at these places of the schedule, which ascend, in a sandbox; no numbers: only open it.

    This is the task of every backend. Another one of the same tournament finds the sandbox of this thread open.
    What makes a tournament unplayable is returned, not raised: no backend is to try again.
    """
    began = perf_counter()
    try:
        batch = _sandbox(config).play(numbers)
    except (UnknownPart, InvalidOptions, Unplayable) as error:
        close_sandbox()
        return Failed(type(error).__name__, str(error))
    except BaseException:
        close_sandbox()
        raise
    return Block(batch, perf_counter() - began)


def _sandbox(config: TournamentConfig) -> Sandbox:
    """Return the sandbox of this thread."""
    sandbox: Sandbox | None = getattr(_own, "sandbox", None)
    if sandbox is None or sandbox.stale or sandbox.config != config:
        close_sandbox()
        sandbox = _own.sandbox = Sandbox(config)
    return sandbox


def close_sandbox() -> None:
    """Close the sandbox of this thread, if there is one."""
    sandbox: Sandbox | None = _own.__dict__.pop("sandbox", None)
    if sandbox is not None:
        sandbox.close()


class Cutter:
    """Cuts rounds that are to be played into blocks: whole deals, or parts of one deal if its rounds take long."""

    def __init__(self, numbers: Iterable[int], rounds_a_deal: int) -> None:
        """Begin with the first of ``numbers``, which ascend."""
        self._numbers = iter(numbers)
        self._next = next(self._numbers, None)
        self._deal, self._size = rounds_a_deal, 1

    def cut(self) -> tuple[int, ...]:
        """Return the numbers of the next block; empty: nothing is left."""
        if self._next is None:
            return ()
        block, end = [], self._end(self._next)
        while self._next is not None and self._next < end:
            block.append(self._next)
            self._next = next(self._numbers, None)
        return tuple(block)

    def learn(self, block: Block) -> None:
        """Take note of how long a block took."""
        rounds = len(block.batch.numbers)
        self._size = min(GROWTH * rounds, max(1, int(SECONDS * rounds / block.seconds)))

    def _end(self, first: int) -> int:
        """Return the number before which the block ends that begins with ``first``."""
        deal = first - first % self._deal
        return (
            min(first + self._size, deal + self._deal)
            if self._size < self._deal
            else (deal + self._size // self._deal * self._deal)
        )
