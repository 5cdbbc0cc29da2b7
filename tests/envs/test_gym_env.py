from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest

from eleusis_agents.chance import RandomAgent
from eleusis_ai import AgentSpec, Rule
from eleusis_ai.cards import cards_text, pack
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.envs.actions import FINISH, NO_PLAY, PASS, PROPHET, RIGHT, WRONG
from eleusis_ai.envs.encoding import Observation
from eleusis_ai.envs.features import AFTER_TURN, TABLE_FEATURES
from eleusis_ai.envs.gym_env import EleusisEnv
from eleusis_ai.envs.opponents import Opponent
from eleusis_ai.moves import DecisionKind, NoPlay, Pass
from eleusis_ai.profiles import PROFILES
from eleusis_ai.seeds import generator

RED = "card.is_red"


def first_legal(observation: Observation) -> int:
    return int(observation["action_mask"].argmax())


def finisher(observation: Observation) -> int:
    """Play one card at a time, and never judge."""
    mask = observation["action_mask"]
    return next(action for action in (FINISH, PASS, RIGHT, int(mask.argmax())) if mask[action])


def play_out(env: gymnasium.Env[Any, Any], policy: Any, seed: int = 1) -> tuple[list[float], dict[str, Any]]:
    observation, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        observation, reward, terminated, truncated, info = env.step(policy(observation))
        rewards.append(float(reward))
        over = terminated or truncated
    return rewards, info


