"""What happens in a worker, a process that plays rounds one after the other until whoever watches it hangs up."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Annotated

import msgspec
from threadpoolctl import ThreadpoolController

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.notes import Notes
from eleusis_ai.arena.referee import Rest, play_table
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.processes import Line, orders_on, serve_the_parent, silence
from eleusis_ai.profiles import profile_from
from eleusis_ai.registry import InvalidOptions, UnknownPart, make_agent, make_dealer

IDLE = 60.0
"""Seconds without an order after which a worker ends: whoever watched it may have forgotten it."""


class Unplayable(ValueError):
    """A tournament that cannot be played: an agent cannot be made, or a round fails outside the agents."""


class Order(msgspec.Struct, frozen=True):
    """Rounds to be played."""

    numbers: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]
    """Their places in the schedule, ascending."""
    rest: Rest = Rest()
    """What is known of the first of them, if it took a worker down."""


class Ready(msgspec.Struct, frozen=True, tag=True):
    """The worker has made every agent once."""


class Done(msgspec.Struct, frozen=True, tag=True):
    """A round has been played."""

    batch: Batch


class Failed(msgspec.Struct, frozen=True, tag=True):
    """The worker cannot go on."""

    error: str
    """The class."""
    text: str

    def raised(self) -> ValueError | LookupError:
        """Return the error."""
        known = {each.__name__: each for each in (UnknownPart, InvalidOptions, Unplayable)}
        return known.get(self.error, Unplayable)(self.text)


decode = msgspec.msgpack.Decoder(Ready | Done | Failed).decode
"""Reads what a worker says."""
_encode = msgspec.msgpack.Encoder().encode


def main() -> None:
    """Play what is ordered on standard input, and answer on standard output; standard error is a file for notes.

    What comes in is pickled: a config first, then orders.
    """
    serve_the_parent()
    orders, answers, notes = (os.dup(stream) for stream in (0, 1, 2))
    silence()
    line = Line(answers)
    incoming = orders_on(orders)
    config: TournamentConfig = incoming.get()
    try:
        _make_each_once(config)
        line.say(_encode(Ready()))
        _play(config, incoming, line, Notes(notes, answers))
    except (UnknownPart, InvalidOptions, Unplayable) as error:
        line.say(_encode(Failed(type(error).__name__, str(error))))
    except Exception:
        line.say(_encode(Failed("", traceback.format_exc())))


def _play(config: TournamentConfig, orders: SimpleQueue[Order], line: Line, notes: Notes) -> None:
    """Play until no more orders come."""
    threads = ThreadpoolController()
    schedule, profile = Schedule(config), profile_from(config.profile)
    while True:
        try:
            order = orders.get(timeout=IDLE)
        except Empty:
            return
        rest = order.rest
        tables = schedule.tables(order.numbers)
        for number in order.numbers:
            notes.begin(number, careful=rest.again)
            try:
                table = next(tables)
                # A sum over several threads may end in another last digit.
                with threads.limit(limits=1):
                    played = play_table(config, table, profile=profile, rest=rest, notes=notes)
            except Exception as error:
                raise Unplayable(f"{schedule.key(number)} cannot be played:\n{traceback.format_exc()}") from error
            rest = Rest()
            line.say(_encode(Done(Batch.of((number,), (played,)))))


def _make_each_once(config: TournamentConfig) -> None:
    """Make every agent and dealer, so that what cannot be made is told before anything is played."""
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
