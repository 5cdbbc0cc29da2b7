from __future__ import annotations

from random import Random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.arena.intervals import skewed
from eleusis_ai.arena.report.examples import DRAWN, Example, Examples
from eleusis_ai.arena.report.running import RunningMean

DEALS = st.lists(st.lists(st.integers(-50, 50), min_size=1, max_size=4), min_size=2, max_size=8)


@given(DEALS)
def test_a_running_mean_is_the_mean_of_the_deals_means_with_the_interval_of_a_ranking(deals: list[list[int]]) -> None:
    running = RunningMean()
    for deal, values in enumerate(deals):
        for value in values:
            running.add(deal, value)
    means = [fmean(values) for values in deals]
    found = running.interval()
    assert (running.deals, running.count) == (len(deals), sum(map(len, deals)))
    assert found.mean == pytest.approx(fmean(means), abs=1e-9)
    if len(set(means)) > 1:
        wanted = skewed(np.array(means))
        assert [found.low, found.high] == pytest.approx([float(wanted.low), float(wanted.high)], abs=1e-6)


def test_one_deal_has_no_interval() -> None:
    running = RunningMean()
    running.add(0, 3)
    assert str(running.interval()) == "3.00 [-inf, inf]"


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=40))
def test_examples_have_the_extremes_and_something_between(values: list[int]) -> None:
    examples = Examples(Random(1))
    for number, value in enumerate(values, start=1):
        examples.add(Example(value, 0, number, f"deal {number} seating 0"))
    shown = [example.value for example in examples.shown()]
    assert (shown[0], shown[-1], examples.rounds) == (max(values), min(values), len(values))
    assert shown == sorted(shown, reverse=True)
    if len(values) <= DRAWN:
        assert sorted(values)[len(values) // 2] in shown


def test_two_values_of_one_round_are_one_round() -> None:
    examples = Examples(Random(1))
    for value in (3.0, 5.0):
        examples.add(Example(value, 0, 1, "deal 0 seating 0"))
    assert examples.rounds == 1
    assert [example.value for example in examples.shown()] == [5.0, 3.0]
