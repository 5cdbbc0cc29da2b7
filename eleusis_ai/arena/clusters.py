"""Blocks on a cluster of Dask or Ray: one of this machine, or one that listens at an address."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import Any

from eleusis_ai.arena.blocks import Block, play_block
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.engine import TRIES, BackendLost, Engine
from eleusis_ai.arena.worker import Failed
from eleusis_ai.registry import MissingExtra

SECONDS = 20.0
"""How long a Dask cluster may take to answer, and to have its first worker."""


class Dask(Engine[Any]):
    """A client of Dask; its tickets are Dask's futures. A block whose worker dies is given to another by Dask."""

    def __init__(self, workers: int, address: str | None) -> None:
        """Start a cluster of so many processes, or reach the one at the address.

        Raises:
            MissingExtra: if Dask is not installed.
            BackendLost: if no scheduler answers there, or it has no workers.
        """
        try:
            from distributed import Client, LocalCluster
            from distributed.scheduler import KilledWorker
        except ImportError as error:
            raise MissingExtra("the backend dask", "dask") from error
        self.lost = (KilledWorker, CancelledError)
        with ExitStack() as started:
            place = address or started.enter_context(
                LocalCluster(
                    n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.ERROR
                )
            )
            try:
                self._client = started.enter_context(Client(place, timeout=SECONDS, set_as_default=False))
                self._client.wait_for_workers(1, timeout=SECONDS)
            except (OSError, ValueError) as error:
                raise BackendLost(
                    f"no Dask cluster with workers answers at {place}: {error}; `dask scheduler` starts one, and "
                    "`dask worker ADDRESS` its workers, as in --address tcp://192.168.0.10:8786"
                ) from error
            self._started = started.pop_all()

    @property
    def slots(self) -> int:
        """As many as the workers have threads at the moment."""
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> Any:
        """Give the scheduler a block."""
        return self._client.submit(play_block, config, numbers, pure=False)

    def result(self, ticket: Any) -> Block | Failed:
        """Wait for a block."""
        block: Block | Failed = ticket.result()
        return block

    def withdraw(self, ticket: Any) -> None:
        """Cancel the block."""
        ticket.cancel(force=True)

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        self._started.close()


class Ray(Engine[Any]):
    """A driver of Ray; its tickets are references. A block whose worker dies is given to another by Ray."""

    def __init__(self, workers: int, address: str | None) -> None:
        """Start a cluster of so many processes, or reach the one at the address.

        Raises:
            MissingExtra: if Ray is not installed.
            BackendLost: if nobody answers there.
        """
        try:
            import ray
            from ray.exceptions import NodeDiedError, ObjectLostError, WorkerCrashedError
        except ImportError as error:
            raise MissingExtra("the backend ray", "ray") from error
        self.lost = (NodeDiedError, ObjectLostError, WorkerCrashedError)
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is reported to anybody
        here = {} if address else {"num_cpus": workers, "include_dashboard": False}
        try:
            ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **here)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise BackendLost(
                f"no Ray cluster answers at {address}: {error}; `ray start --head` starts one, and on its machines "
                "it is found by --address auto"
            ) from error
        self._ray = ray
        self._play = ray.remote(play_block).options(max_retries=TRIES, num_cpus=1)

    @property
    def slots(self) -> int:
        """As many as the cluster has processors at the moment."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> Any:
        """Give Ray a block."""
        return self._play.remote(config, numbers)

    def result(self, ticket: Any) -> Block | Failed:
        """Wait for a block."""
        block: Block | Failed = self._ray.get(ticket)
        return block

    def withdraw(self, ticket: Any) -> None:
        """Cancel the block."""
        self._ray.cancel(ticket, force=True)

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        self._ray.shutdown()
