"""A crowd at the tables of `eleusis serve`: five clients each, who play by chance."""

from __future__ import annotations

import asyncio
import http.client
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from benchmarks.clients import PATIENCE, Client, Decision, Timings, Unanswered

SEATS = 5
ABREAST = 20
"""Tables whose clients come in at the same time."""
TABLES_A_ROOM = 15
"""Tables whose clients come from one address: a server lets so many in from a classroom."""
PAUSE = 0.02
"""Seconds between two looks."""
RULE = "card.color != last.color"


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A request of which the server said that it is done."""

    table: str
    number: int
    """The entry of the table's log."""
    move: str


class Party:
    """The clients of one table."""

    def __init__(self, table: str, clients: Sequence[Client], rng: Random, timings: Timings) -> None:
        self.table, self.clients = table, clients
        self.acknowledged: list[Acknowledged] = []
        self._rng, self._timings = rng, timings

    async def gather(self, persons: int) -> None:
        """Take the chairs, and begin."""
        for seat, client in enumerate(self.clients[:persons]):
            await self._done(client, "join", name=f"person {seat}", seat=seat)
        await self._done(self.clients[0], "start")
        await self.step()

    async def play(self, beat: float, stop: asyncio.Event) -> None:
        """Make a move at each beat, seconds, until it is time to stop."""
        at = perf_counter() + self._rng.uniform(0, beat)
        while not stop.is_set():
            try:
                await asyncio.wait_for(stop.wait(), at - perf_counter())
            except TimeoutError:
                await self.step()
                at = max(at + beat, perf_counter())

    async def step(self) -> None:
        """Do what the table waits for, if it waits for one of the clients."""
        teller = next((client for client in self.clients if client.there), None)
        if teller is None:
            return
        state = teller.state
        with suppress(Unanswered):
            match state.public.phase:
                case "over":
                    await self._done(self.clients[0], "next")
                case "dealing":
                    dealer = next(chair for chair in state.public.chairs if chair.deals)
                    if dealer.kind == "person":
                        await self._done(self.clients[dealer.seat], "deal", rule=RULE)
                case "playing" if state.public.table is not None and state.public.table.asked is not None:
                    seat = state.public.table.asked.seat
                    if state.public.chairs[seat].kind == "person":
                        await self._move(self.clients[seat])
                case _:
                    pass

    async def _move(self, client: Client) -> None:
        state = client.state if client.there else None
        if state is None or state.private is None or state.private.decision is None:
            return
        move, began = _by_chance(state.private.decision, self._rng), perf_counter()
        done = await self._done(client, "move", move=move, number=state.number)
        if done is None:
            return
        number, spent = done
        self.acknowledged.append(Acknowledged(self.table, number, move))
        self._timings.done.append(spent)
        arrivals = await asyncio.gather(*(other.saw(number) for other in self.clients if other is not client))
        self._timings.seen += [arrived - began for arrived in arrivals if arrived is not None]

    async def _done(self, client: Client, do: str, **fields: Any) -> tuple[int, float] | None:
        try:
            done = await client.ask(do, **fields)
        except Unanswered:
            self._timings.unanswered += 1
            raise
        if done is not None:
            for each in self.clients:
                each.known = max(each.known, done[0])
        return done


class Crowd:
    """The clients of all tables."""

    def __init__(self, port: int, *, tables: int, persons: int, beat: float) -> None:
        """Make the tables.

        Args:
            port: That of the server, on this machine.
            tables: How many there are.
            persons: Chairs of each that are taken by clients; agents sit in the others, the other clients look on.
            beat: Seconds between two moves at a table.
        """
        self.timings = Timings()
        self._beat, self._persons = beat, persons
        self._parties = [self._party(port, number) for number in range(tables)]
        self._running: list[asyncio.Task[None]] = []

    def _party(self, port: int, number: int) -> Party:
        room = f"127.0.{number // TABLES_A_ROOM}.1"
        chairs = [None] * self._persons + ["random"] * (SEATS - self._persons)
        setting = msgspec.json.encode({"seats": SEATS, "agents": chairs, "pace": min(self._beat, 5.0)})
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE, source_address=(room, 0))
        connection.request("POST", "/tables", setting, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        made = msgspec.json.decode(answer.read())
        connection.close()
        if answer.status != 201:
            raise SystemExit(f"no table can be made: {made}")
        url = f"ws://127.0.0.1:{port}/t/{made['table']}/ws"
        tokens = [made["token"], *[None] * (SEATS - 1)]
        clients = [Client(url, room, token, self.timings) for token in tokens]
        return Party(made["table"], clients, Random(number), self.timings)

    async def come(self) -> None:
        """Let everybody come in, some at a time, and begin at all tables."""
        parties = iter(self._parties)
        await asyncio.gather(*(self._bring(parties) for _ in range(ABREAST)))
        self.timings.bytes.clear()

    async def _bring(self, parties: Iterator[Party]) -> None:
        for party in parties:
            self._running += [asyncio.create_task(client.run()) for client in party.clients]
            await party_there(party)
            await party.gather(self._persons)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Play at all tables meanwhile."""
        stop = asyncio.Event()
        playing = asyncio.gather(*(party.play(self._beat, stop) for party in self._parties))
        try:
            yield
        finally:
            stop.set()
            await playing

    async def back(self) -> None:
        """Wait until everybody is there again."""
        for party in self._parties:
            await party_there(party)

    async def go_on(self, seconds: float) -> None:
        """Let it play for so long, and until it has made a move for each table."""
        before = len(self.timings.done)
        await asyncio.sleep(seconds)
        async with asyncio.timeout(PATIENCE):
            while len(self.timings.done) < before + len(self._parties):
                await asyncio.sleep(PAUSE)

    async def leave(self) -> None:
        """Let everybody go."""
        for running in self._running:
            running.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    @property
    def acknowledged(self) -> Iterator[Acknowledged]:
        """What the server said is done."""
        for party in self._parties:
            yield from party.acknowledged

    @property
    def stale(self) -> int:
        """How often a client came back to a table older than what had been acknowledged there."""
        return sum(client.stale for party in self._parties for client in party.clients)


async def party_there(party: Party) -> None:
    """Wait until all clients of a table are at it."""
    async with asyncio.timeout(PATIENCE):
        while not all(client.there for client in party.clients):
            await asyncio.sleep(PAUSE)


def _by_chance(decision: Decision, rng: Random) -> str:
    """Answer what is asked."""
    match decision.kind:
        case "play":
            return "no play" if decision.no_play and rng.random() < 0.1 else rng.choice(decision.cards)
        case "call":
            return rng.choice(decision.calls)
        case "pick":
            return f"pick {rng.choice(decision.cards)}"
        case "after turn":
            return "prophet" if rng.random() < 0.1 else "pass"
        case _:
            return "pass"
