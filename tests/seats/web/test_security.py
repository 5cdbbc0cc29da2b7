"""What docs/explanation/security.md promises, promise by promise."""

from __future__ import annotations

import asyncio
import json
import math
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from eleusis_ai.seats.web import hall, live_table
from eleusis_ai.seats.web.attendance import TOO_MANY
from eleusis_ai.seats.web.gate import HEADERS, InvalidOrigin, origin_of
from eleusis_ai.seats.web.ledger import Ledger, backup
from eleusis_ai.seats.web.limits import Buckets, Limits
from eleusis_ai.seats.web.lines import InvalidProxy, Lines
from eleusis_ai.seats.web.listener import TOO_SLOW
from eleusis_ai.seats.web.tokens import mark_of, new_token
from tests.seats.web.hosting import PATIENCE, Served, played, served

SETTING = {"seats": 4, "agents": ["random", None, "random", "random"], "pace": 0}


async def asked(
    server: Served, method: str, path: str, headers: Mapping[str, str] | None = None, body: object = None
) -> tuple[HTTPResponse, str]:
    """Ask over HTTP, with any headers."""

    def ask() -> tuple[HTTPResponse, str]:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
        try:
            connection.request(method, path, None if body is None else json.dumps(body), dict(headers or {}))
            answer = connection.getresponse()
            return answer, answer.read().decode()
        finally:
            connection.close()

    return await asyncio.to_thread(ask)


async def status(server: Served, method: str, path: str, body: object = None, **headers: str) -> int:
    answer, _ = await asked(
        server, method, path, {name.replace("_", "-"): text for name, text in headers.items()}, body
    )
    return answer.status


