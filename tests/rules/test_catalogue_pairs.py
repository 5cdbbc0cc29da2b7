"""All pairs of the catalogue: equivalence against brute force by tables, and every counterexample replayed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from eleusis_ai.cards import CARDS, Card, cards_text
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.equivalence import Equivalence, equivalent
from eleusis_ai.rules.language import Rule

ENTRIES = list(load().values())


class Tables(NamedTuple):
    """A rule's verdicts on short lines; a rule that looks at two cards has none but these."""

    first: NDArray[np.bool_]
    """Shape (52,): the first card."""
    second: NDArray[np.bool_]
    """Shape (52, 52): a card after a first one."""
    third: NDArray[np.bool_]
    """Shape (52, 52, 52): a card after two."""


def bits(masks: list[int]) -> NDArray[np.bool_]:
    return (np.array(masks, dtype=np.uint64)[:, None] >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(bool)


def tables_of(rule: Rule) -> Tables:
    pairs = [(one, two) for one in CARDS for two in CARDS]
    third = [rule.mask(pair) for pair in pairs]
    for place, (one, two) in enumerate(pairs):
        assert rule.mask((CARDS[place % 52], CARDS[place % 7], one, two)) == third[place], "two cards decide"
    return Tables(
        bits([rule.mask(())])[0], bits([rule.mask((card,)) for card in CARDS]), bits(third).reshape(52, 52, 52)
    )


def looks_at_two(entry: CatalogEntry) -> bool:
    """Tell whether the last two cards decide; some ask for the position only to see whether two are there."""
    back = entry.rule.lookback
    return back is not None and (back == 2 or (back < 2 and not entry.rule.uses_position))


def cards_before_a_difference(one: Tables, two: Tables) -> int | None:
    """Return how many cards lie at the first difference that can be reached, None if there is none."""
    if (one.first != two.first).any():
        return 0
    if (one.second != two.second).any():
        return 1
    reached = fresh = one.second
    differing = (one.third != two.third).any(axis=2)
    depth = 2
    while fresh.any():
        if (differing & fresh).any():
            return depth
        following = (one.third & fresh[:, :, None]).any(axis=0)
        fresh = following & ~reached
        reached = reached | following
        depth += 1
    return None


def check_replay(one: Rule, two: Rule, answer: Equivalence) -> tuple[Card, ...]:
    assert answer.counterexample is not None
    line, card = answer.counterexample
    assert one.allows(line, card) != two.allows(line, card)
    for rule in (one, two):
        for length in range(1, len(line)):
            assert rule.allows(line[:length], line[length]), f"{cards_text(line)} cannot be reached"
    return line


@pytest.mark.long
def test_all_pairs_of_the_catalogue_agree_with_brute_force() -> None:
    known = {entry.id: tables_of(entry.rule) for entry in ENTRIES if looks_at_two(entry)}
    counted: Counter[str] = Counter()
    for one, two in combinations(ENTRIES, 2):
        answer = equivalent(one.rule, two.rule)
        counted["exact" if answer.exact else "sampled"] += 1
        assert not answer.same, f"{one.id} and {two.id} are the same"
        line = check_replay(one.rule, two.rule, answer)
        counted["replayed"] += 1
        if one.id in known and two.id in known:
            assert cards_before_a_difference(known[one.id], known[two.id]) == len(line), (one.id, two.id)
            counted["52 x 52 x 52" if 2 in (one.rule.lookback, two.rule.lookback) else "52 x 52"] += 1
    assert counted == {
        "exact": 8_952,
        "sampled": 93,
        "replayed": 9_045,
        "52 x 52": 5_253,
        "52 x 52 x 52": 852,
    }


@pytest.mark.long
def test_every_rule_of_two_cards_is_itself_and_not_its_neighbour_by_brute_force() -> None:
    """Rules with one verdict turned round after two certain cards: the difference may be out of reach."""
    same = 0
    entries = [entry for entry in ENTRIES if looks_at_two(entry)]
    for entry in entries:
        twist = "position > 1 and card == last and last.rank == Q and mainline[-2].rank == 5"
        starter = None if entry.starter is None else str(entry.starter)
        near = Rule.parse(f"not ({entry.rule}) if {twist} else {entry.rule}", starter=starter)
        answer = equivalent(entry.rule, near)
        found = cards_before_a_difference(tables_of(entry.rule), tables_of(near))
        assert (answer.same, answer.exact) == (found is None, True), entry.id
        same += answer.same
        if not answer.same:
            assert len(check_replay(entry.rule, near, answer)) == found
    assert 0 < same < len(entries)
