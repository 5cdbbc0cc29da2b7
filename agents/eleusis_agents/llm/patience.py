"""How long to wait before a request is made again."""

from __future__ import annotations

from random import Random

from eleusis_agents.llm.failures import Passing
from eleusis_agents.llm.settings import Settings


def wait_after(failure: Passing, retry: int, settings: Settings, rng: Random) -> float:
    """Return the seconds to wait before the ``retry``-th repetition, counted from 0.

    Each wait is about twice the last one; a part of it is drawn, so that many seats do not come back at once. What
    the endpoint asks for is kept, up to the longest wait of the settings.
    """
    backoff: float = settings.backoff_seconds * 2**retry * (0.5 + rng.random() / 2)
    return min(settings.longest_wait_seconds, max(backoff, failure.wait or 0.0))
