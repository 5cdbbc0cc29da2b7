from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.verification import verify_run
from eleusis_ai.logs import Appender
from eleusis_ai.record import Record
from tests.arena.test_tournament import HERE, config

Change = Callable[[list[Record]], list[Record]]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play six rounds, in some of which moves are made for an agent."""
    out = tmp_path_factory.mktemp("runs") / "out"
    agents = [{"id": name, "use": f"{HERE}:{use}"} for name, use in (("ann", "Restless"), ("bad", "Stillborn"))]
    run_tournament(config(agents=agents, deals=3), out)
    assert any(record.substitutes for record in Store(out).records())
    return out


@pytest.fixture
def out(finished: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(finished, tmp_path / "out"))


def changed(at: int, **fields: object) -> Change:
    def change(records: list[Record]) -> list[Record]:
        records[at] = msgspec.structs.replace(records[at], **fields)
        return records

    return change


def test_a_run_is_as_it_should_be(out: Path) -> None:
    assert list(verify_run(out)) == []


LINE_2 = "records.jsonl, line 2, deal 0 seating 1: "


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (changed(1, scores=(0, 0, 0, 0, 0)), f"{LINE_2}the record says the points are (0, 0, 0, 0, 0), its moves"),
        (changed(1, scores=None), f"{LINE_2}the round is over, and its points are not there"),
        (changed(1, moves=(), substitutes={}, scores=None), f"{LINE_2}the round is not over"),
        (changed(1, moves=("prophet",), substitutes={}), f"{LINE_2}move 1 of 1, 'prophet': "),
        (changed(1, deck=" ".join(["7H"] * 156)), f"{LINE_2}its deck is '7H 7H"),
        (changed(1, rule="card.is_red"), f"{LINE_2}its rule is 'card.is_red', and the config asks for"),
        (changed(1, first=3), f"{LINE_2}its first is 3, and the config asks for"),
        (changed(1, dealer=1), f"{LINE_2}its dealer is 1, and the config asks for 0"),
        (changed(1, agents=("Painter", *["ann"] * 4)), f"{LINE_2}its agents is ('Painter', 'ann'"),
        (changed(1, substitutes={999: "hung"}), f"{LINE_2}the record has a substitute for move 999"),
        (changed(1, key="deal 9 seating 1"), "line 2, deal 9 seating 1: the schedule has no such round"),
        (lambda records: records[:2] + records[1:], "line 3, deal 0 seating 1: this round stands there already"),
        (
            lambda records: records[:4],
            "2 of 6 rounds are not there, the first is deal 2 seating 0; a run goes on by ",
        ),
        (lambda records: records[:2] + records[3:], "1 of 6 rounds are not there, the first is deal 1 seating 0"),
        (
            lambda records: records[::-1],
            "line 2, deal 2 seating 0: out of order, since it comes before deal 2 seating 1",
        ),
        (lambda records: [], "6 of 6 rounds are not there"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(change: Change, said: str, out: Path) -> None:
    store = Store(out)
    store.log.write_text("".join(f"{record}\n" for record in change(list(store.records()))))
    assert any(said in problem for problem in verify_run(out)), list(verify_run(out))


def test_a_substitute_is_the_first_legal_move(out: Path) -> None:
    store = Store(out)
    records = list(store.records())
    moves = records[0].moves
    number = next(at for at, move in enumerate(moves, start=1) if move in ("no play", "prophet"))
    records[0] = msgspec.structs.replace(records[0], substitutes={number: "slow"})
    store.log.write_text("".join(f"{record}\n" for record in records))
    (problem,) = verify_run(out)
    assert f"move {number} of {len(moves)}, {moves[number - 1]!r}: a substitute is the first legal move" in problem


def test_a_torn_line_is_wrong(out: Path) -> None:
    log = Store(out).log
    log.write_bytes(log.read_bytes()[:-1])
    assert [problem.endswith("the line has no end") for problem in verify_run(out)] == [True]


def test_outcomes_are_those_of_the_records(out: Path) -> None:
    rows = Store(out).logs.outcomes
    whole = rows.read_text().splitlines(keepends=True)
    rows.write_text(whole[0] + whole[1].replace('"points":', '"points":1', 1) + "".join(whole[2:]))
    (problem,) = verify_run(out)
    assert f"{LINE_2}its outcome is not {whole[1].strip()}, which is what the record gives" in problem
    rows.write_text(whole[0] + "".join(whole[3:]))
    (problem,) = verify_run(out)
    assert (
        "2 outcomes do not stand where their records do, the first is that of deal 0 seating 1; a run goes" in problem
    )
    rows.unlink()
    assert list(verify_run(out)) == []


def test_a_compressed_log_is_verified(out: Path, tmp_path: Path) -> None:
    store = Store(out)
    plain, packed = store.log, store.log.with_name("records.jsonl.zst")
    log = Appender(packed)
    for line in plain.read_bytes().splitlines():
        log.append([line])
    log.close()
    plain.unlink()
    assert list(verify_run(out)) == []
    whole = packed.read_bytes()
    packed.write_bytes(whole[:-20])
    assert "1 of 6 rounds are not there" in list(verify_run(out))[-1]
    packed.write_bytes(whole[: len(whole) // 2] + b"nonsense" + whole[len(whole) // 2 :])
    broken, *_, missing = verify_run(out)
    assert "records.jsonl.zst cannot be decompressed from byte" in broken
    assert "of 6 rounds are not there" in missing


def test_there_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(NoRecord, match="there is no run in"):
        list(verify_run(tmp_path))
