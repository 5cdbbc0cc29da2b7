"""All scientists' seats at a table of Eleusis, as an environment for PettingZoo: one agent acts at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from numpy.typing import NDArray

from eleusis_ai.envs.encoding import COLUMNS, Observation
from eleusis_ai.envs.painting import RENDER_FPS, RENDER_MODES, check_render_mode, rendered
from eleusis_ai.envs.play import Play
from eleusis_ai.envs.rewards import RewardMode, final_reward, potential
from eleusis_ai.envs.setting import DEALER, Setting
from eleusis_ai.envs.sources import Rules
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.registry import MissingExtra
from eleusis_ai.rules.language import Rule

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper
except ImportError as error:
    raise MissingExtra("the environment for PettingZoo", "pettingzoo") from error


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801 - PettingZoo is not typed, and names it so
    """A whole table of Eleusis: the agents ``seat_1``, ``seat_2``, and so on; the dealer, seat 0, deals by rule.

    ## Description

    As `eleusis_ai.envs.gym_env.EleusisEnv`, which see for the game; here every scientist is an agent, and
    ``agent_selection`` is the one that the round asks: whose turn it is, or the prophet who judges.

    ## Action Space

    As there, for each agent. An illegal action changes nothing and costs the agent ``illegal_reward``;
    ``infos[agent]["illegal"]`` tells the reason, and when the agents have taken ``illegal_limit`` of them together
    the episode is truncated for all.

    ## Observation Space

    As there: what the agent's seat may know, ``action_mask`` included, which is all 0 while another one is asked.

    ## Rewards

    As there, by the name of ``reward``, to each agent for its own seat.

    ## Starting State

    As there; ``reset(options=...)`` takes ``rule``, ``deck`` and ``first``, and ignores what else there is.

    ## Episode End

    An expelled agent is terminated at once and is asked no more, but the points of a hand are known only when the
    round is over: it makes its last, empty step then, with the others, and is paid as they are. When the round is
    over all agents are terminated, and ``infos`` has ``points``, ``rule`` and ``end_reason``.

    ## Arguments

    ``profile``, ``seats``, ``rules``, ``statements``, ``reward``, ``illegal_reward``, ``illegal_limit``, ``columns``
    and ``render_mode``, as there. Pictures are drawn for the agent that is asked.

    ## Version History

    * v0: the first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo declares it so
        "name": "eleusis_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": RENDER_FPS,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        *,
        profile: str | Profile = "howell",
        seats: int = 5,
        rules: Rules = "catalog",
        statements: Sequence[str | Rule] | None = None,
        reward: str = "points",
        illegal_reward: float = -1.0,
        illegal_limit: int = 10,
        columns: int = COLUMNS,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._setting = Setting.of(profile, seats, rules, statements, columns)
        self._reward = RewardMode(reward)
        self._illegal_reward, self._illegal_limit = float(illegal_reward), illegal_limit
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self._names = {seat: f"seat_{seat}" for seat in self._setting.scientists}
        self._seats = {name: seat for seat, name in self._names.items()}
        self.possible_agents = list(self._seats)
        self.agents: list[str] = []
        space = self._setting.observation_space()
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {
            name: gymnasium.spaces.Discrete(self._setting.actions.count) for name in self.possible_agents
        }
        self._play: Play | None = None
        self._random: np.random.Generator | None = None
        self._illegal = 0
        self._potentials: dict[str, float] = {}

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of what ``agent`` observes; the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of what ``agent`` does; the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a round.

        Raises:
            ValueError: if it cannot be dealt as the options say.
        """
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        name = f"{int(self._random.integers(2**63)):x}"
        self._play = self._setting.deal(name, options or {})
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._illegal = 0
        self._potentials = {agent: self._potential(agent) for agent in self.agents}
        self._ask()

    def observe(self, agent: str) -> Observation:
        """Return what ``agent`` may know, in new arrays."""
        return self._playing().observe(self._seats[agent])

    def step(self, action: SupportsIndex | None) -> None:
        """Take an action for ``agent_selection``; None for an agent whose episode is over."""
        agent = self.agent_selection
        if self._round_is_done:
            self._was_dead_step(action)
            return
        play = self._playing()
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.infos = {each: {} for each in self.agents}
        if action is None:
            raise TypeError(f"{agent} is asked and answers None; an action is an integer, as in action_space.sample")
        problem = play.problem(action)
        if problem is None:
            play.act(action)
            self._pay(play)
        else:
            self._refuse(agent, problem)
        self._ask()
        self._accumulate_rewards()

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal for ``agent_selection``: shape (actions,), bool."""
        return self._playing().action_masks()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the table as the agent sees it that is asked: a text, or a picture (height, width, 3), uint8."""
        return rendered(self._playing().round, self._seats[self.agent_selection], self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no windows."""

    def record(self) -> Record:
        """Return the log of the round, from which it can be replayed."""
        return self._playing().round.record()

    @property
    def _round_is_done(self) -> bool:
        return self._playing().over or any(self.truncations.values())

    def _playing(self) -> Play:
        if self._play is None:
            raise gymnasium.error.ResetNeeded("no episode was begun; call reset() first")
        return self._play

    def _potential(self, agent: str) -> float:
        return potential(self._reward, self._playing().round, self._seats[agent])

    def _pay(self, play: Play) -> None:
        """Pay every agent for what has just happened, and tell who has left."""
        for agent in self.agents:
            before, self._potentials[agent] = self._potentials[agent], self._potential(agent)
            self.rewards[agent] = self._potentials[agent] - before
        for seat in play.round.expelled:
            self.terminations[self._names[seat]] = True
        if not play.over:
            return
        points = play.round.scores()
        for agent, seat in self._seats.items():
            self.rewards[agent] += final_reward(self._reward, points, seat, DEALER)
            self.terminations[agent] = True
            self.infos[agent] |= {
                "points": points,
                "rule": str(play.round.rule),
                "end_reason": str(play.round.end_reason),
            }

    def _refuse(self, agent: str, problem: str) -> None:
        self._illegal += 1
        self.rewards[agent] = self._illegal_reward
        self.infos[agent]["illegal"] = problem
        if self._illegal >= self._illegal_limit:
            self.truncations = dict.fromkeys(self.agents, True)

    def _ask(self) -> None:
        """Choose the agent that is asked, and show it its mask."""
        play = self._playing()
        self.agent_selection = self.agents[0] if play.seat is None else self._names[play.seat]
        self.infos[self.agent_selection]["action_mask"] = np.frombuffer(bytearray(play.mask), np.int8)


def env(**arguments: Any) -> AECEnv:
    """Return a `raw_env` made with ``arguments``, in the wrappers that PettingZoo's environments wear."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**arguments)))
