"""What every program keeps that plays from outside, by the seat protocol."""

from __future__ import annotations

from eleusis_ai.agent import Agent
from eleusis_ai.contracts.agents import SEED, AgentContract
from eleusis_ai.contracts.broken import told
from eleusis_ai.contracts.tour import tour
from eleusis_ai.moves import Move
from eleusis_ai.profiles import Profile
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class ProgramContract(AgentContract):
    """What every program keeps; it is an agent whose faults are `Misbehaved`.

    What is asked of agents in this process only, such as that they print nothing, is left out. Each program is a
    process, so there are as few of them as will do.
    """

    def test_is_made(self) -> None:
        """It starts, says hello, and answers a first decision."""
        view = tour(self.profiles[0])[0][0]
        with told(""):
            self.make(seat=view.seat, seed=SEED).act(view)

    test_answers_every_decision = AgentContract.test_answers_every_decision
    test_plays_whole_rounds = AgentContract.test_plays_whole_rounds

    def test_picks_up_in_mid_round(self) -> None:
        """It can be started in the middle of a round."""
        self._pick_up(self.profiles[0])

    test_same_seed_same_moves = AgentContract.test_same_seed_same_moves

    def _table(self, profile: Profile) -> list[Agent]:
        return [
            self.make(seat=seat, seed=SEED) if seat == 1 else _ByLot(f"{SEED}/{seat}")
            for seat in range(profile.max_seats)
        ]


class _ByLot:
    """Sits at a table so that it is full."""

    def __init__(self, seed: str) -> None:
        self._rng = generator(seed)

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(self._rng)
