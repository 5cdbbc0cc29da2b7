from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai import PROFILES, Record, Round, Rule, read_log
from eleusis_ai.cards import pack
from eleusis_ai.logs import Appender, cut, key_of, lines, seekable
from eleusis_ai.record import InvalidRecord
from eleusis_ai.registry import MissingExtra

NAMES = ("records.jsonl", "records.jsonl.zst")


def record(seed: int) -> Record:
    deck = list(pack()) * 3
    Random(seed).shuffle(deck)
    return Round.deal(PROFILES["howell"], Rule.parse("card.is_red"), seats=4, dealer=0, deck=deck).record()


def write(path: Path, *blocks: list[bytes]) -> None:
    log = Appender(path)
    for block in blocks:
        log.append(block)
    log.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_log_has_a_record_a_line(name: str, tmp_path: Path) -> None:
    path, records = tmp_path / name, [record(seed) for seed in range(3)]
    write(path, [str(each).encode() for each in records[:2]], [str(records[2]).encode()])
    assert list(read_log(path)) == records
    assert list(read_log(str(path))) == records


@pytest.mark.parametrize("name", NAMES)
def test_a_log_with_a_line_that_is_no_record(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path, [str(record(1)).encode(), b"{}"])
    found = read_log(path)
    assert next(found) == record(1)
    with pytest.raises(InvalidRecord, match=rf"{name}, line 2: not a record"):
        next(found)


def test_any_frames_are_read(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl.zst"
    path.write_bytes(b"".join(map(zstandard.ZstdCompressor().compress, (b"on", b"e\ntwo\nth", b"ree\n"))))
    assert list(lines(path)) == [b"one\n", b"two\n", b"three\n"]
    with seekable(path) as file:
        file.seek(4)
        assert file.readline() == b"two\n"


BLOCKS = [[b"one", b"two"], [b"three"], [b"four" * 9, b"five", b"six"]]


@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_crash_left_of_a_block_is_cut_off(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    ends = []
    for block in BLOCKS:
        write(path, block)
        ends.append(path.stat().st_size)
    whole = path.read_bytes()
    written = [line for block in BLOCKS for line in block]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        torn = cut(path)
        left = [line[:-1] for line in lines(path)]
        assert left == written[: len(left)]
        assert torn == (path.stat().st_size < size)
        if name.endswith(".zst"):  # a block is there, or it is not
            assert path.stat().st_size == max((end for end in ends if end <= size), default=0)
        else:
            assert len(left) == whole[:size].count(b"\n")
        assert not cut(path)


def test_what_is_broken_in_the_middle_is_not_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl.zst"
    write(path, BLOCKS[0])
    end = path.stat().st_size
    write(path, BLOCKS[2])
    broken = bytearray(path.read_bytes())
    broken[end + 12] ^= 0xFF
    path.write_bytes(broken)
    with pytest.raises(
        InvalidRecord, match=rf"cannot be decompressed from byte {end}: .*`truncate -s {end}` would keep"
    ):
        cut(path)
    found = lines(path)
    assert [next(found), next(found)] == [b"one\n", b"two\n"]
    with pytest.raises(InvalidRecord, match=f"from byte {end}"):
        next(found)
    assert path.read_bytes() == broken


def test_a_compressed_log_needs_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "records.jsonl.zst"
    path.touch()
    monkeypatch.setitem(sys.modules, "zstandard", None)
    for use in (Appender, cut, lambda path: list(lines(path))):
        with pytest.raises(MissingExtra, match=r"a compressed log needs .*eleusis-ai\[zstd\]"):
            use(path)


@given(st.text(), st.dictionaries(st.text(), st.integers() | st.text()))
def test_a_key_is_found_whatever_else_the_line_says(key: str, rest: dict[str, int | str]) -> None:
    import msgspec

    assert key_of(msgspec.json.encode(rest | {"key": key})) == key


@pytest.mark.parametrize(
    "line", [b"", b"{}", b'{"key":1}', b"[1]", b'{"key":"deal 0', b"\x00\x00", b'{"key":"\xff"}']
)
def test_a_line_without_a_key(line: bytes) -> None:
    with pytest.raises(InvalidRecord, match="not a line with a key"):
        key_of(line)
