"""Programs that sit down and then misbehave: `python hostile.py KIND MARK`; each needs the standard library alone.

All of them play the first legal move until they are asked for their second decision, and from then on, or at hello,
do what their kind is named after. The mark is there to find their processes by.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

MEGABYTE = 2**20
legal = [""]


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def wait() -> None:
    time.sleep(3600)


def flood(stream: int, data: bytes) -> None:
    while True:
        os.write(stream, data)


def drip(number: int) -> None:
    while True:
        write(b" ")
        time.sleep(0.02)


def daemon(number: int) -> None:
    """Leave a child behind in a session of its own, which holds the streams open and listens to no signal."""
    child = "import signal, time\nfor each in (1, 2, 15): signal.signal(each, signal.SIG_IGN)\ntime.sleep(3600)"
    for _ in range(3):
        subprocess.Popen([sys.executable, "-S", "-E", "-c", child, sys.argv[2]], start_new_session=True)


def leave_daemon(number: int) -> None:
    daemon(number)
    os._exit(0)


def keep_daemon(number: int) -> None:
    if number == 2:
        daemon(number)
    answer(number)


def close_and(streams: Sequence[int], then: Callable[[], None]) -> None:
    for stream in streams:
        os.close(stream)
    then()


def eat(number: int) -> None:
    hoard = list[bytearray]()
    while True:
        hoard.append(bytearray(16 * MEGABYTE))


def shoot(pid: int, number: int) -> None:
    os.kill(pid, number)
    wait()


def crash(number: int) -> None:
    print("all is lost", file=sys.stderr)
    raise SystemExit(3)


def answer(number: int, move: str | None = None) -> None:
    say(type="move", number=number, move=move or legal[0])


AT_HELLO: dict[str, Callable[[], None]] = {
    "another version": lambda: say(type="hello", version=99),
    "a version that is no number": lambda: say(type="hello", version="1"),
    "no hello": lambda: answer(1, "7H"),
    "gone at once": lambda: sys.exit(0),
    "a greeting for people": lambda: print("Hello! I am a bot.", flush=True),
}
AT_DECISION: dict[str, Callable[[int], None]] = {
    "bad JSON": lambda number: write(b'{"type": "move", \n'),
    "not UTF-8": lambda number: write(b'{"type": "move", "move": "\xff\xfe"}\n'),
    "too deep": lambda number: write(b"[" * 60_000 + b"\n"),
    "a huge number": lambda number: write(b'{"type":"move","number":' + b"9" * 60_000 + b',"move":"7H"}\n'),
    "no object": lambda number: write(b'"7H"\n'),
    "an unknown message": lambda number: say(type="resign"),
    "a field missing": lambda number: say(type="move", move=legal[0]),
    "hello again": lambda number: say(type="hello", version=1),
    "another decision": lambda number: answer(number + 1),
    "not a move": lambda number: answer(number, "the seven of hearts"),
    "a card it does not hold": lambda number: answer(number, "AS " * 40),
    "a rule nobody asked for": lambda number: answer(number, "state card.is_red"),
    "no hope": lambda number: say(type="error", problem="I resign"),
    "silent": lambda number: wait(),
    "a byte now and then": drip,
    "stopped": lambda number: shoot(os.getpid(), signal.SIGSTOP),
    "crash": crash,
    "a fault of memory": lambda number: shoot(os.getpid(), signal.SIGSEGV),
    "flood without an end of line": lambda number: flood(1, b"x" * MEGABYTE),
    "flood of lines": lambda number: flood(1, b"\n" * MEGABYTE),
    "a long line": lambda number: answer(number, "7H " * MEGABYTE),
    "endless errors": lambda number: flood(2, b"woe\n" * MEGABYTE),
    "memory without end": eat,
    "output closed": lambda number: close_and([1], wait),
    "all closed": lambda number: close_and([0, 1, 2], wait),
    "its keeper killed": lambda number: shoot(os.getppid(), signal.SIGKILL),
    "its keeper stopped": lambda number: shoot(os.getppid(), signal.SIGSTOP),
    "a daemon left behind": leave_daemon,
    "a daemon kept": keep_daemon,
    "deaf to the end": answer,
    "an error at the end": answer,
    "nobody": answer,
}


def misbehave(kind: str) -> None:
    """Play as the kind does."""
    for line in sys.stdin:
        said = json.loads(line)
        if said["type"] == "hello":
            if kind in AT_HELLO:
                AT_HELLO[kind]()
            else:
                say(type="hello", version=1, name=kind)
        elif said["type"] == "decision":
            legal[:] = said["legal"]
            if said["number"] >= 2:
                AT_DECISION[kind](said["number"])
            else:
                answer(said["number"])
        elif said["type"] == "result" and kind == "an error at the end":
            sys.exit(1)
    if kind == "deaf to the end":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        wait()


if __name__ == "__main__":
    misbehave(sys.argv[1])
