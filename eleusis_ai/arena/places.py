"""Which rounds of a schedule are there: a bit each, whatever their number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple, Self


class InvalidPart(ValueError):
    """A text that is not a part of a tournament."""


class Part(NamedTuple):
    """One of so many equal parts of a tournament: every so many-th deal.

    >>> str(Part.parse("2/5")), [deal for deal in range(12) if Part(2, 5).has(deal)]
    ('2/5', [1, 6, 11])
    """

    number: int
    """Which one, from 1."""
    of: int
    """How many there are."""

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a part.

        Raises:
            InvalidPart: if ``text`` is none.
        """
        match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text)
        if match is None or not 1 <= int(match[1]) <= int(match[2]):
            raise InvalidPart(f"{text!r} is not a part of a tournament; the second of five is '2/5'")
        return cls(int(match[1]), int(match[2]))

    def has(self, deal: int) -> bool:
        """Return whether the deal, counted from 0, belongs to it."""
        return deal % self.of == self.number - 1


class Places:
    """The numbers of the rounds that are there, of 0 to ``rounds`` - 1.

    >>> places = Places(10)
    >>> for number in (0, 1, 4):
    ...     places.add(number)
    >>> len(places), 4 in places, 5 in places, list(places), list(places.missing())
    (3, True, False, [0, 1, 4], [2, 3, 5, 6, 7, 8, 9])
    """

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds
        self._bits = bytearray((rounds + 7) // 8)
        self._count = 0

    def add(self, number: int) -> None:
        """Note that a round is there."""
        if number not in self:
            self._bits[number >> 3] |= 1 << (number & 7)
            self._count += 1

    def __contains__(self, number: int) -> bool:
        return bool(self._bits[number >> 3] >> (number & 7) & 1)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return self._where(there=True)

    def missing(self) -> Iterator[int]:
        """Yield the rounds that are not there, in the order of the schedule."""
        return self._where(there=False)

    def _where(self, *, there: bool) -> Iterator[int]:
        nothing = 0 if there else 0xFF
        for at, byte in enumerate(self._bits):
            if byte == nothing:
                continue
            for number in range(8 * at, min(8 * at + 8, self.rounds)):
                if bool(byte >> (number & 7) & 1) is there:
                    yield number
