"""Players and a dealer that the tests of the arena seat by address, such as ``tests.arena.players:Restless``."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

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


class Cheat:
    """Plays a card that it does not hold."""

    def __init__(self, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        return Attempt((next(card for card in map(Card, range(52)) if card not in view.hand),))


class Broken:
    """Cannot play at all."""

    def __init__(self, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        raise ZeroDivisionError("an agent's own defect")


class Painter:
    """Deals a colour or a parity, whichever the generator says."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return Rule.parse(rng.choice(["card.color != last.color", "card.is_odd != last.is_odd"])), None

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return rng.choice(legal)
