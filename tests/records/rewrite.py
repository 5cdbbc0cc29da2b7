"""Whole rounds as text, replayed and compared event by event; a change of the engine shows in their diff.

Each ``.txt`` file holds a remark, the record as one line of JSON, and then the round: a line
``seat 2 > 7H 8D (of 197)`` for each move and how many were legal, what happened indented below it (drawn
cards too, which are the seat's secret), and how the table stands at the end.

``python -m tests.records.rewrite`` plays every record again and rewrites what follows from it: points and
events. Read the diff, with `game.md` beside it, before you commit it. A new round needs a file with a remark
(lines that begin with ``#``) and a record (``str(round.record())``); the command does the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from eleusis_ai.cards import cards_text
from eleusis_ai.moves import parse_move
from eleusis_ai.record import Record
from eleusis_ai.round import Round

RECORDS = sorted(Path(__file__).parent.glob("*.txt"))


def read(path: Path) -> tuple[str, Record]:
    """Return the remark of a file, and its record."""
    lines = path.read_text(encoding="utf-8").splitlines()
    remark = [line for line in lines if line.startswith("#")]
    record = next(line for line in lines if line.startswith("{"))
    return "\n".join(remark), Record.parse(record)


def told(round_: Round, moves: tuple[str, ...]) -> Iterator[str]:
    """Play ``moves`` in a round that was just dealt, and yield a line for everything that happens."""
    yield from hands(round_)
    yield from (f"  {event}" for event in round_.events)
    for move in moves:
        legal = round_.legal_moves()
        assert round_.decision is not None, "where moves are legal one is asked for"
        yield f"seat {round_.decision.seat} > {move} (of {legal.count})"
        yield from (f"  {event}" for event in round_.apply(parse_move(move)))
    yield from hands(round_)
    if round_.profile.mistake_cards:
        for seat in round_.scientists:
            yield f"mistake cards of seat {seat}: {cards_text(round_.mistakes[seat])}".rstrip()
    if round_.turns_left is not None:
        yield f"{round_.turns_left} turns left"
    yield f"layout: {round_.layout}"
    yield f"{len(round_.stock)} cards in the stock, {len(round_.reserve)} in reserve, {round_.played} played"


def hands(round_: Round) -> Iterator[str]:
    """Yield a line for each scientist's hand."""
    for seat in round_.scientists:
        yield f"hand of seat {seat}: {cards_text(round_.hands[seat])}".rstrip()


def text(remark: str, record: Record) -> str:
    """Return what the file of ``record`` should hold."""
    round_ = record.deal()
    lines = list(told(round_, record.moves))
    scored = msgspec.structs.replace(record, scores=round_.scores() if round_.over else None)
    return "\n".join([remark, str(scored), "", *lines, ""])


if __name__ == "__main__":
    for path in RECORDS:
        path.write_text(text(*read(path)), encoding="utf-8")
