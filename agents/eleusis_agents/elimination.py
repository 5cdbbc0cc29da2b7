"""An agent that eliminates rules.

Idea: a rule is a guard and a condition for each of its branches; given the guard, branches are independent, so that
10^27 rules are weighed exactly, and those that explain every verdict vote by their prior. The prior is fitted on
published rules, none of the LLM protocol's among them, by `experiments/fit_prior.py`; the space was designed with all
of them in view. Source: Bayesian concept learning (J. B. Tenenbaum, "A Bayesian framework for concept learning",
1999). Remembers: the conditions left in each branch, and all evidence. Cost: some ten milliseconds a decision; once a
process 3 MB, and a second to build the space. A level below master thinks of fewer rules and looks less far back,
and dares other things.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from eleusis_agents.inference import LearningAgent
from eleusis_agents.levels import LEVELS, find_level
from eleusis_agents.strategy import Strategy


class EliminationAgent(LearningAgent):
    """Plays by an `EliminationLearner`."""

    levels: ClassVar[tuple[str, ...]] = tuple(LEVELS)

    def __init__(
        self,
        *,
        seat: int,  # noqa: ARG002 - every agent is told its seat
        seed: str,
        level: str = "master",
        noise: float = 0.0,
        strategy: Mapping[str, Any] | None = None,
    ) -> None:
        """Take a level, the chance that a verdict is false, and fields of `Strategy` that differ from the level's.

        The fields are as in ``{"information": 0}``.
        """
        chosen = find_level(level)
        super().__init__(lambda: chosen.learner(noise), Strategy.of(strategy or {}, chosen.strategy), seed=seed)
