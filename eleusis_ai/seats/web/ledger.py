"""The ledger of a hall: the entries of all its tables in one SQLite file, on the disk before anyone hears of them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from queue import Empty, SimpleQueue

from eleusis_ai.logs import claim, sync

SCHEMA = 1
"""The version of the file's layout, kept as ``PRAGMA user_version``."""
APPLICATION = 0x454C5553
"""Marks the file as a ledger, kept as ``PRAGMA application_id``: ``ELUS``."""
GROUP = 500
"""How many appends share a transaction, at most."""
PATIENCE = 5.0
"""Seconds for which another program may hold the file, such as one that looks into it, before writing fails."""

_LAYOUT = f"""
BEGIN;
CREATE TABLE tables (
    name TEXT PRIMARY KEY,
    entries INTEGER NOT NULL,  -- how many there are; they are numbered from 1
    changed REAL NOT NULL      -- when the last one was written, in seconds since 1970
) WITHOUT ROWID;
CREATE TABLE entries (
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    entry BLOB NOT NULL,
    PRIMARY KEY (name, number)
) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {SCHEMA};
COMMIT;
"""


class NoLedger(ValueError):
    """A file that cannot serve as a ledger: damaged, of another program, of a newer version, or out of reach."""


class LedgerTaken(ValueError):
    """A ledger that another process holds."""


class CopyTaken(ValueError):
    """A file that a copy would overwrite."""


class NotWritten(ValueError):
    """What the disk did not take, or may not take: then it is not there."""


@dataclass(frozen=True, slots=True)
class _Job:
    """What is done in the writer's thread, inside a transaction that it may share with others."""

    do: Callable[[sqlite3.Connection], list[str]]
    """Raises NotWritten, if it has changed nothing."""
    done: Future[list[str]] = field(default_factory=Future)


class Ledger:
    """The entries of all tables, kept in a file that survives whatever happens to the process.

    One thread writes. Appends that wait at the same time share a transaction, so that a busy hall does not wait for
    the disk once for each of them.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Open the file, or lay it out where there is none.

        Args:
            path: The file. While it is open, SQLite keeps two more beside it; a third one only serves as a lock.
            clock: Tells the seconds since 1970.

        Raises:
            NoLedger: if the file is something else, damaged, written by a newer version, or out of reach.
            LedgerTaken: if another process has it open.
        """
        self.path = path
        self._clock = clock
        self._closed = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = path.with_name(f"{path.name}-lock").open("ab")
        except OSError as error:
            raise NoLedger(f"{path} is out of reach: {error}") from error
        try:
            if not claim(self._lock):
                raise LedgerTaken(f"another server keeps its tables in {path}; stop it, or name another file")
            _make_private(path)
            self._connection = _opened(path)
        except BaseException:
            self._lock.close()
            raise
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="ledger", daemon=True)
        self._thread.start()

    async def append(self, table: str, number: int, entry: bytes) -> None:
        """Write an entry; it is on the disk when this returns. It is written even if nobody waits for it any more.

        Args:
            table: The table's name.
            number: The entry's place in the table, from 1; it must be the next one.
            entry: What is to be kept.

        Raises:
            NotWritten: if it is not the next one, or the disk does not take it.
        """

        def do(connection: sqlite3.Connection) -> list[str]:
            values = (number, self._clock(), table)
            sql = (
                "INSERT OR IGNORE INTO tables (entries, changed, name) VALUES (?, ?, ?)"
                if number == 1
                else "UPDATE tables SET entries = ?1, changed = ?2 WHERE name = ?3 AND entries = ?1 - 1"
            )
            if not connection.execute(sql, values).rowcount:
                raise NotWritten(f"entry {number} is not the next one of table {table}; it is kept as it was")
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (table, number, entry))
            return []

        await self._do(do)

    async def purge(
        self, idle: float, *, among: Collection[str] | None = None, spared: Collection[str] = ()
    ) -> list[str]:
        """Forget the tables to which nothing was added for ``idle`` seconds, and return their names.

        What they held is overwritten, not only given free.

        Args:
            idle: Seconds.
            among: The tables that may be forgotten; None: all.
            spared: Those that may not.

        Raises:
            NotWritten: if the disk does not take it; then nothing is forgotten.
        """

        def do(connection: sqlite3.Connection) -> list[str]:
            before = (self._clock() - idle,)
            rows = connection.execute("SELECT name FROM tables WHERE changed <= ? ORDER BY name", before).fetchall()
            names = [row for row in rows if (among is None or row[0] in among) and row[0] not in spared]
            connection.executemany("DELETE FROM entries WHERE name = ?", names)
            connection.executemany("DELETE FROM tables WHERE name = ?", names)
            return [name for (name,) in names]

        forgotten = await self._do(do)
        if forgotten:
            await asyncio.to_thread(_empty_log, self.path)
        return forgotten

    def tables(self) -> Iterator[tuple[str, list[bytes]]]:
        """Yield every table with its entries in order, as they were when the first one was asked for.

        Raises:
            NoLedger: if entries are missing or cannot be read.
        """
        with _told(self.path), closing(_connected(self.path)) as reading:
            reading.execute("BEGIN")
            counts = dict(reading.execute("SELECT name, entries FROM tables"))
            rows = reading.execute("SELECT name, number, entry FROM entries ORDER BY name, number")
            for name, group in groupby(rows, key=itemgetter(0)):
                numbers, entries = zip(*((number, entry) for _, number, entry in group), strict=True)
                if numbers != tuple(range(1, counts.pop(name, 0) + 1)):
                    raise sqlite3.DatabaseError(f"entries of table {name} are missing")
                yield name, list(entries)
            if counts:
                raise sqlite3.DatabaseError(f"entries of table {min(counts)} are missing")

    def close(self) -> None:
        """Write what still waits, and close the file."""
        if self._closed:
            return
        self._closed = True
        self._jobs.put(None)
        self._thread.join()
        self._connection.close()
        self._lock.close()

    async def _do(self, do: Callable[[sqlite3.Connection], list[str]]) -> list[str]:
        if self._closed:
            raise NotWritten(f"{self.path} is closed")
        job = _Job(do)
        self._jobs.put(job)
        return await asyncio.wrap_future(job.done)

    def _write(self) -> None:
        """Do jobs, those that wait together in one transaction, until there are no more."""
        last = False
        while not last:
            jobs: list[_Job] = []
            for job in _waiting(self._jobs):
                last = job is None
                if job is not None:
                    jobs.append(job)
            self._write_together(jobs)

    def _write_together(self, jobs: list[_Job]) -> None:
        """Do jobs in one transaction; one that may not be done does not hinder the others."""
        came: list[list[str] | NotWritten] = []
        try:
            with _transaction(self._connection):
                for job in jobs:
                    try:
                        came.append(job.do(self._connection))
                    except NotWritten as refusal:
                        came.append(refusal)
        except Exception as error:
            came = [NotWritten(f"nothing can be written to {self.path}: {error}")] * len(jobs)
        for job, result in zip(jobs, came, strict=True):
            if not job.done.set_running_or_notify_cancel():
                continue
            if isinstance(result, NotWritten):
                job.done.set_exception(result)
            else:
                job.done.set_result(result)


