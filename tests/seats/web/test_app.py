from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack, suppress

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from eleusis_ai.seats.web.attendance import LATE, TOO_MANY
from eleusis_ai.seats.web.hall import FORGOTTEN, GOING_AWAY
from eleusis_ai.seats.web.limits import Bucket, Doorkeeper, Limits
from tests.seats.web.hosting import PATIENCE, LedgerHere, Served, played, served


def test_a_table_is_made_over_http() -> None:
    async def work(server: Served) -> None:
        assert await server.get("/healthz") == (200, {"tables": 0})
        status, made = await server.get("/tables", {"seats": 4, "agents": ["random", None], "pace": 0})
        assert status == 201
        assert all(len(token) >= 22 for token in made.values())
        async with server.client(made["table"], made["token"]) as ann:
            assert ann.welcome["you"]["host"]
            assert [chair["kind"] for chair in ann.public["chairs"]] == ["agent", "open", "open", "open"]
        assert await server.get("/healthz") == (200, {"tables": 1})

    played(work)


@pytest.mark.parametrize(
    ("body", "status", "code", "told"),
    [
        (b"", 400, "setting", "not a setting: "),
        (b"seats=4", 400, "setting", "not a setting: "),
        (b"\xff", 400, "setting", "not a setting: "),
        (b"[" * 4000, 400, "setting", "not a setting: "),
        ({"seats": 40}, 400, "setting", "not a setting: howell is played by 4 to 8"),
        ({"seats": 4, "agents": ["elimination"]}, 400, "setting", "'elimination' does not play here; random do"),
        ({"seats": 4, "family": "none such"}, 400, "setting", "'catalog' has no rule"),
        (b" " * 5000, 413, "oversize", "a setting has at most 4096 bytes"),
    ],
)
def test_why_no_table_is_made(body: object, status: int, code: str, told: str) -> None:
    async def work(server: Served) -> None:
        found, problem = await server.get("/tables", body)
        assert (found, problem["code"]) == (status, code)
        assert problem["message"].startswith(told)
        assert server.hall.tables == ()

    played(work)


def test_the_disk_may_be_full_and_an_address_may_ask_too_often() -> None:
    async def work(server: Served) -> None:
        ledger.full = True
        assert (await server.get("/tables", {"seats": 4}))[1]["code"] == "failed"
        assert (await server.get("/tables", {"seats": 4}))[0] == 429

    ledger = LedgerHere()
    played(work, ledger=ledger, limits=Limits(tables=0, tables_burst=1))


@pytest.mark.parametrize("path", ["/t/none/rounds/1", "/t/none/rounds/1/record", "/t/none/rounds/x", "/no/such/page"])
def test_what_is_not_there(path: str) -> None:
    async def work(server: Served) -> None:
        assert (await server.get(path))[0] == 404

    played(work)


async def closed(server: Served, table: str, *messages: str) -> int | None:
    """Send messages, and return the code with which the socket is closed."""
    async with connect(f"ws://127.0.0.1:{server.port}/t/{table}/ws", open_timeout=PATIENCE) as connection:
        with suppress(ConnectionClosed):
            for message in messages:
                await connection.send(message)
        async with asyncio.timeout(PATIENCE):
            await connection.wait_closed()
        return connection.close_code


def test_why_a_socket_is_closed() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        assert await closed(server, "guessed") == FORGOTTEN
        assert await closed(server, table) == LATE
        async with server.client(table), server.client(table):
            assert await closed(server, table) == TOO_MANY
        pings = ['{"do":"enter"}', *['{"do":"ping"}'] * 30]
        assert await closed(server, table, *pings) == TOO_MANY
        assert await closed(server, table, "x" * 100_000_000) in (1009, 1006)
        async with server.client(table) as eve:  # a place is free again for each that was closed
            answers = [await eve.ask("ping") for _ in range(3)]
            assert [answer["kind"] for answer in answers] == ["done"] * 3

    limits = Limits(enter_within=0.2, sockets_per_address=2, requests=0.01, burst=5, warnings=10)
    played(work, limits=limits)


def test_who_asks_too_much_is_warned_first() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        async with server.client(table) as eve:
            for _ in range(4):
                await eve.say('{"do":"ping"}')
            warning = await eve.until(lambda: next((each for each in eve.frames if each["kind"] == "error"), None))
            assert warning["code"] == "slow-down"

    played(work, limits=Limits(requests=0.01, burst=3))


def test_when_the_hall_is_closed_clients_are_told_to_come_again() -> None:
    async def play() -> None:
        async with served() as server:
            table, _ = await server.make()
            connection = await connect(f"ws://127.0.0.1:{server.port}/t/{table}/ws", open_timeout=PATIENCE)
            await connection.send(json.dumps({"do": "enter"}))
            await connection.recv()
        await connection.wait_closed()
        assert connection.close_code == GOING_AWAY

    asyncio.run(play())


def test_a_bucket_lets_so_much_through() -> None:
    now = [0.0]
    bucket = Bucket(2.0, 3, clock=lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take(), bucket.take(), bucket.full] == [True, False, False]
    now[0] = 100.0
    assert bucket.full
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_sockets_are_counted_by_address_and_in_all() -> None:
    keeper = Doorkeeper(Limits(sockets_per_address=2, sockets=3))
    with ExitStack() as doors:
        admitted = [doors.enter_context(keeper.admitted(address)) for address in ("a", "a", "a", "b", "b", "c")]
        assert admitted == [True, True, False, True, False, False]
    with keeper.admitted("a") as again:
        assert again
