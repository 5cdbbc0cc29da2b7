from __future__ import annotations

from pathlib import Path

from tests.seats.web.hosting import Served, by_lot, played


def test_a_person_and_agents_play_a_whole_round(tmp_path: Path) -> None:
    async def work(server: Served) -> None:
        table, token = await server.make(seats=5, agents=["random", None, "random", "random", "random"])
        async with server.client(table, token) as ann:
            assert ann.welcome["you"] == {"seat": None, "host": True}
            assert await ann.join("Ann") == token
            assert ann.welcome["you"] == {"seat": 1, "host": True}
            await ann.done("start")
            await ann.play(by_lot(1))
            result = ann.public["result"]
            assert result["reason"] in ("emptied", "stock", "expelled")
            assert ann.public["totals"] == result["points"]
            status, told = await server.get(f"/t/{table}/rounds/1")
            assert status == 200
            assert told["words"] == result["words"]

    played(tmp_path / "tables.sqlite", work)
