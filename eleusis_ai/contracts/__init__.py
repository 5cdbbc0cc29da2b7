"""What every agent, dealer, learner and environment keeps: classes to inherit in a test, to check one's own.

    class TestMine(AgentContract):
        def make(self, *, seat: int, seed: str) -> Agent:
            return Mine(seat=seat, seed=seed)

pytest runs the ``test_`` methods, each of which fails with `ContractBroken`; ``eleusis agents check`` runs them
without pytest, save for environments.
"""

from eleusis_ai.contracts.agents import AgentContract
from eleusis_ai.contracts.broken import ContractBroken
from eleusis_ai.contracts.dealers import DealerContract
from eleusis_ai.contracts.environments import AecEnvContract, EnvContract
from eleusis_ai.contracts.learners import LearnerContract

__all__ = ["AecEnvContract", "AgentContract", "ContractBroken", "DealerContract", "EnvContract", "LearnerContract"]
