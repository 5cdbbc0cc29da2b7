"""The file in which an evening is kept: who sits at the table, then one answer a line."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from eleusis_ai.logs import sync
from eleusis_ai.seats.evening import Entry, Evening, Misfit, Party


class InvalidDiary(ValueError):
    """A file that keeps no evening; the message names the line."""


def write_diary(path: Path, party: Party, entries: Sequence[Entry]) -> None:
    """Keep an evening; at any moment the old file or the new one is on the disk.

    Raises:
        OSError: if it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    with part.open("wb") as file:
        file.write(b"".join(msgspec.json.encode(line) + b"\n" for line in (party, *entries)))
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    sync(path.parent)


def read_diary(path: Path) -> Evening:
    """Read an evening that was kept.

    Raises:
        InvalidDiary: naming the line that is damaged, or that does not fit to those before it.
        OSError: if the file cannot be read.
    """
    first, *rest = path.read_bytes().split(b"\n")
    evening = _begun(path, first)
    if rest and not rest[-1]:
        rest.pop()
    for number, line in enumerate(rest, start=2):
        try:
            evening.take(msgspec.json.decode(line, type=Entry))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Misfit) as error:
            raise InvalidDiary(
                f"{path}, line {number} is damaged: {error}; keep a copy, and cut the file off before that line to "
                "go on from there"
            ) from None
    return evening


def _begun(path: Path, line: bytes) -> Evening:
    try:
        party = msgspec.json.decode(line, type=Party)
        if party.companion != 1:
            raise InvalidDiary(f"version {party.companion} of the file cannot be read; version 1 can")
        seats = range(len(party.names))
        if party.seat not in seats or party.dealer not in seats or party.seat == party.dealer:
            raise InvalidDiary(f"seats {party.seat} and {party.dealer} are not two of {len(seats)}")
        return Evening(party)
    except (ValueError, UnicodeDecodeError) as error:
        raise InvalidDiary(
            f"{path}, line 1 is damaged: {error}; `eleusis companion` writes one that is whole"
        ) from None
