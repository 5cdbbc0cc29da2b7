"""Agents that play outside, by their names and by what they do."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from eleusis_ai.agent import Agent, Attends, Misbehaved
from eleusis_ai.arena.config import config_from
from eleusis_ai.contracts.tour import tour
from eleusis_ai.envs.gym_env import EleusisEnv
from eleusis_ai.legal import IllegalMove
from eleusis_ai.match import play_round
from eleusis_ai.profiles import load_profile
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec, InvalidOptions, MissingExtra, UnknownPart, make_agent, plays_outside
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats import conversation, faults
from eleusis_ai.seats.conversation import number_of
from eleusis_ai.seats.table import Table
from tests.arena.test_config import FIELDS
from tests.processes import gone, linux, wait_until
from tests.seats.sitters import table
from tests.seats.test_table import play_on

SHORT = load_profile("short")
VIEW = tour(SHORT)[0][0]
HEAD = """
import json, os, sys
def say(**message):
    print(json.dumps(message), flush=True)
def hear():
    return json.loads(sys.stdin.readline() or sys.exit())
hear()
say(type="hello", version=1)
"""
PLAY = """
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "decision":
        say(type="move", number=said["number"], move=said["legal"][0])
"""
Bot = Callable[..., str]


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """Write a program that says hello and then does what is said; return the agent's name."""

    def write(body: str, head: str = HEAD) -> str:
        path = tmp_path / "a bot.py"
        path.write_text(head + textwrap.dedent(body))
        return f"command:{sys.executable} -S -E '{path}'"

    return write


def seated(use: str, **options: Any) -> Agent:
    return make_agent(AgentSpec("bot", use, options), seat=VIEW.seat, seed="s")


def fault_of(use: str, **options: Any) -> str:
    with pytest.raises(Misbehaved) as error:
        seated(use, **options).act(VIEW)
    return f"{type(error.value).__name__}: {error.value}"


def test_a_name_with_a_scheme_plays_outside() -> None:
    assert [*map(plays_outside, ("command:node a.js", "ws://127.0.0.1:1", "wss://a.b/c"))] == [True] * 3
    assert [*map(plays_outside, ("command", "tree", "eleusis_agents.tree:TreeAgent", ""))] == [False] * 4


@pytest.mark.parametrize(
    ("use", "options", "about"),
    [
        ("command:", {}, "a command names a program, as in 'command:node bot.js'"),
        ("command:no-such-program a", {}, "there is no program 'no-such-program' to start"),
        ("command:node 'bot.js", {}, '"node \'bot.js" is no command: No closing quotation'),
        ("ws://", {}, "'ws://' is no address"),
        ("ws://host:port", {}, "'ws://host:port' is no address"),
    ],
)
def test_a_name_that_does_not_do(use: str, options: dict[str, Any], about: str) -> None:
    with pytest.raises(UnknownPart) as error:
        seated(use, **options)
    assert about in str(error.value)
    assert "as in '" in str(error.value)


@pytest.mark.parametrize(
    ("options", "about"),
    [
        ({"time_limit": 0}, "time_limit is 0; it is seconds, as in time_limit = 10.0"),
        ({"memory": 0}, "memory is 0; it is megabytes, as in memory = 1024"),
        ({"memory": "1 GB"}, "memory is '1 GB'; it is megabytes"),
        ({"time_limit": "1"}, "time_limit is '1'; it is seconds"),
        ({"patience": 1}, "its options are time_limit, memory"),
    ],
)
def test_limits_that_do_not_do(options: dict[str, Any], about: str) -> None:
    with pytest.raises(InvalidOptions) as error:
        seated("command:python3 bot.py", **options)
    assert about in str(error.value)


def test_in_a_config_a_command_is_an_agent() -> None:
    agents = [
        {"command": ["node", "my bots/bot.js"]},
        {"command": ["python3", "fast.py", "--deep"], "id": "deep", "options": {"memory": 64}},
        {"command": ["./fast", "-v"]},
    ]
    config = config_from(FIELDS | {"agents": agents})
    assert config.agents == (
        AgentSpec("bot", "command:node 'my bots/bot.js'"),
        AgentSpec("deep", "command:python3 fast.py --deep", {"memory": 64}),
        AgentSpec("fast", "command:./fast -v"),
    )
    assert config_from({"name": "x"} | {name: getattr(config, name) for name in ("seed", "seats", "deals")} | {
        "profile": "howell", "dealer": {"use": "catalog"}, "agents": [{"id": "bot", "use": config.agents[0].use}],
    }).agents == config.agents[:1]  # fmt: skip


