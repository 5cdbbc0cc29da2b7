"""Rules in English: as a dealer would say them, and never less than the rule names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from eleusis_ai.rules import terms
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from tests.rules.rule_texts import rule_texts

NAMED = {
    "rank": "rank| is a | is an | is not a",
    "suit": "suit|club|diamond|heart|spade",
    "color": "colour|red|black",
    "value": "value",
    "is_red": "red|colour",
    "is_black": "black|colour",
    "is_odd": "odd|parity",
    "is_even": "even|parity",
    "is_face": "face",
    "is_prime": "prime",
}
"""Words of which a sentence must hold one, for each attribute that the rule looks at."""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("card.is_red", "The card is red."),
        ("not card.is_face", "The card is not a face card."),
        ("card.rank == A", "The card is an ace."),
        ("card.rank == 1", "The card is an ace."),
        ("card.rank != 8", "The card is not an 8."),
        ("card.suit == H", "The card is a heart."),
        ("card.color == red", "The card is red."),
        ("card.color != last.color", "The card has another colour than the last card."),
        ("card.is_odd == last.is_odd", "The card has the same parity as the last card."),
        ("card.rank > mainline[-2].rank", "The card's rank is above the card before the last's rank."),
        ("5 <= card.rank <= 9", "The card's rank is from 5 to 9."),
        ("card.rank in {2, 3, Q}", "The card's rank is 2, 3 or queen."),
        ("card.suit not in {C, D}", "The card's suit is none of clubs and diamonds."),
        ("card.rank % 3 == 1", "The card's rank leaves 1 when divided by 3."),
        ("(card.rank + last.rank) % 2 == 0", "The card's rank plus the last card's rank is even."),
        ("card.is_red == card.is_face", "The card is red exactly when the card is a face card."),
        ("card.is_red or card.is_odd", "The card is red or the card is odd."),
        (
            "card.suit == H or card.suit == C and card.is_even",
            "The card is a heart or (the card is a club and the card is even).",
        ),
        (
            "card.is_black if last.is_odd else card.is_red",
            "If the last card is odd, the card is black; otherwise the card is red.",
        ),
        (
            "count(c.is_red for c in mainline[-3:]) <= 1",
            "The number of red cards among the last three cards is at most 1.",
        ),
        (
            "any(x.suit == card.suit for x in mainline)",
            "For at least one card x on the mainline, card x has the same suit as the card.",
        ),
        (
            'card.suit == after(last.suit, "HSCD")',
            "The card's suit equals the suit after the last card's suit in the cycle hearts, spades, "
            "clubs, diamonds.",
        ),
    ],
)
def test_sentences(text: str, sentence: str) -> None:
    assert Rule.parse(text).text == sentence


def test_the_starter_condition_is_said_too() -> None:
    rule = Rule.parse("card.rank >= last.rank", starter="card.rank == A")
    assert rule.text == "The card's rank is at least the last card's rank. At the start the card is an ace."


def check_sentence(rule: Rule) -> None:
    sentence = rule.text
    assert sentence.endswith(".")
    assert sentence.lstrip("(")[0].isupper() or sentence.lstrip("(")[0].isdigit()
    for raw in (" and or ", "None", "  ", "_", "=="):
        assert raw not in sentence
    for term in terms.walk(rule.term):
        if isinstance(term, terms.Attribute):
            assert any(word in sentence for word in NAMED[term.name].split("|")), term.name


@pytest.mark.parametrize("id_", load())
def test_published_rules_are_said_in_full(id_: str) -> None:
    check_sentence(Rule.parse(load()[id_].expression))


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(rule_texts())
def test_any_rule_has_a_sentence(text: str) -> None:
    check_sentence(Rule.parse(text))
