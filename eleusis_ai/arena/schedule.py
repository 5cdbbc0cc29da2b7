"""The rounds of a tournament in order: each deal's rule and cards, and who sits where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, Self

import msgspec

from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.profiles import profile_from
from eleusis_ai.registry import AgentSpec, make_dealer
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

DEALER_SEAT = 0
"""Where the dealer sits in every round of a tournament."""


_KEY = re.compile(r"deal (\d+) seating (\d+)(?: round (\d+))?(?: hero (.+))?")


class InvalidKey(ValueError):
    """A text that is not the key of a round of a tournament."""


class Key(NamedTuple):
    """Which round of a tournament.

    >>> str(Key(3, 1)), str(Key(3, 1, hero="tree")), Key.parse("deal 3 seating 1 round 2")
    ('deal 3 seating 1', 'deal 3 seating 1 hero tree', Key(deal=3, seating=1, round=2, hero=None))
    """

    deal: int
    seating: int
    """Which rotation of the line-up; where there is a hero, his chair, counted from the dealer's left from 0."""
    round: int | None = None
    """Which round of a match; None: no match is played."""
    hero: str | None = None
    """The agent whose seat alone is rated; None: all are."""

    def __str__(self) -> str:
        round_ = "" if self.round is None else f" round {self.round}"
        return f"deal {self.deal} seating {self.seating}{round_}{'' if self.hero is None else f' hero {self.hero}'}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a key.

        Raises:
            InvalidKey: if ``text`` is none.
        """
        if (match := _KEY.fullmatch(text)) is None:
            raise InvalidKey(f"{text!r} is not a round of a tournament; one is as in 'deal 3 seating 1'")
        deal, seating, round_, hero = match.groups()
        return cls(int(deal), int(seating), None if round_ is None else int(round_), hero)

    def hero_seat(self, dealer: int, seats: int) -> int | None:
        """Return where the hero sits; None: there is none."""
        return None if self.hero is None else (dealer + 1 + self.seating) % seats


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
        return str(Key(self.deal, self.seating))

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
