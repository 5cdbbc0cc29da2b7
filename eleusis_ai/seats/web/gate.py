"""The gate round the application: who may ask from where and how often, and the headers of whatever goes out."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from eleusis_ai.seats.web.limits import Doorkeeper, household

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The Content-Security-Policy: nothing that is not a file of this server, and no script in a text."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What goes with every answer; an address holds a table's token, and is told to nobody."""
KEPT_NOWHERE = "no-store"
"""How long an answer may be kept that says nothing of it."""
SAFE = ("GET", "HEAD")
"""Methods that change nothing, and may be asked for from other sites: a link to a table is one."""


class InvalidOrigin(ValueError):
    """A text that does not name a site."""


class Gate:
    """Lets through what comes from the server's own pages, or from no page at all."""

    def __init__(self, app: ASGIApp, keeper: Doorkeeper, *, origins: Sequence[str] = ()) -> None:
        """Stand before ``app``.

        Args:
            app: The application.
            keeper: Counts what each address asks for.
            origins: Under which addresses the server is known besides its own, as in ``https://eleusis.example``.

        Raises:
            InvalidOrigin: if one of them is none.
        """
        self._app, self._keeper = app, keeper
        self._origins = frozenset(map(origin_of, origins))
        own = socket.gethostname().lower()
        named = (urlsplit(each).hostname for each in self._origins)
        self._hosts = frozenset({"localhost", own, f"{own}.local", *named})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the application answer."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("Cache-Control", KEPT_NOWHERE)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, sent)
        elif scope["type"] == "http":
            await refusal(scope, receive, sent)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        """Return what is answered to what may not be asked; None: it may be."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._known(host):
            return PlainTextResponse(
                f"This server is not known as {host[:100]!a}. If it is to be, start it with "
                "--origin and this address, as in --origin https://eleusis.example\n",
                421,
            )
        origin = headers.get("origin")
        reading = scope["type"] == "http" and scope["method"] in SAFE
        if not reading and origin is not None and not self._own(origin, host):
            return PlainTextResponse("This is not asked for by a page of this server.\n", 403)
        if not self._keeper.pages.take(address_of(HTTPConnection(scope))):
            return PlainTextResponse("Too much is asked for from your address; wait a minute.\n", 429)
        return None

    def _known(self, host: str) -> bool:
        """Tell whether the server may be asked for as ``host``: a stranger's name may have been led to it."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        return name is not None and (name in self._hosts or _is_address(name))

    def _own(self, origin: str, host: str) -> bool:
        """Tell whether a page of ``origin`` is one of this server."""
        return origin.lower() in self._origins or urlsplit(origin).netloc.lower() == host.lower() != ""


def address_of(connection: HTTPConnection) -> str:
    """Return where a request comes from, all addresses of a household being one."""
    return "" if connection.client is None else household(connection.client.host)


def origin_of(text: str) -> str:
    """Return an origin as browsers write it.

    Raises:
        InvalidOrigin: if it is none.
    """
    try:
        parts = urlsplit(text.strip().lower())
        port = parts.port
    except ValueError:
        raise InvalidOrigin(_wanted(text)) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path not in ("", "/") or "@" in text:
        raise InvalidOrigin(_wanted(text))
    usual = {"http": 80, "https": 443}[parts.scheme]
    name = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{name}" + (f":{port}" if port not in (None, usual) else "")


def _wanted(text: str) -> str:
    return f"{text!r} is not an address of a server; write it with its scheme, as in https://eleusis.example"


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
