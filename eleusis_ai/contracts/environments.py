"""What every environment keeps: those of Gymnasium, and those of PettingZoo in which one agent acts at a time."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env, data_equivalence
from numpy.typing import NDArray

from eleusis_ai.contracts.broken import ContractBroken, told
from eleusis_ai.registry import MissingExtra

SEEDS = (1, 2, 3)
"""Seeds of the episodes that are played."""
MOST_STEPS = 5000
"""Steps after which an episode is taken for endless."""
CYCLES = 100
"""Cycles of PettingZoo's own tests."""

Step = tuple[Any, float, bool, bool, dict[str, Any]]


class EnvContract:
    """What every environment for Gymnasium keeps; a subclass says how to ``make`` it.

    Its actions are integers of which a mask says which are legal, in the observation, in the info, and by
    ``action_masks()``.
    """

    illegal_limit: int = 10
    """Illegal actions after which an episode is truncated."""

    def make(self) -> gymnasium.Env[Any, Any]:
        """Make the environment that is checked."""
        raise NotImplementedError("`make(self)` returns the environment that is to be checked")

    def test_check_env(self) -> None:
        """It passes Gymnasium's own check."""
        env = self.make()
        with told("at Gymnasium's check_env"):
            check_env(env.unwrapped, skip_render_check=env.render_mode is None)

    def test_masks_agree(self) -> None:
        """It tells the same mask in observation, info and ``action_masks()``."""
        env = self.make()
        for observation, info in _shown(env, SEEDS[0]):
            masks = (observation["action_mask"], info["action_mask"])
            if any(mask.dtype != np.int8 for mask in masks):
                raise ContractBroken(f"its masks are {masks[0].dtype} and {masks[1].dtype}; they are int8")
            asked = env.get_wrapper_attr("action_masks")()
            if not (np.array_equal(*masks) and np.array_equal(masks[0], asked)):
                raise ContractBroken("its masks differ: in the observation, in the info, or by `action_masks()`")

    def test_whole_episodes(self) -> None:
        """Legal actions lead to an end, and all that it returns is of its kind."""
        for seed in SEEDS:
            env = self.make()
            steps = 0
            for step in _episode(env, seed):
                observation, reward, terminated, truncated, info = step
                steps += 1
                if observation not in env.observation_space:
                    raise ContractBroken(f"step {steps} of seed {seed}: the observation is not of its space")
                if type(reward) is not float or type(terminated) is not bool or type(truncated) is not bool:
                    raise ContractBroken(
                        f"reward, terminated, truncated are {reward!r}, {terminated!r}, {truncated!r}; "
                        "they are a float and two bools"
                    )
                if truncated or "illegal" in info:
                    raise ContractBroken(f"a legal action is refused: {info.get('illegal')}")
            if steps == MOST_STEPS:
                raise ContractBroken(f"the episode of seed {seed} does not end in {MOST_STEPS} steps")

    def test_illegal_actions(self) -> None:
        """An illegal action changes nothing, is told, and in the end truncates."""
        env = self.make()
        observation, info = env.reset(seed=SEEDS[0])
        for number in range(1, self.illegal_limit + 1):
            action = int(np.flatnonzero(info["action_mask"] == 0)[0])
            after, _, terminated, truncated, info = env.step(action)
            if not data_equivalence(after, observation, exact=True):
                raise ContractBroken(f"the illegal action {action} changes what is observed")
            if "illegal" not in info:
                raise ContractBroken(f"the illegal action {action} is not told in the info")
            if terminated or truncated is not (number == self.illegal_limit):
                raise ContractBroken(
                    f"after {number} illegal actions truncated is {truncated}; it is True after {self.illegal_limit}"
                )

    def test_same_seed_same_episode(self) -> None:
        """The same seed gives the same episode."""
        for seed in SEEDS:
            for one, other in zip(_episode(self.make(), seed), _episode(self.make(), seed), strict=True):
                _same(one, other, f"made twice, both with seed {seed}")

    def test_arrays_are_its_own(self) -> None:
        """What it has shown stays as it was."""
        env = self.make()
        kept = [(observation, pickle.dumps(observation)) for observation, _ in _shown(env, SEEDS[0])]
        if any(pickle.dumps(observation) != before for observation, before in kept):
            raise ContractBroken("an observation changes after it was returned")

    def test_pickles_in_mid_episode(self) -> None:
        """It can be pickled in mid-episode, and goes on as the original does."""
        env = self.make()
        _, info = env.reset(seed=SEEDS[0])
        for _ in range(3):
            info = env.step(_legal(info["action_mask"], 0))[4]
        with told("pickled in mid-episode"):
            twin = pickle.loads(pickle.dumps(env))
        for one, other in zip(_going_on(env, info), _going_on(twin, info), strict=True):
            _same(one, other, "the original and what was pickled")


