"""A client's socket at a table: what it says goes to the table, what the table tells goes to it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from eleusis_ai.seats.web import replies
from eleusis_ai.seats.web.limits import Bucket, Limits
from eleusis_ai.seats.web.listener import Listener

LATE = 4400
"""The code with which a socket is closed that does not enter in time."""
TOO_MANY = 4429
"""The code with which a socket is closed that asks for too much, or is one too many."""


class Attended(Protocol):
    """A table, or the board of a class."""

    @property
    def strangers(self) -> int:
        """How many clients listen that show no token of it."""

    def is_stranger(self, listener: Listener) -> bool:
        """Tell whether a client shows no token of it."""

    async def take(self, listener: Listener, message: str | bytes) -> None:
        """Do what a client's message asks for, and answer it."""

    async def gone(self, listener: Listener) -> None:
        """Take note that a client listens no more."""


async def attend(socket: WebSocket, table: Attended, limits: Limits) -> int | None:
    """Serve a client until it goes or is let go; return the code to close with, None if it has gone."""
    listener = Listener()
    works = [
        asyncio.ensure_future(_hear(socket, table, listener, limits)),
        asyncio.ensure_future(_tell(socket, listener)),
        asyncio.ensure_future(listener.dropped()),
    ]
    try:
        done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        await table.gone(listener)
    return next((work.result() for work in works if work in done), None)


async def _hear(socket: WebSocket, table: Attended, listener: Listener, limits: Limits) -> int | None:
    """Hand to the table what the client says; return the code to close with, None if it has gone."""
    bucket, warnings = Bucket(limits.requests, limits.burst), 0
    with suppress(WebSocketDisconnect):
        while True:
            try:
                async with asyncio.timeout(None if listener.entered else limits.enter_within):
                    message = await _received(socket)
            except TimeoutError:
                return LATE
            if bucket.take():
                before = listener.entered, listener.mark
                await table.take(listener, message)
                came = before != (listener.entered, listener.mark)
                if came and table.is_stranger(listener) and table.strangers > limits.strangers_per_table:
                    return TOO_MANY
                continue
            warnings += 1
            if warnings > limits.warnings:
                return TOO_MANY
            listener.offer(
                replies.error(None, "slow-down", f"{limits.requests:g} requests a second are done; the rest is not")
            )
    return None


async def _received(socket: WebSocket) -> str | bytes:
    """Return the next message.

    Raises:
        WebSocketDisconnect: if there are no more.
    """
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message["code"])
    text: str | None = message.get("text")
    if text is not None:
        return text
    content: bytes = message["bytes"]
    return content


async def _tell(socket: WebSocket, listener: Listener) -> None:
    """Send the client what it is told, as long as it takes it."""
    with suppress(WebSocketDisconnect):
        while True:
            await socket.send_text((await listener.next()).decode())
