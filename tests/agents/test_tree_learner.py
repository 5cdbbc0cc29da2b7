from __future__ import annotations

import numpy as np
import pytest

from eleusis_agents.learners.tree import TreeLearner
from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.evidence import Evidence, HintGiven, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule

LINE = parse_cards("7H 2C")
RED: list[Evidence] = [Verdict(LINE, card, legal=card.is_red) for card in CARDS[::3]]


def test_is_a_learner() -> None:
    assert isinstance(TreeLearner(), Learner)


@pytest.mark.parametrize("evidence", [[], RED[:1], RED], ids=["nothing", "one verdict", "red"])
@pytest.mark.parametrize("length", [0, 1, 2, 5])
def test_predictions_are_chances(evidence: list[Evidence], length: int) -> None:
    learner = TreeLearner()
    learner.observe(evidence)
    found = learner.predict(CARDS[:length])
    assert found.shape == (52,)
    assert found.dtype == np.float64
    assert ((found > 0) & (found < 1)).all()


def test_learns_what_tells_legal_cards_apart() -> None:
    learner = TreeLearner()
    learner.observe(RED)
    found = learner.predict(LINE)
    assert all((found[card] > 0.5) == card.is_red for card in CARDS)
    assert "red" in str(learner.explain()[0][0]) or "same color" in str(learner.explain()[0][0])


def test_learns_relations() -> None:
    rule = Rule.parse("card.suit == last.suit")
    learner = TreeLearner()
    learner.observe(Verdict((last,), card, rule.allows((last,), card)) for last in CARDS[::6] for card in CARDS[::5])
    found = learner.predict((Card.parse("QS"),))
    assert all((found[card] > 0.5) == (card.suit.name == "S") for card in CARDS)


def test_evidence_in_pieces_is_evidence_at_once() -> None:
    whole, pieces = TreeLearner(), TreeLearner()
    whole.observe(RED)
    for item in RED:
        pieces.observe([item])
        pieces.predict(LINE)
    np.testing.assert_array_equal(whole.predict(LINE), pieces.predict(LINE))


def test_a_card_of_a_rejected_string_weighs_less_than_a_rejected_card() -> None:
    sevens = parse_cards("7C 7D 7S")
    alone, string = TreeLearner(), TreeLearner()
    for learner in (alone, string):
        learner.observe(RED)
    alone.observe([Verdict(LINE, Card.parse("QD"), legal=False)])
    string.observe([SomeIllegal(((LINE, Card.parse("QD")), *((LINE, card) for card in sevens)))])
    assert alone.predict(LINE)[Card.parse("QD")] < string.predict(LINE)[Card.parse("QD")]


def test_some_legal_card_makes_its_hand_likelier() -> None:
    learner = TreeLearner()
    learner.observe([Verdict(LINE, Card.parse("9S"), legal=False), SomeLegal(LINE, parse_cards("2D 3D"))])
    found = learner.predict(LINE)
    assert found[Card.parse("2D")] > found[Card.parse("9S")]


def test_hints_and_starters_say_nothing() -> None:
    learner = TreeLearner()
    learner.observe([HintGiven(Hint.parse("no ranks")), Verdict((), Card.parse("7H"), legal=True)])
    np.testing.assert_array_equal(learner.predict(LINE), np.full(52, 0.5))


def test_has_no_rules() -> None:
    TreeLearner().sample(3)
    assert "0.50" in str(TreeLearner().explain()[0][0])
