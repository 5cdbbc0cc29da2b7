from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from eleusis_ai.arena.intervals import by_chance, either, holm, quantile, skewed

TAIL = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 9.0])


def test_without_skewness_it_is_students_t() -> None:
    even = np.array([-3.0, -1.0, 0.0, 1.0, 3.0]) + 2
    test = stats.ttest_1samp(even, 0)
    mean, error, low, high = skewed(even)
    assert mean == 2
    assert error == pytest.approx(stats.sem(even))
    assert (low, high) == pytest.approx(tuple(test.confidence_interval(0.95)), abs=1e-4)
    assert by_chance(even) == pytest.approx(test.pvalue, abs=1e-4)


def test_an_interval_reaches_further_to_the_side_of_the_tail() -> None:
    mean, error, low, high = skewed(TAIL)
    reach = quantile(len(TAIL) - 1) * error
    assert high - mean > reach > mean - low
    assert skewed(-TAIL).low == pytest.approx(-high)


@pytest.mark.parametrize("values", [TAIL, np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0])])
def test_chance_is_five_in_a_hundred_where_the_interval_ends(values: NDArray[np.float64]) -> None:
    _, _, low, high = either(values)
    assert by_chance(values - low) == pytest.approx(0.05)
    assert by_chance(values - high) == pytest.approx(0.05)


def test_a_difference_has_the_wider_interval_to_each_side() -> None:
    mean, error, low, high = either(TAIL)
    assert high == skewed(TAIL).high
    assert low == pytest.approx(mean - quantile(len(TAIL) - 1) * error)


def test_intervals_are_taken_along_the_last_axis() -> None:
    both = skewed(np.array([TAIL, TAIL[::-1] * 2]))
    assert [each[1] for each in both] == pytest.approx([2 * float(each) for each in skewed(TAIL)])


def test_one_value_has_no_bounds_and_equal_ones_leave_no_room() -> None:
    assert tuple(map(float, skewed(np.array([3.0])))) == (3, np.inf, -np.inf, np.inf)
    assert tuple(map(float, skewed(np.array([3.0, 3.0, 3.0])))) == (3, 0, 3, 3)


@pytest.mark.parametrize(("values", "chance"), [([2.0], 1), ([2.0, 2.0], 0), ([0.0, 0.0], 1), ([-1.0, 1.0], 1)])
def test_chances_at_the_edges(values: list[float], chance: float) -> None:
    assert by_chance(np.array(values)) == chance


@pytest.mark.parametrize(
    ("chances", "hold"),
    [
        ([], ()),
        ([0.04], (True,)),
        ([0.04, 0.04], (False, False)),
        ([0.02, 0.04], (True, True)),
        ([0.06, 0.001, 0.02], (False, True, True)),
        ([0.026, 0.001, 0.026], (False, True, False)),
    ],
)
def test_holms_correction(chances: list[float], hold: tuple[bool, ...]) -> None:
    assert holm(chances) == hold
