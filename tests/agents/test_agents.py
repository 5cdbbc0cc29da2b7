from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from eleusis_agents.chance import RandomAgent
from eleusis_agents.elimination import EliminationAgent
from eleusis_agents.tree import TreeAgent
from eleusis_ai.agent import Agent, Explains
from eleusis_ai.cards import CARDS
from eleusis_ai.match import play_round
from eleusis_ai.moves import DecisionKind, Move
from eleusis_ai.profiles import PROFILES, Stating
from eleusis_ai.record import Record
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View
from tests.rulebook.table import ALTERNATE, EVERY, RED, at_once, deal, hint_for, play

MAKERS: dict[str, Callable[..., Agent]] = {"elimination": EliminationAgent, "random": RandomAgent, "tree": TreeAgent}
every_agent = pytest.mark.parametrize("name", sorted(MAKERS))
learning = pytest.mark.parametrize("name", ["elimination", "tree"])

RULE = Rule.parse("card.suit == last.suit or card.rank == last.rank")


class Watched:
    """An agent whose decisions are noted."""

    def __init__(self, agent: Agent, kinds: set[DecisionKind]) -> None:
        self.agent, self.kinds = agent, kinds

    def act(self, view: View) -> Move:
        assert view.decision is not None
        self.kinds.add(view.decision.kind)
        return self.agent.act(view)


def round_of(profile: str, names: tuple[str, ...], seed: str, rule: Rule = RULE) -> Record:
    terms = PROFILES[profile]
    agents = [MAKERS[name](seat=seat, seed=f"{seed}/{seat}") for seat, name in enumerate(names, start=1)]
    return play_round(terms, rule, [None, *agents], dealer=0, seed=seed, hint=hint_for(terms, rule))


@every_agent
def test_is_registered(name: str) -> None:
    agent = make_agent(name, seat=1, seed="1")
    assert isinstance(agent, MAKERS[name])  # type: ignore[arg-type] # the makers are classes
    assert isinstance(agent, Explains) == (name != "random")


@every_agent
@pytest.mark.parametrize("profile", EVERY)
def test_plays_whole_rounds(name: str, profile: str) -> None:
    for number in range(3):
        record = round_of(profile, (name, "random", name, "tree"), f"whole/{number}")
        assert record.scores is not None
        assert record.replay().over


@pytest.mark.parametrize("profile", EVERY)
def test_same_seed_same_record(profile: str) -> None:
    names = ("elimination", "tree", "random", "elimination")
    first, again, other = (str(round_of(profile, names, seed)) for seed in ("same", "same", "other"))
    assert first == again
    assert first != other


@every_agent
def test_answers_a_prophet_s_and_a_dealer_s_decisions(name: str) -> None:
    """Whoever judges by hand may be an agent too: it draws a legal answer."""
    kinds: set[DecisionKind] = set()
    terms = at_once("howell", expulsion_from=8, stating=Stating.AFTER_RIGHT)
    for number in range(8):
        others = [RandomAgent(seat=seat, seed=f"{number}/{seat}") for seat in (2, 3)]
        agents = [Watched(MAKERS[name](seat=seat, seed=f"{number}/{seat}"), kinds) for seat in (0, 1)]
        play_round(terms, None, [*agents, *others], dealer=0, seed=str(number), starters=[CARDS[number]])
    wanted = set(DecisionKind) if name == "random" else set(DecisionKind) - {DecisionKind.AFTER_TURN}
    assert kinds >= wanted


@learning
def test_beliefs(name: str) -> None:
    table = deal("howell", ALTERNATE, "2C 3D 4S 5H 6D 7S", "8C 9C QS", "8D 9D QH")
    play(table, "1: 2C 3D 4S 5H", "2: 8C", "3: 8D", "1: 7S", "2: 9C", "3: 9D", "1: 6D")
    agent = MAKERS[name](seat=1, seed="1")
    assert isinstance(agent, Explains)
    beliefs = agent.beliefs(table.view(1))
    assert len(beliefs.legal) == 52
    assert all(0 <= chance <= 1 for chance in beliefs.legal)
    assert beliefs.rules
    assert agent.beliefs(table.view(1)) == beliefs, "what was seen is not learned twice"
    if name == "elimination":
        assert beliefs.rules[0][0] == ALTERNATE


def test_a_hint_is_used() -> None:
    hint = next(hint for hint in hints_for(Rule.parse(RED)) if str(hint) == "only the card")
    table = deal("abbott", RED, "2C 3D 4S", hint=hint)
    agent = EliminationAgent(seat=1, seed="1")
    assert "card.color == last.color" not in [rule for rule, _ in agent.beliefs(table.view(1)).rules]


def test_records_name_no_secret() -> None:
    assert msgspec.json.decode(str(round_of("howell", ("tree",) * 4, "log")))["rule"] == str(RULE)
