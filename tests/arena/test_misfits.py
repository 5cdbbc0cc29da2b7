"""An agent may misbehave as it likes: the tournament goes on, and nobody else notices."""

from __future__ import annotations

from pathlib import Path

import pytest

from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.ratings import rank
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.moves import parse_move
from eleusis_ai.record import Record
from tests.arena.test_tournament import HERE, config


def play(out: Path, kind: str, *, time_limit: float | None = None, workers: int = 1) -> list[Record]:
    """Play five agents on four chairs; in seating 3 the last one sits on the chair where it misbehaves."""
    agents = [
        *({"id": name, "use": f"{HERE}:Restless"} for name in ("ann", "ben", "cem", "dov")),
        {"id": "bad", "use": f"{HERE}:Misfit", "options": {"kind": kind}},
    ]
    limit = {} if time_limit is None else {"time_limit": time_limit}
    run_tournament(config(deals=1, agents=agents, **limit), out, workers=workers)
    assert not list(verify_run(out))
    return list(Store(out).records())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    records = play(tmp_path_factory.mktemp("runs") / "good", "behaves")
    assert not any(record.substitutes for record in records)
    return records


@pytest.mark.parametrize(
    ("kind", "fault", "time_limit"),
    [
        ("raises", "raised ZeroDivisionError", None),
        ("raises SystemExit", "raised SystemExit", None),
        ("raises KeyboardInterrupt", "raised KeyboardInterrupt", None),
        ("mumbles", "raised ValueError", None),
        ("cheats", "illegal", None),
        ("talks", "illegal", None),
        ("lies", "illegal", None),
        ("dawdles", "slow", 0.3),
        ("sleeps", "hung", 0.3),
        ("spins", "hung", 0.3),
        ("exits", "exited", None),
        ("closes", "exited", None),
        ("crashes", "exited", None),
        ("kills", "exited", None),
    ],
)
def test_it_is_stood_in_for(
    kind: str, fault: str, time_limit: float | None, good: list[Record], tmp_path: Path
) -> None:
    records = play(tmp_path / "out", kind, time_limit=time_limit)
    bad = records.pop(3)
    assert list(map(str, records)) == [str(record) for record in (*good[:3], *good[4:])]

    assert set(bad.substitutes.values()) == {fault}
    assert {stand_in.seat for stand_in in bad.stand_ins()} == {2}
    first = min(bad.substitutes)
    # Until then nothing is different, and from then on each of its moves is a substitute.
    assert bad.moves[: first - 1] == good[3].moves[: first - 1]
    round_, own = bad.deal(), []
    for number, text in enumerate(bad.moves, start=1):
        if round_.decision is not None and round_.decision.seat == 2 and number >= first:
            own.append(number)
        round_.apply(parse_move(text))
    assert list(bad.substitutes) == own
    counted = {standing.agent: standing.faults for standing in rank([Outcome.of(bad)]).standings if standing.faults}
    assert counted == {"bad": {fault: len(own)}}


@pytest.mark.parametrize("kind", ["prints", "dawdles"])
def test_who_prints_or_takes_his_time_where_there_is_no_limit_does_no_harm(
    kind: str, good: list[Record], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path / "out", kind) == good
    assert capfd.readouterr() == ("", "")


def test_it_makes_no_difference_who_plays_beside_it(tmp_path: Path) -> None:
    one, two = (play(tmp_path / f"{workers}", "exits", workers=workers) for workers in (1, 2))
    assert one == two


def test_the_others_remember_what_they_were_asked(tmp_path: Path) -> None:
    """Who takes its process down, and who raises, leave the others where they were: `random` counts its draws."""
    logs = []
    for kind in ("raises", "exits"):
        bad = {"id": "bad", "use": f"{HERE}:Misfit", "options": {"kind": kind}}
        run_tournament(config(deals=2, agents=[{"use": "random"}, bad]), tmp_path / kind)
        logs.append([record.moves for record in Store(tmp_path / kind).records() if record.substitutes])
    assert len(logs[0]) == 2
    assert logs[0] == logs[1]


def test_several_may_fall_in_one_round(tmp_path: Path) -> None:
    kinds = {"a": "exits", "b": "raises", "c": "crashes", "d": "exits"}
    agents = [
        {"id": name, "use": f"{HERE}:Misfit", "options": {"kind": kind, "chair": chair}}
        for chair, (name, kind) in enumerate(kinds.items(), start=1)
    ]
    run_tournament(config(deals=1, agents=agents, rotate=True), tmp_path / "out")
    first = next(Store(tmp_path / "out").records())
    faults = {stand_in.seat: stand_in.fault for stand_in in first.stand_ins()}
    assert faults == {1: "exited", 2: "raised ZeroDivisionError", 3: "exited", 4: "exited"}
    assert not list(verify_run(tmp_path / "out"))
