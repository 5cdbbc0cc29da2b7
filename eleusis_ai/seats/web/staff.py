"""What the tables of a hall share: the ledger, the agents' processes, and a workshop for persons' rules."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from eleusis_ai.seats.web.crew import Crew
from eleusis_ai.seats.web.ledger import Ledger

Result = TypeVar("Result")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Staff:
    """Who works for the tables of a hall."""

    ledger: Ledger
    crew: Crew
    agents: tuple[str, ...]
    """The agents that may be seated, by name."""
    workshop: Executor
    """Where what persons' rules ask for is worked out, which may take long."""
    silent: set[str] = field(default_factory=set)
    """Agents that do not tell what they think."""

    async def aside(self, work: Callable[[], Result]) -> Result:
        """Do something in the workshop, so that other tables go on meanwhile."""
        return await asyncio.get_running_loop().run_in_executor(self.workshop, work)


async def undisturbed(work: Coroutine[Any, Any, Result]) -> Result:
    """Do something to its end, even if whoever waits for it goes away."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_noted)
        raise


def _noted(task: asyncio.Future[Any]) -> None:
    """Take note of how something ended of which nobody will hear; that it was refused is no news."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ValueError):
        _LOG.error("what nobody waited for has failed", exc_info=error)
