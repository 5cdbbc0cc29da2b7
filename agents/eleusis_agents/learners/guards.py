"""Guards: what splits the situations on a mainline into branches, each with its own condition or a mirrored one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from eleusis_agents.learners import glances
from eleusis_agents.learners.glances import Glance


class Reading(IntEnum):
    """How a branch reads the predicate that decides in it."""

    LAST = 0
    """As it is."""
    BACK = 1
    """About the card before the last one."""
    LAST_TURNED = 2
    """With all ranks running the other way."""
    BACK_TURNED = 3
    """Both."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A way to tell situations apart that looks only at the mainline."""

    tests: tuple[str, ...]
    """Texts that are true in the first branch, in the second, ...; where none is it is the last branch."""
    family: str
    """What kind of guard it is; the prior has one weight for a family."""
    anchor: int = 1
    """Which card from the end the conditions in its branches call ``last``."""
    glance: Glance = glances.last
    """All of the mainline that the tests look at."""
    is_tied: bool = False
    """Whether one predicate decides in all branches, in all but the first with the ranks running the other way."""

    @property
    def branches(self) -> int:
        """How many branches there are."""
        return len(self.tests) + 1

    @property
    def slots(self) -> int:
        """How many predicates are chosen."""
        return 1 if self.is_tied else self.branches

    @property
    def readings(self) -> tuple[tuple[int, Reading], ...]:
        """By branch, which of the chosen predicates decides there, and how it is read."""
        plain = Reading(self.anchor - 1)
        if self.is_tied:
            return ((0, plain), *((0, Reading(plain + 2)) for _ in self.tests))
        return tuple((branch, plain) for branch in range(self.branches))

    def text(self, conditions: tuple[str, ...]) -> str:
        """Return a rule's text: a condition for each branch."""
        if not self.tests:
            return conditions[0]
        text = f"({conditions[-1]})"
        for test, condition in zip(reversed(self.tests), reversed(conditions[:-1]), strict=True):
            text = f"({condition}) if {test} else {text}"
        return text


ALWAYS = Guard((), "always")
"""No guard: one condition decides everywhere."""
TIED = (
    *("last-color", "last-parity", "last-face", "last-prime", "last-half", "last-suit-pair", "position-2"),
    *("two-color", "two-parity", "two-suit", "two-face", "two-order", "back-color", "back-parity", "back-face"),
)
"""Families whose guards of two branches also come with one predicate for both, as in a mirror in the second."""


def guards() -> Iterator[Guard]:
    """Yield every guard, `ALWAYS` first."""
    yield ALWAYS
    yield Guard((), "always-back", anchor=2)
    free = [*_of_last(), *_of_position(), *_of_two(), *_of_line()]
    yield from free
    for guard in free:
        if guard.family in TIED and guard.branches == 2:
            yield replace(guard, family=f"turned-{guard.family}", is_tied=True)


def _of_last() -> Iterator[Guard]:
    for attribute, family in (("red", "color"), ("odd", "parity"), ("face", "face"), ("prime", "prime")):
        yield Guard((f"last.is_{attribute}",), f"last-{family}")
    for rank in range(1, 13):
        if rank != 10:  # the opposite of a face
            yield Guard((f"last.rank <= {rank}",), "last-half" if 5 <= rank <= 8 else "last-end")
    for suit in "CDHS":
        yield Guard((f"last.suit == {suit}",), "last-one-suit")
    for pair in ("C, H", "H, S"):
        yield Guard((f"last.suit in {{{pair}}}",), "last-suit-pair")
    yield Guard(tuple(f"last.suit == {suit}" for suit in "CDH"), "last-suit")
    for one, other in (("red", "odd"), ("red", "face"), ("odd", "face")):
        tests = (f"last.is_{one} and last.is_{other}", f"last.is_{one}", f"last.is_{other}")
        yield Guard(tests, "last-two-attributes")
        yield Guard(tests[:1], "last-both")
    yield Guard(("last.rank <= 4", "last.rank <= 9"), "last-thirds")
    for rest in range(3):
        yield Guard((f"last.rank % 3 == {rest}",), "last-modulus")
    yield Guard(("last.rank % 3 == 0", "last.rank % 3 == 1"), "last-modulus")


def _of_position() -> Iterator[Guard]:
    for tests, family in _tests_of_position():
        yield Guard(tests, family, glance=glances.position)


def _tests_of_position() -> Iterator[tuple[tuple[str, ...], str]]:
    for modulus in range(2, 7):
        yield tuple(f"position % {modulus} == {rest}" for rest in range(modulus - 1)), f"position-{modulus}"
    for modulus in (3, 4):
        for rest in range(modulus):
            yield (f"position % {modulus} == {rest}",), "position-one"
    for length in (2, 3, 4):
        yield (f"position // {length} % 2 == 0",), "position-blocks"
    for length in (3, 5, 7, 10):
        yield (f"position < {length}",), "position-first"


def _of_two() -> Iterator[Guard]:
    two = glances.last_two
    for attribute, family in (("red", "color"), ("odd", "parity"), ("face", "face")):
        yield Guard((f"mainline[-2].is_{attribute}",), f"back-{family}", glance=two)
        yield Guard((f"mainline[-2].is_{attribute}",), f"back-{family}", glance=two, anchor=2)
    for attribute, family in (("color", "color"), ("is_odd", "parity"), ("suit", "suit"), ("is_face", "face")):
        yield Guard((f"last.{attribute} == mainline[-2].{attribute}",), f"two-{family}", glance=two)
    yield Guard(("last.rank > mainline[-2].rank",), "two-order", glance=two)
    yield Guard(("last.rank >= mainline[-2].rank",), "two-order", glance=two)
    yield Guard(("last.rank > mainline[-2].rank", "last.rank == mainline[-2].rank"), "two-order", glance=two)


def _of_line() -> Iterator[Guard]:
    for attribute, most in (("color", 4), ("suit", 3), ("is_odd", 3), ("is_face", 3)):
        run, glance = f"run(x.{attribute} for x in mainline)", glances.run(attribute)
        for least in range(2, most):
            yield Guard((f"{run} >= {least}",), "run", glance=glance)
        if attribute == "color":
            for modulus in (2, 3):
                yield Guard((f"{run} % {modulus} == 0",), "run-modulus", glance=glance)
    for attribute in ("is_red", "is_odd", "is_face"):
        counted, glance = f"count(x.{attribute} for x in mainline)", glances.total(attribute)
        yield Guard((f"{counted} % 2 == 0",), "count", glance=glance)
        yield Guard((f"{counted} % 3 == 0", f"{counted} % 3 == 1"), "count", glance=glance)
        for least in (1, 2):
            test = f"count(x.{attribute} for x in mainline[-3:]) >= {least}"
            yield Guard((test,), "count-of-three", glance=glances.last_of(attribute, 3))
    ranks, glance = "sum(x.rank for x in mainline)", glances.total("rank")
    yield Guard((f"{ranks} % 2 == 0",), "sum", glance=glance)
    yield Guard((f"{ranks} % 3 == 0", f"{ranks} % 3 == 1"), "sum", glance=glance)
