from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.merge import Merged, Unmergeable, merge
from eleusis_ai.arena.places import InvalidPart, Part
from eleusis_ai.arena.store import FolderTaken, NoRecord, Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.logs import lines
from eleusis_ai.record import InvalidRecord
from tests.arena.test_tournament import HERE, config

AGENTS = [{"id": name, "use": f"{HERE}:Restless"} for name in ("ann", "ben")]
CONFIG = config(deals=5, agents=AGENTS)
"""Two rounds a deal."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("runs") / "whole"
    run_tournament(CONFIG, out)
    return out


def share(whole: Path, out: Path, wanted: Callable[[int], bool]) -> Path:
    """Copy the rounds whose places are wanted."""
    store, other = Store(whole), Store(out)
    out.mkdir()
    other.config.write_bytes(store.config.read_bytes())
    for path, there in zip(store.logs, other.logs, strict=True):
        there.write_bytes(b"".join(line for place, line in enumerate(lines(path)) if wanted(place)))
    return out


def contents(folder: Path) -> list[bytes]:
    return [b"".join(lines(path)) for path in Store(folder).logs]


def test_parts_that_were_played_apart_are_the_whole(whole: Path, tmp_path: Path) -> None:
    parts = [tmp_path / str(number) for number in (1, 2)]
    for number, out in enumerate(parts, start=1):
        run_tournament(CONFIG, out, part=Part(number, 2), zstd=number == 1)
    assert [record.key for record in Store(parts[1]).records()] == [
        f"deal {deal} seating {seating}" for deal in (1, 3) for seating in (0, 1)
    ]
    assert merge(parts[::-1], tmp_path / "out") == Merged(rounds=10, doubles=0, missing=0, first_missing=None)
    assert contents(tmp_path / "out")[:2] == contents(whole)[:2]
    assert [timing.key for timing in Store(tmp_path / "out").timings()] == [
        record.key for record in Store(whole).records()
    ]
    assert Store(tmp_path / "out").config.read_bytes() == Store(whole).config.read_bytes()
    assert list(verify_run(tmp_path / "out")) == []
    with pytest.raises(InvalidPart, match="5 deals do not make 6 parts; the first of 5 is '1/5'"):
        run_tournament(CONFIG, tmp_path / "none", part=Part(1, 6))


@pytest.mark.parametrize(
    ("shares", "merged"),
    [
        ([lambda at: True], Merged(rounds=10, doubles=0, missing=0, first_missing=None)),
        ([lambda at: at > 6, lambda at: at <= 6], Merged(rounds=10, doubles=0, missing=0, first_missing=None)),
        ([lambda at: at % 3 == 1, lambda at: at % 3 == 0, lambda at: at % 3 == 2], Merged(10, 0, 0, None)),
        ([lambda at: at < 6, lambda at: at > 2, lambda at: at == 4], Merged(10, 4, 0, None)),
        ([lambda at: at % 2 == 0, lambda at: False], Merged(5, 0, 5, "deal 0 seating 1")),
        ([lambda at: at < 3, lambda at: at > 7], Merged(5, 0, 5, "deal 1 seating 1")),
        ([lambda at: False, lambda at: False], Merged(0, 0, 10, "deal 0 seating 0")),
    ],
)
@pytest.mark.parametrize("zstd", [False, True])
def test_rounds_are_put_together_in_their_order(
    shares: list[Callable[[int], bool]], merged: Merged, zstd: bool, whole: Path, tmp_path: Path
) -> None:
    folders = [share(whole, tmp_path / str(number), wanted) for number, wanted in enumerate(shares)]
    assert merge(folders, tmp_path / "out", zstd=zstd) == merged
    wanted = share(whole, tmp_path / "wanted", lambda at: any(share(at) for share in shares))
    assert contents(tmp_path / "out") == contents(wanted)


def test_what_is_missing_can_be_played(whole: Path, tmp_path: Path) -> None:
    folders = [
        share(whole, tmp_path / "one", lambda at: at in (1, 8)),
        share(whole, tmp_path / "two", lambda at: at == 5),
    ]
    merge(folders, tmp_path / "out")
    run_tournament(CONFIG, tmp_path / "out", resume=True)
    assert contents(tmp_path / "out")[:2] == contents(whole)[:2]


def test_lost_outcomes_are_made_anew(whole: Path, tmp_path: Path) -> None:
    folders = [share(whole, tmp_path / "one", lambda at: at < 5), share(whole, tmp_path / "two", lambda at: at >= 5)]
    Store(folders[1]).logs.outcomes.unlink()
    merge(folders, tmp_path / "out")
    assert contents(tmp_path / "out") == contents(whole)


Damage = Callable[[Store], object]


def reverse(store: Store) -> None:
    store.log.write_bytes(b"".join(reversed(list(lines(store.log)))))


def rename(old: bytes, new: bytes) -> Damage:
    return lambda store: store.log.write_bytes(store.log.read_bytes().replace(old, new, 1))


def reseed(store: Store) -> None:
    store.config.write_bytes(msgspec.json.encode(config(deals=5, agents=AGENTS, seed=7)))


@pytest.mark.parametrize(
    ("damage", "error", "said"),
    [
        (
            rename(b'"first":', b'"first":1'),
            Unmergeable,
            r"deal 1 seating 0 is not the same in \S*one/records.jsonl, line 3 and in \S*two/records.jsonl, line 1;",
        ),
        (
            reverse,
            Unmergeable,
            r"two/records.jsonl, line 2: deal 4 seating 0 stands after deal 4 seating 1; .*resume",
        ),
        (rename(b"deal 1 ", b"deal 5 "), Unmergeable, r"line 1: the schedule has no round 'deal 5 seating 0'"),
        (rename(b"{", b"["), InvalidRecord, r"two/records.jsonl, line 1: not a line with a key"),
        (reseed, Unmergeable, r"one and \S*two are not parts of one tournament: seed is 1 in the first, and 7 in"),
        (lambda store: store.log.unlink(), NoRecord, "there is no run in .*two"),
        (lambda store: store.config.unlink(), NoRecord, "there is no run in .*two"),
    ],
)
def test_what_contradicts_is_refused(
    damage: Damage, error: type[Exception], said: str, whole: Path, tmp_path: Path
) -> None:
    folders = [share(whole, tmp_path / "one", lambda at: at < 6), share(whole, tmp_path / "two", lambda at: at > 1)]
    damage(Store(folders[1]))
    with pytest.raises(error, match=said):
        merge(folders, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_run_is_not_overwritten(whole: Path, tmp_path: Path) -> None:
    part = share(whole, tmp_path / "one", lambda at: at < 6)
    before = contents(part)
    with pytest.raises(FolderTaken, match="already holds the records of a run"):
        merge([part], part)
    assert contents(part) == before
    begun = Store(tmp_path / "begun")
    with begun.writer(CONFIG), pytest.raises(FolderTaken, match="another process is playing into"):
        merge([part], begun.folder)
    assert begun.config.exists()


@pytest.mark.parametrize("text", ["", "2", "0/5", "6/5", "1/0", "a/b", "-1/5", "1/5/5"])
def test_a_text_that_is_no_part(text: str) -> None:
    with pytest.raises(InvalidPart, match="is not a part of a tournament; the second of five is '2/5'"):
        Part.parse(text)


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_parts_are_the_whole(of: int) -> None:
    deals = [deal for number in range(1, of + 1) for deal in range(20) if Part(number, of).has(deal)]
    assert sorted(deals) == list(range(20))
