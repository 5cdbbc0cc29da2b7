"""Agents that the tests of the crew seat by address, such as ``tests.seats.web.players:Hoarder``."""

from __future__ import annotations

import os
import time
from functools import partial

from eleusis_ai.agent import Beliefs
from eleusis_ai.moves import Move
from eleusis_ai.view import View
from tests.arena.players import Misfit, Restless, Stillborn

HERE = "tests.seats.web.players"

# What each does in its third decision, in seat 1.
KINDS = (
    *("raises", "raises SystemExit", "raises KeyboardInterrupt", "mumbles", "cheats", "talks", "lies", "sleeps"),
    *("spins", "exits", "closes", "crashes", "kills", "prints"),
)
globals().update({kind.replace(" ", "_"): partial(Misfit, kind=kind, chair=1) for kind in KINDS})

unmade = Stillborn
"""Cannot be made for seat 2."""


class Teller(Restless):
    """Tells as its beliefs in which process it is, and how often that one was asked for a move."""

    def __init__(self, seat: int, seed: str) -> None:
        super().__init__(seat, seed)
        self.asked = 0

    def act(self, view: View) -> Move:
        self.asked += 1
        return super().act(view)

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs(legal=(0.5,) * 52, rules=((str(os.getpid()), float(self.asked)),))


class Pleader(Teller):
    """Tells why it moves, at length."""

    def reason(self, view: View, move: Move) -> str:
        return f"{move}, since so it is written. " + "\ud800" * 5000


class Liar(Teller):
    """Tells nonsense as its beliefs and its reason."""

    def reason(self, view: View, move: Move) -> str:
        return 3  # type: ignore[return-value]  # that is the nonsense

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs(legal="all", rules=3)  # type: ignore[arg-type]  # that is the nonsense


class Babbler(Teller):
    """Tells of three cards."""

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs(legal=(0.5,) * 3, rules=())


class Hoarder(Teller):
    """Keeps a hundred megabytes more at each decision."""

    def __init__(self, seat: int, seed: str) -> None:
        super().__init__(seat, seed)
        self.hoard: list[bytearray] = []

    def act(self, view: View) -> Move:
        self.hoard.append(bytearray(b"x") * 100_000_000)
        return super().act(view)


class Glutton(Restless):
    """Wants ten gigabytes at once."""

    def act(self, view: View) -> Move:
        bytearray(10_000_000_000)
        return super().act(view)


class Slow(Teller):
    """Takes its time."""

    def act(self, view: View) -> Move:
        time.sleep(0.3)
        return super().act(view)
