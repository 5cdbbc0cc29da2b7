"""Terms put plainly judge every card as before, and rules that differ are said differently."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings

from eleusis_ai.cards import CARDS
from eleusis_ai.rules import terms
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.parser import parse
from eleusis_ai.rules.phrases import LANGUAGES
from eleusis_ai.rules.plain import PARITY, negated, plain
from tests.rules.rule_texts import rule_texts

_RNG = random.Random("plain")
LINES = [tuple(_RNG.choice(CARDS) for _ in range(length)) for length in (4, 5, 6, 9, 12)]
REJECTED = tuple(_RNG.choice(CARDS) for _ in range(4))


def verdicts(rule: Rule) -> tuple[int, ...]:
    return tuple(rule.mask(line, REJECTED) for line in LINES)


def may_fail(term: terms.Term) -> bool:
    """Tell whether a part may have no value for some card; how far Python gets before that is not said in words."""
    match term:
        case terms.Entry() | terms.Arithmetic("//" | "%") | terms.Call("min" | "max"):
            return True
        case _:
            return any(map(may_fail, terms.children(term)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not (card.is_red and last.rank > 3)", "card.is_black or last.rank <= 3"),
        ("not (card.is_red or not card.is_face)", "card.is_black and card.is_face"),
        ("not not card.is_prime", "card.is_prime"),
        ("3 < card.rank < 9", "4 <= card.rank <= 8"),
        ("last.rank < card.rank", "card.rank > last.rank"),
        ("card.suit not in {C, S}", "card.suit in {D, H}"),
        ("card.color != red", "card.is_black"),
        ("card.is_red != last.is_black", "card.color == last.color"),
        ("card.rank in (x.rank for x in mainline)", "any(card.rank == x.rank for x in mainline)"),
        ("not any(x.is_red for x in mainline)", "all(x.is_black for x in mainline)"),
    ],
)
def test_plain(text: str, said: str) -> None:
    assert plain(parse(text)) == parse(said)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(rule_texts())
def test_verdicts_stay(text: str) -> None:
    rule = Rule.parse(text)
    assume(not may_fail(rule.term))
    for said in (plain(rule.term), negated(negated(rule.term)), plain(negated(terms.Not(rule.term)))):
        # That two cards are both odd or both even has no word in the rule language.
        assume(not any(isinstance(term, terms.Attribute) and term.name == PARITY for term in terms.walk(said)))
        assert verdicts(Rule(said, None, None)) == verdicts(rule)


def test_rules_that_differ_are_said_differently() -> None:
    said: dict[tuple[str, str], tuple[int, ...]] = {}

    @settings(max_examples=500, deadline=None, derandomize=True, database=None)
    @given(rule_texts())
    def tell(text: str) -> None:
        rule = Rule.parse(text)
        for language in LANGUAGES:
            assert said.setdefault((language, rule.sentence(language)), verdicts(rule)) == verdicts(rule)

    tell()
    assert len(said) > 500
