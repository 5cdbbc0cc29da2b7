"""The check of a program tells each thing that it does wrong, and where."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from eleusis_ai.agent import Agent
from eleusis_ai.contracts.broken import ContractBroken
from eleusis_ai.contracts.programs import ProgramContract
from eleusis_ai.profiles import load_profile
from eleusis_ai.registry import AgentSpec, make_agent

SCRIPT = Path(__file__).with_name("hostile.py")


class Check(ProgramContract):
    """Checks a hostile program in one profile."""

    profiles = (load_profile("short"),)

    def __init__(self, kind: str, body: str = str(SCRIPT)) -> None:
        use = f"command:{sys.executable} -S -E {body} '{kind}' mark"
        self._spec = AgentSpec("bot", use, {"time_limit": 2.0, "memory": 100})

    def make(self, *, seat: int, seed: str) -> Agent:
        return make_agent(self._spec, seat=seat, seed=seed)


def problem(check: Check) -> str:
    """Return what the first check that fails says."""
    for name in [name for name in vars(ProgramContract) if name.startswith("test_")]:
        try:
            getattr(check, name)()
        except ContractBroken as broken:
            return f"{name}: {broken}"
    return "nothing"


ANSWERS = "test_answers_every_decision: in short, seat "


@pytest.mark.parametrize(
    ("kind", "check", "said"),
    [
        (
            "another version",
            "test_is_made: line 1: ",
            "it speaks version 99 of the protocol, and this table 1; say hello as",
        ),
        ("no hello", "test_is_made: line 1: ", "is a move, and a hello is expected here, as in"),
        ("gone at once", "test_is_made: when it should say hello, ", "it ended (exit code 0) before the round did"),
        ("bad JSON", ANSWERS, """: line 3: '{"type": "move", ' is not JSON"""),
        ("no object", ANSWERS, ": line 3: '\"7H\"' is JSON, but no object; say one object a line"),
        ("an unknown message", ANSWERS, "has the type 'resign'; a program says hello and move, as in"),
        ("another decision", ANSWERS, "it answers decision 3, and 2 was asked; a move repeats the number"),
        ("not a move", ANSWERS, "line 3: 'the seven of hearts' is not a move"),
        ("a card it does not hold", ANSWERS, ": it answers AS AS AS"),
        ("silent", ANSWERS, "asked for decision 2, it says nothing for 2 seconds; answer with a line, and flush it"),
        ("crash", ANSWERS, "it ended (exit code 3) before the round did (it wrote to standard error: all is lost)"),
        ("flood without an end of line", ANSWERS, "it says more than 65536 bytes in a line, beginning 'xxx"),
        ("endless errors", ANSWERS, "it says nothing for 2 seconds (it wrote to standard error: woe | woe | woe)"),
        ("memory without end", ANSWERS, "because it wanted more memory than it may have, 100 megabytes"),
        ("output closed", ANSWERS, "it has closed its output, and goes on; leave standard output open"),
        (
            "deaf to the end",
            "test_plays_whole_rounds: in short, when the round is over: ",
            "it goes on when the round is",
        ),
        (
            "an error at the end",
            "test_plays_whole_rounds: in short, when the round is over: ",
            "it ended (exit code 1)",
        ),
    ],
)
def test_what_is_wrong_is_told(kind: str, check: str, said: str) -> None:
    found = problem(Check(kind))
    assert found.startswith(check)
    assert said in found


def test_who_draws_by_no_seed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(
        "import json, os, sys\n"
        "for line in sys.stdin:\n"
        "    said = json.loads(line)\n"
        "    if said['type'] == 'hello':\n"
        "        print(json.dumps({'type': 'hello', 'version': 1}), flush=True)\n"
        "    if said['type'] == 'decision':\n"
        "        move = said['legal'][os.getpid() % len(said['legal'])]\n"
        "        print(json.dumps({'type': 'move', 'number': said['number'], 'move': move}), flush=True)\n"
    )
    assert "test_same_seed_same_moves: in short" in problem(Check("", str(path)))
