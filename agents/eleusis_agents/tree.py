"""An agent that grows a decision tree.

Idea: what follows what is learned from examples as by any classifier, here CART (L. Breiman and others,
"Classification and Regression Trees", 1984; scikit-learn's) over features of the candidate and the last two
cards. Remembers: every judged card as a row of features. Cost: about 1 ms a decision, most of it to fit the tree.
"""

from __future__ import annotations

from eleusis_agents.inference import LearningAgent
from eleusis_agents.learners.tree import TreeLearner
from eleusis_agents.strategy import Strategy


class TreeAgent(LearningAgent):
    """Plays by a `TreeLearner`."""

    def __init__(self, *, seat: int, seed: str) -> None:  # noqa: ARG002 - every agent is told its seat
        super().__init__(TreeLearner, Strategy(), seed=seed)
