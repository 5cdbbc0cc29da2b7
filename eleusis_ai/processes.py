"""Processes that work for another one: how they are started, how they answer, and that they end with it."""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import signal
import sys
import threading
from queue import SimpleQueue
from typing import Any

LENGTH = 4
"""Bytes before each answer that say how long it is."""
PARENT_DEATH_SIGNAL = 1
"""``PR_SET_PDEATHSIG``, see prctl(2)."""
FOREIGN = (-9, -15)
"""Exit codes of a process that was killed or terminated from outside, or by the system for want of memory."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""What holds numeric libraries to one thread, if it is in the environment of a process before they are loaded."""


def command(module: str) -> list[str]:
    """Return the command that runs ``main`` of a module, found as it would be here.

    Unlike what `multiprocessing` starts, it does not run the program again that asks for it.
    """
    start = f"import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {module} import main; main()"
    return [sys.executable, "-c", start, json.dumps(sys.path)]


def group() -> int | None:
    """Return what `subprocess` takes as ``process_group``: Ctrl-C does not reach it, and it ends as a whole."""
    return None if sys.platform == "win32" else 0


def kill(pid: int) -> None:
    """End a process that is not waited for yet, and what it has started."""
    if sys.platform == "win32":
        os.kill(pid, signal.SIGTERM)
    else:
        os.killpg(pid, signal.SIGKILL)


def serve_the_parent() -> None:
    """See to it that this process leaves Ctrl-C to its parent, and does not go on for one that was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)  # also in a call that lets no thread run


def silence() -> None:
    """Throw away what agents print, whichever way they do it, and let them read nothing."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def orders_on(file: int) -> SimpleQueue[Any]:
    """Read what is ordered, pickled, from a descriptor; when the other side hangs up, the process ends."""
    orders: SimpleQueue[Any] = SimpleQueue()

    def listen() -> None:
        with os.fdopen(file, "rb") as line:
            while True:
                try:
                    orders.put(pickle.load(line))
                except BaseException:
                    os._exit(1)

    threading.Thread(target=listen, daemon=True).start()
    return orders


class Line:
    """A worker's end of the line to whoever watches it."""

    def __init__(self, file: int) -> None:
        self.file = file

    def say(self, text: bytes) -> None:
        """Tell something."""
        text = len(text).to_bytes(LENGTH, "little") + text
        while text:
            text = text[os.write(self.file, text) :]
