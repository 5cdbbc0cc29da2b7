"""Agents that play outside: a program of any language, and an agent behind a WebSocket."""

from __future__ import annotations

import shlex
import shutil
import sys
import weakref
from collections.abc import Callable

from eleusis_ai.agent import Misbehaved
from eleusis_ai.moves import Move
from eleusis_ai.registry import InvalidOptions, UnknownPart
from eleusis_ai.seats.conversation import Conversation, Line
from eleusis_ai.view import View

SECONDS = 10.0
"""Seconds for each decision, if nothing else is said."""
MEGABYTES = 1024
"""Memory for each process of a program, if nothing else is said."""
MOST_SECONDS = 86_400.0


class _Outsider:
    """Plays by the seat protocol over a line that is opened at the first decision."""

    def __init__(self, open_line: Callable[[], Line], *, seat: int, seed: str, time_limit: float) -> None:
        if not isinstance(time_limit, int | float) or not 0 < time_limit <= MOST_SECONDS:
            raise InvalidOptions(f"time_limit is {time_limit!r}; it is seconds, as in time_limit = {SECONDS}")
        self.seat = seat
        self._open, self._seed, self._time_limit = open_line, seed, float(time_limit)
        self._conversation: Conversation | None = None
        self._fault: Misbehaved | None = None
        """Why nobody could be reached, which is tried once a round."""

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view`` as the other side does.

        Raises:
            Misbehaved: if it has no answer.
        """
        if self._fault is not None:
            raise type(self._fault)(str(self._fault))
        if self._conversation is None:
            try:
                line = self._open()
            except Misbehaved as fault:
                self._fault = fault
                raise
            weakref.finalize(self, line.close)
            self._conversation = Conversation(line, seed=self._seed, time_limit=self._time_limit)
        return self._conversation.ask(view)

    def ended(self, view: View) -> None:
        """Tell the other side how the round has ended.

        Raises:
            Misbehaved: if it does not leave.
        """
        if self._conversation is not None:
            self._conversation.end(view)


class ProgramAgent(_Outsider):
    """A program that plays by the seat protocol on its standard input and output, started anew for each round."""

    def __init__(
        self, command: str, *, seat: int, seed: str, time_limit: float = SECONDS, memory: int = MEGABYTES
    ) -> None:
        """Look for the program; it starts at the first decision.

        Args:
            command: The program and its arguments, as they are typed in a shell.
            seat: Its seat, which it is told with the first view.
            seed: Its seed.
            time_limit: Seconds for each decision.
            memory: Megabytes that each of its processes may fill.

        Raises:
            UnknownPart: if there is no such program.
            InvalidOptions: if a limit is none.
        """
        from eleusis_ai.seats.program import Program

        words = _words(command)
        if not isinstance(memory, int) or not 1 <= memory <= 2**20:
            raise InvalidOptions(f"memory is {memory!r}; it is megabytes, as in memory = {MEGABYTES}")
        super().__init__(lambda: Program(words, memory=memory), seat=seat, seed=seed, time_limit=time_limit)


class RemoteAgent(_Outsider):
    """An agent behind a WebSocket, as ``eleusis agents serve`` offers one; each round has a connection of its own."""

    def __init__(self, address: str, *, seat: int, seed: str, time_limit: float = SECONDS) -> None:
        """Store what is needed; the connection is made at the first decision.

        Args:
            address: The address, as in ``ws://127.0.0.1:8765``.
            seat: The agent's seat, which it is told with the first view.
            seed: Its seed.
            time_limit: Seconds for each decision.

        Raises:
            MissingExtra: if the library is not installed.
            UnknownPart: if it is no address.
            InvalidOptions: if the limit is none.
        """
        from eleusis_ai.seats.websocket import Connection, checked_address

        checked_address(address)
        super().__init__(lambda: Connection(address), seat=seat, seed=seed, time_limit=time_limit)


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownPart(f"{command!r} is no command: {error}; one is as in 'command:node bot.js'") from None
    if not words:
        raise UnknownPart("a command names a program, as in 'command:node bot.js'")
    if sys.platform == "win32":
        raise UnknownPart(f"{command!r} cannot be started: programs take seats on Linux and macOS only")
    if shutil.which(words[0]) is None:
        raise UnknownPart(f"there is no program {words[0]!r} to start; one is as in 'command:node bot.js'")
    return words
