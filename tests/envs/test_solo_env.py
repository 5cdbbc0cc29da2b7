from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

from eleusis_ai.bench.deals import Deal, protocol_rules
from eleusis_ai.bench.solo import Commitment, SoloRound, round_score
from eleusis_ai.cards import CARDS
from eleusis_ai.envs.solo_env import STATE, TURNS, EleusisSoloEnv
from eleusis_ai.rules.language import Rule

RULES = ("card.color != last.color", "card.is_red", "card.is_black")
RED = 1


def in_hand(observation: Any, *, red: bool) -> int:
    return next(int(card) for card in np.flatnonzero(observation["hand"]) if (13 <= card < 39) == red)


def test_the_right_statement_ends_it_and_pays_the_score() -> None:
    env = EleusisSoloEnv(rules=RULES[RED], statements=RULES)
    observation, _ = env.reset(seed=1)
    rewards = []
    for state in (STATE + 2, None, STATE + RED):
        if state is not None:
            observation, reward, *_ = env.step(state)
            rewards.append(reward)
            assert not observation["action_mask"][STATE:].any()
            assert observation["table"][3] == 1
        observation, reward, terminated, _, info = env.step(in_hand(observation, red=True))
        rewards.append(float(reward))
    assert rewards == [0, -2, 0, 0, 28]
    assert terminated
    assert (info["solved"], info["rule"]) == (True, RULES[RED])


def test_it_is_the_protocol() -> None:
    """An episode pays what the protocol's own round gives for the same cards and statements."""
    for id_, entry in list(protocol_rules().items())[:8]:
        env = EleusisSoloEnv(rules=entry.rule, statements=[*RULES, "card.rank == A"])
        observation, _ = env.reset(seed=3)
        deal = Deal(rule=id_, batch=0, hand=env._hand, starter=env._layout.mainline, draw=env._draw)
        solo, paid = SoloRound(deal), 0.0
        for turn in range(TURNS):
            number = turn % 4 if turn in (2, 4, 9, 11) else None
            stated = None if number is None else env._statements.statements[number]
            if number is not None:
                env.step(STATE + number)
            card = int(np.flatnonzero(observation["hand"])[turn % 5])
            observation, reward, terminated, _, info = env.step(card)
            paid += float(reward)
            turn_ = solo.apply(Commitment(card=CARDS[card], tentative=stated, state=stated is not None))
            assert observation["layout"][:2, int(not turn_.legal), card].any()
            assert [CARDS[slot] for slot in observation["slots"].argmax(axis=1)] == [
                env._hand[at] for at in range(12)
            ]
            assert sorted(env._hand) == sorted(solo.hand)
            assert terminated == solo.over
            if terminated:
                break
        assert paid == round_score(solo.turns).uniform
        assert info["solved"] == (round_score(solo.turns).win is not None)


def test_predictions_are_paid_by_the_share_that_is_right() -> None:
    env = EleusisSoloEnv(task="predict", rules=RULES[RED])
    observation, _ = env.reset(seed=1)
    red = [int(13 <= card < 39) for card in range(52)]
    slot = int(observation["slots"].argmax(axis=1).tolist().index(in_hand(observation, red=True)))
    rewards = []
    for said in (red, [0] * 52, *[[1 - each for each in red]] * (TURNS - 2)):
        observation, reward, terminated, truncated, info = env.step([slot, *said])
        rewards.append(reward)
    assert rewards[:3] == [1.0, 0.5, 0.0]
    assert (terminated, truncated, info["rule"]) == (True, False, RULES[RED])
    assert set(observation) == {"layout", "hand", "slots", "table"}


def test_the_rule_may_be_given() -> None:
    env = EleusisSoloEnv()
    env.reset(seed=1, options={"rule": "card.rank >= 5"})
    assert env._secret == Rule.parse("card.rank >= 5")
    with pytest.raises(ValueError, match="it has rule"):
        env.reset(options={"deck": "7H"})


def test_rules_that_need_starters_get_them() -> None:
    env = EleusisSoloEnv(rules="card.rank >= mainline[-2].rank")
    observation, _ = env.reset(seed=1)
    assert observation["table"][1] == 2


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"task": "guess"}, "write 'state' or 'predict'"),
        ({"illegal_limit": 0}, "as illegal_limit=2"),
        ({"render_mode": "rgb_array"}, "write 'ansi'"),
        ({"statements": ["card.red"]}, "a statement is a rule"),
    ],
)
def test_what_does_not_fit_is_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        EleusisSoloEnv(**given)


def test_what_is_out_of_turn_is_told() -> None:
    env = EleusisSoloEnv(task="predict")
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step([0] * 53)
    env.reset(seed=1)
    with pytest.raises(ValueError, match="a slot of 0 to 11"):
        env.step([12] + [0] * 52)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    drawn = EleusisSoloEnv(render_mode="ansi")
    drawn.reset(seed=1)
    assert "Your hand (12)" in str(drawn.render())
