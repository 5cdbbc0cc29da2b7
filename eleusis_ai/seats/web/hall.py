"""The hall: all tables of one server, made, found, and brought back after a restart."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from eleusis_ai.registry import find, registered
from eleusis_ai.seats.web.classroom import Classroom
from eleusis_ai.seats.web.crew import Crew
from eleusis_ai.seats.web.entries import ClassOpened, Entry, InvalidEntry, TableFounded, read_entry, write_entry
from eleusis_ai.seats.web.errands import chosen
from eleusis_ai.seats.web.ledger import Ledger
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.setting import ClassSetting, InvalidTable, TableSetting
from eleusis_ai.seats.web.sitting import Sitting
from eleusis_ai.seats.web.staff import Staff
from eleusis_ai.seats.web.tokens import mark_of, new_token

AGENTS = ("elimination:beginner", "elimination:club", "elimination:master", "tree", "random")
"""The agents that are offered, unless others are named."""
MOST_TABLES = 1000
"""Tables that a hall has at most."""
GOING_AWAY = 1012
"""The code with which clients are let go when the server ends."""
FORGOTTEN = 4404
"""The code with which clients are let go whose table is no more."""
_LOG = logging.getLogger(__name__)


MOST_CLASSES = 40
"""Classes that a hall has at most."""
UNUSED = 86_400.0
"""Seconds after which a table at which nobody ever sat makes room for another, in a hall that is full."""


class UnknownTable(LookupError):
    """A table or a class that is not in the hall."""


class FullHall(ValueError):
    """A hall that takes no more tables or classes."""


@dataclass(frozen=True, slots=True)
class Founding:
    """A table that was made."""

    table: str
    """Its token: who knows it may come."""
    token: str
    """The host's token."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A class that was opened."""

    group: str
    """Its token: pupils come by it."""
    token: str
    """The teacher's token."""


