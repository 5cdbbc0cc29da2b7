"""What each level thinks of, remembers and dares."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from eleusis_agents.elimination import EliminationAgent
from eleusis_agents.inference import LearningAgent
from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.learners.memory import latest
from eleusis_agents.learners.space import part, space
from eleusis_agents.levels import LEVELS, find_level
from eleusis_agents.strategy import Strategy
from eleusis_ai.agent import Agent
from eleusis_ai.cards import parse_cards
from eleusis_ai.contracts import AgentContract
from eleusis_ai.evidence import HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.match import play_round
from eleusis_ai.moves import Attempt, NoPlay, parse_move
from eleusis_ai.profiles import PROFILES
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec, InvalidOptions, make_agent
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from experiments.level_ratings import Result
from tests.rulebook.table import ALTERNATE, RED, at_once, deal, play

HOWELL = PROFILES["howell"]
ROOT = Path(__file__).parent.parent.parent


class TestBeginner(AgentContract):
    def make(self, *, seat: int, seed: str) -> Agent:
        return EliminationAgent(seat=seat, seed=seed, level="beginner")


def round_of(*agents: Agent, seed: str = "levels") -> Record:
    return play_round(HOWELL, Rule.parse(ALTERNATE), [None, *agents], dealer=0, seed=seed)


def test_master_is_elimination_as_it_is_without_a_level() -> None:
    plain = str(round_of(*(LearningAgent(EliminationLearner, Strategy(), seed="s") for _ in range(4))))
    for options in ({}, {"level": "master"}):
        agents = [make_agent(AgentSpec("e", "elimination", options), seat=seat, seed="s") for seat in range(1, 5)]
        assert str(round_of(*agents)) == plain


def test_a_level_may_stand_behind_the_name() -> None:
    named = [make_agent("elimination:club", seat=seat, seed="s") for seat in range(1, 5)]
    spelled = [EliminationAgent(seat=seat, seed="s", level="club") for seat in range(1, 5)]
    assert str(round_of(*named)) == str(round_of(*spelled))


def test_levels_differ() -> None:
    agents = {name: [EliminationAgent(seat=seat, seed="s", level=name) for seat in range(1, 5)] for name in LEVELS}
    assert len({str(round_of(*table)) for table in agents.values()}) == len(LEVELS)


def test_an_unknown_level() -> None:
    with pytest.raises(InvalidOptions, match="level is 'expert'; levels are beginner, club, master, as in level ="):
        find_level("expert")


class TestWhatTheyThinkOf:
    def test_a_beginner_thinks_of_one_plain_condition(self) -> None:
        parts = LEVELS["beginner"].parts
        assert parts is not None
        rules = part(space(), *parts)
        assert [guard.family for guard in rules.guards] == ["always"]
        for index in range(len(rules.predicates)):
            assert rules.predicates.form[index] == 0
            text = rules.predicates.text(index)
            assert not any(word in text for word in ("mainline", "position", "count", "run")), text

    def test_nobody_below_a_master_thinks_of_mirrors(self) -> None:
        parts = LEVELS["club"].parts
        assert parts is not None
        guards = part(space(), *parts).guards
        assert not any(guard.is_tied or guard.anchor > 1 for guard in guards)
        assert {"last-color", "last-parity", "position-2"} <= {guard.family for guard in guards}

    def test_a_stronger_one_thinks_of_more_and_looks_further_back(self) -> None:
        sizes = [space().size if parts is None else part(space(), *parts).size for parts in _parts()]
        assert all(10 * fewer < more for fewer, more in pairwise(sizes))
        memories = [level.memory or 1_000 for level in LEVELS.values()]
        assert memories == sorted(set(memories))

    def test_a_rule_within_reach_is_found_by_a_beginner(self) -> None:
        table = deal("howell", ALTERNATE, "2C 3D 4S 5H 6D 7S", "8C 9C QS", "8D 9D QH")
        play(table, "1: 2C", "2: 9C", "3: 9D", "1: 7S", "2: 8C", "3: 8D")
        agent = EliminationAgent(seat=1, seed="1", level="beginner")
        assert agent.beliefs(table.view(1)).rules[0][0] == ALTERNATE


def _parts() -> list[tuple[int, int] | None]:
    return [level.parts for level in LEVELS.values()]


class TestMemory:
    LINE = parse_cards("7H 2C 8D KS 3H 4C")
    ITEMS = (
        HintGiven(Hint.parse("no suits")),
        Verdict(LINE[:1], LINE[1], legal=True),
        SomeIllegal(((LINE[:2], LINE[3]), ((*LINE[:2], LINE[3]), LINE[0]))),
        NotTheRule(Rule.parse(RED), LINE[:2]),
        SomeLegal(LINE[:4], LINE[:2]),
        Verdict(LINE[:5], LINE[5], legal=True),
    )

    def test_what_was_played_long_ago_is_forgotten_a_hint_is_not(self) -> None:
        left = {cards: [self.ITEMS.index(item) for item in latest(self.ITEMS, cards)] for cards in (1, 2, 4, 5)}
        assert left == {1: [0, 3, 5], 2: [0, 3, 4, 5], 4: [0, 2, 3, 4, 5], 5: [0, 1, 2, 3, 4, 5]}
        assert list(latest((), 3)) == []

    def test_what_is_forgotten_might_not_have_been_seen(self) -> None:
        """The first card refutes what the others say; when it is forgotten the rule is believed again."""
        rules = part(space(), 24, 1)
        line = parse_cards("7C 2H 8D KH 3D 4H")
        items = [Verdict(line[:at], line[at], legal=True) for at in range(6)]
        learner, fresh = (EliminationLearner(memory=3, rules=rules) for _ in range(2))
        for item in items:
            learner.observe([item])
        fresh.observe(items[3:])
        assert learner.predict(line).tolist() == fresh.predict(line).tolist()
        whole = EliminationLearner(rules=rules)
        whole.observe(items)
        assert whole.predict(line).tolist() != fresh.predict(line).tolist()

    def test_no_memory_is_none(self) -> None:
        with pytest.raises(InvalidOptions, match="memory is 0; at least 1"):
            EliminationLearner(memory=0)


class TestWhatTheyDare:
    def test_a_beginner_plays_card_by_card(self) -> None:
        agents = [EliminationAgent(seat=seat, seed="s", level="beginner") for seat in range(1, 5)]
        moves = [parse_move(text) for text in round_of(*agents).moves]
        assert NoPlay() not in moves
        assert all(len(move.cards) == 1 for move in moves if isinstance(move, Attempt))

    def test_a_beginner_is_sooner_sure_of_what_fits(self) -> None:
        """A master knows more rules that fit as well, and waits."""
        hands = (
            "2C 3D 4S 5H 6D 8S 9C 10H",
            "3H 8C 6C 7C 8H 9H JS KD",
            "4C 8D 6S 7S 8S 9S JD KC",
            "9D 8S 6H 7D 8C 9C QS",
        )
        table = deal(at_once("howell"), RED, *hands)
        play(table, "1: 2C", "1: pass", "2: 3H", "2: pass", "3: 4C", "3: pass", "4: 9D", "4: pass", "1: 3D")
        answers = {name: str(EliminationAgent(seat=1, seed="1", level=name).act(table.view(1))) for name in LEVELS}
        assert answers == {"beginner": "prophet", "club": "pass", "master": "pass"}

    @pytest.mark.parametrize(("options", "move"), [({}, "3D"), ({"strings": True}, "3D 5D")])
    def test_a_strategy_that_is_given_goes_before_the_level_s(self, options: dict[str, bool], move: str) -> None:
        table = deal("no-prophet", RED, "7D 3D 5D 4C 5C 6C", "2D 8C", "9D 8S")
        play(table, "1: 7D", "2: 2D", "3: 9D", "1: 4C", "2: 8C", "3: 8S")
        agent = EliminationAgent(seat=1, seed="1", level="beginner", strategy=options)
        assert str(agent.act(table.view(1))) == move


def test_the_page_s_figures_are_those_of_the_experiment() -> None:
    result = msgspec.json.decode((ROOT / "experiments/results/level_ratings/result.json").read_bytes(), type=Result)
    page = (ROOT / "docs/how-to/levels.md").read_text(encoding="utf-8")
    assert result.holds
    assert [line.player for line in result.lines] == [*(f"elimination:{name}" for name in reversed(LEVELS)), "random"]
    for line in result.lines:
        ahead, before = line.over_the_next.get("all", ""), line.before_the_next.get("all")
        share = "" if before is None else f"{before.mean:.0%} [{before.low:.0%}, {before.high:.0%}]"
        low, high = line.strength.low, line.strength.high
        cells = [f"`{line.player}`", f"{line.points:.1f}", *(f"{points:.1f}" for points in line.parts.values())]
        cells += [str(ahead), share, f"{line.strength.mean:+.0f} [{low:+.0f}, {high:+.0f}]"]
        assert f"| {' | '.join(cells)} |" in page
