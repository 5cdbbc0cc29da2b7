"""Verdicts, held against Python's own evaluation card by card."""

from __future__ import annotations

import time
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text, mask_of, parse_cards
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.language import Rule
from tests.rules.plain_python import plain_code, plain_mask
from tests.rules.rule_texts import rule_texts

LINES = st.lists(st.sampled_from(CARDS), max_size=8)
ENTRIES = list(load().values())
RED = mask_of(card for card in CARDS if card.is_red)
ACES = mask_of(parse_cards("AC AD AH AS"))


def mask(text: str, line: str, rejected: str = "") -> int:
    return Rule.parse(text).mask(parse_cards(line), parse_cards(rejected))


def check_against_python(text: str, mainline: Sequence[Card], rejected: Sequence[Card]) -> None:
    rule = Rule.parse(text)
    plain = plain_mask(plain_code(text), mainline, rejected)
    assert Rule.parse(str(rule)) == rule
    assert rule.mask(mainline, rejected) == plain
    assert rule.mask(mainline, rejected) == plain, "the second time it comes from memory"
    assert plain_mask(plain_code(str(rule)), mainline, rejected) == plain
    if len(mainline) >= rule.starters:
        assert plain_mask(plain_code(text), mainline, rejected, absent=-1) == plain, "enough starters, none absent"
    if rule.lookback is not None and not rule.uses_position and len(mainline) > rule.lookback > 0:
        assert plain_mask(plain_code(text), mainline[-rule.lookback :]) == plain, "no card before them counts"


@settings(max_examples=800, deadline=None, derandomize=True, database=None)
@given(text=rule_texts(), mainline=LINES, rejected=LINES)
def test_any_rule_reads_back_and_judges_as_python_does(text: str, mainline: list[Card], rejected: list[Card]) -> None:
    check_against_python(text, mainline, rejected)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None, database=None)
@given(text=rule_texts(), mainline=LINES, rejected=LINES)
def test_very_many_rules_judge_as_python_does(text: str, mainline: list[Card], rejected: list[Card]) -> None:
    check_against_python(text, mainline, rejected)


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_published_rules_judge_as_python_does(entry: CatalogEntry) -> None:
    rng = Random(entry.id)
    rule = Rule.parse(entry.expression)
    code = plain_code(entry.expression)
    for length in range(21):
        line = rng.choices(CARDS, k=length)
        assert rule.mask(line) == plain_mask(code, line), cards_text(line)
        legal = rule.mask(line)
        assert [rule.allows(line, card) for card in CARDS] == [card in cards_of(legal) for card in CARDS]


@pytest.mark.parametrize(
    ("text", "line", "legal"),
    [
        ("card.color != last.color", "7H", ALL_CARDS & ~RED),
        ("card.color != last.color", "7H 4C", RED),
        ("card.color != last.color", "", ALL_CARDS),
        ("card.color == mainline[-2].color", "7H", ALL_CARDS),
        ("card.color == mainline[-2].color", "7H 4C", RED),
        ("card.color == mainline[1].color", "7H", ALL_CARDS),
        ("card.is_red and last.is_red", "", ALL_CARDS),  # a red candidate asks for the last card
        ("position == 0 or last.is_red", "", ALL_CARDS),
        ("position == 0 and card.is_red or position > 0 and last.is_red", "", RED),
        ("card.is_red if position < 2 else mainline[-2].is_red", "4C", RED),
        ("all(x.is_red for x in mainline[-3:]) and card.is_red", "", RED),  # slices take what is there
        ("any(x.is_red for x in mainline[-3:])", "4C", 0),
        ("10 // (card.rank - 1) >= 0", "", ALL_CARDS & ~ACES),  # division by 0: only that card is illegal
        ("card.rank % (card.rank - 1) >= 0", "", ALL_CARDS & ~ACES),
        ("{A: True}[card.rank]", "", ACES),
        ("{A: 1}.get(card.rank, 2) == 1", "", ACES),
        ("(True, False)[card.rank - 1]", "", ACES),
        ("(True, True)[card.rank - 4]", "", mask_of(card for card in CARDS if 2 <= card.rank <= 5)),
        ("min(x.rank for x in mainline) >= 0", "", 0),
        ("max(x.rank for x in mainline if x.rank > card.rank) > 0", "2C", ACES),
        ('card.suit == after(last.suit, "DH")', "2C", 0),
        ('card.suit == after(last.suit, "DH")', "2D", mask_of(card for card in CARDS if card.suit.name == "H")),
        # Python works a whole table out before it looks into it.
        ("{C: card.is_red, D: mainline[-2].is_red}[card.suit]", "2C", ALL_CARDS),
        ("{C: card.is_red, D: 1 // 0 == 1}[card.suit]", "2C", 0),
        ("card.is_red or 1 // (card.rank - 1) > 1", "", RED),
        ("card.is_prime and 2 < card.rank", "", mask_of(card for card in CARDS if card.rank in (3, 5, 7, 11, 13))),
        ("card.value == 10", "", mask_of(card for card in CARDS if card.rank >= 10)),
        ("run(x.color for x in mainline) == 2 and card.is_red", "7H 4C 5S", RED),
        ("run(x.color for x in mainline[:0]) == 0 and card.is_red", "7H", RED),
        ("len({last.rank, card.rank}) == 1", "AC", ACES),
        ("len(mainline[-3:]) == 2 and card.is_red", "7H 7H", RED),
        ("gcd(card.rank, 6) == 1 and card.rank < 5", "", ACES),
        ("card == last", "7H 7H", Card.parse("7H").bit),
        ("card in mainline", "7H 4C", mask_of(parse_cards("7H 4C"))),
        ("sum(x.is_red for x in mainline) == card.rank", "7H", ACES),
        ("(card if card.rank == A else last).rank == 1", "2C", ACES),
        ("-card.rank // 2 == -1", "", mask_of(card for card in CARDS if card.rank <= 2)),
        ("-card.rank % 3 == 2", "", mask_of(card for card in CARDS if card.rank % 3 == 1)),
    ],
)
def test_verdicts(text: str, line: str, legal: int) -> None:
    assert mask(text, line) == legal


