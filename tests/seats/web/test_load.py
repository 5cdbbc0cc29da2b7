"""A small crowd plays while its server is killed, as `benchmarks/web.py` does with a large one."""

from __future__ import annotations

import asyncio

from benchmarks.web import killed
from tests.processes import linux


@linux
def test_nothing_acknowledged_is_lost_when_the_server_is_killed_under_load() -> None:
    found = asyncio.run(killed("--agents", "random", tables=6, seconds=2.0, beat=0.04, kills=1))
    assert found.acknowledged >= 12  # one for each table before the kill, and one after it
    assert (found.lost, found.stale) == (0, 0)
