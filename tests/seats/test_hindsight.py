from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from eleusis_ai.moves import parse_move
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec
from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.hindsight import LONGEST, Hindsight
from tests.seats.sitters import played, table

WORDY, RAMBLING, SPEECHLESS, FAILS = (
    f"tests.seats.sitters:{name}" for name in ("Wordy", "Rambling", "Speechless", "Fails")
)


def finished(*agents: str) -> Record:
    """A round of a person with ``agents``, played to its end by first legal moves."""
    return table(lambda laid: laid.over, agents=agents).record()


def hindsight(record: Record) -> Hindsight:
    return Hindsight(record, {seat: AgentSpec(name, name) for seat, name in enumerate(record.agents) if seat})


def test_every_move_of_who_has_reasons_is_explained_from_the_view_of_the_time() -> None:
    record = finished(WORDY, "random")
    asked = hindsight(record)
    found = {each.number: each for each in asked.explained()}
    round_ = record.deal()
    for number, move in enumerate(map(parse_move, record.moves), start=1):
        assert round_.decision is not None
        seat = round_.decision.seat
        assert (number in found) == (record.agents[seat] == WORDY)
        if number in found:
            held = len(round_.hands[seat])
            assert found[number] == (number, seat, move, f"I answer {move} with {held} cards in my hand.")
        round_.apply(move)
    assert len(found) > 2
    assert asked.seats == tuple(seat for seat, name in enumerate(record.agents) if name == WORDY)
    assert "Seat 1 (you) is a person's." in asked.remarks
    assert "Seat 3 (random) tells no reasons." in asked.remarks


def test_who_cannot_be_made_again_is_told_of() -> None:
    record = msgspec.structs.replace(finished(WORDY), agents=("catalog", "nobody", WORDY, ""))
    assert (
        hindsight(record)
        .remarks[0]
        .startswith(
            "Seat 1 (nobody) cannot be asked, since it cannot be made again: 'nobody' is not one of the agents"
        )
    )


def test_an_agent_that_fails_to_say_why_says_so() -> None:
    reason = next(hindsight(finished(SPEECHLESS)).explained()).reason
    assert reason == "It failed to say why (ZeroDivisionError: an agent's own defect)."


def test_a_long_reason_is_cut() -> None:
    reason = next(hindsight(finished(RAMBLING)).explained()).reason
    assert len(reason) == LONGEST
    assert reason.endswith("...")


def test_a_move_that_was_made_for_an_agent_has_no_reason() -> None:
    record = finished(FAILS)
    asked = Hindsight(record, {seat: AgentSpec("w", WORDY) for seat in (2, 3)})
    assert {each.reason for each in asked.explained()} == {
        "It gave no answer (raised ZeroDivisionError), and the first legal move was made for it."
    }


class TestAtTheTerminal:
    def said(self, tmp_path: Path, *typed: str, agents: tuple[str, ...] = (WORDY, "random")) -> str:
        laid = table(lambda laid: laid.over, agents=agents)
        return " ".join(played(laid, typed, tmp_path / "round.jsonl")[1].split())

    def test_reasons_are_told_when_the_round_is_over(self, tmp_path: Path) -> None:
        record = finished(WORDY, "random")
        told = list(hindsight(record).explained())
        last = [each for each in told if str(each.move) != "pass"][-1]
        said = self.said(tmp_path, "why", f"why {told[0].number}", "")
        assert f"> why {last.number}. seat {last.seat} ({WORDY}), {last.move}: {last.reason}" in said
        assert f"> why {told[0].number} {told[0].number}. seat {told[0].seat}" in said

    def test_other_answers(self, tmp_path: Path) -> None:
        said = self.said(tmp_path, "why me", "because", "why 9999")
        assert "'why me' is no answer here. Type 'why'" in said
        assert "'because' is no answer here." in said
        assert "Of move 9999 there is no reason to tell; the nearest is 'why" in said
        assert "Seat 3 (random) tells no reasons." in said

    def test_nobody_is_asked_where_there_is_nothing_to_tell(self, tmp_path: Path) -> None:
        assert "Type 'why'" not in self.said(tmp_path, agents=("random",))

    def test_before_that_only_the_adviser_says_why(self, tmp_path: Path) -> None:
        laid = table(agents=(WORDY,))
        adviser = Adviser("elimination:beginner", seat=laid.seat, seed="1")
        said = " ".join(played(laid, ["why", "hint"], tmp_path / "round.jsonl", adviser)[1].split())
        assert "> why I play " in said
        assert "Why a program moved as it did is told when the round is over." in said
        assert "I answer" not in said
        assert said.count("I play ") == 2
        said = played(table(agents=(WORDY,)), ["why", "why 3"], tmp_path / "round.jsonl")[1]
        assert "Nobody advises you" in said
        assert "I answer" not in said

    @pytest.mark.parametrize(
        ("use", "told"),
        [
            ("random", "random tells no reasons."),
            (SPEECHLESS, "It failed to say why"),
            ("tests.seats.sitters:Stuck", "has no advice: it failed"),
        ],
    )
    def test_an_adviser_without_reasons(self, tmp_path: Path, use: str, told: str) -> None:
        laid = table()
        adviser = Adviser(use, seat=laid.seat, seed="1")
        assert told in " ".join(played(laid, ["why"], tmp_path / "round.jsonl", adviser)[1].split())
