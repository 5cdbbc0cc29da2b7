"""Random generators made from names, so that every draw can be told apart and repeated."""

from __future__ import annotations

import hashlib
from random import Random


def generator(name: str) -> Random:
    """Return a generator seeded with the SHA-256 of ``name``, such as ``1/deal/7/deck``.

    >>> generator("1/deal/7/deck").random() == generator("1/deal/7/deck").random()
    True
    """
    return Random(int.from_bytes(hashlib.sha256(name.encode()).digest(), "big"))
