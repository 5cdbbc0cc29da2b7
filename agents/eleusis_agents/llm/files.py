"""Files that several processes share: changed by one at a time, and never found half written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eleusis_ai.registry import MissingExtra


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the file at ``path`` against other processes; its folder is made.

    Raises:
        MissingExtra: if filelock is not installed.
    """
    try:
        from filelock import FileLock
    except ImportError:
        raise MissingExtra("the agent llm", "llm") from None
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{path}.lock"):
        yield


def replace(path: Path, text: bytes) -> None:
    """Write a file in one step; the caller holds a lock on it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".part")
    written.write_bytes(text + b"\n")
    written.replace(path)
