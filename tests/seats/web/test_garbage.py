"""Nothing that a client sends stops a table: garbage at every phase of a round, and then the round is played on."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from random import Random

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.seats.web.hosting import GENEROUS, PATIENCE, Client, Served, by_lot, played

WORDS = (
    "enter",
    "join",
    "leave",
    "seat",
    "start",
    "next",
    "void",
    "review",
    "deal",
    "starter",
    "move",
    "advice",
    "ping",
)
FIELDS = (
    "id",
    "token",
    "language",
    "name",
    "seat",
    "agent",
    "rule",
    "starter",
    "hint",
    "word",
    "move",
    "number",
    "extra",
)
VALUES: tuple[object, ...] = (
    *(
        None,
        True,
        -1,
        0,
        1,
        3,
        2**53,
        2**64,
        1e308,
        "",
        "x",
        "7H",
        "7H 7H",
        "no play",
        "pick 7H",
        "state card.is_red",
        "prophet",
    ),
    *(
        "card.is_red",
        "(" * 900,
        "not " * 240 + "card.is_red",
        "9" * 900,
        "\x00",
        "\u202e",
        "😀" * 300,
        "'; DROP TABLE entries",
    ),
    *("wrong", "random", "os:system", "../../etc/passwd", [], {}, [[[[]]]], {"do": "move"}),
)
RAW = (
    *(
        "",
        " ",
        "{",
        "[" * 4000,
        '{"do":',
        '{"do":"move","do":"ping"}',
        "null",
        "17",
        '"ping"',
        "\x00" * 50,
        "x" * 4096,
    ),
    *('{"do":"ping","id":NaN}', '{"do":"\\ud800"}', '{"a":' * 600 + "1" + "}" * 600, "\ufeff{}"),
)
HTTP = (
    b"\x00\x01\x02\x03",
    b"GET / HTTP/9.9\r\n\r\n",
    b"GET /%00%ff%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /assets/../app.py HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET " + b"/x" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X-Y: z\r\n" * 3000 + b"\r\n",
    b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /tables HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999999\r\n\r\n{",
    b"DELETE /tables HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /t/{table}/rounds/99999999999999999999 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /t/{table}/rounds/0/record HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /words/../en.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"GET /t/{table}/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET /t/{table}/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n" + b"\xff" * 8,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)


def garbage(rng: Random) -> str | bytes:
    """Draw a message: bytes, broken JSON, or a request with anything in its fields."""
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return rng.choice(RAW)
        case _:
            sent = {rng.choice(FIELDS): rng.choice(VALUES) for _ in range(rng.randrange(4))}
            text = json.dumps({"do": rng.choice(WORDS)} | sent)
            return text if rng.random() < 0.8 else text[: rng.randrange(len(text))]


async def harass(server: Served, table: str, rng: Random, *, http: bool = True) -> None:
    """Send a lot to a table, as strangers who never stop; what closes a socket is followed by another."""
    for _ in range(2):
        with suppress(ConnectionClosed, InvalidHandshake):
            async with connect(f"ws://127.0.0.1:{server.port}/t/{table}/ws", open_timeout=PATIENCE) as line:
                reading = asyncio.ensure_future(_read(line))
                try:
                    if rng.random() < 0.9:
                        await line.send(json.dumps({"do": "enter", "token": rng.choice((None, "x", "guessed" * 9))}))
                    for _ in range(15):
                        await line.send(garbage(rng))
                finally:
                    reading.cancel()
    for request in HTTP if http else ():
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        with suppress(ConnectionError):
            writer.write(request.replace(b"{table}", table.encode()))
            await writer.drain()
            with suppress(TimeoutError):
                await asyncio.wait_for(reader.read(100), 0.02)
        writer.transport.abort()
        with suppress(ConnectionError):
            await writer.wait_closed()


async def _read(line: object) -> None:
    with suppress(ConnectionClosed):
        async for _ in line:  # type: ignore[attr-defined]  # a connection
            pass


async def badger(client: Client, rng: Random) -> None:
    """Send a lot as somebody who sits at the table, whose requests may be done; but for those that end the round."""
    for _ in range(15):
        message = garbage(rng)
        if isinstance(message, bytes) or not any(
            f'"{word}"' in message for word in ("void", "leave", "seat", "enter")
        ):
            await client.say(message)
    assert (await client.ask("ping"))["kind"] == "done"


@pytest.mark.parametrize("by_hand", [False, True], ids=["by rule", "by hand"])
def test_after_garbage_at_every_phase_the_table_plays_on(by_hand: bool, caplog: pytest.LogCaptureFixture) -> None:
    async def work(server: Served) -> None:
        rng = Random(1)
        table, token = await server.make(profile="howell", agents=[None, None, "random", "random"])
        await harass(server, table, rng)
        async with server.client(table, token) as ann, server.client(table) as bob, server.client(table) as eve:
            await ann.join("Ann", 0)
            await bob.join("Bob", 1)
            await badger(eve, rng)
            if ann.phase == "gathering":
                await ann.done("start")
            await badger(bob, rng)
            await harass(server, table, rng)
            assert ann.phase == "dealing"
            await ann.done("deal", rule=None if by_hand else "card.color != last.color")
            while (ann.private or {}).get("starter"):
                await badger(bob, rng)
                await ann.ask("starter", word="right", number=ann.state["number"])
            asked = 0

            async def on(client: Client, choose_seed: int) -> None:
                nonlocal asked
                choose = by_lot(choose_seed)
                while client.phase != "over":
                    await client.until(
                        lambda: client.phase == "over" or (client.state["private"] or {}).get("decision")
                    )
                    if client.phase == "over":
                        return
                    asked += 1
                    if asked in (1, 10, 30):
                        await asyncio.gather(
                            badger(bob, rng), badger(eve, rng), harass(server, table, rng, http=False)
                        )
                    if client.private["decision"]:
                        await client.ask("move", move=choose(client), number=client.state["number"])

            async with asyncio.timeout(4 * PATIENCE):
                await asyncio.gather(on(ann, 1), on(bob, 2))
            await harass(server, table, rng)
            assert asked >= 10
            assert ann.public["result"]["reason"] != "void"
            assert (await server.get(f"/t/{table}/rounds/1"))[0] == 200
            await ann.done("next")

    played(work, limits=GENEROUS)
    assert not [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


def test_after_garbage_a_class_goes_on() -> None:
    async def work(server: Served) -> None:
        _, made = await server.get("/classes", {"table": {"seats": 4, "pace": 0}, "tables": 2})
        rng = Random(3)
        async with server.at_board(made["group"]) as door, server.at_board(made["group"], made["token"]) as teacher:
            for _ in range(10):
                for _ in range(15):
                    await door.say(garbage(rng))
                assert (await door.ask("ping"))["kind"] == "done"
            assert (await teacher.ask("make"))["number"] == 3
            assert (await door.ask("join", name="Ann"))["kind"] == "seated"

    played(work, limits=GENEROUS)
