"""How quick is a step of the environments against two well-known ones, in the same run on one core?

Ours is `eleusis_ai/Eleusis-v0` as `gymnasium.make` returns it, at a `howell` table of five with three `random`
opponents, whose moves and the dealer's are part of the step that they follow; and the PettingZoo environment without
wrappers, where every scientist's action is a step. All players take any legal action, each with the same chance;
beside that stands a player who plays single cards, whose strings are never long. OpenSpiel's is `rl_environment` with
`crazy_eights` for four (C++ below, a step is one player's decision), PettingZoo's is `hanabi` as its registry makes
it. Resets are counted in. Time is the processor's, so that other programs do not count.

Run it with: pip install -e ".[bench]" && python benchmarks/envs.py
"""

from __future__ import annotations

import cProfile
import pstats
import warnings
from collections.abc import Callable
from random import Random
from statistics import median
from time import process_time
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
from open_spiel.python import rl_environment

from eleusis_ai.envs.actions import FINISH
from eleusis_ai.envs.aec_env import raw_env

SECONDS = 1.0
"""How long each environment is stepped at a time."""
TURNS = 7
"""How often each environment has its turn; figures are medians over them."""
RULE = "card.color != last.color"
ROOMS = {
    "the engine": ("round.py", "procedure.py", "standing.py", "stock.py", "legal.py", "layout.py", "view.py"),
    "rules": ("evaluation.py", "language.py", "semantics.py"),
    "observations and masks": ("encoding.py", "play.py"),
    "the opponents' choice": ("chance.py", "random.py"),
}
"""In which files time is spent; what is left is Gymnasium, NumPy and the rest."""

Play = Callable[[Random], int]


def main() -> None:
    """Let the environments play in turn, and print the medians and the ratios."""
    ours, single = eleusis(finish=False), eleusis(finish=True)
    environments: dict[str, Play] = {
        "eleusis, gymnasium.make": ours,
        "eleusis, single cards": single,
        "eleusis, AEC raw": eleusis_aec(),
        "OpenSpiel crazy_eights": crazy_eights(),
        "PettingZoo hanabi": hanabi(),
    }
    speeds: dict[str, list[float]] = {name: [] for name in environments}
    for turn in range(TURNS):
        for name, play in environments.items():
            speeds[name].append(speed(play, Random(turn)))
    first, second, *_ = speeds
    print(f"{'steps a second':<26}{'median':>9}{'ours is':>9}{'single':>9}")
    for name, figures in speeds.items():
        ratios = [median(own / each for own, each in zip(speeds[of], figures, strict=True)) for of in (first, second)]
        print(f"{name:<26}{median(figures):>9,.0f}{ratios[0]:>8.2f}x{ratios[1]:>8.2f}x")
    for name, play in (("any action", ours), ("single cards", single)):
        print(
            f"where a step's time goes, {name}: " + ", ".join(f"{part} {share:.0%}" for part, share in shares(play))
        )


def speed(play: Play, rng: Random) -> float:
    """Return the steps a second of playing again and again."""
    steps, began = 0, process_time()
    while (spent := process_time() - began) < SECONDS:
        steps += play(rng)
    return steps / spent


def any_of(mask: np.ndarray[Any, Any], rng: Random) -> int:
    """Return one of the actions that ``mask`` allows."""
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def eleusis(*, finish: bool) -> Play:
    """Return random play of one of our rounds; with ``finish`` no string is longer than one card."""
    env = gymnasium.make("eleusis_ai/Eleusis-v0", rules=RULE, seats=5, opponents=["random"])
    env.reset(seed=1)

    def play(rng: Random) -> int:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            mask = info["action_mask"]
            action = FINISH if finish and mask[FINISH] else any_of(mask, rng)
            _, _, over, _, info = env.step(action)
            steps += 1
        return steps

    return play


def eleusis_aec() -> Play:
    """Return random play of one of our rounds by all seats."""
    env = raw_env(rules=RULE, seats=5)
    env.reset(seed=1)
    return aec(env)


def hanabi() -> Play:
    """Return random play of one game of hanabi."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        env = pettingzoo.make("aec", "classic/hanabi-v5")
    return aec(env)


def aec(env: Any) -> Play:
    """Return random play of one episode of an environment in which one agent acts at a time."""

    def play(rng: Random) -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                break
            env.step(any_of(observation["action_mask"], rng))
            steps += 1
        return steps

    return play


def crazy_eights() -> Play:
    """Return random play of one game of OpenSpiel's."""
    env = rl_environment.Environment("crazy_eights", players=4)

    def play(rng: Random) -> int:
        step = env.reset()
        steps = 0
        while not step.last():
            legal = step.observations["legal_actions"][step.observations["current_player"]]
            step = env.step([legal[int(rng.random() * len(legal))]])
            steps += 1
        return steps

    return play


def shares(play: Play) -> list[tuple[str, float]]:
    """Return which share of the time of some episodes is spent in each of `ROOMS`, as a profiler sees it."""
    profile = cProfile.Profile(process_time)
    rng = Random(1)
    profile.enable()
    for _ in range(400):
        play(rng)
    profile.disable()
    spent = dict.fromkeys((*ROOMS, "all else"), 0.0)
    for (file, _, _), (_, _, own, _, _) in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]  # not in its stub
        name = next((room for room, files in ROOMS.items() if file.endswith(files)), "all else")
        spent[name] += own
    total = sum(spent.values())
    return [(name, each / total) for name, each in spent.items()]


if __name__ == "__main__":
    main()