def test_it_plays_a_round_and_hears_how_it_ended(bot: Bot, tmp_path: Path) -> None:
    use = bot(PLAY + f"open({str(tmp_path / 'heard')!r}, 'a').write(line)\n")
    agents = [None, *(make_agent(use, seat=seat, seed="s") for seat in (1, 2, 3))]
    record = play_round(SHORT, Rule.parse("card.color != last.color"), agents, dealer=0, seed=1)
    points = ",".join(map(str, record.scores or ()))
    heard = (tmp_path / "heard").read_text()
    assert heard == f'{{"type":"result","points":[{points}],"rule":"card.color != last.color"}}\n' * 3


def test_at_a_gymnasium_s_table(bot: Bot) -> None:
    env = EleusisEnv(profile="short", seats=4, opponents=[bot(PLAY)])
    env.reset(seed=1)
    env.close()


def test_it_is_told_a_number_for_its_seed(bot: Bot, tmp_path: Path) -> None:
    use = bot(f"hear(); open({str(tmp_path / 'seat')!r}, 'w').write(sys.stdin.readline())\n" + PLAY)
    seated(use).act(VIEW)
    assert f'"seed":{number_of("s")},"time_limit":10.0' in (tmp_path / "seat").read_text()
    assert number_of("s") != number_of("t")
    assert 0 <= number_of("s") < 2**53


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("print('7H')", "BadJson: line 2: '7H' is not JSON"),
        ("print('[' * 70000)", "LongLine: asked for decision 1, it says more than 65536 bytes in"),
        ("say(type='hello', version=1)", "OutOfTurn: line 2: "),
        ("say(type='move', number=2, move='7H')", "WrongDecision: line 2: it answers decision 2, and 1 was asked"),
        ("say(type='move', number=1, move='7')", "NotAMove: line 2: '7' is not a move"),
        ("sys.stderr.write('oh no\\n'); sys.exit(3)", "Crashed: asked for decision 1, it ended (exit code 3) before"),
        (
            "sys.stderr.write('oh no\\n'); sys.exit(3)",
            "(it wrote to standard error: oh no); read lines until they end",
        ),
        ("os.kill(os.getpid(), 11)", "Crashed: asked for decision 1, it ended (signal 11, SIGSEGV) before the round"),
        ("sys.exit(0)", "Crashed: asked for decision 1, it ended (exit code 0) before the round did; read"),
        ("bytearray(2**29)", "OutOfMemory: asked for decision 1, it ended (exit code 1) because it wanted more"),
        ("bytearray(2**29)", "memory than it may have, 200 megabytes (it wrote to standard error: "),
        (
            "os.close(1); hear(); hear(); hear(); hear(); hear(); hear(); hear()",
            "HungUp: asked for decision 1, it has",
        ),
        ("import time; time.sleep(99)", "Silent: asked for decision 1, it says nothing for 0.3 seconds; answer with"),
    ],
)
def test_a_fault_is_told_with_its_place(bot: Bot, body: str, said: str) -> None:
    said_limit = 0.3 if said.startswith("Silent") else 20
    assert said in fault_of(bot(body), time_limit=said_limit, memory=200)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("", "Crashed: when it should say hello, it ended (exit code 0) before the round did"),
        ("print('Hello')", "BadJson: line 1: 'Hello' is not JSON"),
        ('print(\'{"type":"hello","version":2}\')', "WrongVersion: line 1: it speaks version 2 of the protocol, and"),
        ("import time; time.sleep(99)", "Silent: when it should say hello, it says nothing for 0.5 seconds"),
        ("import nothing_such", "ModuleNotFoundError: No module named 'nothing_such'"),
    ],
)
def test_a_fault_before_hello(bot: Bot, monkeypatch: pytest.MonkeyPatch, head: str, said: str) -> None:
    if "sleep" in head:
        monkeypatch.setattr(conversation, "STARTING", 0.5)
    assert said in fault_of(bot("", head))


