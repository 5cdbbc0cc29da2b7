"""The grammar from which random rules are drawn: what is said of cards, and how each family puts it together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import TypeAlias

Draw: TypeAlias = Callable[[Random, int], str]
"""From chance and a size to the text of an expression with so many statements."""

SUITS = "CDHS"
CYCLES = ("CDHS", "CDSH", "CHDS", "CHSD", "CSDH", "CSHD")
TRUTHS = ("is_red", "is_black", "is_odd", "is_even", "is_face", "is_prime")
ORDERS = ("<", "<=", ">=", ">")
SIGNS = ("==", "!=")
MOST_STATEMENTS = 8
"""The largest size that is drawn."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of rule."""

    draw: Draw
    """How a rule of the family is drawn."""
    least: int
    """How many statements about cards it takes at least."""
    usual: int
    """How many it takes at most, if nobody asks for more."""


def about(rng: Random, card: str) -> str:
    """Draw a statement about one card, such as ``last.is_red`` for the card ``last``."""
    match rng.randrange(10):
        case 0 | 1 | 2:
            return f"{card}.{rng.choice(TRUTHS)}"
        case 3:
            return f"{card}.suit {rng.choice(SIGNS)} {rng.choice(SUITS)}"
        case 4:
            return f"{card}.suit in {{{', '.join(sorted(rng.sample(SUITS, 2)))}}}"
        case 5:
            return f"{card}.rank {rng.choice(('<=', '>'))} {rng.randint(3, 10)}"
        case 6:
            low = rng.randint(2, 8)
            return f"{low} <= {card}.rank <= {low + rng.randint(2, 5)}"
        case 7:
            modulus = rng.randint(3, 5)
            return f"{card}.rank % {modulus} {rng.choice(SIGNS)} {rng.randrange(modulus)}"
        case 8:
            ranks = sorted(rng.sample(range(1, 14), rng.randint(3, 6)))
            return f"{card}.rank in {{{', '.join(map(str, ranks))}}}"
        case _:
            return f"not {card}.{rng.choice(('is_face', 'is_prime'))}"


def between(rng: Random, other: str, card: str = "card") -> str:
    """Draw a statement that relates ``card`` to the card ``other``."""
    match rng.randrange(10):
        case 0:
            attribute = rng.choice(("suit", "color", "is_odd", "is_face", "is_prime"))
            return f"{card}.{attribute} {rng.choice(SIGNS)} {other}.{attribute}"
        case 1 | 2:
            return f"{card}.rank {rng.choice(ORDERS)} {other}.rank"
        case 3:
            sign, steps = rng.choice((("<=", (1, 5)), (">=", (2, 6))))
            return f"abs({card}.rank - {other}.rank) {sign} {rng.randint(*steps)}"
        case 4:
            low = rng.randint(1, 3)
            return f"{low} <= abs({card}.rank - {other}.rank) <= {low + rng.randint(1, 4)}"
        case 5:
            low = rng.randint(0, 5)
            least = f"{low} <= " if low else ""
            return f"{least}({card}.rank - {other}.rank) % 13 <= {low + rng.randint(2, 5)}"
        case 6:
            modulus = rng.randint(2, 5)
            operator = rng.choice("+-")
            left = f"({card}.rank {operator} {other}.rank) % {modulus}"
            return f"{left} {rng.choice(SIGNS)} {rng.randrange(modulus)}"
        case 7:
            return f'{card}.suit {rng.choice(SIGNS)} after({other}.suit, "{rng.choice(CYCLES)}")'
        case 8:
            return f"({about(rng, card)}) {rng.choice(SIGNS)} ({about(rng, other)})"
        case _:
            return f"{card}.rank + {other}.rank {rng.choice(('<=', '>='))} {rng.randint(9, 18)}"


def joined(rng: Random, one: str, two: str) -> str:
    """Join two statements by *and*, *or*, or *exactly one of*."""
    return f"({one}) {rng.choice(('and', 'and', 'or', 'or', '!='))} ({two})"


def said(rng: Random, size: int, statement: Callable[[Random], str]) -> str:
    """Draw ``size`` statements and join them."""
    if size == 1:
        return statement(rng)
    one = rng.randint(1, size - 1)
    return joined(rng, said(rng, one, statement), said(rng, size - one, statement))


def _step(rng: Random) -> str:
    """Draw a statement about the card to be judged, or one that relates it to the last."""
    return about(rng, "card") if rng.randrange(2) else between(rng, "last")


def _memoryless(rng: Random, size: int) -> str:
    return said(rng, size, lambda rng: about(rng, "card"))


def _with_steps(rng: Random, statement: str, size: int) -> str:
    """Join ``statement`` with others to ``size`` of them."""
    return statement if size == 1 else joined(rng, statement, said(rng, size - 1, _step))


def _transition(rng: Random, size: int) -> str:
    return _with_steps(rng, between(rng, "last"), size)


def _chosen(rng: Random, size: int, guard: str, statement: Callable[[Random], str] = _step) -> str:
    """Draw two branches of ``size`` statements together, between which ``guard`` decides."""
    one = rng.randint(1, size - 1)
    return f"({said(rng, one, statement)}) if {guard} else ({said(rng, size - one, statement)})"


