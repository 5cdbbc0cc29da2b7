"""game.md §1, the rows from players to first to play: how a round begins."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from eleusis_ai.cards import pack, parse_cards
from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import (
    RED,
    deal,
    deal_packs,
    hint_for,
    house,
    per_profile,
    profiles,
    stock,
    told,
)

TWO_BACK = Rule.parse("card.rank == mainline[-2].rank", starter=RED)
THREE_BACK = Rule.parse("card.rank == mainline[-3].rank", starter=RED)


def may_be_dealt(profile: str, *, seats: int = 5, hint: Hint | None = None) -> bool:
    """Tell whether a round may be dealt so."""
    terms = PROFILES[profile]
    deck = shuffled_deck(terms, Random(1))
    try:
        Round.deal(terms, Rule.parse(RED), seats=seats, dealer=0, deck=deck, first=1, hint=hint)
    except InvalidDeal:
        return False
    return True


# Players, dealer included.


@per_profile(abbott=[5, 6, 7, 8], howell=[4, 5, 6, 7, 8], no_prophet=[4, 5, 6, 7, 8], late_prophet=[4, 5, 6, 7, 8])
def test_1_players_dealer_included(profile: str, expected: list[int]) -> None:
    hint = hint_for(PROFILES[profile], Rule.parse(RED))
    assert [seats for seats in range(2, 11) if may_be_dealt(profile, seats=seats, hint=hint)] == expected


def test_late_prophet_1_is_best_with_five_or_six() -> None:
    said = {seats: " ".join(PROFILES["late-prophet"].remarks(seats)) for seats in range(4, 9)}
    assert [seats for seats, remarks in said.items() if "best with 5 to 6" not in remarks] == [5, 6]


def test_late_prophet_1_says_at_eight_that_the_stock_never_lasts_to_a_prophet() -> None:
    said = {seats: " ".join(PROFILES["late-prophet"].remarks(seats)) for seats in range(4, 9)}
    assert [seats for seats, remarks in said.items() if "never lasts to a prophet" in remarks] == [8]


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet"])
@pytest.mark.parametrize("seats", [5, 6, 7, 8])
def test_1_other_profiles_remark_nothing_about_their_players(profile: str, seats: int) -> None:
    assert PROFILES[profile].remarks(seats) == ()


# 52-card packs in the stock; hand dealt to each scientist.


@per_profile(abbott=2, howell=3, no_prophet=2, late_prophet=2)
def test_1_packs_in_the_stock(profile: str, expected: int) -> None:
    table = deal_packs(profile, seats=6, dealer=2)
    dealt = [card for hand in table.hands for card in hand] + [*table.layout.mainline, *table.stock]
    assert Counter(dealt) == Counter(pack() * expected)


@per_profile(abbott=14, howell=14, no_prophet=14, late_prophet=14)
def test_1_hand_dealt_to_each_scientist(profile: str, expected: int) -> None:
    table = deal_packs(profile, seats=6, dealer=2)
    assert [len(hand) for hand in table.hands] == [expected, expected, 0, expected, expected, expected]


# Hint before play.


@per_profile(
    abbott={"without": True, "with": True},
    howell={"without": True, "with": False},
    no_prophet={"without": False, "with": True},
    late_prophet={"without": True, "with": False},
)
def test_1_hint_before_play(profile: str, expected: dict[str, bool]) -> None:
    hint = hints_for(Rule.parse(RED))[0]
    assert {"without": may_be_dealt(profile), "with": may_be_dealt(profile, hint=hint)} == expected


@pytest.mark.parametrize("profile", ["abbott", "no-prophet"])
def test_1_hint_is_announced_before_play(profile: str) -> None:
    rule = Rule.parse(RED)
    hint = hints_for(rule)[0]
    deck = parse_cards("KH " * 60)
    table = Round.deal(house(profile, hand_size=3), rule, seats=5, dealer=0, deck=deck, first=1, hint=hint)
    said = told(table)
    assert said.index(f"hint: {hint}") < next(at for at, text in enumerate(said) if text.startswith("turn of"))


# Starter.


@pytest.mark.parametrize("profile", ["abbott", "no-prophet", "late-prophet"])
def test_1_starter_is_the_top_card_as_turned_even_an_unfit_one(profile: str) -> None:
    table = deal(profile, RED, starter="", stock="9S 3H 4H")
    assert (str(table.layout), stock(table)) == ("9S", "3H 4H")


def test_abbott_1_starter_one_more_if_the_rule_needs_more_drawn_as_in_howell() -> None:
    table = deal("abbott", TWO_BACK, starter="", stock="9S 3C 4C 5H 6H")
    assert (str(table.layout), stock(table)) == ("9S 5H", "6H 3C 4C")


def test_abbott_1_starter_one_more_and_no_further_if_the_rule_needs_three() -> None:
    table = deal("abbott", THREE_BACK, starter="", stock="9S 3H 4H 5H 6H")
    assert (str(table.layout), stock(table)) == ("9S 3H", "4H 5H 6H")


def test_abbott_1_starter_second_one_is_the_top_card_after_a_full_pass() -> None:
    table = deal("abbott", TWO_BACK, starter="", stock="9S 3C 4C 5C")
    assert (str(table.layout), stock(table)) == ("9S 3C", "4C 5C")


def test_howell_1_starter_is_drawn_until_legal() -> None:
    table = deal("howell", RED, starter="", stock="9S 3C 4H 5C 6H")
    assert str(table.layout) == "4H"


def test_howell_1_starter_unfit_cards_go_under_the_stock() -> None:
    table = deal("howell", RED, starter="", stock="9S 3C 4H 5C 6H")
    assert stock(table) == "5C 6H 9S 3C"


def test_howell_1_starter_unfit_cards_go_under_the_stock_unseen() -> None:
    one = deal("howell", RED, starter="", stock="9S 3C 4H 5C 6H")
    other = deal("howell", RED, starter="", stock="4H 5C 6H JS QS")
    assert one.view(2) == other.view(2)
    assert one.events == other.events


@pytest.mark.parametrize(
    ("rule", "line", "left"), [(TWO_BACK, "7H 4D", "5C 8H 3S"), (THREE_BACK, "7H 4D 8H", "3S 5C")]
)
def test_howell_1_starter_is_a_sequence_when_the_rule_needs_one(rule: Rule, line: str, left: str) -> None:
    table = deal("howell", rule, starter="", stock="7H 3S 4D 5C 8H")
    assert (str(table.layout), stock(table)) == (line, left)


def test_howell_1_starter_later_cards_of_the_sequence_are_legal_after_the_earlier_ones() -> None:
    rule = "card.color != last.color if position < 2 else card.rank == mainline[-3].rank"
    table = deal("howell", Rule.parse(rule, starter=RED), starter="", stock="7H 8D 3S 9C 4D 5C")
    assert (str(table.layout), stock(table)) == ("7H 3S 4D", "5C 8D 9C")


def test_howell_1_starter_is_the_top_card_after_one_full_pass_without_a_fit_one() -> None:
    table = deal("howell", RED, starter="", stock="9S 3C 4C")
    assert (str(table.layout), stock(table)) == ("9S", "3C 4C")


def test_howell_1_starter_the_full_pass_may_befall_a_later_card_of_the_sequence() -> None:
    table = deal("howell", TWO_BACK, starter="", stock="9S 3H 4C 5C")
    assert (str(table.layout), stock(table)) == ("3H 4C", "5C 9S")


@pytest.mark.parametrize("profile", ["no-prophet", "late-prophet"])
def test_1_starter_is_exactly_one_even_if_the_rule_needs_more(profile: str) -> None:
    table = deal(profile, THREE_BACK, starter="", stock="9S 3H 4H 5H")
    assert (str(table.layout), stock(table)) == ("9S", "3H 4H 5H")


@per_profile(abbott=2, howell=4, no_prophet=1, late_prophet=1)
def test_1_starters_of_a_dealer_who_judges_by_hand(profile: str, expected: int) -> None:
    def lays(count: int) -> bool:
        try:
            table = deal(profile, None, starter=" ".join(["7H", "8D", "9S", "10C"][:count]), seats=5)
        except InvalidDeal:
            return False
        return len(table.layout.mainline) == count

    assert [count for count in range(1, 5) if lays(count)] == list(range(1, expected + 1))


# First to play.


def test_abbott_1_first_to_play_is_drawn_by_lot() -> None:
    begun = {deal_packs("abbott", dealer=2, rng=Random(seed)).turn for seed in range(40)}
    assert begun == {0, 1, 3, 4}


def test_abbott_1_first_to_play_needs_a_lot() -> None:
    deck = parse_cards("KH " * 104)
    with pytest.raises(InvalidDeal, match="lot"):
        Round.deal(PROFILES["abbott"], Rule.parse(RED), seats=5, dealer=0, deck=deck)


@pytest.mark.parametrize("profile", ["howell", "no-prophet"])
@pytest.mark.parametrize(
    ("starter", "seat"), [("AH", 3), ("2H", 4), ("3H", 0), ("4H", 1), ("5H", 3), ("JH", 0), ("QH", 1), ("KH", 3)]
)
def test_1_first_to_play_is_counted_round_the_scientists_from_the_dealers_left(
    profile: str, starter: str, seat: int
) -> None:
    assert deal(profile, RED, starter=starter, seats=5, dealer=2, first=None).turn == seat


def test_howell_1_first_to_play_is_counted_by_the_last_starter() -> None:
    assert deal("howell", TWO_BACK, starter="AH 3D", seats=5, dealer=0, first=None).turn == 3


@pytest.mark.parametrize("starter", ["AH", "2H", "KH"])
def test_late_prophet_1_first_to_play_is_the_dealers_left(starter: str) -> None:
    assert deal("late-prophet", RED, starter=starter, seats=5, dealer=2, first=None).turn == 3


@profiles
def test_1_first_to_play_is_asked_for_a_play(profile: str) -> None:
    table = deal_packs(profile, dealer=2)
    assert str(table.decision) == f"seat {table.turn}: play"
