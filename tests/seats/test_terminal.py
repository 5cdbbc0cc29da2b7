"""Whatever is typed, the round comes to its end and nothing breaks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.opening import lay_table
from eleusis_ai.seats.setting import Setting
from eleusis_ai.seats.table import Table, read_record
from eleusis_ai.seats.terminal import rule_words
from tests.seats.sitters import Script, played, table

NOISE = (
    "?",
    "hand",
    "table",
    "rule",
    "hint",
    "save",
    "junk",
    "11H",
    "prophet",
    "right",
    "wrong",
    "w 3",
    "pick 7H",
    "\x00",
)


def restless(table: Table, rng: Random) -> Iterator[str]:
    """Yield what a person might type: now and then noise, otherwise a legal move."""
    while True:
        if rng.random() < 0.2:
            yield rng.choice(NOISE)
        elif table.asked:
            yield str(table.legal_moves().sample(rng))
        else:
            yield ""


@pytest.mark.parametrize("profile", ["abbott", "howell", "no-prophet", "late-prophet", "short"])
@pytest.mark.parametrize(
    "chair", [{}, {"dealer": "me", "rule": "alternate-colour"}, {"dealer": "me", "by_hand": True}]
)
def test_a_restless_person_plays_to_the_end(tmp_path: Path, profile: str, chair: dict[str, object]) -> None:
    for seed in range(2):
        setting = Setting(profile=profile, seats=5, agents=("random",), seed=seed, **chair)  # type: ignore[arg-type]
        laid = lay_table(setting, Script(["1", "right"] if profile == "no-prophet" else ["right"]))
        code, said = played(laid, restless(laid, Random(seed)), tmp_path / "round.jsonl")
        assert code == 0
        record = read_record(tmp_path / "round.jsonl")
        assert record.scores is not None
        record.replay()
        assert all(len(line) <= 80 for line in said.splitlines() if not line.startswith("  eleusis "))
        assert " failed" not in said


def test_the_adviser_says_what_it_would_play_and_thinks(tmp_path: Path) -> None:
    laid = table()
    adviser = Adviser("tests.seats.sitters:Thinks", seat=laid.seat, seed="1")
    _, said = played(laid, ["hint"], tmp_path / "round.jsonl", adviser)
    assert "tests.seats.sitters:Thinks would answer: right\n" in said
    assert "   50%  Only red cards.\n        card.is_red\n   25%  no rule at all\n" in said
    assert "card.is_face" not in said


def test_an_adviser_that_fails_does_no_harm(tmp_path: Path) -> None:
    laid = table()
    adviser = Adviser("tests.seats.sitters:Fails", seat=laid.seat, seed="1")
    said = " ".join(played(laid, ["hint"], tmp_path / "round.jsonl", adviser)[1].split())
    assert "has no advice: it failed (ZeroDivisionError: an agent's own defect)." in said


def test_a_dealer_is_not_advised(tmp_path: Path) -> None:
    laid = table(lambda table: True, dealer="me", rule="card.is_red")
    adviser = Adviser("random", seat=laid.seat, seed="1")
    assert "There is nothing to advise" in played(laid, ["hint", "hand"], tmp_path / "round.jsonl", adviser)[1]


def test_an_agent_that_fails_is_told_of(tmp_path: Path) -> None:
    agents = ("tests.seats.sitters:Fails",)
    laid = table(lambda table: True, agents=agents, dealer="me", rule="card.is_red")
    said = " ".join(played(laid, [], tmp_path / "round.jsonl")[1].split())
    assert "is made for it. (ZeroDivisionError: an agent's own defect)" in said


def test_a_rule_is_worded_as_in_the_catalogue() -> None:
    assert rule_words(Rule.parse("card.is_red != last.is_red")).startswith("The colours alternate")
    assert rule_words(Rule.parse("card.rank == 7 or card.is_red")) == Rule.parse("card.rank == 7 or card.is_red").text
