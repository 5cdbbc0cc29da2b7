"""Looks after processes that tests start: which children they have, whether they are gone, how long to wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

PATIENCE = 300.0
"""Seconds after which a test gives up waiting."""

linux = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def wait_until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.005)


def children(pid: int) -> dict[int, str]:
    """Return the living children of a process with their command lines."""
    found = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            found[int(child)] = Path(f"/proc/{child}/cmdline").read_text()
    return found


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return True
