"""The player of the solo protocol: its card, its rule, and when it states."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from eleusis_ai.bench.scientist import Scientist, entropy, most_telling
from eleusis_ai.cards import Card, parse_cards
from tests.agents.stand_ins import Believer, Guesser

HAND = parse_cards("2H 3C 4S 9D")


def seated(*rules: str, threshold: float = 0.4) -> Scientist:
    return Scientist(Believer(*rules), parse_cards("7H"), threshold=threshold, samples=60)


@pytest.mark.parametrize(("chance", "bits"), [(0.0, 0.0), (0.5, 1.0), (1.0, 0.0), (0.25, 0.811278)])
def test_entropy(chance: float, bits: float) -> None:
    assert float(entropy(chance)) == pytest.approx(bits, abs=1e-6)


def test_it_plays_the_card_it_is_least_sure_of() -> None:
    chances = np.zeros(52)
    chances[Card.parse("4S")], chances[Card.parse("9D")] = 0.9, 0.4
    assert str(most_telling(chances, HAND)) == "9D"


def test_of_cards_equally_in_doubt_it_plays_the_likelier_to_be_legal() -> None:
    chances = np.zeros(52)
    assert str(most_telling(chances, HAND)) == "2H"
    chances[Card.parse("9D")] = 1.0
    assert str(most_telling(chances, HAND)) == "9D"


@pytest.mark.parametrize(
    ("rules", "threshold", "state"),
    [
        (["card.is_red"], 0.4, True),
        (["card.is_red", "card.is_odd"], 0.4, True),
        (["card.is_red", "card.is_odd"], 0.6, False),
        (["card.is_red", "card.is_odd", "card.rank > 6"], 0.3, True),
        (["card.is_red", "card.is_odd", "card.rank > 6"], 0.4, False),
    ],
)
def test_it_states_from_the_threshold_on(rules: list[str], threshold: float, state: bool) -> None:
    commitment = seated(*rules, threshold=threshold).commit(HAND)
    assert commitment.state == state
    assert commitment.confidence == round(10 / len(rules))


def test_near_the_end_there_is_nothing_to_wait_for() -> None:
    """With 3 points to win, a rule that would be known in two turns more is worth nothing then."""
    scientist = seated("card.is_red", "card.is_odd", "card.rank > 6", "card.rank > 5", "card.rank > 4")
    for turn in range(1, 29):
        commitment = scientist.commit(HAND)
        assert commitment.state == (turn == 28)
        scientist.learn(msgspec.structs.replace(commitment, state=False), legal=False)


def test_what_was_wrong_once_is_not_stated_again() -> None:
    """The second rule says the same as the first after a heart, so one wrong statement refutes both."""
    scientist = seated("card.is_red", "card.suit in {D, H}", "card.is_odd")
    first = scientist.commit(HAND)
    assert (first.state, str(first.tentative)) == (True, "card.is_red")
    scientist.learn(first, legal=False)
    second = scientist.commit(HAND)
    assert str(second.tentative) == "card.is_odd"
    assert second.confidence == 10


def test_once_no_points_are_left_nothing_is_stated() -> None:
    scientist = seated("card.is_red")
    for turn in range(1, 21):
        commitment = scientist.commit(HAND)
        assert commitment.state == (turn == 1)
        scientist.learn(commitment, legal=False)
    assert scientist.commit(HAND).tentative is None, "its only rule was wrong"


def test_a_learner_without_rules_plays_and_is_silent() -> None:
    scientist = Scientist(Guesser({"3C": 0.5}), parse_cards("7H"), threshold=0.4, samples=60)
    commitment = scientist.commit(HAND)
    assert (str(commitment.card), commitment.tentative, commitment.state) == ("3C", None, False)
