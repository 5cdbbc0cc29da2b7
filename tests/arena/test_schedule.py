from __future__ import annotations

from collections import Counter

import pytest

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.schedule import schedule


def config(agents: int, seats: int, *, rotate: bool = True) -> TournamentConfig:
    return config_from(
        {
            "name": "balance",
            "profile": "howell",
            "seats": seats,
            "seed": 3,
            "deals": 2,
            "rotate": rotate,
            "dealer": {"use": "tests.arena.players:Painter"},
            "agents": [{"id": f"agent-{n}", "use": "tests.arena.players:Restless"} for n in range(agents)],
        }
    )


@pytest.mark.parametrize("seats", [4, 5, 8])
@pytest.mark.parametrize("agents", [1, 2, 3, 4, 9])
def test_over_a_deal_every_agent_sits_on_every_chair_once(agents: int, seats: int) -> None:
    tables = [table for table in schedule(config(agents, seats)) if table.deal == 1]
    assert len(tables) == agents
    for chair in range(seats - 1):
        assert Counter(table.line_up[chair].id for table in tables) == {f"agent-{n}": 1 for n in range(agents)}


def test_a_short_list_is_repeated() -> None:
    first, second = list(schedule(config(3, 5)))[:2]
    assert [spec.id for spec in first.line_up] == ["agent-0", "agent-1", "agent-2", "agent-0"]
    assert [spec.id for spec in second.line_up] == ["agent-1", "agent-2", "agent-0", "agent-1"]


def test_without_rotation_there_is_one_seating() -> None:
    assert [table.key for table in schedule(config(3, 5, rotate=False))] == ["deal 0 seating 0", "deal 1 seating 0"]


def test_seatings_of_a_deal_share_rule_and_chance() -> None:
    by_deal: dict[int, set[tuple[str, str]]] = {}
    for table in schedule(config(3, 5)):
        by_deal.setdefault(table.deal, set()).add((table.chance, str(table.rule)))
    assert [len(facts) for facts in by_deal.values()] == [1, 1]


def test_seeds_are_named_after_deal_seating_and_agent() -> None:
    table = list(schedule(config(2, 4)))[1]
    assert table.seeds == (
        "3/deal/0/seating/1/agent/agent-1",
        "3/deal/0/seating/1/agent/agent-0",
        "3/deal/0/seating/1/agent/agent-1/copy/2",
    )
