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
    StateRule,
    parse_move,
)
from eleusis_ai.rules.language import InvalidRule, Rule

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
    ("state card.color != last.color", StateRule(Rule.parse("card.color != last.color"))),
    (
        "state card.rank in {A, K}; first card: card.is_red",
        StateRule(Rule.parse("card.rank in {A, K}", starter="card.is_red")),
    ),
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
        ("STATE  card.rank in{K,Q}", "state card.rank in {K, Q}"),
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
        (DecisionKind.STATE_RULE, "seat 3: state rule"),
    ],
)
def test_a_decision_is_told(kind: DecisionKind, text: str) -> None:
    assert str(Decision(kind, 3)) == text


def test_moves_of_different_kinds_are_different() -> None:
    moves = [move for _, move in TEXTS]
    assert all(a is b or a != b for a in moves for b in moves)
    assert len(set(moves)) == len(moves)


@pytest.mark.parametrize(
    "text", ["card.colour != last.color", "card.is_red and", "position", "card.is_red; first card: last.is_red"]
)
def test_a_stated_text_that_is_no_rule_is_refused_in_the_rule_s_own_words(text: str) -> None:
    rule, _, starter = text.partition("; first card: ")
    with pytest.raises(InvalidRule) as wanted:
        Rule.parse(rule, starter=starter or None)
    with pytest.raises(InvalidMove) as error:
        parse_move(f"state {text}")
    assert str(error.value) == str(wanted.value)
