"""Whatever happens at a real table, and however people err in typing it, the companion comes to the true points."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from eleusis_ai.profiles import Profile
from eleusis_ai.seats.diary import read_diary
from tests.properties.rounds import PLAYED, Table, rules_for
from tests.seats.real_table import People


@pytest.mark.parametrize("slips", [0.0, 0.3], ids=["careful", "careless"])
@pytest.mark.parametrize("profile", PLAYED, ids=str)
def test_to_the_true_points(profile: Profile, slips: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda file: None)  # a disk takes longer than all the rest
    rules = rules_for(profile)
    for seed in range(2):
        people = People(Table(profile, rules[seed], seed, 0.5), tmp_path / f"{seed}.jsonl", slips=slips)
        people.play()
        evening = read_diary(people.path)
        assert evening.entries == people.companion.evening.entries
        round_ = evening.round
        assert round_ is not None
        assert round_.scores() == people.true.scores()
        assert round_.end_reason == people.true.end_reason
        assert round_.layout == people.true.layout
        assert "Traceback" not in people.said
        assert " failed " not in people.said
        said = [line for line in people.said.splitlines() if not line.startswith(("> ", "  eleusis "))]
        assert all(len(line) <= 80 for line in said)