def test_importing_the_package_registers_them_without_their_code() -> None:
    code = (
        "import sys, eleusis_ai, gymnasium\n"
        "assert 'eleusis_ai/Eleusis-v0' in gymnasium.registry and 'eleusis_ai/EleusisSolo-v0' in gymnasium.registry\n"
        "assert 'eleusis_ai.envs.gym_env' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_card_begins_a_string_and_finish_plays_it() -> None:
    env = EleusisEnv(rules=RED, seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    card = first_legal(observation)
    longer, reward, *_ = env.step(card)
    assert longer["hand"].sum() == 13
    assert longer["attempt"][0, card] == 1
    assert longer["action_mask"][FINISH]
    assert not longer["action_mask"][NO_PLAY]
    assert reward == 0
    env.step(FINISH)
    assert env.record().moves[0] == str(pack()[card])


def test_a_string_keeps_its_order() -> None:
    env = EleusisEnv(rules=RED, seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    cards = [int(card) for card in np.flatnonzero(observation["hand"])[[5, 0, 3]]]
    for card in cards:
        env.step(card)
    env.step(FINISH)
    assert env.record().moves[0] == cards_text(pack()[card] for card in cards)


def test_without_strings_a_card_is_an_attempt() -> None:
    env = EleusisEnv(profile="express-2006", rules=RED, seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    env.step(first_legal(observation))
    assert env.record().moves


def test_the_longest_string_is_played_at_once() -> None:
    env = EleusisEnv(profile="abbott", rules=RED, seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    for _ in range(4):
        observation, *_ = env.step(first_legal(observation))
    assert len(env.record().moves[0].split()) == 4


def test_a_card_held_once_is_played_once() -> None:
    env = EleusisEnv(rules=RED, seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    once, twice = ((observation["hand"] == copies).argmax() for copies in (1, 2))
    assert env.step(int(once))[0]["action_mask"][once] == 0
    assert env.step(int(twice))[0]["action_mask"][twice] == 1


def test_a_prophet_calls_and_names_cards() -> None:
    class Decliner(RandomAgent):
        def act(self, view: Any) -> Any:
            return NoPlay() if view.decision.kind is DecisionKind.PLAY else Pass()

    env = EleusisEnv(rules=RED, seat=1, opponents=[Decliner])
    observation, _ = env.reset(seed=2, options={"first": 1})
    env.step(first_legal(observation))
    observation, *_ = env.step(FINISH)
    assert observation["phase"][AFTER_TURN]
    assert set(np.flatnonzero(observation["action_mask"])) == {PASS, PROPHET}
    observation, *_ = env.step(PROPHET)
    assert observation["shown"].sum() == 14
    legal = set(np.flatnonzero(observation["action_mask"]))
    assert legal == {RIGHT, *np.flatnonzero(observation["shown"])}
    assert not observation["action_mask"][WRONG]
    red = next(int(card) for card in legal if 13 <= card < 39)
    env.step(red)
    assert f"wrong {pack()[red]}" in env.record().moves


@pytest.mark.parametrize("profile", ["howell", "late-prophet", "original-1956", "express-2006"])
def test_rewards_are_what_they_are_named(profile: str) -> None:
    for seed in range(4):
        given: dict[str, Any] = {"profile": profile, "rules": RED, "opponents": [finisher], "seat": 2}
        points, info = play_out(EleusisEnv(**given), finisher, seed)
        assert set(points[:-1]) <= {0.0}
        assert points[-1] == info["points"][2]
        won, _ = play_out(EleusisEnv(**given, reward="win"), finisher, seed)
        assert won[-1] == (1.0 if info["points"][2] == max(info["points"][1:]) else -1.0)
        shaped = EleusisEnv(**given, reward="hand")
        hand = shaped.reset(seed=seed)[0]["seats"][0]
        paid, _ = play_out(shaped, finisher, seed)
        assert sum(paid) == points[-1] + hand[2] + hand[3]


def test_an_expelled_seat_is_paid_the_final_points() -> None:
    def reckless(observation: Observation) -> int:
        expels = observation["table"][list(TABLE_FEATURES).index("expulsion")]
        return NO_PLAY if expels and observation["action_mask"][NO_PLAY] else finisher(observation)

    for seed in range(10):
        env = EleusisEnv(rules="card.rank >= 2", opponents=[finisher])
        rewards, info = play_out(env, reckless, seed)
        round_ = env.record().replay()
        if info["seat"] in round_.expelled:
            assert rewards[-1] == round_.scores()[info["seat"]]
            return
    pytest.fail("no seat was expelled")


def test_illegal_actions_cost_what_is_said_and_truncate() -> None:
    env = EleusisEnv(rules=RED, illegal_reward=-0.5, illegal_limit=3)
    env.reset(seed=1)
    for number, action in enumerate((FINISH, -1, 9999), 1):
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated, info["illegal_actions"]) == (-0.5, False, number == 3, number)
    assert "one that is:" in info["illegal"]
    assert not env.record().moves or env.record().first != info["seat"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_action_is_an_integer() -> None:
    env = EleusisEnv(rules=RED)
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(0.5)  # type: ignore[arg-type]  # what a policy may do by mistake
    with pytest.raises(gymnasium.error.ResetNeeded):
        EleusisEnv().step(0)


def test_options_fix_what_is_dealt() -> None:
    deck = shuffled_deck(PROFILES["howell"], generator("options"))
    env = EleusisEnv(seat=4)
    for given in (deck, cards_text(deck), [int(card) for card in deck]):
        _, info = env.reset(seed=1, options={"rule": RED, "deck": given, "first": 3, "seat": 3})
        record = env.record()
        assert (record.rule, record.deck, record.first, info["seat"]) == (RED, cards_text(deck), 3, 3)
    assert env.reset(seed=1)[1]["seat"] == 4


def test_the_seat_is_drawn() -> None:
    env = EleusisEnv(rules=RED, seats=6)
    env.reset(seed=1)
    assert {env.reset()[1]["seat"] for _ in range(60)} == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("seats", [4, 5, 8])
def test_the_shapes_are_the_same_at_all_tables(seats: int) -> None:
    observation, _ = EleusisEnv(seats=seats, rules=RED).reset(seed=1)
    five, _ = EleusisEnv(rules=RED).reset(seed=1)
    assert {key: array.shape for key, array in observation.items()} == {
        key: array.shape for key, array in five.items()
    }
    assert observation["seats"][:, 0].sum() == seats


def test_statements_are_actions_where_rules_may_be_stated() -> None:
    env = EleusisEnv(profile="express-2006", rules=RED, statements=["card.is_black", Rule.parse(RED)], seat=1)
    env.reset(seed=1, options={"first": 1})
    assert env.action_space.n == 65  # type: ignore[attr-defined]  # a Discrete
    env.step(NO_PLAY)
    red = next(
        int(card) for card in np.flatnonzero(env.reset(seed=1, options={"first": 1})[0]["hand"]) if 13 <= card < 39
    )
    observation, *_ = env.step(red)
    assert set(np.flatnonzero(observation["action_mask"])) == {PASS, 63, 64}
    _, _, terminated, _, info = env.step(64)
    assert terminated
    assert info["end_reason"] == "stated"


def test_wrong_statements_are_shown() -> None:
    env = EleusisEnv(profile="cooperative", rules=RED, statements=["card.is_black", RED], seat=1)
    observation, _ = env.reset(seed=1, options={"first": 1})
    while not observation["action_mask"][63]:
        observation, *_ = env.step(finisher(observation))
    observation, *_ = env.step(63)
    assert observation["stated"].tolist() == [1, 0]


@pytest.mark.parametrize(
    ("given", "error", "said"),
    [
        ({"seats": 9}, InvalidDeal, "takes 4 to 8, as seats=4"),
        ({"profile": "abbott", "seats": 4}, InvalidDeal, "takes 5 to 8"),
        ({"opponents": []}, ValueError, r"as in \['random'\]"),
        ({"opponents": "random"}, ValueError, r"as in \['random'\]"),
        ({"opponents": ["random"] * 4}, ValueError, "give at most 3"),
        ({"opponents": ["nobody"]}, LookupError, "registered are"),
        ({"opponents": [7]}, ValueError, "a name as 'random'"),
        ({"opponents": [AgentSpec("a", "random", {"x": 1})]}, ValueError, "its options are none"),
        ({"rules": "card.is_rad"}, ValueError, "catalog:markov1"),
        ({"rules": []}, ValueError, "name at least one"),
        ({"rules": "sampler:none"}, ValueError, "there is no family 'none'"),
        ({"statements": [RED]}, ValueError, "never lets a rule be stated"),
        ({"profile": "express-2006", "statements": [RED, RED]}, ValueError, "comes twice"),
        ({"profile": "express-2006", "statements": ["red"]}, ValueError, "a statement is a rule"),
        ({"reward": "fame"}, ValueError, "fame"),
        ({"illegal_limit": 1}, ValueError, "as illegal_limit=2"),
        ({"columns": 0}, ValueError, "as columns=20"),
        ({"seat": 0}, ValueError, "a scientist's seat is 1 to 4"),
        ({"render_mode": "human"}, ValueError, "'ansi', 'rgb_array'"),
    ],
)
def test_what_does_not_fit_is_told(given: dict[str, Any], error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        EleusisEnv(**given)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rules": RED}, "it has rule, deck, first, seat"),
        ({"seat": 5}, "a scientist's seat is 1 to 4"),
        ({"first": 0}, "as first=1"),
        ({"deck": "7H"}, "need more than 56"),
    ],
)
def test_options_that_do_not_fit_are_told(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        EleusisEnv(rules=RED).reset(seed=1, options=options)


def test_opponents_may_be_agents_and_policies() -> None:
    opponents: list[Opponent] = ["random", AgentSpec("r", "random"), RandomAgent]
    env = EleusisEnv(seats=5, rules=RED, opponents=opponents)
    assert play_out(env, finisher)[1]["points"]
    same = EleusisEnv(seats=5, rules=RED, opponents=[finisher])
    play_out(same, finisher)
    assert all(len(move.split()) == 1 or move == "no play" for move in same.record().moves)


def test_a_policy_that_answers_illegally_is_told() -> None:
    with pytest.raises(ValueError, match="is not legal now"):
        play_out(EleusisEnv(rules=RED, opponents=[lambda observation: 0 * len(observation) + FINISH]), first_legal)


def test_a_record_replays() -> None:
    env = EleusisEnv(profile="no-prophet", rules="catalog:markov1")
    play_out(env, first_legal)
    assert env.record().replay().over


def test_the_table_is_drawn() -> None:
    env = EleusisEnv(rules=RED, render_mode="ansi", seat=1)
    env.reset(seed=1)
    assert "Your hand" in str(env.render())
    picture = EleusisEnv(rules=RED, render_mode="rgb_array")
    observation, _ = picture.reset(seed=1)
    before = picture.render()
    assert isinstance(before, np.ndarray)
    assert before.shape == (480, 640, 3)
    assert before.dtype == np.uint8
    while observation["action_mask"][FINISH] == 0:
        observation, *_ = picture.step(first_legal(observation))
    picture.step(FINISH)
    after = picture.render()
    assert isinstance(after, np.ndarray)
    assert not np.array_equal(before, after)


def test_without_a_mode_rendering_warns() -> None:
    env = EleusisEnv(rules=RED)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
