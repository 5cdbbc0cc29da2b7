from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.rows import KINDS, Rows, rows
from eleusis_ai.events import AttemptJudged, NoPlayJudged, ProphetOverthrown, StatementJudged
from eleusis_ai.moves import Attempt, NoPlay, StateRule, parse_move
from eleusis_ai.record import InvalidRecord, Record
from tests.records.rewrite import RECORDS, read

SHOWN = [path for path in RECORDS if read(path)[1].scores is not None]
"""Rounds that are over, of every profile."""


def record(path: Path) -> Record:
    shown = read(path)[1]
    names = tuple(f"agent {seat}" for seat in range(shown.seats))
    return msgspec.structs.replace(shown, key="deal 3 seating 1", agents=names)


def table(path: Path, timing: Timing | None = None) -> Rows:
    return rows(record(path), timing, place=17)


def test_there_are_rounds_to_look_at() -> None:
    assert len(SHOWN) > 15
    kinds = Counter(move.kind for path in SHOWN for move in table(path).moves)
    assert kinds.keys() == set(KINDS.values())


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_a_round_is_told_three_times(path: Path) -> None:
    shown = record(path)
    played = shown.replay()
    (whole,), seats, moves = table(path)
    assert (whole.key, whole.place, whole.deal, whole.seating) == ("deal 3 seating 1", 17, 3, 1)
    assert (whole.rule, whole.end_reason) == (shown.rule, str(played.end_reason))
    assert whole.accepted == len(played.layout.mainline)
    assert tuple(seat.points for seat in seats) == shown.scores
    assert [seat.cards for seat in seats] == [len(hand) for hand in played.hands]
    assert [seat.seat for seat in seats if seat.expelled] == sorted(played.expelled)
    assert [seat.seat for seat in seats if seat.dealer] == [played.dealer]
    assert [seat.seat for seat in seats if seat.overthrown is False] == [
        seat for seat in [played.prophet] if seat is not None
    ]
    assert [(move.move, move.text) for move in moves] == list(enumerate(shown.moves, start=1))
    assert sum(move.accepted for move in moves) == whole.accepted - whole.starters
    assert whole.substitutes == len(shown.substitutes) == sum(move.substitute is not None for move in moves)
    wanted = Outcome.of(shown)
    assert {(seat.agent, seat.won) for seat in seats if not seat.dealer} == {
        (seat.agent, seat.won) for seat in wanted.seats if not seat.dealt
    }


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.stem)
def test_verdicts_are_the_dealers(path: Path) -> None:
    events = record(path).replay().events
    actions = [move for move in table(path).moves if move.kind in ("attempt", "no play", "statement")]
    judged = [event for event in events if isinstance(event, AttemptJudged | NoPlayJudged | StatementJudged)]
    assert [move.was_right for move in actions] == [event.right for event in judged]
    assert [move.seat for move in actions] == [event.seat for event in judged]
    for move, event in zip(actions, judged, strict=True):
        if isinstance(event, AttemptJudged):
            assert move.cards == tuple(map(str, event.cards))
            assert move.accepted + move.rejected == len(event.cards)
        if isinstance(event, NoPlayJudged):
            assert move.cards == tuple(map(str, event.hand))
            assert move.hand == len(event.hand)
    wrong_calls = [move for move in table(path).moves if move.kind == "call" and move.was_right is False]
    assert len(wrong_calls) == sum(isinstance(event, ProphetOverthrown) for event in events)


def test_a_move_is_looked_at_where_it_was_made() -> None:
    for path in SHOWN:
        round_ = record(path).deal()
        for row in table(path).moves:
            assert round_.decision is not None
            assert (row.seat, row.danger) == (round_.decision.seat, round_.danger)
            assert (row.mainline, row.hand) == (len(round_.layout.mainline), len(round_.hands[row.seat]))
            move = parse_move(row.text)
            assert (row.was_right is None) <= (not isinstance(move, Attempt | NoPlay | StateRule))
            round_.apply(move)


def test_a_published_rule_has_a_family() -> None:
    families = {row.rule: (row.published, row.family) for path in SHOWN for row in table(path).rounds}
    assert families["abs(card.rank - last.rank) <= 3"] == (True, "markov1")
    assert families[None] == (False, "other")


def test_a_round_that_is_not_over() -> None:
    shown = record(SHOWN[0])
    with pytest.raises(InvalidRecord, match="the round is not over"):
        rows(msgspec.structs.replace(shown, moves=shown.moves[:-1], scores=None), None, place=1)


def test_times_are_those_of_an_agent_in_a_round() -> None:
    times = Timing(key="deal 3 seating 1", seconds={"agent 1": 2.5}, decisions={"agent 1": 10})
    seats = table(SHOWN[0], times).seats
    assert [(seat.seconds, seat.decisions) for seat in seats[:3]] == [(None, None), (2.5, 10), (None, None)]
    assert {seat.seconds for seat in table(SHOWN[0]).seats} == {None}


def test_a_move_that_is_not_legal_is_told() -> None:
    shown = record(SHOWN[0])
    with pytest.raises(InvalidRecord, match=r"move 1 of 1, 'prophet': "):
        rows(msgspec.structs.replace(shown, moves=("prophet",)), None, place=1)
