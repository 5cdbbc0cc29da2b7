"""Interval arithmetic: how large a number in a rule can become."""

from __future__ import annotations

from typing import NamedTuple

LARGEST = 10**12
"""No number inside a rule may be able to pass this, nor go below its negative."""


class Bounds(NamedTuple):
    """The least and the greatest value a number can take, both possible or beyond."""

    low: int
    high: int

    @property
    def size(self) -> int:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def __or__(self, other: Bounds) -> Bounds:
        """Return the bounds of a number that obeys either."""
        return Bounds(min(self.low, other.low), max(self.high, other.high))

    def repeated(self, most: int) -> Bounds:
        """Return the bounds of a sum of 0 to ``most`` such numbers."""
        return Bounds(min(0, most * self.low), max(0, most * self.high))


TRUTHS = Bounds(0, 1)


def arithmetic(operator: str, left: Bounds, right: Bounds) -> Bounds:
    """Return bounds of ``left operator right`` for one of ``+ - * // %``; division by 0 yields nothing."""
    match operator:
        case "+":
            return Bounds(left.low + right.low, left.high + right.high)
        case "-":
            return Bounds(left.low - right.high, left.high - right.low)
        case "*":
            corners = [x * y for x in left for y in right]
            return Bounds(min(corners), max(corners))
        case "//":
            return Bounds(-left.size, left.size)
        case _:
            return Bounds(min(0, right.low + 1), max(0, right.high - 1))
