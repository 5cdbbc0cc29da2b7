"""Whether a rule uses nothing but numbers is decided by its verdicts."""

from __future__ import annotations

import pytest

from eleusis_ai.cards import CARDS
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.numbers import uses_numbers_only


def by_ranks(rule: Rule) -> bool:
    """Tell whether a rule on the last card gives one verdict to all suits of both ranks."""
    verdicts = {(last.rank, card.rank, rule.allows((last,), card)) for last in CARDS for card in CARDS}
    first = {(card.rank, rule.allows((), card)) for card in CARDS}
    return len(verdicts) == 169 and len(first) == 13


ON_LAST_CARD = [
    entry for entry in load().values() if entry.rule.lookback in (0, 1) and not entry.rule.uses_position
]  # fmt: skip


@pytest.mark.parametrize("entry", ON_LAST_CARD, ids=lambda entry: entry.id)
def test_published_rules_on_the_last_card_against_all_pairs(entry: CatalogEntry) -> None:
    assert uses_numbers_only(entry.rule) == by_ranks(entry.rule)


def test_both_kinds_are_published() -> None:
    assert 10 < sum(map(by_ranks, (entry.rule for entry in ON_LAST_CARD))) < len(ON_LAST_CARD) - 10


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("max(c.rank for c in mainline[-1:]) < card.rank or count(c.is_red for c in mainline) < 0", True),
        ("card.rank != last.rank if position < 5 else not card.rank == last.rank", True),
        ("card.rank != last.rank if position < 5 else card.rank == last.rank", False),
        ("card.rank > mainline[-2].rank", False),
        ("card.is_odd if run(x.color for x in mainline) < 3 else card.is_even", False),
        ("card.is_odd if len(rejected) > 3 else card.is_even", False),
        # Suits matter, but only after what can never lie there.
        ("card.is_odd if last.is_odd else card.is_red", False),
    ],
)
def test_rules_that_look_at_more_by_their_words(text: str, wanted: bool) -> None:
    assert uses_numbers_only(Rule.parse(text)) is wanted


def test_the_condition_on_the_first_card_counts() -> None:
    assert uses_numbers_only(Rule.parse("card.rank >= last.rank", starter="card.rank == A"))
    assert not uses_numbers_only(Rule.parse("card.rank >= last.rank", starter="card.suit == H"))
