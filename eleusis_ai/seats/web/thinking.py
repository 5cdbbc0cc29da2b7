"""What happens in a worker of the crew: agents are made, asked one by one, and kept until others are asked more."""

from __future__ import annotations

import os
import sys
import traceback
from collections import OrderedDict
from typing import Literal, get_args

import msgspec

from eleusis_ai.agent import Agent, Beliefs, Explains, Reasons
from eleusis_ai.cards import CARDS
from eleusis_ai.moves import Move
from eleusis_ai.processes import Line, orders_on, serve_the_parent, silence
from eleusis_ai.registry import make_agent
from eleusis_ai.view import View

MOVES = get_args(Move)
"""The kinds of move."""
NICE = 5
"""How much a worker steps back for the server, whose clients wait for milliseconds, not for seconds."""
TRACE = 2000
"""Characters of a traceback that are kept."""
RULES = 16
"""Rules of an agent's beliefs that are told."""
LONGEST = 2000
"""Characters of a reason, or of a rule that is believed, that are told."""


class Terms(msgspec.Struct, frozen=True):
    """How much a worker may keep; said to it first."""

    agents: int
    """Agents that are kept."""
    memory: int
    """Bytes that the process may have; it ends after an answer when it holds half of them."""


class Player(msgspec.Struct, frozen=True):
    """An agent on a chair, for one round."""

    table: str
    round: str
    """Tells the rounds of a table apart."""
    seat: int
    agent: str
    """A registered name or an address."""
    seed: str


class Order(msgspec.Struct, frozen=True):
    """What an agent is asked."""

    what: Literal["move", "beliefs", "reason"]
    player: Player
    view: View
    move: Move | None = None
    """The one whose reason is asked for."""


class Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an agent answers, or why it does not."""

    move: str | None = None
    reason: str | None = None
    beliefs: Beliefs | None = None
    fault: str = ""
    detail: str = ""
    """For the agent's author."""
    last: bool = False
    """Whether the process ends now, since it holds too much."""


decode = msgspec.msgpack.Decoder(Answer).decode
"""Reads what a worker says."""
_encode = msgspec.msgpack.Encoder().encode


def main() -> None:
    """Answer on standard output what comes in on standard input: terms first, then orders, all of them pickled."""
    serve_the_parent()
    if sys.platform != "win32":
        os.nice(NICE)
    orders, answers = os.dup(0), os.dup(1)
    silence()
    line, incoming = Line(answers), orders_on(orders)
    terms: Terms = incoming.get()
    _limit(terms.memory)
    kept = Kept(terms.agents)
    line.say(_encode(Answer()))
    while True:
        order: Order = incoming.get()
        answer = _answer(kept, order)
        last = _held() > terms.memory // 2
        line.say(_encode(msgspec.structs.replace(answer, last=last)))
        if last:
            os._exit(0)


class Kept:
    """The agents that were asked last. Others are made anew, and learn from the view what they have missed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._agents: OrderedDict[Player, Agent] = OrderedDict()

    def agent(self, player: Player) -> Agent:
        """Return the agent, which may be a new one."""
        agent = self._agents.pop(player, None)
        if agent is None:
            while len(self._agents) >= self._most:
                self._agents.popitem(last=False)
            agent = make_agent(player.agent, seat=player.seat, seed=player.seed)
        self._agents[player] = agent
        return agent

    def forget(self, player: Player) -> None:
        """Let go of an agent that has failed: what it remembers may be broken."""
        self._agents.pop(player, None)


def _answer(kept: Kept, order: Order) -> Answer:
    """Ask an agent; whatever it does but take the process down becomes an answer."""
    try:
        agent = kept.agent(order.player)
        if order.what == "beliefs":
            return Answer(beliefs=_beliefs(agent, order.view))
        if order.what == "reason":
            return Answer(reason=_reason(agent, order.view, order.move))
        move = agent.act(order.view)
        if type(move) not in MOVES:
            return Answer(fault="illegal", detail=f"it answered with {type(move).__name__}, which is no move")
        if problem := order.view.legal_moves().problem(move):
            return Answer(fault="illegal", detail=_readable(f"it answered {move!s:.80}: {problem}"))
        return Answer(move=str(move))
    except BaseException as error:  # it may raise whatever it likes, SystemExit too
        kept.forget(order.player)
        return Answer(fault=f"raised {type(error).__name__}", detail=_readable(traceback.format_exc())[-TRACE:])


def _beliefs(agent: Agent, view: View) -> Beliefs | None:
    """Return what an agent thinks, as plain values; None: it does not tell."""
    if not isinstance(agent, Explains):
        return None
    beliefs = msgspec.msgpack.decode(_encode(agent.beliefs(view)), type=Beliefs)
    if len(beliefs.legal) != len(CARDS):
        raise ValueError(f"the beliefs tell of {len(beliefs.legal)} cards; there are {len(CARDS)}")
    return Beliefs(beliefs.legal, tuple((text[:LONGEST], weight) for text, weight in beliefs.rules[:RULES]))


def _reason(agent: Agent, view: View, move: Move | None) -> str | None:
    """Return why an agent makes a move; None: it does not tell."""
    if not isinstance(agent, Reasons) or move is None:
        return None
    return _readable(agent.reason(view, move))[:LONGEST]


def _readable(text: str) -> str:
    """Return a text that an agent had a hand in, and that may hold what no encoding has."""
    return text.encode("utf-8", "backslashreplace").decode()


def _limit(memory: int) -> None:
    """Let an agent that asks for more memory fail, before the machine does."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))


def _held() -> int:
    """Return how many bytes this process holds in RAM; 0 where that is not easily told."""
    if sys.platform != "linux":
        return 0
    with open("/proc/self/statm", encoding="ascii") as counts:
        return int(counts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
