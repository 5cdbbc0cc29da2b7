"""Language models in a tournament: whole rounds, the same again from the cache, and a budget that ends."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.agent import Explains
from eleusis_ai.arena.config import TournamentConfig, config_from, load_config
from eleusis_ai.arena.report.curves import foresee
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.match import play_round
from eleusis_ai.profiles import PROFILES, Profile
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.rules.language import Rule
from eleusis_ai.shipped import find_config
from tests.agents.llm.stub import KEY, Stub, fails, plays, serving
from tests.rulebook.table import hint_for


def config(stub: Stub, **options: Any) -> TournamentConfig:
    fields = {
        "name": "small",
        "profile": "short",
        "seats": 4,
        "seed": 1,
        "deals": 1,
        "dealer": {"use": "fixed", "options": {"rule": "card.color != last.color"}},
        "agents": [{"id": "model", "use": "llm", "options": stub.options(**options)}, {"use": "random"}],
    }
    return config_from(fields)


def log(folder: Path) -> bytes:
    return (folder / "records.jsonl").read_bytes()


@pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
def test_models_play_whole_rounds(stub: Stub, profile: Profile) -> None:
    rule = Rule.parse("card.is_red")
    spec = AgentSpec("model", "llm", stub.options())
    agents = [make_agent(spec, seat=seat, seed=str(seat)) for seat in range(1, profile.min_seats)]
    record = play_round(profile, rule, [None, *agents], dealer=0, seed="1", hint=hint_for(profile, rule))
    assert record.replay().over
    assert len(stub.asked) >= len(record.moves) / 2


def test_a_tournament_is_the_same_again_from_the_cache_with_the_endpoint_gone(tmp_path: Path, key: str) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    with serving() as stub:
        options = {"cache": str(tmp_path / "answers"), "log": str(tmp_path / "log.jsonl"), "key_from": key}
        # One in four answers cannot be used at first.
        stub.script = [plays("KS KS KS") if number % 4 == 3 else stub.way for number in range(100)]
        run_tournament(config(stub, **options), out)
        assert stub.asked
    run_tournament(config(stub, **options), again, workers=2)
    assert log(out) == log(again)
    assert list(verify_run(again)) == []
    assert not any(record.substitutes for record in Store(again).records())
    written = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > len(stub.asked)
    assert not any(KEY.encode() in text for text in written)


def test_the_budget_stops_it_and_the_referee_plays_on(stub: Stub, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_tournament(config(stub, cache=str(tmp_path / "answers"), budget_tokens=6_000, max_tokens=500), out)
    faults = [fault for record in Store(out).records() for fault in record.substitutes.values()]
    assert set(faults) == {"raised BudgetSpent"}
    assert 5 < len(stub.asked) < 28, "28 would be asked without a budget"
    assert list(verify_run(out)) == []


def test_a_fault_says_what_to_do(stub: Stub, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str) -> None:
    stub.way = fails(401, f"wrong key {KEY}")
    run_tournament(config(stub, key_from=key), tmp_path / "out")
    told = capsys.readouterr().err
    assert "agent 'model': raised BadKey" in told
    assert "look at the environment variable STUB_KEY" in told
    assert KEY not in told


def test_a_report_asks_no_model(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with serving() as stub:
        run_tournament(config(stub, cache=str(tmp_path / "answers")), out)
        asked = len(stub.asked)
        study([out], curves=2)
        assert len(stub.asked) == asked
    record = next(Store(out).records())
    seat = record.agents.index("model")
    model = make_agent(config(stub, cache=str(tmp_path / "answers")).agents[0], seat=seat, seed="1")
    assert isinstance(model, Explains)
    foresee(record, {seat: model})
    last = model.beliefs(record.replay().view(seat))
    assert last.rules == (("card.is_red", 0.5),), "what it believed is in the cache"


def test_the_shipped_tournament_has_every_option_right() -> None:
    """What is commented out is right too, together with all the rest."""
    path = find_config("tournaments", "llm")
    lines = path.read_text(encoding="utf-8").splitlines()
    known = [line.removeprefix("# ") if line.startswith("# ") and " = " in line else line for line in lines]
    full = config_from(tomllib.loads("\n".join(known)))
    for settings in (full, load_config("llm")):
        make_agent(settings.agents[0], seat=1, seed="1")
    assert set(full.agents[0].options) > {"budget", "price_in", "key_from", "temperature"}
