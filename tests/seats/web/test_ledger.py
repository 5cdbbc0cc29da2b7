"""The ledger holds what it has acknowledged, whatever happens, and opens nothing that is not its own."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import IO

import pytest

from eleusis_ai.cli import main
from eleusis_ai.seats.web import ledger as ledger_module
from eleusis_ai.seats.web.ledger import CopyTaken, Ledger, LedgerTaken, NoLedger, NotWritten, backup

WRITER = """# Starts a writer at each line it reads, and says when it is gone.
import asyncio, os, sys
from pathlib import Path
from eleusis_ai.seats.web.ledger import Ledger

async def fill(ledger, table, there):
    for number in range(there + 1, 1000000):
        await ledger.append(table, number, f"{table} {number}".encode())
        os.write(1, f"{table} {number}\\n".encode())

async def main(ledger):
    there = {name: len(entries) for name, entries in ledger.tables()}
    tables = [f"table-{place}" for place in range(7)]
    await asyncio.gather(*(fill(ledger, table, there.get(table, 0)) for table in tables))

for _ in sys.stdin:
    writer = os.fork()  # before there is a thread: only the writer has any
    if not writer:
        asyncio.run(main(Ledger(Path(sys.argv[1]))))
    os.write(1, f"writer {writer}\\n".encode())
    os.waitpid(writer, 0)
    os.write(1, b"gone\\n")
