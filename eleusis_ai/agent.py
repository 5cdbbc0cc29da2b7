"""What others implement: agents that play, dealers that choose rules, learners that infer them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import msgspec

from eleusis_ai.cards import Card
from eleusis_ai.evidence import Evidence
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Move
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Misbehaved(ValueError):
    """What an agent did wrong that is played by a program outside; the message is for the program's author."""


@runtime_checkable
class Agent(Protocol):
    """A program that plays a seat; made anew for each round as ``Class(seat=..., seed=..., **options)``.

    ``seed`` is a name for `eleusis_ai.seeds.generator`. The constructor only stores.
    """

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view`` with one of ``view.legal_moves()``."""
        ...


@runtime_checkable
class Attends(Protocol):
    """An agent that wants to be told when the round is over."""

    def ended(self, view: View) -> None:
        """Take in how the round has ended; it is called at most once, and nothing is asked after it."""
        ...


@runtime_checkable
class Dealer(Protocol):
    """A program that deals; made as ``Class(**options)``."""

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose a secret rule for ``profile``, and a hint where the profile has one."""
        ...

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Choose one of the ``legal`` cards of a shown hand."""
        ...


@runtime_checkable
class Learner(Protocol):
    """A program that infers the rule: evidence in, probabilities out; made as ``Class(**options)``.

    One that knows something beforehand may say where it comes from in a text named ``provenance``, which
    benchmarks print: "the prior was fitted to such and such rules".
    """

    def observe(self, evidence: Iterable[Evidence]) -> None:
        """Take in new items of ``evidence(view)``, in order, each once."""
        ...

    def predict(self, mainline: Cards) -> NDArray[np.float64]:
        """Return the probability that each card is legal after ``mainline``: shape (52,), in 0 to 1."""
        ...

    def sample(self, n: int) -> list[Rule] | None:
        """Return ``n`` rules drawn by their probability; None: the learner has no rules."""
        ...

    def explain(self) -> list[tuple[Rule | str, float]]:
        """Return what the learner believes with its weight, best first."""
        ...


class Beliefs(msgspec.Struct, frozen=True):
    """What an agent thinks of the rule."""

    legal: tuple[float, ...]
    """The probability that each of the 52 cards is legal next."""
    rules: tuple[tuple[str, float], ...]
    """Rules, or other descriptions, with their weight, best first."""


@runtime_checkable
class Explains(Protocol):
    """An agent that can tell what it thinks."""

    def beliefs(self, view: View) -> Beliefs:
        """Return what the agent thinks of the rule after all that ``view`` shows."""
        ...


@runtime_checkable
class Reasons(Protocol):
    """An agent that can tell why it makes a move."""

    def reason(self, view: View, move: Move) -> str:
        """Return in a sentence or two why it answers ``move`` to the decision that is pending in ``view``.

        It is asked with the views of its decisions in order, whether it was asked to ``act`` on them or not. What it
        says is as secret as its hand.
        """
        ...
