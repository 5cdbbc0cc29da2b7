"""A program in a process of its own: lines go in and come out, and nothing that it does holds the table up."""

from __future__ import annotations

import os
import re
import selectors
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from eleusis_ai.agent import Misbehaved
from eleusis_ai.seats import faults
from eleusis_ai.seats.protocol import LINE, shown
from eleusis_ai.seats.warden import NOT_STARTED

KEPT = (
    *("PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH"),
    *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
)
"""What a program sees of the table's environment, and whatever begins with LC_; keys and passwords stay outside."""
ADDED = {"PYTHONUNBUFFERED": "1", "PYTHONHASHSEED": "0"}
"""What it sees besides: its lines come out at once, and its sets have the same order every time."""
TAIL = 2000
"""Bytes kept of what it writes to standard error."""
DYING = 2.0
"""Seconds in which a process that was told to end, or has hung up, should be gone."""
_CHUNK = 2**16
_WARDEN = str(Path(__file__).with_name("warden.py"))
_STARVED = re.compile(r"MemoryError|out of memory|bad_alloc|[Cc]annot allocate memory|ENOMEM")


class Program:
    """A line to a program that runs in a session of its own, under a warden who ends it if the table is gone."""

    def __init__(self, command: Sequence[str], *, memory: int) -> None:
        """Start the program.

        Args:
            command: The program and its arguments; paths count from the folder in which the table was started.
            memory: Megabytes that each of its processes may fill.

        Raises:
            Unreachable: if no process can be started at all.
        """
        self._command, self._memory = command, memory
        lifeline, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _WARDEN, str(lifeline), str(memory), *command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(lifeline,),
                start_new_session=True,
                bufsize=0,
                env=_environment(),
            )
        except OSError as error:
            os.close(self._lifeline)
            raise faults.Unreachable(f"{command[0]!r} cannot be started: {error.strerror}") from None
        finally:
            os.close(lifeline)
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream is not None)
        for stream in (self._in, self._out, self._err):
            os.set_blocking(stream, False)
        self._selector = selectors.DefaultSelector()
        for stream in (self._out, self._err):
            self._selector.register(stream, selectors.EVENT_READ)
        self._unsaid, self._heard, self._last_words = bytearray(), bytearray(), bytearray()
        self._closed = False

    @property
    def pid(self) -> int:
        """The process group of the program."""
        return self._process.pid

    def say(self, text: str) -> None:
        """Say a line; it is written as the program reads."""
        if not self._closed:
            self._unsaid += f"{text}\n".encode()
            self._write()

    def hear(self, deadline: float) -> bytes:
        """Wait for the next line.

        Raises:
            Misbehaved: if none comes in time, or none can come.
        """
        began = monotonic()
        while (end := self._heard.find(b"\n")) < 0:
            self._refuse_long(len(self._heard))
            if self._out not in self._selector.get_map():
                raise self._gone()
            if not self._go_on(deadline):
                unread = f" and has not read {len(self._unsaid)} bytes" if self._unsaid else ""
                raise faults.Silent(
                    f"it says nothing for {deadline - began:.3g} seconds{unread}{self._said()}; answer with a line, "
                    "and flush it"
                )
        self._refuse_long(end)
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        return line

    def end(self, deadline: float) -> None:
        """Close the program's input, and wait until it has ended.

        Raises:
            StaysOn: if it does not.
            Crashed: if it ends with another exit code than 0.
            OutOfMemory: as above.
        """
        while self._unsaid and self._go_on(deadline):
            pass
        self._hang_up()
        self._drain(deadline)
        if self._process.poll() is None:
            raise faults.StaysOn(
                "it goes on when the round is over and its input is closed; end where there is nothing more to read"
            )
        if self._process.returncode:
            raise self._gone()

    def close(self) -> None:
        """End the program and all that it has started."""
        if self._closed:
            return
        self._closed = True
        self._selector.close()
        self._hang_up()
        with suppress(OSError):
            os.write(self._lifeline, b".")
        os.close(self._lifeline)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING)
        with suppress(ProcessLookupError, PermissionError):  # where the warden was stopped or killed itself
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _hang_up(self) -> None:
        self._unsaid.clear()
        if self._process.stdin is not None and not self._process.stdin.closed:
            if not self._closed:
                with suppress(KeyError):
                    self._selector.unregister(self._in)
            self._process.stdin.close()

    def _go_on(self, deadline: float) -> bool:
        """Write and read what can be written and read now; tell whether there was time left for it."""
        left = deadline - monotonic()
        if left <= 0:
            return False
        for key, _ in self._selector.select(left):
            if key.fd == self._in:
                self._write()
            elif key.fd == self._out:
                self._heard += self._read(self._out)
            else:
                self._last_words = (self._last_words + self._read(self._err))[-TAIL:]
        return True

    def _write(self) -> None:
        try:
            del self._unsaid[: os.write(self._in, self._unsaid)]
        except BlockingIOError:
            pass
        except OSError:  # it does not read any more: whether it still speaks will be seen
            self._unsaid.clear()
        waits = self._in in self._selector.get_map()
        if self._unsaid and not waits:
            self._selector.register(self._in, selectors.EVENT_WRITE)
        elif waits and not self._unsaid:
            self._selector.unregister(self._in)

    def _read(self, stream: int) -> bytes:
        read = os.read(stream, _CHUNK)
        if not read:
            self._selector.unregister(stream)
        return read

    def _refuse_long(self, length: int) -> None:
        if length > LINE:
            raise faults.LongLine(
                f"it says more than {LINE} bytes in a line, beginning {shown(bytes(self._heard))}; a message is "
                "short, and ends with the line"
            )

    def _drain(self, deadline: float) -> None:
        """Wait until the program has ended, and let it say what it likes."""
        while self._process.poll() is None and self._selector.get_map() and self._go_on(deadline):
            self._heard.clear()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(max(0.0, deadline - monotonic()))
        while self._err in self._selector.get_map() and self._selector.select(0) and self._go_on(deadline):
            pass

    def _gone(self) -> Misbehaved:
        """Return what has happened to a program that says nothing any more."""
        self._drain(monotonic() + DYING)
        code = self._process.poll()
        if code is None:
            return faults.HungUp(f"it has closed its output, and goes on{self._said()}; leave standard output open")
        words = self._last_words.decode("utf-8", "replace")
        if code == NOT_STARTED and "cannot be started" in words:
            return faults.Unreachable(words.strip())
        how = f"exit code {code}" if code >= 0 else f"signal {_signal(-code)}"
        if code and _STARVED.search(words):
            return faults.OutOfMemory(
                f"it ended ({how}) because it wanted more memory than it may have, {self._memory} megabytes"
                f"{self._said()}; the option memory gives it more"
            )
        return faults.Crashed(f"it ended ({how}) before the round did{self._said()}; read lines until they end")

    def _said(self) -> str:
        """Return the end of what the program has written to standard error, to be put behind a sentence."""
        words = " | ".join(self._last_words.decode("utf-8", "replace").strip().splitlines()[-3:])[-300:]
        readable = "".join(letter if letter.isprintable() else "?" for letter in words)
        return f" (it wrote to standard error: {readable})" if words else ""


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LC_")}
    return kept | ADDED


def _signal(number: int) -> str:
    try:
        return f"{number}, {signal.Signals(number).name}"
    except ValueError:
        return str(number)
