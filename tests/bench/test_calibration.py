"""Calibration: Brier scores and bins of learners whose chances are known."""

from __future__ import annotations

import numpy as np
import pytest

from eleusis_ai.bench.calibration import BENCHMARK, CalibrationSettings, ask, jobs, summary
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.targets import Target

SETTINGS = CalibrationSettings(rules=("test",), after=(0, 5, 20), lines=6)
RED = Target(id="mine/red", family="mine", expression="card.is_red")
ALTERNATING = Target(id="mine/alternating", family="mine", expression="card.color != last.color")


def knowing(*rules: str) -> LearnerSpec:
    return LearnerSpec("tests.bench.learners:Knowing", {"rules": rules})


def test_all_rules_of_the_set() -> None:
    assert len(jobs(SETTINGS)) == 500
    assert len(jobs(CalibrationSettings(rules=("test",), after=(5,), lines=1, limit=3))) == 24


def test_one_that_knows_makes_no_error() -> None:
    steps = ask(knowing("card.is_red"), SETTINGS, RED).steps
    assert [(step.after, step.brier, step.right) for step in steps] == [(0, 0, 1), (5, 0, 1), (20, 0, 1)]
    assert steps[0].asked == (156, 0, 0, 0, 0, 0, 0, 0, 0, 156)
    assert steps[0].legal == (0, 0, 0, 0, 0, 0, 0, 0, 0, 156)
    assert steps[0].given[-1] == 156.0


def test_one_that_wavers_between_a_rule_and_its_opposite_is_off_by_a_quarter() -> None:
    step = ask(knowing("card.is_red", "card.is_black"), SETTINGS, RED).steps[0]
    assert (step.brier, step.right) == (0.25, 0.5)
    assert step.asked[5] == 312


def test_evidence_makes_it_better() -> None:
    first, *_, last = ask(LearnerSpec("elimination"), SETTINGS, ALTERNATING).steps
    assert last.brier < 0.05 < first.brier


def test_lines_that_are_asked_for_are_not_those_that_were_seen() -> None:
    """A learner that takes the rule after one black card for the whole of it is wrong half of the time."""
    step = ask(knowing("card.is_red"), SETTINGS, ALTERNATING).steps[0]
    assert step.brier == pytest.approx(0.5)


def test_the_curve_and_the_tables() -> None:
    found = {"mine": [ask(knowing("card.is_red", "card.is_black"), SETTINGS, RED)]}
    told = summary(SETTINGS, found)
    assert [str(cell) for cell in told.tables[0].rows[0]][:2] == ["mine", "0.25 [0.25, 0.25]"]
    curve = told.charts[0].lines[0]
    assert np.allclose(curve.x, [0, 0.5, 1]) or np.allclose(curve.x, [0.5])
    assert BENCHMARK.name == "calibration"
