"""Functions of the whole mainline, such as a count, followed card by card for all candidates at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd
from typing import TypeAlias

from eleusis_ai.cards import CARDS, cards_of
from eleusis_ai.rules import terms
from eleusis_ai.rules.evaluation import values
from eleusis_ai.rules.extent import Endless, Extent, extent
from eleusis_ai.rules.growth import Limit
from eleusis_ai.rules.places import Slots, numbered, replaced, sources
from eleusis_ai.rules.terms import Term

Fate: TypeAlias = tuple[int, ...] | str | None
"""How far a function has come for one candidate: its numbers; ``FAILED``; None for nothing yet."""
FAILED = "failed"
"""The candidate has failed, and so it does on every longer line."""
_IDEMPOTENT = ("any", "all", "min", "max", "in")
"""Functions to which a card that came twice is the same as one that came once, in any order."""
_MERGED: dict[str, Callable[[int, int], int]] = {
    "min": lambda one, two: min(one, two),
    "max": lambda one, two: max(one, two),
    "gcd": gcd,
}


class Fold:
    """One function of the whole mainline, followed for all candidates at once."""

    def __init__(self, fold: Term, limits: Mapping[Term, Limit]) -> None:
        self.kind, each = _taken_apart(fold)
        self.place: Extent = extent(each.stretch)
        is_open = any(sources(part) - {each.variable} for part in (each.body, each.condition) if part)
        rows = _seen_rows(self.kind, each) if is_open else _item_rows(each)
        fallible = any(FAILED in row for row in rows)
        if self.place.is_reversed and (self.kind == "run" or (fallible and self.kind in ("any", "all", "in"))):
            raise Endless(f"{terms.write(fold)} goes through the line backwards")
        if self.kind == "in" and fallible:
            raise Endless(f"{terms.write(fold)} may fail at any card")
        self._seen = is_open or self.kind == "in"
        self._limit = limits.get(fold, Limit(0, 1))
        self.letters = numbered([rows])
        """The letter of each card; cards of one letter are the same to the function."""
        columns = list(dict.fromkeys(zip(*rows, strict=True)))
        distinct = dict.fromkeys(zip(*columns, strict=True))
        self._items = list(distinct)
        start: tuple[Fate, ...] = ((),) if self._seen else (None,) * len(columns)
        self._fates = [start]
        self._numbers = {start: 0}
        self._steps = [[-1] * (max(self.letters) + 1)]

    def step(self, fates: int, letter: int) -> int:
        """Return how far the function has come once a card of ``letter`` has entered it.

        How far it has come is a number, given at the first time; 0 is that of an empty line.
        """
        found = self._steps[fates][letter]
        if found < 0:
            found = self._steps[fates][letter] = self._number(self._step(self._fates[fates], letter))
        return found

    def _number(self, fates: tuple[Fate, ...]) -> int:
        found = self._numbers.get(fates)
        if found is None:
            found = self._numbers[fates] = len(self._fates)
            self._fates.append(fates)
            self._steps.append([-1] * len(self._steps[0]))
        return found

    def _step(self, fates: tuple[Fate, ...], letter: int) -> tuple[Fate, ...]:
        if self._seen:
            (seen,) = fates
            assert isinstance(seen, tuple), "a set of letters cannot fail"
            return (tuple(sorted({*seen, letter})),)
        items = self._items[letter]
        return tuple(self._next(fate, item) for fate, item in zip(fates, items, strict=True))

    def _next(self, fate: Fate, item: Fate) -> Fate:
        if item is None or isinstance(fate, str):
            return fate
        if isinstance(item, str):
            return fate if fate is not None and self.kind in ("any", "all") else FAILED
        (number,) = item
        match self.kind:
            case "any" | "all":
                return (number,) if fate is None and number == (self.kind == "any") else fate
            case "run":
                same = fate is not None and fate[0] == number
                return (number, self._limit.reduce(fate[1] + 1 if fate and same else 1))
            case "count" | "sum" | "len":
                return (self._limit.reduce(number if fate is None else fate[0] + number),)
        if fate is None:
            return item
        return (_MERGED[self.kind](fate[0], number),)


def _taken_apart(fold: Term) -> tuple[str, terms.Each]:
    """Return the function's name and what it goes through, as a generator."""
    function, many = "in", fold
    if isinstance(fold, terms.Call):
        function, many = fold.function, fold.arguments[0]
    if isinstance(many, terms.Stretch):
        body: Term = terms.Number(1) if function == "len" else terms.Variable("x")
        return function, terms.Each(body, "x", many)
    assert isinstance(many, terms.Each), f"{terms.write(fold)} goes through no line"
    return function, many


def _item_rows(each: terms.Each) -> list[tuple[Fate, ...]]:
    """Return for each card what it adds for each candidate: a number, None for nothing, or ``FAILED``."""
    variable = terms.Variable(each.variable)
    body = values(replaced(each.body, variable))
    condition = values(terms.Truth(True) if each.condition is None else replaced(each.condition, variable))
    rows = []
    for card in CARDS:
        row: list[Fate] = [FAILED] * 52
        tested = condition((card,))
        for candidate in cards_of(tested.get(0, 0)):
            row[candidate] = None
        for number, mask in body((card,)).items():
            for candidate in cards_of(mask & tested.get(1, 0)):
                row[candidate] = (number,)
        rows.append(tuple(row))
    return rows


def _seen_rows(function: str, each: terms.Each) -> list[tuple[Fate, ...]]:
    """Return for each card its class, where only the set of the classes on the line counts."""
    fallible = any(
        isinstance(part, terms.Entry | terms.After | terms.Arithmetic | terms.Call | terms.LineCard)
        and not (isinstance(part, terms.Arithmetic) and part.operator in "+-*")
        and not (isinstance(part, terms.Call) and part.function not in ("min", "max"))
        and not (isinstance(part, terms.LineCard) and part.line == "mainline")
        for part in terms.walk(each)
    )
    if function not in _IDEMPOTENT or fallible:
        raise Endless(f"{terms.write(each)} depends on more than the cards that it counts")
    slots = Slots()
    rows: list[list[object]] = []
    slots.seen_by[each.variable] = rows
    for part in (each.body, each.condition):
        if part is not None:
            slots.collect(part, {each.variable: Extent()})
    classes = numbered(rows)
    return [((number,),) for number in classes]
