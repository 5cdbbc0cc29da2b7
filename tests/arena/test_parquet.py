from __future__ import annotations

import sys
from pathlib import Path

import pyarrow.parquet
import pytest

from eleusis_ai.arena import parquet
from eleusis_ai.arena.outcomes import Timing
from eleusis_ai.arena.parquet import TABLES, write_tables
from eleusis_ai.arena.rows import rows
from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.record import InvalidRecord
from eleusis_ai.registry import MissingExtra
from tests.arena.test_tournament import HERE, config

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Play six rounds, in some of which moves are made for an agent."""
    out = tmp_path_factory.mktemp("runs") / "out"
    agents = [{"id": name, "use": f"{HERE}:{use}"} for name, use in (("ann", "Restless"), ("bad", "Stillborn"))]
    run_tournament(config(agents=agents, deals=3), out, zstd=True)
    return Store(out)


@pytest.mark.parametrize("group", [1, 40, 20_000])
def test_tables_hold_the_rows_of_every_round(
    group: int, run: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet, "GROUP", group)
    written = write_tables(run, tmp_path / "tables")
    times: list[Timing] = list(run.timings())
    wanted = [rows(record, times[at], place=at + 1) for at, record in enumerate(run.records())]
    for at, (name, row) in enumerate(TABLES.items()):
        file = pyarrow.parquet.ParquetFile(tmp_path / "tables" / f"{name}.parquet")
        expected = [each for found in wanted for each in found[at]]
        assert file.schema_arrow.names == list(row.__struct_fields__)
        for column in file.schema_arrow.names:
            found = [
                tuple(cell) if isinstance(cell, list) else cell for cell in file.read().column(column).to_pylist()
            ]
            assert found == [getattr(each, column) for each in expected], (name, column)
        assert file.metadata.num_rows == written[name] == len(expected)
        assert file.metadata.num_row_groups == (1 if group > 1000 else file.metadata.num_row_groups)
        assert group > 1 or file.metadata.num_row_groups == 6
    assert {seat.agent for found in wanted for seat in found.seats} == {"Painter", "ann", "bad"}
    assert any(move.substitute for found in wanted for move in found.moves)


def test_a_run_without_rounds_has_tables_without_rows(run: Store, tmp_path: Path) -> None:
    empty = Store(tmp_path / "empty")
    with empty.writer(config()):
        pass
    assert write_tables(empty, tmp_path / "tables") == {"rounds": 0, "seats": 0, "moves": 0}
    assert pyarrow.parquet.read_table(tmp_path / "tables" / "moves.parquet").num_rows == 0


def test_what_does_not_replay_is_told_with_its_place(run: Store, tmp_path: Path) -> None:
    broken = Store(tmp_path / "broken")
    broken.folder.mkdir()
    records = [str(record) for record in run.records()]
    records[2] = records[2].replace('"moves":["', '"moves":["prophet","', 1)
    broken.log.write_text("".join(f"{line}\n" for line in records))
    with pytest.raises(InvalidRecord, match=r"records\.jsonl, line 3: move 1 of \d+, 'prophet': "):
        write_tables(broken, tmp_path / "tables")


def test_there_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(NoRecord, match="there is no run in"):
        write_tables(Store(tmp_path), tmp_path / "tables")


def test_tables_need_a_library(run: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"a Parquet file needs .*eleusis-ai\[parquet\]"):
        write_tables(run, tmp_path)


def test_every_column_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    for name, row in TABLES.items():
        section = page.partition(f"\n## `{name}.parquet`")[2].partition("\n## ")[0]
        columns = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
        assert columns == list(row.__struct_fields__), name
