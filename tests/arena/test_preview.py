from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.preview import measure, preview
from eleusis_ai.arena.schedule import Schedule
from tests.arena.test_schedule import FORMS, config, players


def shown(settings: TournamentConfig, monkeypatch: pytest.MonkeyPatch, *, workers: int = 1) -> list[str]:
    monkeypatch.setattr("eleusis_ai.arena.preview.SECONDS", 0.0)
    console = Console(width=80)
    with console.capture() as captured:
        console.print(preview(settings, workers=workers))
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("league", "4 deals x 3 seatings = 12 rounds"),
        ("duplicate", "3 deals x 4 seatings x 2 heroes = 24 rounds"),
        ("matches", "2 deals x 6 seatings x 5 rounds = 60 rounds"),
        ("gauntlet", "3 deals x 4 seatings = 12 rounds"),
    ],
)
def test_it_says_how_many_rounds_there_are(form: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert said in shown(FORMS[form], monkeypatch)


def test_it_shows_who_sits_where_and_how_often(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(FORMS["gauntlet"], monkeypatch, workers=2)
    assert "deal 0 seating 1  Painter  z a x y" in lines
    assert [" ".join(line.split()) for line in lines if line.startswith("a ")] == ["a 12 3 12 0 to 8"]
    assert any(line.startswith("about 1 s with --workers 2") for line in lines)
    assert any(line.startswith("measured on 1 rounds, ") and line.endswith("nothing was written") for line in lines)


def test_of_a_duplicate_it_counts_the_heroes(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(FORMS["duplicate"], monkeypatch)
    rows = {line.split()[0]: line.split()[1:3] for line in lines[lines.index("") :] if line[:2] in ("a ", "b ", "x ")}
    assert rows == {"a": ["12", "3"], "b": ["12", "3"]}


def test_it_says_what_it_counted_over(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(config("a", "b", deals=10**6), monkeypatch)
    assert "1000000 deals x 2 seatings = 2000000 rounds" in lines
    assert "counted over the first 240 deals" in lines
    assert "deal 999999 seating 1" in lines


def test_the_rounds_it_plays_come_from_all_over_the_schedule(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = Schedule(config("a", "b", schedule="duplicate", others=players("x"), deals=100))
    seen: list[int] = []
    monkeypatch.setattr("eleusis_ai.arena.preview.play_table", lambda _, table, **__: seen.append(table.number))
    clock = iter(range(10**6))
    monkeypatch.setattr("eleusis_ai.arena.preview.perf_counter", lambda: float(next(clock)))
    assert measure(schedule, seconds=20) == (19, 1.0, 1.0, 1.0)
    assert len(set(seen)) == 20
    assert {number // 80 for number in seen} == set(range(10))
    assert 8 <= sum(number % 2 for number in seen) <= 12, "both heroes are measured"


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown(msgspec.structs.replace(FORMS["league"], deals=1), monkeypatch)
    assert not list(tmp_path.iterdir())
