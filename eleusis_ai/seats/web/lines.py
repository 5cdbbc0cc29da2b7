"""The server's connections: how many there may be, and how long one may keep the server waiting."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Collection
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from eleusis_ai.seats.web.limits import Limits, household

OFTEN = 1.0
"""Seconds between two looks at all connections."""


class InvalidProxy(ValueError):
    """A text that is no address of a proxy."""


class Lines:
    """All connections that are open. Whoever keeps one waiting too long, or opens too many, is cut off.

    Behind a proxy all of them come from one address; so those from proxies are not counted by address.
    """

    def __init__(self, limits: Limits, proxies: Collection[str] = ()) -> None:
        """Be ready for connections.

        Args:
            limits: How many there may be, and how long they may take.
            proxies: Addresses or networks of proxies, as in ``127.0.0.1``.

        Raises:
            InvalidProxy: if one of them is none.
        """
        self._limits = limits
        self._proxies = list(map(_network, proxies))
        self._open: Counter[str] = Counter()
        self._waiting: dict[asyncio.Transport, float] = {}
        """Since when the server waits for something."""
        self._sources: dict[asyncio.Transport, str] = {}

    def __len__(self) -> int:
        return len(self._sources)

    def opened(self, transport: asyncio.Transport) -> bool:
        """Count a new connection; False: it is one too many, and broken off."""
        peer = transport.get_extra_info("peername")
        source = household(peer[0]) if peer else ""
        own = self._open[source]
        counted = not self._is_proxy(source)
        if len(self) >= self._limits.connections or (counted and own >= self._limits.connections_per_address):
            transport.abort()
            return False
        self._open[source] += 1
        self._sources[transport] = source
        self.waits(transport)
        return True

    def waits(self, transport: asyncio.Transport) -> None:
        """Take note that the client has to say or to take something, unless it had to before."""
        if transport in self._sources:
            self._waiting.setdefault(transport, time.monotonic())

    def served(self, transport: asyncio.Transport) -> None:
        """Take note that the client owes nothing."""
        self._waiting.pop(transport, None)

    def closed(self, transport: asyncio.Transport) -> None:
        """Forget a connection."""
        self.served(transport)
        source = self._sources.pop(transport, None)
        if source is not None:
            self._open[source] -= 1
            if not self._open[source]:
                del self._open[source]

    async def watch(self) -> None:
        """Break connections off that keep the server waiting."""
        closing: dict[asyncio.Transport, float] = {}
        while True:
            await asyncio.sleep(OFTEN)
            now = time.monotonic()
            late = [each for each, since in self._waiting.items() if now - since > self._limits.answer_within]
            closing = {each: closing.get(each, now) for each in self._sources if each.is_closing()}
            late += [each for each, since in closing.items() if now - since > self._limits.close_within]
            for transport in late:
                transport.abort()

    def _is_proxy(self, source: str) -> bool:
        try:
            return any(ip_address(source) in each for each in self._proxies)
        except ValueError:
            return False


def _network(text: str) -> IPv4Network | IPv6Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise InvalidProxy(f"{text!r} is not an address of a proxy; write it in numbers, as in 127.0.0.1") from None


class HttpLine(H11Protocol):
    """A connection that asks over HTTP."""

    def __init__(self, lines: Lines, **terms: Any) -> None:
        super().__init__(**terms)
        self._lines = lines

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        """Take the connection, if it is not one too many."""
        super().connection_made(transport)
        self._lines.opened(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""
        self._lines.closed(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what comes; from now on there is an answer to be given."""
        self._lines.waits(self.transport)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Note that the answer is given, and take the next request if it has come already."""
        self._lines.served(self.transport)
        super().on_response_complete()
        if not self.cycle.response_complete:
            self._lines.waits(self.transport)


class SocketLine(WebSocketsSansIOProtocol):
    """A connection that has become a WebSocket."""

    def __init__(self, lines: Lines, **terms: Any) -> None:
        super().__init__(**terms)
        self._lines = lines

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the connection over; from now on it is pinged."""
        super().connection_made(transport)
        self._lines.served(self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let it go."""
        self._lines.closed(self.transport)
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Hand a message on; a text that is none is no news for the log, and ends the connection."""
        if self.curr_msg_data_type == "text" and not _is_text(b"".join(self.frames)):
            self.frames = []
            self.conn.send_close(1007)
            self.handle_parser_exception()
            return
        super().send_receive_event_to_app()


def _is_text(message: bytes) -> bool:
    try:
        message.decode()
    except UnicodeDecodeError:
        return False
    return True
