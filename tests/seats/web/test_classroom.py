from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.seats.web.hall import FORGOTTEN, MOST_CLASSES
from eleusis_ai.seats.web.ledger import Ledger
from eleusis_ai.seats.web.limits import Limits
from eleusis_ai.seats.web.setting import MOST_TABLES
from tests.seats.web.hosting import Client, Frame, LedgerHere, Served, by_lot, played, served

TABLE = {"profile": "express-2006", "seats": 4, "agents": ["random"], "pace": 0}
"""The program deals; three chairs are open."""


async def opened(server: Served, **options: Any) -> tuple[str, str]:
    """Open a class; return its token and the teacher's."""
    status, made = await server.get("/classes", {"table": TABLE} | options)
    assert status == 201, made
    return made["group"], made["token"]


async def seated(client: Client, do: str = "join", **fields: object) -> Frame:
    answer = await client.ask(do, **fields)
    assert answer["kind"] == "seated", answer
    return answer


async def shown(client: Client, wanted: Any) -> Frame:
    """Wait until the board shows what is wanted, and return it."""
    await client.until(lambda: wanted(client.board))
    return client.board


def names(table: Frame) -> list[str]:
    return [chair["name"] for chair in table["chairs"]]


def test_a_class_from_the_first_pupil_to_the_scores() -> None:
    async def work(server: Served) -> None:
        group, secret = await opened(server, tables=3)
        assert secret not in group
        async with (
            server.at_board(group, secret) as teacher,
            server.at_board(group) as door,
            AsyncExitStack() as room,
        ):
            assert (teacher.welcome["you"], door.welcome["you"]) == ({"teacher": True}, {"teacher": False})
            assert [table["place"] for table in door.board["tables"]] == [1, 2, 3]

            # Five pupils come by the same link: they fill the first table, and then the second.
            pupils = []
            for name in ("Ann", "Bob", "Cem", "Dan", "Eve"):
                seat = await seated(door, name=name)
                pupils.append(await room.enter_async_context(server.client(seat["table"], seat["token"])))
                assert pupils[-1].public["chairs"][pupils[-1].welcome["you"]["seat"]]["name"] == name
            board = await shown(teacher, lambda board: "Eve" in names(board["tables"][1]))
            assert [names(table) for table in board["tables"]] == [
                ["random", "Ann", "Bob", "Cem"],
                ["random", "Dan", "Eve", ""],
                ["random", "", "", ""],
            ]
            assert [table["ready"] for table in board["tables"]] == [True, False, False]
            assert [score["name"] for score in board["scores"]] == [
                "Ann",
                "Bob",
                "Cem",
                "Dan",
                "Eve",
                "random",
                "random",
            ]
            assert {score["rank"] for score in board["scores"]} == {1}

            # Only where somebody sits do agents fill up and rounds begin.
            assert (await teacher.ask("fill", agent="random"))["number"] == 1
            assert (await teacher.ask("start"))["number"] == 2
            await asyncio.gather(*(pupil.play(by_lot(number)) for number, pupil in enumerate(pupils)))
            board = await shown(
                door, lambda board: [t["phase"] for t in board["tables"]] == ["over", "over", "gathering"]
            )
            scores = [(score["total"], score["name"], score["place"]) for score in board["scores"]]
            totals = [pupil.public["totals"] for pupil in (pupils[0], pupils[-1])]
            assert [total for total, _, _ in scores] == sorted(chain(*totals), reverse=True)
            assert board["scores"][0]["rank"] == 1
            assert (await teacher.ask("next"))["number"] == 2
            await shown(teacher, lambda board: [table["round"] for table in board["tables"]] == [2, 2, 0])
            await teacher.until(lambda: teacher.board == door.board)

    played(work)


def test_only_the_teacher_orders_and_the_teachers_token_is_that_of_all_hosts() -> None:
    async def work(server: Served) -> None:
        group, secret = await opened(server, tables=2)
        async with server.at_board(group) as door, server.at_board(group, "guessed") as thief:
            for client in (door, thief):
                for do, fields in (
                    ("start", {}),
                    ("next", {}),
                    ("fill", {"agent": "random"}),
                    ("make", {"count": 2}),
                ):
                    assert (await client.refused(do, **fields))[0] == "not-yours"
            assert (await door.refused("make", name="Ann"))[0] == "not-yours"
            assert (await door.refused("void"))[0] == "malformed"
            table = door.board["tables"][1]["table"]
        async with server.client(table, secret) as teacher:
            assert teacher.welcome["you"] == {"seat": None, "host": True}
            await teacher.done("seat", seat=1, agent="random")

    played(work)


