"""Who sits in the other seats: agents, made anew for each round, or a policy that answers with actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import cast

from eleusis_ai.agent import Agent
from eleusis_ai.envs.encoding import Observation
from eleusis_ai.envs.play import Play
from eleusis_ai.registry import AgentSpec, find, make_agent

Policy = Callable[[Observation], int]
"""Answers an observation, its ``action_mask`` included, with a legal action."""
Opponent = str | AgentSpec | type[Agent] | Policy
"""A registered name or address, such a one with options, the class of an agent, or a policy."""


class InvalidOpponents(ValueError):
    """What cannot take a seat."""


class Chair:
    """One seat of an environment's table, and how its occupant answers."""

    def __init__(self, opponent: Opponent) -> None:
        """Seat ``opponent``.

        Raises:
            InvalidOpponents: if it is nothing that can play.
            LookupError: if no agent has its name.
            ValueError: if it does not take its options.
        """
        self._make: Callable[..., Agent] | None = None
        self._policy: Policy | None = None
        if isinstance(opponent, str | AgentSpec):
            spec = AgentSpec(opponent, opponent) if isinstance(opponent, str) else opponent
            make_agent(spec, seat=1, seed="0")  # options that do not fit are told now, and with all that is wrong
            self._make = partial(cast("Callable[..., Agent]", find("agents", spec.use)), **spec.options)
        elif isinstance(opponent, type) and hasattr(opponent, "act"):
            self._make = opponent
        elif callable(opponent) and not isinstance(opponent, type):
            self._policy = opponent
        else:
            raise InvalidOpponents(
                f"{opponent!r:.80} cannot play; an opponent is a name as 'random', an AgentSpec, the class of an "
                "agent, or a policy that answers an observation with an action"
            )
        self._agent: Agent | None = None
        self._seed, self._seat = "", 0

    def begin(self, *, seat: int, seed: str) -> None:
        """Begin a round; an agent is made when it is first asked."""
        self._agent, self._seat, self._seed = None, seat, seed

    def answer(self, play: Play) -> None:
        """Answer the pending decision.

        Raises:
            IllegalMove: if an agent answers with a move that is not legal.
            IllegalAction: if a policy answers with an action that is not legal.
        """
        if self._policy is not None:
            play.act(self._policy(play.observe(self._seat)))
            return
        agent = self._agent
        if agent is None:
            assert self._make is not None, "a chair has an agent or a policy"
            agent = self._agent = self._make(seat=self._seat, seed=self._seed)
        play.apply(agent.act(play.round.view(self._seat)))


def chairs_for(opponents: Sequence[Opponent], count: int) -> list[Chair]:
    """Return ``count`` chairs; a list that is shorter repeats.

    Raises:
        InvalidOpponents: if there are no opponents, or more than there are seats.
    """
    if isinstance(opponents, str) or not opponents:
        raise InvalidOpponents(f"opponents are {opponents!r}; give a list of at least one, as in ['random']")
    if len(opponents) > count:
        raise InvalidOpponents(
            f"{len(opponents)} opponents, and {count} seats are left for them; give at most {count}"
        )
    return [Chair(opponents[place % len(opponents)]) for place in range(count)]
