from __future__ import annotations

import asyncio
import shutil
import sqlite3
from pathlib import Path

import pytest

from eleusis_ai.moves import Move
from eleusis_ai.profiles import HintTerms, StarterTerms, load_profile
from eleusis_ai.record import Record
from eleusis_ai.registry import UnknownPart
from eleusis_ai.seats.web.hall import FORGOTTEN, FullHall, Hall, UnknownTable
from eleusis_ai.seats.web.ledger import Ledger
from eleusis_ai.seats.web.setting import InvalidTable, TableSetting
from eleusis_ai.seats.web.thinking import Player
from eleusis_ai.view import View
from tests.seats.web.hosting import Client, CrewHere, Served, by_lot, played, served

PROFILES = ("abbott", "howell", "no-prophet", "late-prophet", "original-1956", "express-2006", "cooperative")


@pytest.mark.parametrize("profile", PROFILES)
def test_persons_and_agents_play_a_whole_round(profile: str) -> None:
    """All are told the same, and what was played replays."""
    seats = load_profile(profile).min_seats

    async def work(server: Served) -> None:
        table, token = await server.make(profile=profile, seats=seats, agents=["random", None, None])
        async with server.client(table, token) as ann, server.client(table) as bob, server.client(table) as eve:
            assert ann.welcome["you"] == {"seat": None, "host": True}
            assert await ann.join("Ann") == token
            assert await bob.join("Bob", 2) not in (token, table)
            for seat in range(3, seats):
                await ann.done("seat", seat=seat, agent="random")
            await ann.done("start")
            await asyncio.gather(ann.play(by_lot(1)), bob.play(by_lot(2)), eve.until(lambda: eve.phase == "over"))
            assert ann.state["public"] == bob.state["public"] == eve.state["public"]
            assert eve.state["private"] is None
            result = ann.public["result"]
            assert ann.public["totals"] == result["points"]
            status, told = await server.get(f"/t/{table}/rounds/1")
            assert (status, told["words"]) == (200, result["words"])
            status, line = await server.get(f"/t/{table}/rounds/1/record")
            record = Record.parse(line)
            assert list(record.replay().scores()) == result["points"]
            assert record.agents[:3] == ("random", "Ann", "Bob")

    played(work)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("by_hand", [False, True], ids=["by rule", "by hand"])
def test_a_person_deals(profile: str, by_hand: bool) -> None:
    terms = load_profile(profile)

    async def work(server: Served) -> None:
        agents = [None, *["random"] * (terms.min_seats - 1)]
        table, token = await server.make(profile=profile, seats=terms.min_seats, agents=agents)
        async with server.client(table, token) as ann, server.client(table) as eve:
            await ann.join("Ann")
            await ann.done("start")
            assert ann.phase == "dealing"
            asked = ann.private["deal"]
            assert (asked["hint"], asked["starters"]) == (terms.hint.value, terms.starter.value)
            hint = "no ranks" if terms.hint is HintTerms.REQUIRED else None
            state = await ann.done("deal", rule=None if by_hand else "card.color != last.color", hint=hint)
            if by_hand and terms.starter is not StarterTerms.AS_TURNED:
                first = state["private"]["starter"]
                assert first["words"][:3] == ["right", "more", "wrong"]
                state = await ann.done("starter", word="wrong", number=ann.state["number"])
                assert eve.state["private"] is None
                second = state["private"]["starter"]["card"]
                await ann.done("starter", word="right", number=ann.state["number"])
                assert ann.public["table"]["line"][-1]["card"] == second
            assert ann.private["hand"] == []
            if not by_hand:
                assert ann.private["rule"]["text"] == "card.color != last.color"
                states = [each["public"] for each in eve.frames if each["kind"] == "state"]
                assert not any("card.color" in str(each) for each in states if each["phase"] == "playing")
            await ann.play(by_lot(3))
            assert (ann.public["result"]["rule"] is None) == by_hand
            assert ann.public["table"]["by_hand"] == by_hand
            status, told = await server.get(f"/t/{table}/rounds/1")
            assert (status, told["words"] is None) == (200, by_hand)

    played(work)