@pytest.mark.parametrize(
    ("text", "rejected", "legal"),
    [
        ("card.is_red == (len(rejected) % 2 == 0)", "", RED),
        ("card.is_red == (len(rejected) % 2 == 0)", "2C", ALL_CARDS & ~RED),
        ("card.color == rejected[-1].color", "", 0),  # only the mainline has absent cards
        ("card.color == rejected[-1].color", "2C 3D", RED),
        ("card in rejected", "2C 3D", mask_of(parse_cards("2C 3D"))),
        ("all(card.suit != x.suit for x in rejected[-2:])", "2H 2C 3S", RED),
    ],
)
def test_rejected_cards_count_where_the_rule_says_so(text: str, rejected: str, legal: int) -> None:
    assert mask(text, "KC", rejected) == legal


def test_values_that_differ_for_every_card_are_kept_apart() -> None:
    number = "(card.rank * 7 + {C: 0, D: 101, H: 202, S: 303}[card.suit])"
    check_against_python(f"{number} * {number} % 5 < {number} % (last.rank - 3 + {number} % 4)", [CARDS[4]], [])
    check_against_python(f"run({number} % x.rank for x in mainline) == sum(({number}, -{number}))", CARDS[5:9], [])


def test_a_starter_condition_alone_decides_the_first_card() -> None:
    rule = Rule.parse("card.is_red", starter="card.rank == A")
    assert rule.mask(()) == ACES
    assert rule.mask(parse_cards("AC")) == RED


def test_a_starter_condition_stands_in_wherever_a_card_is_absent() -> None:
    rule = Rule.parse("card.color == mainline[-3].color", starter="card.is_red")
    assert rule.mask(()) == RED
    assert rule.mask(parse_cards("7H")) == RED
    assert rule.mask(parse_cards("4C 7H 7H")) == ALL_CARDS & ~RED


def test_a_mask_neither_changes_nor_needs_lists() -> None:
    line, rejected = list(parse_cards("7H 4C")), list(parse_cards("2C"))
    for text in ("card.color != last.color", "run(x.suit for x in mainline) + len(rejected) > card.rank"):
        rule = Rule.parse(text)
        assert rule.mask(line, rejected) == rule.mask(tuple(line), tuple(rejected))
    assert (line, rejected) == (list(parse_cards("7H 4C")), list(parse_cards("2C")))


def test_a_remembered_mask_is_not_taken_for_another() -> None:
    rule = Rule.parse("card.is_red == (position % 2 == 0) and card.color != mainline[-2].color")
    rng = Random(1)
    code = plain_code(str(rule))
    for _ in range(200):
        line = rng.choices(CARDS, k=rng.randrange(2, 6))
        assert rule.mask(line) == plain_mask(code, line)


def test_long_lines_are_judged_in_milliseconds() -> None:
    rule = Rule.parse("count(x.suit == card.suit for x in mainline) % 3 == sum(x.rank for x in mainline) % 2")
    line = Random(1).choices(CARDS, k=300)
    rule.mask(line[:1])
    before = time.perf_counter()
    rule.mask(line)
    assert time.perf_counter() - before < 0.05
