"""Agents, dealers and learners that each break their contract in one way."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Beliefs
from eleusis_ai.cards import CARDS, Card
from eleusis_ai.evidence import Evidence, HintGiven, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, DecisionKind, Move, Pass
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class Honest:
    """Keeps the contract of agents."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat, self.seed = seat, seed

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(generator(f"{self.seed}/{len(view.events)}"))


class Mute:
    def __init__(self, *, seat: int, seed: str) -> None:
        pass


class Sessile:
    """Is not told its seat."""

    def act(self, view: View) -> Move:
        return Pass()


class Stillborn(Honest):
    def __init__(self, *, seat: int, seed: str) -> None:
        raise OSError("no weights on this machine")


def local(*, seat: int, seed: str) -> Honest:
    class Local(Honest):
        pass

    return Local(seat=seat, seed=seed)


class Slow(Honest):
    def __init__(self, *, seat: int, seed: str) -> None:
        super().__init__(seat=seat, seed=seed)
        time.sleep(0.06)


class Broken(Honest):
    def act(self, view: View) -> Move:
        raise ZeroDivisionError("division by zero")


class Quitter(Honest):
    def act(self, view: View) -> Move:
        sys.exit(3)


class Speaker(Honest):
    """Answers with texts, not with moves."""

    def act(self, view: View) -> Any:
        return "7H"


class Garbler(Honest):
    """Makes attempts of what is no card."""

    def act(self, view: View) -> Move:
        return Attempt(("7H",))  # type: ignore[arg-type] # what is wrong with it


class Hasty(Honest):
    """Calls a string wrong, and does not say from where."""

    def act(self, view: View) -> Move:
        calls = view.legal_moves().calls
        if calls and calls[-1].prefix is not None:
            return msgspec.structs.replace(calls[-1], prefix=None)
        return super().act(view)


class Namer(Honest):
    """Calls a no play wrong, and names no card."""

    def act(self, view: View) -> Move:
        calls = view.legal_moves().calls
        return msgspec.structs.replace(calls[-1], card=None) if calls and calls[-1].card else super().act(view)


class Lucky(Honest):
    """Moves by a generator that everybody shares."""

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(random._inst)  # what is wrong with it


class Herd(Honest):
    """Counts the decisions of all of its class."""

    moves: dict[str, int] = {}  # noqa: RUF012 - what is wrong with it

    def __init__(self, *, seat: int, seed: str) -> None:
        super().__init__(seat=seat, seed=seed)
        self.moves[seed] = 0

    def act(self, view: View) -> Move:
        self.moves[self.seed] += 1
        return view.legal_moves().sample(generator(f"{self.moves[self.seed]}"))


class Founder(Honest):
    """Must have been there from the beginning."""

    def __init__(self, *, seat: int, seed: str) -> None:
        super().__init__(seat=seat, seed=seed)
        self.seen = 0

    def act(self, view: View) -> Move:
        assert self.seen or len(view.layout.mainline) < 12, "the beginning was missed"
        self.seen += 1
        return super().act(view)


class Meddler(Honest):
    def act(self, view: View) -> Move:
        move = super().act(view)
        msgspec.structs.force_setattr(view, "hand", view.hand[::-1])
        return move


class Hoarder(Honest):
    def __init__(self, *, seat: int, seed: str) -> None:
        super().__init__(seat=seat, seed=seed)
        self.views: list[View] = []

    def act(self, view: View) -> Move:
        self.views.append(view)
        return super().act(view)


class Chatterbox(Honest):
    def act(self, view: View) -> Move:
        print("thinking" * 100)
        return super().act(view)


class Zealot(Honest):
    """Is more than certain."""

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs((1.1,) * 52, ())


class Babbler(Honest):
    """Names what it believes least first."""

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs((0.5,) * 52, (("card.is_red", 0.1), ("card.is_odd", 0.9)))


class Suicide(Honest):
    def act(self, view: View) -> Move:
        os._exit(4)


class Sleeper(Honest):
    def act(self, view: View) -> Move:
        if view.legal_moves().kind is DecisionKind.CALL:
            time.sleep(600)
        return super().act(view)


class Banker:
    """Keeps the contract of dealers."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        rule = Rule.parse(rng.choice(["card.is_red", "card.is_odd", "card.color != last.color"]))
        return rule, Hint.parse("no position") if profile.name == "no-prophet" else None

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return rng.choice(legal)


class Idler:
    """Does not pick."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return Rule.parse("card.is_red"), None


class Climber(Banker):
    """Deals a rule after which nothing may be legal."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return Rule.parse("card.rank > last.rank"), None


class Secretive(Banker):
    """Gives no hint, ever."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return super().choose(profile, rng)[0], None


class Texter(Banker):
    """Chooses a text, not a rule."""

    def choose(self, profile: Profile, rng: Random) -> Any:
        return "card.is_red", None


