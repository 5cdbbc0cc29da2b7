"""An agent that grows a decision tree.

Idea: what follows what is learned from examples as by any classifier, here CART (L. Breiman and others,
"Classification and Regression Trees", 1984; scikit-learn's) over features of the candidate and the last two
cards. Remembers: every judged card as a row of features. Cost: about 1 ms a decision, most of it to fit the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eleusis_agents.inference import LearningAgent
from eleusis_agents.learners.tree import TreeLearner
from eleusis_agents.strategy import Strategy


class TreeAgent(LearningAgent):
    """Plays by a `TreeLearner`."""

    def __init__(
        self,
        *,
        seat: int,  # noqa: ARG002 - every agent is told its seat
        seed: str,
        strategy: Mapping[str, Any] | None = None,
    ) -> None:
        """Take fields of `Strategy` that differ, as in ``{"information": 0}``."""
        super().__init__(TreeLearner, Strategy.of(strategy or {}), seed=seed)
