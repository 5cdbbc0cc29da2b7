"""The same seed, the same round: replayed, copied, and in another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given

from eleusis_ai.match import play_round
from eleusis_ai.moves import Move
from eleusis_ai.profiles import PROFILES, HintTerms
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.seeds import generator
from eleusis_ai.view import View
from tests.properties.rounds import RULES, STEADY, Table, house_tables, rules_for, tables, true_hints

ROOT = Path(__file__).parents[2]


def assert_same(one: Round, other: Round) -> None:
    assert one.public() == other.public()
    assert one.hands == other.hands
    assert (one.stock, one.reserve) == (other.stock, other.reserve)
    assert one.layout == other.layout
    assert one.events == other.events
    assert one.moves == other.moves
    assert one.rule == other.rule
    assert one.over == other.over
    if one.over:
        assert one.scores() == other.scores()
    assert one.record() == other.record()


@STEADY
@given(tables() | house_tables())
def test_a_replay_is_the_round(table: Table) -> None:
    for round_ in (table.played(), table.broken_off()):
        assert_same(Record.parse(str(round_.record())).replay(), round_)


@STEADY
@given(tables())
def test_a_record_deals_the_round_as_it_began(table: Table) -> None:
    assert_same(table.played().record().deal(), table.deal())


@STEADY
@given(tables() | house_tables())
def test_the_same_moves_do_the_same(table: Table) -> None:
    one, other = table.deal(), table.deal()
    for move, events in table.steps(one):
        assert other.apply(move) == events
    assert_same(one, other)


@STEADY
@given(tables() | house_tables())
def test_what_apply_returns_is_the_log_with_its_secrets(table: Table) -> None:
    round_ = table.deal()
    log = list(round_.events)
    for _, events in table.steps(round_):
        log += [event.seen_by(None) for event in events]
        assert log == list(round_.events)
        assert round_.public().events == round_.events


@STEADY
@given(tables() | house_tables())
def test_a_copy_goes_its_own_way(table: Table) -> None:
    round_, twin = table.broken_off(), table.broken_off()
    copied = round_.copy()
    assert_same(copied, twin)
    for _ in table.steps(copied):
        pass
    assert_same(round_, twin)
    if not round_.over:
        assert copied.moves != round_.moves
    for _ in table.steps(round_):
        pass
    assert_same(round_, copied)


class Chance:
    """A player that draws its moves, from a generator of its own."""

    def __init__(self, seat: int) -> None:
        self.rng = generator(f"chance/{seat}")

    def act(self, view: View) -> Move:
        return view.legal_moves().sample(self.rng)


def records() -> list[str]:
    """Play two rounds of every profile and return their records."""
    lines = []
    for name, profile in PROFILES.items():
        for index, rule in enumerate((RULES["colors"], rules_for(profile)[-1])):
            agents = [None if seat == 1 else Chance(seat) for seat in range(5)]
            hint = true_hints(rule)[0] if profile.hint is HintTerms.REQUIRED else None
            record = play_round(profile, rule, agents, dealer=1, seed=f"{name}/{index}", hint=hint)
            lines.append(str(record))
    return lines


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_same_records_in_another_process(hash_seed: str) -> None:
    printed = subprocess.run(
        [sys.executable, "-c", "from tests.properties.test_replay import records; print(*records(), sep='\\n')"],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "agents")])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.splitlines() == records()
    assert len(set(records())) == 2 * len(PROFILES)