def test_pupils_may_make_tables_where_the_teacher_lets_them() -> None:
    async def work(server: Served) -> None:
        group, secret = await opened(server, pupils_make=True)
        async with server.at_board(group) as door:
            made = await seated(door, "make", name="Ann")
            assert made["place"] == 2
            async with (
                server.client(made["table"], made["token"]) as ann,
                server.client(made["table"], secret) as teacher,
            ):
                assert ann.welcome["you"] == {"seat": 1, "host": True}
                assert teacher.welcome["you"] == {"seat": None, "host": True}
                for seat in (2, 3):
                    await ann.done("seat", seat=seat, agent="random")
                await ann.done("start")
            assert (await door.refused("make", name="ann"))[0] == "name"

    played(work)


def test_why_nobody_is_seated() -> None:
    async def work(server: Served) -> None:
        group, secret = await opened(server)
        async with server.at_board(group) as door, server.at_board(group, secret) as teacher:
            assert (await door.refused("join", name="  "))[0] == "name"
            await seated(door, name="Ann")
            assert (await door.refused("join", name="ANN"))[0] == "name"
            for name in ("Bob", "Cem"):
                await seated(door, name=name)
            assert (await door.refused("join", name="Dan")) == (
                "full",
                "no chair is free; the teacher may make another table",
            )
            assert (await teacher.ask("make", count=2))["number"] == 3
            assert (await seated(door, name="Dan"))["place"] == 2
            assert (await teacher.refused("fill", agent="os:system"))[0] == "agent"
            assert (await teacher.refused("make", count=MOST_TABLES - 2))[0] == "full"
            assert (await teacher.ask("make", count=MOST_TABLES - 3))["number"] == MOST_TABLES

    played(work)


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        ({"table": {"seats": 40}}, 400, "howell is played by 4 to 8"),
        ({"table": {"seats": 4, "agents": ["os"]}}, 400, "'os' does not play here"),
        ({"table": {"seats": 4}, "tables": 0}, 400, "Expected `int` >= 1"),
        ({"table": {"seats": 4}, "tables": MOST_TABLES + 1}, 400, f"Expected `int` <= {MOST_TABLES}"),
        (b"x" * 5000, 413, "at most 4096 bytes"),
    ],
)
def test_why_no_class_is_opened(body: object, status: int, told: str) -> None:
    async def work(server: Served) -> None:
        found, problem = await server.get("/classes", body)
        assert found == status
        assert told in problem["message"]
        assert server.hall.tables == ()

    played(work)


def test_a_hall_has_so_many_classes() -> None:
    async def work(server: Served) -> None:
        for _ in range(MOST_CLASSES):
            await opened(server)
        assert (await server.get("/classes", {"table": TABLE}))[0] == 503

    played(work, limits=Limits(tables_burst=1000))


def test_a_class_outlives_the_server_and_its_tables_are_cleared_away_first(tmp_path: Path) -> None:
    async def first() -> tuple[str, str, Frame]:
        async with served(Ledger(tmp_path / "tables.sqlite")) as server:
            group, secret = await opened(server, tables=2)
            async with server.at_board(group) as door:
                seat = await seated(door, name="Ann")
                await shown(door, lambda board: "Ann" in names(board["tables"][0]))
                return group, secret, seat

    async def again(group: str, secret: str, seat: Frame) -> None:
        async with (
            served(Ledger(tmp_path / "tables.sqlite")) as server,
            server.at_board(group, secret) as teacher,
            server.client(seat["table"], seat["token"]) as ann,
        ):
            assert teacher.welcome["you"] == {"teacher": True}
            assert ann.welcome["you"]["seat"] == 1
            await shown(teacher, lambda board: board["tables"][0]["chairs"][1]["present"])
            assert [table["place"] for table in teacher.board["tables"]] == [1, 2]
            assert (await teacher.ask("make"))["number"] == 3
            assert await server.hall.purge(0) == 3
            await shown(teacher, lambda board: board["tables"] == [])
            assert await server.hall.purge(0) == 1
            assert await teacher.gone() == FORGOTTEN

    asyncio.run(again(*asyncio.run(first())))


def test_what_the_disk_does_not_take_is_not_made() -> None:
    async def work(server: Served) -> None:
        group, secret = await opened(server)
        async with server.at_board(group, secret) as teacher, server.at_board(group) as door:
            ledger.full = True
            assert (await teacher.refused("make"))[0] == "failed"
            assert (await door.refused("join", name="Ann"))[0] == "failed"
            ledger.full = False
            assert (await teacher.ask("make"))["number"] == 2
            await seated(door, name="Ann")

    ledger = LedgerHere()
    played(work, ledger=ledger)
