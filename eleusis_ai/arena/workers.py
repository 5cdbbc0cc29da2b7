"""The workers of a tournament: an agent may take its process down, but not the tournament."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from multiprocessing.connection import wait
from time import monotonic
from typing import Self

import msgspec

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.referee import Asked, Made, Played, Task
from eleusis_ai.arena.schedule import Table
from eleusis_ai.arena.worker import Failed, Ready, Unplayable, decode, hold_interrupts, work
from eleusis_ai.registry import InvalidOptions, UnknownPart

HARD = 10
"""How many time limits an agent may use up before its process is killed."""
AHEAD = 4
"""How many rounds a worker may be ahead of the log, on average."""
PATIENCE = 1.0
"""Seconds after which the driver looks whether its workers live, if it hears nothing."""
_FOREIGN = (-9, -15)
"""Exit codes of a process that was killed or terminated from outside, or by the system for want of memory."""
_SPAWN = multiprocessing.get_context("spawn")  # a fork would copy locks and threads of whoever runs the tournament


class Workers:
    """So many processes, each playing one round at a time. One that dies or hangs is replaced.

    Use it in a ``with`` statement: no process outlives it.
    """

    def __init__(self, config: TournamentConfig, count: int) -> None:
        """Start the processes and wait until the first of them has made every agent.

        Raises:
            UnknownPart, InvalidOptions, Unplayable: if an agent or the dealer cannot be made.
        """
        self._config = config
        self._hard_limit = None if config.time_limit is None else HARD * config.time_limit
        self._workers: list[Worker] = []
        try:
            self._workers += (Worker(config) for _ in range(count))
            while not self._workers[0].ready:
                for _ in self._listen():
                    raise AssertionError("nobody was given a round")
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process."""
        for worker in self._workers:
            worker.kill()

    def play(self, tables: Iterable[Table]) -> Iterator[Played]:
        """Play the rounds and yield them in their order.

        Raises:
            Unplayable: if a round fails outside the agents.
        """
        coming = iter(tables)
        order = deque[str]()
        done: dict[str, Played] = {}
        while True:
            for worker in self._workers:
                if worker.task is None and len(order) < AHEAD * len(self._workers) and (table := next(coming, None)):
                    order.append(table.key)
                    worker.give(Task(table=table))
            if not order:
                return
            done |= {played.record.key: played for played in self._listen()}
            while order and order[0] in done:
                yield done.pop(order.popleft())

    def _listen(self) -> Iterator[Played]:
        """Wait until there is something to hear or to do, and yield the rounds that are over."""
        deadlines = [worker.deadline for worker in self._workers if worker.deadline is not None]
        patience = min([PATIENCE, *(max(0.0, deadline - monotonic()) for deadline in deadlines)])
        wait([worker.line for worker in self._workers], patience)
        for at, worker in enumerate(self._workers):
            fault = "exited"
            try:
                yield from worker.hear(self._hard_limit)
                if worker.deadline is None or monotonic() < worker.deadline:
                    continue
                fault = "hung"
            except (EOFError, OSError, msgspec.DecodeError):
                worker.process.join(PATIENCE)  # so that its own exit code is seen
            worker.kill()
            rest = worker.rest(fault)
            self._workers[at] = Worker(self._config)
            if rest is not None:
                self._workers[at].give(rest)


class Worker:
    """The driver's end of one process."""

    task: Task | None
    """What it plays; None: it is free."""
    deadline: float | None
    """When the agent that it asks has had all the time there is."""

    def __init__(self, config: TournamentConfig) -> None:
        self.task = self.deadline = None
        self.ready = False
        self.line, end = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=work, args=(end, config))
        hold_interrupts(hold=True)  # from its birth the process is deaf to them
        try:
            self.process.start()
        finally:
            hold_interrupts(hold=False)
        end.close()
        self._asked: int | None = None
        self._made: list[Made] = []

    def give(self, task: Task) -> None:
        """Let it play a round."""
        self.task, self._asked = task, None
        self._made.clear()
        with contextlib.suppress(OSError):  # it has just died: the line will tell
            self.line.send(task)

    def hear(self, hard_limit: float | None) -> Iterator[Played]:
        """Take in what it has said, and yield the round if that is over.

        Raises:
            EOFError: if it is dead.
            Unplayable: if the round fails outside the agents.
            UnknownPart, InvalidOptions: if an agent or the dealer cannot be made.
        """
        alive = self.process.is_alive()
        while self.line.poll():
            match decode(self.line.recv_bytes()):
                case Asked(seat, made):
                    self._asked = seat
                    self._made += made
                    self.deadline = None if hard_limit is None else monotonic() + hard_limit
                case Played() as played:
                    self.task = self.deadline = None
                    yield played
                case Failed(error, text):
                    known = {each.__name__: each for each in (UnknownPart, InvalidOptions, Unplayable)}
                    where = "" if self.task is None else f"{self.task.table.key} cannot be played:\n"
                    raise known.get(error, Unplayable)(f"{where}{text}")
                case Ready():
                    self.ready = True
        if not alive:
            raise EOFError

    def rest(self, fault: str) -> Task | None:
        """Return what is left to be played now that it is dead; None: nothing.

        The round goes on without the agent that was asked last. But if someone else seems to have killed the
        process, that agent gets another chance.

        Raises:
            Unplayable: if no agent was asked.
        """
        if not self.ready:
            raise Unplayable(
                "a process died before it had made the agents: `eleusis agents check` tells if one of them did it; "
                "and a script that runs tournaments does so below `if __name__ == '__main__':`"
            )
        task = self.task
        if task is None:
            return None
        if fault == "exited" and self.process.exitcode in _FOREIGN and not task.again:
            return msgspec.structs.replace(task, again=True)
        if self._asked is None:
            raise Unplayable(f"{task.table.key} cannot be played: its process died before any agent was asked")
        begun = max(tuple(self._made), task.begun, key=len)
        return msgspec.structs.replace(task, begun=begun, out={**task.out, self._asked: fault})

    def kill(self) -> None:
        """End the process, whatever it does."""
        self.process.kill()
        self.process.join()
        self.line.close()
