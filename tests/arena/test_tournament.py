from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.ranking import ranking
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.legal import IllegalMove
from eleusis_ai.record import read_log
from eleusis_ai.registry import InvalidOptions, UnknownPart

ROOT = Path(__file__).parent.parent.parent
HERE = "tests.arena.players"


def config(**changes: Any) -> TournamentConfig:
    fields = {
        "name": "small",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": 2,
        "dealer": {"use": f"{HERE}:Painter"},
        "agents": [{"id": name, "use": f"{HERE}:Restless"} for name in ("ann", "ben", "cem")],
    }
    return config_from(fields | changes)


def test_every_round_is_logged_in_order_and_replays(tmp_path: Path) -> None:
    run_tournament(config(), tmp_path / "out")
    records = list(read_log(tmp_path / "out" / "records.jsonl"))
    assert [record.key for record in records] == [f"deal {d} seating {r}" for d in range(2) for r in range(3)]
    assert records[1].agents == ("Painter", "ben", "cem", "ann", "ben")
    for record in records:
        assert record.dealer == 0
        assert record.replay().over
    # The seatings of a deal differ in who sits where, and in nothing that was dealt.
    assert len({(record.deck, record.rule, record.first) for record in records[:3]}) == 1
    assert len({record.deck for record in records}) == 2


def test_timings_are_kept_apart_and_count_every_decision(tmp_path: Path) -> None:
    result = run_tournament(config(), tmp_path / "out")
    store = Store(tmp_path / "out")
    for record, timing in zip(store.records(), store.timings(), strict=True):
        assert record.key == timing.key
        picks = sum(move.startswith("pick") for move in record.moves)
        assert sum(timing.decisions.values()) == len(record.moves) - picks
    assert ranking(store.records(), store.timings()) == result


def test_the_same_config_and_seed_give_the_same_records(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run_tournament(config(), tmp_path / name)
    run_tournament(config(seed=2), tmp_path / "other")
    one, two, other = ((tmp_path / name / "records.jsonl").read_bytes() for name in ("one", "two", "other"))
    assert one == two
    assert one != other


def test_records_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    toml = tmp_path / "small.toml"
    toml.write_text(
        f'name = "small"\nprofile = "abbott"\nseats = 5\nseed = 1\ndeals = 1\ndealer = {{ use = "{HERE}:Painter" }}\n'
        f'agents = [{{ id = "ann", use = "{HERE}:Restless" }}, {{ id = "ben", use = "{HERE}:Restless" }}]\n'
    )
    logs = []
    for hash_seed in ("1", "2"):
        out = tmp_path / hash_seed
        command = [
            sys.executable,
            "-c",
            "from eleusis_ai.cli import main; main()",
            "tournament",
            str(toml),
            "--out",
            str(out),
        ]
        subprocess.run(
            command, cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, check=True, capture_output=True
        )
        logs.append((out / "records.jsonl").read_bytes())
    assert logs[0].count(b"\n") == 2
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        ({"agents": [{"use": "elimnation"}]}, UnknownPart, "elimination"),
        ({"agents": [{"use": f"{HERE}:Nobody"}]}, UnknownPart, "Nobody"),
        ({"agents": [{"use": f"{HERE}:Restless", "options": {"mod": 1}}]}, InvalidOptions, "mood"),
        ({"dealer": {"use": "catalogue"}}, UnknownPart, "catalog"),
        ({"dealer": {"use": f"{HERE}:Painter", "options": {"hue": 1}}}, InvalidOptions, "hue"),
    ],
)
def test_names_are_looked_up_before_anything_is_played(
    changes: dict[str, Any], error: type[Exception], said: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=said):
        run_tournament(config(**changes), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_illegal_answer_is_told_by_round_agent_and_seat(tmp_path: Path) -> None:
    agents = [{"id": "ann", "use": f"{HERE}:Restless"}, {"id": "eve", "use": f"{HERE}:Cheat"}]
    with pytest.raises(IllegalMove, match=r"deal 0 seating 0: agent 'eve' at seat 2 answered AC: the hand"):
        run_tournament(config(agents=agents, profile="late-prophet"), tmp_path / "out")
    assert (tmp_path / "out" / "records.jsonl").read_bytes() == b""


def test_an_agents_own_defect_shows_where_it_happened(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        run_tournament(config(agents=[{"id": "bad", "use": f"{HERE}:Broken"}]), tmp_path / "out")
    assert caught.value.__notes__ == ["in deal 0 seating 0 of the tournament small"]
