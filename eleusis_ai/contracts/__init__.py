"""What every agent, dealer and learner keeps: classes to inherit in a test, so that anybody can check theirs.

    class TestMine(AgentContract):
        def make(self, *, seat: int, seed: str) -> Agent:
            return Mine(seat=seat, seed=seed)

pytest runs the ``test_`` methods, each of which fails with `ContractBroken`; ``eleusis agents check`` runs them
without pytest.
"""

from eleusis_ai.contracts.agents import AgentContract
from eleusis_ai.contracts.broken import ContractBroken
from eleusis_ai.contracts.dealers import DealerContract
from eleusis_ai.contracts.learners import LearnerContract

__all__ = ["AgentContract", "ContractBroken", "DealerContract", "LearnerContract"]
