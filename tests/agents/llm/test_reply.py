"""What a model wrote is read with forbearance, and nothing that it writes can break the reader."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_agents.llm.failures import NoAnswer
from eleusis_agents.llm.reply import LONGEST, card_in, guess_in, move_in, object_in, whole
from eleusis_ai.cards import Card
from eleusis_ai.moves import parse_move

PLAIN = '{"thought": "t", "rule": "card.is_red", "confidence": 3, "move": "7H"}'


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"```json\n{PLAIN}\n```",
        f"I would say:\n\n```\n{PLAIN}\n```\nGood luck!",
        f'<think>maybe {{"move": "8C"}}? no</think>{PLAIN}',
        f'First {{"move": "8C"}}, but on second thought {PLAIN}',
        f"{{not json}} {{{PLAIN}",
        f"a set {{1, 2}} and {PLAIN} and {{}}",
        PLAIN.replace("{", '{"more": {"deep": [1, {"x": 2}]}, '),
    ],
)
def test_the_object_is_found(text: str) -> None:
    assert str(move_in(object_in(text, "move"))) == "7H"


@pytest.mark.parametrize("text", ["", "7H", "[]", '{"mov": "7H"}', "{" * 100_000, '{"a":' * 50_000, '"move"'])
def test_where_there_is_none_it_says_so(text: str) -> None:
    with pytest.raises(NoAnswer, match='no JSON object with "move"'):
        object_in(text, "move")


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("7H 8D", "7H 8D"),
        ("'7H'", "7H"),
        ("7♥, 8♦.", "7H 8D"),
        ("TH", "10H"),
        ("Th 9d", "10H 9D"),
        (["7H", "8D"], "7H 8D"),
        ("No Play", "no play"),
        ("PASS", "pass"),
        ("wrong after 2", "wrong after 2"),
        ("wrong TH", "wrong 10H"),
        ("state card.is_red", "state card.is_red"),
    ],
)
def test_moves(said: object, move: str) -> None:
    assert move_in({"move": said}) == parse_move(move)


@pytest.mark.parametrize("said", ["", "seven of hearts", 7, None, {"card": "7H"}, "state nonsense", "7H!"])
def test_what_is_no_move_is_told_with_one_that_is(said: object) -> None:
    with pytest.raises(NoAnswer, match=r"7H|card\."):
        move_in({"move": said})


def test_cards() -> None:
    assert card_in({"card": " T♥ "}) == Card.parse("10H")
    with pytest.raises(NoAnswer, match="is not a card"):
        card_in({"card": ["7H"]})


@pytest.mark.parametrize(
    ("said", "number"),
    [
        *((7, 7), ("7", 7), ("8/10", 8), (0.7, 7), ("85%", 8), (85, 8), (10, 10), (0, 0), (1, 1)),
        *((None, 0), ("high", 0), (True, 0), (-3, 0), (1e300, 0), ("9" * 400, 0), ([], 0)),
    ],
)
def test_confidence_is_a_whole_number_of_ten(said: object, number: int) -> None:
    assert whole(said, 10) == number


def test_a_guess_may_be_a_rule_or_words() -> None:
    rule = guess_in({"rule": "`state card.is_red`", "confidence": 4})
    assert rule is not None
    assert str(rule.rule) == "card.is_red"
    words = guess_in({"rule": "red\x1b[2J\ncards", "confidence": 4})
    assert words is not None
    assert (words.rule, words.text, words.confidence) == (None, "red [2J cards", 4)
    assert words.problem
    long = guess_in({"rule": "x" * 5000})
    assert long is not None
    assert len(long.text) == LONGEST
    assert guess_in({"rule": "  "}) is guess_in({"rule": 3}) is guess_in({}) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(JSON, JSON, JSON)
def test_any_values_are_read_or_refused(move: object, rule: object, confidence: object) -> None:
    guess = guess_in({"rule": rule, "confidence": confidence})
    assert guess is None or 0 <= guess.confidence <= 10
    for read in (lambda: move_in({"move": move}), lambda: card_in({"card": move})):
        with suppress(NoAnswer):
            read()


@given(st.text(alphabet='{}[]":,amove 7H\\\n', max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = object_in(text, "move")
    except NoAnswer:
        return
    assert "move" in found
