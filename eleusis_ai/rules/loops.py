"""The blocks that go through several values: generators, lists of arguments, and the functions of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import gcd
from operator import add
from typing import Any, TypeAlias

from eleusis_ai.rules.blocks import Case, Classes, Truth, Value, joint

Items: TypeAlias = Callable[[Case, int], Iterator[tuple[Classes, int]]]
"""Yields the items of a collection, each with the candidates that a condition keeps from having it."""
Cards: TypeAlias = Callable[[Case], Sequence[int]]
"""Returns the cards of a stretch."""


def walk(
    cards: Cards, variable: str, condition: Truth | None, *, first_hit: bool
) -> Callable[[Case, int, Truth], int]:
    """Compile the loop of any, all and ``in``: a candidate leaves it at its first hit, or at its first miss."""

    def truth(case: Case, active: int, body: Truth) -> int:
        found = 0
        for card in cards(case):
            if not active:
                break
            case.variables[variable] = card
            wanted = active if condition is None else condition(case, active)
            hits = body(case, wanted) if wanted else 0
            active &= ~case.failed
            found |= hits
            active &= ~hits if first_hit else ~(wanted & ~hits)
        return found if first_hit else active

    return truth


def listed(values: list[Value]) -> Items:
    """Compile items written one by one."""

    def items(case: Case, active: int) -> Iterator[tuple[Classes, int]]:
        for value in values:
            yield value(case, active & ~case.failed), 0

    return items


def loop(cards: Cards, variable: str, body: Value, condition: Truth | None) -> Items:
    """Compile the items of a generator."""

    def items(case: Case, active: int) -> Iterator[tuple[Classes, int]]:
        for card in cards(case):
            active &= ~case.failed
            case.variables[variable] = card
            wanted = active if condition is None else condition(case, active)
            yield body(case, wanted) if wanted else {}, active & ~wanted

    return items


def fold(items: Items, start: Any, step: Callable[[Any, int], Any], finish: Callable[[Any], int | None]) -> Value:
    """Compile a function of several values, as a state that goes from item to item.

    The state is any hashable value; ``finish`` returns None where Python would raise.
    """

    def value(case: Case, active: int) -> Classes:
        states = {start: active}
        for classes, without in items(case, active):
            following: dict[Any, int] = {}
            if without:
                following = {state: rest for state, held in states.items() if (rest := held & without)}
            for state, number, mask in joint(states, classes):
                after = step(state, number)
                following[after] = following.get(after, 0) | mask
            states = following
        results: dict[int, int] = {}
        for state, held in states.items():
            result = finish(state)
            if result is None:
                case.failed |= held
            elif alive := held & ~case.failed:
                results[result] = results.get(result, 0) | alive
        return results

    return value


FOLDS: dict[str, tuple[Any, Callable[[Any, int], Any], Callable[[Any], int | None]]] = {
    "sum": (0, add, int),
    "count": (0, add, int),
    "gcd": (0, gcd, int),
    "min": (None, lambda least, number: number if least is None else min(least, number), lambda least: least),
    "max": (None, lambda most, number: number if most is None else max(most, number), lambda most: most),
    "len": (0, lambda length, _: length + 1, int),
    "distinct": (frozenset(), lambda seen, number: seen | {number}, len),
    "run": (
        (None, 0),
        lambda state, number: (number, state[1] + 1 if state[0] == number else 1),
        lambda state: state[1],
    ),
}
"""Start, step and finish of each function; ``distinct`` is the length of a set."""
