"""Where a tournament is played: here, in processes, on a Dask cluster, on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Any

from eleusis_ai.arena.clusters import Dask, Ray
from eleusis_ai.arena.engine import Engine
from eleusis_ai.arena.local import Processes, Serial


class Backend(StrEnum):
    """What plays the blocks."""

    SERIAL = "serial"
    """One sandbox, one block after the other."""
    PROCESSES = "processes"
    """Processes of this machine, by loky."""
    DASK = "dask"
    """A Dask cluster."""
    RAY = "ray"
    """A Ray cluster."""


class InvalidBackend(ValueError):
    """A backend that does not go with what else is asked for."""


@contextmanager
def started(backend: Backend | str | None, *, workers: int, address: str | None) -> Iterator[Engine[Any]]:
    """Start a backend, or reach it; in the end everything that was started is gone.

    Args:
        backend: Which one; None: `Backend.SERIAL` for one worker, otherwise `Backend.PROCESSES`.
        workers: How many blocks are played at the same time; a cluster at an address says so itself.
        address: Where a Dask scheduler or a Ray head listens; None: one is started on this machine.

    Raises:
        InvalidBackend: if there is no such backend, or the others do not go with it.
        MissingExtra: if its library is not installed.
        BackendLost: if nobody answers at the address.
    """
    if backend is None:
        backend = Backend.SERIAL if workers == 1 else Backend.PROCESSES
    if backend not in list(Backend):
        raise InvalidBackend(f"{backend!r} is not a backend; one of {', '.join(Backend)} is")
    backend = Backend(backend)
    if address is not None and backend not in (Backend.DASK, Backend.RAY):
        raise InvalidBackend(f"{backend} takes no address; dask and ray do, as in --backend dask --address {address}")
    if backend is Backend.SERIAL and workers > 1:
        raise InvalidBackend(f"serial plays one round at a time, not {workers}; processes does, as do dask and ray")
    engine = _engine(backend, workers, address)
    try:
        yield engine
    finally:
        engine.close()


def _engine(backend: Backend, workers: int, address: str | None) -> Engine[Any]:
    match backend:
        case Backend.SERIAL:
            return Serial()
        case Backend.PROCESSES:
            return Processes(workers)
        case Backend.DASK:
            return Dask(workers, address)
        case Backend.RAY:
            return Ray(workers, address)
