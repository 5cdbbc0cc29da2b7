"""A hall for the tests: the real application on a port of 127.0.0.1, agents that answer at once, and clients."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from eleusis_ai.agent import Agent, Beliefs, Explains, Reasons
from eleusis_ai.moves import Move
from eleusis_ai.registry import make_agent
from eleusis_ai.seats.web.crew import AgentFailed, Crew
from eleusis_ai.seats.web.entries import Entry, read_entry, write_entry
from eleusis_ai.seats.web.hall import Hall
from eleusis_ai.seats.web.ledger import Ledger, NotWritten
from eleusis_ai.seats.web.limits import Limits
from eleusis_ai.seats.web.listener import Listener
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.server import Neighbourhood, configured, listen
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.sitting import Sitting
from eleusis_ai.seats.web.staff import Staff
from eleusis_ai.seats.web.thinking import Player
from eleusis_ai.view import View

PATIENCE = 30.0
"""Seconds until a test gives up waiting; nothing takes so long."""
GENEROUS = Limits(requests=10_000, burst=10_000)
"""For tests that play faster than people."""
TABLE = "table"
"""The name of a table without a server."""
WORKSHOP = ThreadPoolExecutor(1)
Frame = dict[str, Any]


class CrewHere(Crew):
    """Asks agents in this process."""

    def __init__(self) -> None:
        super().__init__(workers=0)
        self._agents: dict[Player, Agent] = {}
        self.asked: list[Player] = []

    async def move(self, player: Player, view: View) -> Move:
        self.asked.append(player)
        try:
            return self._agent(player).act(view)
        except Exception as error:
            raise AgentFailed(player, f"raised {type(error).__name__}") from error

    async def beliefs(self, player: Player, view: View) -> Beliefs | None:
        agent = self._agent(player)
        return agent.beliefs(view) if isinstance(agent, Explains) else None

    async def reason(self, player: Player, view: View, move: Move) -> str | None:
        agent = self._agent(player)
        return agent.reason(view, move) if isinstance(agent, Reasons) else None

    def _agent(self, player: Player) -> Agent:
        if player not in self._agents:
            self._agents[player] = make_agent(player.agent, seat=player.seat, seed=player.seed)
        return self._agents[player]


class LedgerHere(Ledger):
    """Keeps entries in memory, and refuses them when it is told to."""

    def __init__(self, entries: Sequence[Entry] = ()) -> None:
        self.lines = [write_entry(entry) for entry in entries]
        self.full = False
        self.taken: asyncio.Event | None = None
        """What writing waits for."""
        self._lines = {TABLE: self.lines}

    async def append(self, table: str, number: int, entry: bytes) -> None:
        await asyncio.sleep(0)
        if self.taken is not None:
            await self.taken.wait()
        lines = self._lines.setdefault(table, [])
        if self.full or number != len(lines) + 1:
            raise NotWritten(f"entry {number} is not taken")
        lines.append(entry)

    def tables(self) -> Iterator[tuple[str, list[bytes]]]:
        return iter(())

    def close(self) -> None:
        pass

    def sitting(self) -> Sitting:
        """Make the table of what is kept."""
        return Sitting.of(map(read_entry, self.lines))


def live_table(entries: Sequence[Entry]) -> tuple[LiveTable, LedgerHere]:
    """Make a table of a log, without a server."""
    ledger = LedgerHere(entries)
    staff = Staff(ledger, CrewHere(), ("random",), WORKSHOP)
    return LiveTable(TABLE, ledger.sitting(), staff), ledger


async def heard(listener: Listener) -> list[Frame]:
    """Return the frames that wait for a listener, and take them away."""
    return [json.loads(await listener.next()) for _ in range(listener.waiting)]


class Served:
    """A server that runs."""

    def __init__(self, port: int, hall: Hall | None = None) -> None:
        self.port = port
        self._hall = hall

    @property
    def hall(self) -> Hall:
        """Its hall, if it runs in this process."""
        assert self._hall is not None
        return self._hall

    async def get(self, path: str, body: object = None) -> tuple[int, Any]:
        """Ask over HTTP; return the status, and the answer's JSON or text."""
        content = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", content)

        def ask() -> tuple[int, bytes, str]:
            try:
                with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                    return answer.status, answer.read(), answer.headers["content-type"]
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.read(), error.headers["content-type"]

        status, answer, kind = await asyncio.to_thread(ask)
        return status, json.loads(answer) if kind == "application/json" else answer.decode()

    async def make(self, **options: object) -> tuple[str, str]:
        """Make a table that does not pause, always with the same chance; return its token and the host's."""
        setting = msgspec.convert({"pace": 0, "seats": 4} | options, TableSetting)
        founding = await self.hall.found(setting, seed="1")
        return founding.table, founding.token

    @asynccontextmanager
    async def client(self, table: str, token: str | None = None) -> AsyncIterator[Client]:
        """Enter a table."""
        async with self._client(f"/t/{table}/ws") as client:
            await client.enter(token)
            yield client

    @asynccontextmanager
    async def at_board(self, group: str, token: str | None = None) -> AsyncIterator[Client]:
        """Look at the board of a class."""
        async with self._client(f"/c/{group}/ws") as client:
            await client.enter(token, "board")
            yield client

    @asynccontextmanager
    async def _client(self, path: str) -> AsyncIterator[Client]:
        async with connect(f"ws://127.0.0.1:{self.port}{path}", open_timeout=PATIENCE) as connection:
            client = Client(connection)
            try:
                yield client
            finally:
                await client.close()


