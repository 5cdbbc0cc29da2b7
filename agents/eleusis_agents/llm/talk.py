"""A short talk with a model: a question, and the same again with the reason when its answer cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from eleusis_agents.llm.failures import NoAnswer, Refused, Truncated
from eleusis_agents.llm.model import Model
from eleusis_agents.llm.plain import in_a_line
from eleusis_agents.llm.question import Answer, Form, Message

_T = TypeVar("_T")

LONGEST = 4_000
"""Characters of an answer that the model is shown again."""
TOLD = 300
"""Characters of a problem that it is told."""


def talk(model: Model, messages: tuple[Message, ...], form: Form, read: Callable[[str], _T], *, tries: int) -> _T:
    """Ask until ``read`` can use the answer.

    Args:
        model: Whom to ask.
        messages: What it is told.
        form: What it is to answer.
        read: Makes something of an answer, or raises `NoAnswer` with the reason.
        tries: How often it is asked, at most.

    Raises:
        NoAnswer: if no answer can be used; one that refuses is not asked again.
        EndpointFailure: if there is no answer.
    """
    for asked in range(1, tries + 1):
        answer = model.ask(model.question(messages, form))
        if said := _refusal(answer):
            raise Refused(f"the model does not answer: {in_a_line(said, TOLD)}")
        try:
            return read(answer.content)
        except NoAnswer as unfit:
            problem = _cut(unfit, answer)
        messages = (
            *messages,
            Message("assistant", answer.content[:LONGEST] or "(nothing)"),
            Message(
                "user",
                f"That cannot be used: {in_a_line(str(problem), TOLD)}\nAnswer again, with one JSON object alone.",
            ),
        )
        if asked == tries:
            break
    raise type(problem)(f"{problem} (the model was asked {tries} times)")


def _refusal(answer: Answer) -> str:
    """Return what is said in place of an answer, or nothing."""
    if answer.finish == "content_filter":
        return answer.refusal or "the endpoint's filter kept the answer back"
    return answer.refusal


def _cut(unfit: NoAnswer, answer: Answer) -> NoAnswer:
    """Return what is wrong with an answer that cannot be used: it may be its end that is missing."""
    if answer.finish != "length":
        return unfit
    return Truncated("the answer was cut off; think more briefly, or let max_tokens be more")
