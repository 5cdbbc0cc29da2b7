"""Estimates of how hard a rule is: a player who knows it needs few cards, one who does not never ends."""

from __future__ import annotations

import math

import pytest

from eleusis_ai.bench.estimate import cards_to_identify
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.rules.language import Rule


@pytest.mark.parametrize(
    ("text", "known", "cards"),
    [
        ("card.color != last.color", "card.color != last.color", 1),
        ("card.color != last.color", "card.is_red != last.is_red", 1),
        ("card.color != last.color", "card.is_red", math.inf),
        ("card.is_red or len(rejected) > 3", "card.is_red or len(rejected) > 3", math.inf),
        ("False", "False", math.inf),
    ],
)
def test_a_learner_that_knows_one_rule(text: str, known: str, cards: float) -> None:
    learner = LearnerSpec("tests.bench.learners:Knowing", {"rules": (known,)})
    assert cards_to_identify(Rule.parse(text), learner) == cards
