"""game.md §2, steps 3 to 5: judgement, and the outcome of an attempt or a no play."""

from __future__ import annotations

import pytest

from tests.rulebook.table import (
    ALTERNATE,
    MANY,
    RED,
    WHOLE,
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
    told,
    wrong_string,
)

# 3. Judgement.


@profiles
@pytest.mark.parametrize(("card", "line"), [("2H", "7H 2H"), ("3S", "7H(3S)")])
def test_2_3_without_a_prophet_the_dealers_truth_is_the_outcome(profile: str, card: str, line: str) -> None:
    table = deal(profile, RED, "2H 3S 4H")
    play(table, f"1: {card}")
    assert str(table.layout) == line


@profiles
def test_2_3_a_dealer_who_judges_by_hand_is_asked_for_the_truth(profile: str) -> None:
    table = deal(profile, None, "2H 3S 4H", "2S 3S 4S", "2H 3H 4H", seats=5)
    play(table, "1: 3S", "0: right", "2: 2S 3S", f"0: {wrong_string(profile)}")
    assert str(table.layout) == "7H 3S(2S 3S)"
    play(table, "3: no play", "0: wrong", "0: pick 3H")
    assert str(table.layout) == ("7H 3S(2S 3S)" if profile == "late-prophet" else "7H 3S(2S 3S) 3H")
    assert "no play of seat 3 wrong: 2H 3H 4H" in told(table)


@prophet_profiles
def test_2_3_the_prophet_answers_before_a_dealer_who_judges_by_hand(profile: str) -> None:
    table = deal(at_once(profile), None, "2H 3S 4H", "2S 3S 4S", seats=5)
    play(table, "1: 3S", "0: right", "1: prophet", "2: 2S")
    assert asked(table) == "seat 1: call"
    play(table, "1: right")
    assert asked(table) == "seat 0: call"
    play(table, "0: wrong")
    assert str(table.layout) == "7H 3S(2S)"
    assert (table.prophet, table.former_prophets) == (None, (1,))


@prophet_profiles
@pytest.mark.parametrize(
    ("answer", "prophet", "question"),
    [("wrong 3H", 1, "seat 3: play"), ("wrong", 1, "seat 0: pick"), ("right", None, "seat 2: after turn")],
)
def test_2_3_a_dealer_who_judges_by_hand_upholds_or_refuses_the_card_a_prophet_named(
    profile: str, answer: str, prophet: int | None, question: str
) -> None:
    table = deal(at_once(profile), None, "2H 3S 4H", "2H 3H 4H 5H 6H", seats=5)
    play(table, "1: 3S", "0: right", "1: prophet", "2: no play", "1: wrong 3H", f"0: {answer}")
    assert (table.prophet, asked(table)) == (prophet, question)


@prophet_profiles
def test_2_3_a_dealer_who_judges_by_hand_cannot_pick_the_card_he_refused(profile: str) -> None:
    table = deal(at_once(profile), None, "2H 3S 4H", "2H 3H 4H", seats=5)
    play(table, "1: 3S", "0: right", "1: prophet", "2: no play", "1: wrong 3H", "0: wrong")
    assert [str(move) for move in table.legal_moves()] == ["pick 2H", "pick 4H"]
    play(table, "0: pick 4H")
    assert table.prophet is None


@prophet_profiles
def test_2_3_a_dealer_who_judges_by_hand_cannot_refuse_the_only_card(profile: str) -> None:
    table = deal(at_once(profile), None, "2H", "2H", "2H", seats=5)
    play(table, "1: 2H", "0: wrong", "1: prophet", "2: no play", "1: wrong 2H")
    assert [str(move) for move in table.legal_moves()] == ["right", "wrong 2H"]


@prophet_profiles
def test_2_3_the_prophet_answers_right_or_wrong_to_an_attempt_of_one_card(profile: str) -> None:
    table = deal(at_once(profile), RED, seats=5)
    play(table, "1: KH", "1: prophet", "2: KH")
    assert [str(move) for move in table.legal_moves()] == ["right", "wrong"]


@per_profile(
    abbott=["right", "wrong"],
    howell=["right", "wrong"],
    late_prophet=["right", "wrong after 0", "wrong after 1", "wrong after 2"],
)
def test_2_3_the_prophet_answers_to_a_string(profile: str, expected: list[str]) -> None:
    table = deal(at_once(profile), RED, seats=5)
    play(table, "1: KH", "1: prophet", "2: KH KH KH")
    assert [str(move) for move in table.legal_moves()] == expected


@prophet_profiles
def test_2_3_the_prophet_answers_right_or_names_a_card_of_a_shown_hand(profile: str) -> None:
    table = deal(at_once(profile), RED, "KH KH KH", "2H 3S 2H", seats=5)
    play(table, "1: KH", "1: prophet", "2: no play")
    assert [str(move) for move in table.legal_moves()] == ["right", "wrong 2H", "wrong 3S"]


@prophet_profiles
@pytest.mark.parametrize("answer", ["wrong 2H", "wrong after 3", "pick 2H", "pass", "prophet", "no play", "2H"])
def test_2_3_any_other_answer_to_an_attempt_is_illegal(profile: str, answer: str) -> None:
    table = deal(at_once(profile), RED, "KH KH KH KH", "2H 3H 4H 5H", seats=5)
    play(table, "1: KH", "1: prophet", "2: 2H 3H 4H")
    assert refuses(table, answer)


