"""Rules by what they bring their dealer: a table that was scored beforehand, and travels with the package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from eleusis_ai.rules.language import Rule


class Design(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One rule, and the points its dealer got."""

    expression: str = msgspec.field(name="rule")
    """The rule in the rule language."""
    starter: str | None = None
    """Its condition on the first card."""
    source: str
    """Where it comes from: ``catalog`` or ``grammar``, and its id there."""
    points: float
    """The dealer's mean points for a round."""
    error: float
    """The standard error of that mean."""

    @property
    def rule(self) -> Rule:
        """The rule itself; always the same object, so that its verdicts are worked out once."""
        return _rule(self.expression, self.starter)


class Designs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The scored rules, and at which table they were scored."""

    profile: str
    """The way to play."""
    table: tuple[str, ...]
    """The agents from the dealer's left."""
    deals: int
    """Rounds that were dealt of each rule in the last of two rounds of scoring."""
    seed: str
    """What everything drawn by chance was named after."""
    scored: int
    """Rules that were tried; only the best of them were scored again, and are listed."""
    designs: tuple[Design, ...]
    """The best first."""


@cache
def scored_designs() -> Designs:
    """Read the table; ``experiments/score_designs.py`` makes it."""
    return msgspec.json.decode(files("eleusis_agents").joinpath("designs.json").read_bytes(), type=Designs)


@cache
def _rule(expression: str, starter: str | None) -> Rule:
    return Rule.parse(expression, starter=starter)
