from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from eleusis_ai.cards import CARDS, parse_cards
from eleusis_ai.imagination import Unimaginable, imagined_cards
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Decision, DecisionKind
from eleusis_ai.profiles import ABBOTT, HOWELL, LATE_PROPHET, Profile, ShownHand
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.test_view import HANDS, after, short

NEVER = Rule.parse("card.rank > 13")


def test_what_is_known_and_what_is_drawn() -> None:
    round_ = after(short(), "7H")
    hands, stock, reserve, _ = imagined_cards(round_.view(2), Random(1))
    assert hands[2] == HANDS[1]
    assert [len(hand) for hand in hands] == [0, 3, 4, 4]
    assert len(stock) == len(round_.stock)
    assert reserve == ()
    everything = Counter([*hands[1], *hands[2], *hands[3], *stock, *round_.layout.mainline])
    assert everything == Counter(CARDS)
    assert hands[1] != round_.hands[1]
    assert stock != round_.stock


def test_chance_comes_in_by_the_door() -> None:
    view = short().view(1)
    assert imagined_cards(view, Random(1)) == imagined_cards(view, Random(1))
    assert imagined_cards(view, Random(1)) != imagined_cards(view, Random(2))


@pytest.mark.parametrize("shown_hand", ShownHand)
def test_a_hand_that_was_shown_is_known_where_it_lies(shown_hand: ShownHand) -> None:
    """Seat 1 shows four cards; under a stock of 39 they come last, above the line or out they are gone."""
    profile = msgspec.structs.replace(HOWELL, shown_hand=shown_hand, no_play_reduction=2)
    round_ = after(short(profile, NEVER), "no play")
    hands, stock, _, _ = imagined_cards(round_.view(2), Random(1))
    assert len(hands[1]) == 2
    assert not set(hands[1]) & set(HANDS[0])
    if shown_hand is ShownHand.UNDER_STOCK:
        assert stock[-4:] == HANDS[0]
    else:
        assert not set(HANDS[0]) & {*stock, *hands[1], *hands[3]}


def test_a_hand_that_was_shown_wrongly_is_known_but_for_what_left_and_came() -> None:
    round_ = after(short(), "no play", "pick 8H")
    hands, _, _, _ = imagined_cards(round_.view(2), Random(1))
    assert hands[1][:3] == parse_cards("2C 3C 7H")
    assert len(hands[1]) == 8
    pointed = after(short(LATE_PROPHET), "no play", "pick 8H")
    hands, _, _, _ = imagined_cards(pointed.view(2), Random(1))
    assert Counter(hands[1]) >= Counter(HANDS[0])


def test_a_hand_on_judgement_is_known() -> None:
    for moves in (["no play"], ["2C", "prophet", "no play"], ["2C", "prophet", "no play", "wrong 8S"]):
        round_ = after(short(), *moves)
        hands, _, _, _ = imagined_cards(round_.view(3), Random(1))
        assert hands[round_.turn] == HANDS[round_.turn - 1]


def test_known_cards_come_back_from_under_the_stock() -> None:
    """The first to show a hand gets two cards nobody knows; the next one gets a third, and a card of that hand."""
    profile = msgspec.structs.replace(HOWELL, name="thin", hand_size=4, packs=1, no_play_reduction=2, max_seats=13)
    round_ = Round.deal(profile, NEVER, seats=13, dealer=0, deck=CARDS, first=1)
    first, second = round_.hands[1], round_.hands[2]
    assert len(round_.stock) == 3
    after(round_, "no play", "pass", "no play")
    assert round_.stock == first[1:] + second
    for seat in (1, 5):
        hands, stock, _, _ = imagined_cards(round_.view(seat), Random(1))
        assert stock == round_.stock
        assert first[0] in hands[2]
        assert len(hands[2]) == 2


@pytest.mark.parametrize(
    ("profile", "deck", "about"),
    [
        (HOWELL, CARDS * 2 + CARDS[:51], "3 whole packs of 52"),
        (HOWELL, parse_cards("7H " * 156), "3 whole packs of 52"),
        (LATE_PROPHET, CARDS[:14] * 7 + CARDS[:6], "2 whole packs of 52"),
        (ABBOTT, CARDS + CARDS[:40], "2 whole packs of 52"),
    ],
)
def test_only_whole_packs_can_be_imagined(profile: Profile, deck: Cards, about: str) -> None:
    round_ = Round.deal(profile, Rule.parse("card.is_red"), seats=5, dealer=0, deck=deck, first=1)
    after(round_, *(["no play"] if profile is LATE_PROPHET else []))  # three copies are in sight, of two packs
    with pytest.raises(Unimaginable) as error:
        imagined_cards(round_.view(2), Random(1))
    assert f"the round was not dealt from {about}; one that was can be imagined" in str(error.value)


def test_a_pick_is_not_imagined_under_a_rule_that_allows_none_of_the_shown_cards() -> None:
    asked = after(short(), "no play")
    assert asked.decision == Decision(DecisionKind.PICK, asked.dealer)
    assert Round.imagine(asked.view(2), Rule.parse("card.rank <= 13"), Random(1)).decision == asked.decision
    with pytest.raises(Unimaginable, match="a legal card must be picked"):
        Round.imagine(asked.view(2), NEVER, Random(1))


def test_a_reserve_is_imagined_in_whole_packs() -> None:
    round_ = Round.deal(ABBOTT, NEVER, seats=5, dealer=0, deck=CARDS * 6, first=1)
    _, _, reserve, _ = imagined_cards(round_.view(1), Random(1))
    packs = [reserve[at : at + 52] for at in range(0, 208, 52)]
    assert all(sorted(pack) == list(CARDS) for pack in packs)
    assert len(set(packs)) == 4
    assert all(pack != CARDS for pack in packs)
