from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from eleusis_ai import AgentSpec, make_agent, play_round
from eleusis_ai.contracts.tour import RULES, WAYS, deal
from eleusis_ai.envs.actions import FINISH
from eleusis_ai.envs.gym_env import EleusisEnv
from eleusis_ai.envs.transitions import FILE, actions_for, transitions, write_parquet
from eleusis_ai.moves import Attempt, Pick, StateRule, parse_move
from eleusis_ai.profiles import HOWELL, Profile
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator


def recorded(profile: Profile, name: str = "transitions") -> Record:
    """Return the record of a round by random moves."""
    rng = generator(name)
    round_ = deal(profile, Rule.parse(RULES[0]), name, seats=max(5, profile.min_seats))
    while round_.decision is not None:
        round_.apply(round_.legal_moves().sample(rng))
    return round_.record()


@pytest.mark.parametrize("profile", WAYS, ids=str)
def test_the_actions_are_the_moves(profile: Profile) -> None:
    record = recorded(profile)
    rows = transitions(record)
    actions = actions_for(profile)
    assert record.scores is not None
    for number, text in enumerate(record.moves, 1):
        move = parse_move(text)
        taken = [row.action for row in rows if row.move == number]
        if isinstance(move, Pick):
            assert not taken
        elif isinstance(move, Attempt):
            longest = len(move.cards) == profile.max_string or taken[-1] != FINISH
            assert taken == [*move.cards, *([] if longest else [FINISH])]
        elif len(taken) == 1 and taken[0] > FINISH:
            assert actions.text(taken[0]) == text
    for row in rows:
        assert row.observation["action_mask"][row.action] == 1
    for seat in range(1, record.seats):
        own = [row for row in rows if row.seat == seat]
        if own:
            assert [row.last for row in own] == [False] * (len(own) - 1) + [True]
            assert sum(row.reward for row in own) == record.scores[seat]


def test_a_learner_sees_the_same_in_the_environment() -> None:
    record = recorded(HOWELL)
    rows = transitions(record)
    env = EleusisEnv(rules=RULES[0], seat=record.first)
    observation, _ = env.reset(seed=1, options={"deck": record.deck, "first": record.first})
    assert all(np.array_equal(observation[key], rows[0].observation[key]) for key in observation)


def test_what_no_action_makes_is_left_out() -> None:
    profile = next(way for way in WAYS if way.name == "express-2006")
    round_ = deal(profile, Rule.parse("card.is_red"), "stated", seats=5)
    hand = round_.hands[round_.turn]
    round_.apply(Attempt((next(card for card in hand if card.is_red),)))
    round_.apply(StateRule(Rule.parse("card.rank == 3 or card.rank == 11")))
    assert [row.move for row in transitions(round_.record())] == [1]


def test_a_round_judged_by_hand_is_left_out() -> None:
    record = recorded(HOWELL)
    by_hand = Record.parse(str(record).replace(f'"rule":"{record.rule}"', '"rule":null'))
    assert transitions(by_hand) == []


def test_names_and_substitutes_are_kept() -> None:
    specs = [AgentSpec(f"a{seat}", "random") for seat in range(5)]
    agents = [None if seat == 0 else make_agent(specs[seat], seat=seat, seed=str(seat)) for seat in range(5)]
    record = play_round(HOWELL, Rule.parse(RULES[0]), agents, dealer=0, seed=1)
    named = Record.parse(str(record)[:-1] + ',"key":"k","agents":["d","a","b","c","e"]}')
    first = transitions(named)[0]
    assert (first.key, first.agent) == ("k", ["d", "a", "b", "c", "e"][first.seat])
    assert not first.substitute


def test_parquet(tmp_path: Path) -> None:
    records = [recorded(HOWELL, str(number)) for number in range(3)]
    wanted = [row for record in records for row in transitions(record)]
    path, count = write_parquet(records, tmp_path / "out")
    table = parquet.read_table(path)
    assert path.name == FILE
    assert count == table.num_rows == len(wanted)
    shape = tuple(map(int, table.schema.metadata[b"shape:layout"].decode().split(",")))
    layout = np.array(table["layout"][5].as_py(), np.int8).reshape(shape)
    assert np.array_equal(layout, wanted[5].observation["layout"])
    assert table["action"].to_pylist() == [row.action for row in wanted]
    with pytest.raises(InvalidRecord, match="export each by itself"):
        write_parquet([records[0], recorded(WAYS[0])], tmp_path)
    with pytest.raises(InvalidRecord, match="no round"):
        write_parquet([], tmp_path)
