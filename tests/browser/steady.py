"""An agent for tables whose every move a test must know: ``tests.browser.steady:Steady``."""

from __future__ import annotations

from eleusis_ai.moves import Move
from eleusis_ai.view import View

STEADY = f"{__name__}:Steady"


class Steady:
    """Plays the first card of its hand, and never becomes prophet."""

    def __init__(self, *, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        return next(iter(view.legal_moves()))
