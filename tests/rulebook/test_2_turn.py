"""game.md §2, steps 1 and 2: the seat to play, whether expulsion is in force, and what the seat proposes."""

from __future__ import annotations

from eleusis_ai.moves import Attempt
from tests.rulebook.table import (
    ALTERNATE,
    MANY,
    RED,
    SPARE,
    act,
    asked,
    at_once,
    deal,
    hand,
    lay,
    per_profile,
    play,
    profiles,
    prophet_profiles,
    refuses,
    wrong_string,
)

# 1. The seat to play, and whether expulsion is in force.


@profiles
def test_2_1_next_to_play_is_the_next_scientist_to_the_left(profile: str) -> None:
    table = deal(profile, RED, seats=5, dealer=2, first=4)
    assert [act(table, "KH") for _ in range(6)] == [4, 0, 1, 3, 4, 0]


def test_2_1_next_to_play_is_not_expelled() -> None:
    table = deal("no-prophet", RED, *[MANY] * 4)
    lay(table, 32)
    assert act(table, "3S") == 1
    assert [act(table, "KH") for _ in range(4)] == [2, 3, 4, 2]


@prophet_profiles
def test_2_1_next_to_play_is_not_the_prophet(profile: str) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, first=2)
    play(table, "2: KH", "2: prophet")
    assert [act(table, "KH") for _ in range(4)] == [3, 4, 1, 3]


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_2_1_expulsion_is_fixed_before_the_seat_acts(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, expected - 1)
    act(table, "3S 3S 3S 3S")
    assert not table.expelled
    seat = act(table, "3S")
    assert table.expelled == (seat,)


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_2_1_cards_played_are_rejected_ones_too(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    act(table, "3S 3S 3S")
    lay(table, expected - 4)
    act(table, "KH")
    act(table, "3S")
    assert len(table.expelled) == 1


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_2_1_cards_played_are_those_laid_by_a_judge_from_a_shown_hand_too(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    act(table, "no play")
    play(table, "0: pick KH")
    lay(table, expected - 2)
    act(table, "KH")
    act(table, "3S")
    assert len(table.expelled) == 1


@per_profile(abbott=30, howell=20)
def test_2_1_a_judges_card_counts_since_a_declaration_too(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    act(table, "no play", "wrong KH")
    lay(table, expected - 1)
    act(table, "3S", "wrong")
    assert len(table.expelled) == 1


@per_profile(abbott=40, howell=29, no_prophet=30)
def test_2_1_cards_played_are_never_those_of_shown_hands(profile: str, expected: int) -> None:
    hands = ["4S " * 30] + ["3S " * 5 + "KH " * 25] * 3
    table = deal(profile, RED, *hands, seats=5, stock="3S " + "KH " * 25 + SPARE)
    play(table, "1: no play")
    lay(table, expected - 1)
    act(table, "3S")
    assert table.expelled == ()
    act(table, "KH")
    act(table, "3S")
    assert len(table.expelled) == 1


@per_profile(abbott=1, howell=2, no_prophet=1, late_prophet=1)
def test_2_1_starters_count_only_where_the_profile_says(profile: str, expected: int) -> None:
    table = deal(profile, RED)
    play(table, "1: KH")
    assert table.public().played == expected


def test_late_prophet_2_1_a_card_pointed_out_is_not_laid() -> None:
    table = deal(at_once("late-prophet"), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    act(table, "no play", "wrong KH")
    lay(table, 19)
    act(table, "3S", "wrong")
    assert table.expelled == ()


@per_profile(abbott=8, howell=5, late_prophet=5)
def test_2_1_with_a_prophet_cards_count_wherever_they_lie(profile: str, expected: int) -> None:
    table = deal(at_once(profile), RED, *["3S " * 40] * 4, stock=SPARE * 2, first=4, seats=5)
    play(table, "4: 3S", "1: 3S", "1: prophet")
    for _ in range(expected):
        act(table, "3S 3S 3S 3S", wrong_string(profile))
    assert (len(table.layout.mainline), table.expelled) == (1, ())
    act(table, "3S 3S 3S 3S", wrong_string(profile))
    assert len(table.expelled) == 1


@per_profile(abbott=30, howell=20)
def test_2_1_becoming_prophet_starts_the_second_count_anew(profile: str, expected: int) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    act(table, "KH")
    play(table, f"{table.turn}: prophet")
    act(table, "3S", "wrong")
    assert table.expelled == ()
    lay(table, expected - 1)
    act(table, "3S", "wrong")
    assert len(table.expelled) == 1


@prophet_profiles
def test_2_1_a_second_prophet_starts_it_anew_too(profile: str) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, 29)
    exposing = act(table, "KH", "wrong")
    play(table, f"{exposing}: prophet")
    act(table, "3S", "wrong")
    assert table.expelled == ()


@per_profile(abbott=True, howell=True, late_prophet=False)
def test_2_1_after_an_overthrow_the_first_count_applies_again_from_the_next_turn(
    profile: str, expected: bool
) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    act(table, "KH")
    play(table, f"{table.turn}: prophet")
    act(table, "KH", "wrong")
    act(table, "3S")
    assert (len(table.expelled) == 1) == expected


@prophet_profiles
def test_2_1_after_an_overthrow_cards_since_the_declaration_count_no_more(profile: str) -> None:
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, 20)
    act(table, "KH", "wrong")
    act(table, "3S")
    assert table.expelled == ()


# 2. The seat proposes an attempt, or declares no play.


@profiles
def test_2_2_an_attempt_is_of_cards_the_seat_holds(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 3H")
    assert refuses(table, "4H")
    assert refuses(table, "2H 2H")
    assert refuses(table, "3H 3H 3H")
    assert not refuses(table, "3H 3H")


@profiles
def test_2_2_an_attempt_has_at_least_one_card(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H")
    assert Attempt(()) not in table.legal_moves()
    assert Attempt(table.hands[1][:1]) in table.legal_moves()


@profiles
def test_2_2_an_attempt_is_in_order(profile: str) -> None:
    table = deal(profile, ALTERNATE, "2H 3S 4H 5S 6H")
    play(table, "1: 5S 4H 3S")
    assert str(table.layout) == "7H 5S 4H 3S"


@prophet_profiles
def test_2_2_cards_leave_the_hand_at_once(profile: str) -> None:
    table = deal(at_once(profile), RED, "KH KH KH", "2H 3H 4H", seats=5)
    play(table, "1: KH", "1: prophet", "2: 2H 4H")
    assert asked(table) == "seat 1: call"
    assert hand(table, 2) == "3H"
    assert table.view(3).public.hand_sizes[2] == 1


@profiles
def test_2_2_declaring_no_play_shows_the_hand(profile: str) -> None:
    table = deal(profile, RED, "2S 3S 4H")
    play(table, "1: no play")
    assert "seat 1 declares no play, showing 2S 3S 4H" in map(str, table.view(2).events)
