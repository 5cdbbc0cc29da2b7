"""game.md §2, step 8 and the paragraphs below: the end, legally empty hands, and the order of cards."""

from __future__ import annotations

from collections import Counter

import pytest

from eleusis_ai.cards import Card
from eleusis_ai.match import play_round
from eleusis_ai.moves import Move, NoPlay, Pass
from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View
from tests.rulebook.table import (
    MANY,
    RED,
    WHOLE,
    act,
    asked,
    at_once,
    deal,
    hand,
    hint_for,
    house,
    lay,
    play,
    profiles,
    prophet_profiles,
    refuses,
    stock,
    wrong_string,
)

# 8. The end is looked for once the whole action is done.


@prophet_profiles
def test_2_8_the_end_is_looked_for_after_an_overthrow_and_its_five_cards(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H", "3H 4H", seats=5, stock="2C 3C 4C 5C 6C 8C 9C")
    play(table, "1: 2H", "1: prophet", "2: 3H 4H", f"1: {wrong_string(profile)}")
    assert table.end_reason is not None
    assert str(table.end_reason) == "emptied"
    assert hand(table, 1) == "3H 2C 3C 4C 5C 6C"
    assert table.scores()[2] == 6 + 4


@prophet_profiles
def test_2_8_the_five_cards_of_an_overthrow_may_end_the_round(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H", "3H 4H", seats=5, stock="2C 3C 4C 5C")
    play(table, "1: 2H", "1: prophet", "2: 3H", "1: wrong")
    assert (str(table.end_reason), hand(table, 1)) == ("stock", "3H 2C 3C 4C 5C")


@profiles
def test_2_8_ends_as_soon_as_a_scientists_hand_is_legally_empty(profile: str) -> None:
    table = deal(profile, RED, "2H 3H", seats=5)
    happened = play(table, "1: 2H 3H")
    assert asked(table) == "over"
    assert "round ends: emptied" in happened


@prophet_profiles
def test_2_8_ends_as_soon_as_every_scientist_other_than_the_prophet_is_expelled(profile: str) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, 30)
    for _ in range(2):
        act(table, "3S", "wrong")
        assert not table.over
    act(table, "3S", "wrong")
    assert (str(table.end_reason), table.prophet) == ("expelled", 1)


@pytest.mark.parametrize("profile", WHOLE)
def test_2_8_ends_as_soon_as_every_scientist_is_expelled_where_there_is_no_prophet(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    for _ in range(3):
        act(table, "3S")
        assert not table.over
    act(table, "3S")
    assert str(table.end_reason) == "expelled"


def test_late_prophet_2_8_ends_as_soon_as_the_stock_is_empty() -> None:
    table = deal("late-prophet", RED, "3S 4H 5H", seats=5, stock="2C 3C")
    play(table, "1: 3S")
    assert str(table.end_reason) == "stock"


def test_howell_2_8_ends_when_the_stock_could_not_cover_a_draw() -> None:
    table = deal("howell", RED, "3S 4H 5H", "3S 4H 5H", seats=5, stock="2C 3C 4C")
    play(table, "1: 3S")
    assert not table.over
    play(table, "2: 3S")
    assert (str(table.end_reason), hand(table, 2)) == ("stock", "4H 5H 4C")


def test_howell_2_8_an_empty_stock_alone_does_not_end_the_round() -> None:
    table = deal("howell", RED, "3S 4H 5H", "3S 4H 5H", seats=5, stock="2C 3C")
    play(table, "1: 3S", "2: 4H", "3: KH", "4: KH")
    assert (stock(table), asked(table)) == ("", "seat 4: after turn")
    play(table, "1: 4H", "2: 3S")
    assert (str(table.end_reason), hand(table, 2)) == ("stock", "5H")


@prophet_profiles
def test_2_8_where_ends_meet_emptied_comes_before_stock(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H", "3H 4H", seats=5, stock="2C 3C")
    play(table, "1: 2H", "1: prophet", "2: 3H 4H", f"1: {wrong_string(profile)}")
    assert str(table.end_reason) == "emptied"
    assert table.scores()[2] == 3 + 4


@pytest.mark.parametrize("profile", WHOLE)
def test_2_8_where_ends_meet_stock_comes_before_expelled(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5, stock="2C " * 7)
    lay(table, 40)
    for _ in range(4):
        act(table, "3S")
    assert (str(table.end_reason), len(table.expelled)) == ("stock", 4)


# Legally empty.


@profiles
def test_2_legally_empty_by_a_right_attempt(profile: str) -> None:
    table = deal(profile, RED, "2H", seats=5)
    play(table, "1: 2H")
    assert (str(table.end_reason), table.emptied) == ("emptied", 1)


@profiles
def test_2_legally_empty_by_a_right_no_play(profile: str) -> None:
    table = deal(profile, RED, "2S 3S", seats=5)
    play(table, "1: no play")
    assert (str(table.end_reason), table.emptied) == ("emptied", 1)
    assert table.scores()[1] == 2 + 4


@prophet_profiles
def test_2_legally_empty_by_an_attempt_whose_penalty_an_overthrow_waived(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H", "3S 4S", seats=5)
    play(table, "1: 2H", "1: prophet", "2: 3S 4S", "1: right")
    assert (str(table.end_reason), table.emptied) == ("emptied", 2)
    assert table.scores()[2] == 6 + 4


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_2_legally_empty_by_a_last_card_the_dealer_plays_without_a_penalty(profile: str) -> None:
    """Decided, as for an attempt: nothing is owed, and the seat cannot act."""
    table = deal(at_once(profile), RED, "2H 3H", "5H 4H", seats=5, first=2)
    play(table, "2: 5H", "3: KH", "4: KH", "1: 2H", "1: prophet", "2: no play", "1: right", "0: pick 4H")
    assert (str(table.end_reason), table.emptied) == ("emptied", 2)
    assert table.layout.mainline[-1] == Card.parse("4H")


@profiles
def test_2_not_empty_by_a_wrong_attempt(profile: str) -> None:
    table = deal(profile, RED, "3S 4S", seats=5)
    play(table, "1: 3S 4S")
    assert (len(table.hands[1]), table.over) == (4, False)


def test_howell_2_a_seat_whose_own_draw_fell_short_is_not_emptied() -> None:
    table = deal("howell", RED, "3S", "3S", seats=4, stock="2C 3C")
    play(table, "1: 3S", "2: 3S")
    assert (hand(table, 2), str(table.end_reason), table.emptied) == ("", "stock", None)
    assert table.scores()[2] == 2


def test_abbott_2_a_seat_whose_new_hand_fell_short_is_not_emptied() -> None:
    hands = ["3S 4H 5H 6H 8H", "3S 4S 5S 6S 8S"]
    table = deal("abbott", RED, *hands, seats=5, stock="2C 3C")
    play(table, "1: 3S", "2: no play")
    assert (hand(table, 2), str(table.end_reason), table.emptied) == ("", "stock", None)
    assert table.scores()[2] == 6


@prophet_profiles
def test_2_a_prophets_laid_aside_hand_is_never_legally_empty(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet")
    # No play leaves a prophet without cards, so they are taken away.
    table._hands[1] = ()
    play(table, "2: KH", "1: right")
    assert (table.emptied, asked(table)) == (None, "seat 3: play")


# The order of cards.


@profiles
def test_2_hands_keep_the_order_of_arrival(profile: str) -> None:
    table = deal(profile, RED, "9H 3S 5H 2H", seats=5, stock="JC 4C " + "KC " * 9)
    assert hand(table, 1) == "9H 3S 5H 2H"
    play(table, "1: 3S")
    assert hand(table, 1) == "9H 5H 2H JC 4C"


@profiles
def test_2_of_equal_cards_the_earlier_leaves_first(profile: str) -> None:
    table = deal(profile, RED, "3H 9H 3H 5H 3H", seats=5)
    play(table, "1: 3H 3H")
    assert hand(table, 1) == "9H 5H 3H"


@pytest.mark.parametrize("profile", WHOLE)
def test_2_of_equal_cards_the_judge_plays_the_earlier(profile: str) -> None:
    table = deal(profile, RED, "3H 9S 3H 5S", seats=5)
    play(table, "1: no play", "0: pick 3H")
    assert hand(table, 1).startswith("9S 3H 5S")


@pytest.mark.parametrize("profile", ["howell", "no-prophet"])
def test_2_cards_go_under_the_stock_in_the_order_of_the_hand(profile: str) -> None:
    table = deal(profile, RED, "9S 3S 5S 2S 4S 9S", seats=5, stock="2C 3C 4C")
    play(table, "1: no play")
    assert stock(table) == "4C 9S 3S 5S 2S 4S 9S"


@pytest.mark.parametrize("profile", ["howell", "no-prophet"])
def test_2_cards_go_under_the_stock_before_the_new_hand_is_drawn(profile: str) -> None:
    table = deal(profile, RED, "9S 3S 5S 2S 4S 6S 8S", seats=5, stock="2C")
    play(table, "1: no play")
    assert (hand(table, 1), stock(table)) == ("2C 9S 3S", "5S 2S 4S 6S 8S")
    assert not table.over


@pytest.mark.parametrize("profile", ["abbott", "late-prophet"])
def test_2_a_shown_hand_that_does_not_go_under_the_stock_cannot_be_drawn(profile: str) -> None:
    table = deal(profile, RED, "9S 3S 5S 2S 4S 6S 8S", seats=5, stock="2C")
    play(table, "1: no play")
    assert (hand(table, 1), str(table.end_reason)) == ("2C", "stock")


def test_howell_2_unfit_starters_go_under_the_stock_in_the_order_turned() -> None:
    table = deal("howell", RED, starter="", stock="9S 3C 4S 7H 5C")
    assert stock(table) == "5C 9S 3C 4S"


@profiles
def test_2_draws_come_from_the_front_of_the_stock_one_after_the_other(profile: str) -> None:
    table = deal(profile, RED, "3S 4H 5H", "3S 4S 5H", seats=5, stock="2C 3C 4C 5C 6C 8C 9C")
    play(table, "1: 3S", "2: 3S 4S")
    assert (hand(table, 1), hand(table, 2)) == ("4H 5H 2C 3C", "5H 4C 5C 6C 8C")


# The judge's choice.


@profiles
def test_2_which_legal_card_is_played_is_the_judges_choice(profile: str) -> None:
    table = deal(profile, RED, "3S 4H 5H 4H", seats=5)
    play(table, "1: no play")
    assert asked(table) == "seat 0: pick"
    assert [str(move) for move in table.legal_moves()] == ["pick 4H", "pick 5H"]
    assert refuses(table, "pick 3S")
    assert refuses(table, "pick KH")


class NoPlays:
    """An agent that always declares no play."""

    def act(self, view: View) -> Move:
        if asked_to_play(view):
            return NoPlay()
        return Pass()


def asked_to_play(view: View) -> bool:
    return view.decision is not None and view.decision.kind.value == "play"


@profiles
def test_2_the_default_judge_picks_uniformly_with_the_rounds_generator(profile: str) -> None:
    terms = house(profile, hand_size=5, max_seats=5, packs=1, reserve_packs=0)
    rule = Rule.parse("card.is_red")
    deck = [Card.parse(text) for text in ["2H", "2S", "3H", "3S", "4H"] + ["KC"] * 15 + ["7H"] + ["KC"] * 4]
    agents = [None, *[NoPlays() for _ in range(4)]]

    def picked(seed: int) -> str:
        record = play_round(
            terms, rule, agents, dealer=0, seed=seed, deck=deck, first=1, hint=hint_for(PROFILES[profile], rule)
        )
        return next(move for move in record.moves if move.startswith("pick"))

    picks = Counter(picked(seed) for seed in range(300))
    assert set(picks) == {"pick 2H", "pick 3H", "pick 4H"}
    assert min(picks.values()) > 70
    assert picked(7) == picked(7)
