"""The catalogue: complete, canonical, and read only when asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

from eleusis_ai.rules.catalog import UnknownEntry, known_families, load, select
from eleusis_ai.rules.language import Rule

FAMILIES = {
    "memoryless": 32,
    "positional": 7,
    "markov1": 71,
    "other": 3,
    "periodic": 5,
    "markov2": 8,
    "count": 8,
    "run": 1,
}


def test_all_published_rules_that_can_be_said_are_there() -> None:
    counted = {family: len(select(families=[family])) for family in known_families()}
    assert sum(counted.values()) == len(load()) == 135
    assert counted == FAMILIES


@pytest.mark.parametrize("id_", load())
def test_an_entry_is_canonical_and_says_who_published_it(id_: str) -> None:
    entry = load()[id_]
    assert str(entry.rule) == entry.expression
    assert (None if entry.rule.starter is None else str(entry.rule.starter)) == entry.starter
    assert entry.rule.text == entry.text
    assert entry.text.endswith(".")
    assert entry.source
    assert entry.rule is entry.rule, "verdicts are worked out once"
    lookbacks = {"memoryless": {0}, "markov1": {1}, "markov2": {2}}
    assert entry.rule.lookback in lookbacks.get(entry.family, {entry.rule.lookback})


def test_no_two_entries_are_the_same_rule() -> None:
    assert len({(entry.expression, entry.starter) for entry in load().values()}) == len(load())


def test_selection_is_in_the_order_of_the_catalogue() -> None:
    chosen = select(families=["run"], ids=["within-3", "above-k"])
    assert [entry.id for entry in chosen] == ["above-k", "odd-length-colour-runs", "within-3"]
    assert select() == tuple(load().values())
    assert select(ids=[]) == ()


def test_what_is_not_there_is_named_with_what_is() -> None:
    with pytest.raises(UnknownEntry, match=r"no family 'markov'; did you mean 'markov\d'"):
        select(families=["markov"])
    with pytest.raises(UnknownEntry, match=r"no rule 'crazy-eigths'; did you mean 'crazy-eights'"):
        select(ids=["crazy-eigths"])
    with pytest.raises(LookupError, match=r"no family '\?'; write one of memoryless, "):
        select(families=["?"])


def test_the_language_does_not_need_the_catalogue() -> None:
    code = "import sys, eleusis_ai, eleusis_ai.rules.language; sys.exit('eleusis_ai.rules.catalog' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_rule_can_be_made_of_an_entry_again() -> None:
    entry = load()["non-decreasing-from-ace"]
    assert Rule.parse(entry.expression, starter=entry.starter) == entry.rule
