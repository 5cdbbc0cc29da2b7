from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from eleusis_ai.cards import CARDS, parse_cards
from eleusis_ai.dealing import InvalidDeal, deal_of, shuffled_deck
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import ABBOTT, HOWELL, LATE_PROPHET, NO_PROPHET, PROFILES, Profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule

COLORS = Rule.parse("card.color != last.color")
LADDER = Rule.parse("card.rank > mainline[-2].rank", starter="card.rank == A")
REJECTED = Rule.parse("card.is_red if len(rejected) % 2 == 0 else card.is_black")
TRUE_HINT = Hint.parse("no ranks")
DECK = CARDS * 3


def deal(profile: Profile = HOWELL, **parts: Any) -> Round:
    """Deal with the parts named, and others that fit."""
    fitting: dict[str, Any] = {"rule": COLORS, "seats": 5, "dealer": 0, "deck": DECK}
    rule = parts.pop("rule", fitting.pop("rule"))
    return Round.deal(profile, rule, **{**fitting, **parts})


@pytest.mark.parametrize(
    ("profile", "parts", "came", "right"),
    [
        (HOWELL, {"seats": 3}, "3 players, the dealer included, cannot play howell", "4 to 8, as seats=4"),
        (ABBOTT, {"seats": 4}, "4 players, the dealer included, cannot play abbott", "5 to 8, as seats=5"),
        (HOWELL, {"seats": 9}, "9 players", "4 to 8, as seats=4"),
        (HOWELL, {"dealer": 5}, "there is no seat 5 for the dealer", "seats are 0 to 4"),
        (HOWELL, {"dealer": -1}, "there is no seat -1 for the dealer", "seats are 0 to 4"),
        (HOWELL, {"first": 0}, "seat 0 cannot begin", "a scientist does, as first=1"),
        (HOWELL, {"first": 5}, "seat 5 cannot begin", "a scientist does, as first=1"),
        (HOWELL, {"deck": DECK[:56]}, "a deck of 56 cards", "5 seats need more than 56"),
        (HOWELL, {"deck": DECK + CARDS}, "a deck of 208 cards", "howell has 156 and no reserve"),
        (HOWELL, {"rule": None}, "names the starters", "as starters=['7H']"),
        (HOWELL, {"starters": ()}, "0 starters", "howell has 1 to 52"),
        (LATE_PROPHET, {"starters": CARDS[20:22], "deck": DECK[:104]}, "2 starters", "late-prophet has 1 to 1"),
        (ABBOTT, {"starters": CARDS[20:23], "deck": DECK, "first": 1}, "3 starters", "abbott has 1 to 2"),
        (HOWELL, {"starters": parse_cards("5C 5C 5C")}, "the starter 5C is not in the stock", "one that is: 6C"),
        (HOWELL, {"rule": REJECTED}, "looks at rejected cards", "which howell does not allow"),
        (NO_PROPHET, {"deck": DECK}, "no-prophet requires a hint", "`hints_for(rule)` lists true ones"),
        (HOWELL, {"hint": TRUE_HINT}, "howell has no hints", "'no ranks' was given"),
        (NO_PROPHET, {"hint": Hint.parse("no suits")}, "the hint 'no suits' is not true", "`hints_for(rule)`"),
        (ABBOTT, {}, "abbott draws lots for the first to play", "give rng or first"),
    ],
)
def test_no_deal(profile: Profile, parts: dict[str, Any], came: str, right: str) -> None:
    with pytest.raises(InvalidDeal) as error:
        deal(profile, **parts)
    assert came in str(error.value)
    assert right in str(error.value)


@pytest.mark.parametrize(("seats", "dealer"), [(4, 0), (5, 2), (8, 7)])
def test_hands_go_round_from_the_dealers_left(seats: int, dealer: int) -> None:
    round_ = deal(seats=seats, dealer=dealer)
    assert round_.scientists == tuple((dealer + step) % seats for step in range(1, seats))
    for index, seat in enumerate(round_.scientists):
        assert round_.hands[seat] == DECK[index * 14 : (index + 1) * 14]
    assert round_.hands[dealer] == ()
    assert round_.layout.mainline == (DECK[14 * (seats - 1)],)
    assert round_.stock == DECK[14 * (seats - 1) + 1 : 156]


def test_what_lies_beyond_the_packs_is_the_reserve() -> None:
    round_ = deal(NO_PROPHET, deck=CARDS * 6, hint=TRUE_HINT)
    assert len(round_.stock) == 104 - 56 - 1
    assert round_.reserve == CARDS * 4


FOUR = DECK[:56]


def stock(text: str) -> Cards:
    return FOUR + parse_cards(text)


