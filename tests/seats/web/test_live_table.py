from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import cards_text
from eleusis_ai.seats.web.entries import (
    AgentSeated,
    Entry,
    MoveMade,
    PersonJoined,
    RoundBegun,
    RoundVoided,
    RuleGiven,
    StarterTurned,
    TableFounded,
)
from eleusis_ai.seats.web.listener import Listener
from eleusis_ai.seats.web.live_table import LiveTable
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.tokens import mark_of
from tests.properties.rounds import STEADY
from tests.seats.web.hosting import Frame, LedgerHere, heard, live_table
from tests.seats.web.sittings import deck_of, gathered, told

HOST, ANN, BOB = "host token", "ann token", "bob token"
DECK = cards_text(deck_of(gathered("howell", 4).profile, 1))
SETTING = TableSetting(seats=4, agents=(None, None, None, "random"), hint="random", pace=0)
GATHERED: list[Entry] = [
    TableFounded(setting=SETTING, seed="s", host=mark_of(HOST)),
    PersonJoined(0, "Host", mark_of(HOST)),
    PersonJoined(1, "Ann", mark_of(ANN)),
]
SEATED = [*GATHERED, PersonJoined(2, "Bob", mark_of(BOB))]
DEALING = [*SEATED, RoundBegun(0, DECK)]
PLAYING = [*DEALING, RuleGiven(rule="card.is_red")]
PHASES: dict[str, list[Entry]] = {
    "gathering": GATHERED,
    "ready": SEATED,
    "dealing": DEALING,
    "turning": [*DEALING, RuleGiven()],
    "playing": PLAYING,
    "judging": [*DEALING, RuleGiven(), StarterTurned("right"), MoveMade("no play")],
    "replaced": [*DEALING, RuleGiven(), StarterTurned("right"), MoveMade("no play"), AgentSeated(0, "random")],
    "over": [*PLAYING, RoundVoided()],
}

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=30),
    st.sampled_from(
        ["random", "tree", "Ann", "Eve", "right", "wrong", "more", "begin", "no play", "7H", "prophet", "pass", HOST]
    ),
    st.sampled_from(["card.is_red", "card.rank > last.rank", "state card.is_red", "no ranks", "((((", "x" * 1000]),
    st.lists(st.integers(), max_size=2),
)
FIELDS = st.dictionaries(
    st.sampled_from(["seat", "name", "agent", "rule", "starter", "hint", "word", "move", "number", "token", "id"]),
    VALUES,
    max_size=4,
)
KINDS = ["join", "leave", "seat", "start", "next", "void", "review", "deal", "starter", "move", "advice", "ping", "x"]
SHAPED = [
    {"do": "join", "name": "Eve"},
    {"do": "seat", "seat": 2, "agent": "random"},
    {"do": "starter", "word": "wrong", "number": 99},
    {"do": "move", "move": "no play", "number": 99},
    {"do": "move", "move": "right", "number": 99},
    {"do": "deal", "rule": "card.is_red"},
]


@st.composite
def messages(draw: st.DrawFn) -> str | bytes:
    """Draw what a client may send: anything, or a request with fields that are right or wrong."""
    if draw(st.integers(0, 4)) == 0:
        return draw(st.text(max_size=60) | st.binary(max_size=60))
    shaped: dict[str, object] = draw(st.sampled_from(SHAPED) | st.fixed_dictionaries({"do": st.sampled_from(KINDS)}))
    return json.dumps(shaped | draw(FIELDS))


def with_table(
    entries: list[Entry],
    work: Callable[[LiveTable, LedgerHere], Awaitable[None]],
    *,
    tokens: tuple[str | None, ...] = (),
) -> None:
    async def play() -> None:
        table, ledger = live_table(entries)
        await work(table, ledger)
        await table.close(1001)

    asyncio.run(play())


async def entered(table: LiveTable, token: str | None) -> Listener:
    listener = Listener()
    await table.take(listener, json.dumps({"do": "enter", "token": token}))
    await heard(listener)
    return listener


async def asked(table: LiveTable, listener: Listener, do: str, **fields: object) -> Frame:
    """Send a request, and return its answer."""
    await table.take(listener, json.dumps({"do": do, "id": 1} | fields))
    return next(frame for frame in await heard(listener) if frame.get("id") == 1)


async def idle(table: LiveTable) -> None:
    """Wait until agents have done what they have to."""
    while table.sitting.errand() is not None:
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("phase", PHASES)
@settings(STEADY, max_examples=40)
@given(st.lists(st.tuples(st.sampled_from([HOST, ANN, BOB, None]), messages()), min_size=1, max_size=5))
def test_whatever_is_sent_the_table_goes_on(phase: str, sent: list[tuple[str | None, str | bytes]]) -> None:
    """Each message is answered; where it is refused nothing has changed; what is acknowledged is kept."""

    async def work(table: LiveTable, ledger: LedgerHere) -> None:
        await idle(table)
        clients = {token: await entered(table, token) for token in (HOST, ANN, BOB, None)}
        for token, message in sent:
            await idle(table)
            before, kept = [told(table.sitting, seat) for seat in (None, 0, 1, 2)], len(ledger.lines)
            for client in clients.values():
                await heard(client)
            await table.take(clients[token], message)
            errors = [frame for frame in await heard(clients[token]) if frame["kind"] == "error"]
            if errors:
                assert "server failed" not in errors[0]["message"]
                assert [told(table.sitting, seat) for seat in (None, 0, 1, 2)] == before
                assert len(ledger.lines) == kept
        await idle(table)
        again = ledger.sitting()
        assert [told(again, seat) for seat in (None, 0, 1, 2)] == [
            told(table.sitting, seat) for seat in (None, 0, 1, 2)
        ]
        assert (await asked(table, clients[HOST], "ping"))["kind"] == "done"

    with_table(PHASES[phase], work)
