"""An agent beside the person, who may be asked what it would play and what it thinks of the rule."""

from __future__ import annotations

from eleusis_ai.agent import Explains
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.language import InvalidRule, Rule
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

    def advice(self, view: View) -> tuple[str, list[tuple[str, str]]]:
        """Return what the agent would answer to the decision pending in ``view``, and its likeliest rules.

        The rules stand behind their weights, in words and in the rule language.
        """
        try:
            answer = f"{self._use} would answer: {self._agent.act(view)}"
            rules = self._agent.beliefs(view).rules[:LIKELIEST] if isinstance(self._agent, Explains) else ()
        except Exception as error:
            return f"{self._use} has no advice: it failed ({type(error).__name__}: {error!s:.200}).", []
        return answer, [(f"{weight:4.0%}", in_words(text)) for text, weight in rules]


def in_words(text: str) -> str:
    """Return a rule of the rule language as a sentence and as it is, on two lines; any other text as it is."""
    try:
        return f"{Rule.parse(text).text}\n{text}"
    except InvalidRule:
        return text.rstrip()
