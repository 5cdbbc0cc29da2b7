from __future__ import annotations

import pytest

from eleusis_ai.bench.intervals import by_cluster


def test_clusters_count_alike_however_much_is_in_them() -> None:
    found = by_cluster({"a": [0.0] * 9, "b": [1.0], "c": []})
    assert found is not None
    assert (found.mean, found.low, found.high) == (0.5, 0.0, 1.0)


def test_nothing_has_no_interval() -> None:
    assert by_cluster({}) is None
    assert by_cluster({"a": []}) is None


def test_the_interval_is_about_two_standard_errors_wide() -> None:
    found = by_cluster({str(number): [float(number % 2)] for number in range(100)})
    assert found is not None
    assert found.mean == 0.5
    assert (found.low, found.high) == pytest.approx((0.4, 0.6), abs=0.011)