def test_what_is_no_program_is_unreachable(tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("neither a script nor a program")
    path.chmod(0o755)
    assert "Unreachable: when it should say hello, " in fault_of(f"command:{path}")
    assert "cannot be started: Exec format error" in fault_of(f"command:{path}")


def test_a_fault_is_told_the_program_and_stays(bot: Bot, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    agent = seated(bot(f"print('7H', flush=True)\nopen({str(heard)!r}, 'w').write(sys.stdin.read())"))
    for _ in range(2):
        with pytest.raises(faults.BadJson, match="line 2: '7H' is not JSON"):
            agent.act(VIEW)
    assert isinstance(agent, Attends)
    agent.ended(VIEW)


def test_a_move_that_may_not_be_made_is_told_and_the_next_one_asked_for(bot: Bot, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    use = bot(
        f"""
        moves = ["AS AS AS", "the seven", None]
        for line in sys.stdin:
            said = json.loads(line)
            if said["type"] == "error":
                open({str(heard)!r}, "a").write(line)
            if said["type"] == "decision":
                say(type="move", number=said["number"], move=moves.pop(0) or said["legal"][0])
        """
    )
    agent = seated(use)
    assert agent.act(VIEW) not in VIEW.legal_moves()
    with pytest.raises(faults.NotAMove):
        agent.act(VIEW)
    assert agent.act(VIEW) in VIEW.legal_moves()
    first, second = heard.read_text().splitlines()
    assert '"problem":"line 2: the hand does not hold AS; play cards of the hand' in first
    assert "line 3: 'the seven' is not a move" in second
    assert '"over":false' in first
    with pytest.raises(IllegalMove, match="ProgramAgent answered AS AS AS"):
        play_round(SHORT, Rule.parse("card.is_red"), [None, *(seated(use) for _ in range(3))], dealer=0, seed=1)


def test_keys_and_passwords_stay_outside(bot: Bot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    seated(bot(f"open({str(tmp_path / 'seen')!r}, 'w').write(' '.join(os.environ))\n{PLAY}")).act(VIEW)
    seen = (tmp_path / "seen").read_text().split()
    assert {"PATH", "LC_ALL", "PYTHONUNBUFFERED"} <= set(seen)
    assert "OPENAI_API_KEY" not in seen


@linux
def test_nothing_is_left_open(bot: Bot) -> None:
    use = bot(PLAY)
    seated(use).act(VIEW)
    before = len(os.listdir("/proc/self/fd"))
    for body in (PLAY, "sys.exit(1)", "print(7)"):
        agent = seated(bot(body))
        try:
            agent.act(VIEW)
        except Misbehaved:
            continue
        del agent
    assert len(os.listdir("/proc/self/fd")) == before


@linux
def test_it_ends_with_a_table_that_is_killed(bot: Bot, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    use = bot(
        f"""
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(99)"], start_new_session=True)
        open({str(pids)!r}, "w").write(f"{{os.getppid()}} {{os.getpid()}} {{child.pid}} ")
        import time; time.sleep(99)
        """
    )
    host = f"from tests.seats.test_outsiders import VIEW, seated\nseated({use!r}).act(VIEW)"
    with subprocess.Popen([sys.executable, "-c", host], cwd=Path(__file__).parents[2]) as table:
        wait_until(lambda: pids.exists() and pids.read_text().endswith(" "))
        table.send_signal(signal.SIGKILL)
    wait_until(lambda: all(map(gone, map(int, pids.read_text().split()))))


def test_at_a_terminal_s_table(bot: Bot) -> None:
    laid = table(agents=(bot(PLAY), "random"))
    begun = play_on(laid, 2)
    assert begun.scores is None
    whole = play_on(laid)
    assert play_on(Table.resume(Record.parse(str(begun)))) == whole
    assert not whole.substitutes
    assert whole.agents[2].startswith("command:")


def test_without_the_library_an_address_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "eleusis_ai.seats.websocket", raising=False)
    monkeypatch.setitem(sys.modules, "websockets.exceptions", None)
    with pytest.raises(MissingExtra, match=r"pip install 'eleusis-ai\[web\]' brings it"):
        seated("ws://127.0.0.1:8765")
