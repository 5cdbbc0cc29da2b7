"""The crew answers for every agent, whatever the agent does, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.agent import Beliefs, Explains
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.moves import DecisionKind, NoPlay, Pick
from eleusis_ai.profiles import PROFILES
from eleusis_ai.registry import make_agent
from eleusis_ai.round import Round
from eleusis_ai.seats.web import crew as crew_module
from eleusis_ai.seats.web.crew import AgentFailed, Crew
from eleusis_ai.seats.web.thinking import Player
from eleusis_ai.seeds import generator
from eleusis_ai.view import View
from tests.processes import PATIENCE, children, gone, linux, wait_until
from tests.properties.rounds import PLAYED, RULES, Table, rules_for
from tests.seats.web.players import HERE, KINDS

HOWELL = PROFILES["howell"]
RULE = RULES["colors"]


def with_crew(test: Callable[[Crew], Coroutine[Any, Any, None]], **terms: Any) -> None:
    """Run a test with a crew that is closed afterwards."""

    async def run() -> None:
        crew = Crew(**{"time_limit": 2 * PATIENCE} | terms)
        try:
            await test(crew)
        finally:
            await crew.close()

    asyncio.run(run())


def dealt(seed: str = "1") -> Round:
    return Round.deal(HOWELL, RULE, seats=4, dealer=0, deck=shuffled_deck(HOWELL, generator(f"{seed}/deck")), first=1)


def player(agent: str, *, seat: int = 1, table: str = "t", round_: str = "1") -> Player:
    known = agent in ("random", "elimination")
    return Player(table, round_, seat, agent if known else f"{HERE}:{agent}", f"{table}/{round_}/{seat}")


async def play(crew: Crew, agent: str, *, table: str = "t", moves: int = 1000, round_: Round | None = None) -> Round:
    """Let agents of one kind play on in a round."""
    round_ = round_ or dealt(table)
    for _ in range(moves):
        if (decision := round_.decision) is None:
            break
        if decision.kind is DecisionKind.PICK:
            round_.apply(Pick(round_.legal_moves().hand[0]))
        else:
            round_.apply(await crew.move(player(agent, seat=decision.seat, table=table), round_.view(decision.seat)))
    return round_


async def told(crew: Crew, who: Player, view: View) -> tuple[int, int]:
    """Return the process of a Teller, and how often the agent that is there was asked for a move."""
    beliefs = await crew.beliefs(who, view)
    assert beliefs is not None
    ((process, asked),) = beliefs.rules
    return int(process), int(asked)


@pytest.mark.parametrize("profile", PLAYED, ids=str)
def test_what_any_seat_sees_travels_to_another_process(profile: Any) -> None:
    for number, rule in enumerate(rules_for(profile)[:4]):
        round_ = Table(profile, rule, seed=number, wisdom=0.9).played()
        for seat in range(round_.seats):
            view = round_.view(seat)
            assert pickle.loads(pickle.dumps(view)) == view


def test_agents_play_as_they_would_without_a_crew() -> None:
    async def rounds(crew: Crew) -> None:
        tables = [(f"t{number}", agent) for number, agent in enumerate(("random", "Teller", "random"))]
        played = await asyncio.gather(*(play(crew, agent, table=table) for table, agent in tables))
        for (table, agent), round_ in zip(tables, played, strict=True):
            seats = [player(agent, seat=seat, table=table) for seat in range(4)]
            alone = dealt(table)
            agents = [make_agent(each.agent, seat=each.seat, seed=each.seed) for each in seats]
            while (decision := alone.decision) is not None:
                if decision.kind is DecisionKind.PICK:
                    alone.apply(Pick(alone.legal_moves().hand[0]))
                else:
                    alone.apply(agents[decision.seat].act(alone.view(decision.seat)))
            assert round_.record() == alone.record()

    with_crew(rounds)


def test_agents_that_are_made_anew_play_on() -> None:
    async def begin(crew: Crew) -> None:
        begun.append(await play(crew, "elimination", moves=4))

    async def end(crew: Crew) -> None:
        (round_,) = begun
        believed = await crew.beliefs(player("elimination", seat=3), round_.view(3))
        fresh = make_agent("elimination", seat=3, seed="t/1/3")
        assert isinstance(fresh, Explains)
        wanted = fresh.beliefs(round_.view(3))
        assert believed == Beliefs(wanted.legal, wanted.rules[:16])
        there = len(round_.moves)
        assert len((await play(crew, "elimination", moves=4, round_=round_)).moves) == there + 4

    begun: list[Round] = []
    with_crew(begin, workers=1)
    with_crew(end, workers=1, live=1)  # each is made anew at every move


SAYS = {
    "raises": ("raised ZeroDivisionError", "an agent's own defect"),
    "raises SystemExit": ("raised SystemExit", "enough"),
    "raises KeyboardInterrupt": ("raised KeyboardInterrupt", ""),
    "mumbles": ("raised ValueError", "ud800"),
    "cheats": ("illegal", "it answered"),
    "talks": ("illegal", "it answered with str, which is no move"),
    "lies": ("illegal", "it answered with Sphinx, which is no move"),
    "sleeps": ("hung", "Its process was replaced."),
    "spins": ("hung", "Its process was replaced."),
    "exits": ("exited", "Its process was replaced."),
    "closes": ("exited", "Its process was replaced."),
    "crashes": ("exited", "Its process was replaced."),
}
"""Why an agent failed, and what its author is told; those that are not here did answer."""


FALLS = ("sleeps", "spins", "exits", "closes", "crashes", "kills")
"""Those that take their process down."""
HANGS = FALLS[:2]


def test_whatever_an_agent_does_the_others_play_on() -> None:
    async def misbehave(crew: Crew) -> None:
        for kind in KINDS:
            if kind not in HANGS:
                await misbehaves(crew, kind)

    with_crew(misbehave, workers=1)


def test_an_agent_that_hangs_is_not_waited_for() -> None:
    async def hang(crew: Crew) -> None:
        for kind in HANGS:
            await misbehaves(crew, kind)

    with_crew(hang, workers=1, time_limit=1.5)


async def misbehaves(crew: Crew, kind: str) -> None:
    """Let an agent do its worst in its third decision, and see what becomes of it and of another one."""
    view = dealt().view(1)
    bad, again = (player(kind.replace(" ", "_"), table=kind, round_=number) for number in "12")
    good = player("Teller", table="other")
    await crew.move(good, view)
    before, asked = await told(crew, good, view)
    for _ in range(2):
        await crew.move(bad, view)
    if kind in SAYS:
        reason, detail = SAYS[kind]
        with pytest.raises(AgentFailed, match=re.escape(f"in seat 1 of table {kind}: {reason}")) as caught:
            await crew.move(bad, view)
        assert caught.value.reason == reason
        assert detail in caught.value.detail
    else:
        await crew.move(bad, view)
    assert await told(crew, good, view) == (before, asked) or kind in FALLS
    await crew.move(good, view)
    after, asked_since = await told(crew, good, view)
    assert (after, asked_since) == (before, asked + 1) or (kind in FALLS and after != before and asked_since == 1)
    if kind in SAYS and kind in FALLS:
        with pytest.raises(AgentFailed, match="It is not asked any more in this round"):
            await crew.move(bad, view)
    await crew.move(again, view)


def test_an_agent_that_cannot_answer_fails_or_is_silent() -> None:
    async def fail(crew: Crew) -> None:
        round_ = dealt()
        await crew.warm(f"{HERE}:unmade", "nobody")
        with pytest.raises(AgentFailed, match="raised ZeroDivisionError"):
            await crew.move(player("unmade", seat=2), round_.view(2))
        with pytest.raises(AgentFailed, match="raised UnknownPart"):
            await crew.move(player("nobody"), round_.view(1))
        view, nothing = round_.view(1), NoPlay()
        assert await crew.beliefs(player("random"), view) is None
        assert await crew.reason(player("random"), view, nothing) is None
        with pytest.raises(AgentFailed, match="raised ValidationError"):
            await crew.beliefs(player("Liar"), view)
        with pytest.raises(AgentFailed, match=r"(?s)raised ValueError.*tell of 3 cards"):
            await crew.beliefs(player("Babbler"), view)
        with pytest.raises(AgentFailed, match="raised AttributeError"):
            await crew.reason(player("Liar"), view, nothing)
        told_why = await crew.reason(player("Pleader"), view, nothing)
        assert told_why is not None
        assert told_why.startswith("no play, since so it is written.")
        assert len(told_why) <= 2000

    with_crew(fail, workers=1)


def test_a_table_keeps_its_agents_until_others_are_asked_more() -> None:
    async def ask(crew: Crew) -> None:
        view = dealt().view(1)
        players = [player("Teller", table=f"t{number}") for number in range(3)]
        for _ in range(3):
            for each in players[:2]:
                await crew.move(each, view)
        processes, asked = zip(*[await told(crew, each, view) for each in players[:2]], strict=True)
        assert asked == (3, 3)
        await crew.move(players[2], view)
        assert [(await told(crew, each, view))[1] for each in (players[2], players[1], players[0])] == [1, 3, 0]
        assert len(set(processes)) == 1

    with_crew(ask, workers=1, live=2)


def test_tables_share_the_processes_and_each_keeps_to_one() -> None:
    async def ask(crew: Crew) -> None:
        view = dealt().view(1)
        where = {table: {(await told(crew, player("Teller", table=table), view))[0]} for table in map(str, range(12))}
        for table, processes in where.items():
            processes.add((await told(crew, player("Teller", table=table, round_="2"), view))[0])
            assert len(processes) == 1
        assert len(set.union(*where.values())) == 2

    with_crew(ask, workers=2)


@linux
def test_memory_stays_bounded() -> None:
    async def hoard(crew: Crew) -> None:
        view = dealt().view(1)
        seen = []
        for _ in range(9):
            await crew.move(player("Hoarder"), view)
            seen.append(await told(crew, player("Hoarder"), view))
        processes, asked = zip(*seen, strict=True)
        assert max(asked) <= 3  # never did it keep four hundred megabytes
        assert len(set(processes)) > 2
        with pytest.raises(AgentFailed, match="raised MemoryError"):
            await crew.move(player("Glutton"), view)
        await crew.move(player("random"), view)

    with_crew(hoard, workers=1, memory=700_000_000)


@linux
def test_a_worker_that_someone_kills_costs_nobody_a_move() -> None:
    async def kill(crew: Crew) -> None:
        view = dealt().view(1)
        first, _ = await told(crew, player("Slow"), view)
        os.kill(first, signal.SIGKILL)  # while it waits for orders
        second, _ = await told(crew, player("Slow"), view)
        asking = asyncio.create_task(crew.move(player("Slow"), view))
        await asyncio.sleep(0.1)
        os.kill(second, signal.SIGKILL)  # while the agent thinks
        await asking
        third, asked = await told(crew, player("Slow"), view)
        assert asked == 1
        assert len({first, second, third}) == 3
        wait_until(lambda: gone(first) and gone(second))

    with_crew(kill, workers=1)


def test_a_process_that_cannot_be_started_is_no_agents_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(crew: Crew) -> None:
        view = dealt().view(1)
        for program in ("/nowhere", sys.executable):
            with monkeypatch.context() as patch:
                patch.setattr(crew_module, "command", lambda module: [program, "-c", "0"])  # noqa: B023
                with pytest.raises(AgentFailed, match="No process can be started"):
                    await crew.move(player("Teller"), view)
        await crew.move(player("Teller"), view)

    with_crew(fail, workers=1)


def test_whoever_gives_up_does_not_mix_up_the_answers() -> None:
    async def give_up(crew: Crew) -> None:
        view = dealt().view(1)
        process, _ = await told(crew, player("Teller"), view)
        asking = [asyncio.create_task(crew.move(player("Slow"), view)) for _ in range(3)]
        await asyncio.sleep(0.1)
        for task in asking:
            task.cancel()
        assert await told(crew, player("Teller"), view) == (process, 0)
        assert await told(crew, player("Slow"), view) == (process, 1)  # the other two were never asked

    with_crew(give_up, workers=1)


def test_closing_ends_processes_that_are_busy() -> None:
    async def close(crew: Crew) -> None:
        view = dealt().view(1)
        process, _ = await told(crew, player("Teller"), view)
        for _ in range(2):
            await crew.move(player("sleeps"), view)
        asking = [asyncio.create_task(crew.move(player(kind), view)) for kind in ("sleeps", "random")]
        await asyncio.sleep(0.1)
        await crew.close()
        assert all(
            isinstance(came, asyncio.CancelledError) for came in await asyncio.gather(*asking, return_exceptions=True)
        )
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)

    with_crew(close, workers=1)


SERVER = """
import asyncio
from eleusis_ai.seats.web.crew import Crew
from tests.seats.web.test_crew import dealt, player

async def main():
    crew = Crew(2)
    await crew.warm("random")
    view = dealt().view(1)
    busy = [player("spins", table=str(number)) for number in range(8)]
    for each in busy * 2:
        await crew.move(each, view)
    asking = asyncio.gather(*(crew.move(each, view) for each in busy))
    print("busy", flush=True)
    await asking

asyncio.run(main())
"""


@linux
def test_no_process_goes_on_for_a_server_that_was_killed() -> None:
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, cwd=root) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"busy\n"
        workers = children(server.pid)
        assert len(workers) == 2
        server.kill()
        server.wait()
        wait_until(lambda: all(map(gone, workers)))
