"""How much one client may ask for: requests a second, sockets at a table, and what comes from one address."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

MOST_ADDRESSES = 10_000
"""Addresses that are told apart; all that come after them share what one of them may do."""
HOUSEHOLD = 64
"""Bits of an IPv6 address that tell households apart: whoever has one has all the addresses behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a server puts up with."""

    requests: float = 10.0
    """Requests a second of one socket, in the long run."""
    burst: int = 40
    """Requests that it may send at once."""
    warnings: int = 20
    """Requests too many after which a socket is closed."""
    strangers_per_table: int = 100
    """Sockets at a table or a board that show no token of it."""
    sockets_per_address: int = 300
    """A school behind one router has one address."""
    sockets: int = 4000
    enter_within: float = 10.0
    """Seconds in which a new socket must enter."""
    pages: float = 50.0
    """What one address may ask for over HTTP a second, in the long run."""
    pages_burst: int = 3000
    """What it may ask for at once: a class that opens the page."""
    chronicles: float = 1.0
    """Rounds that are over of which one address may be told a second, in the long run; telling one takes long."""
    chronicles_burst: int = 100
    tables: float = 0.01
    """Tables a second that one address may make, in the long run: fewer than a hall of them in a day."""
    tables_burst: int = 100
    """Tables that it may make at once: some classes."""
    connections_per_address: int = 600
    """Connections of all kinds, those that have not asked for anything too."""
    connections: int = 5000
    answer_within: float = 30.0
    """Seconds from a connection, or the first sign of the next request in it, to the end of the answer."""
    close_within: float = 10.0
    """Seconds after which a connection that is being closed is broken off."""


class Bucket:
    """Lets so much through a second, and a burst of it at once."""

    def __init__(self, rate: float, burst: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, float(burst), clock
        self._left, self._at = float(burst), clock()

    def take(self, count: int = 1) -> bool:
        """Take so many out; False: there are not as many left now, and none is taken."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < count:
            return False
        self._left -= count
        return True

    @property
    def full(self) -> bool:
        """Whether it has been left alone for so long that it is as good as new."""
        return self._left + (self._clock() - self._at) * self._rate >= self._burst


class Buckets:
    """A bucket for each address, as long as it matters."""

    def __init__(
        self, rate: float, burst: int, *, most: int = MOST_ADDRESSES, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._burst, self._most, self._clock = rate, burst, most, clock
        self._buckets: dict[str, Bucket] = {}
        self._others = self._new()
        self._swept = clock()

    def take(self, address: str, count: int = 1) -> bool:
        """Take so many out of the bucket of an address; False: there are not as many left now."""
        bucket = self._buckets.get(address)
        if bucket is None:
            self._sweep()
            bucket = self._others
            if len(self._buckets) < self._most:
                bucket = self._buckets[address] = self._new()
        return bucket.take(count)

    def _new(self) -> Bucket:
        return Bucket(self._rate, self._burst, clock=self._clock)

    def _sweep(self) -> None:
        """Forget buckets that are as good as new: not more often than once a second, since it looks at all."""
        now = self._clock()
        if now - self._swept >= 1:
            self._swept = now
            self._buckets = {known: bucket for known, bucket in self._buckets.items() if not bucket.full}


class Doorkeeper:
    """Counts who is in, and what each address asks for."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sockets: Counter[str] = Counter()
        self.pages = Buckets(limits.pages, limits.pages_burst)
        """What is asked for over HTTP."""
        self.chronicles = Buckets(limits.chronicles, limits.chronicles_burst)
        self.tables = Buckets(limits.tables, limits.tables_burst)
        """Tables that are made."""

    @contextmanager
    def admitted(self, address: str) -> Iterator[bool]:
        """Count a socket from ``address`` as long as it is open; False: it is one too many."""
        own, all_ = self._sockets[address], self._sockets.total()
        if own >= self._limits.sockets_per_address or all_ >= self._limits.sockets:
            yield False
            return
        self._sockets[address] += 1
        try:
            yield True
        finally:
            self._sockets[address] -= 1
            if not self._sockets[address]:
                del self._sockets[address]


def household(host: str) -> str:
    """Return what stands for all the addresses that somebody who has this one is likely to have.

    >>> household("192.0.2.7"), household("2001:db8:0:1:2:3:4:5"), household("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8:0:1::/64', '192.0.2.7')
    """
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, HOUSEHOLD), strict=False))
