"""The solo protocol: what a turn does, when a statement is right, and what a round scores."""

from __future__ import annotations

import pytest

from eleusis_ai.bench.deals import Deal, load_deals
from eleusis_ai.bench.solo import (
    TURNS,
    Commitment,
    IllegalCommitment,
    RoundScore,
    SoloRound,
    Turn,
    confidence_errors,
    is_right,
    round_score,
)
from eleusis_ai.cards import Card, cards_text, parse_cards
from eleusis_ai.rules.language import Rule


def dealt(rule: str = "even_ranks_only", batch: int = 0) -> Deal:
    return next(deal for deal in load_deals() if (deal.rule, deal.batch) == (rule, batch))


def guess(card: str, rule: str | None = None, *, confidence: int = 0, state: bool = False) -> Commitment:
    tentative = None if rule is None else Rule.parse(rule)
    return Commitment(card=Card.parse(card), tentative=tentative, confidence=confidence, state=state)


def turn(*, correct: bool, state: bool = False, confidence: int = 0) -> Turn:
    return Turn(
        commitment=guess("7H", "card.is_red", confidence=confidence, state=state), legal=True, correct=correct
    )


@pytest.mark.parametrize(
    ("win", "wrong", "uniform", "floored"),
    [
        (1, 0, 30, 30),
        (6, 0, 25, 25),
        (10, 3, 15, 15),
        (30, 0, 1, 1),
        (30, 1, -1, 0),
        (11, 10, 0, 0),
        (None, 0, 0, 0),
        (None, 12, -24, 0),
    ],
)
def test_a_score_is_31_less_the_turns_less_2_a_wrong_statement(
    win: int | None, wrong: int, uniform: int, floored: int
) -> None:
    score = RoundScore(win=win, first=win, wrong=wrong)
    assert (score.uniform, score.floored) == (uniform, floored)


@pytest.mark.parametrize(("first", "points"), [(1, 30), (4, 27), (30, 1), (None, 0)])
def test_no_stakes_counts_the_first_right_tentative_rule(first: int | None, points: int) -> None:
    assert RoundScore(win=None, first=first, wrong=9).no_stakes == points


def test_one_card_is_drawn_whether_the_card_was_right_or_wrong() -> None:
    solo = SoloRound(dealt())
    assert cards_text(solo.hand) == "8D 2H AS 2S 3D 6H 6S JH 4C 4C 7D 7H"
    assert solo.apply(guess("2H")).legal
    assert cards_text(solo.hand) == "8D AS 2S 3D 6H 6S JH 4C 4C 7D 7H 8D"
    assert not solo.apply(guess("7D")).legal
    assert cards_text(solo.hand) == "8D AS 2S 3D 6H 6S JH 4C 4C 7H 8D 2S"
    assert cards_text(solo.mainline) == "4S 2H"


def test_of_two_equal_cards_one_leaves_the_hand() -> None:
    solo = SoloRound(dealt())
    solo.apply(guess("4C"))
    assert list(map(str, solo.hand)).count("4C") == 1


def test_a_round_has_30_turns() -> None:
    solo = SoloRound(dealt())
    for _ in range(TURNS):
        assert not solo.over
        solo.apply(Commitment(card=solo.hand[0]))
    assert solo.over
    with pytest.raises(IllegalCommitment, match="over"):
        solo.apply(Commitment(card=solo.hand[0]))
    assert round_score(solo.turns) == RoundScore(win=None, first=None, wrong=0)


def test_a_right_statement_ends_the_round_and_a_wrong_one_does_not() -> None:
    solo = SoloRound(dealt())
    solo.apply(guess("2H", "card.is_odd", state=True))
    assert not solo.over
    solo.apply(guess("AS", "card.rank % 2 == 0"))
    assert not solo.over, "it was right but not stated"
    solo.apply(guess("2S", "card.rank in {2, 4, 6, 8, 10, 12}", state=True))
    assert solo.over
    assert round_score(solo.turns) == RoundScore(win=3, first=2, wrong=1)


def test_the_card_of_the_turn_counts_when_a_statement_is_judged() -> None:
    """Never lower: with the king of this turn on the mainline only kings can follow, and not before."""
    deal = dealt("rank_non_decreasing_start_ace")
    assert cards_text(deal.starter)[0] == "A"
    king = next(str(card) for card in (*deal.hand, *deal.draw) if card.rank == 13)
    solo = SoloRound(deal)
    while Card.parse(king) not in solo.hand:
        solo.apply(Commitment(card=min(solo.hand, key=lambda card: card.rank)))
    before = solo.mainline
    only_kings = "card.rank == K"
    assert not is_right(Rule.parse(only_kings), deal.secret, before)
    judged = solo.apply(guess(king, only_kings, state=True))
    assert judged.correct, "what lay before the king does not matter"
    assert solo.over


def test_a_starting_condition_does_not_count_in_a_statement() -> None:
    secret = dealt("red_up_black_down").secret
    assert secret.starter is not None
    assert is_right(Rule.parse(str(secret)), secret, parse_cards("7H"))


@pytest.mark.parametrize(
    ("commitment", "reason"),
    [
        (guess("KC"), "not in the hand"),
        (guess("2H", "card.is_red", confidence=11), "from 0 to 10"),
        (guess("2H", "card.is_red", confidence=-1), "from 0 to 10"),
        (guess("2H", state=True), "without a rule"),
    ],
)
def test_what_may_not_be_committed(commitment: Commitment, reason: str) -> None:
    solo = SoloRound(dealt())
    with pytest.raises(IllegalCommitment, match=reason):
        solo.apply(commitment)
    assert solo.turns == []
    assert cards_text(solo.mainline) == "4S"


def test_a_wrong_statement_in_the_last_turn_counts() -> None:
    turns = [*(turn(correct=False) for _ in range(29)), turn(correct=False, state=True)]
    assert round_score(turns) == RoundScore(win=None, first=None, wrong=1)


def test_errors_of_the_confidence() -> None:
    turns = [turn(correct=True, confidence=8), turn(correct=False, confidence=5)]
    mute = Turn(commitment=guess("7H"), legal=True, correct=False)
    assert confidence_errors([*turns, mute]) == pytest.approx([0.04, 0.25])
