"""The seat protocol over WebSocket: an agent here that plays elsewhere, and one elsewhere that plays here."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from time import monotonic

from eleusis_ai.registry import AgentSpec, MissingExtra, UnknownPart, make_agent
from eleusis_ai.seats import faults
from eleusis_ai.seats.protocol import LINE, TABLE_LINE, ErrorMessage, write
from eleusis_ai.seats.respondent import respond

try:
    from websockets.exceptions import ConnectionClosed, InvalidURI, WebSocketException
    from websockets.sync.client import connect
    from websockets.sync.server import Server, ServerConnection, serve
    from websockets.uri import parse_uri
except ModuleNotFoundError as error:
    raise MissingExtra("an agent behind a WebSocket", "web") from error

OPENING = 10.0
"""Seconds in which a connection must be there."""
HANGING_UP = 1.0
"""Seconds in which the other side must agree that a connection ends."""
IDLE = 3600.0
"""Seconds without a word after which a served agent leaves the table."""


class Connection:
    """A line to an agent behind a WebSocket."""

    def __init__(self, address: str) -> None:
        """Connect.

        Raises:
            Unreachable: if nobody is there, or nobody who speaks WebSocket.
        """
        self._open = ExitStack()
        try:
            self._socket = self._open.enter_context(
                connect(
                    address,
                    open_timeout=OPENING,
                    close_timeout=HANGING_UP,
                    max_size=LINE,
                    max_queue=4,
                    compression=None,
                    proxy=None,
                )
            )
        except (OSError, WebSocketException) as error:
            raise faults.Unreachable(
                f"{address} does not answer ({error!s:.100}); `eleusis agents serve` offers an agent"
            ) from None

    def say(self, text: str) -> None:
        """Say lines, a message each."""
        with suppress(ConnectionClosed):  # that shows when an answer is wanted
            for line in text.splitlines():
                self._socket.send(line)

    def hear(self, deadline: float) -> bytes:
        """Wait for the next message.

        Raises:
            Misbehaved: if none comes in time, or none can come.
        """
        left = max(0.0, deadline - monotonic())
        try:
            message = self._socket.recv(left, decode=False)
        except TimeoutError:
            raise faults.Silent(f"it says nothing for {left:.3g} seconds; answer with a message") from None
        except ConnectionClosed as closed:
            if closed.sent is not None and closed.sent.code == 1009:
                raise faults.LongLine(f"it says a message of more than {LINE} bytes, which no message has") from None
            raise faults.HungUp(f"it has closed the connection ({closed!s:.200}); stay until the result") from None
        return message

    def end(self, deadline: float) -> None:  # noqa: ARG002 - the library has its own
        """Hang up."""
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._open.close()


def checked_address(address: str) -> None:
    """Refuse what is no address of a WebSocket.

    Raises:
        UnknownPart: saying what one is like.
    """
    try:
        parse_uri(address)
    except (InvalidURI, ValueError) as error:
        raise UnknownPart(f"{address!r} is no address: {error}; one is as in 'ws://127.0.0.1:8765'") from None


def open_server(spec: AgentSpec, *, host: str, port: int) -> Server:
    """Listen for tables that want to seat an agent; each connection is a round, with an agent of its own.

    Args:
        spec: The agent.
        host: The address to listen at.
        port: The port; 0: a free one.

    Raises:
        UnknownPart: if there is no such agent.
        OSError: if the port cannot be had.
    """
    make_agent(spec, seat=1, seed="nothing is played with this one")

    def seat(connection: ServerConnection) -> None:
        try:
            for answer in respond(spec, _lines(connection)):
                connection.send(write(answer))
        except ConnectionClosed:
            return
        except Exception as error:
            problem = f"{type(error).__name__}: {error!s:.500}"
            with suppress(ConnectionClosed):
                connection.send(write(ErrorMessage(problem=problem, over=True)))

    return serve(
        seat, host, port, max_size=TABLE_LINE, open_timeout=OPENING, close_timeout=HANGING_UP, compression=None
    )


def address_of(server: Server) -> str:
    """Return where a server is reached."""
    host, port, *_ = server.socket.getsockname()
    return f"ws://[{host}]:{port}" if server.socket.family == socket.AF_INET6 else f"ws://{host}:{port}"


def _lines(connection: ServerConnection) -> Iterator[str]:
    while True:
        try:
            message = connection.recv(IDLE)
        except (TimeoutError, ConnectionClosed):
            return
        yield message if isinstance(message, str) else message.decode("utf-8", "replace")
