"""The hall: all tables of one server, made, found, and brought back after a restart."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from eleusis_ai.registry import find, registered
from eleusis_ai.seats.web.crew import Crew
from eleusis_ai.seats.web.entries import InvalidEntry, TableFounded, read_entry, write_entry
from eleusis_ai.seats.web.errands import chosen
from eleusis_ai.seats.web.ledger import Ledger
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.setting import InvalidTable, TableSetting
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


class UnknownTable(LookupError):
    """A table that is not in the hall."""


class FullHall(ValueError):
    """A hall that takes no more tables."""


@dataclass(frozen=True, slots=True)
class Founding:
    """A table that was made."""

    table: str
    """Its token: who knows it may come."""
    token: str
    """The host's token."""


class Hall:
    """All tables of a server; made by `open`."""

    def __init__(self, staff: Staff, *, most: int) -> None:
        self._staff, self._most = staff, most
        self._tables: dict[str, LiveTable] = {}
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
                sitting = Sitting.of(map(read_entry, lines))
            except InvalidEntry as error:
                _LOG.warning("a table cannot be brought back, and is set aside: %s", error)
                hall.set_aside[name] = str(error)
                continue
            hall._tables[name] = LiveTable(name, sitting, hall._staff)
        for table in hall._tables.values():
            table.wake()
        return hall

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
        setting.check_agents(self.agents)
        if len(self._tables) >= self._most:
            raise FullHall(f"there are {self._most} tables here, and no more are made; come back later")
        if await self._staff.aside(lambda: chosen(setting, "any")) is None:
            raise InvalidTable(
                f"{setting.dealer!r} has no rule for {setting.profile} of the family {setting.family!r}; "
                "leave the family out"
            )
        founding = Founding(new_token(), new_token())
        entry = TableFounded(setting=setting, seed=seed or new_token(), host=mark_of(founding.token))
        table = LiveTable(founding.table, Sitting(entry), self._staff)
        self._tables[founding.table] = table
        try:
            await self._staff.ledger.append(founding.table, 1, write_entry(entry))
        except BaseException:
            del self._tables[founding.table]
            raise
        return founding

    def find(self, name: str) -> LiveTable:
        """Return the table of a token.

        Raises:
            UnknownTable: if there is none.
        """
        table = self._tables.get(name)
        if table is None:
            raise UnknownTable("there is no such table; it may have been idle for so long that it was cleared away")
        return table

    async def purge(self, idle: float) -> int:
        """Forget the tables at which nothing has happened for ``idle`` seconds, and return how many.

        Raises:
            NotWritten: if the disk does not take it; then nothing is forgotten.
        """
        names = await self._staff.ledger.purge(idle)
        for name in names:
            self.set_aside.pop(name, None)
            if table := self._tables.pop(name, None):
                await table.close(FORGOTTEN)
        return len(names)

    async def close(self) -> None:
        """Let everybody go, and end what works for the hall; the tables stay in the ledger."""
        for table in self.tables:
            await table.close(GOING_AWAY)
        self._staff.workshop.shutdown(cancel_futures=True)
        await self._staff.crew.close()
        self._staff.ledger.close()
