"""Who sat at a round of a log: the agents of the run's config, or those that the record names."""

from __future__ import annotations

from eleusis_ai.arena.config import load_config
from eleusis_ai.arena.store import Store, place_of
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec


def seated(target: str, record: Record, use: str | None = None) -> dict[int, AgentSpec]:
    """Return by seat which agents played the round that ``target`` means; the dealer and nameless seats are left out.

    Args:
        target: ``FILE`` or ``FILE#n``. Beside the log of a run lies the config that says what its agents were.
        record: The round.
        use: An agent that takes the place of all, by name or address; None: those who played.

    Raises:
        InvalidConfig: if there is a config, and it is none.
    """
    config = Store(place_of(target)[0].parent).config
    specs = {agent.id: agent for agent in load_config(config).players} if config.is_file() else {}
    found: dict[int, AgentSpec] = {}
    for seat, name in enumerate(record.agents):
        if seat != record.dealer and name:
            found[seat] = specs.get(name, AgentSpec(name, name)) if use is None else AgentSpec(use, use)
    return found
