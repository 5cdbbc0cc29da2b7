"""The blocks that evaluation is built of: functions that answer for all 52 candidates at once.

Each is given the candidates for which Python would evaluate a term now, and answers for those of them that do
not fail meanwhile; a candidate fails where Python would raise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import add, floordiv, ge, gt, le, lt, mod, mul, sub
from typing import TypeAlias, TypeVar

from eleusis_ai.cards import ALL_CARDS
from eleusis_ai.rules.terms import Line

Classes: TypeAlias = Mapping[int, int]
"""Candidates sorted by the value a term has for them: value to mask, the masks disjoint."""


class AbsentCard(LookupError):
    """A mainline card that is not there was looked at; no verdict lets it out."""


class Case:
    """What one evaluation looks at, and the candidates that have failed so far."""

    __slots__ = ("failed", "lines", "variables")

    def __init__(self, mainline: Sequence[int], rejected: Sequence[int]) -> None:
        self.lines = {"mainline": mainline, "rejected": rejected}
        self.variables: dict[str, int] = {}
        self.failed = 0


Truth: TypeAlias = Callable[[Case, int], int]
"""Returns the candidates for which the term is true."""
Value: TypeAlias = Callable[[Case, int], Classes]
Link: TypeAlias = Callable[[Case, int, Classes], tuple[int, Classes]]
"""One step of a comparison: from the left side to the candidates for which it is true, and the right side."""

_State = TypeVar("_State")
_FEW_PAIRS = 169
"""Up to so many pairs of values it is quicker to try them all than to go through the candidates."""
_ARITHMETIC: dict[str, Callable[[int, int], int]] = {"+": add, "-": sub, "*": mul, "//": floordiv, "%": mod}
_ORDER: dict[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def sorted_by_truth(true: int, active: int) -> Classes:
    """Return the classes of a truth value that is true for ``true`` among ``active``."""
    false = active & ~true
    if not false:
        return {1: true} if true else {}
    return {1: true, 0: false} if true else {0: false}


def negation(operand: Truth) -> Truth:
    """Compile ``not``."""

    def truth(case: Case, active: int) -> int:
        true = operand(case, active)
        return active & ~true & ~case.failed

    return truth


def conjunction(items: list[Truth]) -> Truth:
    """Compile ``and``."""

    def truth(case: Case, active: int) -> int:
        for item in items:
            active = item(case, active)
            if not active:
                break
        return active

    return truth


def disjunction(items: list[Truth]) -> Truth:
    """Compile ``or``."""

    def truth(case: Case, active: int) -> int:
        found = 0
        for item in items:
            hits = item(case, active)
            found |= hits
            active &= ~hits & ~case.failed
            if not active:
                break
        return found

    return truth


def truth_choice(test: Truth, then: Truth, otherwise: Truth) -> Truth:
    """Compile an if-else between truth values."""

    def truth(case: Case, active: int) -> int:
        yes = test(case, active)
        no = active & ~yes & ~case.failed
        return (then(case, yes) if yes else 0) | (otherwise(case, no) if no else 0)

    return truth


def choice(test: Truth, then: Value, otherwise: Value) -> Value:
    """Compile an if-else."""

    def value(case: Case, active: int) -> Classes:
        yes = test(case, active)
        no = active & ~yes & ~case.failed
        if not no:
            return then(case, yes) if yes else {}
        if not yes:
            return otherwise(case, no)
        classes = dict(then(case, yes))
        for number, mask in otherwise(case, no).items():
            classes[number] = classes.get(number, 0) | mask
        return classes

    return value


def quantifier(items: list[Truth], *, is_any: bool) -> Truth:
    """Compile any or all of a tuple, whose items Python works out before it looks at them."""

    def truth(case: Case, active: int) -> int:
        found, every = 0, active
        for item in items:
            hits = item(case, active)
            found, every = found | hits, every & hits
            active &= ~case.failed
        return (found if is_any else every) & active

    return truth


def chain(first: Value, links: list[Link]) -> Truth:
    """Compile a chain of comparisons, which ends for a candidate at its first false link."""

    def truth(case: Case, active: int) -> int:
        left = first(case, active)
        active &= ~case.failed
        for link in links:
            if not active:
                break
            active, left = link(case, active, left)
        return active

    return truth


def equality(right: Value, *, equal: bool) -> Link:
    """Compile ``== right`` or, unless ``equal``, ``!= right``."""

    def link(case: Case, active: int, left: Classes) -> tuple[int, Classes]:
        classes = right(case, active)
        hits = same(left, classes)
        return hits if equal else active & ~hits & ~case.failed, classes

    return link


def order(operator: str, right: Value) -> Link:
    """Compile ``< right`` and the like."""
    compare = _ORDER[operator]

    def link(case: Case, active: int, left: Classes) -> tuple[int, Classes]:
        classes, hits = right(case, active), 0
        for low, high, mask in joint(left, classes):
            if compare(low, high):
                hits |= mask
        return hits, classes

    return link


def membership(contains: Callable[[Case, int, Classes], int], *, inside: bool) -> Link:
    """Compile ``in`` or, unless ``inside``, ``not in``."""

    def link(case: Case, active: int, left: Classes) -> tuple[int, Classes]:
        hits = contains(case, active, left)
        return hits if inside else active & ~hits & ~case.failed, left

    return link


def joint(first: Mapping[_State, int], second: Classes) -> list[tuple[_State, int, int]]:
    """Return the pairs of values that occur together, with the candidates that have both."""
    if len(first) * len(second) <= _FEW_PAIRS:
        return [
            (one, two, both) for one, held in first.items() for two, mask in second.items() if (both := held & mask)
        ]
    seconds = {bit: two for two, mask in second.items() for bit in _bits(mask)}
    pairs: dict[tuple[_State, int], int] = {}
    for one, held in first.items():
        for bit in _bits(held):
            if bit in seconds:
                pair = one, seconds[bit]
                pairs[pair] = pairs.get(pair, 0) | bit
    return [(one, two, mask) for (one, two), mask in pairs.items()]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


def same(left: Classes, right: Classes) -> int:
    """Return the candidates for which both have the same value."""
    hits = 0
    for number, mask in left.items():
        hits |= mask & right.get(number, 0)
    return hits


def union(masks: Iterable[int]) -> int:
    """Return the candidates in any of ``masks``."""
    found = 0
    for mask in masks:
        found |= mask
    return found


def candidate(classes: Classes) -> Value:
    """Compile what depends on the candidate alone."""

    def value(_: Case, active: int) -> Classes:
        if active == ALL_CARDS:
            return classes
        return {number: both for number, mask in classes.items() if (both := mask & active)}

    return value


def line_card(line: Line, index: int, values: Sequence[int]) -> Value:
    """Compile a card of a line, or what ``values`` holds for it."""

    def value(case: Case, active: int) -> Classes:
        cards = case.lines[line]
        if -len(cards) <= index < len(cards):
            return {values[cards[index]]: active}
        if line == "mainline" and active:
            raise AbsentCard(f"the mainline of {len(cards)} cards has no card {index}")
        case.failed |= active
        return {}

    return value


def mapped(operand: Value, function: Callable[[int], int]) -> Value:
    """Compile a function of one value."""

    def value(case: Case, active: int) -> Classes:
        classes: dict[int, int] = {}
        for number, mask in operand(case, active).items():
            result = function(number)
            classes[result] = classes.get(result, 0) | mask
        return classes

    return value


def arithmetic(sign: str, left: Value, right: Value) -> Value:
    """Compile one of ``+ - * // %``."""
    operator, divides = _ARITHMETIC[sign], sign in ("//", "%")

    def value(case: Case, active: int) -> Classes:
        first = left(case, active)
        second = right(case, active & ~case.failed)
        classes: dict[int, int] = {}
        for one, two, mask in joint(first, second):
            if divides and two == 0:
                case.failed |= mask
                continue
            result = operator(one, two)
            classes[result] = classes.get(result, 0) | mask
        return classes

    return value


def lookup(places: dict[int, int], values: list[Value], key: Value, default: Value | None = None) -> Value:
    """Compile a look into a tuple or table; Python works out all of it, then the key, then the default."""

    def value(case: Case, active: int) -> Classes:
        found = []
        for entry in values:
            found.append(entry(case, active))
            active &= ~case.failed
        keys = key(case, active)
        active &= ~case.failed
        other = None if default is None else default(case, active)
        active &= ~case.failed
        classes: dict[int, int] = {}
        for number, mask in keys.items():
            chosen = found[places[number]] if number in places else other
            if chosen is None:
                case.failed |= mask
                continue
            for result, held in chosen.items():
                if both := held & mask & active:
                    classes[result] = classes.get(result, 0) | both
        return classes

    return value
