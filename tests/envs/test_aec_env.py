from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from eleusis_ai.envs import aec_env
from eleusis_ai.envs.actions import FINISH, NO_PLAY, PASS, RIGHT
from eleusis_ai.envs.features import TABLE_FEATURES
from eleusis_ai.envs.gym_env import EleusisEnv

RED = "card.is_red"


def play_out(env: Any, policy: Any) -> dict[str, float]:
    """Play to the end, and return what each agent was paid in all."""
    paid = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        paid[agent] += reward
        env.step(None if terminated or truncated else policy(observation))
    return paid


def finisher(observation: Any) -> int:
    mask = observation["action_mask"]
    return next(action for action in (FINISH, PASS, RIGHT, int(mask.argmax())) if mask[action])


def reckless(observation: Any) -> int:
    """Declare no play again and again, once that expels."""
    expels = observation["table"][list(TABLE_FEATURES).index("expulsion")]
    return NO_PLAY if expels and observation["action_mask"][NO_PLAY] else finisher(observation)


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet", "late-prophet", "original-1956"])
def test_every_seat_is_paid_its_points(profile: str) -> None:
    for seed in range(3):
        env = aec_env.env(profile=profile, seats=5, rules=RED)
        env.reset(seed=seed)
        paid = play_out(env, finisher)
        scores = env.unwrapped.record().scores
        assert list(paid.values()) == list(scores[1:])


def test_who_is_expelled_leaves_and_is_paid_at_the_end() -> None:
    for seed in range(20):
        env = aec_env.env(rules="card.rank >= 2")
        env.reset(seed=seed)
        left_early = set()
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, _, _ = env.last()
            paid[agent] += reward
            if not terminated:
                assert agent not in left_early
                left_early |= {each for each in env.agents if env.terminations[each]}
            env.step(None if terminated else reckless(observation))
        if left_early:
            round_ = env.unwrapped.record().replay()
            assert left_early <= {f"seat_{seat}" for seat in round_.expelled}
            assert list(paid.values()) == list(round_.scores()[1:])
            return
    pytest.fail("nobody was expelled before the end")


def test_all_seats_see_what_the_seat_of_the_other_environment_sees() -> None:
    single = EleusisEnv(rules=RED, opponents=[finisher], seat=2)
    observation, _ = single.reset(seed=4)
    env = aec_env.raw_env(rules=RED)
    env.reset(options={"deck": single.record().deck, "first": single.record().first})
    while env.agent_selection != "seat_2":
        env.step(finisher(env.observe(env.agent_selection)))
    other = env.observe("seat_2")
    assert all(np.array_equal(observation[key], other[key]) for key in observation)


def test_nothing_is_legal_for_those_who_are_not_asked() -> None:
    env = aec_env.raw_env(rules=RED)
    env.reset(seed=1)
    for agent in env.agents:
        assert env.observe(agent)["action_mask"].any() == (agent == env.agent_selection)


def test_illegal_actions_cost_their_agent_and_truncate_all() -> None:
    env = aec_env.raw_env(rules=RED, illegal_reward=-2, illegal_limit=3)
    env.reset(seed=1)
    agent = env.agent_selection
    before = env.observe(agent)
    for _ in range(3):
        env.step(FINISH)
        assert env.rewards == {each: -2.0 if each == agent else 0.0 for each in env.agents}
        assert "one that is:" in env.infos[agent]["illegal"]
        assert all(np.array_equal(before[key], array) for key, array in env.observe(agent).items())
    assert all(env.truncations.values())
    assert play_out(env, finisher)[agent] == -2
    env.reset(seed=1)
    with pytest.raises(TypeError, match="answers None"):
        env.step(None)


def test_a_round_ends_with_what_was_secret() -> None:
    env = aec_env.raw_env(rules=RED, reward="win")
    env.reset(seed=1)
    while not env.terminations[env.agent_selection]:
        env.step(finisher(env.observe(env.agent_selection)))
    info = env.infos[env.agent_selection]
    assert (info["rule"], info["points"]) == (RED, env.record().scores)
    assert set(env.rewards.values()) <= {1.0, -1.0}


def test_the_table_is_drawn() -> None:
    for mode, kind in (("ansi", str), ("rgb_array", np.ndarray)):
        env = aec_env.raw_env(rules=RED, render_mode=mode)
        env.reset(seed=1)
        assert isinstance(env.render(), kind)
        env.close()
    with pytest.raises(ValueError, match="'ansi', 'rgb_array'"):
        aec_env.raw_env(render_mode="human")
    env = aec_env.raw_env(rules=RED)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.observe("seat_1")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
