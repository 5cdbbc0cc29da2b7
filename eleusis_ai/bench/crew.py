"""Many processes on one list of jobs: the results come in the order of the jobs, the same for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Generic, TypeVar

from threadpoolctl import ThreadpoolController

from eleusis_ai.processes import ONE_THREAD

_Job = TypeVar("_Job")
_Found = TypeVar("_Found")


def each(
    do: Callable[[_Job], _Found], jobs: Sequence[_Job], *, workers: int = 1, alone: bool = False
) -> Iterator[_Found]:
    """Yield ``do(job)`` for each of ``jobs``, in their order.

    With one worker it is done in this process; with ``alone`` each job has a new process, and none runs beside
    another. A sum over several threads may end in another last digit, so numeric libraries are held to one.
    """
    if alone:
        for job in jobs:
            yield from _in_processes(do, [job], 1)
    elif workers == 1:
        yield from map(_OneThread(do), jobs)
    else:
        yield from _in_processes(do, jobs, workers)


def _in_processes(do: Callable[[_Job], _Found], jobs: Sequence[_Job], workers: int) -> Iterator[_Found]:
    before = {name: os.environ.get(name) for name in ONE_THREAD}
    os.environ.update(ONE_THREAD)  # for the processes that are to come
    spawn = multiprocessing.get_context("spawn")  # a fork would copy locks and threads of whoever asks
    pool = ProcessPoolExecutor(workers, mp_context=spawn, initializer=_deaf)
    try:
        yield from pool.map(_OneThread(do), jobs)
    finally:
        pool.shutdown(cancel_futures=True)
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class _OneThread(Generic[_Job, _Found]):
    """Does something with numeric libraries held to one thread; unlike a closure it can be sent to a process."""

    def __init__(self, do: Callable[[_Job], _Found]) -> None:
        self._do = do

    def __call__(self, job: _Job) -> _Found:
        with ThreadpoolController().limit(limits=1):
            return self._do(job)


def _deaf() -> None:
    """Leave Ctrl-C to the process that gives out the jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
