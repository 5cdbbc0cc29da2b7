"""A sandbox: an agent may take the process down in which it plays, but not the rounds that are played there."""

from __future__ import annotations

import os
import pickle
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from math import inf
from queue import Empty, SimpleQueue
from time import perf_counter
from typing import BinaryIO, assert_never

import msgspec

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.notes import SIZE, Noted, Notes
from eleusis_ai.arena.referee import Rest
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.worker import IDLE, Done, Failed, Order, Ready, Unplayable, decode
from eleusis_ai.processes import FOREIGN, LENGTH, ONE_THREAD, command, group, kill

HARD = 10
"""How many time limits an agent may use up before its process is killed."""
PATIENCE = 1.0
"""Seconds after which it is looked whether a worker lives, if nothing is heard of it."""
STARTS = 3
"""How often a worker is started that someone kills before it plays."""


class Fallen(Exception):
    """A worker died, or was killed for hanging; this never leaves the module."""

    def __init__(self, fault: str, noted: Noted, *, foreign: bool) -> None:
        super().__init__(fault)
        self.fault, self.noted, self.foreign = fault, noted, foreign


class Sandbox:
    """Plays rounds of one tournament in a process of its own; one that dies or hangs is replaced.

    The process is started as a program, not by `multiprocessing`, so that it works wherever this is called: in a
    thread, in a daemon, in a script without ``if __name__ == "__main__"``. It ends with the thread that started it.
    """

    def __init__(self, config: TournamentConfig) -> None:
        """Start the process and wait until it has made every agent.

        Raises:
            UnknownPart, InvalidOptions, Unplayable: if an agent or a dealer cannot be made.
        """
        self.config = config
        self._worker = _started(config)
        self._idle_since = perf_counter()

    @property
    def stale(self) -> bool:
        """Whether nothing was played for so long that the process may have ended by itself."""
        return perf_counter() - self._idle_since > IDLE / 2

    def play(self, numbers: Sequence[int]) -> Batch:
        """Play the rounds at these places of the schedule, which ascend.

        Raises:
            Unplayable: if a round fails outside the agents.
        """
        parts: list[Batch] = []
        rest = Rest()
        while left := tuple(numbers[len(parts) :]):
            try:
                self._worker.order(Order(left, rest))
                for _ in left:
                    parts.append(self._worker.played())
                    rest = Rest()
            except Fallen as fallen:
                self._worker.close()
                rest = _rest(fallen, rest, self.config, numbers[len(parts)])
                self._worker = _started(self.config)
        self._idle_since = perf_counter()
        return Batch.joined(parts)

    def close(self) -> None:
        """End the process, whatever it does."""
        self._worker.close()

    def __del__(self) -> None:
        if hasattr(self, "_worker"):
            self.close()


def _started(config: TournamentConfig) -> _Worker:
    """Start a worker that has made every agent."""
    for _ in range(STARTS):
        worker = _Worker(config)
        try:
            worker.wait_until_ready()
        except Fallen as fallen:
            worker.close()
            if not fallen.foreign:
                break
        except BaseException:
            worker.close()
            raise
        else:
            return worker
    raise Unplayable(
        "a process died before it had made the agents; `eleusis agents check` tells if one of them did it"
    )


def _rest(fallen: Fallen, before: Rest, config: TournamentConfig, number: int) -> Rest:
    """Return what is known of the round ``number`` that took its worker down.

    It goes on without the agent that was asked last. But if someone else seems to have killed the process, that
    agent gets another chance.

    Raises:
        Unplayable: if no agent was asked.
    """
    seat = fallen.noted.seat if fallen.noted.number == number else None
    if (fallen.foreign or seat is None) and not before.again:
        return msgspec.structs.replace(before, again=True)
    if seat is None:
        key = Schedule(config).key(number)
        raise Unplayable(f"{key} cannot be played: its process died twice while no agent was asked")
    begun = max(fallen.noted.made, before.begun, key=len)
    return msgspec.structs.replace(before, begun=begun, out={**before.out, seat: fallen.fault})


class _Worker:
    """The watcher's end of one process."""

    def __init__(self, config: TournamentConfig) -> None:
        self._hard_limit = inf if config.time_limit is None else HARD * config.time_limit
        with tempfile.TemporaryFile() as notes:
            notes.truncate(SIZE)
            self._notes = Notes(notes.fileno())
            self._notes.begin(-1)
            self._process = subprocess.Popen(
                command("eleusis_ai.arena.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=notes,
                env=os.environ | ONE_THREAD,
                process_group=group(),
            )
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        self._orders = self._process.stdin
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        self._say(config)

    def wait_until_ready(self) -> None:
        """Wait until it has made every agent.

        Raises:
            Fallen: if it is dead.
            UnknownPart, InvalidOptions, Unplayable: if an agent or a dealer cannot be made.
        """
        self._hear()

    def order(self, order: Order) -> None:
        """Let it play."""
        self._say(order)

    def played(self) -> Batch:
        """Wait for the next round that is over.

        Raises:
            Fallen: if it is dead, or an agent had more than enough time.
            Unplayable: if the round fails outside the agents.
        """
        batch = self._hear()
        assert batch is not None, "a worker is ready once"
        return batch

    def close(self) -> None:
        """End the process and what it has started, whatever they do."""
        if self._process.poll() is None:
            kill(self._process.pid)
            self._process.wait()
        with suppress(OSError):  # of what it has not read any more
            self._orders.close()

    def _say(self, message: TournamentConfig | Order) -> None:
        with suppress(OSError):  # it is dead: the answer will tell
            pickle.dump(message, self._orders)
            self._orders.flush()

    def _hear(self) -> Batch | None:
        """Return the next round that is over; None: the worker is ready."""
        try:
            answer = decode(self._next())
        except (EOFError, msgspec.DecodeError):  # it is dead, or an agent has written into the line
            code = self._process.poll()
            self.close()
            raise Fallen("exited", self._notes.read(), foreign=code in FOREIGN) from None
        match answer:
            case Done(batch):
                return batch
            case Failed():
                raise answer.raised()
            case Ready():
                return None
            case _:
                assert_never(answer)

    def _next(self) -> bytes:
        """Wait for what it says next.

        Raises:
            EOFError: if it has ended.
            Fallen: if an agent had more than enough time.
        """
        patience = 0.0
        while True:
            ended = self._process.poll() is not None
            try:
                text = self._answers.get(timeout=patience)
            except Empty:
                if ended and patience:  # though a process that an agent has started holds the line
                    raise EOFError from None
                patience = self._patience()
                continue
            if text:
                return text
            while self._process.poll() is None:
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(self._patience())
            raise EOFError

    def _patience(self) -> float:
        """Return for how many seconds there is nothing to look after.

        Raises:
            Fallen: if an agent had more than enough time.
        """
        noted = self._notes.read()
        if noted.seat is None:
            return PATIENCE
        left = noted.since + self._hard_limit - perf_counter()
        if left <= 0:
            raise Fallen("hung", noted, foreign=False)
        return min(PATIENCE, left)


def _listen(line: BinaryIO, answers: SimpleQueue[bytes]) -> None:
    """Pass on what a worker says, and nothing when it has hung up."""
    with line:
        while len(size := line.read(LENGTH)) == LENGTH:
            answers.put(line.read(int.from_bytes(size, "little")))
    answers.put(b"")