@pytest.mark.parametrize(
    ("profile", "rule", "turned", "starters", "left"),
    [
        (HOWELL, "card.color != last.color", "7H 9D", "starter 7H found legal", "9D"),
        (
            HOWELL,
            "card.rank > mainline[-2].rank",
            "7H 9D 2C 3S",
            "starter 7H found legal/starter 9D found legal",
            "2C 3S",
        ),
        (HOWELL, LADDER, "7H AC 9D AS 2C", "starter AC found legal/starter AS found legal", "2C 7H 9D"),
        (LATE_PROPHET, LADDER, "7H AC 9D 2C", "starter 7H", "AC 9D 2C"),
        (NO_PROPHET, LADDER, "7H AC 9D 2C", "starter 7H", "AC 9D 2C"),
        (ABBOTT, LADDER, "7H 9D AC 2C", "starter 7H/starter AC found legal", "2C 9D"),
        (ABBOTT, "card.color != last.color", "7H 9D", "starter 7H", "9D"),
        (ABBOTT, "card.rank != mainline[-3].rank", "7H 9D 2C", "starter 7H/starter 9D found legal", "2C"),
    ],
)
def test_starters(profile: Profile, rule: Rule | str, turned: str, starters: str, left: str) -> None:
    """The ladder wants two aces, where the profile lays two starters."""
    rule = Rule.parse(rule) if isinstance(rule, str) else rule
    hint = None if profile is not NO_PROPHET else Hint.parse("no suits")
    round_ = deal(profile, rule=rule, deck=stock(turned), first=1, hint=hint)
    laid = [event for event in map(str, round_.events) if event.startswith("starter")]
    assert len(laid) == len(round_.layout.mainline)
    assert "/".join(laid) == starters
    assert round_.stock == parse_cards(left)


def test_unfit_cards_go_under_the_stock_in_the_order_they_were_turned() -> None:
    rule = Rule.parse("card.is_red", starter="card.rank == A")
    round_ = deal(rule=rule, deck=stock("7H 8D AC 9S"))
    assert round_.layout.mainline == parse_cards("AC")
    assert round_.stock == parse_cards("9S 7H 8D")
    assert str(round_.layout) == "AC"


def test_after_one_pass_without_a_fit_card_the_top_card_is_laid() -> None:
    rule = Rule.parse("card.is_red", starter="card.rank == A")
    round_ = deal(rule=rule, deck=stock("7H 8D 9S"))
    assert round_.layout.mainline == parse_cards("7H")
    assert round_.stock == parse_cards("8D 9S")
    assert "starter 7H" in map(str, round_.events)


def test_given_starters_are_turned_up_to() -> None:
    round_ = deal(rule=None, deck=stock("7H 8D AC 9S"), starters=parse_cards("8D 7H"))
    assert round_.layout.mainline == parse_cards("8D 7H")
    assert round_.stock == parse_cards("AC 9S")


@pytest.mark.parametrize(
    ("profile", "starter", "first"),
    [
        (HOWELL, "AC", 3),
        (HOWELL, "4C", 1),
        (HOWELL, "5C", 3),
        (HOWELL, "KS", 3),
        (NO_PROPHET, "3D", 0),
        (LATE_PROPHET, "KS", 3),
        (LATE_PROPHET, "2D", 3),
    ],
)
def test_who_begins(profile: Profile, starter: str, first: int) -> None:
    """With five players and the dealer at seat 2 the scientists are 3, 4, 0, 1."""
    hint = TRUE_HINT if profile is NO_PROPHET else None
    round_ = deal(profile, dealer=2, deck=stock(f"{starter} 9S"), hint=hint)
    assert round_.turn == first
    assert deal(profile, dealer=2, deck=stock(f"{starter} 9S"), hint=hint, first=4).turn == 4


def test_lots_are_drawn_among_the_scientists() -> None:
    drawn = {deal(ABBOTT, dealer=2, rng=Random(seed)).turn for seed in range(60)}
    assert drawn == {0, 1, 3, 4}
    assert deal(ABBOTT, rng=Random(7)).turn == deal(ABBOTT, rng=Random(7)).turn


@pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
def test_a_shuffled_deck_has_its_reserve_in_whole_packs(profile: Profile) -> None:
    deck = shuffled_deck(profile, Random(1))
    stocked = 52 * profile.packs
    assert sorted(deck[:stocked]) == sorted(CARDS * profile.packs)
    assert len(deck) == stocked + 52 * profile.reserve_packs
    packs = [deck[at : at + 52] for at in range(stocked, len(deck), 52)]
    assert all(sorted(one) == list(CARDS) for one in packs)
    assert len(set(packs)) == len(packs)
    assert deck == shuffled_deck(profile, Random(1))
    assert deck != shuffled_deck(profile, Random(2))


def test_a_deal_is_of_frozen_parts() -> None:
    made = deal_of(
        HOWELL, COLORS, seats=5, dealer=0, deck=list(DECK), first=None, starters=[DECK[60]], hint=None
    )  # fmt: skip
    assert made.deck == DECK
    assert made.starters == (DECK[60],)
    with pytest.raises(AttributeError):
        made.dealer = 1  # type: ignore[misc]  # that it is frozen is what is tested
    assert msgspec.structs.replace(made, dealer=1).scientists == (2, 3, 4, 0)
