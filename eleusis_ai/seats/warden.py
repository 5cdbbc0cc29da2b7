"""The warden of a program outside: starts it under limits, and ends it with all that it has started.

It runs as a script in a process of its own, between the table and the program, and imports nothing that takes time.
The program keeps the three standard streams; the warden listens at one more, and when the table says a word there,
or is gone, the program is over. Its exit code is the program's.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
from contextlib import suppress

MEGABYTE = 2**20
NOT_STARTED = 127
"""The exit code where the program cannot be started, as shells have it."""
DEATH_SIGNAL, SUBREAPER = 1, 36
"""``PR_SET_PDEATHSIG`` and ``PR_SET_CHILD_SUBREAPER``, see prctl(2)."""


def main(lifeline: int, megabytes: int, command: list[str]) -> None:
    """Start the program, and wait for its end or the table's."""
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    _control(SUBREAPER, 1)
    program = os.fork()
    if not program:
        os.close(lifeline)
        _become(command, megabytes)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    status = None
    while status is None:
        ready, _, _ = select.select([lifeline, ended], [], [])
        if lifeline in ready:
            break
        os.read(ended, 4096)
        status = _reaped(program)
    _end_all()
    _leave(status)


def _become(command: list[str], megabytes: int) -> None:
    """Turn into the program, in a process that ends with the warden."""
    _control(DEATH_SIGNAL, signal.SIGKILL)
    for each in (signal.SIGCHLD, signal.SIGINT, signal.SIGPIPE):
        signal.signal(each, signal.SIG_DFL)
    # What is reserved and never used does not count here, unlike RLIMIT_AS, under which Node would not start.
    most = megabytes * MEGABYTE
    with suppress(ValueError, OSError):  # a limit from outside that is lower stays
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]!r} cannot be started: {error.strerror}\n".encode())
    os._exit(NOT_STARTED)


def _reaped(program: int) -> int | None:
    """Collect whoever has ended; return the exit status of the program if it is among them."""
    status = None
    with suppress(ChildProcessError):
        while True:
            pid, found = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            status = found if pid == program else status
    return status


def _end_all() -> None:
    """Kill what is left, generation by generation: orphans become the warden's children."""
    signal.set_wakeup_fd(-1)
    with suppress(ChildProcessError):
        while True:
            for child in _children():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)
            os.waitpid(-1, 0)


def _children() -> list[int]:
    """Return the warden's children; without /proc all of its process group is killed, with the warden."""
    try:
        processes = [name for name in os.listdir("/proc") if name.isdecimal()]
    except FileNotFoundError:
        os.killpg(0, signal.SIGKILL)
        return []
    found = []
    for name in processes:
        with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            parent = file.read().rpartition(b")")[2].split()[1]
            if int(parent) == os.getpid():
                found.append(int(name))
    return found


def _leave(status: int | None) -> None:
    """End as the program has ended."""
    if status is None:
        os._exit(0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError):  # SIGKILL has no other way of being taken
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _control(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
