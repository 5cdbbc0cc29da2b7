from __future__ import annotations

import importlib
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from random import Random
from typing import Any

import pytest

from eleusis_ai import registry
from eleusis_ai.cards import Card
from eleusis_ai.moves import Move
from eleusis_ai.profiles import Profile
from eleusis_ai.registry import AgentSpec, InvalidOptions, UnknownPart, make_agent, make_dealer, make_learner
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View

HERE = "tests.test_registry"


class Sampler:
    """Draws its moves."""

    def __init__(self, *, seat: int, seed: str, boldness: float = 0.5) -> None:
        self.made_with = (seat, seed, boldness)

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(Random(self.made_with[1]))


class Graded(Sampler):
    """Comes in strengths."""

    levels = ("easy", "hard")

    def __init__(self, *, seat: int, seed: str, level: str = "hard", boldness: float = 0.5) -> None:
        super().__init__(seat=seat, seed=seed, boldness=boldness)
        self.level = level


class RedDealer:
    """Always deals red."""

    def __init__(self, color: str = "red") -> None:
        self.color = color

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return Rule.parse(f"card.color == {self.color}"), None

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return legal[0]


class Idler:
    """Does nothing of what is asked of anybody."""

    def __init__(self, **given: Any) -> None:
        pass


NOT_A_CLASS = 7


def test_what_is_registered() -> None:
    assert "random" in registry.registered("agents")
    assert "tree" in registry.registered("learners")
    assert "catalog" in registry.registered("dealers")
    for kind in ("agents", "learners", "dealers"):
        assert list(registry.registered(kind)) == sorted(registry.registered(kind))
    assert registry.registered("jugglers") == {}


def test_an_agent_by_name() -> None:
    agent = make_agent("random", seat=2, seed="1/x")
    assert type(agent).__name__ == "RandomAgent"


def test_an_agent_by_address() -> None:
    agent = make_agent(f"{HERE}:Sampler", seat=2, seed="1/x")
    assert type(agent).__name__ == "Sampler"
    assert agent.made_with == (2, "1/x", 0.5)  # type: ignore[attr-defined]  # it is the class above
    spec = AgentSpec("bold", f"{HERE}:Sampler", {"boldness": 0.9})
    assert make_agent(spec, seat=1, seed="s").made_with == (1, "s", 0.9)  # type: ignore[attr-defined]  # as above


def test_agents_are_made_anew() -> None:
    assert make_agent("random", seat=2, seed="1/x") is not make_agent("random", seat=2, seed="1/x")


def test_a_dealer() -> None:
    dealer = make_dealer(f"{HERE}:RedDealer", {"color": "black"})
    assert type(dealer).__name__ == "RedDealer"
    assert type(make_dealer("catalog")).__name__ == "CatalogDealer"


@pytest.mark.parametrize(
    ("use", "about"),
    [
        ("randm", "'randm' is not one of the agents; did you mean 'random'? An address is as in 'my_module:MyClass'"),
        ("xyzzy", "'xyzzy' is not one of the agents; registered are "),
        ("no_such_module:Agent", "'no_such_module:Agent' cannot be imported: No module named 'no_such_module'"),
        (f"{HERE}:Missing", f"module '{HERE}' has no 'Missing'; an address is as in 'my_module:MyClass'"),
        (":Sampler", "':Sampler' is not an address: "),
        (f"{HERE}:NOT_A_CLASS", "is 7, not a class; an address is as in 'my_module:MyAgent'"),
        (f"{HERE}:Idler", "makes Idler, which has no method `act(view)`"),
        (f"{HERE}:RedDealer.choose", "has no 'RedDealer.choose'"),
    ],
)
def test_no_agent(use: str, about: str) -> None:
    with pytest.raises(UnknownPart) as error:
        make_agent(use, seat=0, seed="s")
    assert about in str(error.value)


@pytest.mark.parametrize(
    ("make", "about"),
    [
        (make_dealer, "makes Idler, which has no `choose` and `pick`"),
        (make_learner, "makes Idler, which is no learner: see `Learner`"),
    ],
)
def test_no_dealer_and_no_learner(make: Any, about: str) -> None:
    with pytest.raises(UnknownPart) as error:
        make(f"{HERE}:Idler")
    assert about in str(error.value)


@pytest.mark.parametrize(
    ("options", "about"),
    [
        ({"bravery": 1}, "does not take options {'bravery': 1}: got an unexpected keyword argument 'bravery'"),
        ({"boldness": 1, "x": 2}, "its options are boldness"),
        ({"seat": 1}, "does not take options {'seat': 1}"),
    ],
)
def test_options_an_agent_does_not_take(options: dict[str, Any], about: str) -> None:
    with pytest.raises((InvalidOptions, TypeError)) as error:
        make_agent(AgentSpec("bold", f"{HERE}:Sampler", options), seat=0, seed="s")
    assert isinstance(error.value, InvalidOptions)
    assert about in str(error.value)


def test_a_dealer_without_options() -> None:
    with pytest.raises(InvalidOptions, match="its options are color"):
        make_dealer(f"{HERE}:RedDealer", {"colour": "red"})


class TestLevels:
    @pytest.fixture(autouse=True)
    def _graded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Register an agent with levels, and one without that has the name of a module."""
        group = "eleusis.agents"
        entries = (EntryPoint("graded", f"{HERE}:Graded", group), EntryPoint("tests", f"{HERE}:Sampler", group))
        monkeypatch.setattr(registry, "_entries", lambda kind: entries if kind == "agents" else ())

    def test_one_behind_a_name(self) -> None:
        for use, level in (("graded:easy", "easy"), ("graded", "hard")):
            assert make_agent(use, seat=1, seed="s").level == level  # type: ignore[attr-defined]  # it is Graded
        bold = make_agent(AgentSpec("a", "graded:easy", {"boldness": 1.0}), seat=2, seed="s")
        assert bold.made_with == (2, "s", 1.0)  # type: ignore[attr-defined]  # as above
        assert registry.find("agents", "graded:easy") is registry.find("agents", "graded:easy")

    def test_what_levels_there_are(self) -> None:
        assert registry.levels_of(Graded) == ("easy", "hard")
        assert registry.levels_of(Sampler) == ()

    def test_a_module_may_have_the_name_of_an_agent_without_levels(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(importlib.import_module("tests"), "Own", Sampler, raising=False)
        assert isinstance(make_agent("tests:Own", seat=1, seed="s"), Sampler)
        with pytest.raises(UnknownPart, match=r"'tests' has no levels; .* module 'tests' has no 'easy'"):
            make_agent("tests:easy", seat=1, seed="s")

    @pytest.mark.parametrize("level", ["", "hrad", "easy:easy"])
    def test_one_that_is_none(self, level: str) -> None:
        with pytest.raises(UnknownPart, match=f"no level '{level}'; its levels are easy, hard, as in 'graded:easy'"):
            make_agent(f"graded:{level}", seat=1, seed="s")

    def test_one_named_twice(self) -> None:
        with pytest.raises(InvalidOptions, match=r"'graded:easy' .* names the level too; leave one out"):
            make_agent(AgentSpec("a", "graded:easy", {"level": "hard"}), seat=1, seed="s")
