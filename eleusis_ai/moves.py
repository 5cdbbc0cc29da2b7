"""What a seat may be asked, and what it answers: decisions and moves, each with a text that reads back."""

from __future__ import annotations

import re
from enum import Enum
from functools import lru_cache

import msgspec

from eleusis_ai.cards import Card, InvalidCard, cards_text, parse_cards
from eleusis_ai.layout import Cards
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule


class InvalidMove(ValueError):
    """A text that is not a move."""


class DecisionKind(Enum):
    """What is asked of a seat."""

    PLAY = "play"
    """A scientist's turn: an attempt, or no play."""
    AFTER_TURN = "after turn"
    """Whether the seat that has just acted becomes prophet."""
    CALL = "call"
    """A judgement: the prophet's answer, or the truth from a dealer who judges by hand."""
    PICK = "pick"
    """A legal card of the shown hand, chosen by the dealer."""
    STATE_RULE = "state rule"
    """Whether the seat that has just acted states the secret rule."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """Whose move it is, and of which kind."""

    kind: DecisionKind
    seat: int

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.kind.value}"


class Attempt(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The ordered cards of one play: one card, or a string of several."""

    cards: Cards

    def __str__(self) -> str:
        return cards_text(self.cards)


class NoPlay(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The declaration that no card of the hand is legal; the hand is shown."""

    def __str__(self) -> str:
        return "no play"


class BecomeProphet(msgspec.Struct, frozen=True, gc=False, tag=True):
    """After one's own turn: lay the hand aside and judge in the dealer's place."""

    def __str__(self) -> str:
        return "prophet"


class Pass(msgspec.Struct, frozen=True, gc=False, tag=True):
    """After one's own turn: do not become prophet, or do not state the rule."""

    def __str__(self) -> str:
        return "pass"


class Call(msgspec.Struct, frozen=True, gc=False, tag=True, kw_only=True):
    """A judgement of the action before the judge."""

    right: bool
    """Whether the attempt, the declaration of no play, or the statement of the rule is right."""
    card: Card | None = None
    """For a wrong no play: a card of the shown hand that is legal."""
    prefix: int | None = None
    """For a wrong string judged card by card: how many of its leading cards are right."""

    def __str__(self) -> str:
        if self.right:
            return "right"
        if self.card is not None:
            return f"wrong {self.card}"
        return "wrong" if self.prefix is None else f"wrong after {self.prefix}"


class Pick(msgspec.Struct, frozen=True, gc=False, tag=True):
    """The dealer's choice of a legal card from the shown hand."""

    card: Card

    def __str__(self) -> str:
        return f"pick {self.card}"


class StateRule(msgspec.Struct, frozen=True, gc=False, tag=True):
    """After one's own turn: say what the secret rule is."""

    rule: Rule

    def __str__(self) -> str:
        return f"state {rule_text(self.rule)}"


Move = Attempt | NoPlay | BecomeProphet | Pass | Call | Pick | StateRule

_FIRST_CARD = "; first card: "

_FIXED: dict[str, Move] = {
    str(move): move for move in (NoPlay(), BecomeProphet(), Pass(), Call(right=True), Call(right=False))
}


def parse_move(text: str) -> Move:
    """Read a move from its text.

    The texts are cards as in ``7H 8D``, ``no play``, ``prophet``, ``pass``, ``right``, ``wrong``,
    ``wrong 7H``, ``wrong after 2``, ``pick 7H`` and ``state card.color != last.color``.

    Raises:
        InvalidMove: if ``text`` is none of them.
    """
    words = " ".join(text.split())
    if words.lower() in _FIXED:
        return _FIXED[words.lower()]
    if match := re.fullmatch(r"state (.+)", words, re.IGNORECASE):
        return StateRule(parse_rule(match[1]))
    try:
        if match := re.fullmatch(r"wrong after ([0-9]{1,9})", words, re.IGNORECASE):
            return Call(right=False, prefix=int(match[1]))
        if match := re.fullmatch(r"(wrong|pick) (\S+)", words, re.IGNORECASE):
            card = Card.parse(match[2])
            return Pick(card) if match[1].lower() == "pick" else Call(right=False, card=card)
        cards = parse_cards(words)
    except InvalidCard as error:
        raise InvalidMove(f"{text!r} is not a move: {error}; {_MOVES}") from None
    if not cards:
        raise InvalidMove(f"{text!r} is not a move; {_MOVES}")
    return Attempt(cards)


def rule_text(rule: Rule) -> str:
    """Write a rule in a line, with its condition on the first card if it has one."""
    return str(rule) if rule.starter is None else f"{rule}{_FIRST_CARD}{rule.starter}"


@lru_cache(maxsize=256)  # evidence of a view reads the rules that were stated again and again
def parse_rule(text: str) -> Rule:
    """Read what `rule_text` writes.

    Raises:
        InvalidMove: with the reason why the text is no rule.
    """
    rule, _, starter = text.partition(_FIRST_CARD)
    try:
        return Rule.parse(rule, starter=starter or None)
    except InvalidRule as error:
        raise InvalidMove(str(error)) from None


_MOVES = (
    "moves are cards as in '7H 8D', 'no play', 'prophet', 'pass', 'right', 'wrong', 'wrong 7H', "
    "'wrong after 2', 'pick 7H', 'state card.is_red'"
)
