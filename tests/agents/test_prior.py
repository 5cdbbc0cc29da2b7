from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import numpy as np
import pytest

from eleusis_agents.learners.guards import guards
from eleusis_agents.learners.prior import fitted
from eleusis_agents.learners.space import space
from eleusis_ai.rules.language import Rule

ROOT = Path(__file__).parents[2]
SCRIPT = "import experiments.fit_prior as fit; print(fit.fitted(), end='')"


def cost(text: str) -> float:
    """Bits of a predicate as a whole rule."""
    rules = space()
    (index,) = (row for row in range(len(rules.predicates)) if rules.predicates.text(row) == text)
    return float(-np.log2(rules.whole_prior[index]))


@pytest.mark.parametrize(
    ("natural", "strange"),
    [
        ("card.color != last.color", "card.is_prime != last.is_prime"),
        ("card.is_red", "card.rank % 5 == 2"),
        ("card.rank >= last.rank", "card.rank + last.rank <= 15"),
        ("(card.is_red) and (card.is_face)", "(card.is_red) and (card.rank % 4 == 2)"),
    ],
)
def test_natural_rules_cost_less(natural: str, strange: str) -> None:
    assert cost(natural) < cost(strange) - 1


def test_all_families_of_guards_are_priced() -> None:
    assert {guard.family for guard in guards()} == fitted().guards.keys()


def test_where_the_prior_comes_from_is_told() -> None:
    assert "fit_prior.py" in fitted().provenance
    assert "none of the LLM protocol's" in fitted().provenance


def test_the_prior_of_a_rule_is_that_of_its_parts() -> None:
    rules = space()
    index = next(row for row in range(100) if rules.predicates.text(row) == "card.is_red")
    assert rules.rule(0, [index]) == Rule.parse("card.is_red")
    assert 2.0**-8 < rules.guard_prior[0] * rules.whole_prior[index] < 0.1


@pytest.mark.long
def test_the_table_is_made_again_to_the_byte() -> None:
    path = ROOT / "agents" / "eleusis_agents" / "learners" / "prior.toml"
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={"PYTHONPATH": "agents", "PYTHONHASHSEED": "7", "OPENBLAS_NUM_THREADS": "2"},
        check=True,
        capture_output=True,
    )
    assert done.stdout == path.read_bytes()
    assert msgspec.toml.decode(done.stdout)["provenance"] == fitted().provenance
