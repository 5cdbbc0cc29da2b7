from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.ratings import rank
from eleusis_ai.arena.store import FolderTaken, Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.arena.worker import Unplayable
from eleusis_ai.logs import read_log
from eleusis_ai.profiles import OVERLAYS, PROFILES
from eleusis_ai.registry import InvalidOptions, UnknownPart

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
    assert rank(store.outcomes(), store.timings()) == result


def test_the_same_config_and_seed_give_the_same_records(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run_tournament(config(), tmp_path / name)
    run_tournament(config(seed=2), tmp_path / "other")
    one, two, other = ((tmp_path / name / "records.jsonl").read_bytes() for name in ("one", "two", "other"))
    assert one == two
    assert one != other


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


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (
            "raises",
            r"agent 'bad' cannot be made: ZeroDivisionError: an agent's own defect \(\S*players\.py, line \d+\)",
        ),
        ("exits", "died before it had made the agents"),
    ],
)
def test_an_agent_that_cannot_be_made_is_told_before_anything_is_played(how: str, said: str, tmp_path: Path) -> None:
    agents = [{"id": "bad", "use": f"{HERE}:Unborn", "options": {"how": how}}]
    with pytest.raises(Unplayable, match=said):
        run_tournament(config(agents=agents), tmp_path / "out", workers=2)
    assert not (tmp_path / "out").exists()


def test_a_dealer_that_cannot_be_made_is_told_before_anything_is_played(tmp_path: Path) -> None:
    misled = config(dealer={"use": "catalog", "options": {"ids": ["red-onli"]}})
    with pytest.raises(
        Unplayable, match=r"dealer 'catalog' cannot be made: UnknownEntry: .* did you mean 'red-only'"
    ):
        run_tournament(misled, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("profile", [*PROFILES, *OVERLAYS, "abbott+cooperative"])
def test_every_profile_is_played(profile: str, tmp_path: Path) -> None:
    ids = ["alternate-parity"]  # it reads ranks alone
    played = run_tournament(
        config(
            profile=profile,
            deals=2,
            agents=[{"use": "elimination"}, {"use": "random"}],
            dealer={"use": "catalog", "options": {"ids": ids}},
        ),
        tmp_path / "out",
    )
    assert {standing.agent for standing in played.standings} == {"elimination", "random"}
    assert not list(verify_run(tmp_path / "out"))


def test_a_dealers_own_defect_stops_the_run(tmp_path: Path) -> None:
    sloppy = config(dealer={"use": f"{HERE}:Sloppy"}, deals=10)
    with pytest.raises(Unplayable, match=r"deal \d+ seating \d+ cannot be played:\n(.*\n)+ZeroDivisionError"):
        run_tournament(sloppy, tmp_path / "out")
    with pytest.raises(Unplayable):
        run_tournament(sloppy, tmp_path / "out", resume=True)


def test_nothing_but_the_logs_is_left(tmp_path: Path) -> None:
    run_tournament(config(), tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "config.json",
        "outcomes.jsonl",
        "records.jsonl",
        "timings.jsonl",
    ]


def test_a_run_that_is_over_can_be_resumed_too(tmp_path: Path) -> None:
    result = run_tournament(config(), tmp_path / "out")
    assert run_tournament(config(), tmp_path / "out", resume=True) == result


def test_resume_begins_a_run_where_there_is_none(tmp_path: Path) -> None:
    run_tournament(config(), tmp_path / "one")
    run_tournament(config(), tmp_path / "two", resume=True)
    assert (tmp_path / "one" / "records.jsonl").read_bytes() == (tmp_path / "two" / "records.jsonl").read_bytes()


@pytest.mark.parametrize("torn", [0, 1, 700])
def test_a_torn_line_is_cut_off_and_its_round_played_again(
    torn: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run_tournament(config(), out)
    whole = (out / "records.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    (out / "records.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:torn])
    timings = (out / "timings.jsonl").read_bytes().splitlines(keepends=True)
    (out / "timings.jsonl").write_bytes(b"".join(timings[:4]) + timings[4][:10])
    run_tournament(config(), out, resume=True, workers=2)
    assert (out / "records.jsonl").read_bytes() == whole
    assert [timing.key for timing in Store(out).timings()] == [record.key for record in Store(out).records()]
    assert (f"the last line of {out}/records.jsonl had no end" in capsys.readouterr().err) == bool(torn)


def test_only_the_run_that_was_begun_is_resumed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_tournament(config(), out)
    before = (out / "records.jsonl").read_bytes()
    with pytest.raises(FolderTaken, match=r"its seed is 1, and 2 is asked for; \S*config\.json is a config"):
        run_tournament(config(seed=2), out, resume=True)
    with pytest.raises(FolderTaken, match=r"go on with it by --resume, or"):
        run_tournament(config(), out)
    assert (out / "records.jsonl").read_bytes() == before
    (out / "records.jsonl").write_bytes(before.replace(b"deal 0 ", b"deal 9 ", 1))
    with pytest.raises(FolderTaken, match=r"line 1: the schedule has no round 'deal 9 seating 0'.*eleusis verify"):
        run_tournament(config(), out, resume=True)


def test_whatever_is_missing_is_played(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_tournament(config(), out)
    logs = Store(out).logs
    whole = [path.read_bytes() for path in logs[:2]]
    lines = whole[0].splitlines(keepends=True)
    logs.records.write_bytes(
        b"".join(line for number, line in enumerate(lines) if number not in (0, 3, len(lines) - 1))
    )
    run_tournament(config(), out, resume=True)
    assert [path.read_bytes() for path in logs[:2]] == whole
    assert [timing.key for timing in Store(out).timings()] == [record.key for record in Store(out).records()]
