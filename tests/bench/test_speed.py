"""Speed: every decision is timed, in a process of its own, and no time gets into the result."""

from __future__ import annotations

import json

import pytest

from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.pages import markdown
from eleusis_ai.bench.runs import run
from eleusis_ai.bench.settings import InvalidSettings, settings_from
from eleusis_ai.bench.speed import BENCHMARK, SpeedSettings, time_all

SETTINGS = SpeedSettings(rules=("eight",), up_to=(3, 8), samples=2, limit=2)
SPEC = LearnerSpec("tests.bench.learners:Knowing", {"rules": ["card.color != last.color"]})


def test_every_decision_is_timed() -> None:
    found = time_all(SPEC, SETTINGS, 0)
    assert found.decisions == 2 * 8
    assert [len(stretch) for stretch in found.seconds] == [2 * 3, 2 * 5]
    assert len(found.making) == 2
    assert 0 < found.megabytes[0] <= found.megabytes[1]


def test_times_are_on_the_page_and_not_in_the_result() -> None:
    done = run(BENCHMARK, SETTINGS, [SPEC])
    assert json.loads(done.result.encoded)["learners"][0]["cases"] == [{"decisions": 16}]
    page = markdown(done, [])
    assert "| learner | 1-3 | 4-8 | to make | MB | MB of it |" in page
    assert "no part of result.json" in page


@pytest.mark.parametrize("up_to", [[8, 3], [3, 3], []])
def test_stretches_grow(up_to: list[int]) -> None:
    with pytest.raises(InvalidSettings):
        settings_from(SpeedSettings, {"rules": ["eight"], "up_to": up_to, "samples": 2})
