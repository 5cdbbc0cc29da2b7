"""A pseudo-terminal in which `eleusis play` runs, typed at line by line; and the tutorial's round, written by it.

``python -m tests.seats.at_a_terminal`` plays the round of ``docs/tutorial/terminal.md`` again and rewrites its
transcript. Read the diff before you commit it.
"""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "tutorial" / "terminal.md"
BLOCK = re.compile(r"^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")
PATIENCE = 60.0
"""Seconds without a word after which a test fails."""

TUTORIAL = "play --profile short --seats 4 --agents random --family markov1 --seed 225 --save round.jsonl"
TYPED = ("7D", "pass", "10S", "6H", "KC", "prophet", "right", "wrong", "right", "wrong", "wrong", "wrong")


class Terminal:
    """A terminal of 80 columns with `eleusis` in it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._side, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        variables = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
        self.process = subprocess.Popen(
            [Path(sys.executable).with_name("eleusis"), *arguments],
            cwd=folder,
            env=variables | {"TERM": "xterm", "LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT)},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C reaches it
        )
        os.close(theirs)
        self._bytes = b""
        self.over = False
        """Whether nothing more will be shown."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._side)

    @property
    def raw(self) -> str:
        """All that was shown, with its colours."""
        return self._bytes.decode(errors="replace")

    @property
    def shown(self) -> str:
        """All that was shown, as plain text."""
        lines = ANSI.sub("", self.raw).split("\n")
        return "\n".join(line if line == "> " else line.rstrip() for line in lines)

    def ask(self, *typed: str) -> str:
        """Type lines, each where an answer is awaited; return what was shown since the first of them."""
        before = len(self.shown)
        for line in typed:
            self.type(line + "\n")
            self.wait()
        return self.shown[before:]

    def wait(self) -> str:
        """Wait until an answer is awaited or the program has ended; return all that was shown."""
        asked = self.shown.count("\n> ")
        while not self.over and not (self.shown.endswith("\n> ") and self.shown.count("\n> ") > asked):
            self._read()
        return self.shown

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._side, keys.encode())

    def leave_by(self, keys: str) -> None:
        """Press keys at which the program ends; Ctrl-C anew: Python is deaf to it until it waits for a key."""
        self.type(keys)
        while not self.over:
            if select.select([self._side], [], [], 1)[0]:
                self._read()
            elif keys == "\x03":
                self.type(keys)

    def end(self) -> int:
        """Wait until the program has ended; return its exit code."""
        while not self.over:
            self._read()
        return self.process.wait(PATIENCE)

    def _read(self) -> None:
        """Read what comes next."""
        if not select.select([self._side], [], [], PATIENCE)[0]:
            raise TimeoutError(f"nothing was said for {PATIENCE} seconds; so far:\n{self.shown}")
        try:
            read = os.read(self._side, 65536)
        except OSError:  # so Linux tells that the other side is closed
            read = b""
        self._bytes += read
        self.over = not read


def tutorial() -> str:
    """Play the round of the tutorial; return what the terminal showed."""
    with tempfile.TemporaryDirectory() as folder, Terminal(Path(folder), *TUTORIAL.split()) as terminal:
        terminal.wait()
        terminal.ask(*TYPED)
        return f"$ eleusis {TUTORIAL}\n{terminal.shown}"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda _: f"```text\n{tutorial()}```", page), encoding="utf-8")
