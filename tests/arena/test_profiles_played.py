"""A tournament of every profile is played, verified, and read back."""

from __future__ import annotations

from pathlib import Path

import pytest

from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.events import RuleStated
from eleusis_ai.moves import DecisionKind, Move, StateRule
from eleusis_ai.profiles import OVERLAYS, PROFILES
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View
from tests.arena.test_tournament import config

HERE = "tests.arena.test_profiles_played"


class Talker:
    """An agent that states a rule wherever it may, and else plays the first move there is."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat, self.seed = seat, seed

    def act(self, view: View) -> Move:
        moves = view.legal_moves()
        if moves.kind is DecisionKind.STATE_RULE:
            return StateRule(Rule.parse("card.rank == last.rank", starter="card.is_red"))
        return next(iter(moves))


@pytest.mark.parametrize("profile", [*PROFILES, *OVERLAYS, "original-1956+cooperative+numbers-only"])
def test_a_tournament_of_every_profile(profile: str, tmp_path: Path) -> None:
    agents = [{"id": "talker", "use": f"{HERE}:Talker"}, {"id": "random", "use": "random"}]
    dealer = {"use": "catalog"}
    run_tournament(config(profile=profile, agents=agents, dealer=dealer, deals=2), tmp_path / "out")
    assert list(verify_run(tmp_path / "out")) == []
    records = list(Store(tmp_path / "out").records())
    assert not any(record.substitutes for record in records)
    rounds = [record.replay() for record in records]
    stated = any(isinstance(event, RuleStated) for round_ in rounds for event in round_.events)
    assert stated == (profile == "express-2006" or "cooperative" in profile)
