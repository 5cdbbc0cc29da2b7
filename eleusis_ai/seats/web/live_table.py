"""A table that is played at: it takes requests one after the other, keeps what they write, and tells everybody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Set
from functools import partial

from eleusis_ai.seats.web import replies
from eleusis_ai.seats.web.admission import admitted, check_dealer
from eleusis_ai.seats.web.answering import answered
from eleusis_ai.seats.web.entries import Entry, MoveMade, PersonJoined, PersonLeft, RuleGiven, write_entry
from eleusis_ai.seats.web.errands import Answer, entry_of, player_of, reasoned, run, think
from eleusis_ai.seats.web.frames import private_part, public_part, state_frame
from eleusis_ai.seats.web.ledger import NotWritten
from eleusis_ai.seats.web.listener import DEFECT, TOO_SLOW, Listener
from eleusis_ai.seats.web.looking_over import look_over
from eleusis_ai.seats.web.requests import (
    AskAdvice,
    Deal,
    Enter,
    Join,
    Leave,
    LookOver,
    Ping,
    Refused,
    Request,
    read_request,
)
from eleusis_ai.seats.web.sitting import Errand, Phase, Sitting, Who
from eleusis_ai.seats.web.staff import Staff, undisturbed
from eleusis_ai.seats.web.tokens import mark_of, new_token

MOST_ENTRIES = 20_000
"""Entries of a table's log; it takes no more."""
HEARSAY = 0.2
"""Seconds until everybody hears who has come or gone: if many do, they are told once."""
MOST_COMINGS = 1000
"""Entries before the first round after which nobody comes or goes: the log is for rounds."""
MOST_WINDOWS = 8
"""Sockets of one person at a table; the one that has been there longest makes room for the next."""
MOST_ENTRANCES = 20
"""How often one socket comes to the table, at most: each time it is told everything."""
RETRY = 2.0
"""Seconds until what the disk did not take is tried again."""
_LOG = logging.getLogger(__name__)


