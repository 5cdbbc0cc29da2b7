from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest

from eleusis_ai.arena.config import Form, InvalidConfig, config_from, load_config
from eleusis_ai.profiles import InvalidProfile
from eleusis_ai.shipped import UnknownConfig, config_names

FIELDS: dict[str, Any] = {
    "name": "small",
    "profile": "howell",
    "seats": 5,
    "seed": 1,
    "deals": 2,
    "dealer": {"use": "catalog"},
    "agents": [{"use": "random"}, {"id": "other", "use": "random"}],
}
OTHERS = [{"use": "tree"}]
DEALERS = {"other": {"use": "designer"}}


def test_defaults() -> None:
    config = config_from(FIELDS)
    assert [agent.id for agent in config.agents] == ["random", "other"]
    assert config.rotate
    assert config.schedule is Form.LEAGUE
    assert config.time_limit is None


@pytest.mark.parametrize(
    ("changes", "came", "wanted", "right"),
    [
        ({"deal": 4}, "deal is not a key", "did you mean deals?", "deals"),
        ({"colour": "red"}, "colour is not a key", "keys are name, profile", "seats"),
        ({"dealer": {"user": "catalog"}}, "dealer.user", "did you mean dealer.use?", "use"),
        ({"agents": [{"use": "random", "option": {}}]}, "agents[0].option", "agents[0].options?", "options"),
        (
            {"agents": [{"use": "random", "comand": ["node"]}]},
            "agents[0].comand is not",
            "agents[0].command?",
            "command",
        ),
        (
            {"agents": [{"use": "random", "command": ["node"]}]},
            "agents[0].use and agents[0].command",
            "one",
            "bot.js",
        ),
        (
            {"agents": [{"command": "node bot.js"}]},
            "agents[0].command is 'node bot.js'",
            "write",
            '["node", "bot.js"]',
        ),
        ({"agents": [{"command": []}]}, "agents[0].command is []", "write", '["node", "bot.js"]'),
        ({"agents": [{"command": ["node", 3]}]}, "agents[0].command is ['node', 3]", "write", '["node", "bot.js"]'),
        ({"agents": [{"command": ["node", "a.js"], "id": 3}]}, "agents[0].id is 3", "expected str", "agents = [{"),
        ({"deals": "forty"}, "deals is 'forty'", "expected int, got str", "deals = 40"),
        ({"deals": 0}, "deals is 0", "expected int >= 1", "deals = 40"),
        ({"time_limit": 0}, "time_limit is 0", "> 0", "time_limit = 2.5"),
        ({"time_limit": math.inf}, "time_limit is inf", "<= 86400", "time_limit = 2.5"),
        ({"name": "a/b"}, "name is 'a/b'", "expected str matching", 'name = "quick"'),
        ({"dealer": "catalog"}, "dealer is 'catalog'", "expected object", "dealer = { use"),
        ({"dealer": {}}, "dealer.use is missing", "write it", "dealer = { use"),
        ({"agents": []}, "agents is []", "length >= 1", "agents = [{"),
        ({"agents": [{"id": "me"}]}, "agents[0].use is missing", "write it", "agents = [{"),
        ({"agents": ["random"]}, "agents[0] is 'random'", "expected object", "agents = [{"),
        ({"agents": [{"use": 3}]}, "agents[0].id is 3", "expected str", "agents = [{"),
        ({"agents": [{"use": "random"}] * 2}, "two agents have the id 'random'", "unique", "id = 'random-2'"),
        ({"seats": 9}, "seats is 9", "4 to 8 players", "seats = 4"),
        (
            {"rotate": False, "agents": [{"use": u} for u in "abcdefghi"]},
            "9 agents on 4 chairs in 2",
            "never",
            "true",
        ),
        ({"schedule": "leage"}, "schedule is 'leage'", "did you mean 'league'?", 'schedule = "league"'),
        ({"schedule": 3}, "schedule is 3", "league, duplicate, matches, gauntlet", 'schedule = "league"'),
        ({"others": OTHERS}, "others sit in a dup", "is 'league'", 'schedule = "duplicate"'),
        ({"others": OTHERS, "schedule": "matches"}, "others sit in a dup", "is 'matches'", 'schedule = "duplicate"'),
        ({"dealers": DEALERS}, "dealers deal in matches", "is 'league'", 'schedule = "matches"'),
        ({"dealers": DEALERS, "schedule": "duplicate"}, "dealers deal in matches", "is 'duplicate'", "matches"),
        ({"dealers": {"othr": {"use": "a"}}, "schedule": "matches"}, "dealers.othr", "no agent", "'other'?"),
        ({"dealers": {"zoe": {"use": "a"}}, "schedule": "matches"}, "dealers.zoe", "no agent", "random, other"),
        ({"dealers": {"other": {"user": "a"}}}, "dealers.other.user", "not a key", "dealers.other.use?"),
        ({"dealers": {"other": {}}, "schedule": "matches"}, "dealers[...].use is missing", "write", "dealers = {"),
        (
            {"dealers": {"other": {"use": 3}}, "schedule": "matches"},
            "dealers[...].use is wrong",
            "expected str",
            "dealers = {",
        ),
        ({"dealers": []}, "dealers is []", "expected object", "dealers = {"),
        ({"rotate": False, "schedule": "duplicate"}, "rotate is false", "a duplicate is always", "leave the key out"),
        ({"rotate": False, "schedule": "gauntlet"}, "rotate is false", "a gauntlet is always", "leave the key out"),
        ({"schedule": "gauntlet", "others": OTHERS}, "2 agents in a gauntlet", "one agent runs", "others = [{"),
        ({"schedule": "gauntlet", "agents": [{"use": "a"}]}, "a gauntlet without others", "name them", "others = [{"),
        ({"schedule": "gauntlet", "agents": OTHERS, "others": OTHERS}, "have the id 'tree'", "one", "id = 'tree-2'"),
        (
            {"schedule": "duplicate", "others": [{"id": "other", "use": "tree"}]},
            "have the id 'other'",
            "one",
            "id = 'other-2'",
        ),
        ({"schedule": "duplicate", "others": OTHERS * 2}, "two of others have the id 'tree'", "unique", "'tree-2'"),
        ({"schedule": "duplicate", "others": [{"us": "tree"}]}, "others[0].us is", "others[0].use?", "use"),
        ({"schedule": "duplicate", "others": [{"use": 3}]}, "others[0].id is 3", "expected str", "others = [{"),
    ],
)
def test_a_slip_is_answered(changes: dict[str, Any], came: str, wanted: str, right: str) -> None:
    with pytest.raises(InvalidConfig) as caught:
        config_from(FIELDS | changes)
    for part in (came, wanted, right):
        assert part in str(caught.value)


