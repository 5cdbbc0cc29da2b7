"""game.md §1, the second table, express-2006, and how a stated rule is judged."""

from __future__ import annotations

import pytest

from eleusis_ai.cards import parse_cards
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import ALTERNATE, RED, SPARE, asked, deal, deal_packs, hand, house, play, refuses, told

NAME = "express-2006"
TWELVE = "2H 3H 4H 5H 6H 8H 9H 10H JH QH 2S 3S"


def table(*hands: str, rule: str | None = RED, starter: str = "7H", stock: str = SPARE) -> Round:
    """Deal a round with seat 0 as its dealer."""
    return deal(NAME, rule, *hands, seats=max(3, len(hands) + 1), starter=starter, stock=stock)


@pytest.mark.parametrize("seats", [3, 8])
def test_express_1_three_to_eight_players_two_packs_twelve_cards(seats: int) -> None:
    round_ = deal_packs(NAME, seats=seats)
    assert [len(round_.hands[seat]) for seat in round_.scientists] == [12] * (seats - 1)
    assert len(round_.stock) == 104 - 12 * (seats - 1) - 1


def test_express_1_the_starter_is_the_top_card_whatever_the_rule_says() -> None:
    assert "starter 7S" in told(table("2H", starter="7S"))


def test_express_1_dealers_left_begins() -> None:
    assert [deal_packs(NAME, seats=4, dealer=dealer).turn for dealer in range(4)] == [1, 2, 3, 0]


def test_express_1_one_card_a_turn() -> None:
    round_ = table("2H 3H")
    assert (refuses(round_, "2H 3H"), refuses(round_, "2H")) == (True, False)


def test_express_1_a_wrong_card_costs_one() -> None:
    round_ = table("2S 3H", stock="2C 3C")
    play(round_, "1: 2S")
    assert (hand(round_, 1), str(round_.layout)) == ("3H 2C", "7H(2S)")


@pytest.mark.parametrize("size", [2, 5, 12])
def test_express_1_a_right_no_play_gets_a_new_hand_one_card_smaller(size: int) -> None:
    round_ = table("2S " * size)
    assert f"seat 1 draws {size - 1}: {'KC ' * (size - 1)}".rstrip() in play(round_, "1: no play")


def test_express_1_a_right_no_play_with_one_card_empties_the_hand() -> None:
    round_ = table("2S", "3S")
    play(round_, "1: no play", "1: pass")
    assert (str(round_.end_reason), round_.emptied) == ("emptied", 1)


def test_express_1_a_wrong_no_play_has_a_legal_card_played_and_one_drawn() -> None:
    round_ = table("2S 3H", stock="2C 3C")
    play(round_, "1: no play", "0: pick 3H")
    assert (hand(round_, 1), str(round_.layout)) == ("2S 2C", "7H 3H")


def test_express_1_no_prophet_and_no_expulsion() -> None:
    assert PROFILES[NAME].prophet is None
    round_ = deal(house(NAME, max_seats=3), "card.rank > 13", "2S " * 45, "2S " * 45, stock="KC " * 100, seats=3)
    for turn in range(80):
        assert not any("expul" in event or "expelled" in event for event in play(round_, f"{1 + turn % 2}: 2S"))


def test_express_1_the_round_ends_once_the_stock_is_out() -> None:
    round_ = table("2S 3S", "4S 5S", stock="2C")
    play(round_, "1: 2S")
    assert (str(round_.end_reason), round_.stock) == ("stock", ())


def test_express_1_after_a_right_play_the_player_may_state_the_rule() -> None:
    round_ = table("2H 3H", "4H 5H")
    play(round_, "1: 2H")
    assert asked(round_) == "seat 1: state rule"
    assert [refuses(round_, move) for move in ("pass", "state card.is_odd", "prophet", "3H")] == [
        *(False, False, True, True),
    ]
    assert play(round_, "1: pass") == ["turn of seat 2"]


def test_express_1_after_a_right_no_play_too() -> None:
    round_ = table("2S 3S", "4H 5H")
    play(round_, "1: no play")
    assert asked(round_) == "seat 1: state rule"


@pytest.mark.parametrize("script", [("1: 2S",), ("1: no play", "0: pick 3H")])
def test_express_1_not_after_a_wrong_play(script: tuple[str, ...]) -> None:
    round_ = table("2S 3H", "4H 5H")
    play(round_, *script)
    assert asked(round_) == "seat 2: play"


def test_express_1_a_rule_on_rejected_cards_may_not_be_stated() -> None:
    round_ = table("2H 3H", "4H 5H")
    play(round_, "1: 2H")
    assert refuses(round_, "state len(rejected) < 3")


def test_express_1_a_wrong_statement_is_public_and_free() -> None:
    round_ = table("2H 3H", "4H 5H")
    play(round_, "1: 2H")
    assert play(round_, "1: state card.suit == H") == [
        "seat 1 states card.suit == H",
        "statement of seat 1 wrong, proved",
        "turn of seat 2",
    ]
    assert (hand(round_, 1), len(round_.stock)) == ("3H", 60)
    assert [str(statement) for statement in round_.view(2).public.statements] == ["seat 1 states card.suit == H"]


def test_express_1_a_right_statement_ends_the_round() -> None:
    round_ = table("2H 3H", "4H 5H")
    assert play(round_, "1: 2H", "1: state card.is_red")[-5:] == [
        "seat 1 states card.is_red",
        "statement of seat 1 right, proved",
        "round ends: stated",
        "points: 7 7 0",
        "rule: card.is_red",
    ]
    assert round_.public().stated == 1


