"""Whom a worker asks, and the moves so far: written where it can still be read once its process is dead."""

from __future__ import annotations

import mmap
import os
import struct
from functools import lru_cache
from typing import NamedTuple

import msgspec

from eleusis_ai.moves import Move

SIZE = 2**20
"""Bytes there are for a round. Of one that takes more the first moves are known, and the others are played anew."""
_HEAD = struct.Struct("<qqdq")
_NOBODY = -1


class Made(NamedTuple):
    """A move as it was made at a table."""

    text: str
    fault: str = ""
    """Why it is a substitute; empty: it is the agent's own."""


class Noted(NamedTuple):
    """What stands in the notes."""

    number: int
    """Which round is played; -1: none yet."""
    seat: int | None
    """Whose answer is waited for; None: nobody's."""
    since: float
    """When it was asked, as `time.perf_counter` counts in every process of a machine."""
    lines: bytes
    """The moves of the round so far."""

    @property
    def made(self) -> tuple[Made, ...]:
        """The moves of the round so far."""
        return tuple(msgspec.json.Decoder(Made).decode_lines(self.lines))


class Notes:
    """Memory that two processes share: a worker writes into it, and whoever watches the worker reads.

    A message for each decision would tell as much, and take longer than the decision.
    """

    def __init__(self, file: int = -1, line: int | None = None) -> None:
        """Open the notes.

        Args:
            file: The descriptor of a file of `SIZE` bytes; -1: nobody else reads them.
            line: The descriptor over which the worker answers.
        """
        self._memory = mmap.mmap(file, SIZE)
        self._line = line
        self._number, self._end, self._careful = -1, _HEAD.size, False

    def begin(self, number: int, *, careful: bool = False) -> None:
        """Note that a round begins; ``careful``: it is to be found out who closes the line."""
        self._number, self._end, self._careful = number, _HEAD.size, careful
        self.nobody()

    def nobody(self) -> None:
        """Note that no agent is asked, and end the process if one has closed the line."""
        if self._careful:
            self._check_line()
        _HEAD.pack_into(self._memory, 0, self._number, _NOBODY, 0.0, self._end)
        self._check_line()

    def asking(self, seat: int, since: float) -> None:
        """Note that the answer of ``seat`` is waited for."""
        if self._careful:
            self._check_line()
        _HEAD.pack_into(self._memory, 0, self._number, seat, since, self._end)

    def made(self, move: Move, fault: str = "") -> None:
        """Note a move of the round."""
        line = _line(str(move), fault) if fault else _own_line(move)
        end = self._end + len(line)
        if end <= SIZE:
            self._memory[self._end : end] = line
            self._end = end

    def read(self) -> Noted:
        """Return what was noted last."""
        number, seat, since, end = _HEAD.unpack_from(self._memory)
        return Noted(number, None if seat == _NOBODY else seat, since, self._memory[_HEAD.size : end])

    def _check_line(self) -> None:
        """End the process if an agent has closed the line: nobody would hear what is played."""
        if self._line is not None:
            try:
                os.get_blocking(self._line)
            except OSError:
                os._exit(1)


def _line(text: str, fault: str) -> bytes:
    return msgspec.json.encode(Made(text, fault)) + b"\n"


@lru_cache(maxsize=4096)
def _own_line(move: Move) -> bytes:
    return _line(str(move), "")
