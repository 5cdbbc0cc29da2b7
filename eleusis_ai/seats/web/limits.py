"""How much one client may ask for: requests a second, and sockets at a table and from an address."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a server puts up with."""

    requests: float = 10.0
    """Requests a second of one socket, in the long run."""
    burst: int = 40
    """Requests that it may send at once."""
    warnings: int = 20
    """Requests too many after which a socket is closed."""
    sockets_per_table: int = 100
    sockets_per_address: int = 100
    """A class behind one router has one address."""
    tables_per_address: float = 1.0
    """Tables a second that one address may make, in the long run."""
    tables_burst: int = 60
    """Tables that it may make at once: a classroom."""
    enter_within: float = 10.0
    """Seconds in which a new socket must enter."""


class Bucket:
    """Lets so much through a second, and a burst of it at once."""

    def __init__(self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._left, self._at = float(burst), clock()

    def take(self) -> bool:
        """Take one out; False: there is none left now."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def full(self) -> bool:
        """Whether it has been left alone for so long that it is as good as new."""
        return self._left + (self._clock() - self._at) * self._rate >= self._burst


class Doorkeeper:
    """Counts who is in, and how many tables an address makes."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sockets: Counter[str] = Counter()
        self._buckets: dict[str, Bucket] = {}

    @contextmanager
    def admitted(self, address: str, at_table: int) -> Iterator[bool]:
        """Count a socket from ``address`` as long as it is open; False: it is one too many.

        Args:
            address: Where it comes from.
            at_table: How many are at its table already.
        """
        if self._sockets[address] >= self._limits.sockets_per_address or at_table >= self._limits.sockets_per_table:
            yield False
            return
        self._sockets[address] += 1
        try:
            yield True
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]

    def may_make_table(self, address: str) -> bool:
        """Tell whether ``address`` may make a table now, and count it."""
        if len(self._buckets) > 1000:
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.full}
        bucket = self._buckets.setdefault(address, Bucket(self._limits.tables_per_address, self._limits.tables_burst))
        return bucket.take()
