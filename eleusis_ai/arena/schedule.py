"""The rounds of a tournament in order: each deal's rule and cards, and who sits where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.profiles import profile_from
from eleusis_ai.registry import AgentSpec, make_dealer
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

DEALER_SEAT = 0
"""Where the dealer sits in every round of a tournament."""


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One round to be played."""

    deal: int
    seating: int
    """Which rotation of the line-up."""
    chance: str
    """What the deal's chance is named after, such as ``1/deal/3``."""
    rule: Rule
    hint: Hint | None
    line_up: tuple[AgentSpec, ...]
    """The agents from the dealer's left."""

    @property
    def key(self) -> str:
        """What the round is called in the logs, such as ``deal 3 seating 1``."""
        return f"deal {self.deal} seating {self.seating}"

    @property
    def seeds(self) -> tuple[str, ...]:
        """The agents' seeds, from the dealer's left.

        An agent's second chair at the same table has ``/copy/2`` in its seed, so that two of a kind do not
        play in step.
        """
        seeds = []
        seen = Counter[str]()
        for spec in self.line_up:
            seen[spec.id] += 1
            copy = f"/copy/{seen[spec.id]}" if seen[spec.id] > 1 else ""
            seeds.append(f"{self.chance}/seating/{self.seating}/agent/{spec.id}{copy}")
        return tuple(seeds)


def schedule(config: TournamentConfig) -> Iterator[Table]:
    """Yield the rounds in the order in which they are logged: deal by deal, each in all its seatings.

    In seating r, chair c from the dealer's left holds agent (c + r) modulo the number of agents, so that
    over a deal every agent sits on every chair once.

    Raises:
        UnknownPart: if there is no such dealer.
        InvalidOptions: if it does not take its options.
    """
    profile = profile_from(config.profile)
    dealer = make_dealer(config.dealer.use, config.dealer.options)
    for deal in range(config.deals):
        chance = f"{config.seed}/deal/{deal}"
        rule, hint = dealer.choose(profile, generator(f"{chance}/rule"))
        for seating in range(config.seatings):
            line_up = (config.agents[(chair + seating) % len(config.agents)] for chair in range(config.seats - 1))
            yield Table(deal=deal, seating=seating, chance=chance, rule=rule, hint=hint, line_up=tuple(line_up))
