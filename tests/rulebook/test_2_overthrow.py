"""game.md §2, steps 6 and 7: a prophet's error, and becoming prophet."""

from __future__ import annotations

import pytest

from eleusis_ai.cards import Card
from eleusis_ai.evidence import Verdict, evidence
from eleusis_ai.round import Round
from tests.rulebook.table import (
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
    prophet_profiles,
    refuses,
    stock,
    wrong_string,
)

FIRST_HAND = "2H 3H 4H 5H 6H 8H 9H 10H"


def under_a_prophet(profile: str, second: str, *, stock: str = SPARE) -> Round:
    """Deal a round of five in which seat 1 has become prophet, after 2H, and seat 2 is to play from ``second``."""
    table = deal(at_once(profile), RED, FIRST_HAND, second, seats=5, stock=stock)
    play(table, "1: 2H", "1: prophet")
    return table


def in_danger(profile: str) -> Round:
    """Deal a round of five in which seat 1 is prophet, expulsion is in force and each seat holds 3S and KH."""
    table = deal(at_once(profile), RED, *[MANY] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    lay(table, 32)
    assert table.danger
    return table


# 6. Overthrow: the true outcome is carried out.


@prophet_profiles
@pytest.mark.parametrize(("card", "answer", "line"), [("3H", "wrong", "7H 2H 3H"), ("3S", "right", "7H 2H(3S)")])
def test_2_6_the_true_outcome_of_an_attempt_is_carried_out(profile: str, card: str, answer: str, line: str) -> None:
    table = under_a_prophet(profile, "3H 3S 4S")
    happened = play(table, f"2: {card}", f"1: {answer}")
    assert "prophet seat 1 is overthrown" in happened
    assert str(table.layout) == line


@per_profile(abbott="7H 2H(3H 3S 4H)", howell="7H 2H(3H 3S 4H)", late_prophet="7H 2H 3H(3S 4H)")
def test_2_6_the_true_outcome_of_a_string_is_carried_out(profile: str, expected: str) -> None:
    table = under_a_prophet(profile, "3H 3S 4H 5H")
    play(table, "2: 3H 3S 4H", "1: right")
    assert (table.prophet, str(table.layout)) == (None, expected)


@prophet_profiles
def test_2_6_the_exposing_seat_suffers_no_penalty(profile: str) -> None:
    table = under_a_prophet(profile, "3S 4S 5S 6S")
    play(table, "2: 3S 4S", "1: right")
    assert hand(table, 2) == "5S 6S KH KH KH KH"


def test_late_prophet_2_6_the_exposing_seat_suffers_no_penalty_for_a_wrong_prefix_either() -> None:
    table = under_a_prophet("late-prophet", "3H 4S 5S 6S")
    play(table, "2: 3H 4S 5S", "1: wrong after 2")
    assert str(table.layout) == "7H 2H 3H(4S 5S)"
    assert hand(table, 2) == "6S KH KH KH KH"


@prophet_profiles
def test_2_6_overthrow_waives_penalty_and_expulsion(profile: str) -> None:
    table = in_danger(profile)
    before = len(table.hands[table.turn])
    seat = act(table, "3S 3S", "right")
    assert table.expelled == ()
    assert len(table.hands[seat]) == before - 2
    assert table.prophet is None


@prophet_profiles
def test_2_6_without_an_error_the_same_attempt_is_penalised_and_expelled(profile: str) -> None:
    table = in_danger(profile)
    before = len(table.hands[table.turn])
    seat = act(table, "3S 3S", wrong_string(profile))
    assert table.expelled == (seat,)
    assert len(table.hands[seat]) == before - 2 + 4


# 6. Then the prophet's own lot.


@prophet_profiles
def test_2_6_then_the_marker_goes(profile: str) -> None:
    table = under_a_prophet(profile, "3H 4H")
    assert str(table.marker) == "1"
    play(table, "2: 3H", "1: wrong")
    assert table.marker is None


@prophet_profiles
def test_2_6_then_he_takes_back_the_hand_he_laid_aside_and_draws_five(profile: str) -> None:
    table = under_a_prophet(profile, "3H 4H", stock="2C 3C 4C 5C 6C 8C 9C")
    play(table, "2: 3H", "1: wrong")
    assert hand(table, 1) == "3H 4H 5H 6H 8H 9H 10H 2C 3C 4C 5C 6C"
    assert stock(table) == "8C 9C"


@prophet_profiles
def test_2_6_he_plays_the_hand_he_took_back(profile: str) -> None:
    table = under_a_prophet(profile, "3H 4H")
    play(table, "2: 3H", "1: wrong", "3: KH", "4: KH", "1: 10H")
    assert str(table.layout) == "7H 2H 3H KH KH 10H"


@prophet_profiles
def test_2_6_he_returns_to_his_place_in_the_rotation(profile: str) -> None:
    table = deal(at_once(profile), RED, *["KH " * 9] * 4, seats=5)
    play(
        table, "1: KH", "2: KH", "3: KH", "3: prophet", "4: KH", "3: right", "1: KH", "3: right", "2: KH", "3: wrong"
    )
    assert [act(table, "KH") for _ in range(5)] == [3, 4, 1, 2, 3]


@prophet_profiles
def test_2_6_he_can_never_be_prophet_again_in_this_round(profile: str) -> None:
    table = under_a_prophet(profile, "3H 4H")
    play(table, "2: 3H", "1: wrong")
    for _ in range(2):
        play(table, "3: KH", "4: KH", "1: 3H" if "3H" in hand(table, 1) else "1: 4H")
        assert asked(table) == "seat 2: play"
        play(table, "2: KH")


# 6. For a no play there are three ways to err: right while a legal card exists.


@prophet_profiles
def test_2_6_says_right_while_a_legal_card_exists_the_dealer_is_asked_for_one(profile: str) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: right")
    assert asked(table) == "seat 0: pick"
    assert refuses(table, "pick 3S")
    assert not refuses(table, "pick 3H")


@per_profile(
    abbott=("7H 2H 4H", "3S 3H KH KH KH KH KH"),
    howell=("7H 2H 4H", "3S 3H KH KH KH KH KH"),
    late_prophet=("7H 2H", "3S 3H 4H KH KH KH KH KH"),
)
def test_2_6_says_right_while_a_legal_card_exists_no_penalty(profile: str, expected: tuple[str, str]) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: right", "0: pick 4H")
    assert (str(table.layout), hand(table, 2)) == expected
    assert (table.prophet, len(table.hands[1])) == (None, 7 + 5)


@prophet_profiles
def test_2_6_says_right_while_a_legal_card_exists_no_expulsion(profile: str) -> None:
    table = in_danger(profile)
    act(table, "no play", "right")
    play(table, "0: pick KH")
    assert (table.expelled, table.prophet) == ((), None)


# 6. Wrong while none exists.


@prophet_profiles
def test_2_6_says_wrong_while_none_exists_the_seat_gets_its_smaller_hand(profile: str) -> None:
    eight = "2S 3S 4S 5S 6S 8S 9S 10S"
    table = under_a_prophet(profile, eight, stock="2C 3C 4C 5C 6C 8C 9C 10C JC QC KC")
    play(table, "2: no play", "1: wrong 4S")
    assert hand(table, 2) == "2C 3C 4C 5C"
    assert hand(table, 1).endswith("6C 8C 9C 10C JC")
    assert (table.prophet, table.expelled) == (None, ())


@prophet_profiles
def test_2_6_says_wrong_while_none_exists_the_named_card_goes_with_the_shown_hand(profile: str) -> None:
    table = under_a_prophet(profile, "2S 3S 4S 5S 6S 8S 9S 10S")
    play(table, "2: no play", "1: wrong 4S")
    assert "4S" not in hand(table, 2).split()
    assert "(" not in str(table.layout)


# 6. Wrong, but the card named is illegal.


@per_profile(
    abbott=("7H 2H 4H", "3S 3H KH KH KH KH KH"),
    howell=("7H 2H 4H", "3S 3H KH KH KH KH KH"),
    late_prophet=("7H 2H", "3S 3H 4H KH KH KH KH KH"),
)
def test_2_6_names_an_illegal_card_the_dealer_picks_a_legal_one_and_no_penalty(
    profile: str, expected: tuple[str, str]
) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: wrong 3S")
    assert asked(table) == "seat 0: pick"
    play(table, "0: pick 4H")
    assert (str(table.layout), hand(table, 2)) == expected
    assert (table.prophet, len(table.hands[1])) == (None, 7 + 5)


@prophet_profiles
def test_2_6_names_an_illegal_card_which_goes_back_to_the_hand_and_not_to_the_sideline(profile: str) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: wrong 3S", "0: pick 3H")
    assert hand(table, 2).startswith("3S")
    assert table.layout.rejected == ()


@prophet_profiles
def test_2_6_names_an_illegal_card_everyone_knows_it_is_illegal(profile: str) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: wrong 3S", "0: pick 3H")
    line = table.layout.mainline[:2]
    for seat in range(5):
        assert "3S refused" in map(str, table.view(seat).events)
        assert Verdict(line, Card.parse("3S"), legal=False) in list(evidence(table.view(seat)))


@prophet_profiles
def test_2_6_names_an_illegal_card_no_expulsion(profile: str) -> None:
    table = in_danger(profile)
    act(table, "no play", "wrong 3S")
    play(table, "0: pick KH")
    assert (table.expelled, table.prophet) == ((), None)


@prophet_profiles
def test_2_6_says_wrong_and_names_a_legal_card_is_no_error(profile: str) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: wrong 4H")
    assert (table.prophet, table.former_prophets) == (1, ())
    assert len(table.hands[2]) == (8 if profile == "late-prophet" else 7) + 5


@per_profile(abbott="7H 2H 4H", howell="7H 2H 4H", late_prophet="7H 2H")
def test_2_6_the_legal_card_a_prophet_named_is_the_one_played(profile: str, expected: str) -> None:
    table = under_a_prophet(profile, "3S 3H 4H")
    play(table, "2: no play", "1: wrong 4H")
    assert str(table.layout) == expected
    assert asked(table) == "seat 3: play"


# 7. Becoming prophet.


@prophet_profiles
@pytest.mark.parametrize("script", [["1: 2H"], ["1: 3S"], ["1: no play", "0: pick 2H"]])
def test_2_7_the_seat_that_just_acted_may_declare_whatever_the_result(profile: str, script: list[str]) -> None:
    table = deal(at_once(profile), RED, "2H 3S 4S", seats=5)
    play(table, *script)
    assert asked(table) == "seat 1: after turn"
    play(table, "1: prophet")
    assert (table.prophet, asked(table)) == (1, "seat 2: play")


@prophet_profiles
def test_2_7_it_may_declare_after_a_right_no_play(profile: str) -> None:
    table = deal(at_once(profile), RED, "2S 3S 4S 5S 6S", seats=5)
    play(table, "1: no play", "1: prophet")
    assert (table.prophet, len(table.hands[1])) == (1, 1)


@prophet_profiles
def test_2_7_it_may_decline(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3S 4S", seats=5)
    play(table, "1: 2H", "1: pass")
    assert (table.prophet, asked(table)) == (None, "seat 2: play")


@prophet_profiles
@pytest.mark.parametrize(("card", "answer"), [("3H", "wrong"), ("3S", "right")])
def test_2_7_it_may_declare_even_right_after_it_exposed_a_prophet(profile: str, card: str, answer: str) -> None:
    table = under_a_prophet(profile, "3H 3S 4S")
    play(table, f"2: {card}", f"1: {answer}")
    assert asked(table) == "seat 2: after turn"
    play(table, "2: prophet")
    assert (table.prophet, asked(table)) == (2, "seat 3: play")


@pytest.mark.parametrize("profile", ["howell", "late-prophet"])
def test_2_7_the_deposed_prophet_counts_among_the_others(profile: str) -> None:
    table = deal(at_once(profile), RED, FIRST_HAND, seats=4)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong")
    assert asked(table) == "seat 2: after turn"


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_2_7_not_if_it_was_expelled(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 7, seats=8)
    lay(table, 40)
    seat = act(table, "3S")
    assert table.expelled == (seat,)
    assert asked(table) == f"seat {seat + 1}: play"


@prophet_profiles
def test_2_7_not_if_the_round_ended(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3S", seats=5)
    play(table, "1: 2H", "2: KH", "3: KH", "4: KH KH")
    assert asked(table) == "over"


@prophet_profiles
def test_2_7_not_while_a_prophet_is_in_office(profile: str) -> None:
    table = under_a_prophet(profile, "3H 4H")
    play(table, "2: 3H", "1: right")
    assert asked(table) == "seat 3: play"


@prophet_profiles
def test_2_7_only_the_seat_that_just_acted_is_asked(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3S 4S", seats=5)
    play(table, "1: 2H")
    assert [str(move) for move in table.legal_moves()] == ["pass", "prophet"]
    play(table, "1: pass")
    assert refuses(table, "prophet")


@prophet_profiles
def test_2_7_it_lays_its_hand_aside_not_discarded(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5, stock="2C 3C")
    play(table, "1: 2H", "1: prophet")
    assert (hand(table, 1), stock(table), str(table.layout)) == ("3H 4H", "2C 3C", "7H 2H")


@prophet_profiles
def test_2_7_it_stops_playing(profile: str) -> None:
    table = deal(at_once(profile), RED, *["KH " * 9] * 4, seats=5)
    play(table, "1: KH", "1: prophet")
    assert [act(table, "KH") for _ in range(7)] == [2, 3, 4, 2, 3, 4, 2]
