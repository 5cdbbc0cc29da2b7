"""What every program keeps that plays from outside, by the seat protocol."""

from __future__ import annotations

from eleusis_ai.contracts.agents import SEED, AgentContract
from eleusis_ai.contracts.broken import told
from eleusis_ai.contracts.tour import tour


class ProgramContract(AgentContract):
    """What every program keeps; it is an agent whose faults are `Misbehaved`.

    What is asked of agents in this process only, such as that they print nothing, is left out.
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
        self._pick_up(self.profiles[0])  # a process each: the other profiles would take too long

    test_same_seed_same_moves = AgentContract.test_same_seed_same_moves
