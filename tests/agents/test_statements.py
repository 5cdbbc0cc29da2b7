"""Which rule an agent states, and when it does."""

from __future__ import annotations

import msgspec
import pytest

from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.statements import best_statement
from eleusis_agents.strategy import Strategy
from eleusis_ai.agent import Learner
from eleusis_ai.evidence import evidence
from eleusis_ai.match import play_round
from eleusis_ai.moves import StateRule
from eleusis_ai.profiles import PROFILES, Profile, Stating, load_profile
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import Believer, Guesser
from tests.rulebook.table import ALTERNATE, RED, deal, play

SPELT = "card.color != black"
"""`RED` in other words."""
TEAM = load_profile("cooperative")
EXPRESS = PROFILES["express-2006"]


def asked(profile: Profile, learner: Learner) -> str:
    """Return what is answered after a right card, the learner believing what it does."""
    table = deal(profile, RED, "2D 3C 4C 5C 6C")
    play(table, "1: 2D")
    return str(Strategy().move(table.view(1), learner))


def test_rules_that_agree_on_what_can_be_reached_are_one() -> None:
    table = deal(EXPRESS, RED, "2D 3C 4C 5C 6C")
    play(table, "1: 2D")
    found = best_statement(table.view(1), Believer(RED, SPELT, ALTERNATE, "card.color == last.color"))
    assert found is not None
    assert equivalent(found.rule, Rule.parse(RED)).same
    assert found.chance == pytest.approx(0.75), "after a red card, the color of the last is red"
    assert found.doubt == pytest.approx(0.811, abs=1e-3)


def test_what_was_stated_and_is_wrong_is_not_stated_again() -> None:
    table = deal(EXPRESS, RED, "2D 3D 3C 4C 5C 6C", "2H 3H 5C 6C")
    play(table, "1: 2D", f"1: state {ALTERNATE}")
    found = best_statement(table.view(1), Believer(ALTERNATE, "card.color == last.color"))
    assert found is not None
    assert str(found.rule) != ALTERNATE
    assert found.chance == 1
    assert best_statement(table.view(1), Believer(ALTERNATE)) is None


def test_a_learner_without_rules_states_none() -> None:
    assert asked(EXPRESS, Guesser({}, other=0.5)) == "pass"
    assert asked(TEAM, Guesser({}, other=0.5)) == "pass"


@pytest.mark.parametrize(("profile", "says"), [(EXPRESS, f"state {RED}"), (TEAM, "pass")], ids=str)
def test_a_long_shot_is_fired_where_it_costs_nothing(profile: Profile, says: str) -> None:
    others = [f"card.rank != {rank}" for rank in range(2, 14)]
    assert asked(profile, Believer(RED, SPELT, *others)) == says


@pytest.mark.parametrize("profile", [EXPRESS, TEAM], ids=str)
def test_a_rule_that_is_known_is_stated(profile: Profile) -> None:
    assert asked(profile, Believer(RED)) == f"state {RED}"


def test_a_team_plays_for_what_it_learns_and_keeps_its_hands() -> None:
    learner = Guesser({"2D": 1.0, "3C": 0.5})
    assert str(Strategy().move(deal(TEAM, RED, "2D 3C").view(1), learner)) == "3C"
    alone = msgspec.structs.replace(TEAM, name="short", hand_size=1)
    assert str(Strategy().move(deal(alone, RED, "2D").view(1), Guesser({"2D": 0.9}))) == "no play"


def test_the_first_eleusis_is_played_for_right_cards() -> None:
    table = deal("original-1956", RED, "2D 3C")
    assert str(Strategy().move(table.view(1), Guesser({"2D": 0.6, "3C": 0.3}))) == "2D"


@pytest.mark.parametrize("profile", [*PROFILES, "cooperative", "late-prophet+cooperative"])
def test_eliminators_finish_every_profile(profile: str) -> None:
    """With a rule that they all find the seats that may state it do."""
    terms = load_profile(profile)
    rule = Rule.parse(ALTERNATE)
    agents = [make_agent("elimination", seat=seat, seed=f"{profile}/{seat}") for seat in range(1, 5)]
    hint = None if profile != "no-prophet" else hint_of(rule)
    played = play_round(terms, rule, [None, *agents], dealer=0, seed=profile, hint=hint).replay()
    stated = any(isinstance(move, StateRule) for move in played.moves)
    assert stated == (terms.stating is not Stating.NEVER)
    assert str(played.end_reason) == "stated" if stated else played.over


def test_the_wrong_statements_of_a_round_are_evidence() -> None:
    table = deal(EXPRESS, RED, "2D 3D 3C 4C 5C 6C", "2H 3H 5C 6C")
    play(table, "1: 2D", f"1: state {ALTERNATE}")
    learner = EliminationLearner()
    view = table.view(2)
    learner.observe(evidence(view))
    found = best_statement(view, learner)
    assert found is not None
    assert not equivalent(found.rule, Rule.parse(ALTERNATE), view.layout.mainline).same


def hint_of(rule: Rule) -> Hint:
    return hints_for(rule)[0]
