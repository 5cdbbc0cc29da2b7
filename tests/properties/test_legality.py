"""``legal_moves`` is exactly what ``apply`` accepts, and what it refuses changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import Card
from eleusis_ai.legal import IllegalMove, LegalMoves
from eleusis_ai.moves import Attempt, BecomeProphet, Call, Decision, DecisionKind, Move, NoPlay, Pass, Pick, StateRule
from eleusis_ai.profiles import Judging, Profile, ProphetTerms, Stating
from eleusis_ai.round import Round
from tests.properties.rounds import REJECTED_RULE, RULES, STEADY, Table, house_tables, on_paper, tables, true_call

KINDS = set(DecisionKind)
STATEMENTS = tuple(StateRule(rule) for rule in (RULES["near"], REJECTED_RULE))
"""Rules are too many to be listed: a pass stands for them."""


def small(judging: Judging) -> Profile:
    """Return a profile whose hands are small enough for every move to be tried."""
    terms = ProphetTerms(error_penalty=1)
    return Profile(
        name="small", source="", packs=1, hand_size=3, max_string=3, judging=judging,
        penalty_per_card=1, no_play_penalty=1, no_play_reduction=1, prophet=terms, expulsion_from=None,
        stating=Stating.AFTER_RIGHT,
    )  # fmt: skip


def every_move(cards: set[Card]) -> Iterator[Move]:
    """Yield all moves that have to do with ``cards``."""
    yield from (NoPlay(), BecomeProphet(), Pass(), Call(right=True), Call(right=False))
    yield from (Attempt(line) for length in (0, 1, 2, 3) for line in product(sorted(cards), repeat=length))
    for card in cards:
        yield from (Pick(card), Call(right=False, card=card), Call(right=True, card=card))
    for prefix in range(5):
        yield from (Call(right=False, prefix=prefix), Call(right=True, prefix=prefix))


def accepts(round_: Round, move: Move) -> bool:
    trial = round_.copy()
    try:
        trial.apply(move)
    except IllegalMove:
        assert state(trial) == state(round_)
        return False
    return True


def state(round_: Round) -> tuple[object, ...]:
    """Return everything there is to a round."""
    return (
        round_.public(), round_.hands, round_.stock, round_.reserve, round_.moves, round_.events, round_.decision,
        round_.layout, round_.expelled, round_.prophet, round_.marker, round_.end_reason,
    )  # fmt: skip


def assert_exact(round_: Round) -> None:
    """Try every move there is on ``round_``, and compare with what ``legal_moves`` says, in all its ways."""
    assert round_.decision is not None
    moves = round_.legal_moves()
    listed = list(moves)
    held = set(round_.hands[round_.decision.seat]) | set(round_.public().shown)
    foreign = [card for card in map(Card, range(52)) if card not in held][:2]
    universe = list(every_move(held | set(foreign)))
    accepted = {move for move in universe if accepts(round_, move)}
    assert set(listed) == accepted
    states = moves.kind is DecisionKind.STATE_RULE
    assert [accepts(round_, move) for move in STATEMENTS] == [states, states and round_.profile.reads_rejected]
    assert all((move in moves) == accepts(round_, move) for move in STATEMENTS)
    assert len(listed) == len(set(listed)) == moves.count
    for move in universe:
        assert (move in moves) == (move in accepted) == (moves.problem(move) is None)


@pytest.mark.parametrize("judging", Judging)
@pytest.mark.parametrize("by_hand", [False, True])
def test_legal_is_what_is_accepted(judging: Judging, by_hand: bool) -> None:
    asked: set[DecisionKind] = set()
    for seed, rule in enumerate(RULES.values()):
        table = Table(small(judging), rule, seed, 0.6)
        round_, rng = table.deal(), table.rng
        if by_hand:
            round_ = on_paper(round_)
        for _ in range(25):
            if round_.over:
                break
            assert round_.decision is not None
            asked.add(round_.decision.kind)
            if round_.hands[round_.turn] and len(round_.hands[round_.turn]) <= 4:
                assert_exact(round_)
            dealer_calls = by_hand and round_.decision == Decision(DecisionKind.CALL, round_.dealer)
            round_.apply(true_call(round_, rule) if dealer_calls else table.answer(round_, rng))
    assert asked == KINDS


@settings(STEADY, max_examples=40)
@given(tables() | house_tables(), st.data())
def test_an_illegal_move_says_why_and_changes_nothing(table: Table, data: st.DataObject) -> None:
    round_ = table.broken_off()
    before = state(round_)
    nearby = {
        *round_.hands[round_.turn][:2],
        *map(Card, data.draw(st.sets(st.integers(0, 51), min_size=1, max_size=2))),
    }
    refused = 0
    for move in every_move(nearby):
        if not round_.over and move in round_.legal_moves():
            continue
        refused += 1
        with pytest.raises(IllegalMove) as checked:
            round_.check(move)
        with pytest.raises(IllegalMove) as applied:
            round_.apply(move)
        assert str(checked.value) == str(applied.value)
        assert str(round_.decision or "the round is over") in str(applied.value)
        assert state(round_) == before
    assert refused


@STEADY
@given(tables())
def test_what_is_sampled_and_what_comes_first_is_legal(table: Table) -> None:
    round_ = table.deal()
    rng = table.rng
    for _ in table.steps(round_):
        if round_.over:
            break
        moves = round_.legal_moves()
        assert moves.count >= 1
        assert next(iter(moves)) in moves
        assert moves.sample(rng) in moves


@STEADY
@given(tables())
def test_a_view_knows_the_legal_moves_of_its_seat_and_of_no_other(table: Table) -> None:
    round_ = table.deal()
    for _ in table.steps(round_):
        for seat in range(round_.seats):
            view = round_.view(seat)
            if round_.decision is None or round_.decision.seat != seat:
                with pytest.raises(LookupError, match=f"seat {seat} has nothing to decide now"):
                    view.legal_moves()
            elif round_.decision.kind is not DecisionKind.PICK:
                assert view.legal_moves() == round_.legal_moves()
            else:
                legal: LegalMoves = round_.legal_moves()
                assert set(legal) <= set(view.legal_moves())
                assert round_.rule is not None
                allowed = {
                    card for card in round_.public().shown
                    if round_.rule.allows(round_.layout.mainline, card, round_.layout.rejected)
                }  # fmt: skip
                assert set(legal) == {Pick(card) for card in allowed}
