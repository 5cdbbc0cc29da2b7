"""Does a policy that PPO trained for some minutes beat a random single-card player, under rules it never saw?

The learner sits at a `howell` table of five with three players who play any one card of their hand, turn after turn.
It is trained by MaskablePPO on the generated set `train`, and measured on the catalogue, which has none of these
rules. What it sees is worked out from the layout: for each of its cards, and each of some relations to the last
card, how often cards so related have been right so far. Everything else it learns.

Run it with: pip install -e ".[rl]" && python experiments/train_ppo.py
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

import gymnasium
import matplotlib.pyplot as plt
import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from eleusis_ai.bench.intervals import by_cluster
from eleusis_ai.cards import CARDS, Card
from eleusis_ai.charts import Interval
from eleusis_ai.envs.encoding import Observation
from eleusis_ai.envs.features import ACCEPTED, PHASES, REJECTED, SHOWN_ILLEGAL, TABLE_FEATURES
from eleusis_ai.moves import Attempt, Call, DecisionKind, Move, Pass
from eleusis_ai.provenance import commit, versions
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

SEED = 1
STEPS = 300_000
"""Steps of training."""
TABLES = 8
"""Environments that are played in turn."""
PROFILE = "howell"
SEATS = 5
TRAINED_ON, MEASURED_ON = "train", "catalog"
ROUNDS = 600
"""Rounds against single-card players, and a quarter of them against `tree`."""
WINDOW = 500
"""Rounds over which the curve is a mean."""
RESULTS = Path(__file__).parent / "results" / "train_ppo"


class SingleCard:
    """Plays any one card of its hand, finds every play right, and never becomes prophet."""

    def __init__(self, *, seat: int, seed: str) -> None:  # noqa: ARG002 - every agent is told its seat
        self._seed = seed

    def act(self, view: View) -> Move:
        """Answer the decision that is pending in ``view``."""
        if view.decision is not None and view.decision.kind is DecisionKind.PLAY:
            return Attempt((self._rng.choice(view.hand),))
        return Call(right=True) if view.decision is not None and view.decision.kind is DecisionKind.CALL else Pass()

    @cached_property
    def _rng(self) -> Random:
        return generator(self._seed)


def relations() -> NDArray[np.intp]:
    """Return which class a card is of after the last card, by each relation: shape (relations, 52, 52)."""

    def traits(card: Card) -> tuple[int, ...]:
        return int(card.is_red), card.rank % 2, int(card.rank > 10), int(card.rank > 7), int(card.suit)

    def classes(last: Card, card: Card) -> list[int]:
        before, now = traits(last), traits(card)
        pairs = [one * 4 + two for one in before for two in now]
        same = [int(one == two) for one, two in zip(before, now, strict=True)]
        step = card.rank - last.rank
        suits = (card.suit - last.suit) % 4
        ranks = [card.rank, (step > 0) - (step < 0) + 1, abs(step), step % 13, int(abs(step) <= 3), suits]
        return [*now, *pairs, *same, *ranks, int(suits == 0 or step == 0)]

    every = [[classes(last, card) for card in CARDS] for last in CARDS]
    return np.array(every, np.intp).transpose(2, 0, 1).copy()


RELATIONS = relations()
COUNT = len(RELATIONS)
CLASSES = int(RELATIONS.max()) + 1
PER_CARD = 2 * COUNT + 2
"""For each relation the share of right cards and how many there were; then the same for the card itself."""
OVERALL = len(PHASES) + len(TABLE_FEATURES) + 8 + PER_CARD + 3
"""Numbers that belong to no card of the hand."""
SCALES = np.array([100, 50, 50, 20, 20, 50, 1, 20, 5, 4, 40, 20, 2], np.float32)


class Rates(gymnasium.ObservationWrapper[NDArray[np.float32], int, Observation]):
    """Turns observations into what the cards' relations to the last card tell: shape (52 * PER_CARD + OVERALL,)."""

    def __init__(self, env: gymnasium.Env[Observation, int]) -> None:
        super().__init__(env)
        self.observation_space = gymnasium.spaces.Box(-10, 10, (52 * PER_CARD + OVERALL,), np.float32)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks

    def observation(self, observation: dict[str, Any]) -> NDArray[np.float32]:
        """Return the features of ``observation``."""
        layout, attempt = observation["layout"], observation["attempt"]
        line = layout[:, ACCEPTED].argmax(axis=1)[: int(observation["table"][1])]
        bad_at, bad = np.nonzero(layout[:, REJECTED] + layout[:, SHOWN_ILLEGAL])
        last = np.concatenate((line[1:], line[bad_at]))
        card = np.concatenate((line[: len(line) - 1], bad))
        right = np.arange(len(last)) < len(line) - 1
        building = int(observation["phase"][1]) * min(int(attempt.sum()), len(attempt))
        end = int(attempt[building - 1].argmax()) if building else int(line[0])
        of_cards = self._rates(last, card, right, end)
        tried = of_cards[attempt[0].argmax()] if attempt[0].any() else np.zeros(PER_CARD, np.float32)
        held = observation["hand"].astype(bool)
        means = of_cards[held, :COUNT].mean(axis=1) if held.any() else np.zeros(1, np.float32)
        overall = (
            observation["phase"],
            observation["table"] / SCALES,
            observation["seats"][:, 2] / 14,
            tried,
            (means.max(), means.mean(), means.min()),
        )
        return np.concatenate((of_cards.ravel(), *overall)).astype(np.float32)

    @staticmethod
    def _rates(
        last: NDArray[np.intp], card: NDArray[np.intp], right: NDArray[np.bool_], end: int
    ) -> NDArray[np.float32]:
        """Return for each card what its classes tell after the card ``end``: shape (52, PER_CARD)."""
        classes = RELATIONS[:, last, card] + CLASSES * np.arange(COUNT)[:, None]
        size = COUNT * CLASSES
        every = np.bincount(classes.ravel(), minlength=size)
        good = np.bincount(classes[:, right].ravel(), minlength=size)
        asked = (RELATIONS[:, end] + CLASSES * np.arange(COUNT)[:, None]).T
        features = np.zeros((52, PER_CARD), np.float32)
        features[:, :COUNT] = (good[asked] + 0.4) / (every[asked] + 1) - 0.4
        features[:, COUNT : 2 * COUNT] = np.minimum(every[asked], 8) / 8
        before = (last == end) & ~right
        features[card[before], -2] = 1
        after = (last == end) & right
        features[card[after], -1] = 1
        return features