@prophet_profiles
@pytest.mark.parametrize("answer", ["wrong", "wrong 4H", "wrong KH", "wrong after 0", "pick 2H", "pass"])
def test_2_3_any_other_answer_to_a_no_play_is_illegal(profile: str, answer: str) -> None:
    table = deal(at_once(profile), RED, "KH KH KH", "2H 3S 2H", seats=5)
    play(table, "1: KH", "1: prophet", "2: no play")
    assert refuses(table, answer)


@prophet_profiles
@pytest.mark.parametrize(
    ("move", "answer", "line"),
    [("2H", "right", "7H KH 2H"), ("3S", "wrong", "7H KH(3S)"), ("no play", "wrong 2H", None)],
)
def test_2_3_the_dealer_approves_a_true_answer(profile: str, move: str, answer: str, line: str | None) -> None:
    table = deal(at_once(profile), RED, "KH KH KH", "2H 3S 3S", seats=5)
    play(table, "1: KH", "1: prophet", f"2: {move}", f"1: {answer}")
    assert (table.prophet, table.former_prophets) == (1, ())
    assert asked(table) == "seat 3: play"
    assert line is None or str(table.layout) == line


@prophet_profiles
def test_2_3_the_dealer_approves_a_true_no_play(profile: str) -> None:
    table = deal(at_once(profile), RED, "KH KH KH KH KH", "2S 3S 4S 5S 6S", seats=5)
    play(table, "1: KH", "1: prophet", "2: no play", "1: right")
    assert (table.prophet, len(table.hands[2])) == (1, 1)


def test_late_prophet_2_3_the_dealer_approves_only_the_true_number_of_leading_cards() -> None:
    for answer, prophet in [("right", None), ("wrong after 0", None), ("wrong after 1", 1), ("wrong after 2", None)]:
        table = deal(at_once("late-prophet"), RED, "KH KH KH KH", "2H 3S 4H 5H", seats=5)
        play(table, "1: KH", "1: prophet", "2: 2H 3S 4H", f"1: {answer}")
        assert table.prophet == prophet, answer
        assert str(table.layout) == "7H KH 2H(3S 4H)"


# 4. Outcome of an attempt.


@profiles
def test_2_4_right_cards_extend_the_mainline(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H")
    play(table, "1: 2H 3H")
    assert str(table.layout) == "7H 2H 3H"


@profiles
def test_2_4_wrong_cards_hang_as_one_branch_in_order_below_the_last_card(profile: str) -> None:
    table = deal(profile, RED, *["3S 2S 4S 2H 5H"] * 4, seats=5)
    play(table, "1: 2H", "2: 4S 2S 3S", "3: 3S")
    assert str(table.layout) == "7H 2H(4S 2S 3S, 3S)"


@pytest.mark.parametrize("profile", WHOLE)
def test_2_4_the_seat_is_expelled_after_drawing(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    before = len(table.hands[3])
    known = len(told(table))
    assert act(table, "3S 3S") == 3
    since = told(table)[known:]
    drawn = next(at for at, text in enumerate(since) if text.startswith("seat 3 draws"))
    assert drawn < since.index("seat 3 is expelled")
    assert len(table.hands[3]) == before - 2 + 4


@pytest.mark.parametrize("profile", WHOLE)
def test_2_4_an_expelled_hand_stays(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    seat = act(table, "3S")
    held, line = hand(table, seat), str(table.layout)
    act(table, "KH")
    act(table, "KH")
    assert hand(table, seat) == held != ""
    assert str(table.layout) == f"{line} KH KH"


def test_howell_2_4_a_short_draw_expels_all_the_same() -> None:
    table = deal("howell", RED, *[MANY] * 4, seats=5, stock="2C 3C 4C")
    lay(table, 32)
    seat = act(table, "3S 3S")
    assert hand(table, seat).endswith("2C 3C 4C")
    assert (table.expelled, table.over) == ((seat,), True)


# 5. Outcome of a no play.


@profiles
def test_2_5_right_no_play_gets_a_replacement_hand_from_the_front_of_the_stock(profile: str) -> None:
    table = deal(profile, RED, "2S 3S 4S 5S 6S 8S", stock="2C 3C 4C")
    play(table, "1: no play")
    assert hand(table, 1) == "2C 3C"


@profiles
def test_2_5_no_play_is_right_if_no_single_card_is_legal_now(profile: str) -> None:
    table = deal(profile, ALTERNATE, "2H 3H 4H 5H 6H")
    play(table, "1: no play")
    assert "no play of seat 1 right: 2H 3H 4H 5H 6H" in told(table)


@profiles
def test_2_5_no_play_is_wrong_if_one_card_is_legal(profile: str) -> None:
    table = deal(profile, ALTERNATE, "2H 3H 4H 5S 6H")
    play(table, "1: no play", "0: pick 5S")
    assert "no play of seat 1 wrong: 2H 3H 4H 5S 6H" in told(table)


@profiles
def test_2_5_pick_is_asked_of_the_dealer_even_if_one_card_is_legal(profile: str) -> None:
    table = deal(profile, RED, "2S 3H 4S", seats=5, dealer=3, first=4)
    play(table, "4: no play")
    assert asked(table) == "seat 3: pick"
    assert [str(move) for move in table.legal_moves()] == ["pick 3H"]


@pytest.mark.parametrize("profile", ["howell", "no-prophet"])
def test_2_5_wrong_no_play_expels_after_drawing(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 32)
    before = len(table.hands[1])
    assert act(table, "no play") == 1
    happened = play(table, "0: pick KH")
    drawn = next(at for at, text in enumerate(happened) if text.startswith("seat 1 draws 5"))
    assert drawn < happened.index("seat 1 is expelled")
    assert len(table.hands[1]) == before - 1 + 5
