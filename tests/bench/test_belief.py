"""Which of a learner's rules come to the same, and how sure it is of one."""

from __future__ import annotations

from itertools import combinations

import pytest

from eleusis_ai.bench.belief import best_guess, fingerprint, weighed_rules
from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import Believer, Guesser

CATALOGUE = [entry.rule for entry in load().values() if not entry.rule.reads_rejected]


def weights(*pairs: tuple[str, float]) -> dict[Rule, float]:
    return {Rule.parse(text): weight for text, weight in pairs}


@pytest.mark.parametrize(
    ("one", "two", "line"),
    [
        ("card.is_red", "card.suit in {H, D}", "7H"),
        ("card.suit == last.suit", "card.suit == H", "7H"),
        ("card.rank >= last.rank", "card.rank == K", "7H KD"),
        ("card.is_even", "card.is_even if position < 3 else card.rank % 2 == 0", "7H 2D"),
    ],
)
def test_rules_that_are_the_same_from_here_have_one_fingerprint(one: str, two: str, line: str) -> None:
    first, second = Rule.parse(one), Rule.parse(two)
    assert equivalent(first, second, parse_cards(line)).same
    assert fingerprint(first, parse_cards(line)) == fingerprint(second, parse_cards(line))


@pytest.mark.parametrize("starter", CARDS[::4], ids=str)
def test_fingerprints_of_the_catalogue_say_what_equivalence_says(starter: Card) -> None:
    line = (starter,)
    rules = CATALOGUE[starter // 4 :: 13]
    for one, two in combinations(rules, 2):
        if fingerprint(one, line) != fingerprint(two, line):
            continue
        assert equivalent(one, two, line).same, f"{one} / {two} after {starter}"


def test_rules_that_come_to_the_same_are_one_guess() -> None:
    found = best_guess(
        weights(("card.is_even", 0.4), ("card.suit == last.suit", 0.35), ("card.suit == H", 0.25)),
        parse_cards("7H"),
    )
    assert found is not None
    assert str(found.rule) == "card.suit == last.suit"
    assert found.chance == pytest.approx(0.6)


def test_what_counts_is_what_can_be_reached_once_the_card_is_judged() -> None:
    """By either rule the king is legal, and then both say: kings, ever after."""
    both = weights(("card.rank >= last.rank", 0.5), ("card.rank == K", 0.3), ("card.is_red", 0.2))
    now, then = (best_guess(both, parse_cards("7C"), playing=card) for card in (None, Card.parse("KC")))
    assert now is not None
    assert then is not None
    assert now.chance == pytest.approx(0.5)
    assert then.chance == pytest.approx(0.8)


def test_each_rule_says_itself_where_the_mainline_will_end() -> None:
    """The jack ends the line for the first rule alone: for the second it is rejected, and anything red may come."""
    found = best_guess(
        weights(("card.rank >= last.rank", 0.5), ("card.is_red", 0.5)), parse_cards("7C"), playing=Card.parse("JC")
    )
    assert found is not None
    assert str(found.rule) == "card.rank >= last.rank"
    assert found.chance == pytest.approx(0.5)


def test_a_fingerprint_alone_convinces_nobody() -> None:
    """A difference so far off that no walk meets it is found when the best guess is looked at in earnest."""
    near, far = Rule.parse("card.is_red"), Rule.parse("card.is_red if position < 40 else card.is_black")
    line = parse_cards("7H")
    assert fingerprint(near, line) == fingerprint(far, line)
    found = best_guess({near: 0.6, far: 0.4}, line)
    assert found is not None
    assert found.rule == near
    assert found.chance == pytest.approx(0.6)


def test_without_rules_there_is_no_guess() -> None:
    assert weighed_rules(Guesser({}), 10) == {}
    assert best_guess({}, parse_cards("7H")) is None


def test_rules_are_sampled_where_that_can_be() -> None:
    rules = weighed_rules(Believer("card.is_red", "card.is_odd"), 3)
    assert {str(rule): round(weight, 3) for rule, weight in rules.items()} == {
        "card.is_red": 0.667,
        "card.is_odd": 0.333,
    }
    explained = weighed_rules(Believer("card.is_red", "card.is_odd", samples=False), 3)
    assert list(explained.values()) == [0.5, 0.5]
