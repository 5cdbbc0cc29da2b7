"""What is asked of a model, and what it answers: values that can be kept, and found again."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec


class Message(msgspec.Struct, frozen=True):
    """A part of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Form(msgspec.Struct, frozen=True):
    """The JSON object that an answer is to be."""

    name: str
    fields: tuple[tuple[str, str, str], ...]
    """Each field's name, its type in JSON Schema, and what it is for; in the order in which they are written."""

    @property
    def schema(self) -> dict[str, Any]:
        """The form as a JSON Schema that allows nothing else."""
        return {
            "type": "object",
            "properties": {name: {"type": kind, "description": text} for name, kind, text in self.fields},
            "required": [name for name, _, _ in self.fields],
            "additionalProperties": False,
        }

    @property
    def text(self) -> str:
        """The form in words, for a prompt."""
        return "\n".join(f'- "{name}" ({kind}): {text}' for name, kind, text in self.fields)


class Question(msgspec.Struct, frozen=True):
    """All that an answer depends on."""

    base_url: str
    model: str
    temperature: float | None
    max_tokens: int
    messages: tuple[Message, ...]
    form: Form

    @property
    def key(self) -> str:
        """What the question is found by: the SHA-256 of all of it, in hexadecimal digits."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()

    @property
    def most_tokens_in(self) -> int:
        """The most tokens that the question can be: no token is less than a byte, and each message is framed."""
        return len(msgspec.json.encode((self.messages, self.form))) + 16 * len(self.messages)


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model answers."""

    content: str
    refusal: str = ""
    """What the model says in place of an answer; empty: it does not refuse."""
    finish: str = "stop"
    """Why it ended: ``stop``, ``length``, ``content_filter`` or another word of the endpoint's."""
    tokens_in: int | None = None
    tokens_out: int | None = None
    """What the endpoint counted; None: it did not say."""