class Gambler(Banker):
    """Chooses by a generator of its own."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return super().choose(profile, random._inst)  # what is wrong with it


class Planner(Banker):
    """Never deals the same kind of rule twice running."""

    def __init__(self) -> None:
        self.rules = 0

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        self.rules += 1
        return super().choose(profile, Random(self.rules))


class Cheat(Banker):
    """Picks a card that was not offered."""

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return next(card for card in reversed(CARDS) if card not in legal or len(legal) == 52)


class Roulette(Banker):
    """Picks by a generator of its own."""

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return random.choice(legal)


class Announcer(Banker):
    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        rule, hint = super().choose(profile, rng)
        print(rule)
        return rule, hint


class Counter:
    """Keeps the contract of learners: the share of right cards is its chance for every card."""

    right: float = 1
    seen: float = 2

    def observe(self, evidence: Iterable[Evidence]) -> None:
        for item in evidence:
            self.take(item)

    def take(self, item: Evidence) -> None:
        if isinstance(item, Verdict):
            self.right += item.legal
            self.seen += 1

    def predict(self, mainline: Cards) -> Any:
        return self.chances()

    def chances(self) -> NDArray[np.float64]:
        return np.full(52, self.right / self.seen)

    def sample(self, n: int) -> Any:
        return None

    def explain(self) -> Any:
        return [("some cards are right", self.right / self.seen)]


class Deaf:
    """Observes, and no more."""

    def observe(self, evidence: Iterable[Evidence]) -> None:
        pass


class Lister(Counter):
    def predict(self, mainline: Cards) -> Any:
        return [0.5] * 52


class Floater(Counter):
    def predict(self, mainline: Cards) -> Any:
        return self.chances().astype(np.float32)


class Divider(Counter):
    """Has no chance for a card that was never seen: 0 / 0."""

    def predict(self, mainline: Cards) -> Any:
        return np.full(52, np.nan)


class Follower(Counter):
    """Needs a last card."""

    def predict(self, mainline: Cards) -> Any:
        return super().predict((mainline[-1],))


class Deafened(Counter):
    """Does not know hints."""

    def take(self, item: Evidence) -> None:
        if isinstance(item, HintGiven):
            raise NotImplementedError("hints")
        super().take(item)


class Bookkeeper(Counter):
    """Knows a no play only where verdicts went before."""

    def take(self, item: Evidence) -> None:
        assert self.seen > 2 or not isinstance(item, SomeLegal), "a no play before any verdict"
        super().take(item)


class Dogmatist(Counter):
    """Stumbles over what cannot be."""

    def __init__(self) -> None:
        self.known: dict[tuple[Cards, Card], bool] = {}

    def take(self, item: Evidence) -> None:
        super().take(item)
        if isinstance(item, Verdict) and self.known.setdefault((item.mainline, item.card), item.legal) != item.legal:
            raise ValueError("no rule is left")


class Batcher(Counter):
    """Counts the helpings."""

    def observe(self, evidence: Iterable[Evidence]) -> None:
        super().observe(evidence)
        self.seen += 1


class Weary(Counter):
    """Is less sure each time it is asked."""

    def predict(self, mainline: Cards) -> Any:
        self.seen += 0.1
        return super().predict(mainline)


class Lender(Counter):
    """Gives its own array away."""

    def __init__(self) -> None:
        self.lent = np.full(52, 0.25)

    def predict(self, mainline: Cards) -> Any:
        return self.lent


class Moody(Counter):
    """Has a bias of its own."""

    def __init__(self) -> None:
        self.seen = 2 + random.random()


class Fickle(Counter):
    """Explains as it comes."""

    def explain(self) -> Any:
        return [(f"the rule number {random.random()}", 1.0)]


class Dicer(Counter):
    """Samples by a generator of its own."""

    def sample(self, n: int) -> Any:
        return [Rule.parse(f"card.rank > {random.randint(1, 12)}") for _ in range(n)]


class Reader(Counter):
    """Keeps the contract: what it gives away cannot be written over."""

    def predict(self, mainline: Cards) -> Any:
        return np.broadcast_to(np.float64(self.right / self.seen), 52)


class Crowd(Counter):
    """Pools what all of its class are shown."""

    pool: list[Evidence] = []  # noqa: RUF012 - what is wrong with it

    def __init__(self) -> None:
        self.pool.clear()

    def take(self, item: Evidence) -> None:
        self.pool.append(item)

    def chances(self) -> NDArray[np.float64]:
        return np.full(52, 1 / (1 + len(self.pool)))


class Miser(Counter):
    """Samples fewer rules than it is asked for."""

    def sample(self, n: int) -> Any:
        return [Rule.parse("card.is_red")]


class Quoter(Counter):
    """Samples texts."""

    def sample(self, n: int) -> Any:
        return ["card.is_red"] * n


class Pessimist(Counter):
    """Explains the worst first."""

    def explain(self) -> Any:
        return [("red", 0.1), ("odd", 0.9)]


class Terse(Counter):
    """Explains without weights."""

    def explain(self) -> Any:
        return ["red", "odd"]


class Reporter(Counter):
    def predict(self, mainline: Cards) -> Any:
        print(self.right)
        return super().predict(mainline)