class LiveTable:
    """One table with its listeners. Nothing is told before it is on the disk."""

    def __init__(self, name: str, sitting: Sitting, staff: Staff) -> None:
        self.name = name
        """The table's token, under which the ledger keeps it."""
        self.sitting = sitting
        """Its state; it changes only in the table's turn."""
        self.changed: Callable[[], None] | None = None
        """Called when something has changed that the board of a class shows."""
        self._staff = staff
        self._listeners: dict[Listener, None] = {}
        self._turn, self._looking_over, self._advising = asyncio.Lock(), asyncio.Lock(), asyncio.Lock()
        self._errands: asyncio.Task[None] | None = None
        self._hearsay: asyncio.Task[None] | None = None
        self._unheard = False
        """Whether somebody has come or gone of which not everybody was told."""
        self._closed: int | None = None

    @property
    def unused(self) -> bool:
        """Whether nothing ever happened here, and nobody is there; tables of a class wait for it."""
        return self.sitting.number == 1 and not self._listeners and self.sitting.group is None

    @property
    def present(self) -> frozenset[int]:
        """The seats whose persons listen."""
        return frozenset(seat for seat in map(self._seat, self._listeners) if seat is not None)

    @property
    def strangers(self) -> int:
        """How many clients listen that show no token of the table."""
        return sum(map(self.is_stranger, self._listeners))

    def is_stranger(self, listener: Listener) -> bool:
        """Tell whether a client shows no token of the table."""
        return self.sitting.who(listener.mark) == Who(None, host=False)

    def wake(self) -> None:
        """See to it that agents go on, if it is their turn."""
        idle = self._errands is None or self._errands.done()
        if idle and self._closed is None and self.sitting.errand() is not None:
            self._errands = asyncio.ensure_future(self._run_errands())

    async def close(self, code: int) -> None:
        """Let everybody go, and do nothing more."""
        self._closed = code
        for listener in self._listeners:
            listener.drop(code)
        if works := [work for work in (self._errands, self._hearsay) if work is not None]:
            for work in works:
                work.cancel()
            await asyncio.wait(works)
        async with self._turn:  # what is being kept is kept to its end
            self._listeners.clear()

    # What clients do.

    async def take(self, listener: Listener, message: str | bytes) -> None:
        """Do what a client's message asks for, and answer it; whatever it is, the table goes on."""
        await answered(message, listener, read=read_request, do=self._do)

    async def order(self, request: Request, who: Who, *, token: str = "") -> None:
        """Do what is asked for from elsewhere than the table.

        Args:
            request: One that writes an entry.
            who: As what it is asked for.
            token: By which one who joins comes back.

        Raises:
            Refused: if it may not be done.
            NotWritten: if the disk does not take it; then nothing has changed.
        """
        async with self._turn:
            await self._record(request, who, token)
            await self._tell()

    async def gone(self, listener: Listener) -> None:
        """Take note that a client listens no more."""
        if listener in self._listeners:
            await undisturbed(self._go(listener))

    async def _do(self, request: Request, listener: Listener) -> None:
        match request:
            case Enter(token=token):
                await undisturbed(self._enter(listener, token))
            case Ping():
                listener.offer(replies.done(request.id, self.sitting.number))
            case LookOver():
                await self._look_over(request, listener)
            case AskAdvice():
                await self._advise(request, listener)
            case Leave() if self.sitting.phase is not Phase.GATHERING:
                await undisturbed(self._step_back(request, listener))
            case _:
                await undisturbed(self._write(request, listener))

    async def _enter(self, listener: Listener, token: str | None) -> None:
        async with self._turn:
            listener.token, listener.mark = token, None if token is None else mark_of(token)
            listener.entered, listener.away = True, False
            listener.entrances += 1
            if listener.entrances > MOST_ENTRANCES:
                listener.drop(TOO_SLOW)
                return
            if self._closed is not None:
                listener.drop(self._closed)
                return
            self._listeners[listener] = None
            self._make_room(listener)
            await self._greet(listener)

    def _make_room(self, newcomer: Listener) -> None:
        """Let the oldest go of those who show the same token as a newcomer, if they are too many."""
        if self.is_stranger(newcomer):
            return
        same = [each for each in self._listeners if each.mark == newcomer.mark and each is not newcomer]
        for each in same[: max(0, len(same) + 1 - MOST_WINDOWS)]:
            each.drop(TOO_SLOW)

    async def _go(self, listener: Listener) -> None:
        async with self._turn:
            self._listeners.pop(listener, None)
            self._announce()

    async def _step_back(self, request: Leave, listener: Listener) -> None:
        async with self._turn:
            if self._who(listener).seat is None:
                raise Refused("not-yours", "you have no chair here; join first")
            listener.away = True
            await self._greet(listener)
            listener.offer(replies.done(request.id, self.sitting.number))

    async def _write(self, request: Request, listener: Listener) -> None:
        """Write what a request asks for into the log, and do it."""
        async with self._turn:
            who = self._who(listener)
            # The host has a token already; it serves for his chair too.
            token = listener.token if who.host and listener.token is not None else new_token()
            await self._record(request, who, token)
            if isinstance(request, Join):
                listener.token, listener.mark, listener.away = token, mark_of(token), False
                self._welcome(listener, token)
            elif isinstance(request, Leave):
                self._welcome(listener)
            await self._tell()
            listener.offer(replies.done(request.id, self.sitting.number))

    async def _record(self, request: Request, who: Who, token: str) -> None:
        """Write what a request makes of the table. To be called in its turn."""
        decide = partial(admitted, request, self.sitting, who, token=mark_of(token), offered=self._staff.agents)
        await self._keep(await self._staff.aside(decide) if isinstance(request, Deal) else decide())

    async def _look_over(self, request: LookOver, listener: Listener) -> None:
        check_dealer(self.sitting, self._who(listener))
        profile = self.sitting.profile
        async with self._looking_over:
            found = await self._staff.aside(lambda: look_over(request.rule, request.starter, profile))
            frame = await self._staff.aside(lambda: replies.reviewed(request.id, found))
        listener.offer(frame)

    async def _advise(self, request: AskAdvice, listener: Listener) -> None:
        sitting, seat, agent = self.sitting, self._who(listener).seat, self.sitting.setting.hint
        if agent is None:
            raise Refused("not-now", "nobody advises at this table")
        decision = None if sitting.phase is not Phase.PLAYING or sitting.round is None else sitting.round.decision
        if sitting.round is None or decision is None or decision.seat != seat or not sitting.answers(seat):
            raise Refused("not-now", "you are advised when you are asked for something")
        if seat == sitting.dealer:
            raise Refused("not-now", "a dealer is not advised")
        if self._advising.locked():
            raise Refused("busy", "somebody is being advised; ask again")
        async with self._advising:
            player, view = player_of(self.name, sitting, seat, agent, role="adviser"), sitting.round.view(seat)
            answer = await think(self._staff, player, view)
            if answer.move is None:
                raise Refused("failed", f"{agent} has no advice: it failed ({answer.fault})")
            why = await reasoned(self._staff, player, view, answer.move)
        listener.offer(replies.advice(request.id, str(answer.move), reason=why, rules=answer.beliefs))

    # What the table does.

    async def _keep(self, entry: Entry) -> None:
        """Write an entry onto the disk, and do what it says. To be called in the table's turn.

        Raises:
            NotWritten: if the disk does not take it; then nothing has changed.
            Refused: if the log is full.
        """
        if self._closed is not None:
            raise Refused("unknown-table", "the table is closed")
        coming = isinstance(entry, PersonJoined | PersonLeft) and self.sitting.phase is Phase.GATHERING
        if coming and self.sitting.number >= MOST_COMINGS:
            raise Refused("full", "too many have come and gone; its host may begin with those who are there")
        if self.sitting.number >= MOST_ENTRIES:
            raise Refused("full", f"the table has a log of {MOST_ENTRIES} entries, and takes no more; make another")
        slow = self._slow or isinstance(entry, RuleGiven)
        slow = slow or (isinstance(entry, MoveMade) and entry.move.startswith("state "))
        await self._staff.ledger.append(self.name, self.sitting.number + 1, write_entry(entry))
        try:
            if slow:
                await self._staff.aside(lambda: self.sitting.apply(entry))
            else:
                self.sitting.apply(entry)
        except Exception:
            _LOG.exception("a table cannot go on after %s", type(entry).__name__)
            self._closed = DEFECT
            for listener in self._listeners:
                listener.drop(DEFECT)
            raise
        self.wake()

    @property
    def _slow(self) -> bool:
        """Whether a person's rule judges, which may take long."""
        round_ = self.sitting.round
        return self.sitting.rule_is_a_persons and round_ is not None and round_.rule is not None

    async def _tell(self, *, news: bool = True) -> None:
        """Tell everybody how the table stands. To be called in its turn."""
        self._unheard = False
        seats = {listener: self._seat(listener) for listener in self._listeners}
        frames = await self._frames(set(seats.values()), news=news)
        for listener, seat in seats.items():
            listener.offer(frames[seat])
        if self.changed is not None:
            self.changed()

    async def _greet(self, listener: Listener) -> None:
        """Tell a client what it is here and how the table stands, and soon the others. To be called in its turn."""
        seat = self._seat(listener)
        self._welcome(listener)
        if self.sitting.round is not None:
            listener.offer(replies.history(self.sitting.number, self.sitting.round.events))
        listener.offer((await self._frames({seat}, news=False))[seat])
        self._announce()

    def _announce(self) -> None:
        """See to it that everybody hears soon who is there."""
        self._unheard = True
        if self._closed is None and (self._hearsay is None or self._hearsay.done()):
            self._hearsay = asyncio.ensure_future(self._spread())

    async def _spread(self) -> None:
        while self._unheard:
            await asyncio.sleep(HEARSAY)
            async with self._turn:
                if self._unheard:
                    await self._tell(news=False)

    async def _frames(self, seats: Set[int | None], *, news: bool) -> dict[int | None, bytes]:
        """Write what each of ``seats`` is told; None: a spectator."""
        sitting, here = self.sitting, list(map(self._seat, self._listeners))
        present = frozenset(seat for seat in here if seat is not None)

        def write() -> dict[int | None, bytes]:
            public = public_part(sitting, present=present, spectators=here.count(None), news=news)
            privates = {seat: None if seat is None else private_part(sitting, seat, news=news) for seat in seats}
            return {seat: state_frame(sitting.number, public, private) for seat, private in privates.items()}

        return await self._staff.aside(write) if self._slow else write()

    def _seat(self, listener: Listener) -> int | None:
        return self._who(listener).seat

    def _who(self, listener: Listener) -> Who:
        who = self.sitting.who(listener.mark)
        return Who(None, who.host) if listener.away else who

    def _welcome(self, listener: Listener, token: str | None = None) -> None:
        who = self._who(listener)
        listener.offer(replies.welcome(who, self.sitting.setting, agents=self._staff.agents, token=token))

    async def _run_errands(self) -> None:
        """Do what is to be done without persons, as long as there is something."""
        while self._closed is None and (errand := self.sitting.errand()) is not None:
            try:
                came = await run(errand, self.name, self.sitting, self._staff)
                await undisturbed(self._finish(errand, came))
            except NotWritten:
                _LOG.exception("what a table does by itself cannot be kept; it is tried again")
                await asyncio.sleep(RETRY)
            except Refused:
                return
            except Exception:
                _LOG.exception("a table's errand failed: %s", errand.task)
                return

    async def _finish(self, errand: Errand, came: Answer | RuleGiven | None) -> None:
        """Write what came of an errand into the log, unless it has become idle meanwhile."""
        async with self._turn:
            if self.sitting.errand() == errand:
                await self._keep(entry_of(errand, self.sitting, came))
                await self._tell()
