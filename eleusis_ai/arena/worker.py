"""What happens in a worker, a process that plays tables one after the other until its driver hangs up."""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import msgspec
from threadpoolctl import ThreadpoolController

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.referee import Asked, Played, Task, play_table
from eleusis_ai.registry import InvalidOptions, UnknownPart, make_agent, make_dealer


class Unplayable(ValueError):
    """A tournament that cannot be played: an agent cannot be made, or a round fails outside the agents."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """A worker has made every agent once."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A worker cannot go on."""

    error: str
    """The class."""
    text: str


decode = msgspec.msgpack.Decoder(Ready | Failed | Asked | Played).decode
"""Reads what a worker says."""
_encode = msgspec.msgpack.Encoder().encode


def work(line: Connection, config: TournamentConfig) -> None:
    """Play what comes down the line, until the driver hangs up."""
    _die_with_the_driver()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the driver
    hold_interrupts(hold=False)
    _silence()
    # A sum over several threads may end in another last digit. Libraries that an agent loads while it plays
    # take their number of threads from here; those that are there by then are held to one, round by round.
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))
    try:
        _make_each_once(config)
        threads = ThreadpoolController()
        line.send_bytes(_encode(Ready()))
        while (task := _next(line)) is not None:
            with threads.limit(limits=1):
                played = play_table(config, task, tell=lambda asked: line.send_bytes(_encode(asked)))
            line.send_bytes(_encode(played))
    except (UnknownPart, InvalidOptions, Unplayable) as error:
        line.send_bytes(_encode(Failed(type(error).__name__, str(error))))
    except Exception:
        line.send_bytes(_encode(Failed("", traceback.format_exc())))


def _make_each_once(config: TournamentConfig) -> None:
    """Make every agent and the dealer, so that what cannot be made is told before anything is played."""
    for spec in config.players:
        with _told(f"agent {spec.id!r}"):
            make_agent(spec, seat=1, seed="nothing is played with this one")
    for dealer in (config.dealer, *config.dealers.values()):
        with _told(f"dealer {dealer.use!r}"):
            make_dealer(dealer.use, dealer.options)


@contextmanager
def _told(who: str) -> Iterator[None]:
    """Tell what ``who`` raises while it is made, which may be anything, in a sentence."""
    try:
        yield
    except (UnknownPart, InvalidOptions):
        raise
    except BaseException as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({at.filename}, line {at.lineno})"
        raise Unplayable(f"{who} cannot be made: {why}") from error


def _next(line: Connection) -> Task | None:
    """Wait for a round; None: the driver has hung up."""
    try:
        task: Task = line.recv()
    except (EOFError, ConnectionResetError):
        return None
    return task


def _die_with_the_driver() -> None:
    """See to it that nothing goes on thinking for a driver that was killed."""
    driver = multiprocessing.parent_process()
    assert driver is not None, "a worker has a driver"
    if sys.platform == "linux":  # also where an agent never lets another thread run
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG

    def watch() -> None:
        driver.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _silence() -> None:
    """Throw away what agents print, whichever way they do it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    os.close(nowhere)


def hold_interrupts(*, hold: bool) -> None:
    """Keep Ctrl-C waiting in this process and in those it starts, or let it come."""
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, {signal.SIGINT})