class Client:
    """Somebody at a table, who remembers what was told."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._number = 0
        self._heard = asyncio.Condition()
        self.frames: list[Frame] = []
        self.raw: list[str] = []
        self.closed: int | None = None
        self._reading = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            async for message in self._connection:
                assert isinstance(message, str)
                async with self._heard:
                    self.raw.append(message)
                    self.frames.append(json.loads(message))
                    self._heard.notify_all()
        except ConnectionClosed:
            pass
        async with self._heard:
            self.closed = self._connection.close_code
            self._heard.notify_all()

    async def close(self) -> None:
        await self._connection.close()
        await self._reading

    async def until(self, wanted: Callable[[], Any]) -> Any:
        """Wait until what was told makes ``wanted`` true, and return it."""
        async with asyncio.timeout(PATIENCE), self._heard:
            while not (found := wanted()):
                assert self.closed is None, f"closed with {self.closed}; last: {self.raw[-1:]}"
                await self._heard.wait()
        return found

    async def gone(self) -> int | None:
        """Wait until the server has let go, and return its code."""
        async with asyncio.timeout(PATIENCE):
            await self._reading
        return self.closed

    async def say(self, message: str | bytes) -> None:
        """Send something as it is."""
        await self._connection.send(message)

    async def ask(self, do: str, **fields: object) -> Frame:
        """Send a request, and return its answer."""
        self._number += 1
        number = self._number
        await self.say(json.dumps({"do": do, "id": number} | fields))
        answer: Frame = await self.until(
            lambda: next((frame for frame in reversed(self.frames) if frame.get("id") == number), None)
        )
        return answer

    async def done(self, do: str, **fields: object) -> Frame:
        """Send a request that must be done; return the state it leads to, or a later one."""
        answer = await self.ask(do, **fields)
        assert answer["kind"] != "error", answer
        return await self.seen(answer["number"])

    async def refused(self, do: str, **fields: object) -> tuple[str, str]:
        """Send a request that must be refused; return the code and the message."""
        answer = await self.ask(do, **fields)
        assert answer["kind"] == "error", answer
        return answer["code"], answer["message"]

    async def enter(self, token: str | None = None, shown: str = "state") -> Frame:
        """Enter, and wait until the frame comes that shows what is there."""
        before = len(self.frames)
        await self.say(json.dumps({"do": "enter", "token": token}))
        await self.until(lambda: any(frame["kind"] == shown for frame in self.frames[before:]))
        return self.welcome

    async def join(self, name: str, seat: int | None = None) -> str:
        """Take a chair; return the token."""
        await self.done("join", name=name, seat=seat)
        token: str = self.welcome["token"]
        return token

    async def seen(self, number: int) -> Frame:
        """Return the last state, once it is that of an entry or a later one."""
        await self.until(lambda: self.state["number"] >= number)
        return self.state

    @property
    def welcome(self) -> Frame:
        return next(frame for frame in reversed(self.frames) if frame["kind"] == "welcome")

    @property
    def state(self) -> Frame:
        return next(frame for frame in reversed(self.frames) if frame["kind"] == "state")

    @property
    def board(self) -> Frame:
        return next(frame for frame in reversed(self.frames) if frame["kind"] == "board")

    @property
    def public(self) -> Frame:
        part: Frame = self.state["public"]
        return part

    @property
    def private(self) -> Frame:
        part: Frame = self.state["private"]
        return part

    @property
    def phase(self) -> str:
        phase: str = self.public["phase"]
        return phase

    async def play(self, choose: Callable[[Client], str], *, until: Callable[[Client], bool] | None = None) -> None:
        """Answer whatever is asked, until the round is over."""
        ended = until or (lambda client: client.phase == "over")
        while True:
            await self.until(lambda: ended(self) or (self.state["private"] or {}).get("decision"))
            if ended(self):
                return
            await self.done("move", move=choose(self), number=self.state["number"])


def by_lot(seed: int) -> Callable[[Client], str]:
    """Return what answers anything that may be asked."""
    rng = Random(seed)

    def choose(client: Client) -> str:
        decision = client.private["decision"]
        match decision["kind"]:
            case "play":
                if decision["no_play"] and rng.random() < 0.1:
                    return "no play"
                return str(rng.choice(decision["cards"]))
            case "call":
                return str(rng.choice(decision["calls"]))
            case "pick":
                return f"pick {rng.choice(decision['cards'])}"
            case "after turn":
                return rng.choice(["prophet", "pass", "pass"])
            case _:
                return rng.choice(["pass", "pass", "state card.is_red", "state abs(card.rank - last.rank) <= 3"])

    return choose


@asynccontextmanager
async def served(
    ledger: Ledger | None = None, *, limits: Limits = GENEROUS, crew: Crew | None = None, **around: tuple[str, ...]
) -> AsyncIterator[Served]:
    """Serve the tables of a ledger; None: one in memory."""
    hall = await Hall.open(ledger or LedgerHere(), crew or CrewHere(), agents=("random",))
    listening = listen("127.0.0.1", 0)
    config, lines = configured(hall, Neighbourhood(limits=limits, **around))
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve([listening]))
    watching = asyncio.ensure_future(lines.watch())
    try:
        yield Served(listening.getsockname()[1], hall)
    finally:
        watching.cancel()
        await hall.close()
        server.should_exit = True
        await serving


def played(work: Callable[[Served], Awaitable[None]], **options: Any) -> None:
    """Serve tables, do something with them, and end."""

    async def play() -> None:
        async with served(**options) as server:
            await work(server)

    asyncio.run(play())