class Stuck(CrewHere):
    """Thinks for ever, once it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = False

    async def move(self, player: Player, view: View) -> Move:
        while self.stuck:
            await asyncio.sleep(60)
        return await super().move(player, view)


def as_it_stands(client: Client) -> tuple[int, list[object]]:
    """Return what must be the same after a restart."""
    public = client.public
    parts = [public[name] for name in ("phase", "round", "totals", "table")]
    return client.state["number"], [*parts, client.private["hand"], client.private["decision"]]


def test_after_a_crash_every_table_comes_back_as_it_was_acknowledged(tmp_path: Path) -> None:
    """The hall is abandoned in the midst of a round, first while a person is asked, then while an agent thinks."""

    async def play() -> None:
        crew, old = Stuck(), tmp_path / "tables.sqlite"
        async with served(Ledger(old), crew=crew) as server:
            table, token = await server.make(seats=5, agents=["random", None, "random", "random", "random"])
            async with server.client(table, token) as ann:
                await ann.join("Ann")
                await ann.done("start")
                await ann.play(by_lot(5), until=lambda ann: (ann.public["table"] or {"played": 0})["played"] > 15)
                await ann.until(lambda: ann.private["decision"])
                left_asked = as_it_stands(ann)
                asked = abandoned(old, tmp_path / "asked")
                crew.stuck = True
                await ann.done("move", move=by_lot(6)(ann), number=ann.state["number"])
                while ann.private["decision"]:
                    await ann.done("move", move="pass", number=ann.state["number"])
                left_thinking = as_it_stands(ann)
                assert left_thinking[0] > left_asked[0]
                thinking = abandoned(old, tmp_path / "thinking")
        for path, left in ((asked, left_asked), (thinking, left_thinking)):
            async with served(Ledger(path)) as server, server.client(table, token) as ann:
                assert ann.welcome["you"] == {"seat": 1, "host": True}
                if path == asked:
                    assert as_it_stands(ann) == left
                else:
                    assert ann.state["number"] >= left_thinking[0]  # the agents go on at once
                await ann.play(by_lot(7))
                assert ann.public["totals"] == ann.public["result"]["points"]
                assert (await server.get(f"/t/{table}/rounds/1"))[0] == 200

    asyncio.run(play())


def abandoned(path: Path, folder: Path) -> Path:
    """Return the files of a ledger as they lie there at this moment, as after a crash."""
    folder.mkdir()
    for each in path.parent.glob(f"{path.name}*"):
        shutil.copy(each, folder)
    return folder / path.name


def test_the_host_replaces_who_is_absent_and_gives_the_chair_back() -> None:
    async def work(server: Served) -> None:
        table, token = await server.make(agents=["random", None, None, "random"], first_dealer=0)
        async with server.client(table, token) as ann:
            await ann.join("Ann")
            async with server.client(table) as bob:
                bobs = await bob.join("Bob")
                await ann.done("start")
            await ann.until(lambda: not ann.public["chairs"][2]["present"])
            await ann.play(by_lot(1), until=lambda ann: is_asked(ann, 2))
            hand = ann.public["table"]["seats"][2]["size"]
            await ann.done("seat", seat=2, agent="random")
            assert ann.public["chairs"][2]["whose"] == "Bob"
            await ann.until(lambda: ann.public["table"]["seats"][2]["size"] != hand or ann.private["decision"])
            async with server.client(table, bobs) as bob:
                assert bob.welcome["you"] == {"seat": 2, "host": False}
                assert len(bob.private["hand"]) == bob.public["table"]["seats"][2]["size"]
                assert (await bob.refused("move", move="pass", number=10**6))[0] in ("not-now", "not-yours")
                await ann.done("seat", seat=2, agent=None)
                await asyncio.gather(ann.play(by_lot(2)), bob.play(by_lot(3)))
                assert bob.public["chairs"][2]["kind"] == "person"

    played(work)


def is_asked(client: Client, seat: int) -> bool:
    table = client.public["table"]
    return table is not None and table["asked"] is not None and table["asked"]["seat"] == seat


def test_a_match_of_two_rounds() -> None:
    async def work(server: Served) -> None:
        table, token = await server.make(agents=["random", None, "random", "random"])
        async with server.client(table, token) as ann:
            await ann.join("Ann")
            await ann.done("start")
            assert (await server.get(f"/t/{table}/rounds/1"))[0] == 404
            await ann.play(by_lot(1))
            first = ann.public["totals"]
            await ann.done("next")
            assert [chair["deals"] for chair in ann.public["chairs"]] == [False, True, False, False]
            await ann.done("deal", rule="card.is_red")
            assert (await server.get(f"/t/{table}/rounds/1"))[0] == 200
            assert (await server.get(f"/t/{table}/rounds/2/record"))[0] == 404
            await ann.play(by_lot(2))
            points = ann.public["result"]["points"]
            assert ann.public["totals"] == [one + other for one, other in zip(first, points, strict=True)]

    played(work)


async def opened(path: Path, **options: object) -> Hall:
    options = {"agents": ("random",)} | options
    return await Hall.open(Ledger(path), CrewHere(), **options)  # type: ignore[arg-type]


def test_a_hall_has_so_many_tables_and_no_more(tmp_path: Path) -> None:
    async def play() -> None:
        hall = await opened(tmp_path / "tables.sqlite", most=2)
        first = await hall.found(TableSetting(seats=4))
        assert first.table != (await hall.found(TableSetting(seats=4))).table
        with pytest.raises(FullHall, match="there are 2 tables here"):
            await hall.found(TableSetting(seats=4))
        with pytest.raises(UnknownTable, match="no such table"):
            hall.find("guessed")
        await hall.close()
        hall = await opened(tmp_path / "tables.sqlite")
        assert hall.find(first.table).sitting.setting == TableSetting(seats=4)
        assert len(hall.tables) == 2
        await hall.close()

    asyncio.run(play())


def test_what_cannot_be_laid_is_refused(tmp_path: Path) -> None:
    async def play() -> None:
        hall = await opened(tmp_path / "tables.sqlite")
        with pytest.raises(InvalidTable, match="'tree' does not play here; random do"):
            await hall.found(TableSetting(seats=4, agents=("tree",)))
        with pytest.raises(InvalidTable, match="'os:abort' does not play here"):
            await hall.found(TableSetting(seats=4, hint="os:abort"))
        with pytest.raises(InvalidTable, match="'catalog' has no rule for howell of the family 'nonsense'"):
            await hall.found(TableSetting(seats=4, family="nonsense"))
        assert hall.tables == ()
        await hall.close()
        with pytest.raises(UnknownPart):
            await opened(tmp_path / "other.sqlite", agents=("nobody",))

    asyncio.run(play())


def test_a_table_that_cannot_be_read_is_set_aside_and_the_others_come_back(tmp_path: Path) -> None:
    async def play() -> None:
        path = tmp_path / "tables.sqlite"
        hall = await opened(path)
        kept, spoilt = [(await hall.found(TableSetting(seats=4))).table for _ in range(2)]
        await hall.close()
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE entries SET entry = ? WHERE name = ?", (b"{}", spoilt))
        connection.close()
        hall = await opened(path)
        assert [table.name for table in hall.tables] == [kept]
        assert list(hall.set_aside) == [spoilt]
        await hall.close()

    asyncio.run(play())


def test_idle_tables_are_cleared_away(tmp_path: Path) -> None:
    async def work(server: Served) -> None:
        table, token = await server.make()
        async with server.client(table, token) as ann:
            assert await server.hall.purge(3600) == 0
            assert await server.hall.purge(0) == 1
            with pytest.raises(AssertionError, match=f"closed with {FORGOTTEN}"):
                await ann.until(lambda: False)
        assert (await server.get(f"/t/{table}/rounds/1"))[0] == 404

    played(work, ledger=Ledger(tmp_path / "tables.sqlite"))
