"""The server's door: what is asked for over HTTP and WebSocket, and handed to the hall."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from eleusis_ai.seats.web.attendance import TOO_MANY, attend
from eleusis_ai.seats.web.chronicle import NoRound, chronicle_of, record_of
from eleusis_ai.seats.web.hall import FORGOTTEN, FullHall, Hall, UnknownTable
from eleusis_ai.seats.web.ledger import NotWritten
from eleusis_ai.seats.web.limits import Doorkeeper, Limits
from eleusis_ai.seats.web.requests import LARGEST
from eleusis_ai.seats.web.setting import InvalidTable, TableSetting

CLOSING = 2.0
"""Seconds that a client may take to be let go."""
MOST_CHRONICLES = 64
"""Rounds of which the chronicle is at hand."""


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

    async def make_table(self, request: Request) -> Response:
        """Make a table as the body asks for it."""
        if not self.keeper.may_make_table(_address(request)):
            return _problem(429, "slow-down", "too many tables are made from your address; wait a minute")
        body = await _body(request)
        if body is None:
            return _problem(413, "oversize", f"a setting has at most {LARGEST} bytes")
        try:
            founding = await self.hall.found(msgspec.json.decode(body, type=TableSetting))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return _problem(400, "setting", f'not a setting: {error}; one that is: {{"seats":5}}')
        except InvalidTable as error:
            return _problem(400, "setting", str(error))
        except FullHall as error:
            return _problem(503, "full", str(error))
        except NotWritten:
            return _problem(503, "failed", "the table cannot be kept now; try again")
        return _json(msgspec.json.encode(founding), 201)

    async def round(self, request: Request) -> Response:
        """Tell a round that is over."""
        name, number = request.path_params["table"], request.path_params["number"]
        sitting = self.hall.find(name).sitting
        if (name, number) not in self.chronicles:
            told = await asyncio.to_thread(lambda: msgspec.json.encode(chronicle_of(sitting, number)))
            while len(self.chronicles) >= MOST_CHRONICLES:
                self.chronicles.pop(next(iter(self.chronicles)))
            self.chronicles[name, number] = told
        return _json(self.chronicles[name, number])

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
        await socket.accept()
        code: int | None = FORGOTTEN
        with suppress(UnknownTable):
            table = self.hall.find(socket.path_params["table"])
            with self.keeper.admitted(_address(socket), table.listeners) as admitted:
                code = await attend(socket, table, self.limits) if admitted else TOO_MANY
        if code is not None:
            with suppress(TimeoutError, RuntimeError):
                async with asyncio.timeout(CLOSING):
                    await socket.close(code)


def create_app(hall: Hall, *, limits: Limits | None = None) -> Starlette:
    """Make the application that serves ``hall``."""
    limits = limits or Limits()
    door = _Door(hall, limits, Doorkeeper(limits))
    return Starlette(
        routes=[
            Route("/tables", door.make_table, methods=["POST"]),
            Route("/t/{table}/rounds/{number:int}", door.round),
            Route("/t/{table}/rounds/{number:int}/record", door.record),
            Route("/healthz", door.health),
            WebSocketRoute("/t/{table}/ws", door.sit),
        ],
        exception_handlers={UnknownTable: _not_found, NoRound: _not_found},
    )


async def _body(request: Request) -> bytes | None:
    """Return the body; None: it is too large."""
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LARGEST:
            return None
    return body


def _address(connection: HTTPConnection) -> str:
    return "" if connection.client is None else connection.client.host


async def _not_found(_: Request, error: Exception) -> Response:
    return _problem(404, "unknown-table" if isinstance(error, UnknownTable) else "unknown-round", str(error))


def _problem(status: int, code: str, message: str) -> Response:
    return _json(msgspec.json.encode(_Problem(code, message)), status)


def _json(body: bytes, status: int = 200) -> Response:
    return Response(body, status, media_type="application/json")
