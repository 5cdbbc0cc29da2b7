"""The program's side of a conversation, where the program is an agent that is installed here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from eleusis_ai.agent import Agent, Attends
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.seats.faults import OutOfTurn, WrongVersion
from eleusis_ai.seats.protocol import (
    VERSION,
    DecisionMessage,
    ErrorMessage,
    FromProgram,
    Hello,
    MoveMessage,
    ResultMessage,
    read_from_table,
)
from eleusis_ai.seats.transcript import Reading


def respond(spec: AgentSpec, lines: Iterable[str]) -> Iterator[FromProgram]:
    """Yield what an agent answers to the ``lines`` of a table, until the round is over.

    Raises:
        Misbehaved: if the table says what it should not, or that the agent did something wrong.
    """
    reading, agent = Reading(), None
    for line in lines:
        message = read_from_table(line)
        match message:
            case Hello(version):
                if version != VERSION:
                    raise WrongVersion(f"the table speaks version {version} of the protocol, and not {VERSION}")
                yield Hello(VERSION, spec.id)
            case DecisionMessage(number=number, kind=kind):
                agent = agent or _seated(spec, reading)
                yield MoveMessage(number=number, move=str(agent.act(reading.view(kind))))
            case ResultMessage():
                if isinstance(agent, Attends):
                    agent.ended(reading.view(None))
                return
            case ErrorMessage(problem=problem, over=over):
                if over:
                    raise OutOfTurn(f"the table has ended the conversation: {problem}")
            case _:
                reading.take(message)


def _seated(spec: AgentSpec, reading: Reading) -> Agent:
    return make_agent(spec, seat=reading.seat.seat, seed=str(reading.seat.seed))
