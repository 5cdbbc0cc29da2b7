"""An engine plays the blocks of a tournament somewhere; they come back in the order of the schedule."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Generic, TypeVar

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.blocks import Block, Cutter
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.worker import Failed

AHEAD = 3
"""How many blocks may be under way or wait to be written, for each one that can be played at the same time."""
TRIES = 5
"""How often a backend may lose the same block."""

Ticket = TypeVar("Ticket")


class BackendLost(ValueError):
    """A backend that cannot be reached, or loses what it is given again and again."""


class Engine(ABC, Generic[Ticket]):
    """A backend at work: its own scheduler decides what is played where."""

    lost: tuple[type[BaseException], ...] = ()
    """What is raised where blocks are lost with the process that played them."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """How many blocks can be played at the same time."""

    @abstractmethod
    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> Ticket:
        """Give the backend a block."""

    @abstractmethod
    def result(self, ticket: Ticket) -> Block | Failed:
        """Wait for a block."""

    def withdraw(self, ticket: Ticket) -> None:
        """Play a block no more, if that can be helped."""

    def recover(self) -> None:
        """Be ready for blocks again after one was lost and all were withdrawn."""

    @abstractmethod
    def close(self) -> None:
        """Let go of everything that was started."""


def play(engine: Engine[Ticket], config: TournamentConfig, cutter: Cutter) -> Iterator[Batch]:
    """Play what the cutter cuts, and yield it in its order.

    Raises:
        Unplayable, UnknownPart, InvalidOptions: if it cannot be played.
        BackendLost: if the backend loses blocks again and again.
    """
    order, tickets = deque[tuple[int, ...]](), deque[Ticket]()
    while True:
        while len(order) < AHEAD * engine.slots and (numbers := cutter.cut()):
            order.append(numbers)
        if not order:
            return
        block = _first(engine, config, order, tickets)
        cutter.learn(block)
        yield block.batch
        order.popleft()


def open_on(engine: Engine[Ticket], config: TournamentConfig) -> None:
    """Make every agent and dealer of a tournament once, where they will play.

    Raises:
        UnknownPart, InvalidOptions, Unplayable: if one of them cannot be made.
        BackendLost: if the backend loses them again and again.
    """
    _first(engine, config, deque([()]), deque[Ticket]())


def _first(
    engine: Engine[Ticket], config: TournamentConfig, order: deque[tuple[int, ...]], tickets: deque[Ticket]
) -> Block:
    """Wait for the first block of ``order``; all of them are given to the backend."""
    for _ in range(TRIES):
        try:
            tickets.extend(engine.submit(config, numbers) for numbers in islice(order, len(tickets), None))
            block = engine.result(tickets[0])
        except engine.lost as error:
            why = f"{type(error).__name__}: {error}"
            for ticket in tickets:
                engine.withdraw(ticket)
            tickets.clear()
            engine.recover()
            continue
        if isinstance(block, Failed):
            raise block.raised()
        tickets.popleft()
        return block
    raise BackendLost(
        f"the backend lost the same rounds {TRIES} times with the processes that played them ({why:.500}); "
        "what was played is kept, and --resume goes on with it"
    )
