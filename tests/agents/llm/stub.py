"""A chat endpoint on this machine that speaks the real HTTP API, well or badly as a test says."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

KEY = "sk-not-for-any-log-0123456789"
"""What stands in the environment where a test needs a key."""
VARIABLE = "STUB_KEY"


class Asked(NamedTuple):
    """A request as it came."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        """The first message of the user's."""
        return str(self.body["messages"][1]["content"])


Way = Callable[["_Handler", Asked], None]
"""A way to answer a request."""


class Stub:
    """The endpoint: it answers in the ways of ``script``, one a request, and then always in its usual ``way``."""

    def __init__(self, address: str) -> None:
        self.base_url = address
        self.asked: list[Asked] = []
        self.script: list[Way] = []
        self.way: Way = well
        self.lines: list[socket.socket] = []
        """Every line that was opened; they end with the endpoint."""
        self.over = threading.Event()
        """Set when the endpoint closes: whoever dawdles may stop."""

    def options(self, **changes: Any) -> dict[str, Any]:
        """Return options of an agent that asks here, and does not wait between requests."""
        return {"base_url": self.base_url, "model": "stub", "backoff_seconds": 0.0, "timeout_seconds": 20} | changes


@contextmanager
def serving() -> Iterator[Stub]:
    """Serve on a free port of this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads, server.block_on_close = True, False
    stub = server.stub = Stub(f"http://127.0.0.1:{server.server_port}/v1")  # type: ignore[attr-defined] # ours to add
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stub
    finally:
        stub.over.set()
        server.shutdown()
        server.server_close()
        for line in stub.lines:
            with suppress(OSError):  # it may be closed already
                line.shutdown(socket.SHUT_RDWR)
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.server.stub.lines.append(self.connection)  # type: ignore[attr-defined] # as above

    def do_POST(self) -> None:
        stub: Stub = self.server.stub  # type: ignore[attr-defined] # as above
        size = int(self.headers["Content-Length"])
        asked = Asked(
            self.path,
            {name.lower(): text for name, text in self.headers.items()},
            json.loads(self.rfile.read(size)),
        )
        stub.asked.append(asked)
        way = stub.script.pop(0) if stub.script else stub.way
        with suppress(OSError):  # who asked may have gone
            way(self, asked)

    def send(self, status: int, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> None:
        """Send an answer in one piece, so that the line does not wait for what is to come."""
        lines = [f"HTTP/1.1 {status} Whatever", f"Content-Length: {len(body)}"]
        lines += [f"{name}: {text}" for name, text in headers]
        self.wfile.write("\r\n".join([*lines, "", ""]).encode() + body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        pass


def says(content: str | None, *, finish: str = "stop", refusal: str | None = None, usage: Any = (100, 20)) -> Way:
    """Answer with a completion."""
    counted = None if usage is None else {"prompt_tokens": usage[0], "completion_tokens": usage[1]}
    message = {"role": "assistant", "content": content, "refusal": refusal}
    told = {"id": "x", "choices": [{"index": 0, "message": message, "finish_reason": finish}], "usage": counted}

    def way(handler: _Handler, asked: Asked) -> None:
        handler.send(200, json.dumps(told).encode(), [("Content-Type", "application/json")])

    return way


def plays(move: str, *, rule: str = "card.is_red", confidence: object = 5) -> Way:
    """Answer with a move."""
    return says(json.dumps({"thought": "hm", "rule": rule, "confidence": confidence, "move": move}))


def well(handler: _Handler, asked: Asked) -> None:
    """Answer with the first thing that may be answered."""
    hand = re.search(r"Your hand: (\S+)", asked.prompt)
    if "Commit to a card" in asked.prompt:
        assert hand is not None, "a hand is told"
        told = {"thought": "hm", "rule": "card.is_red", "confidence": 5, "state": False, "card": hand[1]}
        says(json.dumps(told))(handler, asked)
        return
    may = re.search(r"You may answer: .*?'(.*?)'", asked.prompt)
    assert may is not None, asked.prompt
    plays(may[1])(handler, asked)


def fails(status: int, message: str = "no", **headers: str) -> Way:
    """Answer with an error, as OpenAI words them."""

    def way(handler: _Handler, asked: Asked) -> None:
        body = json.dumps({"error": {"message": message, "type": "stub", "code": None}}).encode()
        handler.send(status, body, [(name.replace("_", "-"), text) for name, text in headers.items()])

    return way


def sends(body: bytes, status: int = 200) -> Way:
    """Answer with any bytes."""
    return lambda handler, asked: handler.send(status, body)


def hangs_up(handler: _Handler, asked: Asked) -> None:
    """Close the line without a word."""
    handler.close_connection = True
    handler.connection.close()


def breaks_off(handler: _Handler, asked: Asked) -> None:
    """Promise more than comes."""
    handler.wfile.write(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"choices"')
    handler.close_connection = True


def hangs(handler: _Handler, asked: Asked) -> None:
    """Say nothing until the endpoint closes."""
    handler.server.stub.over.wait()  # type: ignore[attr-defined] # as above
    handler.close_connection = True


def never_ends(handler: _Handler, asked: Asked) -> None:
    """Send spaces for as long as they are taken."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    handler.close_connection = True
    while not handler.server.stub.over.is_set():  # type: ignore[attr-defined] # as above
        handler.wfile.write(b" " * 65_536)


def needs_plain_words(handler: _Handler, asked: Asked) -> None:
    """Refuse schemas, and the older name for the most tokens."""
    if "max_tokens" in asked.body:
        fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")(handler, asked)
    elif "response_format" in asked.body:
        fails(400, "response_format.type json_schema is not supported")(handler, asked)
    else:
        well(handler, asked)
