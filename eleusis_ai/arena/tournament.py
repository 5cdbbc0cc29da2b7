"""A tournament, from its config to its ranking: every round played, logged and counted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tqdm import tqdm

from eleusis_ai.arena.backends import Backend, started
from eleusis_ai.arena.blocks import Cutter
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.engine import Engine, open_on, play
from eleusis_ai.arena.places import InvalidPart, Part
from eleusis_ai.arena.ratings import Ranking, rank
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import Store, Writer


def run_tournament(
    config: TournamentConfig,
    out: Path,
    *,
    workers: int = 1,
    backend: Backend | str | None = None,
    address: str | None = None,
    resume: bool = False,
    part: Part | None = None,
    zstd: bool = False,
) -> Ranking:
    """Play a tournament into the folder ``out`` and return its ranking.

    Rounds are played in processes of their own and logged in their order, so that the log does not depend on where
    they are played, nor on whether the run was killed and resumed. A bar on standard error tells how far it is,
    where that is a terminal; so are the faults of agents, the first of each kind.

    Args:
        config: The tournament.
        out: The run's folder.
        workers: How many rounds are played at the same time; a cluster at an address says so itself.
        backend: Where rounds are played; None: `Backend.SERIAL` for one worker, otherwise `Backend.PROCESSES`.
        address: Where a Dask scheduler or a Ray head listens; None: a cluster is started on this machine.
        resume: Whether to go on with the run in ``out``, if there is one: whatever rounds are missing are played.
        part: The deals to play; None: all of them.
        zstd: Whether the records are compressed.

    Raises:
        InvalidBackend: if there is no such backend, or the others do not go with it.
        BackendLost: if nobody answers at the address, or the backend loses rounds again and again.
        InvalidPart: if there are more parts than deals.
        FolderTaken: if ``out`` holds the records of another run, or of this one without ``resume``.
        MissingExtra: if the backend, or compressed records, need a library that is not installed.
        UnknownPart: if there is no such agent or dealer; nothing is played then.
        InvalidOptions: if one of them does not take its options; nothing is played then.
        Unplayable: if an agent cannot be made, or a round fails outside the agents; the log keeps what was played.
    """
    if part is not None and part.of > config.deals:
        raise InvalidPart(
            f"{config.deals} deals do not make {part.of} parts; the first of {config.deals} is '1/{config.deals}'"
        )
    store = Store(out)
    store.check(config, resume=resume)
    with started(backend, workers=workers, address=address) as engine:
        open_on(engine, config)
        with store.writer(config, resume=resume, zstd=zstd) as writer:
            if writer.torn:
                _tell(f"note: the last line of {store.log} had no end and was cut off; its round is played again")
            _play(engine, config, writer, part)
    return rank(store.outcomes(), store.timings())


def _play(engine: Engine[Any], config: TournamentConfig, writer: Writer, part: Part | None) -> None:
    """Play what is missing, write it down, and tell how it goes."""
    told = set[tuple[str, str]]()
    there, missing = len(writer.there), sum(1 for _ in writer.missing(part))
    cutter = Cutter(writer.missing(part), Schedule(config).rounds_a_deal)
    with tqdm(desc=config.name, total=there + missing, initial=there, unit=" rounds", disable=None) as bar:
        for batch in play(engine, config, cutter):
            writer.append(batch)
            bar.update(len(batch.numbers))
            for fault in batch.faults:
                if (fault.agent, fault.kind) not in told:
                    told.add((fault.agent, fault.kind))
                    _tell(f"note: {fault}")


def _tell(text: str) -> None:
    """Write on standard error, above the bar."""
    tqdm.write(text, file=sys.stderr)
