"""Strength levels of the agent `elimination`: what each can think of, remembers, and dares."""

from __future__ import annotations

from dataclasses import dataclass, field

from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.learners.space import part, space
from eleusis_agents.strategy import Strategy
from eleusis_ai.registry import InvalidOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """How strong an agent is: a weaker one thinks of fewer rules and looks less far back, but it always thinks."""

    name: str
    parts: tuple[int, int] | None = None
    """How many conditions, as a whole rule and in a branch, and how many guards it thinks of, the likeliest; None:
    all."""
    memory: int | None = None
    """Of how many of the latest mainline cards it takes in what was played after them; None: of all."""
    strategy: Strategy = field(default_factory=Strategy)
    """What it dares."""

    def learner(self, noise: float = 0.0) -> EliminationLearner:
        """Make a learner that knows no more than the level allows; verdicts are false with the chance ``noise``."""
        rules = None if self.parts is None else part(space(), *self.parts)
        return EliminationLearner(noise, memory=self.memory, rules=rules)


LEVELS = {
    level.name: level
    for level in (
        Level(
            name="beginner",
            parts=(24, 1),
            memory=5,
            strategy=Strategy(information=0.2, strings=False, no_play=False),
        ),
        Level(
            name="club",
            parts=(1500, 20),
            memory=12,
            strategy=Strategy(information=0.4, least_chance=0.8, after_fall=0.0),
        ),
        Level(name="master"),
    )
}
"""The levels by name, the weakest first."""


def find_level(name: str) -> Level:
    """Return a level by name.

    Raises:
        InvalidOptions: if there is none.
    """
    if name not in LEVELS:
        raise InvalidOptions(f'level is {name!r}; levels are {", ".join(LEVELS)}, as in level = "club"')
    return LEVELS[name]