def backup(path: Path, target: Path) -> None:
    """Copy a ledger to a new file, as it is at this moment, also while a server writes into it.

    The copy is whole or not there. It opens as a ledger.

    Raises:
        NoLedger: if ``path`` is none, or the copy cannot be written.
        CopyTaken: if ``target`` is there already; it is not touched.
    """
    if target.exists():
        raise CopyTaken(f"{target} is there already, and is not overwritten; name a new file")
    if not path.is_file():
        raise NoLedger(f"there is no ledger {path}; name the file that the server keeps its tables in")
    part = target.with_name(f"{target.name}.part")
    with _told(path), closing(_connected(path)) as reading, ExitStack() as undo:
        _check(reading, path)
        part.unlink(missing_ok=True)
        undo.callback(part.unlink, missing_ok=True)
        _make_private(part)
        with closing(sqlite3.connect(part, isolation_level=None)) as writing:
            reading.backup(writing)
            writing.execute("PRAGMA journal_mode = DELETE")  # the copy is one file
            _look_through(writing)
        os.replace(part, target)
        sync(target.parent)


def _make_private(path: Path) -> None:
    """Make the file, where there is none, so that only its owner reads it: it holds the cards of rounds in play.

    Raises:
        NoLedger: if it is out of reach.
    """
    with _told(path), suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _opened(path: Path) -> sqlite3.Connection:
    """Open a ledger for writing, and lay it out if the file is new.

    Raises:
        NoLedger, LedgerTaken: if it cannot be used.
    """
    with _told(path):
        connection = _connected(path)
        try:
            if not _is_empty(connection):
                _check(connection, path)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
            if _is_empty(connection):
                connection.executescript(_LAYOUT)
                sync(path.parent)
            _look_through(connection)
        except BaseException:
            connection.close()
            raise
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Return whether the file is new, or another process was killed before it had laid it out."""
    return not connection.execute("SELECT EXISTS (SELECT * FROM sqlite_master)").fetchone()[0]


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse the file of another program, or of a newer version.

    Raises:
        NoLedger: if it is one.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application != APPLICATION:
        raise NoLedger(f"{path} is a database of another program, and is not touched; name another file")
    (schema,) = connection.execute("PRAGMA user_version").fetchone()
    if schema > SCHEMA:
        raise NoLedger(
            f"{path} was written by a newer eleusis-ai: its layout is {schema}, and this one knows {SCHEMA}; "
            "install the newer one again, or name another file"
        )


def _look_through(connection: sqlite3.Connection) -> None:
    """Read the whole file.

    Raises:
        sqlite3.DatabaseError: if it is damaged.
    """
    (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if found != "ok":
        raise sqlite3.DatabaseError(found)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell what SQLite or the system says of a file in a sentence."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise LedgerTaken(f"another program holds {path}: {error}; close it") from error
        raise NoLedger(f"{path} is out of reach: {error}") from error
    except sqlite3.DatabaseError as error:
        raise NoLedger(f"{path} is damaged or no ledger: {error}; a backup in its place is read instead") from error
    except OSError as error:
        raise NoLedger(f"{path} is out of reach: {error}") from error


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do something wholly or not at all; it is on the disk afterwards."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _waiting(jobs: SimpleQueue[_Job | None]) -> Iterator[_Job | None]:
    """Wait for a job, and yield it with those that wait behind it; nothing comes after None."""
    yield jobs.get()
    with suppress(Empty):
        for _ in range(GROUP):
            yield jobs.get_nowait()


def _empty_log(path: Path) -> None:
    """Move what was written last into the file itself, so that the log beside it holds nothing that was forgotten."""
    with closing(_connected(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
