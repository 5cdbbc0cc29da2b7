"""The generated rule sets: apart from each other and from what is published, and made again to the byte."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.grammar import FAMILIES
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import (
    InvalidRuleSet,
    Manifest,
    RuleSet,
    SetRule,
    load_rule_set,
    make_rule_set,
    manifest,
    published_signatures,
)
from eleusis_ai.rules.sampling import BAND, sample
from eleusis_ai.shipped import UnknownConfig

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "configs" / "rules"
TRAIN, TEST = load_rule_set("train"), load_rule_set("test")
SETS = (TRAIN, TEST)
BOTH = (*TRAIN.rules, *TEST.rules)
QUICK = ("memoryless", "transition", "guarded")
"""Families whose signatures are worked out in a moment."""
PUBLISHED = [entry for entry in load().values() if entry.rule.lookback is not None and entry.rule.lookback < 3]
"""Those of the catalogue for which that holds too, the LLM protocol's among them."""


def signatures_of(entries: Iterable[CatalogEntry]) -> set[str | None]:
    """Return the signatures of rules with their condition on the first card, and without one."""
    return {rule.signature for entry in entries for rule in (entry.rule, Rule.parse(entry.expression))}


def test_there_are_as_many_as_promised_of_each_family() -> None:
    assert (len(TRAIN.rules), len(TEST.rules)) == (2_000, 500)
    assert manifest(TRAIN).families == dict.fromkeys(FAMILIES, 250)
    assert set(manifest(TEST).families.values()) == {62, 63}


@pytest.mark.parametrize("rule_set", SETS, ids=lambda rule_set: rule_set.name)
def test_the_file_is_what_the_manifest_says(rule_set: RuleSet) -> None:
    manifests = msgspec.json.decode((FOLDER / "manifest.json").read_bytes(), type=dict[str, Manifest])
    written = (FOLDER / f"{rule_set.name}.toml").read_bytes()
    assert str(rule_set).encode() == written
    assert manifests[rule_set.name] == manifest(rule_set)
    assert manifests[rule_set.name].sha256 == sha256(written).hexdigest()
    assert sum(manifest(rule_set).acceptance.values()) == len(rule_set.rules)


def test_every_rule_is_canonical_and_has_an_id() -> None:
    for rule_set in SETS:
        assert len({entry.id for entry in rule_set.rules}) == len(rule_set.rules)
    for entry in BOTH:
        assert str(entry.rule) == entry.expression
        assert entry.id.startswith(f"{entry.family}-")
        assert BAND[0] <= entry.acceptance <= BAND[1]
        assert entry.rule is entry.rule, "verdicts are worked out once"


def test_no_rule_is_there_twice() -> None:
    assert len({entry.signature for entry in BOTH}) == len(BOTH)


def test_no_rule_is_one_of_the_llm_protocol() -> None:
    protocol = [entry for entry in PUBLISHED if entry.in_llm_protocol]
    assert len(protocol) == 26
    assert signatures_of(protocol).isdisjoint(entry.signature for entry in BOTH)


def test_no_rule_is_one_of_the_catalogue_with_a_short_memory() -> None:
    assert len(PUBLISHED) > 100
    assert signatures_of(PUBLISHED).isdisjoint(entry.signature for entry in BOTH)


@pytest.mark.long
def test_no_rule_is_one_of_the_whole_catalogue() -> None:
    assert signatures_of(PUBLISHED) < published_signatures()
    assert published_signatures().isdisjoint(entry.signature for entry in BOTH)


def test_the_signatures_are_those_of_the_rules() -> None:
    for entry in BOTH:
        if entry.family in QUICK:
            assert Rule.parse(entry.expression).signature == entry.signature, entry.id
    for family in FAMILIES:
        entry = next(entry for entry in TEST.rules if entry.family == family)
        assert Rule.parse(entry.expression).signature == entry.signature, entry.id


@pytest.mark.long
@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in QUICK])
def test_all_signatures_are_those_of_the_rules(family: str) -> None:
    for entry in BOTH:
        if entry.family == family:
            assert Rule.parse(entry.expression).signature == entry.signature, entry.id


def test_the_beginning_is_drawn_again_the_same() -> None:
    drawn = sample("memoryless", 40, seed=TRAIN.seed, without={s for s in signatures_of(PUBLISHED) if s})
    assert [(str(s.rule), s.acceptance, s.signature) for s in drawn] == [
        (entry.expression, entry.acceptance, entry.signature) for entry in TRAIN.rules[:40]
    ]


def test_a_small_set_is_made_the_same_twice() -> None:
    one, two = (make_rule_set("small", 9, seed="small", without=()) for _ in range(2))
    assert str(one) == str(two)
    assert manifest(one).families == {family: 2 if family == "memoryless" else 1 for family in FAMILIES}


@pytest.mark.long
def test_both_files_are_made_again_to_the_byte(tmp_path: Path) -> None:
    script = tmp_path / "experiments" / "make_rule_sets.py"
    script.parent.mkdir()
    script.write_bytes((ROOT / "experiments" / "make_rule_sets.py").read_bytes())
    (tmp_path / "configs").mkdir()
    subprocess.run([sys.executable, script], check=True, capture_output=True)
    for name in ("train.toml", "test.toml", "manifest.json"):
        assert (tmp_path / "configs" / "rules" / name).read_bytes() == (FOLDER / name).read_bytes()


def test_a_set_of_ones_own_is_read(tmp_path: Path) -> None:
    rule = SetRule(
        id="mine-1",
        expression='card.suit == after(last.suit, "HSCD")',
        family="mine",
        size=1,
        acceptance=0.25,
        signature="none",
    )
    mine = RuleSet(name="mine", seed="by hand", rules=(rule,))
    path = tmp_path / "mine.toml"
    path.write_text(str(mine))
    assert load_rule_set(path) == mine


def test_what_is_no_set_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownConfig, match="did you mean 'train'"):
        load_rule_set("trian")
    path = tmp_path / "no.toml"
    path.write_text("rules = 3")
    with pytest.raises(InvalidRuleSet, match=r"no\.toml holds no rule set: .* configs/rules/test.toml"):
        load_rule_set(path)
