"""What the tables of a hall share: the ledger, the agents' processes, and a workshop for persons' rules."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from eleusis_ai.seats.web.crew import Crew
from eleusis_ai.seats.web.ledger import Ledger

Result = TypeVar("Result")


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
    return await asyncio.shield(asyncio.ensure_future(work))
