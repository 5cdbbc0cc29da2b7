"""game.md §1, the rows from prophet to a wrong no play: the prophet's terms, and expulsion."""

from __future__ import annotations

import pytest

from eleusis_ai.rules.language import Rule
from tests.rulebook.table import (
    MANY,
    RED,
    act,
    asked,
    at_once,
    deal,
    hand,
    lay,
    per_profile,
    play,
    prophet_profiles,
    stock,
)

TWO_BACK = Rule.parse("card.color == mainline[-2].color", starter=RED)

# Prophet.


@per_profile(abbott="seat 1: after turn", howell="seat 1: after turn", no_prophet="seat 2: play")
def test_1_prophet(profile: str, expected: str) -> None:
    table = deal(profile, RED, "2H 3H 4H")
    play(table, "1: 2H")
    assert asked(table) == expected


def test_no_prophet_1_nobody_is_ever_asked_to_become_prophet() -> None:
    table = deal("no-prophet", RED, *[MANY] * 3)
    for move in ["KH", "3S", "KH KH KH KH", "3S 3S", "no play"] * 2:
        before = table.turn
        act(table, move)
        if move == "no play":
            play(table, "0: pick KH")
        assert asked(table) == f"seat {before % 3 + 1}: play"


def test_late_prophet_1_prophet_once_the_mainline_has_twenty_cards() -> None:
    table = deal("late-prophet", RED, *[MANY] * 3)
    for length in range(2, 20):
        lay(table, 1)
        assert (len(table.layout.mainline), asked(table)) == (length, f"seat {table.turn}: play")
    lay(table, 1)
    assert (len(table.layout.mainline), asked(table)) == (20, "seat 1: after turn")


def test_late_prophet_1_rejected_cards_do_not_count_towards_the_twenty() -> None:
    table = deal("late-prophet", RED, *[MANY] * 3)
    lay(table, 18)
    act(table, "3S 3S")
    assert (len(table.layout.mainline), asked(table)) == (19, f"seat {table.turn}: play")


