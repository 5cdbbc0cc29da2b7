"""game.md §1, the second table, original-1956: mistake cards, two stages, and their points."""

from __future__ import annotations

from random import Random

import pytest

from eleusis_ai.cards import CARDS, cards_text, pack
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import ALTERNATE, RED, act, asked, deal, deal_packs, hand, play, refuses, told

NAME = "original-1956"


def table(*hands: str, rule: str | None = RED, seats: int | None = None) -> Round:
    """Deal a round of 1956 without left-over cards; seat 0 deals, the starter is 7H."""
    return deal(NAME, rule, *hands, stock="", seats=seats or len(hands) + 1)


def staged(*script: str) -> Round:
    """Deal a round in which colours alternate and each scientist has a red and a black card, and play ``script``."""
    round_ = table("2H 5S", "3H 6S", "4S 8S", rule=ALTERNATE)
    play(round_, *script)
    return round_


def mistakes(round_: Round, seat: int) -> str:
    """Return the mistake cards of a seat as text."""
    return cards_text(round_.public().mistakes[seat])


@pytest.mark.parametrize(("seats", "size", "left"), [(3, 25, 1), (4, 17, 0), (5, 12, 3), (8, 7, 2)])
def test_original_1_one_pack_is_dealt_out_evenly_but_for_the_starter(seats: int, size: int, left: int) -> None:
    round_ = deal_packs(NAME, seats=seats)
    assert [len(round_.hands[seat]) for seat in round_.scientists] == [size] * (seats - 1)
    assert (len(round_.layout.mainline), len(round_.stock), len(round_.reserve)) == (1, 0, 0)
    assert len(round_.aside) == left
    everything = (*round_.layout.mainline, *round_.aside, *(card for held in round_.hands for card in held))
    assert sorted(everything) == list(CARDS)


def test_original_1_the_deck_is_dealt_from_its_front_hands_then_the_starter_the_rest_is_set_aside() -> None:
    deck = pack()
    Random(3).shuffle(deck)
    round_ = Round.deal(PROFILES[NAME], Rule.parse(RED), seats=5, dealer=0, deck=deck)
    assert round_.hands == ((), *(tuple(deck[at : at + 12]) for at in range(0, 48, 12)))
    assert (round_.layout.mainline, round_.aside) == ((deck[48],), tuple(deck[49:]))


def test_original_1_the_starter_is_the_card_kept_whatever_the_rule_says() -> None:
    round_ = deal(NAME, RED, "2H", starter="7S", stock="", seats=3)
    assert "starter 7S" in told(round_)


@pytest.mark.parametrize("dealer", range(4))
def test_original_1_dealers_left_begins(dealer: int) -> None:
    assert deal_packs(NAME, seats=4, dealer=dealer).turn == (dealer + 1) % 4


def test_original_1_one_card_a_turn() -> None:
    round_ = table("2H 3H", "4H 5H")
    assert refuses(round_, "2H 3H")
    assert not refuses(round_, "2H")


def test_original_1_a_wrong_card_lies_face_up_before_its_player() -> None:
    round_ = table("2S 3H", "4H 5H")
    happened = play(round_, "1: 2S")
    assert happened[:2] == ["seat 1 plays 2S", "attempt of seat 1 wrong: 2S"]
    assert [mistakes(round_, seat) for seat in range(3)] == ["", "2S", ""]
    assert str(round_.layout) == "7H"
    assert hand(round_, 1) == "3H"


def test_original_1_a_mistake_card_is_not_got_rid_of() -> None:
    round_ = table("2S", "4S", "5H")
    play(round_, "1: 2S", "2: 4S", "3: 5H")
    assert (round_.emptied, str(round_.end_reason)) == (3, "emptied")
    assert round_.scores()[1:] == (0, 0, 2 + 6)


def test_original_1_stage_one_lasts_until_all_hands_are_played() -> None:
    round_ = staged("1: 2H", "2: 3H", "3: 4S", "1: 5S", "2: 6S")
    assert (round_.stage, asked(round_)) == (1, "seat 3: play")
    assert play(round_, "3: 8S")[-2:] == ["stage two begins", "turn of seat 1"]
    assert [mistakes(round_, seat) for seat in (1, 2, 3)] == ["2H 5S", "3H 6S", "8S"]