class AecEnvContract:
    """What every environment for PettingZoo keeps where one agent acts at a time; a subclass says how to ``make`` it.

    Its actions are integers of which a mask says which are legal, in the observation and in the info.
    """

    def make(self) -> Any:
        """Make the environment that is checked, an ``AECEnv``."""
        raise NotImplementedError("`make(self)` returns the environment that is to be checked")

    def test_api(self) -> None:
        """It passes PettingZoo's own test of the interface."""
        with told("at PettingZoo's api_test"), redirect_stdout(StringIO()), warnings.catch_warnings():
            for message in _ABOUT_STRANGERS:
                warnings.filterwarnings("ignore", message)
            _pettingzoo_tests().api_test(self.make(), num_cycles=CYCLES)

    def test_seed(self) -> None:
        """It passes PettingZoo's own test of seeding."""
        with told("at PettingZoo's seed_test"):
            _pettingzoo_tests().seed_test(self.make, num_cycles=CYCLES)

    def test_whole_episodes(self) -> None:
        """Legal actions lead to an end, at which all agents are gone."""
        for seed in SEEDS:
            env = self.make()
            env.reset(seed=seed)
            steps = 0
            for agent in env.agent_iter(MOST_STEPS):
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                if observation not in env.observation_space(agent):
                    raise ContractBroken(f"step {steps} of seed {seed}: the observation is not of its space")
                if not np.array_equal(observation["action_mask"], info["action_mask"]):
                    raise ContractBroken("its masks differ: in the observation, and in the info")
                env.step(_legal(info["action_mask"], steps))
                steps += 1
            if env.agents:
                raise ContractBroken(f"the episode of seed {seed} does not end in {MOST_STEPS} steps")

    def test_pickles_in_mid_episode(self) -> None:
        """It can be pickled in mid-episode, and goes on as the original does."""
        env = self.make()
        env.reset(seed=SEEDS[0])
        for _ in range(3):
            env.step(_legal(env.last()[0]["action_mask"], 0))
        with told("pickled in mid-episode"):
            twin = pickle.loads(pickle.dumps(env))
        for step in range(20):
            one, other = env.last(), twin.last()
            if env.agent_selection != twin.agent_selection or not data_equivalence(one, other, exact=True):
                raise ContractBroken("the original and what was pickled do not go on alike")
            action = None if one[2] or one[3] else _legal(one[0]["action_mask"], step)
            env.step(action)
            twin.step(action)
            if not env.agents:
                return


def _pettingzoo_tests() -> Any:
    """Return PettingZoo's module of tests."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # it reaches for its own environments the old way
            return import_module("pettingzoo.test")
    except ImportError as error:
        raise MissingExtra("an environment for PettingZoo", "pettingzoo") from error


_ABOUT_STRANGERS = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    r"Action mask numpy array is all zeros \(no legal actions\)",
)
"""What PettingZoo's test says of environments outside its own list whose observations are dictionaries, and that show
agents which have left that nothing is legal."""


def _legal(mask: NDArray[np.int8], step: int) -> int:
    """Return a legal action; over the steps they differ."""
    legal = np.flatnonzero(mask)
    return int(legal[(7 * step + 3) % len(legal)])


def _going_on(env: gymnasium.Env[Any, Any], info: dict[str, Any]) -> Iterator[Step]:
    """Yield the steps of an episode to its end."""
    for step in range(MOST_STEPS):
        taken = env.step(_legal(info["action_mask"], step))
        yield taken  # type: ignore[misc]  # what a reward is, the contract looks at
        if taken[2] or taken[3]:
            return
        info = taken[4]


def _episode(env: gymnasium.Env[Any, Any], seed: int) -> Iterator[Step]:
    """Yield the steps of a whole episode."""
    return _going_on(env, env.reset(seed=seed)[1])


def _shown(env: gymnasium.Env[Any, Any], seed: int) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield the observations of a whole episode with their infos."""
    observation, info = env.reset(seed=seed)
    yield observation, info
    for step in _going_on(env, info):
        yield step[0], step[4]


def _same(one: Step, other: Step, how: str) -> None:
    __tracebackhide__ = True
    if not data_equivalence(one, other, exact=True):
        raise ContractBroken(f"{how}, go through different episodes")