class Hall:
    """All tables of a server; made by `open`."""

    def __init__(self, staff: Staff, *, most: int) -> None:
        self._staff, self._most = staff, most
        self._tables: dict[str, LiveTable] = {}
        self._classes: dict[str, Classroom] = {}
        self.set_aside: dict[str, str] = {}
        """Tables of the ledger that cannot be brought back, with the reason."""

    @classmethod
    async def open(
        cls, ledger: Ledger, crew: Crew, *, agents: Sequence[str] = AGENTS, most: int = MOST_TABLES
    ) -> Hall:
        """Bring back all tables of the ledger as they were acknowledged, and let their agents go on.

        Args:
            ledger: Where the tables are kept.
            crew: Where agents think.
            agents: The agents that persons may seat, by name or address.
            most: Tables that there may be.

        Raises:
            UnknownPart: if there is no such agent.
        """
        for agent in agents:
            if agent not in registered("agents"):  # what is registered takes seconds to load, in the crew alone
                find("agents", agent)
        workshop = ThreadPoolExecutor(2, thread_name_prefix="workshop")
        hall = cls(Staff(ledger, crew, tuple(agents), workshop), most=most)
        for name, lines in ledger.tables():
            try:
                hall._bring_back(name, [read_entry(line) for line in lines])
            except InvalidEntry as error:
                _LOG.warning("a table cannot be brought back, and is set aside: %s", error)
                hall.set_aside[name] = str(error)
        for table in hall._tables.values():
            if table.sitting.group in hall._classes:
                hall._classes[table.sitting.group].add(table)
            table.wake()
        return hall

    def _bring_back(self, name: str, entries: list[Entry]) -> None:
        """Make a table or a class of its log.

        Raises:
            InvalidEntry: if that cannot be.
        """
        if isinstance(entries[0], ClassOpened):
            self._classes[name] = self._classroom(name, entries[0])
        else:
            self._tables[name] = LiveTable(name, Sitting.of(entries), self._staff)

    @property
    def tables(self) -> tuple[LiveTable, ...]:
        """The tables, in the order in which they came."""
        return tuple(self._tables.values())

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents that may be seated."""
        return self._staff.agents

    async def found(self, setting: TableSetting, *, seed: str | None = None) -> Founding:
        """Make a table; it is on the disk when this returns.

        Args:
            setting: How it is laid.
            seed: Names all that is drawn by chance; None: one that nobody can guess.

        Raises:
            InvalidTable: if it cannot be laid so here.
            FullHall: if there are too many tables.
            NotWritten: if the disk does not take it.
        """
        await self._check(setting)
        token = new_token()
        table = await self._found(TableFounded(setting=setting, seed=seed or new_token(), host=mark_of(token)))
        return Founding(table.name, token)

    async def open_class(self, setting: ClassSetting) -> Opening:
        """Open a class; it is on the disk with its tables when this returns.

        Raises:
            InvalidTable: if its tables cannot be laid so here.
            FullHall: if there are too many tables or classes.
            NotWritten: if the disk does not take it.
        """
        await self._check(setting.table)
        if len(self._classes) >= MOST_CLASSES:
            raise FullHall(f"there are {MOST_CLASSES} classes here, and no more are opened; come back later")
        opening = Opening(new_token(), new_token())
        entry = ClassOpened(setting=setting, teacher=mark_of(opening.token))
        await self._staff.ledger.append(opening.group, 1, write_entry(entry))
        room = self._classes[opening.group] = self._classroom(opening.group, entry)
        await room.make(setting.tables)
        return opening

    def _classroom(self, name: str, opened: ClassOpened) -> Classroom:
        return Classroom(name, opened, self._staff, self._found_in_class)

    async def _found_in_class(self, room: Classroom, host: str) -> LiveTable:
        """Make a table of a class, whose host has the token of this mark."""
        place = max((table.sitting.place for table in room.tables), default=0) + 1
        return await self._found(
            TableFounded(
                setting=room.setting.table,
                seed=new_token(),
                host=host,
                group=room.name,
                place=place,
                teacher=None if host == room.teacher else room.teacher,
            )
        )

    async def _check(self, setting: TableSetting) -> None:
        """Refuse a table that cannot be laid here.

        Raises:
            InvalidTable: saying why.
        """
        setting.check_agents(self.agents)
        if await self._staff.aside(lambda: chosen(setting, "any")) is None:
            raise InvalidTable(
                f"{setting.dealer!r} has no rule for {setting.profile} of the family {setting.family!r}; "
                "leave the family out"
            )

    async def _found(self, entry: TableFounded) -> LiveTable:
        if len(self._tables) >= self._most:
            await self._forget(UNUSED, [each.name for each in self.tables if each.unused])
        if len(self._tables) >= self._most:
            raise FullHall(f"there are {self._most} tables here, and no more are made; come back later")
        table = LiveTable(new_token(), Sitting(entry), self._staff)
        self._tables[table.name] = table
        try:
            await self._staff.ledger.append(table.name, 1, write_entry(entry))
        except BaseException:
            del self._tables[table.name]
            raise
        return table

    def find(self, name: str) -> LiveTable:
        """Return the table of a token.

        Raises:
            UnknownTable: if there is none.
        """
        table = self._tables.get(name)
        if table is None:
            raise UnknownTable("there is no such table; it may have been idle for so long that it was cleared away")
        return table

    def find_class(self, name: str) -> Classroom:
        """Return the class of a token.

        Raises:
            UnknownTable: if there is none.
        """
        room = self._classes.get(name)
        if room is None:
            raise UnknownTable("there is no such class; it may have been idle for so long that it was cleared away")
        return room

    async def purge(self, idle: float) -> int:
        """Forget the tables at which nothing has happened for ``idle`` seconds, and return how many.

        A class goes once it has no tables any more.

        Raises:
            NotWritten: if the disk does not take it; then nothing is forgotten.
        """
        spared = [name for name, room in self._classes.items() if room.tables]
        return await self._leave(await self._staff.ledger.purge(idle, spared=spared))

    async def _forget(self, idle: float, among: Sequence[str]) -> int:
        """Forget those of some tables at which nothing has happened for ``idle`` seconds."""
        return await self._leave(await self._staff.ledger.purge(idle, among=among))

    async def _leave(self, names: Sequence[str]) -> int:
        """Let go of what the ledger has forgotten, and return how many tables these are."""
        for name in names:
            self.set_aside.pop(name, None)
            if table := self._tables.pop(name, None):
                if table.sitting.group in self._classes:
                    self._classes[table.sitting.group].lose(table)
                await table.close(FORGOTTEN)
            if room := self._classes.pop(name, None):
                await room.close(FORGOTTEN)
        return len(names)

    async def close(self) -> None:
        """Let everybody go, and end what works for the hall; the tables stay in the ledger."""
        for room in self._classes.values():
            await room.close(GOING_AWAY)
        for table in self.tables:
            await table.close(GOING_AWAY)
        self._staff.workshop.shutdown(cancel_futures=True)
        await self._staff.crew.close()
        self._staff.ledger.close()
