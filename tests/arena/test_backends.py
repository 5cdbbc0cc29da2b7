from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.arena.backends import InvalidBackend, started
from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.blocks import Block, Cutter
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.engine import AHEAD, TRIES, BackendLost, Engine, play
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.arena.worker import Failed
from eleusis_ai.registry import MissingExtra
from tests.arena.test_survival import ROOT
from tests.arena.test_tournament import HERE, config


def block(numbers: Sequence[int], seconds: float = 1.0) -> Block:
    lines = tuple(b"%d" % number for number in numbers)
    return Block(Batch(numbers=tuple(numbers), records=lines, outcomes=lines, timings=lines), seconds)


def test_serial_and_processes_write_the_same_bytes(tmp_path: Path) -> None:
    agents = [{"id": "bad", "use": f"{HERE}:Misfit", "options": {"kind": "exits"}}, {"use": "random"}]
    asked = config(deals=2, agents=agents)
    logs = []
    for at, (backend, workers) in enumerate([("serial", 1), ("processes", 1), ("processes", 2)]):
        run_tournament(asked, tmp_path / f"{at}", backend=backend, workers=workers)
        logs.append((tmp_path / f"{at}" / "records.jsonl").read_bytes())
    assert logs[0].count(b"\n") == 4
    assert b"exited" in logs[0]
    assert logs[0] == logs[1] == logs[2]


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        (
            {"backend": "proceses"},
            InvalidBackend,
            "'proceses' is not a backend; one of serial, processes, dask, ray is",
        ),
        ({"backend": "serial", "workers": 2}, InvalidBackend, "serial plays one round at a time, not 2"),
        ({"backend": "processes", "address": "here:1"}, InvalidBackend, "as in --backend dask --address here:1"),
        ({"address": "here:1"}, InvalidBackend, "serial takes no address"),
        ({"backend": "dask"}, MissingExtra, r"pip install 'eleusis-ai\[dask\]'"),
        ({"backend": "ray"}, MissingExtra, r"pip install 'eleusis-ai\[ray\]'"),
    ],
)
def test_what_cannot_play_is_told(
    asked: dict[str, Any], error: type[Exception], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("distributed", "ray"):
        monkeypatch.setitem(sys.modules, library, None)  # as if it were not installed
    with pytest.raises(error, match=said), started(**{"backend": None, "workers": 1, "address": None, **asked}):
        pass


def test_a_script_needs_no_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\n"
        "from eleusis_ai.arena.tournament import run_tournament\n"
        "from tests.arena.test_tournament import config\n"
        f"run_tournament(config(deals=1), Path({str(tmp_path / 'out')!r}), workers=2)\n"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "agents")])
    subprocess.run([sys.executable, script], check=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": path})
    assert (tmp_path / "out" / "records.jsonl").read_bytes().count(b"\n") == 3


class Forgetful(Engine[tuple[int, ...]]):
    """Loses a block the first few times that it is waited for; plays nothing."""

    lost = (ConnectionError,)

    def __init__(self, losses: dict[tuple[int, ...], int]) -> None:
        self.losses = losses
        self.given: list[tuple[int, ...]] = []
        self.withdrawn: list[tuple[int, ...]] = []

    @property
    def slots(self) -> int:
        return 2

    def submit(self, config: TournamentConfig, numbers: Sequence[int]) -> tuple[int, ...]:
        self.given.append(tuple(numbers))
        return tuple(numbers)

    def result(self, ticket: tuple[int, ...]) -> Block | Failed:
        if self.losses.get(ticket, 0):
            self.losses[ticket] -= 1
            raise ConnectionError("it is gone")
        return block(ticket)

    def withdraw(self, ticket: tuple[int, ...]) -> None:
        self.withdrawn.append(ticket)

    def close(self) -> None:
        pass


def test_blocks_that_are_lost_are_given_again_and_come_in_order() -> None:
    engine = Forgetful({(3,): TRIES - 1, (4,): 1})
    assert [batch.numbers for batch in play(engine, config(), Cutter(range(9), 1))] == [(n,) for n in range(9)]
    assert engine.given.count((0,)) == 1
    assert engine.given.count((3,)) == TRIES
    assert set(engine.given[: AHEAD * 2]) == {(n,) for n in range(AHEAD * 2)}
    assert (3,) in engine.withdrawn


def test_a_backend_that_loses_the_same_block_again_and_again_is_given_up() -> None:
    played: list[Batch] = []
    with pytest.raises(BackendLost, match=rf"lost the same rounds {TRIES} times .*ConnectionError: it is gone"):
        played.extend(play(Forgetful({(3,): TRIES}), config(), Cutter(range(9), 1)))
    assert [batch.numbers for batch in played] == [(0,), (1,), (2,)]


@given(st.sets(st.integers(0, 200)), st.integers(1, 12), st.lists(st.floats(1e-4, 50.0), min_size=1))
def test_blocks_are_all_rounds_in_order_and_part_no_deal_that_is_short(
    numbers: set[int], deal: int, seconds: list[float]
) -> None:
    cutter, cut = Cutter(sorted(numbers), deal), list[tuple[int, ...]]()
    while one := cutter.cut():
        cut.append(one)
        cutter.learn(block(one, seconds[len(cut) % len(seconds)]))
    assert [number for one in cut for number in one] == sorted(numbers)
    for one, other in pairwise(cut):
        if one[-1] // deal == other[0] // deal:  # a deal is parted: its block holds nothing else
            assert one[0] // deal == one[-1] // deal


def test_blocks_grow_with_the_speed_of_play() -> None:
    cutter, sizes = Cutter(range(10_000), 4), []
    for rounds_a_second in (*[400] * 6, *[0.5] * 3, 2):
        one = cutter.cut()
        sizes.append(len(one))
        cutter.learn(block(one, len(one) / rounds_a_second))
    assert sizes == [1, 3, 12, 48, 192, 400, 400, 1, 1, 1]
