from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from eleusis_ai.contracts import AecEnvContract, ContractBroken, EnvContract
from tests.contracts import env_culprits

CULPRITS: list[tuple[type, Callable[[], Any], str, str]] = [
    (EnvContract, env_culprits.Terse, "test_check_env", "at Gymnasium's check_env: it raises"),
    (EnvContract, env_culprits.Wide, "test_masks_agree", "its masks are int8 and int64; they are int8"),
    (EnvContract, env_culprits.Contrary, "test_masks_agree", "its masks differ"),
    (EnvContract, env_culprits.Numeric, "test_whole_episodes", "they are a float and two bools"),
    (EnvContract, env_culprits.Swelling, "test_whole_episodes", "step 4 of seed 1: the observation is not of its"),
    (EnvContract, env_culprits.Strict, "test_whole_episodes", "a legal action is refused: action -1"),
    (EnvContract, env_culprits.Lenient, "test_illegal_actions", "changes what is observed"),
    (EnvContract, env_culprits.Silent, "test_illegal_actions", "is not told in the info"),
    (EnvContract, env_culprits.Patient, "test_illegal_actions", "truncated is False; it is True after 10"),
    (EnvContract, env_culprits.Dicing, "test_same_seed_same_episode", "made twice, both with seed 1, go through"),
    (EnvContract, env_culprits.Recycling, "test_arrays_are_its_own", "an observation changes after it was"),
    (EnvContract, env_culprits.Clinging, "test_pickles_in_mid_episode", "pickled in mid-episode: it raises"),
    (EnvContract, env_culprits.Forgetful, "test_pickles_in_mid_episode", "the original and what was pickled"),
    (AecEnvContract, env_culprits.Copying, "test_api", "at PettingZoo's api_test: it raises AssertionError"),
    (AecEnvContract, env_culprits.Unseeded, "test_seed", "at PettingZoo's seed_test: it raises AssertionError"),
    (AecEnvContract, env_culprits.Masking, "test_whole_episodes", "its masks differ"),
    (AecEnvContract, env_culprits.ClingingTable, "test_pickles_in_mid_episode", "pickled in mid-episode: it raises"),
]


@pytest.mark.parametrize(
    ("base", "make", "check", "said"), CULPRITS, ids=[f"{make.__name__}-{check}" for _, make, check, _ in CULPRITS]
)
def test_culprits_are_told(base: type, make: Callable[[], Any], check: str, said: str) -> None:
    contract = type("Contract", (base,), {"make": lambda _: make()})()
    with pytest.raises(ContractBroken, match=said):
        getattr(contract, check)()


@pytest.mark.parametrize("base", [EnvContract, AecEnvContract])
def test_every_check_has_its_culprit(base: type) -> None:
    checks = {name for name in vars(base) if name.startswith("test_")}
    assert {check for which, _, check, _ in CULPRITS if which is base} == checks
    with pytest.raises(NotImplementedError, match="`make"):
        base().make()


class TestHonest(EnvContract):
    make = staticmethod(env_culprits.Honest)


class TestHonestTable(AecEnvContract):
    make = staticmethod(env_culprits.HonestTable)
