"""An inn: ``eleusis serve`` in a process of its own, which browsers visit, and which may be killed."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.browser.steady import STEADY

ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Seconds that the server may take to start."""
AGENTS = (STEADY, "random", "elimination:beginner")
"""Those that may be seated, unless a test needs fewer."""


class NoNetwork(LookupError):
    """This machine has no address but that of itself."""


class Inn:
    """A server with its file."""

    def __init__(self, folder: Path, *, host: str, agents: Sequence[str]) -> None:
        self._file, self._host, self._port = folder / "tables.sqlite", host, "0"
        self._agents = ",".join(agents)
        self._process: subprocess.Popen[bytes] | None = None
        self._told = b""

    def open(self) -> None:
        """Start the server, the second time at the same port, and wait until it answers."""
        command = [str(Path(sys.executable).parent / "eleusis"), "serve", "--workers", "1"]
        command += [
            "--host",
            self._host,
            "--port",
            self._port,
            "--file",
            str(self._file),
            "--agents",
            ",".join(AGENTS),
        ]
        environment = os.environ | {"PYTHONUNBUFFERED": "1"}
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, env=environment, bufsize=0)
        assert self._process.stdout is not None
        self._told = self._process.stdout.readline()
        found = re.search(rb":(\d+)/", self._told)
        assert found, f"the server said {self._told!r}"
        self._port = found[1].decode()
        with urllib.request.urlopen(f"{self.address}/healthz", timeout=PATIENCE) as answer:
            assert answer.status == 200
        if select.select([self._process.stdout], [], [], 0)[0]:
            self._told += self._process.stdout.readline()

    def kill(self) -> None:
        """End the server as a power cut does."""
        assert self._process is not None
        self._process.kill()
        self._process.communicate()

    @property
    def address(self) -> str:
        """Where the tables are for this machine."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def address_for_phones(self) -> str:
        """Where they are for others in the same network, as the server says.

        Raises:
            NoNetwork: if it says nothing.
        """
        found = re.search(rb"a phone in the same network opens (\S+)/\n", self._told)
        if found is None:
            raise NoNetwork("this machine is in no network, so that no phone can reach it; give it an address")
        return found[1].decode()


@contextmanager
def opened(folder: Path, *, host: str = "127.0.0.1", agents: Sequence[str] = AGENTS) -> Iterator[Inn]:
    """Open an inn, and close it."""
    inn = Inn(folder, host=host, agents=agents)
    inn.open()
    try:
        yield inn
    finally:
        inn.kill()
