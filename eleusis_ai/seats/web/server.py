"""The server: the hall of a ledger, served until it is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FrameType

from eleusis_ai.registry import MissingExtra
from eleusis_ai.seats.web.crew import Crew
from eleusis_ai.seats.web.hall import Hall
from eleusis_ai.seats.web.ledger import Ledger, NotWritten
from eleusis_ai.seats.web.limits import Limits
from eleusis_ai.seats.web.requests import LARGEST

try:
    import uvicorn

    from eleusis_ai.seats.web.app import create_app
    from eleusis_ai.seats.web.lines import HttpLine, Lines, SocketLine
except ImportError as error:
    raise MissingExtra("the table in the browser", "web") from error

DAY = 86_400.0
"""Seconds."""
SWEEP = 3600.0
"""Seconds between two looks for tables to be cleared away."""
FAREWELL = 5
"""Seconds in which clients are let go."""
OWN_FILES = 200
"""Files that the server opens besides its connections, at most."""
SEND_BUFFER = 2**17
"""Bytes that the system keeps for a client that does not read, about."""
_LOG = logging.getLogger(__name__)


class PortTaken(ValueError):
    """A port that cannot be listened at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """From where a server is asked."""

    origins: tuple[str, ...] = ()
    """Under which addresses it is known besides its own, as in ``https://eleusis.example``."""
    proxies: tuple[str, ...] = ()
    """Addresses of proxies before it, which are believed for whom they ask."""
    limits: Limits = field(default_factory=Limits)
    """What it puts up with."""


def serve(
    path: Path,
    *,
    host: str,
    port: int,
    agents: Sequence[str],
    workers: int,
    keep: float,
    say: Callable[[str], None],
    around: Neighbourhood = Neighbourhood(),
) -> None:
    """Serve the tables of a ledger until Ctrl-C or SIGTERM.

    Args:
        path: The ledger's file.
        host: The address to listen at; ``0.0.0.0``: all of this machine.
        port: The port; 0: any that is free.
        agents: The agents that may be seated.
        workers: Processes in which agents think.
        keep: Days without a move after which a table is cleared away; 0: none ever is.
        say: Tells where the tables are.
        around: From where the server is asked.

    Raises:
        PortTaken: if nothing can listen there.
        NoLedger, LedgerTaken: if the file cannot be used.
        UnknownPart: if there is no such agent.
        InvalidOrigin, InvalidProxy: if an address is none.
    """
    with listen(host, port) as listening:
        asyncio.run(_serve(listening, Ledger(path), Crew(workers), agents=agents, keep=keep, say=say, around=around))


async def _serve(
    listening: socket.socket,
    ledger: Ledger,
    crew: Crew,
    *,
    agents: Sequence[str],
    keep: float,
    say: Callable[[str], None],
    around: Neighbourhood,
) -> None:
    try:
        hall = await Hall.open(ledger, crew, agents=agents)
        config, lines = configured(hall, around)
    except BaseException:
        ledger.close()
        raise
    server = _Server(config)
    works = list(map(asyncio.ensure_future, (_sweep(hall, keep), crew.warm(*agents), lines.watch())))
    for line in _told(listening, hall):
        say(line)
    try:
        await server.serve([listening])
    finally:
        for work in works:
            work.cancel()
        await asyncio.gather(*works, return_exceptions=True)
        await hall.close()


def configured(hall: Hall, around: Neighbourhood) -> tuple[uvicorn.Config, Lines]:
    """Return how a hall is served, and its connections, which somebody must watch.

    Raises:
        InvalidOrigin, InvalidProxy: if an address is none.
    """
    limits = replace(around.limits, connections=min(around.limits.connections, _room()))
    lines = Lines(limits, around.proxies)
    config = uvicorn.Config(
        create_app(hall, limits=limits, origins=around.origins),
        http=partial(HttpLine, lines),  # type: ignore[arg-type]  # uvicorn only calls it
        ws=partial(SocketLine, lines),  # type: ignore[arg-type]  # as above
        ws_max_size=4 * LARGEST,
        ws_per_message_deflate=False,
        h11_max_incomplete_event_size=4 * LARGEST,
        proxy_headers=bool(around.proxies),
        forwarded_allow_ips=list(around.proxies),
        access_log=False,
        server_header=False,
        lifespan="off",
        log_level="error",
        timeout_graceful_shutdown=FAREWELL,
    )
    return config, lines


def _room() -> int:
    """Return how many connections the system lets a process have, the hall's own files left out."""
    if sys.platform == "win32":
        return OWN_FILES
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        soft = hard
    return OWN_FILES if soft < 0 else max(OWN_FILES, soft - OWN_FILES)


class _Server(uvicorn.Server):
    """Stops at a signal as uvicorn does, but in such a way that the hall can still be closed."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at the first signal, and at once at the second."""

        def stop(_: int, __: FrameType | None) -> None:
            self.force_exit = self.should_exit
            self.should_exit = True

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        yield


def listen(host: str, port: int) -> socket.socket:
    """Listen at a port.

    Raises:
        PortTaken: if that cannot be.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Only of a socket that says it is TCP does asyncio send small frames at once, instead of 40 ms later.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # A client that reads nothing must not make the system keep megabytes for it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listening.bind((host, port))
        listening.listen(1024)
    except (OSError, OverflowError) as error:
        listening.close()
        raise PortTaken(
            f"port {port} of {host} cannot be had: {error}; another may be free, as in --port {port % 60_000 + 1}"
        ) from error
    return listening


def _told(listening: socket.socket, hall: Hall) -> Iterator[str]:
    """Yield what is said when the server starts."""
    host, port = listening.getsockname()[:2]
    everywhere = host in ("0.0.0.0", "::")
    shown = "localhost" if everywhere else f"[{host}]" if ":" in host else host
    yield f"Eleusis is at http://{shown}:{port}/ until Ctrl-C; {len(hall.tables)} tables are there"
    if everywhere and (own := _own_address()):
        yield f"a phone in the same network opens http://{own}:{port}/"
    if hall.set_aside:
        yield f"{len(hall.set_aside)} tables cannot be brought back, and are left as they are"


def _own_address() -> str | None:
    """Return this machine's address in its network; None: it has none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))  # sends nothing, but chooses the way
        address: str = asking.getsockname()[0]
        return address
    return None


async def _sweep(hall: Hall, keep: float) -> None:
    """Clear tables away at which nothing has happened for ``keep`` days, now and then; 0: never."""
    while keep > 0:
        try:
            await hall.purge(keep * DAY)
        except NotWritten:
            _LOG.exception("old tables cannot be cleared away")
        await asyncio.sleep(SWEEP)
