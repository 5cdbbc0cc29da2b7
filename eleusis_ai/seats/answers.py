"""A move read from what a person types, short forms too, or the reason why it is none."""

from __future__ import annotations

import re

from eleusis_ai.cards import InvalidCard, parse_cards
from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import Attempt, DecisionKind, InvalidMove, Move, Pick, parse_move
from eleusis_ai.seats.guidance import wanted
from eleusis_ai.seats.telling import cards_said
from eleusis_ai.view import View


class BadAnswer(ValueError):
    """What was typed is no move that may be made now; the message says why, and how to type one that is."""


_SHORT: dict[DecisionKind, dict[str, str]] = {
    DecisionKind.PLAY: {"no": "no play"},
    DecisionKind.AFTER_TURN: {"yes": "prophet", "no": "pass", "": "pass"},
    DecisionKind.CALL: {"r": "right", "w": "wrong"},
    DecisionKind.PICK: {},
    DecisionKind.STATE_RULE: {"no": "pass", "": "pass"},
}


def read_answer(text: str, view: View, moves: LegalMoves) -> Move:
    """Read what a person typed as one of ``moves``.

    Raises:
        BadAnswer: if it is none.
    """
    words = " ".join(text.lower().split())
    words = _SHORT[moves.kind].get(words, words)
    if words.startswith("state "):
        words = text.strip()  # in a rule capitals matter
    if moves.kind is DecisionKind.CALL:
        words = re.sub(r"^w (?=\S)", "wrong ", words)
        words = re.sub(r"^wrong (?=[0-9]{1,9}$)", "wrong after ", words)
    try:
        move = parse_move(words)
    except InvalidMove as error:
        if words.lower().startswith("state "):
            raise BadAnswer(f"{error}\n{wanted(view, moves)}") from None
        raise BadAnswer(f"{_unread(text, moves.kind)} {wanted(view, moves)}") from None
    if moves.kind is DecisionKind.PICK and isinstance(move, Attempt) and len(move.cards) == 1:
        move = Pick(move.cards[0])
    if move not in moves:
        raise BadAnswer(f"{_illegal(move, moves)} {wanted(view, moves)}")
    return move


def _unread(text: str, kind: DecisionKind) -> str:
    if not text:
        return "Nothing was typed."
    if kind is DecisionKind.PLAY:
        try:
            parse_cards(text)
        except InvalidCard as error:
            return f"{str(error).partition(';')[0]}."
    return f"{text[:40]!r} is no answer here."


def _illegal(move: Move, moves: LegalMoves) -> str:
    match moves.kind, move:
        case DecisionKind.PLAY, Attempt(cards):
            held = next((card for card in cards if cards.count(card) > moves.hand.count(card)), None)
            if held is None:
                return f"That is {len(cards)} cards, and {moves.longest} may be played at a time."
            if held in moves.hand:
                return f"You hold {held.symbol} only {moves.hand.count(held)} times."
            return f"You do not hold {held.symbol}."
        case DecisionKind.PICK, Pick(card):
            return f"{card.symbol} may not be picked; {cards_said(dict.fromkeys(moves.hand))} may."
        case _:
            return f"'{move!s:.40}' is no answer here."
