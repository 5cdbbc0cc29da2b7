from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.learners.space import Space, space
from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.evidence import Evidence, HintGiven, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import same

LINE = parse_cards("7H 2C")
EVERY_KIND: list[Evidence] = [
    HintGiven(Hint.parse("lookback 1")),
    Verdict((), Card.parse("7H"), legal=True),
    Verdict(LINE, Card.parse("8D"), legal=True),
    Verdict((*LINE, Card.parse("8D")), Card.parse("3H"), legal=False),
    SomeIllegal(((LINE, Card.parse("9S")), ((*LINE, Card.parse("9S")), Card.parse("KC")))),
    SomeLegal((*LINE, Card.parse("8D")), parse_cards("4D JS 5H")),
]


def judged(rule: Rule, count: int, seed: int = 1) -> list[Evidence]:
    """Random cards judged by ``rule`` as in play."""
    rng = Random(seed)
    line: Cards = (rng.choice(CARDS),)
    found: list[Evidence] = []
    for _ in range(count):
        card = rng.choice(CARDS)
        legal = rule.allows(line, card)
        found.append(Verdict(line, card, legal))
        line += (card,) * legal
    return found


def holds(rule: Rule, item: Evidence) -> bool:
    match item:
        case Verdict(mainline, card, legal):
            return rule.allows(mainline, card) == legal
        case SomeIllegal(pairs):
            return not all(rule.allows(mainline, card) for mainline, card in pairs)
        case SomeLegal(mainline, hand):
            return any(rule.allows(mainline, card) for card in hand)
        case HintGiven(hint):
            return hint.holds(rule)


def brute_force(rules: Space, evidence: list[Evidence], mainline: Cards) -> NDArray[np.float64]:
    """Weigh by rules read from their texts, one after the other."""
    total, legal = 0.0, np.zeros(52)
    for index, weight in enumerate(rules.prior):
        rule = Rule.parse(rules.text(index))
        if all(holds(rule, item) for item in evidence):
            total += weight
            legal += weight * np.array([rule.allows(mainline, card) for card in CARDS])
    return legal / total


def test_is_a_learner() -> None:
    assert isinstance(EliminationLearner(), Learner)


@pytest.mark.parametrize("length", [0, 1, 2, 5])
def test_predictions_are_chances(length: int) -> None:
    found = EliminationLearner().predict(CARDS[:length])
    assert found.shape == (52,)
    assert found.dtype == np.float64
    assert ((found >= 0) & (found <= 1)).all()


def test_predictions_may_be_changed_by_whom_they_are_given_to() -> None:
    learner = EliminationLearner()
    learner.predict(LINE)[:] = 0
    assert learner.predict(LINE).any()


@pytest.fixture
def small_space(monkeypatch: pytest.MonkeyPatch) -> Space:
    """The most probable 1,500 rules."""
    whole = space()
    prior = whole.prior[:1500] / whole.prior[:1500].sum()
    small = replace(whole, guard=whole.guard[:1500], branches=whole.branches[:1500], prior=prior)
    monkeypatch.setattr("eleusis_agents.learners.elimination.space", lambda: small)
    return small


def test_agrees_with_brute_force(small_space: Space) -> None:
    learner = EliminationLearner()
    learner.observe(EVERY_KIND)
    for line in (LINE, parse_cards("7H"), parse_cards("7H 2C 8D KS")):
        np.testing.assert_allclose(learner.predict(line), brute_force(small_space, EVERY_KIND, line), atol=1e-12)


def test_no_rule_left_contradicts_the_evidence() -> None:
    learner = EliminationLearner()
    learner.observe(EVERY_KIND)
    rules = learner.sample(60)
    assert rules is not None
    assert all(holds(rule, item) for rule in rules for item in EVERY_KIND)


@pytest.mark.parametrize("item", EVERY_KIND, ids=lambda item: type(item).__name__)
def test_evidence_divides_the_prior(item: Evidence) -> None:
    """The weight kept of 300 rules, by brute force over their texts, is what stays in the learner."""
    learner = EliminationLearner()
    learner.observe([item])
    rng = Random(5)
    left = set(learner._rows.tolist())
    for index in rng.sample(range(len(space())), 300):
        if not isinstance(item, HintGiven):
            assert (index in left) == holds(Rule.parse(space().text(index)), item), space().text(index)


def test_evidence_in_pieces_is_evidence_at_once() -> None:
    for rule in (Rule.parse("card.color != last.color"), Rule.parse("card.rank % 4 == mainline[0].rank % 4")):
        evidence = judged(rule, 40)
        whole, pieces = EliminationLearner(), EliminationLearner()
        whole.observe(evidence)
        for item in evidence:
            pieces.observe([item])
            pieces.predict(LINE)
        np.testing.assert_array_equal(whole.predict(LINE), pieces.predict(LINE))


@pytest.mark.parametrize(
    "text",
    [
        "card.color != last.color",
        "card.rank >= last.rank if last.is_black else card.rank <= last.rank",
        "card.suit == last.suit or card.rank == last.rank",
        "1 <= abs(card.rank - last.rank) <= 3",
        'card.suit == after(last.suit, "HSCD")',
        "card.is_red != card.is_face",
    ],
)
def test_a_rule_of_the_space_is_identified(text: str) -> None:
    secret = Rule.parse(text)
    learner = EliminationLearner()
    learner.observe(judged(secret, 80))
    best, weight = learner.explain()[0]
    assert isinstance(best, Rule)
    assert same(best, secret)
    assert weight > 0.5


def test_starters_say_nothing_to_rules_about_the_last_card() -> None:
    learner = EliminationLearner()
    before = len(learner._rows)
    learner.observe([Verdict((), Card.parse("7H"), legal=True)])
    kept = {space().text(int(index)) for index in learner._rows[:20]}
    assert len(learner._rows) < before
    assert {"card.color == last.color", "card.color != last.color", "card.is_red"} <= kept
    assert "card.is_black" not in kept


class TestNothingSurvives:
    CONTRADICTION = (
        Verdict(LINE, Card.parse("8D"), legal=True),
        Verdict(LINE, Card.parse("8D"), legal=False),
    )

    def test_predictions_stay_chances(self) -> None:
        learner = EliminationLearner()
        learner.observe(self.CONTRADICTION)
        found = learner.predict(LINE)
        assert ((found > 0) & (found < 1)).all()

    def test_no_rules_are_sampled(self) -> None:
        learner = EliminationLearner()
        learner.observe(self.CONTRADICTION)
        assert learner.sample(5) is None
        assert learner.explain()

    def test_a_slip_is_forgiven(self) -> None:
        secret = Rule.parse("card.color != last.color")
        evidence = judged(secret, 60)
        first = evidence[0]
        assert isinstance(first, Verdict)
        evidence.insert(30, Verdict(first.mainline, first.card, not first.legal))
        learner = EliminationLearner()
        learner.observe(evidence)
        best, _ = learner.explain()[0]
        assert isinstance(best, Rule)
        assert same(best, secret)


class TestSample:
    def test_counts_follow_the_weights(self) -> None:
        learner = EliminationLearner()
        learner.observe(judged(Rule.parse("card.color != last.color"), 25))
        rules = learner.sample(200)
        assert rules is not None
        assert len(rules) == 200
        best, weight = learner.explain()[0]
        assert rules.count(best) == pytest.approx(200 * weight, abs=1)  # type: ignore[arg-type] # a rule, not a text
