"""What a program outside may do wrong: each fault with a name of its own, which logs and checks tell."""

from __future__ import annotations

from eleusis_ai.agent import Misbehaved


class BadJson(Misbehaved):
    """A line that is not JSON."""


class NotAnObject(Misbehaved):
    """A line of JSON that is not an object."""


class UnknownMessage(Misbehaved):
    """An object of no known type."""


class BadMessage(Misbehaved):
    """A message with a field that is missing or wrong."""


class OutOfTurn(Misbehaved):
    """A message that is right, but not here."""


class WrongVersion(Misbehaved):
    """A hello in another version of the protocol."""


class WrongDecision(Misbehaved):
    """A move that answers another decision than was asked."""


class NotAMove(Misbehaved):
    """A text that is not a move."""


class GaveUp(Misbehaved):
    """A program that says itself that it cannot go on."""


class LongLine(Misbehaved):
    """A line that is too long, or never ends."""


class Silent(Misbehaved):
    """No answer in time."""


class Unreachable(Misbehaved):
    """A program that cannot be started, or a server that is not there."""


class Crashed(Misbehaved):
    """A program that ended before the round did."""


class OutOfMemory(Misbehaved):
    """A program that ended because it wanted more memory than it may have."""


class HungUp(Misbehaved):
    """A program that goes on, but says nothing any more, or a connection that was closed."""


class StaysOn(Misbehaved):
    """A program that does not end when the round is over and its input is closed."""
