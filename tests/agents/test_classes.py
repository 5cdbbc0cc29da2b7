from __future__ import annotations

import pytest

from eleusis_agents.learners.classes import classes
from eleusis_ai.cards import parse_cards
from eleusis_ai.rules.language import Rule


@pytest.mark.parametrize(
    ("rules", "after", "found"),
    [
        (["card.is_red", "not card.is_black", "card.is_odd"], "7H", [2, 1]),
        (["card.suit == S", "card.suit == last.suit", "card.is_black"], "7S", [2, 1]),
        (["card.suit == S", "card.suit == last.suit"], "7H", [1, 1]),
        (["card.rank == A", "card.rank == last.rank"], "AC", [2]),
        (["card.rank == last.rank + 1", "card.rank == last.rank + 1 and last.rank != 9"], "2C", [1, 1]),
        (["card.rank == last.rank + 1", "card.rank == last.rank + 1 and last.rank != 9"], "JC", [2]),
        (["position > 3 or card.is_red", "True"], "2H 3H 4H 5H", [2]),
        (["position > 3 or card.is_red", "True"], "2H 3H", [1, 1]),
    ],
)
def test_classes(rules: list[str], after: str, found: list[int]) -> None:
    weighed = [(Rule.parse(rule), 1.0 + place / 100) for place, rule in enumerate(rules)]
    masses = [mass for _, mass in classes(weighed, parse_cards(after))]
    assert [int(mass) for mass in masses] == found
    assert sum(masses) == pytest.approx(sum(weight for _, weight in weighed))
    assert masses == sorted(masses, reverse=True)