def test_original_1_stage_two_is_played_from_mistake_cards_chosen_freely() -> None:
    round_ = table("8H 3H 9H", "2H 5H 4H", rule="card.rank < last.rank or last.rank == 2")
    play(round_, "1: 8H", "2: 2H", "1: 9H", "2: 5H", "1: 3H")
    assert mistakes(round_, 1) == "8H"
    assert "stage two begins" in play(round_, "2: 4H")
    assert [mistakes(round_, seat) for seat in (1, 2)] == ["8H", "4H"]
    assert round_.stage == 2


def test_original_1_in_stage_two_any_mistake_card_may_be_played_also_a_wrong_one() -> None:
    round_ = table("2S 3H 4S", "5S 6H 8S", rule=ALTERNATE, seats=3)
    play(round_, "1: 3H", "2: 6H", "1: 2S", "2: 5S", "1: 4S", "2: 8S")
    assert [mistakes(round_, seat) for seat in (1, 2)] == ["3H 4S", "6H 5S 8S"]
    assert asked(round_) == "seat 1: play"
    assert [refuses(round_, card) for card in ("3H", "4S", "2S", "5S")] == [False, False, True, True]
    assert refuses(round_, "3H 4S")


def test_original_1_in_stage_two_a_wrong_card_returns_to_its_place_and_a_right_one_is_gone() -> None:
    round_ = table("2S 3H 4S", "5S 6H 8S", rule=ALTERNATE, seats=3)
    play(round_, "1: 3H", "2: 6H", "1: 2S", "2: 5S", "1: 4S", "2: 8S", "1: 4S")
    assert mistakes(round_, 1) == "3H 4S"
    play(round_, "2: 6H")
    assert mistakes(round_, 2) == "5S 8S"
    assert str(round_.layout).endswith("2S 6H")


def test_original_1_in_stage_two_a_seat_with_no_legal_card_is_passed() -> None:
    round_ = staged("1: 2H", "2: 3H", "3: 4S", "1: 5S", "2: 6S", "3: 8S", "1: 2H")
    assert play(round_, "2: 6S") == [
        "seat 2 plays 6S",
        "attempt of seat 2 right: 6S",
        "seat 3 is passed, none of 8S being legal",
        "seat 1 is passed, none of 5S being legal",
        "turn of seat 2",
    ]


def test_original_1_no_penalty_is_drawn_and_there_is_no_no_play_no_prophet_and_no_expulsion() -> None:
    round_ = deal_packs(NAME, rule="card.rank > 13", seats=4)
    assert refuses(round_, "no play")
    for _ in range(14):
        act(round_, str(round_.legal_moves().hand[0]))
        assert asked(round_).endswith("play")
        assert (round_.expelled, round_.danger) == ((), False)
    assert not any(" draws " in event for event in told(round_))


def test_original_1_in_stage_one_the_round_of_turns_is_finished_when_someone_goes_out() -> None:
    round_ = table("2H 3H", "4H 5S", "6S 8H", seats=4)
    play(round_, "1: 2H", "2: 4H", "3: 6S", "1: 3H")
    assert (hand(round_, 1), mistakes(round_, 1), asked(round_)) == ("", "", "seat 2: play")
    play(round_, "2: 5S")
    assert asked(round_) == "seat 3: play"
    play(round_, "3: 8H")
    assert (round_.stage, str(round_.end_reason)) == (1, "emptied")


def test_original_1_in_stage_two_the_round_ends_at_once_when_someone_has_no_card_left() -> None:
    round_ = staged("1: 2H", "2: 3H", "3: 4S", "1: 5S", "2: 6S", "3: 8S", "1: 2H", "2: 6S", "2: 3H")
    assert (str(round_.end_reason), round_.emptied) == ("emptied", 2)
    assert round_.scores() == (5 - 3, 0, 2 + 6, 0)


@pytest.mark.parametrize("scientists", [2, 3, 6])
def test_original_1_ends_after_five_laps_without_a_right_card(scientists: int) -> None:
    round_ = deal(NAME, "card.rank > 13", "2S " * 8, stock="", seats=scientists + 1)
    for turn in range(5 * scientists):
        assert not round_.over, turn
        act(round_, str(round_.legal_moves().hand[0]))
    assert str(round_.end_reason) == "stalled"


