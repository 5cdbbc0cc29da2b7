"""Signatures: equal exactly for equivalent rules, and in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations

import pytest

from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule

ENTRIES = list(load().values())
QUICK = [e for e in ENTRIES if e.rule.lookback is not None and e.rule.lookback < 3]
KNOWN = {
    "card.color != last.color": "3f82e7be1c93afe826b04baafb8e7e32",
    "card.rank % 2 == position % 2": "a34de63bb6525631aa45dd67b75c79c3",
}


def test_equal_exactly_for_equivalent_rules() -> None:
    for one, two in combinations(QUICK, 2):
        assert (one.rule.signature == two.rule.signature) == equivalent(one.rule, two.rule).same, (one.id, two.id)


@pytest.mark.long
def test_equal_exactly_for_equivalent_rules_of_the_whole_catalogue() -> None:
    for one, two in combinations(ENTRIES, 2):
        answer = equivalent(one.rule, two.rule)
        if one.rule.signature is not None and two.rule.signature is not None:
            assert answer.exact
            assert (one.rule.signature == two.rule.signature) == answer.same, (one.id, two.id)


@pytest.mark.parametrize("entry", QUICK, ids=lambda entry: entry.id)
def test_a_rule_has_one_signature_whichever_way_its_machine_is_made(entry: CatalogEntry) -> None:
    """A rule on the last card is read off its table, any other is explored."""
    reworded = Rule.parse(f"(position >= 0) == ({entry.rule})", starter=entry.starter)
    assert reworded.signature == entry.rule.signature


def test_a_rule_without_a_finite_state_has_none() -> None:
    assert Rule.parse("count(x.is_red for x in mainline) > count(x.is_black for x in mainline)").signature is None
    assert Rule.parse("card.color != rejected[-1].color").signature is None
    assert Rule.parse("card not in mainline").signature is None


def test_the_same_in_every_process() -> None:
    script = "import sys; from eleusis_ai import Rule; print(*[Rule.parse(t).signature for t in sys.argv[1:]])"
    for seed in ("1", "2"):
        ran = subprocess.run(
            [sys.executable, "-c", script, *KNOWN],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.split() == list(KNOWN.values())