async def handshake(server: Served, table: str, **headers: str) -> int:
    """Open a socket; return the status of the answer."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    try:
        async with connect(f"ws://127.0.0.1:{server.port}/t/{table}/ws", additional_headers=named):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


# Tokens.


def test_a_token_has_128_random_bits() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000
    assert all(len(token) == math.ceil(128 / 6) for token in tokens)


def test_only_marks_of_tokens_are_kept_and_nobody_is_told_anothers(tmp_path: Path) -> None:
    async def play() -> None:
        async with served(Ledger(file)) as server:
            _, made = await server.get("/tables", SETTING | {"agents": ["random", None, None, "random"]})
            _, opened = await server.get("/classes", {"table": SETTING})
            async with (
                server.client(made["table"], made["token"]) as host,
                server.client(made["table"]) as bob,
                server.client(made["table"]) as eve,
                server.at_board(opened["group"]) as door,
            ):
                assert await host.join("Ann") == made["token"]
                secrets = [made["token"], await bob.join("Bob"), opened["token"]]
                secrets.append((await door.ask("join", name="Cem"))["token"])
                await host.done("start")
                for client, own in ((host, secrets[:1]), (bob, secrets[1:2]), (eve, []), (door, secrets[3:])):
                    assert [secret for secret in secrets if secret in "".join(client.raw)] == own
            backup(file, tmp_path / "copy.sqlite")
            kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
            assert made["table"].encode() in kept
            for secret in secrets:
                assert secret.encode() not in kept
                assert mark_of(secret).encode() in kept

    file = tmp_path / "tables.sqlite"
    asyncio.run(play())


def test_the_file_and_its_copies_are_read_by_their_owner_alone(tmp_path: Path) -> None:
    async def write() -> None:
        ledger = Ledger(tmp_path / "tables.sqlite")
        await ledger.append("table", 1, b"{}")
        backup(tmp_path / "tables.sqlite", tmp_path / "copy.sqlite")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir() if path.stat().st_size}
        ledger.close()
        names = ("tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm", "copy.sqlite")
        assert modes == dict.fromkeys(names, 0o600)

    asyncio.run(write())


def test_nothing_secret_is_logged(tmp_path: Path) -> None:
    async def play(server: Served) -> list[str]:
        _, made = await server.get("/tables", SETTING)
        async with server.client(made["table"], made["token"]) as ann:
            token = await ann.join("Ann")
            await ann.done("start")
            for message in ("{", '{"do":"move","move":"7H","number":0}', b"\xff", "x" * 5000):
                await ann.say(message)
            await ann.ask("ping")
        await server.get(f"/t/{made['table']}/rounds/1")
        assert await handshake(server, made["table"], Origin="https://evil.example") == 403
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            line.sendall(f"GET /t/{made['table']} nonsense\r\n\r\n".encode())
            line.recv(1000)
        return [made["table"], made["token"], token, "Ann"]

    command = [str(Path(sys.executable).parent / "eleusis"), "serve", "--port", "0", "--agents", "random"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=os.environ | {"PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            secrets = asyncio.run(play(Served(int(said.split("127.0.0.1:")[1].split("/")[0]))))
            process.terminate()
            said += process.communicate()[0]
        finally:
            process.kill()
            process.wait()
    told = said + (tmp_path / "log").read_text(encoding="utf-8")
    assert not [secret for secret in secrets if secret in told]


# From where.


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (None, True),
        ("http://127.0.0.1:{port}", True),
        ("https://127.0.0.1:{port}", True),
        ("http://127.0.0.1", False),
        ("http://localhost:{port}", False),
        ("https://evil.example", False),
        ("http://127.0.0.1:{port}.evil.example", False),
        ("null", False),
        ("", False),
    ],
)
def test_pages_of_other_sites_change_nothing_and_open_no_socket(origin: str | None, allowed: bool) -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        headers = {} if origin is None else {"Origin": origin.format(port=server.port)}
        assert await status(server, "POST", "/tables", SETTING, **headers) == (201 if allowed else 403)
        assert await status(server, "POST", "/classes", {"table": SETTING}, **headers) == (201 if allowed else 403)
        assert await handshake(server, table, **headers) == (101 if allowed else 403)
        assert await status(server, "GET", "/healthz", **headers) == 200

    played(work)


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1", True),
        ("192.0.2.1:8000", True),
        ("[2001:db8::1]:8000", True),
        ("localhost:1", True),
        (socket.gethostname(), True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
        ("[", False),
    ],
)
def test_a_strangers_name_that_leads_here_is_not_answered(host: str, known: bool) -> None:
    async def work(server: Served) -> None:
        assert await status(server, "GET", "/healthz", Host=host) == (200 if known else 421)
        if not known:
            assert await status(server, "POST", "/tables", SETTING, Host=host, Origin=f"http://{host}") == 421

    played(work)


def test_behind_a_proxy_the_server_is_known_by_its_origin() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        site = "https://eleusis.example"
        assert await status(server, "POST", "/tables", SETTING, Host="eleusis.example", Origin=site) == 201
        assert await status(server, "POST", "/tables", SETTING, Host="127.0.0.1:8000", Origin=site) == 201
        assert (
            await status(server, "POST", "/tables", SETTING, Host="127.0.0.1", Origin="http://eleusis.example") == 403
        )
        assert await handshake(server, table, Origin=site) == 101

    played(work, origins=("https://Eleusis.example:443/",))


@pytest.mark.parametrize(
    "text", ["eleusis.example", "ftp://x", "https://", "https://x/tables", "https://x:99999", "https://a@b"]
)
def test_what_is_no_origin(text: str) -> None:
    with pytest.raises(InvalidOrigin, match=r"as in https://eleusis\.example"):
        origin_of(text)


def test_what_is_no_proxy() -> None:
    with pytest.raises(InvalidProxy, match=r"as in 127\.0\.0\.1"):
        Lines(Limits(), ["nginx"])


@pytest.mark.parametrize(("proxies", "told_apart"), [((), False), (("127.0.0.1",), True), (("192.0.2.1",), False)])
def test_whom_a_proxy_asks_for_is_believed_only_of_a_known_one(proxies: tuple[str, ...], told_apart: bool) -> None:
    async def work(server: Served) -> None:
        found = [
            await status(server, "POST", "/tables", SETTING, X_Forwarded_For=address)
            for address in ("198.51.100.1", "198.51.100.1", "198.51.100.2")
        ]
        assert found == [201, 429, 201 if told_apart else 429]

    played(work, proxies=proxies, limits=Limits(tables=0, tables_burst=1))


# What goes out.


def test_every_answer_has_the_headers() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        asks: list[tuple[str, str, dict[str, str], object]] = [
            ("GET", "/healthz", {}, None),
            ("GET", "/", {}, None),
            ("GET", f"/t/{table}", {}, None),
            ("GET", f"/t/{table}/rounds/1", {}, None),
            ("GET", "/no/such/page", {}, None),
            ("PUT", "/tables", {}, None),
            ("POST", "/tables", {}, SETTING),
            ("POST", "/tables", {}, {"seats": 1000}),
            ("POST", "/tables", {"Origin": "https://evil.example"}, SETTING),
            ("GET", "/healthz", {"Host": "evil.example"}, None),
        ]
        for method, path, headers, body in asks:
            answer, _ = await asked(server, method, path, headers, body)
            assert {name: answer.headers[name] for name in HEADERS} == HEADERS, (path, answer.status)
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["Server"] is None

    played(work)
    policy = dict(part.split(" ", 1) for part in HEADERS["Content-Security-Policy"].split("; "))
    assert (policy["default-src"], policy["frame-ancestors"], policy["base-uri"]) == ("'none'",) * 3
    assert set(policy.values()) == {"'none'", "'self'"}


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "<img src=x>", "\"'&;"])
def test_a_name_is_a_text_and_never_markup(name: str) -> None:
    async def work(server: Served) -> None:
        table, token = await server.make()
        async with server.client(table, token) as ann:
            told = await ann.ask("join", name=name)
            assert (told["kind"] == "done") == (len(name) <= 24)
            answer, page = await asked(server, "GET", f"/t/{table}")
            assert name not in page
            answer, page = await asked(server, "GET", f"/t/{table}x%3Cscript%3E/rounds/1")
            assert answer.headers["Content-Type"] in ("application/json", "text/plain; charset=utf-8")

    played(work)


# How much.


def test_an_address_asks_for_so_much() -> None:
    async def work(server: Served) -> None:
        found = [await status(server, "GET", "/healthz") for _ in range(4)]
        assert found == [200, 200, 200, 429]
        assert await handshake(server, "any") == 403

    played(work, limits=Limits(pages=0, pages_burst=3))


def test_addresses_beyond_those_that_are_told_apart_share_one_bucket() -> None:
    now = [0.0]
    buckets = Buckets(1, 2, most=2, clock=lambda: now[0])
    assert [buckets.take(address) for address in "abcdef"] == [True, True, True, True, False, False]
    assert [buckets.take("a"), buckets.take("a")] == [True, False]
    now[0] = 2.0
    assert [buckets.take(address) for address in "ghgh"] == [True, True, True, True]


def test_spectators_do_not_keep_those_out_who_have_a_chair() -> None:
    async def work(server: Served) -> None:
        table, token = await server.make()
        async with server.client(table), server.client(table), AsyncExitStack() as windows:
            async with server.client(table) as third:
                assert await third.gone() == TOO_MANY
            ann = [await windows.enter_async_context(server.client(table, token)) for _ in range(8)]
            assert [(await each.ask("ping"))["kind"] for each in ann] == ["done"] * 8
            async with server.client(table, token) as ninth:
                assert await ann[0].gone() == TOO_SLOW
                assert [(await each.ask("ping"))["kind"] for each in (*ann[1:], ninth)] == ["done"] * 8

    limits = Limits(requests=10_000, burst=10_000, strangers_per_table=2)
    played(work, limits=limits)


def test_who_comes_and_goes_keeps_nobody_busy() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        async with server.client(table) as eve:
            before = len(eve.frames)
            for _ in range(30):
                async with server.client(table):
                    pass
            await eve.until(lambda: len(eve.frames) > before)
            assert len(eve.frames) - before < 30
            for _ in range(live_table.MOST_ENTRANCES):
                await eve.say('{"do":"enter"}')
            assert await eve.gone() == TOO_SLOW

    played(work)


def test_who_joins_and_leaves_does_not_fill_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "MOST_COMINGS", 10)

    async def work(server: Served) -> None:
        table, token = await server.make(agents=["random"] * 3)
        async with server.client(table, token) as host, server.client(table) as eve:
            while (answer := await eve.ask("join", name="Eve"))["kind"] == "done":
                answer = await eve.ask("leave")
                if answer["kind"] == "error":
                    break
            assert answer["code"] == "full"
            await host.done("seat", seat=3, agent="random")
            await host.done("start")
            await host.until(lambda: host.phase == "over")

    played(work)


def test_who_does_not_read_is_dropped_and_broken_off() -> None:
    async def work(server: Served) -> None:
        table, token = await server.make()
        address = f"ws://127.0.0.1:{server.port}/t/{table}/ws"
        async with server.client(table, token) as ann:
            connection = await connect(address, max_queue=1)
            await connection.send('{"do":"enter"}')
            await ann.until(lambda: ann.public["spectators"] == 2)
            with suppress(ConnectionClosed):
                async with asyncio.timeout(PATIENCE):
                    while True:  # each is answered by an error of two thousand signs, which nobody takes
                        await connection.send(json.dumps({"do": "x" * 3000}))
            await ann.until(lambda: ann.public["spectators"] == 1)
            assert (await ann.ask("ping"))["kind"] == "done"

    played(work, limits=Limits(requests=1e9, burst=10**9, close_within=0.5))


async def broken_off(reader: asyncio.StreamReader) -> bool:
    """Wait until a connection ends; tell whether nothing was said before."""
    said = b""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionResetError):
            said = await reader.read()
    return not said


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
        b"POST /tables HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{",
    ],
)
def test_who_says_nothing_or_half_a_request_is_broken_off(said: bytes) -> None:
    async def work(server: Served) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(said)
        assert await broken_off(reader)
        writer.close()

    played(work, limits=Limits(answer_within=0.3, close_within=0.3))


def test_an_address_opens_so_many_connections_at_once() -> None:
    async def work(server: Served) -> None:
        lines = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(5)]
        assert [await broken_off(reader) for reader, _ in lines[3:]] == [True, True]
        for _, writer in lines:
            writer.close()
            await writer.wait_closed()
        async with asyncio.timeout(PATIENCE):
            while await open_(server) != 200:
                await asyncio.sleep(0.05)

    async def open_(server: Served) -> int:
        try:
            return await status(server, "GET", "/healthz")
        except OSError:
            return 0

    played(work, limits=Limits(connections_per_address=3))


def test_a_full_hall_makes_room_of_tables_that_nobody_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def work(server: Served) -> None:
        monkeypatch.setattr(server.hall, "_most", 2)
        used, token = await server.make()
        async with server.client(used, token) as ann:
            await ann.join("Ann")
        await server.make()
        assert (await server.get("/tables", SETTING))[1]["code"] == "full"
        monkeypatch.setattr(hall, "UNUSED", 0)
        assert (await server.get("/tables", SETTING))[0] == 201
        assert (await server.get("/healthz"))[1] == {"tables": 2}
        assert server.hall.find(used).sitting.chairs[0].name == "Ann"

    async def play() -> None:
        async with served(Ledger(tmp_path / "tables.sqlite")) as server:
            await work(server)

    asyncio.run(play())
