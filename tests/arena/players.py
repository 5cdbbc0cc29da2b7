"""Players and a dealer that the tests of the arena seat by address, such as ``tests.arena.players:Restless``."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import cast

from eleusis_ai.agent import Beliefs
from eleusis_ai.cards import Card
from eleusis_ai.moves import Attempt, Move
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class Restless:
    """Plays whatever is legal."""

    def __init__(self, seat: int, seed: str, mood: str = "calm") -> None:
        self.seed = seed

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(generator(f"{self.seed}/{len(view.events)}"))


class Misfit(Restless):
    """Plays like Restless, but on one chair it does what ``kind`` says from its third decision on."""

    def __init__(self, seat: int, seed: str, kind: str, chair: int = 2) -> None:
        super().__init__(seat, seed)
        self.kind, self.bad, self.decisions = kind, seat == chair, 0

    def act(self, view: View) -> Move:
        move = super().act(view)
        self.decisions += 1
        if not self.bad or self.decisions < 3:
            return move
        match self.kind:
            case "raises":
                raise ZeroDivisionError("an agent's own defect")
            case "raises SystemExit":
                raise SystemExit("enough")
            case "raises KeyboardInterrupt":
                raise KeyboardInterrupt
            case "mumbles":
                raise ValueError("\ud800" * 5000)
            case "cheats":
                return Attempt((next(card for card in map(Card, range(52)) if card not in view.hand),))
            case "talks":
                return cast("Move", str(move))
            case "lies":
                return cast("Move", Sphinx())
            case "dawdles":
                time.sleep(0.4)
            case "sleeps":
                time.sleep(3600)
            case "spins":  # inside one call that never lets another thread run
                re.match(r"(a|a)+$", "a" * 60 + "b")
            case "exits":
                os._exit(0)
            case "closes":
                os.closerange(3, 256)
            case "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            case "kills":
                os.kill(os.getpid(), signal.SIGKILL)
            case "prints":
                for stream in (1, 2):
                    os.write(stream, b"x" * 2**20)
                print("y" * 2**20)
                print("z" * 2**20, file=sys.stderr)
        return move


class Gated(Restless):
    """Plays like Restless, but in one round it waits until there is a file ``open`` in the folder ``gate``.

    Before it does, it leaves a file there, named after the process in which the backend plays.
    """

    def __init__(self, seat: int, seed: str, gate: str) -> None:
        super().__init__(seat, seed)
        self.gate = Path(gate) if "/deal/1/seating/1/" in seed else None

    def act(self, view: View) -> Move:
        if self.gate is not None:
            (self.gate / str(os.getppid())).touch()
            while not (self.gate / "open").exists():
                time.sleep(0.01)
        return super().act(view)


class Sphinx:
    """Is no move, and cannot be looked at."""

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


class Unborn:
    """Cannot be made."""

    def __init__(self, seat: int, seed: str, how: str) -> None:
        if how == "raises":
            raise ZeroDivisionError("an agent's own defect")
        os._exit(3)

    def act(self, view: View) -> Move:
        raise AssertionError


class Stillborn(Restless):
    """Can be made for the first chair from the dealer's left only."""

    def __init__(self, seat: int, seed: str) -> None:
        super().__init__(seat, seed)
        if seat != 1:
            raise ZeroDivisionError("an agent's own defect")


class Painter:
    """Deals a colour or a parity, whichever the generator says."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return Rule.parse(rng.choice(["card.color != last.color", "card.is_odd != last.is_odd"])), None

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return rng.choice(legal)


class Sloppy(Painter):
    """Deals as well as the next man, but picks with an error."""

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        raise ZeroDivisionError("a dealer's own defect")


class Believer(Restless):
    """Plays like Restless, and holds each card legal with three chances in four."""

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs(legal=(0.75,) * 52, rules=())


class Doubter(Restless):
    """Cannot say what it believes."""

    def beliefs(self, view: View) -> Beliefs:
        raise ZeroDivisionError("an agent's own defect")
