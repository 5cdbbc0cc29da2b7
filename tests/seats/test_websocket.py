"""Agents behind a WebSocket: one that is served here plays as it would at the table itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

from eleusis_ai.agent import Attends
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.match import play_round
from eleusis_ai.moves import Move
from eleusis_ai.profiles import load_profile
from eleusis_ai.registry import AgentSpec, InvalidOptions, UnknownPart, make_agent
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats import faults
from eleusis_ai.seats.conversation import number_of
from eleusis_ai.seats.protocol import ErrorMessage, Hello, read_from_table, write
from eleusis_ai.seats.websocket import address_of, open_server
from eleusis_ai.view import View
from tests.arena.test_tournament import config
from tests.seats.test_outsiders import VIEW, fault_of

SHORT = load_profile("short")
ENDS: list[View] = []


class Attending:
    """Plays the first legal move, and keeps how the round ended."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat = seat

    def act(self, view: View) -> Move:
        return next(iter(view.legal_moves()))

    def ended(self, view: View) -> None:
        ENDS.append(view)


class Failing(Attending):
    """Has no answer."""

    def act(self, view: View) -> Move:
        raise ZeroDivisionError("an agent's own defect")


@contextmanager
def served(use: str, **options: Any) -> Iterator[str]:
    with open_server(AgentSpec(use, use, options), host="127.0.0.1", port=0) as server:
        yield from _running(server)


@contextmanager
def answering(answer: Any) -> Iterator[str]:
    """Serve WebSocket, and do ``answer`` with each connection."""
    with serve(answer, "127.0.0.1", 0) as server:
        yield from _running(server)


def _running(server: Any) -> Iterator[str]:
    from threading import Thread

    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield address_of(server)
    finally:
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("name", ["random", "elimination"])
def test_a_served_agent_plays_as_it_would_here(name: str) -> None:
    rule, others = Rule.parse("card.color != last.color"), ["random"] * 3
    with served(name) as address:
        far = [make_agent(use, seat=seat, seed=f"{seat}") for seat, use in enumerate([address, *others], 1)]
        there = play_round(SHORT, rule, [None, *far], dealer=0, seed=3)
    near = [make_agent(use, seat=seat, seed=f"{seat}") for seat, use in enumerate([name, *others], 1)]
    near[0] = make_agent(name, seat=1, seed=str(number_of("1")))
    assert play_round(SHORT, rule, [None, *near], dealer=0, seed=3) == there


def test_it_hears_how_the_round_ended() -> None:
    ENDS.clear()
    with served(f"{__name__}:Attending") as address:
        agents = [make_agent(address, seat=seat, seed="s") for seat in (1, 2, 3)]
        record = play_round(SHORT, Rule.parse("card.is_red"), [None, *agents], dealer=0, seed=1)
    round_ = record.replay()
    assert sorted(ENDS, key=lambda view: view.seat) == [round_.view(seat) for seat in (1, 2, 3)]


def test_it_plays_a_tournament(tmp_path: Any) -> None:
    with served("random") as address:
        agents = [{"id": "far", "use": address}, {"use": "random"}]
        run_tournament(config(deals=1, agents=agents), tmp_path / "out", workers=1)
    records = [*Store(tmp_path / "out").records()]
    assert len(records) == 2
    assert not any(record.substitutes for record in records)


def test_an_agent_that_fails_is_told_as_what_it_is() -> None:
    with served(f"{__name__}:Failing") as address:
        assert "GaveUp: line 2: it gives up: ZeroDivisionError: an agent's own defect" in fault_of(address)


def test_what_cannot_be_served_is_not() -> None:
    with pytest.raises(UnknownPart, match="did you mean 'random'"), served("randm"):
        pass
    with pytest.raises(InvalidOptions), served("random", mood="calm"):
        pass


@pytest.mark.parametrize(
    ("first", "said"),
    [
        ("{7H", "BadJson: '{7H' is not JSON"),
        ('{"type":"move","number":1,"move":"7H"}', "BadMessage: "),
        (write(Hello(99)), "WrongVersion: the table speaks version 99 of the protocol, and not 1"),
        ('{"type":"decision","number":1,"kind":"play","legal":[],"strings":null,"statements":null}', "OutOfTurn: "),
        (b"\xff\xfe", "BadJson: "),
    ],
)
def test_a_table_that_is_none_is_told_why(first: str | bytes, said: str) -> None:
    with served("random") as address, connect(address) as table:
        table.send(first)
        message = read_from_table(table.recv(20))
        assert isinstance(message, ErrorMessage)
        assert said in message.problem
        assert message.over


def greeting(connection: ServerConnection) -> None:
    connection.recv()
    connection.send(write(Hello(1)))


def _silent(connection: ServerConnection) -> None:
    greeting(connection)
    for _ in connection:
        pass


def _leaving(connection: ServerConnection) -> None:
    greeting(connection)


def _long(connection: ServerConnection) -> None:
    greeting(connection)
    connection.send("x" * 2**20)
    connection.recv()


def _flooding(connection: ServerConnection) -> None:
    greeting(connection)
    while True:
        connection.send(b"7H")


def _lost(connection: ServerConnection) -> None:
    connection.socket.close()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (_silent, "Silent: asked for decision 1, it says nothing for 0.3"),
        (_leaving, "HungUp: asked for decision 1, it has closed the connection"),
        (_long, "LongLine: asked for decision 1, it says a message of more than 65536 bytes"),
        (_flooding, "BadJson: line 2: '7H' is not JSON"),
        (_lost, "HungUp: when it should say hello, it has closed the connection"),
    ],
)
def test_a_server_may_misbehave_as_it_likes(answer: Any, said: str) -> None:
    with answering(answer) as address:
        assert said in fault_of(address, time_limit=0.3 if said.startswith("Silent") else 20)


def test_nobody_is_there() -> None:
    with served("random") as address:
        pass
    agent = make_agent(address, seat=VIEW.seat, seed="s")
    for _ in range(2):
        with pytest.raises(faults.Unreachable, match=r"ws:.* does not answer"):
            agent.act(VIEW)
    assert isinstance(agent, Attends)
    agent.ended(VIEW)
