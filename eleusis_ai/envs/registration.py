"""The environments' names, as Gymnasium knows them; their code is read when one is made."""

from __future__ import annotations

from gymnasium.envs.registration import register, registry

ENVIRONMENTS = {
    "eleusis_ai/Eleusis-v0": "eleusis_ai.envs.gym_env:EleusisEnv",
    "eleusis_ai/EleusisSolo-v0": "eleusis_ai.envs.solo_env:EleusisSoloEnv",
}


def register_envs() -> None:
    """Tell Gymnasium of the environments; once is enough."""
    for name, place in ENVIRONMENTS.items():
        if name not in registry:
            register(id=name, entry_point=place)
