from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from eleusis_ai.arena.intervals import holm, skewed, student, two_sided

VALUES = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])


def test_students_interval_is_that_of_scipy() -> None:
    mean, error, low, high = student(VALUES)
    test = stats.ttest_1samp(VALUES, 0)
    assert (low, high) == pytest.approx(tuple(test.confidence_interval(0.95)))
    assert error == pytest.approx(stats.sem(VALUES))
    assert two_sided(float(mean), float(error), len(VALUES) - 1) == pytest.approx(test.pvalue)


def test_without_skewness_both_intervals_are_the_same() -> None:
    even = np.array([-3.0, -1.0, 0.0, 1.0, 3.0])
    assert skewed(even) == pytest.approx(student(even), abs=1e-4)


def test_an_interval_reaches_further_to_the_side_of_the_tail() -> None:
    tail = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 9.0])
    mean, _, low, high = skewed(tail)
    assert high - mean > student(tail).high - mean
    assert mean - low < mean - student(tail).low
    assert skewed(-tail).low == pytest.approx(-high)


def test_intervals_are_taken_along_the_last_axis() -> None:
    rows = np.array([VALUES, VALUES[::-1] * 2])
    for kind in (student, skewed):
        both = kind(rows)
        assert [each[1] for each in both] == pytest.approx([float(each) for each in kind(rows[1])])


@pytest.mark.parametrize("kind", [student, skewed])
def test_one_value_has_no_bounds_and_equal_ones_leave_no_room(kind: type) -> None:
    assert tuple(map(float, kind(np.array([3.0])))) == (3, np.inf, -np.inf, np.inf)
    assert tuple(map(float, kind(np.array([3.0, 3.0, 3.0])))) == (3, 0, 3, 3)


@pytest.mark.parametrize(
    ("mean", "error", "freedom", "chance"), [(0, 0, 5, 1), (2, 0, 5, 0), (1, np.inf, 0, 1), (2.5, 1, 0, 1)]
)
def test_chances_at_the_edges(mean: float, error: float, freedom: int, chance: float) -> None:
    assert two_sided(mean, error, freedom) == chance


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
