"""The server's door: what is asked for over HTTP and WebSocket, and handed to the hall."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from eleusis_ai.seats.web.attendance import TOO_MANY, Attended, attend
from eleusis_ai.seats.web.chronicle import NoRound, chronicle_of, record_of
from eleusis_ai.seats.web.gate import Gate, address_of
from eleusis_ai.seats.web.hall import FORGOTTEN, Founding, FullHall, Hall, Opening, UnknownTable
from eleusis_ai.seats.web.ledger import NotWritten
from eleusis_ai.seats.web.limits import Doorkeeper, Limits
from eleusis_ai.seats.web.requests import LARGEST
from eleusis_ai.seats.web.setting import ClassSetting, InvalidTable, TableSetting
from eleusis_ai.seats.web.site import page_routes

CLOSING = 2.0
"""Seconds that a client may take to be let go."""
MOST_CHRONICLES = 64
"""Rounds of which the chronicle is at hand."""


OPENING = 10
"""As how many tables a class counts at least, of those that an address may make."""
_Setting = TypeVar("_Setting", TableSetting, ClassSetting)


class _Problem(msgspec.Struct, frozen=True):
    """Why something is not done."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class _Door:
    """What the routes share."""

    hall: Hall
    limits: Limits
    keeper: Doorkeeper
    chronicles: dict[tuple[str, int], bytes] = field(default_factory=dict)
    telling: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a round is told, since that takes the processor for itself."""

    async def make_table(self, request: Request) -> Response:
        """Make a table as the body asks for it."""
        return await self._make(request, TableSetting, lambda _: 1, self.hall.found)

    async def open_class(self, request: Request) -> Response:
        """Open a class as the body asks for it."""
        return await self._make(request, ClassSetting, lambda asked: max(OPENING, asked.tables), self.hall.open_class)

    async def _make(
        self,
        request: Request,
        kind: type[_Setting],
        cost: Callable[[_Setting], int],
        make: Callable[[_Setting], Awaitable[Founding | Opening]],
    ) -> Response:
        body = await self._body(request)
        if body is None:
            return _problem(413, "oversize", f"a setting has at most {LARGEST} bytes, and comes at once")
        try:
            setting = msgspec.json.decode(body, type=kind)
            if not self.keeper.tables.take(address_of(request), cost(setting)):
                return _problem(429, "slow-down", "too many tables are made from your address; wait a while")
            made = await make(setting)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return _problem(400, "setting", f'not a setting: {error}; one that is: {{"seats":5}}')
        except InvalidTable as error:
            return _problem(400, "setting", str(error))
        except FullHall as error:
            return _problem(503, "full", str(error))
        except NotWritten:
            return _problem(503, "failed", "the table cannot be kept now; try again")
        return _json(msgspec.json.encode(made), 201)

    async def round(self, request: Request) -> Response:
        """Tell a round that is over."""
        name, number = request.path_params["table"], request.path_params["number"]
        sitting = self.hall.find(name).sitting
        if not self.keeper.chronicles.take(address_of(request)):
            return _problem(429, "slow-down", "too many rounds are told to your address; wait a minute")
        async with self.telling:
            told = self.chronicles.pop((name, number), None)
            if told is None:
                told = await asyncio.to_thread(lambda: msgspec.json.encode(chronicle_of(sitting, number)))
            while len(self.chronicles) >= MOST_CHRONICLES:
                self.chronicles.pop(next(iter(self.chronicles)))
            self.chronicles[name, number] = told
        return _json(told)

    async def record(self, request: Request) -> Response:
        """Hand out the record of a round that is over."""
        number = request.path_params["number"]
        record = record_of(self.hall.find(request.path_params["table"]).sitting, number)
        attached = {"Content-Disposition": f'attachment; filename="round-{number}.jsonl"'}
        return Response(f"{record}\n", media_type="application/jsonl", headers=attached)

    async def health(self, _: Request) -> Response:
        """Tell that the server lives."""
        return _json(msgspec.json.encode({"tables": len(self.hall.tables)}))

    async def sit(self, socket: WebSocket) -> None:
        """Seat a client at a table, until it goes or is let go."""
        await self._attend(socket, lambda: self.hall.find(socket.path_params["table"]))

    async def look(self, socket: WebSocket) -> None:
        """Show a client the board of a class, until it goes or is let go."""
        await self._attend(socket, lambda: self.hall.find_class(socket.path_params["group"]))

    async def _attend(self, socket: WebSocket, find: Callable[[], Attended]) -> None:
        await socket.accept()
        code: int | None = FORGOTTEN
        with suppress(UnknownTable), self.keeper.admitted(address_of(socket)) as admitted:
            code = await attend(socket, find(), self.limits) if admitted else TOO_MANY
        if code is not None:
            with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
                async with asyncio.timeout(CLOSING):
                    await socket.close(code)

    async def _body(self, request: Request) -> bytes | None:
        """Return the body; None: it is too large, or does not come."""
        body = b""
        with suppress(TimeoutError, ClientDisconnect):
            async with asyncio.timeout(self.limits.enter_within):
                async for part in request.stream():
                    body += part
                    if len(body) > LARGEST:
                        return None
                return body
        return None


def create_app(hall: Hall, *, limits: Limits | None = None, origins: Sequence[str] = ()) -> ASGIApp:
    """Make the application that serves ``hall``.

    Args:
        hall: The tables.
        limits: What is put up with.
        origins: Under which addresses the server is known besides its own, as in ``https://eleusis.example``.

    Raises:
        InvalidOrigin: if one of them is none.
    """
    limits = limits or Limits()
    door = _Door(hall, limits, Doorkeeper(limits))
    app = Starlette(
        routes=[
            Route("/tables", door.make_table, methods=["POST"]),
            Route("/classes", door.open_class, methods=["POST"]),
            Route("/t/{table}/rounds/{number:int}", door.round),
            Route("/t/{table}/rounds/{number:int}/record", door.record),
            Route("/healthz", door.health),
            WebSocketRoute("/t/{table}/ws", door.sit),
            WebSocketRoute("/c/{group}/ws", door.look),
            *page_routes(hall),
        ],
        exception_handlers={UnknownTable: _not_found, NoRound: _not_found},
    )
    return Gate(app, door.keeper, origins=origins)


async def _not_found(_: Request, error: Exception) -> Response:
    return _problem(404, "unknown-table" if isinstance(error, UnknownTable) else "unknown-round", str(error))


def _problem(status: int, code: str, message: str) -> Response:
    return _json(msgspec.json.encode(_Problem(code, message)), status)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")
