from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.legal import LONGEST_SAMPLED, LegalMoves
from eleusis_ai.moves import Attempt, Call, DecisionKind, Move, NoPlay, parse_move

PLAY, AFTER_TURN = DecisionKind.PLAY, DecisionKind.AFTER_TURN
CALL, PICK = DecisionKind.CALL, DecisionKind.PICK


def play(hand: str, longest: int) -> LegalMoves:
    return LegalMoves(PLAY, parse_cards(hand), longest)


def calls(*texts: str) -> LegalMoves:
    answers = tuple(move for move in map(parse_move, texts) if isinstance(move, Call))
    return LegalMoves(CALL, calls=answers)


@pytest.mark.parametrize(
    ("moves", "texts"),
    [
        (play("7H", 1), ["7H", "no play"]),
        (play("7H 8D", 1), ["7H", "8D", "no play"]),
        (play("7H 8D", 2), ["7H", "8D", "7H 8D", "8D 7H", "no play"]),
        (play("7H 7H", 2), ["7H", "7H 7H", "no play"]),
        (play("7H 8D 7H", 2), ["7H", "8D", "7H 8D", "7H 7H", "8D 7H", "no play"]),
        (play("7H 8D 7H", 3), ["7H", "8D", "7H 8D", "7H 7H", "8D 7H", "7H 8D 7H", "7H 7H 8D", "8D 7H 7H", "no play"]),
        (LegalMoves(AFTER_TURN), ["pass", "prophet"]),
        (LegalMoves(PICK, parse_cards("7H 8D 7H")), ["pick 7H", "pick 8D"]),
        (calls("right", "wrong"), ["right", "wrong"]),
        (calls("right", "wrong 7H", "wrong 8D"), ["right", "wrong 7H", "wrong 8D"]),
        (calls("right", "wrong after 0", "wrong after 1"), ["right", "wrong after 0", "wrong after 1"]),
    ],
)
def test_the_moves_of_a_decision(moves: LegalMoves, texts: list[str]) -> None:
    assert list(map(str, moves)) == texts
    assert moves.count == len(texts)
    assert all(parse_move(text) in moves for text in texts)


@pytest.mark.parametrize(
    ("size", "longest", "count"),
    [(1, 1, 2), (14, 1, 15), (14, 2, 14 + 14 * 13 + 1), (14, 4, 14 + 182 + 2184 + 24024 + 1)],
)
def test_moves_are_counted_without_being_listed(size: int, longest: int, count: int) -> None:
    assert LegalMoves(PLAY, CARDS[:size], longest).count == count


def test_a_count_may_pass_every_machine_integer() -> None:
    count = LegalMoves(PLAY, CARDS[:40], 40).count
    assert count > 2**150
    assert next(iter(LegalMoves(PLAY, CARDS[:40], 40))) == Attempt((CARDS[0],))


@pytest.mark.parametrize(
    ("moves", "move", "why"),
    [
        (play("7H 8D", 2), "9D", "the hand does not hold 9D; play cards of the hand, as in '7H'"),
        (play("7H 8D", 2), "7H 7H", "the hand holds only 1 of 7H; play cards of the hand, as in '7H'"),
        (play("7H 8D 7H", 2), "7H 8D 7H", "a string has at most 2 cards here, and this one 3"),
        (play("7H 8D", 2), "pass", "it is a turn: play cards of the hand, as in '7H', or declare 'no play'"),
        (play("7H 8D", 2), "right", "it is a turn: play cards of the hand, as in '7H', or declare 'no play'"),
        (LegalMoves(AFTER_TURN), "no play", "no play is not an answer here; one of: pass, prophet"),
        (LegalMoves(AFTER_TURN), "7H", "7H is not an answer here; one of: pass, prophet"),
        (
            LegalMoves(PICK, parse_cards("7H 8D")),
            "pick 9D",
            "pick 9D is not an answer here; one of: pick 7H, pick 8D",
        ),
        (calls("right", "wrong"), "wrong after 1", "wrong after 1 is not an answer here; one of: right, wrong"),
        (calls("right", "wrong 7H"), "wrong", "wrong is not an answer here; one of: right, wrong 7H"),
        (calls("right", "wrong 7H"), "wrong 8D", "wrong 8D is not an answer here; one of: right, wrong 7H"),
    ],
)
def test_why_a_move_may_not_be_made(moves: LegalMoves, move: str, why: str) -> None:
    assert moves.problem(parse_move(move)) == why
    assert parse_move(move) not in moves


def test_an_attempt_holds_cards() -> None:
    moves = play("7H 8D", 2)
    assert moves.problem(Attempt(())) == "an attempt has at least one card, as in '7H'"
    for cards in [(32,), [Card(32)], "7H"]:
        assert moves.problem(Attempt(cards)) is not None  # type: ignore[arg-type]  # what an agent without types might send


class Unwritable:
    def __repr__(self) -> str:
        raise RuntimeError("not me")


@pytest.mark.parametrize(
    "cards", [("7H",), None, (99,), (object(),), (Unwritable(),)], ids=["7H", "None", "99", "object", "bad"]
)
def test_an_attempt_that_has_no_text_is_answered_too(cards: object) -> None:
    attempt = Attempt(cards)  # type: ignore[arg-type]  # what an agent without types might send
    for moves in [
        play("7H", 1),
        LegalMoves(AFTER_TURN),
        calls("right", "wrong"),
        LegalMoves(PICK, parse_cards("7H")),
    ]:
        assert attempt not in moves
        assert moves.kind is PLAY or " is not an answer here; one of: " in (moves.problem(attempt) or "")


@pytest.mark.parametrize("thing", [None, "7H", 7, Card.parse("7H"), ("7H",)])
def test_only_moves_are_moves(thing: object) -> None:
    for moves in [
        play("7H", 1),
        LegalMoves(AFTER_TURN),
        calls("right", "wrong"),
        LegalMoves(PICK, parse_cards("7H")),
    ]:
        assert thing not in moves


@pytest.mark.parametrize(
    "moves",
    [
        play("7H", 1),
        play("7H 8D 7H", 3),
        play("7H 8D 9D 10D JD QD KD AC 2C 3C 4C 5C 6C 7C", 14),
        LegalMoves(AFTER_TURN),
        LegalMoves(PICK, parse_cards("7H 8D 7H")),
        calls("right", "wrong after 0", "wrong after 1"),
    ],
)
def test_what_is_sampled_is_legal(moves: LegalMoves) -> None:
    rng = Random(1)
    seen = {moves.sample(rng) for _ in range(300)}
    assert all(move in moves for move in seen)
    assert len(seen) == moves.count or moves.count > 100


def test_how_plays_are_sampled() -> None:
    moves = LegalMoves(PLAY, CARDS[:14], 14)
    rng = Random(1)
    lengths: Counter[int] = Counter()
    for _ in range(4000):
        move: Move = moves.sample(rng)
        assert isinstance(move, Attempt | NoPlay)
        lengths[len(move.cards) if isinstance(move, Attempt) else 0] += 1
    assert max(lengths) == LONGEST_SAMPLED == 4
    assert 0.08 < lengths[0] / 4000 < 0.12
    assert 0.60 < lengths[1] / 4000 < 0.66
    assert all(0.07 < lengths[length] / 4000 < 0.11 for length in (2, 3, 4))
