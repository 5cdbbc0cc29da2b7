from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from eleusis_ai.events import Dealt, TurnBegan
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import DecisionKind, NoPlay, Pass
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.seats.table import Table, read_record, write_record
from tests.seats.sitters import table


def play_on(table: Table, moves: int = 10_000) -> Record:
    """Let the person make the first legal move, ``moves`` times at most."""
    while not table.over and moves:
        if table.asked:
            table.answer(next(iter(table.legal_moves())))
            moves -= 1
        else:
            table.step()
    return table.record()


@pytest.mark.parametrize(
    "chair",
    [
        {},
        {"agents": ("tree", "random")},
        {"profile": "no-prophet", "dealer": "fixed", "rule": "alternate-colour"},
        {"profile": "abbott", "dealer": "me", "by_hand": True, "give_hint": "no suits"},
    ],
)
@pytest.mark.parametrize("moves", [0, 1, 3])
def test_a_resumed_round_goes_on_as_if_it_had_not_been_left(chair: dict[str, object], moves: int) -> None:
    whole = play_on(table(**chair))
    begun = play_on(table(**chair), moves)
    assert begun.scores is None
    assert len(begun.moves) < len(whole.moves)
    assert play_on(Table.resume(Record.parse(str(begun)))) == whole


def test_the_news_is_what_happened_since_the_person_decided() -> None:
    laid = table(lambda table: True)
    assert isinstance(laid.take_news()[0], Dealt)
    assert laid.take_news() == ()
    play_on(laid, 2)
    while not laid.asked:
        laid.step()
    news = laid.take_news()
    resumed = Table.resume(laid.record())
    assert resumed.asked
    since = resumed.take_news()
    assert since == news[-len(since) :]
    assert sum(isinstance(event, TurnBegan) for event in since) <= 4


def test_only_the_person_sees_his_cards_and_no_rule() -> None:
    laid = table()
    assert laid.rule is None
    assert laid.view.hand
    assert all(event.seen_by(laid.seat) == event for event in laid.take_news())
    play_on(laid)
    assert laid.rule is not None
    assert table(lambda table: True, dealer="me", rule="card.is_red").rule is not None


def test_an_illegal_answer_changes_nothing() -> None:
    laid = table()
    before = laid.record()
    with pytest.raises(IllegalMove):
        laid.answer(Pass())
    assert laid.record() == before


@pytest.mark.parametrize(
    ("agent", "fault", "said"),
    [
        ("Fails", "raised ZeroDivisionError", "an agent's own defect"),
        ("Cheats", "illegal", "it is a turn: play cards"),
    ],
)
def test_an_agent_that_fails_is_stood_in_for(agent: str, fault: str, said: str) -> None:
    laid = table(lambda table: True, agents=(f"tests.seats.sitters:{agent}",), dealer="me", rule="card.is_red")
    laid.step()
    told = laid.take_fault()
    assert told is not None
    assert said in told
    assert laid.take_fault() is None
    record = laid.record()
    assert record.substitutes == {1: fault}
    resumed = Table.resume(record)
    resumed.step()
    assert resumed.record().substitutes == {1: fault, 2: fault}
    play_on(laid).replay()


def test_a_dealer_that_is_a_program_picks() -> None:
    laid = table(lambda table: table.asked and table.decision.kind is DecisionKind.PLAY)
    laid.answer(NoPlay())
    while not laid.over and laid.decision.kind is not DecisionKind.PICK:
        laid.answer(next(iter(laid.legal_moves()))) if laid.asked else laid.step()
    assert not laid.over
    assert not laid.asked
    laid.step()
    assert laid.record().moves[-1].startswith("pick ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"key": "deal 0 seating 0"}, "'deal 0 seating 0' was not played with `eleusis play`"),
        ({"agents": ("catalog", "random", "you", "random")}, "one was changed"),
        ({"moves": ("pass",)}, "move 1 of 1"),
    ],
)
def test_what_cannot_be_gone_on_with_is_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidRecord, match=said):
        Table.resume(msgspec.structs.replace(table().record(), **changes))


def test_a_round_that_is_over_is_not_resumed() -> None:
    with pytest.raises(InvalidRecord, match="the round is over"):
        Table.resume(play_on(table()))


def test_a_file_holds_one_round(tmp_path: Path) -> None:
    path = tmp_path / "new" / "round.jsonl"
    record = table().record()
    write_record(path, record)
    write_record(path, record)
    assert read_record(path) == record
    assert [entry.name for entry in path.parent.iterdir()] == ["round.jsonl"]
    path.write_text(f"{record}\n{record}\n")
    with pytest.raises(InvalidRecord, match="several rounds"):
        read_record(path)
    path.write_text("")
    with pytest.raises(InvalidRecord, match="no round"):
        read_record(path)