def test_express_1_a_statement_is_heard_before_the_end_is_looked_for() -> None:
    round_ = table("2H", "4H")
    play(round_, "1: 2H")
    assert (round_.over, str(round_.public().ending), hand(round_, 1)) == (False, "emptied", "")
    play(round_, "1: state card.is_red")
    assert (str(round_.end_reason), round_.emptied, round_.stated) == ("stated", 1, 1)
    assert round_.scores() == (1 + 3 + 6, 1 + 3 + 6, 0)


@pytest.mark.parametrize("answer", ["pass", "state card.is_odd"])
def test_express_1_after_an_emptied_hand_without_a_right_statement_the_round_ends(answer: str) -> None:
    round_ = table("2H", "4H")
    play(round_, "1: 2H", f"1: {answer}")
    assert (str(round_.end_reason), round_.stated) == ("emptied", None)
    assert round_.scores() == (1 + 3, 1 + 3, 0)


def test_express_1_a_statement_is_heard_before_the_stocks_end_is_looked_for() -> None:
    round_ = table("2H 3H", "4H 5H", stock="")
    play(round_, "1: 2H")
    assert str(round_.public().ending) == "stock"
    play(round_, "1: state card.is_red")
    assert str(round_.end_reason) == "stated"


@pytest.mark.parametrize(
    ("plays", "scores"),
    [
        (("1: 2H", "2: 2H", "1: 3H"), (2, 2, 1)),
        (("1: 2H", "2: 2S", "1: 3H"), (2, 2, 0)),
        (("1: 2S", "2: 2H"), (1, 0, 1)),
    ],
)
def test_express_1_the_score_is_twelve_less_the_hand_at_least_0(
    plays: tuple[str, ...], scores: tuple[int, ...]
) -> None:
    stop = (*plays, f"{plays[-1][0]}: state {RED}")
    round_ = table(TWELVE, TWELVE)
    play(round_, *stop)
    winner = int(plays[-1][0])
    expected = [score + 6 * (seat in (0, winner)) for seat, score in enumerate(scores)]
    assert round_.scores() == tuple(expected)
    assert round_.scores()[0] == max(round_.scores()[1:])


def test_express_1_who_was_never_right_has_0() -> None:
    round_ = table("2S 3S", "2S 3S", stock="2C 3C 4C")
    play(round_, "1: 2S", "2: 2S", "1: 3S")
    assert (str(round_.end_reason), round_.public().hand_sizes) == ("stock", (0, 2, 2))
    assert round_.scores() == (0, 0, 0)


def test_express_1_the_dealer_by_hand_is_asked_about_a_statement() -> None:
    for answer, ended in (("right", "stated"), ("wrong", "None")):
        round_ = table("2H 3H", "4H 5H", rule=None)
        play(round_, "1: 2H", "0: right", "1: state card.is_odd")
        assert asked(round_) == "seat 0: call"
        assert str(round_.view(2).public.attempt) == "state card.is_odd"
        assert [refuses(round_, other) for other in ("right", "wrong", "wrong 2H", "wrong after 0")] == [
            *(False, False, True, True),
        ]
        assert f"statement of seat 1 {answer}, not proved" in play(round_, f"0: {answer}")
        assert str(round_.end_reason) == ended


# "Stating the rule" is judged by equivalence, never by wording.


@pytest.mark.parametrize(
    ("secret", "line", "said", "right"),
    [
        (ALTERNATE, "7H 8S", "not (card.is_red and last.is_red or card.is_black and last.is_black)", True),
        (ALTERNATE, "7H 8S", "card.is_red if last.is_black else card.suit in {C, S}", True),
        # "The same colour", after a red mainline, is "red", and nobody can tell them apart any more.
        ("card.color == last.color", "7H 8D", RED, True),
        (RED, "7H 8D", "card.color == last.color", True),
        ("card.color == last.color", "7S 8C", RED, False),
        # Nearly right: it differs on one card in one situation.
        (RED, "7H 8D", "card.is_red and not (card.rank == 2 and card.suit == D and last.rank == K)", False),
        (
            RED,
            "7H 8D",
            "card.is_red or card.rank == 2 and card.suit == S and last.rank == K and last.suit == D",
            False,
        ),
        # The same, in a situation that can no longer be reached.
        (RED, "7H 8D", "card.is_red and not (card.rank == 2 and card.suit == D and last.is_black)", True),
        # The past does not count: the rule as stated would not have allowed what was played.
        ("card.rank != last.rank", "7H 8D", "card.rank != last.rank and position > 1", True),
        ("position < 2 or card.is_red", "7S 8S 9D", RED, True),
    ],
)
def test_1_a_statement_is_judged_by_equivalence_from_the_current_mainline(
    secret: str, line: str, said: str, right: bool
) -> None:
    *before, last = parse_cards(line)
    rule = Rule.parse(secret)
    assert all(rule.allows(before[:at], before[at]) for at in range(1, len(before)))
    starter, *laid = [*before, last]
    hands = ["KS"] * 2
    for index, card in enumerate(laid):
        hands[index % 2] += f" {card}"
    round_ = table(*hands, rule=secret, starter=str(starter))
    for index, card in enumerate(laid):
        play(round_, f"{1 + index % 2}: {card}")
    seat = 2 - len(laid) % 2
    assert asked(round_) == f"seat {seat}: state rule"
    play(round_, f"{seat}: state {said}")
    assert (round_.stated == seat) is right
    verdict = f"statement of seat {seat} {'right' if right else 'wrong'}, proved"
    assert verdict in told(round_)


def test_1_the_answer_says_that_it_was_sampled() -> None:
    secret = "count(x.is_red for x in mainline) >= count(x.is_odd for x in mainline) or card.is_red"
    round_ = table("2H 3H", "4H 5H", rule=secret)
    play(round_, "1: 2H", f"1: state {secret} or card.is_red")
    assert "statement of seat 1 right, not proved" in told(round_)
