"""The crew of a hall: agents that think in processes of their own, so that nothing they do stops a table."""

from __future__ import annotations

import asyncio
import os
import pickle
from collections import OrderedDict
from contextlib import suppress
from random import Random
from subprocess import PIPE
from zlib import crc32

import msgspec

from eleusis_ai.agent import Beliefs
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.moves import InvalidMove, Move, parse_move
from eleusis_ai.processes import FOREIGN, LENGTH, ONE_THREAD, command, group, kill
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.web.thinking import Answer, Order, Player, Terms, decode
from eleusis_ai.view import View

TIME_LIMIT = 30.0
"""Seconds that an agent may take for an answer."""
START_LIMIT = 60.0
"""Seconds that a process may take to start."""
DYING = 1.0
"""Seconds in which a process that has hung up should be gone."""
LIVE = 32
"""Agents that a process keeps; those asked longest ago are made anew when they are asked again."""
MEMORY = 2**30
"""Bytes that a process may have; one that holds half of them is replaced between two answers."""
LARGEST = 2**20
"""Bytes of an answer, at most."""
OUT = 1000
"""How many players are remembered as out, at most."""


class AgentFailed(ValueError):
    """An agent that gives no legal answer."""

    def __init__(self, player: Player, reason: str, detail: str = "") -> None:
        super().__init__(f"{player.agent} in seat {player.seat} of table {player.table}: {reason}. {detail}".rstrip())
        self.reason = reason
        """As in ``Record.substitutes``: ``illegal``, ``slow``, ``exited``, ``hung``, or what it raised."""
        self.detail = detail
        """For the agent's author."""


class Crew:
    """Asks agents in processes of their own; a table always asks in the same one, where its agents are kept.

    A process that dies or takes too long is replaced. Whoever was asked last is held responsible, and not asked
    again in that round, unless someone else seems to have killed it: then the agent gets another chance. Agents that
    are made anew, also after the whole server was, learn from the view what they have missed.
    """

    def __init__(
        self, workers: int = 2, *, time_limit: float = TIME_LIMIT, live: int = LIVE, memory: int = MEMORY
    ) -> None:
        """Be ready to start processes when they are needed.

        Args:
            workers: How many processes there are.
            time_limit: Seconds that an agent may take for an answer.
            live: Agents that each process keeps.
            memory: Bytes that each process may have.
        """
        self._workers = [_Worker(Terms(live, memory), time_limit) for _ in range(workers)]
        self._out: OrderedDict[Player, str] = OrderedDict()

    async def warm(self, *agents: str) -> None:
        """Start the processes, and let them load what ``agents`` need; one that fails is told when it plays."""
        view = _first_view()
        for agent in agents:
            player = Player("", "", view.seat, agent, "warm")
            asked = (worker.ask(Order("move", player, view)) for worker in self._workers)
            await asyncio.gather(*asked, return_exceptions=True)

    async def move(self, player: Player, view: View) -> Move:
        """Return the agent's answer to the decision that is pending in ``view``; it is legal.

        Raises:
            AgentFailed: if there is none.
        """
        answer = await self._ask(Order("move", player, view))
        try:
            return parse_move(answer.move or "")
        except InvalidMove as error:
            raise AgentFailed(player, "illegal", str(error)) from error

    async def beliefs(self, player: Player, view: View) -> Beliefs | None:
        """Return what the agent thinks of the rule after all that ``view`` shows; None: it does not tell.

        Raises:
            AgentFailed: if it fails.
        """
        return (await self._ask(Order("beliefs", player, view))).beliefs

    async def reason(self, player: Player, view: View, move: Move) -> str | None:
        """Return why the agent answers ``move`` to the decision that is pending in ``view``; None: it does not tell.

        Raises:
            AgentFailed: if it fails.
        """
        return (await self._ask(Order("reason", player, view, move))).reason

    async def close(self) -> None:
        """End the processes, whatever they do; nobody who waits gets an answer."""
        await asyncio.gather(*(worker.close() for worker in self._workers))

    async def _ask(self, order: Order) -> Answer:
        """Ask an agent.

        Raises:
            AgentFailed: if it does not answer.
        """
        player = order.player
        if player in self._out:
            raise AgentFailed(player, self._out[player], "It is not asked any more in this round.")
        worker = self._workers[crc32(player.table.encode()) % len(self._workers)]
        try:
            answer = await worker.ask(order)
        except Fallen as fallen:
            self._out[player] = str(fallen)
            if len(self._out) > OUT:
                self._out.popitem(last=False)
            raise AgentFailed(player, str(fallen), "Its process was replaced.") from None
        if answer.fault:
            raise AgentFailed(player, answer.fault, answer.detail)
        return answer


