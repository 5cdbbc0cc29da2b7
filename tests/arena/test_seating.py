from __future__ import annotations

from pathlib import Path

from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.seating import seated
from eleusis_ai.arena.store import find_record
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.registry import AgentSpec

PLAIN = AgentSpec("plain", "tests.test_registry:Sampler", {"boldness": 0.9})


def test_a_run_s_config_says_what_its_agents_were(tmp_path: Path) -> None:
    fields = {
        "name": "seating",
        "profile": "short",
        "seats": 4,
        "seed": 1,
        "deals": 1,
        "dealer": {"use": "catalog"},
        "agents": [
            {"id": PLAIN.id, "use": PLAIN.use, "options": PLAIN.options},
            {"use": "random"},
            {"id": "other", "use": "random"},
        ],
    }
    run = tmp_path / "run"
    run_tournament(config_from(fields), run)
    record = find_record(f"{run}#2")
    names = {seat: name for seat, name in enumerate(record.agents) if seat != record.dealer}
    specs = {"plain": PLAIN, "random": AgentSpec("random", "random"), "other": AgentSpec("other", "random")}
    for target in (f"{run}#2", str(run / "records.jsonl")):
        assert seated(target, record) == {seat: specs[name] for seat, name in names.items()}
    own = tmp_path / "own.jsonl"
    own.write_text(f"{record}\n")
    assert seated(str(own), record) == {seat: AgentSpec(name, name) for seat, name in names.items()}
    assert seated(str(own), record, "tree") == dict.fromkeys(names, AgentSpec("tree", "tree"))
