"""A program may misbehave as it likes: what is played beside it and after it is the same to the byte."""

from __future__ import annotations

import sys
from collections import ChainMap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.sandbox import Sandbox
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.moves import Attempt, Move
from eleusis_ai.record import Record
from eleusis_ai.view import View
from tests.processes import linux, wait_until

SCRIPT = Path(__file__).with_name("hostile.py")
MARK = token_hex(8)
TIME_LIMIT, MEMORY = 2.0, 100
FAULTS: dict[str, tuple[int | None, str]] = {
    "another version": (1, "raised WrongVersion"),
    "a version that is no number": (1, "raised BadMessage"),
    "no hello": (1, "raised OutOfTurn"),
    "gone at once": (1, "raised Crashed"),
    "a greeting for people": (1, "raised BadJson"),
    "bad JSON": (2, "raised BadJson"),
    "not UTF-8": (2, "raised BadJson"),
    "too deep": (2, "raised BadJson"),
    "a huge number": (2, "raised BadJson"),
    "no object": (2, "raised NotAnObject"),
    "an unknown message": (2, "raised UnknownMessage"),
    "a field missing": (2, "raised BadMessage"),
    "hello again": (2, "raised OutOfTurn"),
    "another decision": (2, "raised WrongDecision"),
    "not a move": (2, "raised NotAMove"),
    "a card it does not hold": (2, "illegal"),
    "a rule nobody asked for": (2, "illegal"),
    "no hope": (2, "raised GaveUp"),
    "silent": (2, "raised Silent"),
    "a byte now and then": (2, "raised Silent"),
    "stopped": (2, "raised Silent"),
    "crash": (2, "raised Crashed"),
    "a fault of memory": (2, "raised Crashed"),
    "flood without an end of line": (2, "raised LongLine"),
    "flood of lines": (2, "raised BadJson"),
    "a long line": (2, "raised LongLine"),
    "endless errors": (2, "raised Silent"),
    "memory without end": (2, "raised OutOfMemory"),
    "output closed": (2, "raised HungUp"),
    "all closed": (2, "raised HungUp"),
    "its keeper killed": (2, "raised Crashed"),
    "its keeper stopped": (2, "raised Silent"),
    "a daemon left behind": (2, "raised Crashed"),
    "a daemon kept": (None, ""),
    "deaf to the end": (None, ""),
    "an error at the end": (None, ""),
    "nobody": (None, ""),
}
"""The kinds of program: at which of its decisions it fails, and how that is called; the last one behaves."""
KINDS = [*FAULTS]


class Substitute:
    """A substitute of this process: plays the first legal move, and from decision ``fails`` on nothing."""

    def __init__(self, *, seat: int, seed: str, fails: int = 0) -> None:
        self.fails, self.decisions = fails, 0

    def act(self, view: View) -> Move:
        self.decisions += 1
        if self.fails and self.decisions >= self.fails:
            raise ZeroDivisionError
        return next(iter(view.legal_moves()))


class Neighbour:
    """Plays the last card of its hand, alone or with the one before it."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.decisions = 0

    def act(self, view: View) -> Move:
        moves = view.legal_moves()
        self.decisions += 1
        if not moves.hand:
            return next(iter(moves))
        return Attempt(moves.hand[-min(moves.longest, 1 + self.decisions % 2) :])


def hostile(kind: str) -> dict[str, Any]:
    command = [sys.executable, "-S", "-E", str(SCRIPT), kind, MARK]
    return {"id": kind, "command": command, "options": {"time_limit": TIME_LIMIT, "memory": MEMORY}}


def substitute(kind: str) -> dict[str, Any]:
    return {"id": kind, "use": f"{__name__}:Substitute", "options": {"fails": FAULTS[kind][0] or 0}}


def tournament(make: Callable[[str], dict[str, Any]], kinds: Sequence[str] = KINDS) -> TournamentConfig:
    return config_from(
        {
            "name": "hostile",
            "profile": "short",
            "seats": 4,
            "seed": 1,
            "deals": 1,
            "schedule": "duplicate",
            "dealer": {"use": "tests.arena.players:Painter"},
            "agents": [*map(make, kinds)],
            "others": [{"use": f"{__name__}:Neighbour", "id": "neighbour"}],
        }
    )


def played(config: TournamentConfig, kinds: Sequence[str]) -> dict[str, Record]:
    """Play one round of each kind, all in one process."""
    schedule = Schedule(config)
    numbers = sorted(schedule.number(f"deal 0 seating {KINDS.index(kind) % 3} hero {kind}") for kind in kinds)
    sandbox = Sandbox(config)
    try:
        records = [Record.parse(line.decode()) for line in sandbox.play(numbers).records]
        return {record.key.partition(" hero ")[2]: record for record in records}
    finally:
        sandbox.close()


@linux
def test_what_is_played_with_them_is_what_is_played_with_substitutes() -> None:
    """Play in four processes at the same time, since most of it is waiting; each ends with the one that behaves."""
    quarters = [[*KINDS[place:-1:4], "nobody"] for place in range(4)]
    with ThreadPoolExecutor(4) as threads:
        found = [*threads.map(partial(played, tournament(hostile)), quarters)]
    assert all(rounds["nobody"] == found[0]["nobody"] for rounds in found)
    rounds, wanted = ChainMap(*found), played(tournament(substitute), KINDS)
    assert [kind for kind in KINDS if without_names(rounds[kind]) != without_names(wanted[kind])] == []
    assert {kind: set(record.substitutes.values()) for kind, record in rounds.items()} == {
        kind: {fault} if fails else set() for kind, (fails, fault) in FAULTS.items()
    }
    wait_until(lambda: not left(MARK))


def without_names(record: Record) -> str:
    """Return the record with the places of stand-ins, and without what they are there for."""
    return str(msgspec.structs.replace(record, substitutes=dict.fromkeys(record.substitutes, "")))


def left(mark: str) -> list[str]:
    """Return the command lines of the processes that have ``mark`` in theirs."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if mark in line:
            found.append(line)
    return found


@linux
def test_a_whole_tournament_in_processes(tmp_path: Path) -> None:
    kinds = ["bad JSON", "crash"]
    run_tournament(tournament(hostile, kinds), tmp_path / "hostile", workers=2)
    run_tournament(tournament(substitute, kinds), tmp_path / "substitutes")
    records, wanted = ([*map(without_names, Store(tmp_path / name).records())] for name in ("hostile", "substitutes"))
    assert len(records) == 6
    assert records == wanted
    assert not left(MARK)
