"""The log: a line of JSON for each question, with what it took; neither question, answer nor key is in it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import msgspec

from eleusis_agents.llm.files import locked


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What a question took."""

    at: datetime = msgspec.field(default_factory=lambda: datetime.now(UTC))
    """When it was over."""
    model: str
    question: str
    """The key by which the cache has it."""
    outcome: str
    """``answered``, ``kept`` (from the cache), or the name of what went wrong."""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    """From the first request to the last answer, waits included."""
    retries: int = 0


def write(path: Path, entry: Entry) -> None:
    """Add a line to the log."""
    with locked(path), path.open("ab") as file:
        file.write(msgspec.json.encode(entry) + b"\n")
