"""A client at a table of `eleusis serve`, which keeps time, and comes back by itself when the server was away."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

PATIENCE = 120.0
"""Seconds until a request, or a way back, is given up."""
AGAIN = 0.25
"""Seconds between two attempts to come back."""


class Unanswered(Exception):
    """A request whose answer will not come: the connection is gone."""


class Head(msgspec.Struct):
    """What of a frame is read at once."""

    kind: str
    id: int | None = None
    number: int = 0
    token: str | None = None
    code: str = ""
    message: str = ""


class Asked(msgspec.Struct):
    """Who has to answer."""

    seat: int


class Table(msgspec.Struct):
    """What lies on the table, as far as it matters here."""

    asked: Asked | None


class Chair(msgspec.Struct):
    """Who sits where."""

    seat: int
    kind: str
    deals: bool


class Public(msgspec.Struct):
    """What everybody is told."""

    phase: str
    chairs: list[Chair]
    table: Table | None


class Decision(msgspec.Struct):
    """What a client is asked."""

    kind: str
    cards: list[str] = []
    no_play: bool | None = None
    calls: list[str] = []


class Private(msgspec.Struct):
    """What one seat is told."""

    decision: Decision | None


class State(msgspec.Struct):
    """A table as a client sees it."""

    number: int
    public: Public
    private: Private | None


_HEAD = msgspec.json.Decoder(Head)
_STATE = msgspec.json.Decoder(State)
_WRITER = msgspec.json.Encoder()


@dataclass(slots=True)
class Timings:
    """What the crowd has measured; seconds."""

    done: list[float] = field(default_factory=list)
    """From a move that is sent to its acknowledgement."""
    seen: list[float] = field(default_factory=list)
    """From a move that is sent to the state that the other clients of the table are told, for each of them."""
    returns: list[float] = field(default_factory=list)
    """From a lost connection to the first state after it, for each client."""
    bytes: list[int] = field(default_factory=list)
    """Of each state."""
    refused: Counter[str] = field(default_factory=Counter)
    """Codes of errors."""
    unanswered: int = 0
    """Requests whose answer never came, since the server was killed."""


class Client:
    """A client of one table, which comes back by itself as long as it runs."""

    def __init__(self, url: str, room: str, token: str | None, timings: Timings) -> None:
        self.token = token
        self.known = 0
        """The number of the last entry that was acknowledged at the table."""
        self.stale = 0
        """How often the table was older when the client came to it than what was acknowledged by then."""
        self._url, self._room, self._timings = url, room, timings
        self._connection: ClientConnection | None = None
        self._ids, self._waiting = 0, dict[int, asyncio.Future[tuple[Head, float] | None]]()
        self._raw = ""
        self._arrivals: deque[tuple[int, float]] = deque(maxlen=8)
        self._news = asyncio.Event()
        self._gone: float | None = None

    async def run(self) -> None:
        """Come, listen, and come again."""
        while True:
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(
                    self._url,
                    local_addr=(self._room, 0),
                    origin=Origin(self._url.replace("ws", "http", 1).partition("/t/")[0]),
                    open_timeout=PATIENCE,
                    max_queue=None,
                ) as connection:
                    known = self.known
                    await connection.send(_WRITER.encode({"do": "enter", "token": self.token}).decode())
                    async for message in connection:
                        self._hear(str(message), connection, known)
            self._connection = None
            if self._raw:
                self._gone = self._gone or perf_counter()
            for future in self._waiting.values():
                if not future.done():
                    future.set_result(None)
            await asyncio.sleep(AGAIN)

    def _hear(self, message: str, connection: ClientConnection, known: int) -> None:
        now, head = perf_counter(), _HEAD.decode(message)
        if head.token is not None:
            self.token = head.token
        if head.kind == "state":
            self._timings.bytes.append(len(message))
            self._raw = message
            if self._connection is None:
                self._connection = connection
                self.stale += head.number < known
                if self._gone is not None:
                    self._timings.returns.append(now - self._gone)
                self._gone = None
            if not self._arrivals or self._arrivals[-1][0] != head.number:
                self._arrivals.append((head.number, now))
                self._news.set()
        elif head.kind == "error" and head.id is None:
            self._timings.refused[head.code] += 1
        elif (future := self._waiting.get(head.id or 0)) is not None and not future.done():
            future.set_result((head, now))

    @property
    def there(self) -> bool:
        """Whether it is at the table."""
        return self._connection is not None

    @property
    def state(self) -> State:
        """The table as it was last told."""
        return _STATE.decode(self._raw)

    async def ask(self, do: str, **fields: Any) -> tuple[int, float] | None:
        """Send a request; return the number that is acknowledged and the seconds it took, None if it was refused.

        Raises:
            Unanswered: if the answer will not come.
        """
        if self._connection is None:
            raise Unanswered
        self._ids += 1
        number = self._ids
        future = self._waiting[number] = asyncio.get_running_loop().create_future()
        began = perf_counter()
        try:
            await self._connection.send(_WRITER.encode({"do": do, "id": number} | fields).decode())
            answer = await asyncio.wait_for(future, PATIENCE)
        except (WebSocketException, TimeoutError):
            raise Unanswered from None
        finally:
            del self._waiting[number]
        if answer is None:
            raise Unanswered
        head, arrived = answer
        if head.kind == "error":
            self._timings.refused[head.code] += 1
            return None
        return head.number, arrived - began

    async def saw(self, number: int) -> float | None:
        """Return when the state with this number came, or a later one; None: the connection is gone."""
        while self.there:
            for known, arrived in self._arrivals:
                if known >= number:
                    return arrived
            self._news.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), AGAIN)
        return None