def test_original_1_a_right_card_begins_the_count_of_laps_anew() -> None:
    round_ = table("2S " * 4 + "3H" + " 2S" * 5, "2S " * 10)
    for card in ("2S",) * 8 + ("3H",) + ("2S",) * 9:
        act(round_, card)
    assert (round_.idle, round_.over) == (9, False)
    act(round_, "2S")
    assert str(round_.end_reason) == "stalled"


def test_original_1_nobody_can_move_any_more() -> None:
    """No mistake card of anybody is legal, and nobody can change the mainline: as good as five laps (decided)."""
    round_ = table("2S", "4S", seats=3)
    happened = play(round_, "1: 2S", "2: 4S")
    assert happened[-6:] == [
        "stage two begins",
        "seat 1 is passed, none of 2S being legal",
        "seat 2 is passed, none of 4S being legal",
        "round ends: stalled",
        "points: 0 3 3",
        "rule: card.is_red",
    ]


def test_original_1_a_dealer_by_hand_is_asked_whether_a_seat_has_a_legal_mistake_card() -> None:
    round_ = table("2S", "4S", rule=None, seats=3)
    play(round_, "1: 2S", "0: wrong", "2: 4S", "0: wrong")
    assert (round_.stage, asked(round_), round_.turn) == (2, "seat 0: call", 1)
    assert [refuses(round_, answer) for answer in ("right", "wrong", "wrong 2S")] == [False, False, True]
    assert play(round_, "0: right") == ["seat 1 is passed, none of 2S being legal"]
    assert play(round_, "0: wrong") == ["turn of seat 2"]
    assert asked(round_) == "seat 2: play"
    play(round_, "2: 4S", "0: wrong")
    assert mistakes(round_, 2) == "4S"
    play(round_, "0: right")
    assert play(round_, "0: right")[-2:] == ["round ends: stalled", "points: 0 3 3"]


@pytest.mark.parametrize(
    ("left", "scores"),
    [
        # Cards left after stage one, in which no mistake card is legal; the dealer's points first.
        ((0, 3, 2), (5, 5 + 6, 0, 0)),
        ((2, 3, 4), (3, 7 - 4 + 6, 0, 0)),
        ((1, 3, 2), (3, 5 - 2 + 6, 0, 0)),
        ((1, 1, 4), (3, 5 - 2 + 3, 5 - 2 + 3, 0)),
        ((2, 2, 2), (0, 2, 2, 2)),
        ((1, 5, 2), (5, 7 - 2 + 6, 0, 6 - 4)),
    ],
)
def test_original_1_points(left: tuple[int, ...], scores: tuple[int, ...]) -> None:
    """(Cards of all others) - (n - 1) x own, at least 0; 6 for the fewest, shared; dealer: the leader's, less 6."""
    round_ = table(*("3H " * (6 - count) + "3S " * count for count in left))
    while not round_.over:
        act(round_, str(round_.legal_moves().hand[0]))
    assert tuple(len(round_.mistakes[seat]) for seat in round_.scientists) == left
    assert round_.scores() == scores


def test_original_1_the_dealers_points_are_fixed_at_the_end_of_stage_one() -> None:
    round_ = table("2H 3H 4S 4S", "2S 3S 5S 5H", rule=ALTERNATE, seats=3)
    play(round_, "1: 2H", "2: 2S", "1: 3H", "2: 3S", "1: 4S", "2: 5S", "1: 4S", "2: 5H")
    assert round_.stage == 2
    fixed = round_.public().dealer_points
    counts = [len(round_.mistakes[seat]) for seat in (1, 2)]
    assert fixed == max(counts) - min(counts)
    while not round_.over:
        last = round_.layout.mainline[-1]
        act(round_, str(next(card for card in round_.legal_moves().hand if card.color != last.color)))
    assert [len(round_.mistakes[seat]) for seat in (1, 2)] != counts
    assert round_.scores()[0] == fixed


def test_original_1_the_dealers_points_where_the_round_ends_in_stage_one() -> None:
    """The mistake cards count as they lie then (decided)."""
    round_ = deal(NAME, "card.rank < 4", "2S " * 1 + "9S " * 11, "9S " * 12, stock="", seats=3)
    act(round_, "2S")
    while not round_.over:
        act(round_, "9S")
    assert (round_.stage, round_.public().dealer_points) == (1, None)
    assert [len(round_.mistakes[seat]) for seat in (1, 2)] == [5, 5]
    assert round_.scores()[0] == 0
