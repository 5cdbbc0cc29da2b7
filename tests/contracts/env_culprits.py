"""Environments that each break their contract in one way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from eleusis_ai.envs.aec_env import raw_env
from eleusis_ai.envs.gym_env import EleusisEnv

RULES = "card.color != last.color"


class Honest(EleusisEnv):
    def __init__(self) -> None:
        super().__init__(rules=RULES)


class Changed(Honest):
    """Changes what a step or a reset returns."""

    steps = 0

    def reset(self, **given: Any) -> Any:
        self.steps = 0
        observation, info = super().reset(**given)
        return self.changed(observation, 0.0, False, False, info)[::4]

    def step(self, action: Any) -> Any:
        self.steps += 1
        return self.changed(*super().step(action))

    def changed(self, observation: Any, *rest: Any) -> Any:
        return observation, *rest


class Terse(Changed):
    """Shows less than its space says."""

    def changed(self, observation: Any, *rest: Any) -> Any:
        observation.pop("hand")
        return observation, *rest


class Wide(Changed):
    def changed(self, observation: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> Any:
        return observation, reward, terminated, truncated, info | {"action_mask": info["action_mask"].astype(int)}


class Contrary(Honest):
    def action_masks(self) -> Any:
        return ~super().action_masks()


class Numeric(Changed):
    def changed(self, observation: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> Any:
        return observation, np.float64(reward), np.bool_(terminated), truncated, info


class Swelling(Changed):
    """Leaves its space in mid-episode."""

    def changed(self, observation: Any, *rest: Any) -> Any:
        observation["hand"] = observation["hand"] + np.int8(100 * (self.steps > 3))
        return observation, *rest


class Strict(Honest):
    """Refuses what its mask allows."""

    def step(self, action: Any) -> Any:
        return super().step(-1)


class Lenient(Honest):
    """Does something else in place of an illegal action."""

    def step(self, action: Any) -> Any:
        masks = self.action_masks()
        return super().step(action if masks[action] else int(masks.argmax()))


class Silent(Changed):
    def changed(self, observation: Any, reward: Any, terminated: Any, truncated: Any, info: Any) -> Any:
        return observation, reward, terminated, truncated, {key: info[key] for key in info if key != "illegal"}


class Patient(Honest):
    def __init__(self) -> None:
        EleusisEnv.__init__(self, rules=RULES, illegal_limit=1000)


class Dicing(Changed):
    def changed(self, observation: Any, *rest: Any) -> Any:
        observation["table"][0] = random.randrange(50)
        return observation, *rest


class Recycling(Changed):
    """Shows the same arrays again, with other numbers in them."""

    shown: Any = None

    def changed(self, observation: Any, *rest: Any) -> Any:
        if self.shown is None:
            self.shown = observation
        for key, array in observation.items():
            self.shown[key][...] = array
        return self.shown, *rest


class Clinging(Honest):
    def __init__(self) -> None:
        super().__init__()
        self.note = lambda: None


class Forgetful(Honest):
    """Forgets the hand that it held when it is pickled."""

    def __setstate__(self, state: Any) -> None:
        self.__dict__ |= state
        self.reset(seed=99)


class HonestTable(raw_env):
    def __init__(self) -> None:
        super().__init__(rules=RULES)


class Copying(HonestTable):
    """Returns another space each time."""

    def observation_space(self, agent: str) -> Any:
        return self._setting.observation_space()


class Unseeded(HonestTable):
    def reset(self, seed: Any = None, options: Any = None) -> None:
        super().reset(seed=random.randrange(10**6), options=options)


class Masking(HonestTable):
    """Shows one mask, and tells another."""

    def _ask(self) -> None:
        super()._ask()
        self.infos[self.agent_selection]["action_mask"][:52] = 0


class ClingingTable(HonestTable):
    def __init__(self) -> None:
        super().__init__()
        self.note = lambda: None
