"""A client's socket at a table: what it says goes to the table, what the table tells goes to it."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from eleusis_ai.seats.web import replies
from eleusis_ai.seats.web.limits import Bucket, Limits
from eleusis_ai.seats.web.listener import Listener
from eleusis_ai.seats.web.live_table import LiveTable

LATE = 4400
"""The code with which a socket is closed that does not enter in time."""
TOO_MANY = 4429
"""The code with which a socket is closed that asks for too much, or is one too many."""


async def attend(socket: WebSocket, table: LiveTable, limits: Limits) -> int | None:
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


async def _hear(socket: WebSocket, table: LiveTable, listener: Listener, limits: Limits) -> int | None:
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
                await table.take(listener, message)
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
