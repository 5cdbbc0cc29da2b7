"""The agent that plays the solo protocol itself, where else a learner is tried."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import msgspec

from eleusis_ai.bench.solo import Commits
from eleusis_ai.registry import AgentSpec, UnknownPart, make_agent


class PlayerSpec(msgspec.Struct, frozen=True, dict=True):
    """Which agent plays, and what it is made with."""

    use: str
    """A registered name, or an address ``module:Class``."""
    options: dict[str, Any] = {}

    @cached_property
    def name(self) -> str:
        """What tables call it: for a language model, the model."""
        return self.make("name").name

    @property
    def provenance(self) -> str:
        """Where what it knows beforehand comes from; empty if it does not say."""
        return str(getattr(self.make("provenance"), "provenance", ""))

    def make(self, seed: str) -> Commits:
        """Make it for one round.

        Raises:
            UnknownPart: if there is no such agent, or it does not play the solo protocol.
            InvalidOptions, MissingExtra: if it cannot be made.
        """
        agent = make_agent(AgentSpec(self.use, self.use, self.options), seat=0, seed=seed)
        if not isinstance(agent, Commits):
            raise UnknownPart(
                f"{self.use!r} does not play the solo protocol: it has no method `commit`, as llm has; "
                "what learns by itself is tried by --learner"
            )
        return agent
