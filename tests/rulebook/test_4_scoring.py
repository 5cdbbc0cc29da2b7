"""game.md §4: the scoring examples, row by row."""

from __future__ import annotations

import pytest

from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.scoring import match_points, winners
from tests.rulebook.table import (
    ALTERNATE,
    RED,
    act,
    asked,
    deal,
    hand,
    house,
    play,
    profiles,
    stock,
    wrong_string,
)

EIGHT_BLACK = "2S 3S 4S 5S 6S 8S 9S 10S"


def ended(profile: str, last: str) -> Round:
    """Play a round that seat 3 ends with ``last``, while seat 1 holds 12 cards and seat 2 five."""
    third = "KH KH KH KH " + ("4S 5S 6S 8S" if last == "no play" else "KH KH KH KH")
    table = deal(profile, RED, "3S 3S 3S 3S KH KH KH KH", "", third, seats=5)
    play(table, "1: 3S 3S 3S", "2: KH KH", "3: KH KH KH KH", "4: KH", "1: 3S", "2: KH", f"3: {last}")
    assert [len(cards) for cards in table.hands] == [0, 12, 5, 0, 7]
    return table


@profiles
@pytest.mark.parametrize("last", ["KH KH KH KH", "no play"])
def test_4_largest_hand_12_and_hand_5(profile: str, last: str) -> None:
    assert ended(profile, last).scores()[2] == 7


@profiles
@pytest.mark.parametrize("last", ["KH KH KH KH", "no play"])
def test_4_largest_hand_12_and_hand_emptied_legally(profile: str, last: str) -> None:
    assert ended(profile, last).scores()[3] == 12 + 4


def test_4_false_no_play_with_8_cards_howell() -> None:
    table = deal("howell", RED, "2S 3S 4S 5S 6S 8S 9S 10H")
    play(table, "1: no play", "0: pick 10H")
    assert len(table.hands[1]) == 12


def test_4_false_no_play_with_8_cards_late_prophet() -> None:
    table = deal("late-prophet", RED, "2S 3S 4S 5S 6S 8S 9S 10H")
    play(table, "1: no play", "0: pick 10H")
    assert (len(table.hands[1]), str(table.layout)) == (13, "7H")


@profiles
def test_4_right_no_play_with_8_cards(profile: str) -> None:
    table = deal(profile, RED, EIGHT_BLACK)
    play(table, "1: no play")
    assert len(table.hands[1]) == 4


@profiles
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_4_right_no_play_with_4_cards_or_fewer(profile: str, cards: int) -> None:
    table = deal(profile, RED, " ".join(EIGHT_BLACK.split()[:cards]))
    play(table, "1: no play")
    assert (hand(table, 1), asked(table)) == ("", "over")


def test_4_right_no_play_with_5_no_prophet() -> None:
    table = deal("no-prophet", RED, "2S 3S 4S 5S 6S")
    play(table, "1: no play")
    assert (len(table.hands[1]), asked(table)) == (1, "seat 2: play")


@profiles
def test_4_colours_alternate_a_wrong_card(profile: str) -> None:
    table = deal(profile, ALTERNATE, "QD 4C 9H", stock="2S 3S 4S")
    play(table, "1: QD")
    assert (str(table.layout), hand(table, 1), stock(table)) == ("7H(QD)", "4C 9H 2S 3S", "4S")


@profiles
def test_4_colours_alternate_a_right_string(profile: str) -> None:
    table = deal(profile, ALTERNATE, "QD 4C 9H", "QD 4C 9H")
    play(table, "1: QD", "2: 4C 9H")
    assert str(table.layout) == "7H(QD) 4C 9H"


def test_4_late_prophet_wrong_string_of_4() -> None:
    table = deal("late-prophet", RED, "2H 3H 4H 5S 6H")
    play(table, "1: 2H 3H 4H 5S")
    assert hand(table, 1) == "6H KC KC KC KC KC KC KC KC"


