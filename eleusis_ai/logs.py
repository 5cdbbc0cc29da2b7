"""Logs: files of lines that only grow, plain or compressed by zstd, a frame for each block that was written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, BinaryIO

import msgspec

from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.registry import MissingExtra

COMPRESSED = ".zst"
"""How the name of a compressed log ends."""
LEVEL = 3
"""How hard zstd tries, of 1 to 22."""
CHUNK = 1 << 16
"""Bytes that are read at a time."""


def lines(path: Path | str) -> Iterator[bytes]:
    """Yield the lines of a log with their ends; if the last one was cut short, it has none.

    Raises:
        InvalidRecord: if it cannot be decompressed.
        MissingExtra: if it is compressed, and zstandard is not installed.
    """
    with Path(path).open("rb") as file:
        if not _compressed(path):
            yield from file
            return
        rest = b""
        for piece, _ in _pieces(file, path):
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line + b"\n"
        if rest:
            yield rest


def read_log(path: Path | str) -> Iterator[Record]:
    """Yield the records of a log, one a line.

    Raises:
        InvalidRecord: naming the line that is not a record.
        MissingExtra: if the log is compressed, and zstandard is not installed.
    """
    for number, line in enumerate(lines(path), start=1):
        try:
            yield Record.parse(line)
        except InvalidRecord as error:
            raise InvalidRecord(f"{path}, line {number}: {error}") from None


class _Keyed(msgspec.Struct):
    key: str


_key = msgspec.json.Decoder(_Keyed).decode


def key_of(line: bytes) -> str:
    """Return the key of a line, the rest of which is passed over.

    Raises:
        InvalidRecord: if it has none.
    """
    try:
        return _key(line).key
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidRecord(
            f'not a line with a key: {error}; one is as in \'{{"key":"deal 3 seating 1"}}\''
        ) from None


class Appender:
    """A log that is open at its end.

    Raises:
        MissingExtra: if it is to be compressed, and zstandard is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._compress = None
        if _compressed(path):
            # The checksum tells a frame that a crash left half written from a whole one.
            self._compress = _zstd().ZstdCompressor(level=LEVEL, write_checksum=True).compress
        self._file: BinaryIO = path.open("ab")

    def append(self, block: Iterable[bytes]) -> None:
        """Write lines, given without their ends; they are on the disk when this returns."""
        data = b"".join(line + b"\n" for line in block)
        if not data:
            return
        self._file.write(data if self._compress is None else self._compress(data))
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def cut(path: Path, *, end: int | None = None) -> bool:
    """Cut off what a crash left behind the last whole line, or frame; return whether there was something.

    Args:
        path: The log.
        end: Where the log is to end, if that is known; for one that is not compressed.

    Raises:
        InvalidRecord: if it is compressed, and something else than its end is broken.
        MissingExtra: if it is compressed, and zstandard is not installed.
    """
    with path.open("r+b") as file:
        if end is None:
            end = _whole_frames(file, path) if _compressed(path) else _whole_lines(file)
        torn = file.seek(0, os.SEEK_END) > end
        if torn:
            file.truncate(end)
            os.fsync(file.fileno())
        return torn


@contextmanager
def seekable(path: Path) -> Iterator[BinaryIO]:
    """Open a log so that each line is found by its offset; a compressed one is unpacked beside it meanwhile."""
    if not _compressed(path):
        with path.open("rb") as file:
            yield file
        return
    with path.open("rb") as packed, TemporaryFile(dir=path.parent) as unpacked:
        for piece, _ in _pieces(packed, path):
            unpacked.write(piece)
        yield unpacked


def sync(folder: Path) -> None:
    """See to it that what was renamed in ``folder`` is on the disk."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def claim(file: BinaryIO) -> bool:
    """Keep other processes from claiming the same file as long as it is open; return whether nobody else had."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _compressed(path: Path | str) -> bool:
    return Path(path).suffix == COMPRESSED


def _zstd() -> Any:
    try:
        return import_module("zstandard")
    except ImportError as error:
        raise MissingExtra("a compressed log", "zstd") from error


def _whole_lines(file: BinaryIO) -> int:
    """Return the offset behind the last line's end."""
    at = file.seek(0, os.SEEK_END)
    while at:
        begin = max(0, at - CHUNK)
        file.seek(begin)
        found = file.read(at - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        at = begin
    return 0


def _whole_frames(file: BinaryIO, path: Path) -> int:
    """Return the offset behind the last frame that is whole."""
    return max((end for _, end in _pieces(file, path)), default=0)


def _pieces(file: BinaryIO, path: Path | str) -> Iterator[tuple[bytes, int]]:
    """Yield what a compressed log says, piece by piece, each with the offset behind the last frame that is whole.

    Raises:
        InvalidRecord: if something else than the end is broken.
        MissingExtra: if zstandard is not installed.
    """
    zstd = _zstd()
    unpack = zstd.ZstdDecompressor()
    whole = read = 0
    frame = None
    while chunk := file.read(CHUNK):
        read += len(chunk)
        while chunk:
            frame = frame or unpack.decompressobj()
            try:
                piece = frame.decompress(chunk)
            except zstd.ZstdError as error:
                raise InvalidRecord(
                    f"{path} cannot be decompressed from byte {whole}: {error}; "
                    f"`truncate -s {whole}` would keep what stands before it"
                ) from None
            chunk = frame.unused_data if frame.eof else b""
            if frame.eof:
                frame, whole = None, read - len(chunk)
            yield piece, whole