class Fallen(Exception):
    """A process died, or was killed for taking too long; this never leaves the module."""

    def __init__(self, fault: str, *, foreign: bool = False) -> None:
        super().__init__(fault)
        self.foreign = foreign


class _Worker:
    """One place of the crew: a queue of orders, and a process that is replaced when it falls."""

    def __init__(self, terms: Terms, time_limit: float) -> None:
        self._terms, self._time_limit = terms, time_limit
        self._orders: asyncio.Queue[tuple[Order, asyncio.Future[Answer]]] = asyncio.Queue()
        self._process: asyncio.subprocess.Process | None = None
        self._task: asyncio.Task[None] | None = None

    async def ask(self, order: Order) -> Answer:
        """Return what comes of an order, once it is its turn.

        Raises:
            Fallen: if the process falls over it.
        """
        if self._task is None:
            self._task = asyncio.create_task(self._work())
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._orders.put_nowait((order, answer))
        return await answer

    async def close(self) -> None:
        """End the process, and leave all orders unanswered."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._end()
        while not self._orders.empty():
            self._orders.get_nowait()[1].cancel()

    async def _work(self) -> None:
        """Have orders answered one by one."""
        while True:
            order, answer = await self._orders.get()
            if answer.cancelled():  # nobody waits any more
                continue
            try:
                came = await self._answered(order)
            except Exception as error:
                if not answer.cancelled():
                    answer.set_exception(error)
            except BaseException:
                answer.cancel()
                raise
            else:
                if not answer.cancelled():
                    answer.set_result(came)

    async def _answered(self, order: Order) -> Answer:
        """Have an order answered, by another process if someone kills the one that is at it.

        Raises:
            Fallen: if the process falls over it.
        """
        try:
            return await self._asked(order)
        except Fallen as fallen:
            if not fallen.foreign:
                raise
            return await self._asked(order)

    async def _asked(self, order: Order) -> Answer:
        """Have an order answered by the process, which is started if there is none."""
        if self._process is None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *command("eleusis_ai.seats.web.thinking"),
                    stdin=PIPE,
                    stdout=PIPE,
                    env=os.environ | ONE_THREAD,
                    process_group=group(),
                )
                await self._said(self._process, self._terms, START_LIMIT)
            except (OSError, Fallen) as error:  # no memory, or too many processes: no agent's fault
                return Answer(fault="exited", detail=f"No process can be started: {error}")
        answer = await self._said(self._process, order, self._time_limit)
        if answer.last:
            await self._end()
        return answer

    async def _said(self, process: asyncio.subprocess.Process, message: Terms | Order, limit: float) -> Answer:
        """Say something to the process, and return what it says."""
        assert process.stdin is not None, "it is a pipe"
        assert process.stdout is not None, "it is a pipe"
        try:
            async with asyncio.timeout(limit):
                process.stdin.write(pickle.dumps(message))
                await process.stdin.drain()
                size = int.from_bytes(await process.stdout.readexactly(LENGTH), "little")
                if size > LARGEST:
                    raise msgspec.DecodeError("an agent has written into the line")
                return decode(await process.stdout.readexactly(size))
        except TimeoutError:
            await self._end()
            raise Fallen("hung") from None
        except (asyncio.IncompleteReadError, ConnectionError, msgspec.DecodeError):
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), DYING)
            foreign = process.returncode in FOREIGN
            await self._end()
            raise Fallen("exited", foreign=foreign) from None

    async def _end(self) -> None:
        """End the process if there is one, and what it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            kill(process.pid)
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


def _first_view() -> View:
    """Return what a seat sees at the beginning of some round."""
    profile = PROFILES["howell"]
    deck = shuffled_deck(profile, Random(0))
    round_ = Round.deal(profile, Rule.parse("card.color != last.color"), seats=4, dealer=0, deck=deck, first=1)
    return round_.view(1)