def test_4_late_prophet_string_of_3_whose_2nd_card_is_wrong() -> None:
    table = deal("late-prophet", RED, "2H 3S 4H 5H")
    play(table, "1: 2H 3S 4H")
    assert str(table.layout) == "7H 2H(3S 4H)"
    assert hand(table, 1) == "5H KC KC KC KC KC KC"


def prophecy(profile: str, *, size: int, before: tuple[int, int, int], cards: int) -> Round:
    """Play a round of four that the stock ends, with the prophet in office, as the examples have it.

    Each is dealt ``size`` cards. Seats 2, 3 and 1 lay as many as ``before`` says, and 1 becomes prophet.
    Then seat 2 has 1 card accepted, seat 3 has 8, and seat 2 has 6 rejected; the stock has ``cards``.
    """
    wrong = "3S " * 6
    table = deal(
        house(profile, max_string=None), RED, "", wrong + "KH " * (size - 6), seats=4, first=2, stock="KC " * cards
    )
    for laid in before:
        act(table, "KH " * laid)
    play(table, "1: prophet")
    act(table, "KH")
    act(table, "KH " * 8)
    act(table, wrong, wrong_string(profile))
    return table


def facts(table: Round) -> dict[str, object]:
    """Return the figures that the examples start from."""
    public = table.public()
    return {
        "since": (public.accepted_since, public.rejected_since),
        "prophet's hand": len(table.hands[1]),
        "H": max(map(len, table.hands)),
        "best other": max(table.scores()[2:]),
        "end": str(table.end_reason),
    }


FACTS = {"since": (9, 6), "prophet's hand": 6, "H": 20, "best other": 11, "end": "stock"}


def test_4_howell_prophet_declared_with_23_cards_on_the_table() -> None:
    table = prophecy("howell", size=21, before=(3, 4, 15), cards=9)
    assert facts(table) == FACTS
    assert table.scores()[1] == 14 + 9 + 12
    assert table.scores()[0] == 35


def test_4_howell_prophet_declared_with_15_cards_on_the_table() -> None:
    table = prophecy("howell", size=18, before=(1, 1, 12), cards=10)
    assert facts(table) == FACTS
    assert table.scores()[1] == 35
    assert table.scores()[0] == 30


def test_4_howell_prophet_overthrown_before_the_end() -> None:
    table = deal("howell", RED, "", "3S " * 6 + "KH " * 13, seats=4, first=2, stock="KC " * 16)
    play(table, "2: KH KH KH", "3: KH KH", "1: " + "KH " * 17, "1: prophet")
    play(table, "2: KH", "1: right", "3: " + "KH " * 8, "1: wrong", "1: KH", "2: " + "3S " * 6)
    assert [len(cards) for cards in table.hands] == [0, 6, 20, 9]
    assert str(table.end_reason) == "stock"
    assert table.scores() == (14, 14, 0, 11)


def test_4_late_prophet_the_figures_of_the_first() -> None:
    table = prophecy("late-prophet", size=20, before=(5, 3, 14), cards=12)
    assert facts(table) == FACTS
    assert table.scores()[1] == 14 + 9 + 6
    assert table.scores()[0] == 29


def test_4_abbott_cap_with_23_cards_on_the_table_one_of_them_the_starter() -> None:
    table = deal(house("abbott", max_string=None), RED, "KH " * 23, "3S " * 20 + "KH KH KH", first=1)
    play(table, "1: " + "KH " * 22, "1: prophet", "2: " + "3S " * 20, "1: wrong", "3: " + "KH " * 23, "1: right")
    assert table.scores()[1] > 44
    assert table.scores()[0] == 44


def test_4_abbott_game_cut_after_3_of_5_rounds() -> None:
    rounds = [(dealer, (1, 2, 3, 4, 5)) for dealer in (3, 4, 0)]
    assert match_points(PROFILES["abbott"], 5, rounds) == (3, 6 + 10, 9 + 10, 12, 15)


@pytest.mark.parametrize(("totals", "won"), [((7, 31, 12, 31), (1, 3)), ((7, 31, 12, 30), (1,))])
def test_4_two_equal_highest_totals_both_win(totals: tuple[int, ...], won: tuple[int, ...]) -> None:
    assert winners(totals) == won
