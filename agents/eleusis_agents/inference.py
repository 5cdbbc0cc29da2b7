"""The agent that a learner and the strategy make together."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import islice

from eleusis_agents.reasons import reason
from eleusis_agents.strategy import Strategy
from eleusis_ai.agent import Beliefs, Learner
from eleusis_ai.evidence import evidence
from eleusis_ai.moves import DecisionKind, Move
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class LearningAgent:
    """Feeds its learner what is new in a view, and plays what the strategy thinks best.

    Where it is the dealer's turn to judge by hand it draws a legal answer: it has no rule of its own.
    """

    def __init__(self, make_learner: Callable[[], Learner], strategy: Strategy, *, seed: str) -> None:
        """Store the parts; the learner is made at the first decision."""
        self._make_learner = make_learner
        self._strategy = strategy
        self._seed = seed
        self._seen = 0

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view``."""
        moves = view.legal_moves()
        if _deals(view):
            return moves.sample(generator(f"{self._seed}/{len(view.events)}"))
        self._learn(view)
        return self._strategy.move(view, self._learner)

    def beliefs(self, view: View) -> Beliefs:
        """Return what the learner thinks of the rule after all that ``view`` shows."""
        self._learn(view)
        legal = tuple(map(float, self._learner.predict(view.layout.mainline)))
        return Beliefs(legal, tuple((str(rule), weight) for rule, weight in self._learner.explain()))

    def reason(self, view: View, move: Move) -> str:
        """Return why it makes a move, with the chances that it was weighed by."""
        if _deals(view):
            return "I draw one of the answers: I have no rule of my own to judge by."
        self._learn(view)
        return reason(view, move, self._learner, self._strategy)

    @cached_property
    def _learner(self) -> Learner:
        return self._make_learner()

    def _learn(self, view: View) -> None:
        fresh = list(islice(evidence(view), self._seen, None))
        self._seen += len(fresh)
        self._learner.observe(fresh)


def _deals(view: View) -> bool:
    return view.seat == view.public.dealer or view.legal_moves().kind is DecisionKind.PICK
