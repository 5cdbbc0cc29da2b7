"""An agent that moves by chance.

Idea: the floor that every other agent has to beat. Source: none. Remembers: nothing but its generator. Cost: some
microseconds a decision.
"""

from __future__ import annotations

from functools import cached_property
from random import Random

from eleusis_ai.moves import Move
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class RandomAgent:
    """Draws a legal move, as `LegalMoves.sample` does."""

    def __init__(self, *, seat: int, seed: str) -> None:  # noqa: ARG002 - every agent is told its seat
        self._seed = seed

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view``."""
        return view.legal_moves().sample(self._rng)

    @cached_property
    def _rng(self) -> Random:
        return generator(self._seed)
