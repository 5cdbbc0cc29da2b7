"""How quick is random play against two well-known engines, in the same run on one core?

Ours is a `howell` table of five under ``card.color != last.color``, dealing included; moves are what seats are
asked for, plays (attempts, no plays, calls, picks) and passes (declining to become prophet) apart. OpenSpiel's
`crazy_eights` (C++, 4 players) counts its players' decisions alone, not its chance events. RLCard's `uno` is its
own random play, `env.run` with `RandomAgent`; its bare steps stand beside it.

Run it with: pip install -e ".[bench]" && python benchmarks/engine.py
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from timeit import repeat

import pyspiel
import rlcard
from rlcard.agents import RandomAgent

from eleusis_ai import PROFILES, Round, Rule
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.moves import Pass

SECONDS = 1.0
"""How long each engine plays at a time."""
TURNS = 7
"""How often each engine has its turn; figures are medians over them."""
SEATS = 5
PROFILE = PROFILES["howell"]
RULE = Rule.parse("card.color != last.color")


def main() -> None:
    """Let the engines play in turn, and print the medians and the ratios."""
    engines: dict[str, Callable[[Random], int]] = {
        "eleusis": eleusis_round,
        "eleusis, a view a decision": eleusis_viewed,
        "OpenSpiel crazy_eights": crazy_eights_game,
        "RLCard uno": uno_game(),
        "RLCard uno, bare steps": uno_steps(),
    }
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(TURNS):
        for name, play in engines.items():
            speeds[name].append(speed(play, Random(turn)))
    print(f"{'moves a second':<28}{'median':>9}{'ours is':>9}")
    for name, figures in speeds.items():
        ratio = median(own / other for own, other in zip(speeds["eleusis"], figures, strict=True))
        print(f"{name:<28}{median(figures):>9,.0f}{ratio:>8.2f}x")
    print(f"of our moves {passes():.0%} are passes, {1 - passes():.0%} plays")
    plain, viewed = median(speeds["eleusis"]), median(speeds["eleusis, a view a decision"])
    print(f"a view a decision: {1e6 / viewed - 1e6 / plain:.2f} microseconds")
    print(f"Round.copy() in mid-round: {copy_time():.2f} microseconds")


def speed(play: Callable[[Random], int], rng: Random) -> float:
    """Return the moves a second of playing again and again."""
    moves, began = 0, perf_counter()
    while (spent := perf_counter() - began) < SECONDS:
        moves += play(rng)
    return moves / spent


def deal(rng: Random) -> Round:
    """Deal a round of ours."""
    return Round.deal(PROFILE, RULE, seats=SEATS, dealer=0, deck=shuffled_deck(PROFILE, rng))


def eleusis_round(rng: Random) -> int:
    """Play one of our rounds; return how many moves it had."""
    table = deal(rng)
    while table.decision is not None:
        table.apply(table.legal_moves().sample(rng))
    return len(table.moves)


def eleusis_viewed(rng: Random) -> int:
    """Play one of our rounds, and make the view of the seat to decide each time."""
    table = deal(rng)
    while (decision := table.decision) is not None:
        table.view(decision.seat)
        table.apply(table.legal_moves().sample(rng))
    return len(table.moves)


def crazy_eights_game(rng: Random) -> int:
    """Play one game of OpenSpiel's; return how many decisions its players made."""
    state = CRAZY_EIGHTS.new_initial_state()
    decisions = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            actions = state.legal_actions()
            state.apply_action(actions[int(rng.random() * len(actions))])
            decisions += 1
    return decisions


CRAZY_EIGHTS = pyspiel.load_game("crazy_eights(players=4)")


def uno_game() -> Callable[[Random], int]:
    """Return RLCard's own random play of one game."""
    environment = rlcard.make("uno")
    agent = RandomAgent(num_actions=environment.num_actions)
    environment.set_agents([agent] * environment.num_players)

    def play(_: Random) -> int:
        trajectories, _payoffs = environment.run(is_training=False)
        return sum(len(trajectory) // 2 for trajectory in trajectories)

    return play


def uno_steps() -> Callable[[Random], int]:
    """Return random play of one game by RLCard's bare steps."""
    environment = rlcard.make("uno")

    def play(rng: Random) -> int:
        state, _ = environment.reset()
        steps = 0
        while not environment.is_over():
            actions = list(state["legal_actions"])
            state, _ = environment.step(actions[int(rng.random() * len(actions))])
            steps += 1
        return steps

    return play


def passes() -> float:
    """Return the share of passes among our moves."""
    rng, moves = Random(0), []
    for _ in range(200):
        table = deal(rng)
        while table.decision is not None:
            moves.append(table.legal_moves().sample(rng))
            table.apply(moves[-1])
    return sum(isinstance(move, Pass) for move in moves) / len(moves)


def copy_time() -> float:
    """Return the microseconds of copying a round in its middle."""
    rng = Random(0)
    table = deal(rng)
    while len(table.moves) < 25:
        table.apply(table.legal_moves().sample(rng))
    return min(repeat(table.copy, number=10_000, repeat=5)) * 100


if __name__ == "__main__":
    main()
