"""What each action, an integer, stands for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from eleusis_ai.cards import CARDS
from eleusis_ai.moves import BecomeProphet, Call, InvalidMove, Move, NoPlay, Pass, StateRule, parse_rule, rule_text
from eleusis_ai.rules.language import Rule

FINISH: Final = 52
"""Play the string that has been built, card by card."""
NO_PLAY: Final = 53
"""Declare that no card of the hand is legal."""
PROPHET: Final = 54
"""Become prophet."""
PASS: Final = 55
"""Do not become prophet, or do not state the rule."""
RIGHT: Final = 56
"""As prophet: the attempt, or the no play, is right."""
WRONG: Final = 57
"""As prophet: the attempt is wrong."""
PREFIX: Final = 58
"""As prophet, where strings are judged card by card: wrong, and none of the leading cards is right; the next
actions: one of them is, two are, and so on."""
PREFIXES: Final = 5
"""How many actions tell how many leading cards are right: 0 to 4."""
STATE: Final = PREFIX + PREFIXES
"""State the first of the rules that may be stated; the next actions state the next ones."""

_MOVES: dict[int, Move] = {
    NO_PLAY: NoPlay(),
    PROPHET: BecomeProphet(),
    PASS: Pass(),
    RIGHT: Call(right=True),
    WRONG: Call(right=False),
    **{PREFIX + prefix: Call(right=False, prefix=prefix) for prefix in range(PREFIXES)},
}


class InvalidStatements(ValueError):
    """Rules among which a statement cannot be chosen."""


class Actions:
    """The actions of a table: those that every table has, and one for each rule that may be stated."""

    def __init__(self, statements: Iterable[str | Rule] = ()) -> None:
        """Number the rules of ``statements`` in their order.

        Raises:
            InvalidStatements: if one of them is not a rule, or comes twice.
        """
        rules: dict[Rule, StateRule] = {}
        for each in statements:
            rule = _rule(each)
            if rule in rules:
                raise InvalidStatements(f"{rule_text(rule)} comes twice among the statements; each comes once")
            rules[rule] = StateRule(rule)
        self.statements: tuple[Rule, ...] = tuple(rules)
        """The rules that may be stated, by number."""
        self.count = STATE + len(rules)
        """How many actions there are."""
        self.numbers = {rule_text(rule): number for number, rule in enumerate(rules)}
        """The number of each rule that may be stated, by its text."""
        self._moves = _MOVES | dict(enumerate(rules.values(), start=STATE))

    def move(self, action: int) -> Move:
        """Return the move of an ``action`` that is one by itself: neither a card nor `FINISH`."""
        return self._moves[action]

    def number(self, move: Move) -> int | None:
        """Return the action that makes ``move``, which is neither an attempt nor a call; None: there is none."""
        if isinstance(move, StateRule):
            number = self.numbers.get(rule_text(move.rule))
            return None if number is None else STATE + number
        return next(action for action, each in _MOVES.items() if each == move)

    def text(self, action: int) -> str:
        """Say what an ``action`` means, in the texts of moves; a card is the card alone."""
        if action < len(CARDS):
            return str(CARDS[action])
        return "finish" if action == FINISH else str(self._moves[action])


def call_action(call: Call) -> int | None:
    """Return the action that gives an answer of the prophet; None: there is none."""
    if call.right:
        return RIGHT
    if call.card is not None:
        return int(call.card)
    if call.prefix is None:
        return WRONG
    return PREFIX + call.prefix if call.prefix < PREFIXES else None


def action_table(statements: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Return rows that say which actions there are, and what each does, for a page of the docs."""
    rows = [
        (f"0 to {len(CARDS) - 1}", "the card `suit * 13 + rank - 1` (suits C D H S): to play it, or to begin or "
         "lengthen a string with it; as a prophet who judges a no play: *wrong*, and this card is legal"),
        (str(FINISH), "finish: play the string that has been built"),
        (str(NO_PLAY), "declare no play"),
        (str(PROPHET), "become prophet"),
        (str(PASS), "pass: do not become prophet, do not state the rule"),
        (str(RIGHT), "as prophet: right"),
        (str(WRONG), "as prophet: the attempt is wrong"),
        (f"{PREFIX} to {STATE - 1}", f"as prophet, where strings are judged card by card: wrong, and the first "
         f"0 to {PREFIXES - 1} cards are right"),
    ]  # fmt: skip
    return rows + [(f"{STATE + number}", f"state `{text}`") for number, text in enumerate(statements)]


def _rule(statement: str | Rule) -> Rule:
    if isinstance(statement, Rule):
        return statement
    try:
        return parse_rule(statement)
    except InvalidMove as error:
        raise InvalidStatements(f"a statement is a rule, as in 'card.is_red'; {error}") from None