"""


@contextmanager
def opened(path: Path) -> Iterator[Ledger]:
    with closing(Ledger(path)) as ledger:
        yield ledger


def kept(path: Path) -> dict[str, list[bytes]]:
    with opened(path) as ledger:
        return dict(ledger.tables())


def fill(path: Path, tables: int = 3, entries: int = 4) -> dict[str, list[bytes]]:
    """Write some tables side by side."""
    wanted = {f"t{table}": [b"%d/%d" % (table, number) for number in range(entries)] for table in range(tables)}

    async def write(ledger: Ledger, table: str) -> None:
        for number, entry in enumerate(wanted[table], start=1):
            await ledger.append(table, number, entry)

    async def write_all(ledger: Ledger) -> None:
        await asyncio.gather(*(write(ledger, table) for table in wanted))

    with opened(path) as ledger:
        asyncio.run(write_all(ledger))
    return wanted


def test_what_was_appended_is_there_again_in_order(tmp_path: Path) -> None:
    path = tmp_path / "deeper" / "hall.db"
    assert kept(path) == {}
    wanted = fill(path, tables=5, entries=12)
    assert kept(path) == kept(path) == wanted


@contextmanager
def writers(path: Path) -> Iterator[tuple[IO[str], IO[str]]]:
    """Yield where to ask for writers, and where they acknowledge."""
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield process.stdin, process.stdout


def start(asked: IO[str], said: IO[str]) -> int:
    """Start a writer, and return its process."""
    asked.write("go\n")
    return int(next(line for line in said if line.startswith("writer ")).split()[1])


def kill(writer: int, said: IO[str]) -> list[str]:
    """Kill a writer, and return what it has acknowledged since it was last listened to."""
    os.kill(writer, signal.SIGKILL)
    return list(iter(said.readline, "gone\n"))


def test_an_acknowledged_entry_survives_a_kill_at_any_moment(tmp_path: Path) -> None:
    path, rng = tmp_path / "hall.db", Random(1)
    acknowledged: Counter[str] = Counter()
    with writers(path) as (asked, said):
        for _ in range(40):
            writer, moment = start(asked, said), rng.choice((1, 2, 5, 20, 100, 400))
            lines = [said.readline() for _ in range(moment)] + kill(writer, said)
            for table, number in map(str.split, lines):
                acknowledged[table] = max(acknowledged[table], int(number))
            there = kept(path)
            for table, entries in there.items():
                assert entries == [f"{table} {number}".encode() for number in range(1, len(entries) + 1)]
            assert all(len(there[table]) >= count for table, count in acknowledged.items())
            assert len(lines) >= moment


def test_what_is_acknowledged_was_forced_to_the_disk(tmp_path: Path) -> None:
    with opened(tmp_path / "hall.db") as ledger:
        found = [
            ledger._connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")
        ]
    assert found == ["wal", 2]  # 2 is FULL


def test_appends_that_wait_together_share_a_transaction(tmp_path: Path) -> None:
    statements: list[str] = []

    async def crowd(ledger: Ledger) -> None:
        await asyncio.gather(*(ledger.append(f"t{place}", 1, b"x") for place in range(300)))

    with opened(tmp_path / "hall.db") as ledger:
        ledger._connection.set_trace_callback(statements.append)
        asyncio.run(crowd(ledger))
    assert 1 <= statements.count("COMMIT") < 100
    assert len(kept(tmp_path / "hall.db")) == 300


@pytest.mark.parametrize("number", [0, 1, 2, 4, -1])
def test_an_entry_out_of_turn_is_refused_and_hinders_no_other(number: int, tmp_path: Path) -> None:
    wanted = fill(tmp_path / "hall.db", tables=2, entries=2)

    async def three(ledger: Ledger) -> tuple[BaseException | None, ...]:
        appends = (ledger.append("t0", 3, b"a"), ledger.append("t1", number, b"b"), ledger.append("new", 1, b"c"))
        return await asyncio.gather(*appends, return_exceptions=True)

    with opened(tmp_path / "hall.db") as ledger:
        one, refused, other = asyncio.run(three(ledger))
    assert one is other is None
    assert isinstance(refused, NotWritten)
    assert str(refused) == f"entry {number} is not the next one of table t1; it is kept as it was"
    assert kept(tmp_path / "hall.db") == {"t0": [*wanted["t0"], b"a"], "t1": wanted["t1"], "new": [b"c"]}


def test_an_entry_for_which_nobody_waits_any_more_is_written(tmp_path: Path) -> None:
    async def give_up(ledger: Ledger) -> None:
        task = asyncio.create_task(ledger.append("t", 1, b"x"))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with opened(tmp_path / "hall.db") as ledger:
        asyncio.run(give_up(ledger))
    assert kept(tmp_path / "hall.db") == {"t": [b"x"]}


def test_closing_writes_what_waits_and_takes_no_more(tmp_path: Path) -> None:
    async def close_early(ledger: Ledger) -> None:
        tasks = [asyncio.create_task(ledger.append(f"t{place}", 1, b"x")) for place in range(50)]
        await asyncio.sleep(0)
        ledger.close()
        ledger.close()
        await asyncio.gather(*tasks)
        with pytest.raises(NotWritten, match="is closed"):
            await ledger.append("t0", 2, b"x")

    asyncio.run(close_early(Ledger(tmp_path / "hall.db")))
    assert len(kept(tmp_path / "hall.db")) == 50


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    async def fill_up(ledger: Ledger) -> None:
        pages = ledger._connection.execute("PRAGMA page_count").fetchone()[0]
        ledger._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(NotWritten, match=r"nothing can be written to .*hall.db: database or disk is full"):
            await ledger.append("t", 1, b"x" * 50_000)
        ledger._connection.execute("PRAGMA max_page_count = 1000")
        await ledger.append("t", 1, b"y" * 50_000)

    with opened(tmp_path / "hall.db") as ledger:
        asyncio.run(fill_up(ledger))
    assert kept(tmp_path / "hall.db") == {"t": [b"y" * 50_000]}


def test_a_program_that_holds_the_file_is_waited_for_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hall.db"
    monkeypatch.setattr(ledger_module, "PATIENCE", 0.05)

    async def compete(ledger: Ledger, other: sqlite3.Connection) -> None:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(NotWritten, match="database is locked"):
            await ledger.append("t", 1, b"x")
        other.execute("ROLLBACK")
        await ledger.append("t", 1, b"x")

    with opened(path) as ledger, closing(sqlite3.connect(path, isolation_level=None)) as other:
        asyncio.run(compete(ledger, other))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerTaken, match="another program holds"):
            Ledger(path)
    assert kept(path) == {"t": [b"x"]}


def test_two_servers_do_not_share_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with writers(path) as (asked, said):
        writer = start(asked, said)
        said.readline()
        with pytest.raises(LedgerTaken, match="another server keeps its tables in"):
            Ledger(path)
        kill(writer, said)
        assert kept(path)


def other_text(path: Path) -> None:
    path.write_text("seat,points\n" * 500)


def other_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE entries (name)")


def newer(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 2")


def torn(path: Path) -> None:
    fill(path, tables=20, entries=100)
    path.write_bytes(path.read_bytes()[:-9000])


def scratched(path: Path) -> None:
    fill(path, tables=20, entries=100)
    content = bytearray(path.read_bytes())
    content[20_000:24_000] = b"\xff" * 4000
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (other_text, "is damaged or no ledger: file is not a database"),
        (other_database, "is a database of another program, and is not touched"),
        (newer, "was written by a newer eleusis-ai: its layout is 2, and this one knows 1"),
        (torn, "is damaged or no ledger"),
        (scratched, "is damaged or no ledger"),
        (Path.mkdir, "is out of reach"),
    ],
)
def test_what_is_no_ledger_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], said: str, tmp_path: Path
) -> None:
    path = tmp_path / "hall.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(NoLedger, match=said) as caught:
        Ledger(path)
    assert str(path) in str(caught.value)
    assert (path.read_bytes() if path.is_file() else b"") == before
    if path.is_file():
        with pytest.raises(NoLedger, match=said):
            backup(path, tmp_path / "copy.db")
        assert {file.name for file in tmp_path.iterdir()} == {"hall.db", "hall.db-lock"}


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NoLedger, match="is out of reach"):
        Ledger(tmp_path / "file" / "hall.db")


@pytest.mark.parametrize(
    "statement", ["DELETE FROM entries WHERE number = 2", "DELETE FROM entries WHERE name = 't1'"]
)
def test_entries_that_someone_took_away_are_missed(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    fill(path)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(statement)
    with opened(path) as ledger, pytest.raises(NoLedger, match=r"entries of table t[01] are missing"):
        list(ledger.tables())


def test_a_file_whose_maker_was_killed_before_it_was_laid_out_serves(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    with closing(sqlite3.connect(path)) as begun:
        begun.execute("PRAGMA journal_mode = WAL")
    assert path.stat().st_size
    assert fill(path) == kept(path)


def test_tables_that_were_idle_long_enough_are_forgotten_and_leave_no_trace(tmp_path: Path) -> None:
    path, now = tmp_path / "hall.db", [1000.0]

    async def live(ledger: Ledger) -> None:
        await ledger.append("old", 1, b"her name was Zenobia")
        await ledger.append("long", 1, b"x")
        now[0] += 60
        await ledger.append("new", 1, b"y")
        await ledger.append("long", 2, b"z")
        assert await ledger.purge(61) == []
        assert await ledger.purge(60) == ["old"]
        with pytest.raises(NotWritten, match="entry 2 is not the next one of table old"):
            await ledger.append("old", 2, b"w")
        assert not any(b"Zenobia" in file.read_bytes() for file in tmp_path.iterdir())

    with closing(Ledger(path, clock=lambda: now[0])) as ledger:
        asyncio.run(live(ledger))
    assert kept(path) == {"long": [b"x", b"z"], "new": [b"y"]}


def test_a_backup_of_a_ledger_in_use_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "hall.db"
    acknowledged: Counter[str] = Counter()
    copies: list[tuple[dict[str, int], Path]] = []
    done = asyncio.Event()

    async def write(ledger: Ledger, table: str) -> None:
        while not done.is_set():
            number = acknowledged[table] + 1
            await ledger.append(table, number, b"%d" % number * 100)
            acknowledged[table] = number

    async def copy() -> None:
        for number in range(6):
            before = dict(acknowledged)
            await asyncio.to_thread(backup, path, tmp_path / f"copy-{number}.db")
            copies.append((before, tmp_path / f"copy-{number}.db"))
            while sum(acknowledged.values()) < sum(before.values()) + 50:
                await asyncio.sleep(0)
        done.set()

    async def both(ledger: Ledger) -> None:
        await asyncio.gather(copy(), *(write(ledger, f"t{place}") for place in range(20)))

    with opened(path) as ledger:
        asyncio.run(both(ledger))
    assert {file.name for file in tmp_path.iterdir()} == {
        "hall.db",
        "hall.db-lock",
        *(f"copy-{n}.db" for n in range(6)),
    }
    whole = kept(path)
    for before, copy_of_it in copies:
        there = kept(copy_of_it)
        assert all(len(there.get(table, ())) >= count for table, count in before.items())
        assert all(entries == whole[table][: len(entries)] for table, entries in there.items())
    assert sum(map(len, whole.values())) > sum(map(len, kept(copies[0][1]).values()))


def test_a_backup_overwrites_nothing(tmp_path: Path) -> None:
    fill(tmp_path / "hall.db")
    (tmp_path / "copy.db").write_text("precious")
    with pytest.raises(CopyTaken, match="is there already, and is not overwritten"):
        backup(tmp_path / "hall.db", tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "precious"
    with pytest.raises(NoLedger, match="there is no ledger"):
        backup(tmp_path / "nothing.db", tmp_path / "other.db")
    assert not (tmp_path / "nothing.db").exists()
    with pytest.raises(NoLedger, match="is out of reach"):
        backup(tmp_path / "hall.db", tmp_path / "nowhere" / "copy.db")


@pytest.mark.parametrize(
    ("there", "code", "out", "err"),
    [
        (False, 0, "the tables of {0} are copied to {1}, which serves as --file\n", ""),
        (True, 2, "", "{1} is there already, and is not overwritten; name a new file\n"),
    ],
)
def test_the_command_copies_the_tables_of_a_server_that_runs(
    there: bool, code: int, out: str, err: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, copy = tmp_path / "hall.db", tmp_path / "copy.db"
    wanted = fill(path)
    if there:
        copy.touch()
    with opened(path), pytest.raises(SystemExit) as ended:
        main(["serve", "--file", str(path), "--backup", str(copy)])
    assert ended.value.code == code
    assert capsys.readouterr() == (out.format(path, copy), err.format(path, copy))
    assert there or kept(copy) == wanted
