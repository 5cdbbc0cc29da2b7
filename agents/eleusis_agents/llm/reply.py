"""What a model wrote, read with forbearance: JSON in a fence, with talk around it, or with words for numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from eleusis_agents.llm.failures import NoAnswer
from eleusis_agents.llm.plain import in_a_line
from eleusis_ai.cards import Card, InvalidCard
from eleusis_ai.moves import InvalidMove, Move, parse_move, parse_rule
from eleusis_ai.rules.language import Rule

STARTS = 200
"""Places at which a JSON object is looked for, at most."""
LONGEST = 1_000
"""Characters of a guess that are kept: as many as a rule may have."""
_TEN = re.compile(r"\b(?:T|1O)(?=[CDHS♣♦♥♠]\b|[♣♦♥♠])", re.IGNORECASE)
"""Tens as others write them."""
_THINKING = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


class Guess(msgspec.Struct, frozen=True):
    """What a model takes for the rule."""

    text: str
    """Its words, or the rule."""
    rule: Rule | None
    """The rule that they are; None: they are none."""
    problem: str
    """Why they are none."""
    confidence: int
    """How sure it is, 0 to 10."""


def object_in(text: str, wanted: str) -> dict[str, Any]:
    """Return the last JSON object in ``text`` that has the key ``wanted``.

    Raises:
        NoAnswer: if there is none.
    """
    found = [each for each in _objects(_THINKING.sub(" ", text)) if wanted in each]
    if not found:
        raise NoAnswer(f'there is no JSON object with "{wanted}" in it')
    return found[-1]


def move_in(reply: dict[str, Any]) -> Move:
    """Return the move of a reply.

    Raises:
        NoAnswer: if it is none.
    """
    said = reply["move"]
    if isinstance(said, list):
        said = " ".join(map(str, said))
    if not isinstance(said, str):
        raise NoAnswer(f"the move is {said!r:.60}; it is a text, as in '7H'")
    words = said.strip(" \n\t'\"`.")
    if not words.lower().startswith("state"):
        words = _TEN.sub("10", words)
    try:
        return parse_move(words)
    except InvalidMove as error:
        raise NoAnswer(str(error)) from None


def card_in(reply: dict[str, Any]) -> Card:
    """Return the card of a reply.

    Raises:
        NoAnswer: if it is none.
    """
    said = str(reply["card"]).strip(" '\"`.")
    try:
        return Card.parse(_TEN.sub("10", said))
    except InvalidCard as error:
        raise NoAnswer(str(error)) from None


def guess_in(reply: dict[str, Any]) -> Guess | None:
    """Return what a reply takes for the rule; None: nothing."""
    text = reply.get("rule")
    if not isinstance(text, str) or not text.strip():
        return None
    words = in_a_line(text, LONGEST).strip("`")
    rule, problem = None, ""
    try:
        rule = parse_rule(words.removeprefix("state ").strip())
    except InvalidMove as error:
        problem = str(error)
    return Guess(words, rule, problem, whole(reply.get("confidence"), 10))


def whole(said: object, most: int) -> int:
    """Return a number from 0 to ``most`` that may have come as a text, a fraction or per cent; 0: it is none."""
    match = re.match(r"\s*([0-9]{1,400}(?:\.[0-9]{1,20})?)(?!e)", str(said)[:400])
    if match is None or isinstance(said, bool) or len(match[1]) > 30:
        return 0
    number = float(match[1])
    if 0 < number < 1:
        number *= most
    return min(most, round(number / 100 * most if number > most else number))


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    for _ in range(STARTS):
        at = text.find("{", at)
        if at < 0:
            return
        try:
            found, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield found
