from __future__ import annotations

import pytest

from eleusis_ai.cards import CARDS
from eleusis_ai.envs.sources import InvalidRules, RulesDealer, dealer_of
from eleusis_ai.profiles import HOWELL, load_profile
from eleusis_ai.rules.catalog import select
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.seeds import generator

RED, NUMBERS, REJECTED = "card.is_red", "card.rank >= last.rank", "card not in rejected[-3:]"


def drawn(source: object, profile: str = "howell", count: int = 20) -> set[Rule]:
    dealer = dealer_of(source)  # type: ignore[arg-type]  # the rows of a table
    return {dealer.choose(load_profile(profile), generator(f"sources/{number}"))[0] for number in range(count)}


def test_rules_come_from_where_they_are_said_to() -> None:
    assert drawn("catalog:memoryless") <= {entry.rule for entry in select(families=["memoryless"])}
    both = select(families=["memoryless", "run"])
    assert drawn("catalog: memoryless, run", count=4) <= {entry.rule for entry in both}
    for name in ("train", "test"):
        assert drawn(name) <= {entry.rule for entry in load_rule_set(name).rules}
    assert drawn(RED) == drawn(Rule.parse(RED)) == {Rule.parse(RED)}
    assert drawn([RED, Rule.parse(NUMBERS)]) == {Rule.parse(RED), Rule.parse(NUMBERS)}
    assert drawn(f"{NUMBERS}; first card: card.rank == A") == {Rule.parse(NUMBERS, starter="card.rank == A")}
    own = RulesDealer((Rule.parse(RED),))
    assert dealer_of(own) is own


def test_drawn_rules_are_new_and_the_same_for_the_same_generator() -> None:
    first, again = (drawn("sampler:memoryless,transition", count=4) for _ in range(2))
    assert first == again
    assert len(first) == 4
    assert drawn("sampler:run", count=1) != drawn("sampler:memoryless", count=1)


def test_what_a_profile_does_not_allow_is_not_dealt() -> None:
    assert drawn([RED, NUMBERS], "numbers-only") == {Rule.parse(NUMBERS)}
    assert drawn([RED, REJECTED]) == {Rule.parse(RED)}
    for rules, profile in ((RED, "numbers-only"), (REJECTED, "howell")):
        with pytest.raises(InvalidRules, match=r"it does allow card\.rank >= last\.rank"):
            drawn(rules, profile)


def test_a_hint_comes_where_one_is_required() -> None:
    dealer = dealer_of([RED])
    rule, hint = dealer.choose(load_profile("no-prophet"), generator("hint"))
    assert hint is not None
    assert hint.holds(rule)
    assert dealer.choose(HOWELL, generator("hint"))[1] is None
    assert dealer.pick(CARDS[:3], generator("pick")) in CARDS[:3]
