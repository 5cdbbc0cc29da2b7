"""Blocks on this machine, without a cluster: one after the other, or in processes."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future

from loky import ProcessPoolExecutor
from loky.process_executor import BrokenProcessPool

from eleusis_ai.arena.blocks import Block, close_sandbox, play_block
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.engine import Engine
from eleusis_ai.arena.worker import IDLE, Failed
from eleusis_ai.processes import serve_the_parent


class Serial(Engine[tuple[TournamentConfig, Sequence[int]]]):
    """One block after the other, each when it is waited for."""

    @property
    def slots(self) -> int:
        """One."""
        return 1

    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> tuple[TournamentConfig, Sequence[int]]:
        """Lay the block aside."""
        return config, numbers

    def result(self, ticket: tuple[TournamentConfig, Sequence[int]]) -> Block | Failed:
        """Play the block."""
        return play_block(*ticket)

    def close(self) -> None:
        """Close the sandbox."""
        close_sandbox()


class Processes(Engine["Future[Block | Failed]"]):
    """Processes of this machine."""

    lost = (BrokenProcessPool,)

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._start()

    def _start(self) -> None:
        self._executor = ProcessPoolExecutor(self._workers, timeout=IDLE, initializer=serve_the_parent)

    @property
    def slots(self) -> int:
        """As many as processes."""
        return self._workers

    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> Future[Block | Failed]:
        """Give the processes a block."""
        ticket: Future[Block | Failed] = self._executor.submit(play_block, config, numbers)
        return ticket

    def result(self, ticket: Future[Block | Failed]) -> Block | Failed:
        """Wait for a block."""
        return ticket.result()

    def recover(self) -> None:
        """Start other processes: where one dies, loky ends all."""
        self.close()
        self._start()

    def close(self) -> None:
        """End the processes."""
        self._executor.shutdown(wait=True, kill_workers=True)
