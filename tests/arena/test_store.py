from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from eleusis_ai.arena.batch import Batch
from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.outcomes import Outcome, SeatOutcome, Timing
from eleusis_ai.arena.referee import Played
from eleusis_ai.arena.store import FolderTaken, NoRecord, Store, Writer, find_record, free_folder
from eleusis_ai.record import InvalidRecord, Record

CONFIG = config_from(
    {
        "name": "small",
        "profile": "howell",
        "seats": 5,
        "seed": 1,
        "deals": 2,
        "dealer": {"use": "catalog"},
        "agents": [{"use": "random"}],
    }
)


def record(key: str) -> Record:
    return Record(key=key, profile="howell", rule=None, seats=5, dealer=0, first=1, deck="7H", moves=())


def timing(key: str) -> Timing:
    return Timing(key=key, seconds={"random": 0.5}, decisions={"random": 2})


def outcome(key: str) -> Outcome:
    return Outcome(key=key, seats=(SeatOutcome(agent="random", points=3),))


def append(writer: Writer, key: str) -> None:
    batch = Batch.of([writer.rounds], [Played(record(key), outcome(key), timing(key), ())])
    writer.append(batch)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "runs" / "small-1")
    with store.writer(CONFIG) as writer:
        for number in range(3):
            append(writer, f"deal {number}")
    return store


def test_a_folder_holds_all_that_was_played(store: Store) -> None:
    assert [record.key for record in store.records()] == ["deal 0", "deal 1", "deal 2"]
    assert list(store.outcomes())[1] == outcome("deal 1")
    assert list(store.timings())[1] == timing("deal 1")
    assert msgspec.json.decode((store.folder / "config.json").read_bytes(), type=type(CONFIG)) == CONFIG


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


def test_a_writer_keeps_whole_rounds(store: Store) -> None:
    with store.writer(CONFIG, resume=True) as writer:
        assert (writer.rounds, writer.torn) == (3, False)
    whole = store.log.read_bytes()
    store.log.write_bytes(whole[:-1])
    with store.writer(CONFIG, resume=True) as writer:
        assert (writer.rounds, writer.torn) == (2, True)
        assert list(store.outcomes()) == [outcome("deal 0"), outcome("deal 1")]
        assert list(store.timings()) == [timing("deal 0"), timing("deal 1")]
        append(writer, "deal 2")
    assert store.log.read_bytes() == whole


def test_the_first_free_folder(store: Store) -> None:
    runs = store.folder.parent
    assert free_folder("small", runs) == runs / "small-2"
    assert free_folder("large", runs) == runs / "large-1"


@pytest.mark.parametrize(("suffix", "key"), [("", "deal 0"), ("#1", "deal 0"), ("#3", "deal 2")])
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
    assert find_record(f"{store.log}#3").key == "deal 2"
    with pytest.raises(InvalidRecord, match=r"records\.jsonl, line 4: not a record"):
        find_record(f"{store.log}#4")