def test_a_missing_key_is_named() -> None:
    with pytest.raises(InvalidConfig, match="seed is missing; write it as in seed = 1"):
        config_from({key: value for key, value in FIELDS.items() if key != "seed"})


def test_an_unknown_profile_is_the_profiles_error() -> None:
    with pytest.raises(InvalidProfile, match="howel"):
        config_from(FIELDS | {"profile": "howel"})


def test_the_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\ndeals = ')
    with pytest.raises(InvalidConfig, match=r"mine\.toml is not TOML"):
        load_config(path)
    path.write_text('nam = "mine"')
    with pytest.raises(InvalidConfig, match=r"mine\.toml: nam is not a key"):
        load_config(path)
    with pytest.raises(UnknownConfig, match=r"did you mean 'quick'"):
        load_config("quik")


def test_a_profile_of_ones_own_travels_with_the_config(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('base = "howell"\nname = "own"\nhand_size = 9\n')
    own = config_from(FIELDS | {"profile": "own.toml"}, folder=tmp_path)
    assert own.profile == {"base": "howell", "name": "own", "hand_size": 9}

    stored = tmp_path / "config.json"
    stored.write_bytes(msgspec.json.encode(own))
    (tmp_path / "own.toml").unlink()
    assert load_config(stored) == own
    assert load_config(stored, seed=7) == msgspec.structs.replace(own, seed=7)


@pytest.mark.parametrize("name", config_names("tournaments"))
def test_shipped_configs_are_right(name: str) -> None:
    assert load_config(name).name == name
