"""What `docs/how-to/llm.md` shows of endpoints is what happens, with the stub in the place of a model."""

from __future__ import annotations

import inspect
import json
import re
import shlex
from pathlib import Path

import pytest

from eleusis_agents.llm.log import Entry
from eleusis_agents.llm.settings import Settings
from eleusis_ai.cli import main
from tests.agents.llm.stub import KEY, Stub

PAGE = (Path(__file__).parents[3] / "docs" / "how-to" / "llm.md").read_text(encoding="utf-8")
HOSTED = "https://api.openai.com/v1"


def commands() -> list[str]:
    return [line for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL) for line in block.splitlines()]


def run(command: str, *more: str) -> None:
    with pytest.raises(SystemExit) as left:
        main([*shlex.split(command)[1:], *more])
    assert left.value.code == 0


def test_the_hosted_tournament_is_played(
    stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (config,) = re.findall(r"```toml\n(# hosted.toml\n.*?)```", PAGE, re.DOTALL)
    assert HOSTED in config
    (tmp_path / "hosted.toml").write_text(
        config.replace(HOSTED, stub.base_url).replace("deals = 2", "deals = 1").replace("tree", "random")
    )
    assert "eleusis tournament hosted.toml" in commands()
    run("eleusis tournament hosted.toml")
    printed = capsys.readouterr().out
    assert re.search(r"^gpt +\d", printed, re.MULTILINE)
    assert "stand-ins" not in printed
    assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in stub.asked)
    line = (tmp_path / "log.jsonl").read_text().splitlines()[0]
    (shown,) = re.findall(r"```json\n(.*?)\n```", PAGE, re.DOTALL)
    assert list(json.loads(line)) == list(json.loads(shown)) == list(Entry.__struct_fields__)
    entry = json.loads(shown)
    prices = Settings.of({"price_in": 0.25, "price_out": 2.0})
    assert entry["cost"] == pytest.approx(prices.cost(entry["tokens_in"], entry["tokens_out"]))
    assert (tmp_path / "answers" / "spending.json").is_file()


def test_the_benchmark_is_run(stub: Stub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (command,) = [line for line in commands() if "bench" in line]
    run(command, "--options", f"base_url={stub.base_url}", "--out", "out")
    assert (tmp_path / "out" / "result.md").is_file()
    assert {asked.body["model"] for asked in stub.asked} == {"gpt-oss:20b"}


def test_every_option_is_explained_in_the_words_of_the_code() -> None:
    table = dict(re.findall(r"^\| `(\w+)` \| .*? \| (.*) \|$", PAGE, re.MULTILINE))
    code = " ".join(inspect.getsource(Settings).split())
    assert list(table) == list(Settings.__struct_fields__)
    for name, meaning in table.items():
        assert f'"""{meaning}"""' in code, name
