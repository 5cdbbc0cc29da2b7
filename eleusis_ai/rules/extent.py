"""Where the cards of a stretch of the mainline lie, whatever the line's length."""

from __future__ import annotations

from dataclasses import dataclass

from eleusis_ai.rules import terms


class Endless(ValueError):
    """A rule whose verdicts depend on more of the mainline than a finite state can hold."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Where the cards of a stretch of the mainline lie, whatever the line's length."""

    window: int = 0
    """Only the last so many cards can be in it, unless ``is_whole``."""
    prefix: int = 0
    """Only the first so many cards can be in it, unless ``is_whole``."""
    mixes_ends: bool = False
    """Whether it is cut from both ends, so that the length of the line matters up to ``prefix``."""
    is_whole: bool = False
    """Whether every ``step``-th card is in it, save the first ``skip`` and the last ``delay``."""
    skip: int = 0
    delay: int = 0
    step: int = 1
    is_reversed: bool = False

    @property
    def most(self) -> int:
        """How many cards it holds at most, unless ``is_whole``."""
        return max(self.window, self.prefix)


def extent(stretch: terms.Stretch) -> Extent:
    """Return where the cards of ``stretch`` lie.

    Raises:
        Endless: if which cards it holds depends on the parity of the line's length, or the like.
    """
    if stretch.line == "rejected":
        raise Endless("the rule looks at rejected cards")
    start, stop, step = stretch.start, stretch.stop, stretch.step or 1
    far, near = (start, stop) if step > 0 else (stop, start)
    if far is not None and far < 0 and (near is None or near < 0):
        return Extent(window=-far if step > 0 else -far - 1)
    if near is not None and near >= 0 and (far is None or far >= 0):
        return Extent(prefix=near if step > 0 else near + 1)
    if far is not None and far < 0:
        prefix = abs(start or 0) + abs(stop or 0) + 1
        return Extent(prefix=prefix, mixes_ends=True)
    if step < -1:
        raise Endless(f"{terms.write(stretch)} takes every {-step}th card from the end")
    if step > 0:
        return Extent(is_whole=True, skip=far or 0, delay=-(near or 0), step=step)
    return Extent(
        is_whole=True,
        skip=0 if far is None else far + 1,
        delay=0 if near is None else -near - 1,
        is_reversed=True,
    )
