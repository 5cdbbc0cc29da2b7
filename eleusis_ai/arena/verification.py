"""Whether a run is what its config asks for: each round of the schedule once, in order, with points that replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.schedule import Schedule, Table
from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.round import Round
from eleusis_ai.seeds import generator


def verify_run(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the run in ``folder``, a sentence each.

    Raises:
        NoRecord: if there is no run in it.
        UnknownPart: if there is no such dealer as its config names.
    """
    store = Store(folder)
    if not store.config.is_file() or not store.log.is_file():
        raise NoRecord(f"there is no run in {folder}; name a tournament's folder, as in runs/quick-1")
    config = load_config(store.config)
    schedule = Schedule(config)
    tables = {table.key: table for table in schedule.tables(range(schedule.rounds))}
    missing = dict.fromkeys(tables)
    order = {key: at for at, key in enumerate(tables)}
    last = next(iter(tables))
    for number, line in enumerate(store.log.read_bytes().splitlines(keepends=True), start=1):
        where = f"{store.log}, line {number}"
        try:
            record = Record.parse(line)
        except InvalidRecord as error:
            yield f"{where}: {error}"
            continue
        where = f"{where}, {record.key}"
        if record.key not in tables:
            yield f"{where}: the schedule has no such round"
            continue
        if record.key not in missing:
            yield f"{where}: this round stands there already"
            continue
        del missing[record.key]
        if order[record.key] < order[last]:
            yield f"{where}: out of order, since it comes before {last}"
        last = max(last, record.key, key=order.__getitem__)
        yield from (f"{where}: {problem}" for problem in _problems(config, tables[record.key], record))
        if not line.endswith(b"\n"):
            yield f"{where}: the line has no end"
    if missing:
        yield (
            f"{store.log}: {len(missing)} of {len(tables)} rounds are not there, the first is {next(iter(missing))}; "
            f"a run goes on by eleusis tournament {store.config} --out {folder} --resume"
        )


def _problems(config: TournamentConfig, table: Table, record: Record) -> Iterator[str]:
    """Yield what is wrong with one round."""
    dealt = _dealt(config, table)
    for name in record.__struct_fields__:
        came, wanted = getattr(record, name), getattr(dealt, name)
        if name not in ("moves", "substitutes", "scores") and came != wanted:
            yield f"its {name} is {came!r:.80}, and the config asks for {wanted!r:.80}"
    try:
        if not record.replay().over:
            yield "the round is not over"
        elif record.scores is None:
            yield "the round is over, and its points are not there"
    except InvalidRecord as error:
        yield str(error)


def _dealt(config: TournamentConfig, table: Table) -> Record:
    """Return the record of the round as it is dealt, before anyone has moved."""
    profile = profile_from(config.profile)
    round_ = Round.deal(
        profile,
        table.rule,
        seats=config.seats,
        dealer=table.dealer,
        deck=shuffled_deck(profile, generator(f"{table.chance}/deck")),
        hint=table.hint,
        rng=generator(f"{table.chance}/lot"),
    )
    return msgspec.structs.replace(round_.record(), key=table.key, agents=table.names)
