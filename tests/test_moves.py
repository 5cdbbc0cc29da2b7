from __future__ import annotations

import pytest

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.moves import (
    Attempt,
    BecomeProphet,
    Call,
    Decision,
    DecisionKind,
    InvalidMove,
    Move,
    NoPlay,
    Pass,
    Pick,
    parse_move,
)

TEXTS: list[tuple[str, Move]] = [
    ("7H", Attempt(parse_cards("7H"))),
    ("7H 8D 7H", Attempt(parse_cards("7H 8D 7H"))),
    ("no play", NoPlay()),
    ("prophet", BecomeProphet()),
    ("pass", Pass()),
    ("right", Call(right=True)),
    ("wrong", Call(right=False)),
    ("wrong 7H", Call(right=False, card=Card.parse("7H"))),
    ("wrong after 0", Call(right=False, prefix=0)),
    ("wrong after 2", Call(right=False, prefix=2)),
    ("pick 10S", Pick(Card.parse("10S"))),
]


@pytest.mark.parametrize(("text", "move"), TEXTS)
def test_a_move(text: str, move: Move) -> None:
    assert parse_move(text) == move
    assert type(parse_move(text)) is type(move)
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (" 7h,8d ", "7H 8D"),
        ("No  Play", "no play"),
        ("PROPHET", "prophet"),
        ("Wrong 7h", "wrong 7H"),
        ("WRONG AFTER 2", "wrong after 2"),
        ("Pick 10♠", "pick 10S"),
        ("7♥ 8♦", "7H 8D"),
    ],
)
def test_other_spellings(text: str, written: str) -> None:
    assert str(parse_move(text)) == written


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("", "is not a move; moves are"),
        ("7X", "'7X' is not a card"),
        ("7H 8", "'8' is not a card"),
        ("noplay", "'noplay' is not a card"),
        ("wrong 7X", "'7X' is not a card"),
        ("pick", "'pick' is not a card"),
        ("pick 7H 8D", "'pick' is not a card"),
        ("wrong after", "'after' is not a card"),
        ("wrong after two", "is not a card"),
        ("wrong after 1234567890", "is not a card"),
        ("right 7H", "'right' is not a card"),
    ],
)
def test_no_move(text: str, about: str) -> None:
    with pytest.raises(InvalidMove) as error:
        parse_move(text)
    message = str(error.value)
    assert message.startswith(f"{text!r} is not a move")
    assert about in message
    for word in ("'7H 8D'", "'no play'", "'prophet'", "'pass'", "'right'", "'wrong'", "'wrong 7H'", "'pick 7H'"):
        assert word in message
        assert str(parse_move(word.strip("'"))) == word.strip("'")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (DecisionKind.PLAY, "seat 3: play"),
        (DecisionKind.AFTER_TURN, "seat 3: after turn"),
        (DecisionKind.CALL, "seat 3: call"),
        (DecisionKind.PICK, "seat 3: pick"),
    ],
)
def test_a_decision_is_told(kind: DecisionKind, text: str) -> None:
    assert str(Decision(kind, 3)) == text


def test_moves_of_different_kinds_are_different() -> None:
    moves = [move for _, move in TEXTS]
    assert all(a is b or a != b for a in moves for b in moves)
    assert len(set(moves)) == len(moves)
