"""The round as an object: what it hands out, and what it answers when asked too early or too late."""

from __future__ import annotations

from random import Random

import pytest

from eleusis_ai.cards import CARDS
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import Attempt, Pass, parse_move
from eleusis_ai.profiles import HOWELL
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.test_view import HANDS, after, short

TO_THE_END = ["7H 8H", "pass", "2D 3D", "pass", "4D 5D", "pass", "no play"]


def test_a_round_before_its_first_move() -> None:
    round_ = short()
    assert round_.hands == ((), *HANDS)
    assert (round_.over, round_.end_reason, round_.emptied) == (False, None, None)
    assert round_.moves == ()
    assert list(map(str, round_.events)) == [
        *("seat 1 is dealt 4", "seat 2 is dealt 4", "seat 3 is dealt 4"),
        *("starter 7D found legal", "turn of seat 1"),
    ]
    with pytest.raises(ValueError, match="points are counted when the round is over, and this one goes on"):
        round_.scores()
    assert round_.record().scores is None


def test_a_round_that_is_over() -> None:
    round_ = after(short(), *TO_THE_END)
    assert round_.over
    assert round_.decision is None
    assert round_.emptied == 1
    assert round_.scores() == round_.record().scores == (6, 6, 0, 0)
    for ask in (round_.legal_moves, lambda: round_.check(Pass()), lambda: round_.apply(Pass())):
        with pytest.raises(IllegalMove) as error:
            ask()
        assert str(error.value) == "the round is over: no move is legal; look at `scores()`"


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        ([], "KS", "seat 1: play: the hand does not hold KS; play cards of the hand, as in '2C'"),
        ([], "pass", "seat 1: play: it is a turn: play cards of the hand, as in '2C', or declare 'no play'"),
        (["7H"], "8H", "seat 1: after turn: 8H is not an answer here; one of: pass, prophet"),
        (["7H", "prophet", "2D"], "wrong 2D", "seat 1: call: wrong 2D is not an answer here; one of: right, wrong"),
        (["no play"], "pick 2C", "seat 0: pick: pick 2C is not an answer here; one of: pick 7H, pick 8H"),
    ],
)
def test_check_says_what_apply_says(moves: list[str], move: str, why: str) -> None:
    round_ = after(short(), *moves)
    for ask in (round_.check, round_.apply):
        with pytest.raises(IllegalMove) as error:
            ask(parse_move(move))
        assert str(error.value) == why
    assert round_.moves == tuple(map(parse_move, moves))


def test_check_makes_no_move() -> None:
    round_ = short()
    round_.check(Attempt((HANDS[0][0],)))
    assert round_.moves == ()
    assert round_.hands[1] == HANDS[0]


def test_apply_tells_what_happened_secrets_included() -> None:
    assert list(map(str, short().apply(parse_move("2C")))) == [
        "seat 1 plays 2C",
        "attempt of seat 1 wrong: 2C",
        "seat 1 draws 2: AC 4C",
    ]


def test_of_equal_cards_the_earlier_leaves_first() -> None:
    round_ = Round.deal(
        HOWELL, Rule.parse("card.is_red"), seats=4, dealer=0, deck=[*CARDS[:7] * 2, *CARDS * 2], first=1
    )
    assert round_.hands[1] == CARDS[:7] * 2
    round_.apply(Attempt((CARDS[2],)))
    assert round_.hands[1][:13] == (*CARDS[:2], *CARDS[3:7], *CARDS[:7])


def test_a_copy_of_an_imagined_round_goes_its_own_way() -> None:
    round_ = Round.deal(HOWELL, Rule.parse("card.is_red"), seats=4, dealer=0, deck=CARDS * 3, first=1)
    imagined = Round.imagine(round_.view(1), round_.rule, Random(1))
    twin = imagined.copy()
    twin.apply(twin.legal_moves().sample(Random(1)))
    assert imagined.moves == ()
    assert imagined.view(1) == round_.view(1)
