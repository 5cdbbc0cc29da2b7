"""game.md §1, the rows from the stock's end to the dealer's points, and the paragraphs below: ends and points."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from eleusis_ai.cards import pack, parse_cards
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import (
    RED,
    RESERVED,
    act,
    at_once,
    deal,
    deal_packs,
    hand,
    lay,
    per_profile,
    play,
    profiles,
    prophet_profiles,
    stock,
    wrong_string,
)

# Stock runs out.


@pytest.mark.parametrize("profile", RESERVED)
def test_1_stock_runs_out_into_the_next_reserve_pack(profile: str) -> None:
    table = deal(profile, RED, "3S 4S", seats=5, stock="2C 3C 4C", reserve="5C 6C 8C")
    play(table, "1: 3S 4S")
    assert hand(table, 1).endswith("KH 2C 3C 4C 5C")
    assert not table.over


def test_howell_1_stock_runs_out_what_is_left_is_dealt_and_the_round_ends() -> None:
    table = deal("howell", RED, "3S 4S 2H", stock="2C 3C 4C")
    happened = play(table, "1: 3S 4S")
    assert hand(table, 1) == "2H 2C 3C 4C"
    assert "round ends: stock" in happened


def test_howell_1_stock_dealt_to_its_last_card_does_not_end_the_round() -> None:
    table = deal("howell", RED, "3S 4S 2H", stock="2C 3C 4C 5C")
    play(table, "1: 3S 4S")
    assert (hand(table, 1), stock(table), table.over) == ("2H 2C 3C 4C 5C", "", False)


def test_late_prophet_1_round_ends_once_the_last_card_is_drawn() -> None:
    table = deal("late-prophet", RED, "3S 4S 2H", stock="2C 3C 4C 5C")
    happened = play(table, "1: 3S 4S")
    assert hand(table, 1) == "2H 2C 3C 4C 5C"
    assert "round ends: stock" in happened


def test_late_prophet_1_round_goes_on_while_a_card_is_left() -> None:
    table = deal("late-prophet", RED, "3S 4S 2H", stock="2C 3C 4C 5C 6C")
    play(table, "1: 3S 4S")
    assert not table.over


# The reserve.


@per_profile(abbott=4, howell=0, no_prophet=4, late_prophet=0)
def test_1_reserve_packs(profile: str, expected: int) -> None:
    assert len(deal_packs(profile).reserve) == 52 * expected


@pytest.mark.parametrize("profile", RESERVED)
def test_1_two_packs_leave_a_stock_of_five_at_eight_seats(profile: str) -> None:
    assert len(deal_packs(profile, seats=8).stock) == 5


@pytest.mark.parametrize("profile", RESERVED)
def test_1_reserve_packs_are_shuffled_like_the_rest(profile: str) -> None:
    deck = shuffled_deck(PROFILES[profile], Random(1))
    packs = [deck[at : at + 52] for at in range(104, len(deck), 52)]
    assert all(Counter(cards) == Counter(pack()) for cards in packs)
    assert len({tuple(pack()), *packs}) == 5


@per_profile(howell=157, late_prophet=105)
def test_1_no_reserve(profile: str, expected: int) -> None:
    deck = parse_cards("KH " * expected)
    with pytest.raises(InvalidDeal, match="reserve"):
        Round.deal(PROFILES[profile], Rule.parse(RED), seats=5, dealer=0, deck=deck, first=1)
    Round.deal(PROFILES[profile], Rule.parse(RED), seats=5, dealer=0, deck=deck[1:], first=1)


@pytest.mark.parametrize("profile", RESERVED)
def test_1_reserve_becomes_the_stock_when_that_is_dealt_to_its_last_card(profile: str) -> None:
    table = deal(profile, RED, "", "3S", seats=5, stock="2C 3C 4C 5C 6C 8C 9C", reserve="10C JC QC")
    play(table, "1: no play", "0: pick KH")
    assert (stock(table), len(table.reserve)) == ("8C 9C", 3)
    assert "reserve pack of 3 opened" in play(table, "2: 3S")
    assert (stock(table), len(table.reserve)) == ("10C JC QC", 0)


def test_no_prophet_1_reserve_becomes_the_stock_when_a_starter_was_its_last_card() -> None:
    table = deal("no-prophet", RED, seats=4, stock="", reserve="5C 6C")
    assert (stock(table), table.reserve) == ("5C 6C", ())


@pytest.mark.parametrize("profile", RESERVED)
def test_1_reserve_packs_open_one_after_the_other(profile: str) -> None:
    packs = "2C " * 52 + "3C " * 52
    table = deal(profile, RED, "3S 4S", seats=5, stock="5C 6C 8C", reserve=packs)
    play(table, "1: 3S 4S")
    assert (stock(table), len(table.reserve)) == (" ".join(["2C"] * 51), 52)


@pytest.mark.parametrize("profile", RESERVED)
def test_1_public_stock_size_excludes_the_reserve(profile: str) -> None:
    assert deal_packs(profile, seats=5).view(1).public.stock_size == 104 - 4 * 14 - 1


def test_no_prophet_1_cards_put_under_the_stock_lie_above_the_reserve() -> None:
    table = deal("no-prophet", "card.rank == 7", seats=5, stock="2C 3C 4C", reserve="5C 6C 8C")
    play(table, "1: no play")
    assert hand(table, 1) == "2C 3C 4C KH KH KH KH KH"
    assert stock(table) == "KH KH KH KH KH KH KH"
    assert len(table.reserve) == 3


@pytest.mark.parametrize("profile", RESERVED)
def test_1_used_up_reserve_deals_what_is_left_and_ends_the_round(profile: str) -> None:
    table = deal(profile, RED, "3S 4S", "3S", seats=5, stock="2C 3C 4C", reserve="5C 6C")
    play(table, "1: 3S 4S")
    happened = play(table, "2: 3S")
    assert hand(table, 2).endswith("KH 6C")
    assert "round ends: stock" in happened


@pytest.mark.parametrize("profile", RESERVED)
def test_1_used_up_reserve_dealt_to_its_last_card_does_not_end_the_round(profile: str) -> None:
    table = deal(profile, RED, "3S 4S", "3S", seats=5, stock="2C 3C 4C", reserve="5C 6C 8C")
    play(table, "1: 3S 4S", "2: 3S")
    assert (stock(table), table.over) == ("", False)


# Base score, emptied hand.


@profiles
def test_1_base_score_is_the_largest_hand_less_ones_own(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H", "3S 4S 5S", seats=5)
    play(table, "1: 2H", "2: 3S 4S 5S", "3: KH", "4: KH KH", "1: 3H", "2: KC", "3: KH", "4: KH")
    assert [len(cards) for cards in table.hands] == [0, 1, 7, 1, 0]
    assert table.scores()[1:4] == (6, 0, 6)


@profiles
def test_1_emptied_hand_adds_four(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H", "3S 4S 5S", seats=5)
    play(table, "1: 2H", "2: 3S 4S 5S", "3: KH", "4: KH KH KH")
    assert [len(cards) for cards in table.hands] == [0, 2, 6, 2, 0]
    assert table.scores()[4] == 6 + 4


@prophet_profiles
def test_1_base_score_is_the_prophets_too(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH KH KH", "1: right")
    assert table.scores()[1] == (3 - 2) + 3


@prophet_profiles
def test_1_largest_hand_may_be_the_prophets(profile: str) -> None:
    table = deal(at_once(profile), RED, "3S 3H 4H", seats=5)
    play(table, "1: 3S", "1: prophet", "2: KH KH KH", "1: right")
    assert len(table.hands[1]) == 4
    assert table.scores()[2:] == (4 + 4, 4 - 3, 4 - 3)


@pytest.mark.parametrize(
    ("blunder", "held", "points"),
    [("3S", [0, 10, 7, 11], (15, 1, 4, 0)), ("3S 3S 3S", [0, 12, 7, 11], (16, 0, 5, 1))],
)
@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
def test_1_base_score_and_largest_hand_count_the_expelled(
    profile: str, blunder: str, held: list[int], points: tuple[int, ...]
) -> None:
    table = deal(profile, RED, "", "3S 3S 3S" + " KH" * 14, "", "3S 3S 3S 3S", seats=5, first=4)
    act(table, "3S 3S 3S 3S")
    lay(table, 36)
    act(table, blunder)
    assert table.expelled == (2,)
    play(table, "3: KH", "4: KH", "1: KH KH KH KH", "3: KH", "4: KH", "1: KH")
    assert [len(cards) for cards in table.hands[1:]] == held
    assert table.scores()[1:] == points


# Prophet in office at the end, for each card since his declaration.


@per_profile(abbott=(1, 2), howell=(1, 2), late_prophet=(1, 1))
def test_1_prophet_in_office_gains_for_each_card_since_his_declaration(
    profile: str, expected: tuple[int, int]
) -> None:
    accepted, rejected = expected
    table = deal(at_once(profile), RED, "2H 3H 4H 5H", "3S 2H 2H 2H", "3S 3S 2H 2H", seats=5)
    play(table, "1: 2H", "1: prophet")
    act(table, "3S", "wrong")
    act(table, "3S 3S", wrong_string(profile))
    act(table, "KH KH KH KH")
    assert [len(cards) for cards in table.hands] == [0, 3, 5, 6, 0]
    assert table.scores()[1] == (6 - 3) + 4 * accepted + 3 * rejected


@prophet_profiles
def test_1_cards_before_the_declaration_gain_nothing(profile: str) -> None:
    table = deal(at_once(profile), RED, "", "", "", "3S KH KH KH", seats=5, first=4)
    play(table, "4: 3S", "1: KH KH", "1: prophet", "2: KH KH KH KH", "1: right")
    assert [len(cards) for cards in table.hands] == [0, 2, 0, 4, 5]
    assert table.scores()[1] == (5 - 2) + 4


@prophet_profiles
def test_1_an_overthrown_prophet_gains_nothing(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H 5H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: right", "3: KH", "1: wrong", "4: KH KH KH KH")
    assert len(table.hands[1]) == 8
    assert table.scores()[1] == 0


# Dealer.


@profiles
def test_1_dealer_otherwise_gets_as_much_as_the_best_player(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H", "3S 4S 5S", seats=5)
    play(table, "1: 2H", "2: 3S 4S 5S", "3: KH", "4: KH KH KH")
    assert table.scores() == (10, 4, 0, 4, 10)


@prophet_profiles
def test_1_dealer_gets_as_much_as_the_best_player_when_a_prophet_was_overthrown(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong", "3: KH KH KH")
    assert table.scores() == (11, 0, 5, 11, 4)


def capped(profile: str, opening: str, *, starter: str = "7H") -> Round:
    """Play a round in which ``opening`` is followed by a prophecy that ends with many points."""
    rule = Rule.parse("card.color == mainline[-2].color", starter=RED) if " " in starter else RED
    table = deal(profile, rule, "3S 2H 2H 2H 2H 3H", "3S 3S 3S 3S 2H 2H", starter=starter, seats=5)
    play(table, f"1: {opening}", "1: prophet", "2: 3S 3S 3S 3S", "1: wrong", "3: KH KH KH KH", "1: right")
    play(table, "4: KH KH KH KH", "1: right", "2: KC", "1: wrong", "3: KH KH", "1: right")
    assert [len(cards) for cards in table.hands[2:]] == [11, 0, 2]
    assert table.scores()[1] > 20
    return table


@per_profile(abbott=2 * 4, howell=2 * 5)
def test_1_dealer_gets_at_most_twice_the_cards_up_to_the_declaration(profile: str, expected: int) -> None:
    assert capped(profile, "2H 2H 2H 2H").scores()[0] == expected


@per_profile(abbott=2 * 4, howell=2 * 6)
def test_1_dealers_cap_counts_starters_where_the_profile_says(profile: str, expected: int) -> None:
    assert capped(profile, "2H 2H 2H 2H", starter="7H 8D").scores()[0] == expected


@per_profile(abbott=2 * 1, howell=2 * 2)
def test_1_dealers_cap_counts_the_marked_card_a_rejected_one_too(profile: str, expected: int) -> None:
    assert capped(profile, "3S").scores()[0] == expected


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_1_dealer_gets_as_much_as_the_best_player_below_the_cap(profile: str) -> None:
    table = deal(profile, RED, *["2H " * 6] * 4, seats=5)
    play(table, "1: 2H 2H 2H 2H", "2: 2H 2H 2H 2H", "2: prophet", "3: 2H 2H 2H 2H", "2: right", "4: 2H", "2: right")
    play(table, "1: 2H 2H", "2: right")
    assert table.scores() == (10, 9, 10, 3, 0)


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_1_dealer_may_get_far_more_than_the_prophet(profile: str) -> None:
    table = deal(profile, RED, "3S 3S KH KH KH KH KH", seats=5, first=2)
    play(table, "2: KH KH KH KH", "3: KH KH KH KH", "4: KH KH KH KH", "1: 3S 3S", "1: prophet")
    play(table, "2: KH KH KH", "1: right")
    assert table.scores() == (13, 3, 13, 6, 6)


@pytest.mark.parametrize(("opening", "points"), [("3S 3S", (8, 3, 9, 2, 2)), ("2H", (7, 4, 7, 0, 0))])
def test_late_prophet_1_dealer_gets_at_most_five_more_than_the_prophet(opening: str, points: tuple[int, ...]) -> None:
    table = deal(at_once("late-prophet"), RED, "3S 3S 2H", seats=5)
    play(table, f"1: {opening}", "1: prophet", "2: KH KH KH", "1: right")
    assert table.scores() == points
