"""Whether a run is what its config asks for: each round of the schedule once, in order, with points that replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec

from eleusis_ai.arena.config import TournamentConfig, load_config
from eleusis_ai.arena.mending import Rows
from eleusis_ai.arena.outcomes import Outcome
from eleusis_ai.arena.places import Places
from eleusis_ai.arena.schedule import InvalidKey, NoSuchRound, Schedule, Table
from eleusis_ai.arena.store import NoRecord, Store
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.logs import lines
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.round import Round
from eleusis_ai.seeds import generator


def verify_run(folder: Path) -> Iterator[str]:
    """Yield what is wrong with the run in ``folder``, a sentence each. It may be of any length: one round is held.

    Raises:
        NoRecord: if there is no run in it.
        UnknownPart: if there is no such dealer as its config names.
        MissingExtra: if its log is compressed, and zstandard is not installed.
    """
    store = Store(folder)
    if not store.config.is_file() or not store.log.is_file():
        raise NoRecord(f"there is no run in {folder}; name a tournament's folder, as in runs/quick-1")
    check = _Check(store, load_config(store.config))
    try:
        for number, line in enumerate(lines(store.log), start=1):
            yield from (f"{store.log}, line {number}{problem}" for problem in check.line(line))
    except InvalidRecord as error:
        yield str(error)
    yield from check.rest()


class _Check:
    """What has been seen of a run, line by line."""

    def __init__(self, store: Store, config: TournamentConfig) -> None:
        self._store, self._config, self._schedule = store, config, Schedule(config)
        self._there = Places(self._schedule.rounds)
        self._outcomes = Rows(store.logs.outcomes) if store.logs.outcomes.exists() else None
        self._lost = 0
        self._first_lost = ""
        self._asked = self._last = 0
        self._tables = self._schedule.tables(self._numbers())

    def line(self, line: bytes) -> Iterator[str]:
        """Yield what is wrong with a line of the log of records, which its number comes before."""
        try:
            record = Record.parse(line)
        except InvalidRecord as error:
            yield f": {error}"
            return
        where = f", {record.key}"
        try:
            number = self._schedule.number(record.key)
        except (InvalidKey, NoSuchRound):
            yield f"{where}: the schedule has no such round"
            return
        if number in self._there:
            yield f"{where}: this round stands there already"
            return
        self._there.add(number)
        if number < self._last:
            yield f"{where}: out of order, since it comes before {self._schedule.key(self._last)}"
        self._last = max(self._last, number)
        yield from (f"{where}: {problem}" for problem in self._problems(record, self._table(number)))
        if not line.endswith(b"\n"):
            yield f"{where}: the line has no end"

    def rest(self) -> Iterator[str]:
        """Yield what is missing."""
        store = self._store
        if self._lost:
            yield (
                f"{store.logs.outcomes}: {self._lost} outcomes do not stand where their records do, "
                f"the first is that of {self._first_lost}; {_GO_ON} {store.config} --out {store.folder} --resume"
            )
        missing = self._schedule.rounds - len(self._there)
        if missing:
            first = self._schedule.key(next(self._there.missing()))
            yield (
                f"{store.log}: {missing} of {self._schedule.rounds} rounds are not there, the first is {first}; "
                f"{_GO_ON} {store.config} --out {store.folder} --resume"
            )

    def _problems(self, record: Record, table: Table) -> Iterator[str]:
        """Yield what is wrong with one round."""
        dealt = _dealt(self._config, table)
        for name in record.__struct_fields__:
            came, wanted = getattr(record, name), getattr(dealt, name)
            if name not in ("moves", "substitutes", "scores") and came != wanted:
                yield f"its {name} is {came!r:.80}, and the config asks for {wanted!r:.80}"
        outcome = None if self._outcomes is None else self._outcomes.take(record.key)
        if self._outcomes is not None and outcome is None:
            self._lost += 1
            self._first_lost = self._first_lost or record.key
        try:
            played = record.replay()
        except InvalidRecord as error:
            yield str(error)
            return
        if not played.over:
            yield "the round is not over"
        elif record.scores is None:
            yield "the round is over, and its points are not there"
        elif outcome is not None:
            wanted = msgspec.json.encode(Outcome.seen(played, record)).decode()
            if outcome.decode(errors="replace") != wanted:
                yield f"its outcome is not {wanted}, which is what the record gives"

    def _table(self, number: int) -> Table:
        """Return a round of the schedule; a deal's rule is chosen once, while the rounds ascend."""
        if number < self._asked:
            self._tables = self._schedule.tables(self._numbers())
        self._asked = number
        return next(self._tables)

    def _numbers(self) -> Iterator[int]:
        while True:
            yield self._asked


_GO_ON = "a run goes on by eleusis tournament"


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