class Heads(nn.Module):  # type: ignore[misc]  # mypy runs without the library
    """Scores every card by one and the same net, and the other actions by another."""

    def __init__(self, actions: int, width: int = 64) -> None:
        super().__init__()
        self.card = nn.Sequential(nn.Linear(PER_CARD, width), nn.Tanh())
        self.table = nn.Linear(OVERALL, width)
        self.score = nn.Linear(width, 1)
        self.rest = nn.Sequential(nn.Linear(OVERALL, width), nn.Tanh(), nn.Linear(width, actions - 52))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return the actions' logits: shape (batch, actions)."""
        cards = features[:, : 52 * PER_CARD].view(-1, 52, PER_CARD)
        overall = features[:, 52 * PER_CARD :]
        mixed = torch.tanh(self.card(cards) + self.table(overall)[:, None])
        return torch.cat((self.score(mixed).squeeze(-1), self.rest(overall)), dim=1)


class CardPolicy(MaskableActorCriticPolicy):  # type: ignore[misc]  # mypy runs without the library
    """The policy of MaskablePPO with `Heads` for the actions."""

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        self.action_net = Heads(self.action_space.n)
        self.value_net = ValueHead()
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class ValueHead(nn.Module):  # type: ignore[misc]  # mypy runs without the library
    """Values a situation by what belongs to no card."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        deep = (nn.Linear(OVERALL, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.net = nn.Sequential(*deep, nn.Linear(width, 1))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return the values: shape (batch, 1)."""
        value: torch.Tensor = self.net(features[:, 52 * PER_CARD :])
        return value


