from __future__ import annotations

import pytest

from eleusis_agents.forecast import Forecast
from eleusis_ai.cards import cards_text, parse_cards
from tests.agents.stand_ins import Believer, Guesser

LINE = parse_cards("7H")
ALTERNATE, SAME = "card.color != last.color", "card.color == last.color"


def test_cards_are_the_learner_s_word() -> None:
    forecast = Forecast(Guesser({"8D": 0.3}), LINE)
    assert forecast.cards[parse_cards("8D")[0]] == 0.3


@pytest.mark.parametrize(
    ("learner", "cards", "prefixes"),
    [
        (Believer(ALTERNATE), "8C", [1, 1]),
        (Believer(ALTERNATE), "8C 9D", [1, 1, 1]),
        (Believer(ALTERNATE), "8C 9C 9D", [1, 1, 0, 0]),
        (Believer(ALTERNATE, SAME), "8C 9D", [1, 0.5, 0.5]),
        (Believer(ALTERNATE, SAME, samples=False), "8C 9D", [1, 0.5, 0.25]),
        (Guesser({"8C": 0.8, "9D": 0.5}), "8C 9D", [1, 0.8, 0.4]),
    ],
    ids=["card", "string", "string with a wrong card", "rules go together", "independent", "guess"],
)
def test_prefixes(learner: Believer | Guesser, cards: str, prefixes: list[float]) -> None:
    assert Forecast(learner, LINE).prefixes(parse_cards(cards)) == pytest.approx(prefixes)


@pytest.mark.parametrize(
    ("learner", "hand", "chance"),
    [
        (Believer(ALTERNATE), "8D 9H", 1),
        (Believer(ALTERNATE), "8D 9C", 0),
        (Believer(ALTERNATE, SAME), "8D 9C", 0),
        (Believer(ALTERNATE, SAME), "8D 9D", 0.5),
        (Guesser({"8D": 0.5, "9D": 0.5}), "8D 9D 9D", 0.25),
    ],
    ids=["none", "one", "one by either rule", "one by one rule", "guess"],
)
def test_none_legal(learner: Believer | Guesser, hand: str, chance: float) -> None:
    assert Forecast(learner, LINE).none_legal(parse_cards(hand)) == pytest.approx(chance)


@pytest.mark.parametrize("samples", [True, False])
def test_strings_find_the_way_through_a_hand(samples: bool) -> None:
    found = dict(
        Forecast(Believer(ALTERNATE, samples=samples), LINE).strings(
            parse_cards("8C 9C 2D 3H 4S"), 5, beam=6, least=0.6
        )
    )
    assert found[parse_cards("8C 2D 9C 3H 4S")] == 1
    assert all(chance == 1 for chance in found.values())


def test_strings_are_no_longer_than_asked_and_hold_no_card_twice() -> None:
    hand = parse_cards("8C 8C 2D")
    found = [cards for cards, _ in Forecast(Guesser({}, other=1.0), LINE).strings(hand, 2, beam=20, least=0.6)]
    assert sorted(map(cards_text, found)) == ["2D 8C", "8C 2D", "8C 8C"]


def test_strings_that_are_unlikely_are_not_looked_for() -> None:
    assert not list(Forecast(Guesser({}, other=0.7), LINE).strings(parse_cards("8C 2D 3D"), 3, beam=6, least=0.6))


@pytest.mark.parametrize(
    ("learner", "calls", "chance"),
    [
        (Believer(ALTERNATE), 20, 1),
        (Believer(ALTERNATE, ALTERNATE, ALTERNATE, SAME), 20, 0.75),
        (Guesser({}, other=0.9), 2, 0.81),
        (Guesser({}, other=0.1), 2, 0.81),
    ],
    ids=["sure", "three of four", "likely", "unlikely"],
)
def test_foresight(learner: Believer | Guesser, calls: int, chance: float) -> None:
    assert Forecast(learner, LINE).foresight(calls) == pytest.approx(chance)
