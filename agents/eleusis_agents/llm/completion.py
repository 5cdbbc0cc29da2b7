"""The bodies that a chat endpoint takes and sends: requests, completions, complaints."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

import msgspec

from eleusis_agents.llm.failures import Garbled
from eleusis_agents.llm.plain import in_a_line
from eleusis_agents.llm.question import Answer, Question


class Dialect(msgspec.Struct):
    """What an endpoint has been found to take; it is learned from its complaints."""

    schema: bool = True
    """Whether ``response_format`` may hold a schema."""
    limit: str = "max_tokens"
    """What it calls the most tokens of an answer."""

    def unlearn(self, complaint: str) -> bool:
        """Take something back after ``complaint``; tell whether another request is worth it."""
        if self.limit == "max_tokens" and "max_completion_tokens" in complaint:
            self.limit = "max_completion_tokens"
            return True
        if self.schema:
            self.schema = False
            return True
        return False

    def relearn(self) -> None:
        """Forget what was learned: the complaints were about something else."""
        self.schema, self.limit = True, "max_tokens"


def request_for(question: Question, dialect: Dialect) -> dict[str, Any]:
    """Return the body of a request."""
    form = question.form
    request: dict[str, Any] = {
        "model": question.model,
        "messages": msgspec.to_builtins(question.messages),
        dialect.limit: question.max_tokens,
        "stream": False,
    }
    if question.temperature is not None:
        request["temperature"] = question.temperature
    if dialect.schema:
        told = {"name": form.name, "strict": True, "schema": form.schema}
        request["response_format"] = {"type": "json_schema", "json_schema": told}
    return request


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Part(msgspec.Struct):
    text: str = ""


class _Said(msgspec.Struct):
    content: str | list[_Part] | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Said
    finish_reason: str | None = None


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


def answer_in(body: str) -> Answer:
    """Return the answer that a body holds.

    Raises:
        Garbled: if it holds none.
    """
    try:
        completion = msgspec.json.decode(body, type=_Completion)
        choice = completion.choices[0]
    except (msgspec.DecodeError, IndexError, RecursionError) as error:
        begins = in_a_line(body, 60)
        raise Garbled(
            f"what came is not an answer of a chat endpoint: {error!s:.100}; it begins {begins!r}", billed=True
        ) from None
    content, usage = choice.message.content, completion.usage or _Usage()
    if isinstance(content, list):
        content = "".join(part.text for part in content)
    return Answer(
        content=content or "",
        refusal=choice.message.refusal or "",
        finish=choice.finish_reason or "stop",
        tokens_in=None if usage.prompt_tokens is None else max(0, usage.prompt_tokens),
        tokens_out=None if usage.completion_tokens is None else max(0, usage.completion_tokens),
    )


def complaint_in(body: str) -> str:
    """Return what an endpoint says of an error, in one line, with its code."""
    try:
        told = msgspec.json.decode(body)
    except (msgspec.DecodeError, RecursionError):
        return body
    while isinstance(told, list) and told:
        told = told[0]
    error = told.get("error", told) if isinstance(told, dict) else told
    if isinstance(error, dict):
        error = " ".join(str(error[name]) for name in ("message", "detail", "code", "type") if error.get(name))
    return str(error)


def wait_in(text: str | None) -> float | None:
    """Return the seconds of a Retry-After, which may be a date."""
    if text is None:
        return None
    try:
        return max(0.0, float(text)) if re.fullmatch(r"[0-9.]{1,9}", text) else _until(text)
    except (ValueError, OverflowError):
        return None


def _until(date: str) -> float:
    return max(0.0, parsedate_to_datetime(date).timestamp() - time())
