"""A tournament, from its config to its ranking: every round played, logged and counted."""

from __future__ import annotations

import sys
from pathlib import Path

from tqdm import tqdm

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.ratings import Ranking, rank
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import FolderTaken, Store
from eleusis_ai.arena.workers import Workers


def run_tournament(config: TournamentConfig, out: Path, *, workers: int = 1, resume: bool = False) -> Ranking:
    """Play a tournament into the folder ``out`` and return its ranking.

    Rounds are played in processes of their own and logged in their order, so that the log does not depend on how
    many there are, nor on whether the run was killed and resumed. A bar on standard error tells how far it is,
    where that is a terminal; so are the faults of agents, the first of each kind.

    Args:
        config: The tournament.
        out: The run's folder.
        workers: How many rounds are played at the same time.
        resume: Whether to go on with the run in ``out``, if there is one.

    Raises:
        FolderTaken: if ``out`` holds the records of another run, or of this one without ``resume``.
        UnknownPart: if there is no such agent or dealer; nothing is played then.
        InvalidOptions: if one of them does not take its options; nothing is played then.
        Unplayable: if an agent cannot be made, or a round fails outside the agents; the log keeps what was played.
    """
    store = Store(out)
    store.check(config, resume=resume)
    with Workers(config, workers) as pool, store.writer(config, resume=resume) as writer:
        schedule = Schedule(config)
        begun = _played(schedule, store)
        if writer.torn:
            _tell(f"note: the last line of {store.log} had no end and was cut off; its round is played again")
        told = set[tuple[str, str]]()
        rounds = schedule.rounds
        with tqdm(desc=config.name, total=rounds, initial=writer.rounds, unit=" rounds", disable=None) as bar:
            for number, played in enumerate(pool.play(schedule.tables(range(begun, rounds))), start=begun):
                writer.append(Batch.of([number], [played]))
                bar.update()
                for fault in played.faults:
                    if (fault.agent, fault.kind) not in told:
                        told.add((fault.agent, fault.kind))
                        _tell(f"note: {fault}")
    return rank(store.outcomes(), store.timings())


def _played(schedule: Schedule, store: Store) -> int:
    """Return how many rounds are in the log.

    Raises:
        FolderTaken: if they are not the first ones of the schedule.
    """
    number = 0
    for number, record in enumerate(store.records(), start=1):
        wanted = str(schedule.key(number - 1)) if number <= schedule.rounds else "nothing more"
        if wanted != record.key:
            raise FolderTaken(
                f"{store.log}, line {number}: {record.key}, where {wanted} was to come; "
                f"`eleusis verify {store.folder}` tells what is wrong"
            )
    return number


def _tell(text: str) -> None:
    """Write on standard error, above the bar."""
    tqdm.write(text, file=sys.stderr)
