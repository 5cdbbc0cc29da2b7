"""An agent beside the person, who may be asked what it would play and what it thinks of the rule."""

from __future__ import annotations

from eleusis_ai.agent import Explains, Reasons
from eleusis_ai.moves import Move
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.language import InvalidRule, Rule
from eleusis_ai.seats.hindsight import why
from eleusis_ai.view import View

LIKELIEST = 3
"""Rules that are named."""


class Adviser:
    """Looks over one seat's shoulder: it sees that seat's view, and nothing else."""

    def __init__(self, use: str, *, seat: int, seed: str) -> None:
        """Make the agent ``use``, a registered name or an address.

        Raises:
            UnknownPart: if there is no such agent.
        """
        self._use = use
        self._agent = make_agent(use, seat=seat, seed=seed)
        self._answered: tuple[View, Move] | None = None

    def advice(self, view: View) -> tuple[str, list[tuple[str, str]]]:
        """Return what the agent would answer to the decision pending in ``view``, and its likeliest rules.

        The rules stand behind their weights, in words and in the rule language.
        """
        try:
            answer = f"{self._use} would answer: {self._answer(view)}"
            rules = self._agent.beliefs(view).rules[:LIKELIEST] if isinstance(self._agent, Explains) else ()
        except Exception as error:
            return f"{self._use} has no advice: it failed ({type(error).__name__}: {error!s:.200}).", []
        return answer, [(f"{weight:4.0%}", in_words(text)) for text, weight in rules]

    def reason(self, view: View) -> str:
        """Return why the agent would answer as it would, in a sentence or two."""
        if not isinstance(self._agent, Reasons):
            return f"{self._use} tells no reasons."
        try:
            move = self._answer(view)
        except Exception as error:
            return f"{self._use} has no advice: it failed ({type(error).__name__}: {error!s:.200})."
        return why(self._agent, view, move)

    def _answer(self, view: View) -> Move:
        """Return the agent's answer; it is asked once about a decision, since its thoughts may be dear."""
        if self._answered is None or self._answered[0] != view:
            self._answered = view, self._agent.act(view)
        return self._answered[1]


def in_words(text: str) -> str:
    """Return a rule of the rule language as a sentence and as it is, on two lines; any other text as it is."""
    try:
        return f"{Rule.parse(text).text}\n{text}"
    except InvalidRule:
        return text.rstrip()
