"""The agents, dealers and learners that are shipped keep their contracts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from eleusis_agents.chance import RandomAgent
from eleusis_agents.dealers import CatalogDealer, DesignerDealer, FixedDealer, GeneratedDealer
from eleusis_agents.elimination import EliminationAgent
from eleusis_agents.learner import LearnerAgent
from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.learners.estimators import ForestLearner, SklearnLearner
from eleusis_agents.learners.ripper import RipperLearner
from eleusis_agents.learners.streed import StreedLearner
from eleusis_agents.learners.tree import TreeLearner
from eleusis_agents.llm.agent import LlmAgent
from eleusis_agents.tree import TreeAgent
from eleusis_ai.agent import Agent, Dealer, Learner
from eleusis_ai.contracts import AgentContract, DealerContract, LearnerContract
from eleusis_ai.profiles import EXPRESS_2006, HOWELL
from eleusis_ai.registry import registered
from tests.agents.llm.stub import Stub, serving


class TestRandomAgent(AgentContract):
    def make(self, *, seat: int, seed: str) -> Agent:
        return RandomAgent(seat=seat, seed=seed)


class TestTreeAgent(AgentContract):
    def make(self, *, seat: int, seed: str) -> Agent:
        return TreeAgent(seat=seat, seed=seed)


class TestEliminationAgent(AgentContract):
    def make(self, *, seat: int, seed: str) -> Agent:
        return EliminationAgent(seat=seat, seed=seed)


class TestLearnerAgent(AgentContract):
    def make(self, *, seat: int, seed: str) -> Agent:
        return LearnerAgent(seat=seat, seed=seed, learner="tree")


class TestLlmAgent(AgentContract):
    """A model that answers equal questions alike keeps it; what prompts say in all profiles, its own tests tell."""

    profiles = (HOWELL, EXPRESS_2006)
    stub: Stub

    @pytest.fixture(autouse=True)
    def _endpoint(self) -> Iterator[None]:
        with serving() as self.stub:
            yield

    def make(self, *, seat: int, seed: str) -> Agent:
        return LlmAgent(seat=seat, seed=seed, **self.stub.options())


class TestCatalogDealer(DealerContract):
    def make(self) -> Dealer:
        return CatalogDealer()


class TestDesignerDealer(DealerContract):
    def make(self) -> Dealer:
        return DesignerDealer()


class TestGeneratedDealer(DealerContract):
    def make(self) -> Dealer:
        return GeneratedDealer()


class TestFixedDealer(DealerContract):
    def make(self) -> Dealer:
        return FixedDealer("card.color != last.color")


class TestFixedDealerWithAHint(DealerContract):
    def make(self) -> Dealer:
        return FixedDealer("card.is_red", hint="no ranks")


class TestTreeLearner(LearnerContract):
    def make(self) -> Learner:
        return TreeLearner()


class TestEliminationLearner(LearnerContract):
    def make(self) -> Learner:
        return EliminationLearner()


class TestSklearnLearner(LearnerContract):
    profiles = (HOWELL,)

    def make(self) -> Learner:
        return SklearnLearner()


class TestForestLearner(LearnerContract):
    profiles = (HOWELL,)

    def make(self) -> Learner:
        return ForestLearner(trees=2)


@pytest.mark.long
class TestStreedLearner(LearnerContract):
    profiles = (HOWELL,)

    def make(self) -> Learner:
        pytest.importorskip("pystreed", reason="the extra streed is not installed")
        return StreedLearner(depth=2)


@pytest.mark.long
class TestRipperLearner(LearnerContract):
    profiles = (HOWELL,)

    def make(self) -> Learner:
        pytest.importorskip("wittgenstein", reason="the extra ripper is not installed")
        return RipperLearner()


def test_all_that_is_registered_is_here() -> None:
    for kind in ("agents", "dealers", "learners"):
        for name, entry in registered(kind).items():
            assert f"Test{entry.value.partition(':')[2]}" in globals(), name
