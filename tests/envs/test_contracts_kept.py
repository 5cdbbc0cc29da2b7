"""The environments that are shipped keep their contracts, in every profile, and in vectors of several."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv

from eleusis_ai.contracts import AecEnvContract, EnvContract
from eleusis_ai.envs import aec_env

ELEUSIS, SOLO = "eleusis_ai/Eleusis-v0", "eleusis_ai/EleusisSolo-v0"
PROFILES = ("abbott", "howell", "no-prophet", "late-prophet", "original-1956", "express-2006", "cooperative")
RULES = ("card.color != last.color", "card.suit == last.suit or card.rank == last.rank")


@pytest.fixture(params=PROFILES)
def _profile(request: pytest.FixtureRequest) -> None:
    request.cls.profile = request.param


@pytest.mark.usefixtures("_profile")
class TestEleusis(EnvContract):
    profile: str

    def make(self) -> gymnasium.Env[Any, Any]:
        return gymnasium.make(ELEUSIS, profile=self.profile, rules=RULES)


class TestRendered(EnvContract):
    def make(self) -> gymnasium.Env[Any, Any]:
        return gymnasium.make(ELEUSIS, rules=RULES, opponents=["random"], reward="hand", render_mode="rgb_array")


class TestSolo(EnvContract):
    def make(self) -> gymnasium.Env[Any, Any]:
        return gymnasium.make(SOLO, rules=RULES, render_mode="ansi")


@pytest.mark.usefixtures("_profile")
class TestAec(AecEnvContract):
    profile: str

    def make(self) -> Any:
        return aec_env.env(profile=self.profile, rules=RULES)


def test_predictions_pass_gymnasiums_check() -> None:
    gymnasium.utils.env_checker.check_env(gymnasium.make(SOLO, task="predict", rules=RULES).unwrapped)


@pytest.mark.parametrize("name", [ELEUSIS, SOLO])
def test_vectors_show_what_single_ones_do(name: str) -> None:
    def single() -> gymnasium.Env[Any, Any]:
        return gymnasium.make(name, rules=RULES)

    both = (SyncVectorEnv([single] * 2), AsyncVectorEnv([single] * 2, shared_memory=True))
    shown = [vector.reset(seed=5)[0] for vector in both]
    alone = single().reset(seed=6)[0]
    for _ in range(40):
        first, second = shown
        assert first.keys() == second.keys() == alone.keys()
        assert all(np.array_equal(first[key], second[key]) for key in first)
        actions = first["action_mask"].argmax(axis=1)
        shown = [vector.step(actions)[0] for vector in both]
    for vector in both:
        vector.close()
