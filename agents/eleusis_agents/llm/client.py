"""One request to a chat endpoint over HTTP: an answer, or the failure that it is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from eleusis_agents.llm.completion import Dialect, answer_in, complaint_in, request_for, wait_in
from eleusis_agents.llm.failures import (
    BadKey,
    BadRequest,
    Busy,
    EndpointFailure,
    Garbled,
    LineBroken,
    NoSuchModel,
    Redirected,
    TooSlow,
    Unreachable,
)
from eleusis_agents.llm.plain import in_a_line
from eleusis_agents.llm.question import Answer, Question
from eleusis_agents.llm.settings import Settings
from eleusis_ai.registry import MissingExtra

if TYPE_CHECKING:
    from urllib3 import BaseHTTPResponse, PoolManager

LARGEST = 4_000_000
"""Bytes of a body that are read, at most."""
TOLD = 200
"""Characters that are told of what an endpoint says of an error."""
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that another try may mend."""
LINES = 32
"""Lines to an endpoint that are kept open, for as many threads."""
CONNECTING = 20.0
"""Seconds within which a line to the endpoint stands, at most."""


class Client:
    """Sends questions to the endpoint of its settings."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = monotonic) -> None:
        """Store the settings.

        Raises:
            MissingExtra: if urllib3 is not installed.
        """
        _pool()
        self._settings = settings
        self._clock = clock

    def ask(self, question: Question) -> Answer:
        """Send ``question``, in simpler words if the endpoint does not take the request as it is.

        Raises:
            EndpointFailure: of the kind that it is; one that is `Passing` may be tried again.
        """
        dialect = _dialect(self._settings.base_url, self._settings.model)
        key = self._key()
        while True:
            status, headers, body = self._post(request_for(question, dialect), key)
            told = _without(key, body.decode("utf-8", "replace"))
            if status == 200:
                answer = answer_in(told)
                return msgspec.structs.replace(
                    answer, content=_without(key, answer.content), refusal=_without(key, answer.refusal)
                )
            complaint = _without(key, complaint_in(told))
            if status not in (400, 422):
                raise self._failure(status, headers, complaint)
            if not dialect.unlearn(complaint):
                dialect.relearn()
                raise self._failure(status, headers, complaint)

    def _key(self) -> str:
        """Return the key, or nothing if none is wanted.

        Raises:
            BadKey: if there is none, or it cannot be sent.
        """
        name = self._settings.key_from
        if name is None:
            return ""
        key = os.environ.get(name, "").strip()
        if not key:
            raise BadKey(f"the environment variable {name} is to hold the key, and is empty; export {name}=...")
        if not re.fullmatch(r"[!-~]+", key):
            raise BadKey(f"the environment variable {name} holds characters that no key has, such as spaces")
        return key

    def _post(self, request: dict[str, Any], key: str) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers in lower case, and body; a redirection is not followed, so that no key goes astray.

        Raises:
            TooSlow, Unreachable, LineBroken, Garbled: if there is no complete answer.
        """
        from urllib3 import Timeout
        from urllib3.exceptions import HTTPError, NewConnectionError
        from urllib3.exceptions import TimeoutError as OutOfTime

        address, limit = self._settings.base_url, self._settings.timeout_seconds
        headers = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        until = self._clock() + limit
        try:
            response = _pool().request(
                "POST",
                self._settings.url,
                body=msgspec.json.encode(request),
                headers=headers,
                timeout=Timeout(connect=min(limit, CONNECTING), read=limit),
                retries=False,
                redirect=False,
                preload_content=False,
                decode_content=False,
            )
            try:
                body = self._body(response, until)
                response.release_conn()
            finally:
                response.close()
        except NewConnectionError:
            raise Unreachable(
                f"nothing listens at {address}; start the server, or write its address, as in "
                "base_url = 'http://localhost:11434/v1'"
            ) from None
        except OutOfTime:
            raise TooSlow(f"{address} took longer than timeout_seconds = {limit:g}", billed=True) from None
        except HTTPError as error:
            said = _without(key, in_a_line(str(error), TOLD))
            raise LineBroken(f"the line to {address} broke: {said}", billed=True) from None
        told = {name.lower(): _without(key, in_a_line(text, TOLD)) for name, text in response.headers.items()}
        return response.status, told, body

    def _body(self, response: BaseHTTPResponse, until: float) -> bytes:
        chunks, size = [], 0
        while chunk := response.read1(1 << 16):
            chunks.append(chunk)
            size += len(chunk)
            if size > LARGEST:
                raise Garbled(
                    f"{self._settings.base_url} sends more than {LARGEST:,} bytes for one answer", billed=True
                )
            if self._clock() > until:
                limit = self._settings.timeout_seconds
                raise TooSlow(f"{self._settings.base_url} was not done in timeout_seconds = {limit:g}", billed=True)
        return b"".join(chunks)

    def _failure(self, status: int, headers: dict[str, str], complaint: str) -> EndpointFailure:
        address, name = self._settings.base_url, self._settings.key_from
        said = f": {in_a_line(complaint, TOLD)}" if complaint else ""
        if status in (401, 403):
            advice = (
                f"look at the environment variable {name}"
                if name
                else "name the environment variable that holds the key, as in key_from = 'OPENAI_API_KEY'"
            )
            return BadKey(f"{address} does not let you in ({status}); {advice}{said}")
        if status == 404:
            return NoSuchModel(
                f"{address} has no model {self._settings.model!r}, or is no chat endpoint (404); the address ends "
                f"before /chat/completions, as in base_url = 'http://localhost:11434/v1'{said}"
            )
        if 300 <= status < 400:
            place = headers.get("location", "nowhere")
            return Redirected(
                f"{address} points to {place} ({status}), where no key is sent; if you trust it, write that address "
                "as base_url"
            )
        if status == 429 and "quota" in complaint:
            return BadKey(f"{address} has no quota left for this key ({status}){said}")
        if status in PASSING:
            return Busy(f"{address} cannot answer now ({status}){said}", wait=wait_in(headers.get("retry-after")))
        return BadRequest(f"{address} does not take the request ({status}){said}")


@cache
def _pool() -> PoolManager:
    try:
        from urllib3 import PoolManager
    except ImportError:
        raise MissingExtra("the agent llm", "llm") from None
    return PoolManager(maxsize=LINES)


@cache
def _dialect(base_url: str, model: str) -> Dialect:  # noqa: ARG001 - a process knows one for each of them
    return Dialect()


def _without(key: str, text: str) -> str:
    """Return ``text`` without the key, which an endpoint may say back to us."""
    return text.replace(key, "[key]") if key else text
