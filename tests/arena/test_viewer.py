from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.report.viewer import fragment, round_json, round_page, rounds_script
from eleusis_ai.logs import read_log
from eleusis_ai.record import InvalidRecord, Record
from tests.records.rewrite import RECORDS, read

EXAMPLE = next(read_log(Path("docs/example-round.jsonl")))


def test_a_round_tells_what_each_move_changes() -> None:
    told = json.loads(round_json(EXAMPLE))
    assert told["rule"] == EXAMPLE.rule
    assert told["line"] == "10D"
    assert told["hands"][2].startswith("5D 2H QS")
    first, second = told["steps"][:2]
    # 5D and the pass after it: wrong, two cards drawn, and it is seat 3's turn
    assert first == {"n": 2, "h": "-5D+9C 3C", "b": 1, "t": 1, "q": 3}
    assert told["say"][first["t"]] == "S@ plays #: wrong, and draws ~."
    assert second == {"h": "-7H+7C 5D", "b": 1, "t": 1, "q": "3 after turn"}
    assert told["steps"][-1]["points"] == list(EXAMPLE.scores or ())


def test_a_round_is_small() -> None:
    rounds = [read(path)[1] for path in RECORDS]
    sizes = [len(round_json(record).encode()) for record in rounds]
    assert max(sizes) < 6_000
    assert sum(sizes) < 3.2 * sum(len(str(record)) for record in rounds)


def test_a_record_that_does_not_replay_is_refused() -> None:
    with pytest.raises(InvalidRecord, match="move 1 of"):
        round_json(msgspec.structs.replace(EXAMPLE, moves=("AS",)))


def test_no_text_ends_the_script() -> None:
    names = ("</script>", "<!--", "\u2028\u2029", "&lt;", "")
    record = msgspec.structs.replace(EXAMPLE, agents=names)
    script = rounds_script({17: round_json(record)})
    assert re.findall("[<>&\u2028\u2029]", script) == ["<", ">", "<", ">"]
    rounds = json.loads(script.removeprefix('<script type="application/json" id="rounds">').removesuffix("</script>"))
    assert tuple(rounds["17"]["agents"]) == names


def test_a_page_allows_what_is_its_own() -> None:
    page = round_page(EXAMPLE)
    policy = re.search('Content-Security-Policy" content="(.*?)">', page)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    assert not re.search(r"""(?:src|href)=["'](?!#)|url\(|@import|\bfetch\(|https?:""", page)


def test_the_fragment_is_the_same_for_all_rounds() -> None:
    assert fragment() in round_page(EXAMPLE)
    assert fragment() in round_page(read(RECORDS[0])[1])


def test_a_round_that_goes_on_and_names_nobody_can_be_shown() -> None:
    record = msgspec.structs.replace(EXAMPLE, agents=(), key="", moves=EXAMPLE.moves[:3], scores=None)
    told = json.loads(round_json(record))
    assert "agents" not in told
    assert len(told["steps"]) == 2
    assert Record.parse(str(record)) == record