class Curve(BaseCallback):  # type: ignore[misc]  # mypy runs without the library
    """Notes what each round of the training gave: the step, the learner's points, and the others' mean."""

    def __init__(self) -> None:
        super().__init__()
        self.rounds: list[tuple[int, float, float]] = []

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "points" in info:
                self.rounds.append((self.num_timesteps, *own_and_others(info)))
        return True


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """Rounds of the trained policy against three opponents of one kind; intervals are by rule, 95 %."""

    opponents: str
    rounds: int
    points: Interval
    """The policy's."""
    ahead: Interval
    """The policy's points less the mean of the opponents at the same table."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    holds: bool
    """Whether the interval of the first of ``against`` lies above 0."""
    commit: str | None
    versions: dict[str, str]
    seed: int
    steps: int
    minutes: float
    """Of training, by the clock, on a machine that did other things too."""
    processor_minutes: float
    """Of training, by the processor."""
    profile: str
    seats: int
    trained_on: str
    measured_on: str
    against: tuple[Measured, ...]


def main() -> None:
    """Train, measure, write the result and the curve, and print the answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    began, worked = time.perf_counter(), time.process_time()
    policy, curve = train(given.steps)
    minutes, processor = (time.perf_counter() - began) / 60, (time.process_time() - worked) / 60
    against = (
        measure(policy, "single card", [SingleCard], given.rounds),
        measure(policy, "random", ["random"], given.rounds),
        measure(policy, "tree", ["tree"], given.rounds // 4),
    )
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        holds=against[0].ahead.low > 0,
        commit=commit(),
        versions=versions(("eleusis-ai", "gymnasium", "numpy", "sb3-contrib", "torch")),
        seed=SEED,
        steps=given.steps,
        minutes=round(minutes, 1),
        processor_minutes=round(processor, 1),
        profile=PROFILE,
        seats=SEATS,
        trained_on=TRAINED_ON,
        measured_on=MEASURED_ON,
        against=against,
    )
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    draw(curve, given.out / "curve.png")
    print(f"{given.steps:,} steps in {minutes:.1f} minutes, {processor:.1f} of them the processor's")
    for each in against:
        print(f"against {each.opponents}: {each.points} points, ahead by {each.ahead}, {each.rounds} rounds")
    print("It does." if result.holds else "It does not.")


def table(rules: str, opponents: Sequence[Any], reward: str) -> Rates:
    """Return the environment in which the policy plays."""
    return Rates(
        gymnasium.make(
            "eleusis_ai/Eleusis-v0", profile=PROFILE, seats=SEATS, rules=rules, opponents=opponents, reward=reward
        )
    )


def train(steps: int) -> tuple[MaskablePPO, list[tuple[int, float, float]]]:
    """Return the trained policy, and what each round gave."""
    tables = DummyVecEnv([lambda: table(TRAINED_ON, [SingleCard], "hand")] * TABLES)
    policy = MaskablePPO(
        CardPolicy,
        tables,
        n_steps=512,
        batch_size=1024,
        n_epochs=6,
        learning_rate=lambda left: 1e-4 + 4e-4 * left,
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.005,
        policy_kwargs={"net_arch": []},
        seed=SEED,
        device="cpu",
    )
    curve = Curve()
    policy.learn(steps, callback=curve)
    return policy, curve.rounds


def measure(policy: MaskablePPO, name: str, opponents: Sequence[Any], rounds: int) -> Measured:
    """Let the policy play ``rounds`` rounds under rules of the catalogue."""
    env = table(MEASURED_ON, opponents, "points")
    points, ahead = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for number in range(rounds):
        observation, info = env.reset(seed=1_000_000 + number)
        over = False
        while not over:
            action, _ = policy.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, _, terminated, truncated, info = env.step(int(action))
            over = terminated or truncated
        own, others = own_and_others(info)
        points[info["rule"]].append(own)
        ahead[info["rule"]].append(own - others)
    return Measured(opponents=name, rounds=rounds, points=interval(points), ahead=interval(ahead))


def interval(values: dict[str, list[float]]) -> Interval:
    """Return the mean with its interval, by rule."""
    found = by_cluster(values)
    assert found is not None, "there were rounds"
    return found


def own_and_others(info: dict[str, Any]) -> tuple[float, float]:
    """Return the learner's points in a round that is over, and the mean of the other scientists'."""
    own = info["points"][info["seat"]]
    return float(own), (sum(info["points"][1:]) - own) / (SEATS - 2)


def draw(rounds: list[tuple[int, float, float]], path: Path) -> None:
    """Draw how the points grew."""
    steps, own, others = np.array(rounds).T
    window = min(WINDOW, max(1, len(rounds) // 4))
    kernel = np.ones(window) / window
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    for values, label in ((own, "the learner"), (others, "single-card players, mean")):
        axes.plot(steps[window - 1 :], np.convolve(values, kernel, "valid"), label=label)
    axes.set_xlabel("steps")
    axes.set_ylabel(f"points a round, mean of {window} rounds")
    axes.set_title(f"MaskablePPO at a {PROFILE} table of {SEATS}, seed {SEED}")
    axes.legend()
    figure.savefig(path, dpi=120)
    plt.close(figure)


if __name__ == "__main__":
    main()
