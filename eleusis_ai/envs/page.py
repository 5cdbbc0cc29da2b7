"""The page of the docs about the environments, written from their code: ``python -m eleusis_ai.envs.page``."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import gymnasium

from eleusis_ai.envs.actions import action_table
from eleusis_ai.envs.aec_env import raw_env
from eleusis_ai.envs.features import KEYS, NAMED, SOLO_FEATURES, SOLO_KEYS
from eleusis_ai.envs.gym_env import EleusisEnv
from eleusis_ai.envs.solo_env import STATE, EleusisSoloEnv

STATEMENTS = ("card.is_red", "card.color != last.color")
"""What may be stated in the tables."""

_HEAD = """\
# The environments

Three environments play the game by integers: one seat for [Gymnasium](https://gymnasium.farama.org), all seats for
[PettingZoo](https://pettingzoo.farama.org), and the solo protocol for quick experiments. Importing `eleusis_ai`
registers the names of the first and the last; the second needs `pip install "eleusis-ai[pettingzoo]"`.
[Train an agent](../how-to/train.md) shows them at work.

This page is written by `python -m eleusis_ai.envs.page`.
"""


def page() -> str:
    """Return the page as Markdown."""
    lines = [_HEAD]
    lines += _environment("`eleusis_ai/Eleusis-v0`", EleusisEnv)
    lines += ["### The actions", *_table(("action", "what it does"), _actions())]
    original = EleusisEnv(profile="original-1956", rules=STATEMENTS[0])
    stating = EleusisEnv(profile="express-2006", rules=STATEMENTS[0], statements=STATEMENTS)
    lines += ["### The observation", *_keys(KEYS, EleusisEnv(rules=STATEMENTS[0]), original, stating)]
    for key, names in NAMED.items():
        lines += _names(key, names)
    lines += _environment("`eleusis_ai.envs.aec_env.env`", raw_env)
    lines += _environment("`eleusis_ai/EleusisSolo-v0`", EleusisSoloEnv)
    solo = [
        ("0 to 51", "play the card `suit * 13 + rank - 1` (suits C D H S)"),
        *((str(STATE + number), f"state `{text}`") for number, text in enumerate(STATEMENTS)),
    ]
    lines += ["### The actions of the task `state`", *_table(("action", "what it does"), solo)]
    lines += ["### The observation", *_keys(SOLO_KEYS, EleusisSoloEnv(statements=STATEMENTS))]
    lines += _names("table", SOLO_FEATURES)
    return "\n".join(lines)


def _actions() -> list[tuple[str, str]]:
    rows = action_table(STATEMENTS)
    return [*rows[: -len(STATEMENTS)], *((row, f"{told}, where that may be stated") for row, told in rows[-2:])]


def _environment(name: str, kind: type) -> Iterator[str]:
    """Yield what an environment says of itself, its headings one step lower."""
    yield f"## {name}\n"
    told = inspect.cleandoc(kind.__doc__ or "").replace("\n## ", "\n### ")
    yield re.sub(r"(?<!`)``(?!`)", "`", told) + "\n"


def _keys(told: Mapping[str, str], *environments: gymnasium.Env[Any, Any]) -> Iterator[str]:
    """Yield the table of an observation's keys; each shape is that of the first environment that has the key."""
    found: dict[str, gymnasium.spaces.Box] = {}
    for env in environments:
        assert isinstance(env.observation_space, Mapping), "observations are dictionaries"
        found = dict(env.observation_space) | found
    rows = [
        (
            f"`{key}`",
            _shape(found[key]),
            str(found[key].dtype),
            f"{found[key].low.min()} to {found[key].high.max()}",
            text,
        )
        for key, text in told.items()
    ]
    return _table(("key", "shape", "dtype", "range", "what it holds"), rows)


def _names(key: str, names: Mapping[str, str]) -> Iterator[str]:
    """Yield the table of the numbers that stand in ``key``."""
    yield f"In `{key}`, in this order:"
    yield from _table(("name", "what it says"), names.items())


def _shape(space: gymnasium.spaces.Box) -> str:
    return " by ".join(map(str, space.shape))


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    yield ""
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


if __name__ == "__main__":
    sys.stdout.write(page())
