from __future__ import annotations

import pytest

from eleusis_ai.arena.families import SETS, RuleFamily, family_of, form_of, in_order
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import load_rule_set


@pytest.mark.parametrize("id_", ["red-only", "strictly-lower", "accept-n-then-stop"])
def test_a_published_rule_has_the_catalogues_family(id_: str) -> None:
    entry = load()[id_]
    assert family_of(entry.expression) == RuleFamily(published=True, name=entry.family)


@pytest.mark.parametrize(
    ("rule", "family"),
    [
        ("card.rank > 2 and card.is_red", "memoryless"),
        ("card.rank > last.rank or card.suit == H", "transition"),
        ("card.is_red if last.is_face else card.rank > 4", "guarded"),
        ("{D: card.is_red, H: card.is_black}.get(last.suit, card.is_odd)", "guarded"),
        ("card.is_red if card.is_odd else card.rank > last.rank", "transition"),
        ("(card.is_red, card.is_odd, card.rank > 5)[position % 3]", "periodic"),
        ("card.rank > position + 1", "periodic"),
        ("card.is_red if position // 2 % 2 == 0 else card.is_odd", "run"),
        ("card.is_red if run(x.color for x in mainline) < 3 else card.is_black", "run"),
        ("count(x.is_red for x in mainline[-3:]) <= 1 or card.is_red", "count"),
        ("(card.rank + last.rank + mainline[-2].rank) % 3 == 1", "lookback2"),
        ("card.is_red == mainline[-2].is_red and card.rank % 2 == position % 2", "composite"),
        ("card.rank > mainline[0].rank", "other"),
        ("len(rejected) > 2 or card.is_red", "other"),
        (None, "other"),
    ],
)
def test_other_rules_go_by_their_form(rule: str | None, family: str) -> None:
    assert family_of(rule) == RuleFamily(published=False, name=family)


@pytest.mark.parametrize("name", SETS)
def test_the_form_of_a_generated_rule_is_nearly_always_its_family(name: str) -> None:
    rules = load_rule_set(name).rules
    assert all(family_of(rule.expression).name == rule.family for rule in rules)
    alike = sum(form_of(Rule.parse(rule.expression).term) == rule.family for rule in rules[::5])
    # A composite one of whose parts is about the last card alone looks like its other part.
    assert alike >= 0.95 * len(rules[::5])


def test_published_families_come_first() -> None:
    names = ["memoryless", "guarded", "other"]
    families = [RuleFamily(published=False, name=name) for name in names] + [RuleFamily(published=True, name="run")]
    assert list(map(str, sorted(families, key=in_order))) == ["published run", *names]
