"""The bots beside the page on bots keep their contract, and play better than chance."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from eleusis_ai.arena.config import load_config
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.contracts.checkup import Finding, Job, check_up, checks

BOTS = Path(__file__).parents[2] / "docs" / "how-to" / "bots"


@pytest.fixture
def node() -> str:
    """Find Node, or skip a test that needs it, with the reason; where CI runs it fails."""
    path = shutil.which("node")
    if path is None:
        said = "node is not installed; on Debian: apt-get install nodejs"
        if os.environ.get("CI"):
            pytest.fail(said)
        pytest.skip(said)
    return path


def findings(command: str) -> list[Finding]:
    return list(check_up(Job(f"command:{command}"), limit=300))


def test_python_s_bot_keeps_the_contract() -> None:
    assert findings(f"{sys.executable} {BOTS / 'bot.py'}") == [
        Finding("programs", said, None) for said in checks("programs").values()
    ]


def test_node_s_bot_keeps_the_contract(node: str) -> None:
    assert findings(f"{node} {BOTS / 'bot.js'}") == [
        Finding("programs", said, None) for said in checks("programs").values()
    ]


def test_they_win_a_tournament(node: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOTS.parents[2])
    config = load_config(BOTS / "bots.toml")
    assert [agent.id for agent in config.agents] == ["bot", "bot-js", "random"]
    ranking = run_tournament(config, tmp_path / "out", workers=2)
    assert not any(record.substitutes for record in Store(tmp_path / "out").records())
    points = {standing.agent: standing.points for standing in ranking.standings}
    assert min(points["bot"], points["bot-js"]) > 2 * points["random"]
