"""A class: many tables that are laid alike, with one board, to which pupils come by one link."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from typing import TypeVar

import msgspec

from eleusis_ai.seats.web import replies
from eleusis_ai.seats.web.answering import answered
from eleusis_ai.seats.web.board import Seated, Welcome, You, board_of, is_ready
from eleusis_ai.seats.web.entries import ClassOpened
from eleusis_ai.seats.web.listener import Listener
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.requests import (
    ClassRequest,
    Enter,
    Fill,
    Join,
    MakeTables,
    Next,
    Ping,
    Refused,
    SeatAgent,
    Start,
    person_name,
    read_class_request,
)
from eleusis_ai.seats.web.setting import MOST_TABLES, InvalidTable, check_agent
from eleusis_ai.seats.web.sitting import Phase, Who
from eleusis_ai.seats.web.staff import Staff, undisturbed
from eleusis_ai.seats.web.tokens import mark_of, new_token

SETTLING = 0.5
"""Seconds in which things happen before the board shows them."""
_TEACHER = Who(None, host=True)
_Came = TypeVar("_Came")


class Classroom:
    """A class with those who look at its board."""

    def __init__(
        self, name: str, opened: ClassOpened, staff: Staff, found: Callable[[Classroom, str], Awaitable[LiveTable]]
    ) -> None:
        """Open the class.

        Args:
            name: Its token, which pupils have.
            opened: How it was opened.
            staff: Who works for the hall.
            found: Makes a table for it, whose host has a token with this mark.
        """
        self.name = name
        self.setting = opened.setting
        self.teacher = opened.teacher
        """The mark of the teacher's token."""
        self.tables: list[LiveTable] = []
        """In the order of their numbers."""
        self._staff, self._found = staff, found
        self._listeners: dict[Listener, None] = {}
        self._turn = asyncio.Lock()
        self._settling: asyncio.Task[None] | None = None
        self._closed: int | None = None

    def add(self, table: LiveTable) -> None:
        """Take a table in."""
        self.tables.append(table)
        self.tables.sort(key=lambda each: each.sitting.place)
        table.changed = self.changed
        self.changed()

    def lose(self, table: LiveTable) -> None:
        """Take note that a table is no more."""
        self.tables.remove(table)
        self.changed()

    def changed(self) -> None:
        """See to it that the board is shown anew soon: once, for all that happens meanwhile."""
        if self._listeners and self._closed is None and (self._settling is None or self._settling.done()):
            self._settling = asyncio.ensure_future(self._show())

    async def close(self, code: int) -> None:
        """Let everybody go."""
        self._closed = code
        for listener in self._listeners:
            listener.drop(code)
        self._listeners.clear()
        if self._settling is not None:
            self._settling.cancel()
            await asyncio.wait([self._settling])

    # What clients do.

    @property
    def strangers(self) -> int:
        """How many look on without the teacher's token."""
        return sum(map(self.is_stranger, self._listeners))

    def is_stranger(self, listener: Listener) -> bool:
        """Tell whether a client does not show the teacher's token."""
        return listener.mark is None or not compare_digest(listener.mark, self.teacher)

    async def take(self, listener: Listener, message: str | bytes) -> None:
        """Do what a client's message asks for, and answer it; whatever it is, the class goes on."""
        await answered(message, listener, read=read_class_request, do=self._do)

    async def gone(self, listener: Listener) -> None:
        """Take note that a client looks no more."""
        if listener in self._listeners:
            del self._listeners[listener]
            self.changed()

    async def _do(self, request: ClassRequest, listener: Listener) -> None:
        match request:
            case Enter(token=token):
                self._enter(listener, token)
                return
            case Ping():
                count = len(self.tables)
            case Join(name=name):
                await undisturbed(self._in_turn(self._join(request.id, person_name(name), listener)))
                return
            case MakeTables(name=str(name)):
                await undisturbed(self._in_turn(self._make_own(request.id, person_name(name), listener)))
                return
            case MakeTables():
                self._check_teacher(listener)
                count = await undisturbed(self._in_turn(self.make(request.count)))
            case Fill(agent=agent):
                self._check_teacher(listener)
                count = await undisturbed(self._in_turn(self._fill(agent)))
            case Start() | Next():
                self._check_teacher(listener)
                count = await undisturbed(self._in_turn(self._begin(request)))
        listener.offer(replies.done(request.id, count))

    def _enter(self, listener: Listener, token: str | None) -> None:
        listener.token, listener.mark = token, None if token is None else mark_of(token)
        listener.entered = True
        if self._closed is not None:
            listener.drop(self._closed)
            return
        self._listeners[listener] = None
        you = You(teacher=not self.is_stranger(listener))
        welcome = Welcome(you=you, setting=self.setting, agents=self._staff.agents)
        listener.offer(msgspec.json.encode(welcome))
        listener.offer(self._board())
        self.changed()

    def _check_teacher(self, listener: Listener) -> None:
        if self.is_stranger(listener):
            raise Refused("not-yours", "only who opened the class may do that")

    async def _in_turn(self, work: Awaitable[_Came]) -> _Came:
        async with self._turn:
            return await work

    # What becomes of it. To be called in the class's turn.

    async def make(self, count: int) -> int:
        """Make so many tables, and return how many there are.

        Raises:
            Refused: if there are too many.
            FullHall: if the hall takes no more.
            NotWritten: if the disk does not take one.
        """
        self._check_room(count)
        for _ in range(count):
            self.add(await self._found(self, self.teacher))
        return len(self.tables)

    def _check_room(self, count: int) -> None:
        if len(self.tables) + count > MOST_TABLES:
            raise Refused("full", f"a class has {MOST_TABLES} tables at most; there are {len(self.tables)}")

    async def _make_own(self, id_: int | None, name: str, listener: Listener) -> None:
        if not self.setting.pupils_make and self.is_stranger(listener):
            raise Refused("not-yours", "the teacher makes the tables of this class")
        self._check_room(1)
        self._check_name(name)
        token = new_token()
        table = await self._found(self, mark_of(token))
        self.add(table)
        await self._sit_down(id_, table, name, token, listener)

    async def _join(self, id_: int | None, name: str, listener: Listener) -> None:
        """Seat a pupil at the fullest table that has a free chair."""
        self._check_name(name)
        free = [table for table in self.tables if any(chair.kind == "open" for chair in table.sitting.chairs)]
        if not free:
            more = "make one, or ask for one" if self.setting.pupils_make else "the teacher may make another table"
            raise Refused("full", f"no chair is free; {more}")
        table = max(free, key=lambda each: sum(chair.person is not None for chair in each.sitting.chairs))
        await self._sit_down(id_, table, name, new_token(), listener)

    async def _sit_down(self, id_: int | None, table: LiveTable, name: str, token: str, listener: Listener) -> None:
        await table.order(Join(name=name), Who(None, host=False), token=token)
        seated = Seated(id=id_, table=table.name, place=table.sitting.place, token=token)
        listener.offer(msgspec.json.encode(seated))

    def _check_name(self, name: str) -> None:
        chairs = (chair for table in self.tables for chair in table.sitting.chairs)
        if any(chair.person is not None and chair.person.name.casefold() == name.casefold() for chair in chairs):
            raise Refused("name", f"there is a {name} in the class already; take another name")

    async def _fill(self, agent: str) -> int:
        """Put an agent on the open chairs of all tables at which somebody sits; return how many chairs that were."""
        try:
            check_agent(agent, self._staff.agents)
        except InvalidTable as error:
            raise Refused("agent", str(error)) from None
        done = 0
        for table in self.tables:
            chairs = table.sitting.chairs
            if any(chair.person is not None for chair in chairs):
                for seat in [seat for seat, chair in enumerate(chairs) if chair.kind == "open"]:
                    done += await self._ordered(table, SeatAgent(seat=seat, agent=agent))
        return done

    async def _begin(self, request: Start | Next) -> int:
        """Begin a round at all tables that are ready for it, and return how many these are."""
        phase = Phase.GATHERING if isinstance(request, Start) else Phase.OVER
        ready = [table for table in self.tables if table.sitting.phase is phase and is_ready(table.sitting)]
        return sum([await self._ordered(table, request) for table in ready])

    async def _ordered(self, table: LiveTable, request: SeatAgent | Start | Next) -> bool:
        """Order something at a table; False: it has changed meanwhile, and does not do it."""
        try:
            await table.order(request, _TEACHER)
        except Refused:
            return False
        return True

    async def _show(self) -> None:
        await asyncio.sleep(SETTLING)
        self._settling = None
        board = self._board()
        for listener in self._listeners:
            listener.offer(board)

    def _board(self) -> bytes:
        return board_of(self.tables, watching=len(self._listeners))
