"""An agent whose author never thought of being a prophet, for the page on tournaments."""

from __future__ import annotations

from eleusis_ai.moves import DecisionKind, Move
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class Forgetful:
    """Moves by chance, and knows no answer when it is to judge."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat, self.rng = seat, generator(seed)

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view``."""
        moves = view.legal_moves()
        if moves.kind is DecisionKind.CALL:
            raise NotImplementedError("what does a prophet say?")
        return moves.sample(self.rng)
