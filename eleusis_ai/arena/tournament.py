"""A tournament, from its config to its ranking: every round played, logged and counted."""

from __future__ import annotations

import sys
from pathlib import Path

from tqdm import tqdm

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.places import InvalidPart, Part
from eleusis_ai.arena.ratings import Ranking, rank
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.workers import Workers


def run_tournament(
    config: TournamentConfig,
    out: Path,
    *,
    workers: int = 1,
    resume: bool = False,
    part: Part | None = None,
    zstd: bool = False,
) -> Ranking:
    """Play a tournament into the folder ``out`` and return its ranking.

    Rounds are played in processes of their own and logged in their order, so that the log does not depend on how
    many there are, nor on whether the run was killed and resumed. A bar on standard error tells how far it is,
    where that is a terminal; so are the faults of agents, the first of each kind.

    Args:
        config: The tournament.
        out: The run's folder.
        workers: How many rounds are played at the same time.
        resume: Whether to go on with the run in ``out``, if there is one: whatever rounds are missing are played.
        part: The deals to play; None: all of them.
        zstd: Whether the records are compressed.

    Raises:
        InvalidPart: if there are more parts than deals.
        FolderTaken: if ``out`` holds the records of another run, or of this one without ``resume``.
        MissingExtra: if records are compressed, and zstandard is not installed.
        UnknownPart: if there is no such agent or dealer; nothing is played then.
        InvalidOptions: if one of them does not take its options; nothing is played then.
        Unplayable: if an agent cannot be made, or a round fails outside the agents; the log keeps what was played.
    """
    if part is not None and part.of > config.deals:
        raise InvalidPart(
            f"{config.deals} deals do not make {part.of} parts; the first of {config.deals} is '1/{config.deals}'"
        )
    store, schedule = Store(out), Schedule(config)
    store.check(config, resume=resume)
    with Workers(config, workers) as pool, store.writer(config, resume=resume, zstd=zstd) as writer:
        if writer.torn:
            _tell(f"note: the last line of {store.log} had no end and was cut off; its round is played again")
        told = set[tuple[str, str]]()
        there, missing = len(writer.there), sum(1 for _ in writer.missing(part))
        with tqdm(desc=config.name, total=there + missing, initial=there, unit=" rounds", disable=None) as bar:
            tables = schedule.tables(writer.missing(part))
            for played in pool.play(tables):
                writer.append(Batch.of([schedule.number(played.record.key)], [played]))
                bar.update()
                for fault in played.faults:
                    if (fault.agent, fault.kind) not in told:
                        told.add((fault.agent, fault.kind))
                        _tell(f"note: {fault}")
    return rank(store.outcomes(), store.timings())


def _tell(text: str) -> None:
    """Write on standard error, above the bar."""
    tqdm.write(text, file=sys.stderr)
