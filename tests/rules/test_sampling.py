"""Random rules: playable, without idle parts, each another one, and the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations

import pytest

from eleusis_ai.cli import main
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.grammar import FAMILIES
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.rules.sampling import BAND, NoSuchRule, SampledRule, UnknownFamily, _has_idle_part, sample
from eleusis_ai.seeds import generator

QUICK = [family for family in FAMILIES if family != "composite"]
EVERY = {family: list(sample(family, 6 if family in QUICK else 2, seed="test")) for family in FAMILIES}
ALL = [sampled for drawn in EVERY.values() for sampled in drawn]
ON_LAST_CARD = [sampled for name in ("memoryless", "transition", "guarded") for sampled in EVERY[name]]


@pytest.mark.parametrize("sampled", ALL, ids=lambda sampled: str(sampled.rule))
def test_a_sampled_rule_can_be_dealt(sampled: SampledRule) -> None:
    assert Rule.parse(str(sampled.rule)) == sampled.rule
    assert BAND[0] <= sampled.acceptance <= BAND[1]
    assert sampled.signature == sampled.rule.signature
    machine = sampled.rule.machine
    assert machine is not None
    assert machine.masks.all(), "no state is a dead end"
    assert FAMILIES[sampled.family].least <= sampled.size <= FAMILIES[sampled.family].usual


@pytest.mark.parametrize("sampled", ON_LAST_CARD, ids=lambda sampled: str(sampled.rule))
def test_the_acceptance_is_that_of_the_review(sampled: SampledRule) -> None:
    assert review(sampled.rule).acceptance == pytest.approx(sampled.acceptance, abs=1e-6)


def test_lookback_and_position_are_those_of_the_family() -> None:
    for sampled in EVERY["memoryless"]:
        assert sampled.rule.lookback == 0
    for sampled in (*EVERY["transition"], *EVERY["guarded"]):
        assert sampled.rule.lookback == 1
        assert not sampled.rule.uses_position
    for sampled in EVERY["lookback2"]:
        assert sampled.rule.lookback == 2
    assert all(sampled.rule.uses_position for sampled in EVERY["periodic"])


def test_no_two_are_equivalent() -> None:
    for drawn in EVERY.values():
        for one, two in combinations(drawn, 2):
            assert not equivalent(one.rule, two.rule).same


def test_what_is_not_wanted_is_left_out() -> None:
    first, second = sample("memoryless", 2, seed=1)
    assert first.signature not in {s.signature for s in sample("memoryless", 5, seed=1, without={first.signature})}
    assert [s.rule for s in sample("memoryless", 2, seed=1)] == [first.rule, second.rule]
    assert [s.rule for s in sample("memoryless", 2, seed=2)] != [first.rule, second.rule]


def test_no_part_is_idle() -> None:
    for idle in (
        "card.is_red and card.rank <= 13",
        "card.is_red if last.is_red else card.is_red",
        "card.suit == H or card.is_face if card.is_red and last.rank > 20 else card.is_odd",
        "card.is_red or last.is_red and card.is_red",
    ):
        assert _has_idle_part(Rule.parse(idle), generator("idle")), idle
    for busy in ("card.is_red", "card.color != last.color", "card.is_red if last.is_odd else card.is_black"):
        assert not _has_idle_part(Rule.parse(busy), generator("idle")), busy


@pytest.mark.parametrize("family", QUICK)
def test_size_and_acceptance_are_as_asked(family: str) -> None:
    size = FAMILIES[family].least + 1
    for sampled in sample(family, 2, seed=3, size=size, accept=(0.3, 0.4)):
        assert sampled.size == size
        assert 0.3 <= sampled.acceptance <= 0.4


def test_the_same_in_every_process() -> None:
    script = "from eleusis_ai.rules.sampling import sample; print(*[s.rule for s in sample('guarded', 3, seed=1)])"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert outputs == {" ".join(str(s.rule) for s in sample("guarded", 3, seed=1)) + "\n"}


def test_what_cannot_be_had_is_told() -> None:
    with pytest.raises(UnknownFamily, match="no family 'gaurded' to draw from; did you mean 'guarded'"):
        next(sample("gaurded", 1, seed=1))
    with pytest.raises(UnknownFamily, match=r"write one of memoryless, transition, "):
        next(sample("?", 1, seed=1))
    with pytest.raises(NoSuchRule, match=r"'guarded' has 3 to 8 statements, not 2; .* --size 3"):
        next(sample("guarded", 1, seed=1, size=2))
    with pytest.raises(NoSuchRule, match=r"from 0.5 to 0.2 is no band; .* 0.2 0.5"):
        next(sample("guarded", 1, seed=1, accept=(0.5, 0.2)))
    with pytest.raises(NoSuchRule, match=r"no other rule of the family 'memoryless' .* in 2,000 draws, after 0 "):
        next(sample("memoryless", 1, seed=1, size=1, accept=(0.98, 1)))


def test_the_command_draws_the_same(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    arguments = [
        "rules",
        "sample",
        "--family",
        "run",
        "--n",
        "2",
        "--seed",
        "1",
        "--size",
        "3",
        "--accept",
        "0.3",
        "0.6",
    ]
    with pytest.raises(SystemExit, match=r"^0$"):
        main(arguments)
    rows = capsys.readouterr().out.splitlines()[2:]
    drawn = sample("run", 2, seed=1, size=3, accept=(0.3, 0.6))
    for number, (row, sampled) in enumerate(zip(rows, drawn, strict=True), 1):
        assert row.split() == [f"run-{number}", *str(sampled.rule).split(), f"{sampled.acceptance:.0%}"]
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["rules", "sample", "--family", "runs"])
    assert "did you mean 'run'" in capsys.readouterr().err
