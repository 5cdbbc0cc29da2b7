from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from eleusis_ai.arena import mending
from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.places import Part
from eleusis_ai.arena.referee import Played
from eleusis_ai.arena.schedule import Schedule
from eleusis_ai.arena.store import FolderTaken, NoRecord, Store, find_record, free_folder
from eleusis_ai.cards import pack
from eleusis_ai.logs import lines
from eleusis_ai.record import InvalidRecord, Record

CONFIG = config_from(
    {
        "name": "small",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": 20,
        "dealer": {"use": "catalog"},
        "agents": [{"use": "random"}],
    }
)
ROOT = Path(__file__).parent.parent.parent
NAMES = ("records.jsonl", "outcomes.jsonl", "timings.jsonl")


@cache
def record(number: int) -> Record:
    """Return a short round that is over."""
    deck = " ".join(map(str, [*pack()] * 3))
    begun = Record(profile="howell", rule="card.is_red", seats=5, dealer=0, first=1, deck=deck, moves=())
    played = begun.deal()
    rng = Random(number)
    while not played.over:
        played.apply(played.legal_moves().sample(rng))
    agents = ("catalog", "ann", "ben", "cid", "dot")
    return msgspec.structs.replace(played.record(), key=f"deal {number} seating 0", agents=agents)


def timing(number: int) -> Timing:
    return Timing(key=record(number).key, seconds={"ann": 0.5}, decisions={"ann": number})


@cache
def outcome(number: int) -> Outcome:
    return Outcome.of(record(number))


def batch(*numbers: int) -> Batch:
    played = [Played(record(number), outcome(number), timing(number), ()) for number in numbers]
    return Batch.of(numbers, played)


def save(folder: Path, *batches: Iterable[int], zstd: bool = False) -> Store:
    """Write rounds, a batch after the other, in this order."""
    store = Store(folder)
    with store.writer(CONFIG, resume=True, zstd=zstd) as writer:
        for numbers in batches:
            writer.append(batch(*numbers))
    return store


def recorded(store: Store) -> list[int]:
    """Return the numbers of the rounds, after a look at whether records and outcomes are theirs."""
    found = [Schedule(CONFIG).number(each.key) for each in store.records()]
    assert list(store.records()) == [record(number) for number in found]
    assert list(store.outcomes()) == [outcome(number) for number in found]
    return found


def numbers(store: Store) -> list[int]:
    """Return the numbers of the rounds, after a look at whether everything in the folder goes with them."""
    found = recorded(store)
    assert list(store.timings()) == [timing(number) for number in found]
    return found


def contents(store: Store) -> list[bytes]:
    return [b"".join(lines(path)) for path in store.logs]


