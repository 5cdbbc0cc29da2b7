"""A table's conversation with one program outside: it is greeted, told, asked, and thanked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from time import monotonic
from typing import Protocol

from eleusis_ai.agent import Misbehaved
from eleusis_ai.moves import InvalidMove, Move, parse_move
from eleusis_ai.seats.faults import NotAMove, WrongDecision, WrongVersion
from eleusis_ai.seats.protocol import (
    VERSION,
    ErrorMessage,
    FromTable,
    Hello,
    MoveMessage,
    Wanted,
    read_from_program,
    write,
)
from eleusis_ai.seats.transcript import Telling, question, result
from eleusis_ai.view import View

STARTING = 10.0
"""Seconds after which a program must have said hello."""
LEAVING = 0.5
"""Seconds a program has to end when the round is over."""


class Line(Protocol):
    """A line to a program, over which either side says one line of text after the other."""

    def say(self, text: str) -> None:
        """Say a line; if the program does not listen, that shows when it is asked for an answer."""
        ...

    def hear(self, deadline: float) -> bytes:
        """Wait for the next line until ``deadline``, as `time.monotonic` counts.

        Raises:
            Misbehaved: if none comes.
        """
        ...

    def end(self, deadline: float) -> None:
        """Hang up, and wait for the program to end.

        Raises:
            Misbehaved: if it does not end well.
        """
        ...

    def close(self) -> None:
        """Hang up, and end the program whatever it does; a second time this does nothing."""
        ...


class Conversation:
    """One seat's conversation in one round.

    After a fault of the program there are two ways on. A move that is none, or that may not be made, is told, and
    the program is asked again at its next decision. Anything else ends the conversation.
    """

    def __init__(self, line: Line, *, seed: str, time_limit: float) -> None:
        """Begin a conversation with a program that has not said anything yet.

        Args:
            line: The line to the program.
            seed: The agent's seed; the program is told a number from which it cannot be guessed.
            time_limit: Seconds for each decision.
        """
        self._line, self._time_limit = line, time_limit
        self._telling = Telling(seed=number_of(seed), time_limit=time_limit)
        self._asked, self._heard, self._greeted = 0, 0, False
        self._fault: Misbehaved | None = None

    def ask(self, view: View) -> Move:
        """Return the program's answer to the decision pending in ``view``; it may not be legal.

        Raises:
            Misbehaved: if it has none; a fault that has ended the conversation is raised again.
        """
        if self._fault is not None:
            raise type(self._fault)(str(self._fault))
        try:
            self._greet()
            text = self._answer(view)
        except Misbehaved as fault:
            self._fault = fault
            self._line.say(write(ErrorMessage(problem=str(fault), over=True)))
            self._line.close()
            raise
        try:
            move = parse_move(text)
        except InvalidMove as error:
            problem = f"line {self._heard}: {error}"
            self._say([ErrorMessage(problem=problem, over=False)])
            raise NotAMove(problem) from None
        if (problem := view.legal_moves().problem(move) or "") != "":
            self._say([ErrorMessage(problem=f"line {self._heard}: {problem}", over=False)])
        return move

    def end(self, view: View) -> None:
        """Tell how the round has ended, and wait for the program to end.

        Raises:
            Misbehaved: if it does not end well.
        """
        try:
            if self._fault is None:
                self._say([*self._telling.situation(view), result(view)])
                self._line.end(monotonic() + LEAVING)
        finally:
            self._line.close()

    def _greet(self) -> None:
        if self._greeted:
            return
        self._say([Hello(VERSION, "eleusis-ai")])
        hello = self._hear(Hello, monotonic() + STARTING)
        if hello.version != VERSION:
            raise WrongVersion(
                f"line {self._heard}: it speaks version {hello.version} of the protocol, and this table {VERSION}; "
                f"say hello as in {write(Hello(VERSION, 'my bot'))}"
            )
        self._greeted = True

    def _answer(self, view: View) -> str:
        self._asked += 1
        self._say([*self._telling.situation(view), question(view.legal_moves(), self._asked)])
        answer = self._hear(MoveMessage, monotonic() + self._time_limit)
        if answer.number != self._asked:
            raise WrongDecision(
                f"line {self._heard}: it answers decision {answer.number}, and {self._asked} was asked; a move "
                f"repeats the number of its decision, as in {write(MoveMessage(number=self._asked, move='7H'))}"
            )
        return answer.move

    def _say(self, messages: Iterable[FromTable]) -> None:
        self._line.say("\n".join(map(write, messages)))

    def _hear(self, wanted: type[Wanted], deadline: float) -> Wanted:
        try:
            line = self._line.hear(deadline)
        except Misbehaved as fault:
            place = "when it should say hello" if wanted is Hello else f"asked for decision {self._asked}"
            raise type(fault)(f"{place}, {fault}") from None
        self._heard += 1
        try:
            return read_from_program(line, wanted)
        except Misbehaved as fault:
            raise type(fault)(f"line {self._heard}: {fault}") from None


def number_of(seed: str) -> int:
    """Return the number that stands for an agent's seed outside, where the names of other seeds are secret."""
    return int.from_bytes(hashlib.sha256(f"{seed}/outside".encode()).digest()[:6], "big")
