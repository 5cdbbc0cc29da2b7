"""The terms a rule is made of, and their canonical text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

Line: TypeAlias = Literal["mainline", "rejected"]


@dataclass(frozen=True, slots=True)
class Number:
    """A written number."""

    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    """``True`` or ``False``."""

    value: bool


@dataclass(frozen=True, slots=True)
class Symbol:
    """A name of ``vocabulary.CONSTANTS``, such as ``Q`` or ``red``."""

    name: str


@dataclass(frozen=True, slots=True)
class Position:
    """``position``: how many cards lie on the mainline."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """``card``: the card to be judged."""


@dataclass(frozen=True, slots=True)
class LineCard:
    """``last``, ``mainline[k]`` or ``rejected[k]``."""

    line: Line
    index: int


@dataclass(frozen=True, slots=True)
class Variable:
    """The card a generator is at."""

    name: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """``card.rank`` and the like."""

    card: Term
    name: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """``mainline``, ``rejected``, or a slice of either."""

    line: Line
    start: int | None = None
    stop: int | None = None
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Negative:
    """``-x``, where ``x`` is not a written number."""

    operand: Term


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """``left + right``, or another of ``- * // %``."""

    operator: str
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Comparison:
    """``first < second <= third``: a chain of one step or more."""

    first: Term
    steps: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True)
class Not:
    """``not x``."""

    operand: Term


@dataclass(frozen=True, slots=True)
class And:
    """``x and y and ...``; no item is itself an ``And``."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """``x or y or ...``; no item is itself an ``Or``."""

    items: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """``then if test else otherwise``."""

    test: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Display:
    """A tuple ``(x, y)`` or, if ``is_set``, a set ``{x, y}``."""

    items: tuple[Term, ...]
    is_set: bool


@dataclass(frozen=True, slots=True)
class Table:
    """``{key: value, ...}``, the keys constant."""

    keys: tuple[Term, ...]
    values: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """``(x, y)[key]`` or ``{k: x}[key]``."""

    source: Display | Table
    key: Term


@dataclass(frozen=True, slots=True)
class Get:
    """``{k: x}.get(key, default)``."""

    table: Table
    key: Term
    default: Term


@dataclass(frozen=True, slots=True)
class Each:
    """``body for variable in stretch if condition``."""

    body: Term
    variable: str
    stretch: Stretch
    condition: Term | None = None


@dataclass(frozen=True, slots=True)
class After:
    """``after(suit, "HSCD")``: the next suit in that cycle."""

    suit: Term
    cycle: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function of ``vocabulary.FUNCTIONS`` other than ``after``."""

    function: str
    arguments: tuple[Term, ...]


Term: TypeAlias = (
    Number
    | Truth
    | Symbol
    | Position
    | Candidate
    | LineCard
    | Variable
    | Attribute
    | Stretch
    | Negative
    | Arithmetic
    | Comparison
    | Not
    | And
    | Or
    | Choice
    | Display
    | Table
    | Entry
    | Get
    | Each
    | After
    | Call
)


def children(term: Term) -> Iterator[Term]:
    """Yield the terms directly inside ``term``, in the order they are held."""
    for name in term.__match_args__:
        value = getattr(term, name)
        if isinstance(value, Term):
            yield value
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, Term):
                    yield item
                elif isinstance(item, tuple):  # a step of a comparison
                    yield item[1]


def walk(term: Term) -> Iterator[Term]:
    """Yield ``term`` and every term inside it."""
    yield term
    for child in children(term):
        yield from walk(child)


_CHOICE, _OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _ATOM = range(9)


def write(term: Term) -> str:
    """Return the canonical text of ``term``, with as few parentheses as Python allows."""
    return _write(term)[0]


def _inside(term: Term, least: int) -> str:
    """Write ``term`` for a place that needs strength ``least``; weaker terms get parentheses."""
    text, strength = _write(term)
    return f"({text})" if strength < least else text


def _write(term: Term) -> tuple[str, int]:
    match term:
        case Number(value):
            return str(value), _ATOM if value >= 0 else _SIGN
        case Truth(value):
            return str(value), _ATOM
        case Symbol(name) | Variable(name):
            return name, _ATOM
        case Position():
            return "position", _ATOM
        case Candidate():
            return "card", _ATOM
        case LineCard("mainline", -1):
            return "last", _ATOM
        case LineCard(line, index):
            return f"{line}[{index}]", _ATOM
        case Attribute(card, name):
            return f"{_inside(card, _ATOM)}.{name}", _ATOM
        case Stretch(line, None, None, None):
            return line, _ATOM
        case Stretch(line, start, stop, step):
            bounds = ":".join("" if bound is None else str(bound) for bound in (start, stop))
            return f"{line}[{bounds}]" if step is None else f"{line}[{bounds}:{step}]", _ATOM
        case Negative(operand):
            return f"-{_inside(operand, _SIGN)}", _SIGN
        case Arithmetic(operator, left, right):
            strength = _SUM if operator in "+-" else _PRODUCT
            return f"{_inside(left, strength)} {operator} {_inside(right, strength + 1)}", strength
        case Comparison(first, steps):
            chain = "".join(f" {operator} {_inside(other, _SUM)}" for operator, other in steps)
            return _inside(first, _SUM) + chain, _COMPARE
        case Not(operand):
            return f"not {_inside(operand, _NOT)}", _NOT
        case And(items):
            return " and ".join(_inside(item, _NOT) for item in items), _AND
        case Or(items):
            return " or ".join(_inside(item, _AND) for item in items), _OR
        case Choice(test, then, otherwise):
            return f"{_inside(then, _OR)} if {_inside(test, _OR)} else {write(otherwise)}", _CHOICE
        case Display(items, is_set):
            inner = ", ".join(write(item) for item in items)
            if is_set:
                return f"{{{inner}}}", _ATOM
            return f"({inner},)" if len(items) == 1 else f"({inner})", _ATOM
        case Table(keys, values):
            pairs = (f"{write(key)}: {write(value)}" for key, value in zip(keys, values, strict=True))
            return f"{{{', '.join(pairs)}}}", _ATOM
        case Entry(source, key):
            return f"{write(source)}[{write(key)}]", _ATOM
        case Get(table, key, default):
            return f"{write(table)}.get({write(key)}, {write(default)})", _ATOM
        case Each():
            return f"({_generator(term)})", _ATOM
        case After(suit, cycle):
            return f'after({write(suit)}, "{cycle}")', _ATOM
        case Call(function, (Each() as each,)):
            return f"{function}({_generator(each)})", _ATOM
        case Call(function, arguments):
            return f"{function}({', '.join(write(argument) for argument in arguments)})", _ATOM
        case _:
            assert_never(term)


def _generator(each: Each) -> str:
    condition = "" if each.condition is None else f" if {_inside(each.condition, _OR)}"
    return f"{write(each.body)} for {each.variable} in {write(each.stretch)}{condition}"
