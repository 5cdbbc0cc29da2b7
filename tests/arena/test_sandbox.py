from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from eleusis_ai.arena.blocks import Block, close_sandbox, play_block
from eleusis_ai.arena.notes import SIZE, Made, Notes
from eleusis_ai.arena.sandbox import Sandbox
from eleusis_ai.arena.worker import Failed
from eleusis_ai.cards import parse_cards
from eleusis_ai.moves import Attempt, NoPlay, Pass
from tests.arena.test_tournament import HERE, config
from tests.processes import children, linux, wait_until

SEVEN = Attempt(parse_cards("7H"))


def test_notes_are_read_from_the_same_file(tmp_path: Path) -> None:
    with (tmp_path / "notes").open("w+b") as file:
        file.truncate(SIZE)
        worker, watcher = Notes(file.fileno()), Notes(file.fileno())
        worker.begin(7)
        assert watcher.read()[:2] == (7, None)
        worker.asking(2, 0.5)
        worker.made(SEVEN)
        worker.made(NoPlay(), "raised A\\n\\tB")
        worker.asking(3, 1.5)
        noted = watcher.read()
        assert noted[:3] == (7, 3, 1.5)
        assert noted.made == (Made("7H"), Made("no play", "raised A\\n\\tB"))
        worker.begin(8)
        assert watcher.read().made == ()


def test_of_a_round_that_is_too_long_the_first_moves_are_noted() -> None:
    notes = Notes()
    notes.begin(0)
    for _ in range(SIZE // 10):
        notes.made(Pass())
    notes.asking(1, 0.0)
    noted = notes.read()
    assert 0 < len(noted.made) < SIZE // 10
    assert set(noted.made) == {Made("pass")}


def test_a_sandbox_plays_any_rounds_and_again_the_same() -> None:
    sandbox = Sandbox(config())
    try:
        whole, part = sandbox.play(range(6)), sandbox.play([1, 4])
        assert whole.numbers == tuple(range(6))
        assert part.records == (whole.records[1], whole.records[4])
        assert sandbox.play(()).numbers == ()
    finally:
        sandbox.close()


def test_what_cannot_be_played_is_an_answer() -> None:
    sloppy = config(dealer={"use": f"{HERE}:Sloppy"}, deals=10)
    answer = play_block(sloppy, range(30))
    assert isinstance(answer, Failed)
    with pytest.raises(ValueError, match=r"deal \d+ seating \d+ cannot be played:\n(.*\n)+ZeroDivisionError"):
        raise answer.raised()


@linux
def test_a_thread_has_one_sandbox_and_takes_it_along() -> None:
    before = set(children(os.getpid()))

    def play() -> None:
        for deals in (1, 1, 2):  # the third is another tournament
            answer = play_block(config(deals=deals), range(3))
            assert isinstance(answer, Block)
            running.append(set(children(os.getpid())) - before)

    running: list[set[int]] = []
    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert [len(each) for each in running] == [1, 1, 1]
    assert running[0] == running[1] != running[2]
    wait_until(lambda: not set(children(os.getpid())) - before)


@linux
def test_a_sandbox_that_is_closed_leaves_nothing() -> None:
    before = set(children(os.getpid()))
    assert isinstance(play_block(config(), ()), Block)
    close_sandbox()
    close_sandbox()
    assert set(children(os.getpid())) == before
