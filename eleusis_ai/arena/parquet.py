"""The rounds of a run as three tables in Parquet files: rounds, seats and moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from eleusis_ai.arena.outcomes import Timing
from eleusis_ai.arena.rows import MoveRow, RoundRow, SeatRow, rows
from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.registry import MissingExtra

GROUP = 20_000
"""About how many rows of a table are held in memory, and stand in one row group."""
TABLES: Mapping[str, type[msgspec.Struct]] = {"rounds": RoundRow, "seats": SeatRow, "moves": MoveRow}
"""What a row of each table holds; a table's file is called after it."""
_TYPES = {
    str: "string",
    str | None: "string",
    int: "int64",
    int | None: "int64",
    float | None: "double",
    bool: "bool",
    bool | None: "bool",
}


def write_tables(store: Store, folder: Path) -> dict[str, int]:
    """Write the rounds of a run into ``folder``, and return how many rows each table has.

    Raises:
        NoRecord: if there is no run.
        InvalidRecord: if a record does not replay; the message names it.
        MissingExtra: without pyarrow.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("a Parquet file", "parquet") from error
    if not store.log.is_file():
        raise NoRecord(f"there is no run in {store.folder}; name a tournament's folder, as in runs/quick-1")
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        tables = [_Table(arrow, parquet, folder / f"{name}.parquet", row) for name, row in TABLES.items()]
        for table in tables:
            stack.callback(table.close)
        for line in store.lines():
            timing = None if line.timing is None else msgspec.json.decode(line.timing, type=Timing)
            try:
                found = rows(Record.parse(line.record), timing, place=line.at)
            except InvalidRecord as error:
                raise InvalidRecord(f"{store.log}, line {line.at}: {error}") from None
            for table, some in zip(tables, found, strict=True):
                table.extend(some)
    return {name: table.written for name, table in zip(TABLES, tables, strict=True)}


class _Table:
    """A table that is written in groups of rows."""

    written: int
    """How many rows there are so far."""

    def __init__(self, arrow: Any, parquet: Any, path: Path, row: type[msgspec.Struct]) -> None:
        self._arrow, self._names = arrow, row.__struct_fields__
        hints = get_type_hints(row)
        self._schema = arrow.schema([(name, self._type(hints[name])) for name in self._names])
        self._writer = parquet.ParquetWriter(path, self._schema, compression="zstd")
        self._waiting: list[msgspec.Struct] = []
        self.written = 0

    def extend(self, some: Sequence[msgspec.Struct]) -> None:
        """Add rows."""
        self._waiting += some
        if len(self._waiting) >= GROUP:
            self._write()

    def close(self) -> None:
        """Write what is waiting, and close the file."""
        if self._waiting:
            self._write()
        self._writer.close()

    def _write(self) -> None:
        columns = {name: [getattr(row, name) for row in self._waiting] for name in self._names}
        self._writer.write_table(self._arrow.table(columns, schema=self._schema))
        self.written += len(self._waiting)
        self._waiting.clear()

    def _type(self, hint: Any) -> Any:
        """Return the type of a column; cards are lists of texts."""
        name = _TYPES.get(hint)
        return self._arrow.list_(self._arrow.string()) if name is None else self._arrow.type_for_alias(name)