def _guarded(rng: Random, size: int) -> str:
    match rng.randrange(6):
        case 0 if size >= 4:
            entries = [f"{suit}: {said(rng, 1, _step)}" for suit in SUITS[:3]]
            return f"{{{', '.join(entries)}, S: {said(rng, size - 3, _step)}}}[last.suit]"
        case 1 if size >= 5:
            rest = _chosen(rng, size - 3, about(rng, "last"))
            return f"({said(rng, 1, _step)}) if {about(rng, 'last')} else ({rest})"
        case _:
            return _chosen(rng, size - 1, about(rng, "last"))


def _periodic(rng: Random, size: int) -> str:
    match rng.randrange(4):
        case 0:
            pass
        case 1 if size >= 3:
            period = rng.randint(2, 5)
            beat = f"position % {period} {rng.choice(SIGNS)} {rng.randrange(period)}"
            return _chosen(rng, size - 1, beat)
        case _ if size >= 2:
            period = min(size, rng.randint(2, 4))
            items = [said(rng, 1, _step) for _ in range(period - 1)]
            items.append(said(rng, size - period + 1, _step))
            return f"({', '.join(items)})[position % {period}]"
    period = rng.randint(2, 6)
    place = f"(card.rank {rng.choice('+-')} position) % {period}"
    beat = f"{place} {rng.choice(SIGNS)} {rng.randrange(period)}"
    if period > 3 and rng.randrange(2):
        beat = f"{place} <= {rng.randint(1, period - 2)}"
    return _with_steps(rng, beat, size)


def _run(rng: Random, size: int) -> str:
    if rng.randrange(4) == 0:
        block = rng.randint(2, 4)
        return _chosen(rng, size - 1, f"position // {block} % {rng.randint(2, 3)} == 0")
    what = rng.choice(("x.color", "x.color", "x.is_odd", "x.is_face", "x.suit", f"x.rank > {rng.randint(5, 9)}"))
    length = f"run({what} for x in mainline)"
    if rng.randrange(2):
        guard = f"{length} < {rng.randint(2, 4)}"
    else:
        period = rng.randint(2, 3)
        guard = f"{length} % {period} == {rng.randrange(period)}"
    return _chosen(rng, size - 1, guard)


def _count(rng: Random, size: int) -> str:
    window = f"mainline[-{rng.randint(2, 3)}:]"
    match rng.randrange(6 if size >= 3 else 2):
        case 0:
            period = rng.randint(2, 4)
            tally = rng.choice((f"count({about(rng, 'x')} for x in mainline)", "sum(x.rank for x in mainline)"))
            total = f"(card.rank + {tally}) % {period}"
            return _with_steps(rng, f"{total} {rng.choice(SIGNS)} {rng.randrange(period)}", size)
        case 1:
            attribute = rng.choice(("suit", "color", "is_odd", "is_face"))
            some = rng.choice(("any", "all", "not any", "not all"))
            return _with_steps(rng, f"{some}(x.{attribute} == card.{attribute} for x in {window})", size)
        case 2:
            what = f"x.{rng.choice(TRUTHS)}"
            guard = f"count({what} for x in {window}) {rng.choice(('<=', '>='))} {rng.randint(1, 2)}"
        case 3:
            guard = f"count(x.{rng.choice(TRUTHS)} for x in mainline) < {rng.randint(2, 6)}"
        case 4:
            guard = f"sum(x.rank for x in mainline) % {rng.randint(2, 5)} == 0"
        case _:
            period = rng.randint(2, 4)
            guard = f"count({about(rng, 'x')} for x in mainline) % {period} == {rng.randrange(period)}"
    return _chosen(rng, size - 1, guard)


def _lookback2(rng: Random, size: int) -> str:
    before = "mainline[-2]"
    match rng.randrange(4):
        case 0:
            modulus = rng.randint(2, 4)
            total = f"(card.rank + last.rank {rng.choice('+-')} {before}.rank) % {modulus}"
            return _with_steps(rng, f"{total} {rng.choice(SIGNS)} {rng.randrange(modulus)}", size)
        case 1 if size >= 3:
            return _chosen(rng, size - 1, between(rng, before, "last"))
        case 2 if size >= 3:
            return _chosen(rng, size - 1, about(rng, before))
        case _:
            return _with_steps(rng, between(rng, before), size)


def _composite(rng: Random, size: int) -> str:
    one, two = rng.sample((_transition, _periodic, _run, _count, _lookback2), 2)
    first = rng.randint(3, size - 3)
    return joined(rng, one(rng, first), two(rng, size - first))


FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "memoryless": Family(_memoryless, 1, 4),
        "transition": Family(_transition, 1, 4),
        "guarded": Family(_guarded, 3, 5),
        "periodic": Family(_periodic, 1, 4),
        "run": Family(_run, 3, 5),
        "count": Family(_count, 1, 4),
        "lookback2": Family(_lookback2, 1, 4),
        "composite": Family(_composite, 6, 7),
    }
)
"""The families by name: about the card alone; about it and the last; branches by the last card; by position; by runs
and blocks; by counts; about the last card but one; and two of those joined."""
