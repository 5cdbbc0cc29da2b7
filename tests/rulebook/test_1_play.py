"""game.md §1, the rows from longest string to no play, wrong: what a scientist may do, and what it costs."""

from __future__ import annotations

import pytest

from eleusis_ai.rules.language import Rule
from tests.rulebook.table import (
    ALTERNATE,
    RED,
    deal,
    hand,
    per_profile,
    play,
    profiles,
    refuses,
    stock,
    told,
)

EIGHT_BLACK = "2S 3S 4S 5S 6S 8S 9S 10S"
NEW_HAND = "2C 3C 4C 5C"

# Longest string.


@pytest.mark.parametrize("profile", ["abbott", "no-prophet", "late-prophet"])
def test_1_longest_string_is_four(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H 5H 6H 8H")
    assert refuses(table, "2H 3H 4H 5H 6H")
    assert not refuses(table, "2H 3H 4H 5H")


def test_howell_1_longest_string_is_any() -> None:
    table = deal("howell", RED, "2H " * 14)
    play(table, "1: " + "2H " * 14)
    assert len(table.layout.mainline) == 15


# A string is judged.


@per_profile(abbott="7H(2H 3S 4H)", howell="7H(2H 3S 4H)", no_prophet="7H(2H 3S 4H)", late_prophet="7H 2H(3S 4H)")
def test_1_string_with_one_wrong_card(profile: str, expected: str) -> None:
    table = deal(profile, RED, "2H 3S 4H 5D")
    play(table, "1: 2H 3S 4H")
    assert str(table.layout) == expected


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
@pytest.mark.parametrize("string", ["3S 2H 4H", "2H 4H 3S", "2H 3S 3S"])
def test_1_one_wrong_card_anywhere_sends_the_whole_string_to_the_sideline(profile: str, string: str) -> None:
    table = deal(profile, RED, f"{string} 5D")
    play(table, f"1: {string}")
    assert str(table.layout) == f"7H({string})"


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
def test_1_nobody_is_told_which_card_of_a_string_was_wrong(profile: str) -> None:
    rules = (Rule.parse(rule, starter=RED) for rule in (RED, "card.is_black"))
    one, other = (deal(profile, rule, "2H 3S 4H 5D") for rule in rules)
    play(one, "1: 2H 3S 4H")
    play(other, "1: 2H 3S 4H")
    assert told(one) == told(other)
    assert all(one.view(seat) == other.view(seat) for seat in range(one.seats))


@pytest.mark.parametrize(
    ("string", "line"),
    [
        ("3S 2H 4H 5H", "7H(3S 2H 4H 5H)"),
        ("2H 3S 4H 5H", "7H 2H(3S 4H 5H)"),
        ("2H 4H 3S 5S", "7H 2H 4H(3S 5S)"),
        ("2H 4H 5H 3S", "7H 2H 4H 5H(3S)"),
    ],
)
def test_late_prophet_1_correct_prefix_joins_and_the_rest_hangs_below_the_last_accepted_card(
    string: str, line: str
) -> None:
    table = deal("late-prophet", RED, f"{string} 5D")
    play(table, f"1: {string}")
    assert str(table.layout) == line


@profiles
def test_1_each_card_of_a_string_is_judged_after_the_one_before_it(profile: str) -> None:
    table = deal(profile, ALTERNATE, "4C 9H 5S 2H")
    play(table, "1: 4C 9H 5S")
    assert str(table.layout) == "7H 4C 9H 5S"


# Penalty for a wrong attempt; rejected cards return to hand.


@profiles
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_1_penalty_for_a_wrong_attempt_is_two_a_card(profile: str, cards: int) -> None:
    table = deal(profile, RED, "3S 4H 5H 6H 8D", stock="2C 3C 4C 5C 6C 8C 9C 10C JC")
    play(table, "1: " + " ".join(["3S", "4H", "5H", "6H"][:cards]))
    kept = ["3S", "4H", "5H", "6H", "8D"][cards:]
    drawn = ["2C", "3C", "4C", "5C", "6C", "8C", "9C", "10C"][: 2 * cards]
    assert hand(table, 1).split() == kept + drawn


def test_howell_1_penalty_for_a_longer_string() -> None:
    table = deal("howell", RED, "3S 4S 5S 6S 8S 9S")
    play(table, "1: 3S 4S 5S 6S 8S 9S")
    assert len(table.hands[1]) == 12


@pytest.mark.parametrize(("string", "penalty"), [("3S 2H", 4), ("2H 3S", 4), ("2H 4H 3S", 6), ("2H 4H 5H 3S", 8)])
def test_late_prophet_1_penalty_counts_all_cards_of_the_attempt(string: str, penalty: int) -> None:
    table = deal("late-prophet", RED, f"{string} KD")
    play(table, f"1: {string}")
    assert len(table.hands[1]) == 1 + penalty


@profiles
def test_1_right_attempt_costs_nothing(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H")
    before = stock(table)
    play(table, "1: 2H 3H")
    assert (hand(table, 1), stock(table)) == ("4H", before)


@profiles
def test_1_rejected_cards_never_return_to_hand(profile: str) -> None:
    table = deal(profile, RED, "3S 4S 2H 4H 5H", seats=5, first=4)
    play(table, "4: KH", "1: 3S", "2: KH", "3: KH", "4: KH", "1: 4S", "2: KH")
    assert str(table.layout) == "7H KH(3S) KH KH KH(4S) KH"
    assert not any({"3S", "4S"} & set(hand(table, seat).split()) for seat in range(5))
    assert not {"3S", "4S"} & set(stock(table).split())


# No play, right.


@profiles
@pytest.mark.parametrize(("cards", "left"), [(8, 4), (7, 3), (5, 1)])
def test_1_no_play_right_gets_a_new_hand_four_smaller(profile: str, cards: int, left: int) -> None:
    table = deal(profile, RED, " ".join(EIGHT_BLACK.split()[:cards]), stock="2C 3C 4C 5C 6C")
    play(table, "1: no play")
    assert hand(table, 1) == " ".join(NEW_HAND.split()[:left])
    assert not table.over


@profiles
@pytest.mark.parametrize("cards", [4, 3, 1])
def test_1_no_play_right_with_four_cards_or_fewer_empties_the_hand_and_ends_the_round(
    profile: str, cards: int
) -> None:
    table = deal(profile, RED, " ".join(EIGHT_BLACK.split()[:cards]))
    happened = play(table, "1: no play")
    assert (hand(table, 1), table.over) == ("", True)
    assert "round ends: emptied" in happened


# Where the shown hand goes then.


def test_abbott_1_shown_hand_lies_above_the_last_accepted_card() -> None:
    table = deal("abbott", RED, EIGHT_BLACK, first=4, stock="2C 3C 4C 5C 6C")
    play(table, "4: KH", "1: no play")
    assert str(table.layout) == f"7H KH[{EIGHT_BLACK}]"
    assert stock(table) == "6C"


def test_abbott_1_shown_hand_stays_on_the_table_and_public() -> None:
    table = deal("abbott", RED, EIGHT_BLACK)
    play(table, "1: no play", "2: KH", "3: KH")
    assert str(table.view(4).layout) == f"7H[{EIGHT_BLACK}] KH KH"


@profiles
def test_1_shown_hand_is_not_counted_as_played(profile: str) -> None:
    table = deal(profile, RED, EIGHT_BLACK)
    before = table.public().played
    play(table, "1: no play")
    assert table.public().played == before


@pytest.mark.parametrize("profile", ["howell", "no-prophet"])
def test_1_shown_hand_goes_under_the_stock(profile: str) -> None:
    table = deal(profile, RED, EIGHT_BLACK, stock="2C 3C 4C 5C 6C")
    play(table, "1: no play")
    assert stock(table) == f"6C {EIGHT_BLACK}"


def test_no_prophet_1_shown_hand_of_fewer_than_five_goes_back() -> None:
    table = deal("no-prophet", RED, "2S 3S 4S", stock="2C 3C")
    play(table, "1: no play")
    assert stock(table) == "2C 3C 2S 3S 4S"


@pytest.mark.parametrize("profile", ["howell", "no-prophet", "late-prophet"])
def test_1_shown_hand_makes_no_sideline(profile: str) -> None:
    table = deal(profile, RED, EIGHT_BLACK)
    play(table, "1: no play")
    assert str(table.layout) == "7H"


def test_late_prophet_1_shown_hand_is_out_of_play() -> None:
    table = deal("late-prophet", RED, EIGHT_BLACK, stock="2C 3C 4C 5C 6C")
    play(table, "1: no play")
    assert (str(table.layout), hand(table, 1), stock(table)) == ("7H", "2C 3C 4C 5C", "6C")


# No play, wrong.


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
def test_1_no_play_wrong_judge_plays_a_legal_card_onto_the_mainline(profile: str) -> None:
    table = deal(profile, RED, "2S 3H 4S 5H")
    play(table, "1: no play", "0: pick 5H")
    assert str(table.layout) == "7H 5H"
    assert hand(table, 1).split()[:3] == ["2S", "3H", "4S"]


def test_late_prophet_1_no_play_wrong_judge_points_out_a_legal_card_which_stays_in_hand() -> None:
    table = deal("late-prophet", RED, "2S 3H 4S 5H")
    assert "5H pointed out" in play(table, "1: no play", "0: pick 5H")
    assert str(table.layout) == "7H"
    assert hand(table, 1).split()[:4] == ["2S", "3H", "4S", "5H"]


@per_profile(abbott=12, howell=12, no_prophet=12, late_prophet=13)
def test_1_no_play_wrong_costs_five_cards(profile: str, expected: int) -> None:
    table = deal(profile, RED, "2S 3S 4S 5S 6S 8S 9S 10H", stock="2C 3C 4C 5C 6C 8C")
    play(table, "1: no play", "0: pick 10H")
    assert len(table.hands[1]) == expected
    assert hand(table, 1).endswith("2C 3C 4C 5C 6C")
    assert stock(table) == "8C"


@profiles
def test_1_no_play_is_judged_after_the_mainline_as_it_lies(profile: str) -> None:
    table = deal(profile, ALTERNATE, "4S 5S 6S", "2S 3S 4S 5S 6S", stock="8C " * 20)
    play(table, "1: 4S", "2: no play")
    assert (str(table.layout).split("[")[0], hand(table, 2)) == ("7H 4S", "8C")
