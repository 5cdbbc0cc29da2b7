from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.main import get_command

from eleusis_ai.cli import app, main
from eleusis_ai.seats.web.server import PortTaken, listen
from tests.seats.web.hosting import Served


@contextmanager
def running(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Run ``eleusis serve`` in a folder; yield its process and its port."""
    command = [
        str(Path(sys.executable).parent / "eleusis"),
        "serve",
        "--port",
        "0",
        "--agents",
        "random",
        "--workers",
        "1",
    ]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield process, int(line.split("127.0.0.1:")[1].split("/")[0])
    finally:
        process.kill()
        process.communicate()


def test_killed_and_started_again_it_has_what_it_acknowledged(tmp_path: Path) -> None:
    async def found(server: Served) -> tuple[str, str]:
        setting = {"seats": 4, "agents": ["random", None, "random", "random"], "pace": 0}
        _, made = await server.get("/tables", setting)
        async with server.client(made["table"], made["token"]) as ann:
            await ann.join("Ann")
            await ann.done("start")
            await ann.until(lambda: (ann.state["private"] or {}).get("decision"))
            hands.append(ann.private["hand"])
        return made["table"], made["token"]

    async def again(server: Served) -> None:
        async with server.client(table, token) as ann:
            assert (ann.welcome["you"], ann.private["hand"]) == ({"seat": 1, "host": True}, hands[0])
            await ann.done("move", move=ann.private["hand"][0], number=ann.state["number"])

    hands: list[list[str]] = []
    with running(tmp_path) as (process, port):
        table, token = asyncio.run(found(Served(port)))
        process.send_signal(signal.SIGKILL)
        process.wait()
    with running(tmp_path) as (process, port):
        asyncio.run(again(Served(port)))
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tables.sqlite", "tables.sqlite-lock"]


def test_small_frames_are_sent_at_once() -> None:
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(PortTaken, match=rf"port {port} of 127\.0\.0\.1 cannot be had: .* as in --port \d+"):
            listen("127.0.0.1", port)
        with pytest.raises(SystemExit) as ended:
            main(["serve", "--port", str(port), "--file", str(tmp_path / "tables.sqlite")])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"port {port} of 127.0.0.1 cannot be had")


@pytest.mark.parametrize(
    ("options", "told"),
    [(["--agents", "nobody"], "'nobody' is not one of the agents"), (["--file", "/dev/null/x"], "is out of reach")],
)
def test_what_cannot_be_served(
    options: list[str], told: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--port", "0", "--file", str(tmp_path / "tables.sqlite"), *options])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_without_the_extra_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.delitem(sys.modules, "eleusis_ai.seats.web.server")
    with pytest.raises(SystemExit) as ended:
        main(["serve"])
    assert ended.value.code == 2
    assert "pip install 'eleusis-ai[web]' brings it" in capsys.readouterr().err


def test_the_page_tells_every_option_and_its_default() -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "serve.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(--\w+)` \| (.*?) ?\|", page, re.MULTILINE))
    command = get_command(app).commands["serve"]  # type: ignore[attr-defined]  # the verbs of the app
    options = {option.opts[0]: option.default for option in command.params if option.opts[0] != "--help"}
    assert rows.keys() == options.keys()
    for name, default in options.items():
        if name != "--agents":
            assert rows[name] == (
                "" if default is None else f"`{default:g}`" if isinstance(default, float) else f"`{default}`"
            )