# Scientists left, besides dealer and prophet, to declare.


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_1_two_scientists_not_expelled_must_be_left_to_declare(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    gone = act(table, "3S")
    assert table.expelled == (gone,)
    actor = act(table, "KH")
    assert asked(table) == f"seat {actor}: after turn"
    act(table, "3S")
    assert len(table.expelled) == 2
    act(table, "KH")
    assert asked(table) == f"seat {table.turn}: play"


def test_howell_1_at_four_seats_one_expelled_leaves_too_few() -> None:
    table = deal("howell", RED, *[MANY] * 3, seats=4)
    lay(table, 28)
    assert asked(table).endswith("after turn")
    lay(table, 1)
    act(table, "3S")
    act(table, "KH")
    assert asked(table).endswith("play")


@pytest.mark.parametrize(("seats", "question"), [(4, "seat 1: play"), (5, "seat 2: after turn")])
def test_late_prophet_1_two_scientists_not_expelled_must_be_left_to_declare(seats: int, question: str) -> None:
    table = deal(at_once("late-prophet"), RED, *[MANY] * (seats - 1))
    play(table, "1: KH", "1: prophet")
    lay(table, 20)
    act(table, "3S", "wrong")
    assert table.expelled == (seats - 1,)
    assert act(table, "KH", "wrong") == 2
    assert asked(table) == question


# Prophet's error costs.


@prophet_profiles
def test_1_prophets_error_costs_five_cards(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", stock="2C 3C 4C 5C 6C 8C")
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong")
    assert (hand(table, 1), stock(table)) == ("3H 4H 2C 3C 4C 5C 6C", "8C")


@prophet_profiles
def test_1_prophets_error_sends_him_back_to_the_scientists(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong", "3: KH", "4: KH", "1: 3H")
    assert table.prophet is None
    assert str(table.layout) == "7H 2H KH KH KH 3H"


@prophet_profiles
def test_1_no_second_term(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong", "3: KH", "4: KH", "1: 3H")
    assert asked(table) == "seat 2: play"


@prophet_profiles
def test_1_another_may_try(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong", "3: KH", "3: prophet")
    assert table.prophet == 3


# The marker lies on.


@prophet_profiles
def test_1_marker_after_a_right_string_lies_on_its_last_card(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H")
    play(table, "1: 2H 3H", "1: prophet")
    assert str(table.marker) == "2"


@per_profile(abbott="1.1", howell="1", late_prophet="1")
def test_1_marker_after_a_wrong_attempt(profile: str, expected: str) -> None:
    table = deal(at_once(profile), RED, *["3S 2H 4H 5H"] * 4)
    play(table, "1: 2H", "2: 3S", "3: 3S", "3: prophet")
    assert str(table.layout) == "7H 2H(3S, 3S)"
    assert str(table.marker) == expected


@prophet_profiles
def test_1_marker_after_a_right_no_play_lies_on_the_last_accepted_card(profile: str) -> None:
    table = deal(at_once(profile), RED, "4S 5S 6S 8S 9S", "", "", "3S 3S 3S 3S 3S", seats=5, first=4)
    play(table, "4: 3S", "1: no play", "1: prophet")
    assert str(table.layout).startswith("7H(3S)")
    assert str(table.marker) == "0"


@per_profile(abbott="1", howell="1", late_prophet="0")
def test_1_marker_after_a_wrong_no_play_lies_on_the_last_accepted_card(profile: str, expected: str) -> None:
    table = deal(at_once(profile), RED, "3S 4S 5S 6S 8H")
    play(table, "1: no play", "0: pick 8H", "1: prophet")
    assert str(table.marker) == expected


def test_abbott_1_marker_after_a_no_play_lies_not_on_an_earlier_card_of_his() -> None:
    table = deal("abbott", RED, "3S 4S 5S 6S 8S 9S 10S", stock="2C 3C " + "KC " * 20)
    play(table, "1: 3S", "2: KH", "3: KH", "4: KH", "1: no play", "1: prophet")
    assert table.marker is not None
    assert (str(table.layout).split("[")[0], str(table.marker)) == ("7H(3S) KH KH KH", "3")


# Expulsion in force without a prophet, from.


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_1_expulsion_without_a_prophet_from(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, expected - 1)
    act(table, "KH")
    assert (table.expelled, len(table.layout.mainline)) == ((), 1 + expected)
    seat = act(table, "3S")
    assert table.expelled == (seat,)


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_1_no_expulsion_without_a_prophet_one_card_before(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, expected - 1)
    act(table, "3S")
    assert table.expelled == ()


@per_profile(abbott=40, howell=28)
def test_1_starters_counted_towards_expulsion(profile: str, expected: int) -> None:
    danger = []
    for laid in (expected - 1, expected):
        table = deal(profile, TWO_BACK, *[MANY] * 4, starter="7H 8D", seats=5)
        lay(table, laid)
        act(table, "3S")
        assert str(table.layout).startswith("7H 8D KH")
        danger.append(table.expelled != ())
    assert danger == [False, True]


def test_late_prophet_1_never_expels_without_a_prophet() -> None:
    table = deal("late-prophet", RED, *[MANY] * 4, seats=5)
    lay(table, 80)
    act(table, "3S")
    assert table.expelled == ()


# Expulsion in force with a prophet, from.


@per_profile(abbott=30, howell=20, late_prophet=20)
def test_1_expulsion_with_a_prophet_from(profile: str, expected: int) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, expected - 1)
    act(table, "KH")
    assert table.public().since_declaration == expected
    seat = act(table, "3S", "wrong")
    assert table.expelled == (seat,)


@per_profile(abbott=30, howell=20, late_prophet=20)
def test_1_no_expulsion_with_a_prophet_one_card_before(profile: str, expected: int) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, expected - 1)
    act(table, "3S", "wrong")
    assert table.expelled == ()


# A wrong no play expels too.


@per_profile(abbott=False, howell=True, no_prophet=True)
def test_1_a_wrong_no_play_expels_too(profile: str, expected: bool) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    seat = act(table, "no play")
    play(table, "0: pick KH")
    assert table.danger
    assert (seat in table.expelled) == expected


@per_profile(abbott=False, howell=True, late_prophet=True)
def test_1_a_wrong_no_play_expels_too_with_a_prophet(profile: str, expected: bool) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, 30)
    seat = act(table, "no play", "wrong KH")
    assert table.danger
    assert (seat in table.expelled) == expected


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
def test_1_a_wrong_string_expels(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    seat = act(table, "3S 3S")
    assert table.expelled == (seat,)


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
def test_1_a_right_action_never_expels(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 48)
    assert table.danger
    assert table.expelled == ()
