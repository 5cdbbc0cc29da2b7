"""Intervals hold what they are to hold; the simulator is that of the experiment, and so is what it was fitted to."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest

from experiments.interval_coverage import (
    BY_DEAL,
    DEALS,
    EQUAL,
    FEW,
    RESULTS,
    ROUNDS,
    STUDENT,
    TOURNAMENTS,
    WANTED,
    Result,
    coverage,
    truth_of,
)


@cache
def committed() -> Result:
    return msgspec.json.decode((RESULTS / "result.json").read_bytes(), type=Result)


def covered(deals: int, tournaments: int) -> dict[tuple[str, str], tuple[float, ...]]:
    result = committed()
    return {(kind.what, kind.method): kind.held for kind in coverage(result.model, result.truth, deals, tournaments)}


def test_intervals_by_deal_cover_and_rounds_taken_as_independent_do_not() -> None:
    held = covered(20, 1_000)
    for what in ("mean points", "paired difference", "strength"):
        # Of a thousand, two standard errors are 1.4 points.
        assert all(0.92 <= each <= 0.98 for each in held[what, BY_DEAL]), what
        assert min(held[what, ROUNDS]) < 0.87, what
    assert all(
        each >= 0.92
        for (what, method), kind in held.items()
        if what.endswith((FEW, EQUAL)) and method == BY_DEAL
        for each in kind
    )


@pytest.mark.long
@pytest.mark.parametrize("deals", DEALS)
def test_intervals_cover_as_wanted(deals: int) -> None:
    low, high = WANTED
    held = covered(deals, TOURNAMENTS)
    for what in ("mean points", "paired difference", "strength"):
        assert all(low <= each <= high for each in held[what, BY_DEAL]), what
        assert all(each < low for each in held[what, ROUNDS]), what
        assert all(each >= low for each in held[what + FEW, BY_DEAL]), what
    assert all(each >= low for each in held["paired difference" + EQUAL, BY_DEAL])
    assert min(held["all pairs under Holm's correction" + EQUAL, BY_DEAL]) >= 0.95
    if deals == min(DEALS):
        assert min(held["mean points", STUDENT]) < low, "skewness has to be removed"


@pytest.mark.long
def test_the_truth_is_where_a_long_tournament_finds_it() -> None:
    found, wanted = truth_of(committed().model), committed().truth
    for name in wanted.__struct_fields__:
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=0.01, abs=0.5)


def test_the_same_deals_help_agents_of_a_kind() -> None:
    result = committed()
    assert result.holds
    alike, *_ = result.errors
    assert alike.pair == "elimination over no-strings"
    assert alike.same / alike.own < 0.7
    assert alike.played == pytest.approx(alike.same / alike.own, abs=0.1), "the model is like what was played"


def test_the_page_has_the_figures_of_the_committed_result() -> None:
    page = RESULTS.parents[2] / "docs" / "explanation" / "ratings.md"
    shown, found = (
        sorted(line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("|"))
        for file in (page, RESULTS / "result.md")
    )
    assert len(found) > 10
    assert shown == found
