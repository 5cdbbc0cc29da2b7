"""An agent that seats any learner.

Idea: what the learner expects decides, by the strategy that all learners share. Remembers: what its learner does.
Cost: that of its learner.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eleusis_agents.inference import LearningAgent
from eleusis_agents.strategy import Strategy
from eleusis_ai.registry import make_learner


class LearnerAgent(LearningAgent):
    """Plays by the learner that the option ``learner`` names; ``options`` are what it is made with."""

    def __init__(
        self,
        *,
        seat: int,  # noqa: ARG002 - every agent is told its seat
        seed: str,
        learner: str = "forest",
        options: Mapping[str, Any] | None = None,
        strategy: Mapping[str, Any] | None = None,
    ) -> None:
        """Name the learner, and take fields of `Strategy` that differ, as in ``{"information": 0}``."""
        super().__init__(lambda: make_learner(learner, options), Strategy.of(strategy or {}), seed=seed)