@pytest.fixture(autouse=True)
def synced(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Do not wait for the disk; return the inodes of the files that it should have."""
    files: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: files.append(os.fstat(handle).st_ino))
    return files


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return save(tmp_path / "runs" / "small-1", [0], [1, 2])


def test_a_folder_holds_all_that_was_played(store: Store) -> None:
    assert numbers(store) == [0, 1, 2]
    assert msgspec.json.decode(store.config.read_bytes(), type=type(CONFIG)) == CONFIG
    assert sorted(path.name for path in store.folder.iterdir()) == sorted((*NAMES, "config.json"))


def test_records_are_never_overwritten(store: Store) -> None:
    before = store.log.read_bytes()
    with (
        pytest.raises(FolderTaken, match=r"already holds the records of a run.*--out \S*small-1-1"),
        store.writer(CONFIG),
    ):
        pass
    assert store.log.read_bytes() == before


def test_one_process_writes_at_a_time(store: Store) -> None:
    with (
        store.writer(CONFIG, resume=True),
        pytest.raises(FolderTaken, match="another process is playing into"),
        store.writer(CONFIG, resume=True),
    ):
        pass


@pytest.mark.parametrize("zstd", [False, True])
def test_a_batch_is_there_when_it_was_written(zstd: bool, tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.writer(CONFIG, zstd=zstd) as writer:
        for some in ([0, 1], [2], [3, 4, 5]):
            writer.append(batch(*some))
            assert numbers(store) == list(writer.there)
            assert next(writer.missing()) == len(writer.there)


def test_a_batch_is_synced_once_and_its_records_last(store: Store, synced: list[int]) -> None:
    with store.writer(CONFIG, resume=True) as writer:
        synced.clear()
        writer.append(batch(3, 4, 5))
        assert synced == [path.stat().st_ino for path in (store.logs.outcomes, store.logs.timings, store.log)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([[0, 1, 2]], [[3]]),
        ([[1, 3], [7]], [[0, 2], [4, 5, 6], [8, 9]]),
        ([[7, 8]], [[0], [1, 2]]),
        ([[9], [3]], [[5], [1, 2]]),
        ([[19, 18, 17]], []),
    ],
)
@pytest.mark.parametrize("zstd", [False, True])
def test_rounds_end_in_the_order_of_the_schedule(
    before: list[list[int]], after: list[list[int]], zstd: bool, tmp_path: Path
) -> None:
    save(tmp_path / "out", *before, zstd=zstd)
    store = save(tmp_path / "out", *after)
    wanted = sorted(number for some in (*before, *after) for number in some)
    assert numbers(store) == wanted
    assert contents(store) == contents(save(tmp_path / "other", wanted))
    assert store.log.name == NAMES[0] + (".zst" if zstd else "")


def test_only_the_missing_rounds_of_a_part_are_to_be_played(tmp_path: Path) -> None:
    save(tmp_path, [1, 4, 6])
    with Store(tmp_path).writer(CONFIG, resume=True) as writer:
        assert list(writer.missing(Part(2, 5))) == [11, 16]
        assert list(writer.missing(Part(5, 5))) == [9, 14, 19]
        assert len(list(writer.missing())) == 17


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda lines: [*lines, lines[1]], "line 4: deal 1 seating 0 stands there already; `eleusis verify "),
        (
            lambda lines: [lines[0].replace(b"deal 0", b"deal 20")],
            "line 1: the schedule has no round 'deal 20 seating 0'",
        ),
        (lambda lines: [b"{}\n", *lines], "line 1: not a line with a key"),
        (lambda lines: [lines[0].replace(b"seating 0", b"seat 0")], "line 1: 'deal 0 seat 0' is not a round"),
    ],
)
def test_records_that_are_not_of_the_run(
    change: Callable[[list[bytes]], list[bytes]], said: str, store: Store
) -> None:
    before = b"".join(change(list(lines(store.log))))
    store.log.write_bytes(before)
    with pytest.raises(FolderTaken, match=said), store.writer(CONFIG, resume=True):
        pass
    assert store.log.read_bytes() == before


# What crashes leave.


@pytest.mark.parametrize("zstd", [False, True])
@pytest.mark.parametrize("share", [0.001, 0.1, 0.5, 0.9, 0.999])
@pytest.mark.parametrize("ahead", [0, 1, 5, 300])
def test_a_torn_batch_is_cut_to_the_last_whole_round(zstd: bool, share: float, ahead: int, tmp_path: Path) -> None:
    store = save(tmp_path / "out", [0, 1], zstd=zstd)
    begun = store.log.stat().st_size
    whole = contents(save(tmp_path / "out", [2, 3, 4]))
    written = store.log.read_bytes()
    store.log.write_bytes(written[: begun + max(1, int(share * (len(written) - begun)))])
    for path, row in zip(store.logs[1:], (outcome(5), timing(5)), strict=True):
        with path.open("ab") as file:  # of the batch that follows
            file.write((msgspec.json.encode(row) + b"\n")[:ahead])
    with store.writer(CONFIG, resume=True) as writer:
        left = list(writer.there)
        assert writer.torn
        assert numbers(store) == left == list(range(len(left)))
        assert len(left) == (2 if zstd else 2 + int(3 * share))
        writer.append(batch(*range(len(left), 5)))
    assert contents(store) == whole


def test_rows_are_ahead_of_a_first_batch_that_is_not_there(store: Store) -> None:
    store.log.write_bytes(b"")
    with store.writer(CONFIG) as writer:
        assert list(writer.there) == []
        writer.append(batch(0))
    assert numbers(store) == [0]


Lines = list[bytes]


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: [],
        lambda rows: rows[:2],
        lambda rows: rows[1:],
        lambda rows: [rows[0], *rows[2:]],
        lambda rows: rows[::-1],
        lambda rows: [rows[0], rows[0], *rows[1:]],
        lambda rows: [*rows, rows[0]],
        lambda rows: [rows[0], b"nonsense\n", *rows[1:]],
        lambda rows: [rows[0][:-1]],
        None,
    ],
)
@pytest.mark.parametrize("zstd", [False, True])
def test_lost_outcomes_are_made_anew(change: Callable[[Lines], Lines] | None, zstd: bool, tmp_path: Path) -> None:
    store = save(tmp_path, [0, 1], [2, 3, 4], zstd=zstd)
    whole = contents(store)
    if change is None:
        store.logs.outcomes.unlink()
    else:
        store.logs.outcomes.write_bytes(b"".join(change(list(lines(store.logs.outcomes)))))
    files = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    assert numbers(store) == [0, 1, 2, 3, 4]
    assert files == sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir()), "reading changes nothing"
    with store.writer(CONFIG, resume=True):
        pass
    assert contents(store) == whole


def test_a_broken_outcome_is_made_anew(store: Store) -> None:
    rows = store.logs.outcomes
    rows.write_bytes(rows.read_bytes().replace(b'"seats":', b'"chairs":', 2))
    assert numbers(store) == [0, 1, 2]


def test_an_outcome_that_cannot_be_made_anew(store: Store) -> None:
    store.logs.outcomes.unlink()
    store.log.write_bytes(store.log.read_bytes().replace(b"card.is_red", b"card.is_bad"))
    with pytest.raises(InvalidRecord, match="the record cannot be dealt"):
        list(store.outcomes())


def test_lost_timings_are_done_without(store: Store) -> None:
    rows = list(lines(store.logs.timings))
    store.logs.timings.write_bytes(rows[0] + rows[2])
    for _ in range(2):
        assert list(store.timings()) == [timing(0), timing(2)]
        with store.writer(CONFIG, resume=True):
            pass
    store.logs.timings.unlink()
    assert list(store.timings()) == []
    assert numbers(save(store.folder / "new", [0])) == [0]


class Killed(BaseException):
    """A process ends here."""


def begin(folder: Path, zstd: bool) -> Path:
    """Make a run with gaps."""
    save(folder, [4, 5], [7], zstd=zstd)
    return folder


def go_on(folder: Path) -> None:
    """Play what is missing of the first eight rounds."""
    with Store(folder).writer(CONFIG, resume=True) as writer:
        missing = [number for number in writer.missing() if number < 8]
        for at in range(0, len(missing), 2):
            writer.append(batch(*missing[at : at + 2]))


@contextmanager
def mortal(number: int, die: Callable[[], None]) -> Iterator[None]:
    """Die before the n-th thing that is done to the disk."""
    left = number

    def step(act: Callable[..., Any]) -> Callable[..., Any]:
        def dying(*args: Any, **options: Any) -> Any:
            nonlocal left
            if left == 0:
                die()
            left -= 1
            return act(*args, **options)

        return dying

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mending, "BLOCK", 2000)
        for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink"), (Path, "touch"), (Path, "open")):
            patch.setattr(owner, name, step(getattr(owner, name)))
        yield


def check_recovery(folder: Path, wanted: list[bytes]) -> None:
    """See that nothing is lost of a run that was killed, and that it ends as it should."""
    assert {4, 5, 7} <= set(recorded(Store(folder)))
    go_on(folder)
    store = Store(folder)
    assert contents(store) == wanted
    assert numbers(store) == list(range(8))
    assert {path.name for path in folder.iterdir()} == {"config.json", store.log.name, *NAMES[1:]}


@pytest.mark.parametrize("zstd", [False, True])
def test_a_run_that_fails_at_any_step_loses_nothing(zstd: bool, tmp_path: Path) -> None:
    def die() -> None:
        raise Killed

    wanted = contents(save(tmp_path / "wanted", range(8)))
    for number in count():
        folder = begin(tmp_path / str(number), zstd)
        try:
            with mortal(number, die):
                go_on(folder)
        except Killed:
            check_recovery(folder, wanted)
            continue
        assert number > 30, "there are steps to fail at"
        assert contents(Store(folder)) == wanted
        return


@pytest.mark.long
@pytest.mark.parametrize("zstd", [False, True])
def test_a_run_that_is_killed_at_any_step_loses_nothing(zstd: bool, tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from tests.arena.test_store import go_on, mortal\n"
        "with mortal(int(sys.argv[1]), lambda: os.kill(os.getpid(), signal.SIGKILL)): go_on(Path(sys.argv[2]))"
    )
    wanted = contents(save(tmp_path / "wanted", range(8)))
    for number in count():
        folder = begin(tmp_path / str(number), zstd)
        done = subprocess.run([sys.executable, "-c", code, str(number), str(folder)], cwd=ROOT, check=False)
        if done.returncode == 0:
            assert number > 30, "there are steps to be killed at"
            assert contents(Store(folder)) == wanted
            return
        assert done.returncode == -signal.SIGKILL
        check_recovery(folder, wanted)


def test_the_first_free_folder(store: Store) -> None:
    runs = store.folder.parent
    assert free_folder("small", runs) == runs / "small-2"
    assert free_folder("large", runs) == runs / "large-1"


@pytest.mark.parametrize(
    ("suffix", "key"), [("", "deal 0 seating 0"), ("#1", "deal 0 seating 0"), ("#3", "deal 2 seating 0")]
)
def test_a_record_is_found_by_folder_or_log_and_number(store: Store, suffix: str, key: str) -> None:
    assert find_record(f"{store.folder}{suffix}").key == key
    assert find_record(f"{store.log}{suffix}").key == key


def test_a_record_that_is_not_there(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NoRecord, match="has no record 4; it has 3"):
        find_record(f"{store.folder}#4")
    with pytest.raises(NoRecord, match="has no record 0"):
        find_record(f"{store.folder}#0")
    with pytest.raises(NoRecord, match="there is no log"):
        find_record(str(tmp_path / "nowhere"))
    store.log.write_bytes(b"")
    with pytest.raises(NoRecord, match="has no records yet"):
        find_record(str(store.folder))


def test_a_broken_line_is_named(store: Store) -> None:
    with store.log.open("ab") as log:
        log.write(b'{"profile": "how')
    assert find_record(f"{store.log}#3").key == "deal 2 seating 0"
    with pytest.raises(InvalidRecord, match=r"records\.jsonl, line 4: not a record"):
        find_record(f"{store.log}#4")
