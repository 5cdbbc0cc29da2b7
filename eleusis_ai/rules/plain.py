"""Terms put plainly before they are said: negations pushed inwards, the card to be judged on the left."""

from __future__ import annotations

from collections.abc import Iterable

from eleusis_ai.rules import terms
from eleusis_ai.rules.terms import Attribute, Comparison, Term
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS, Kind

PARITY = "parity"
"""Stands for an attribute where two cards are both odd or both even."""
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<", "in": "not in", "not in": "in"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

_OTHER_QUALITY = {"is_red": "is_black", "is_black": "is_red", "is_odd": "is_even", "is_even": "is_odd"}
_SHARED = {"is_red": "color", "is_black": "color", "is_odd": PARITY, "is_even": PARITY}
_SUITS = tuple(terms.Symbol(name) for name in "CDHS")


def number_of(term: Term) -> int | None:
    """Return a written number or the rank that a symbol names; None for anything else."""
    match term:
        case terms.Number(value):
            return value
        case terms.Symbol(name) if CONSTANTS[name].kind is Kind.NUMBER:
            return CONSTANTS[name].value
        case _:
            return None


def is_truth(term: Term) -> bool:
    """Tell whether ``term`` is true or false, rather than a number, a suit, a colour or a card."""
    match term:
        case Attribute(_, name):
            return name != PARITY and ATTRIBUTES[name].kind is Kind.TRUTH
        case terms.Choice(_, then, otherwise):
            return is_truth(then) and is_truth(otherwise)
        case terms.Call(function):
            return function in ("any", "all")
        case terms.Entry(terms.Display(values)) | terms.Entry(terms.Table(_, values)):
            return all(map(is_truth, values))
        case terms.Get(terms.Table(_, values), _, default):
            return all(map(is_truth, (*values, default)))
        case _:
            return isinstance(term, terms.Truth | terms.Not | terms.And | terms.Or | Comparison)


def negated(term: Term) -> Term:
    """Return the opposite of a truth value, with ``not`` as far inside as it goes."""
    match term:
        case terms.Truth(value):
            return terms.Truth(not value)
        case terms.Not(operand):
            return operand
        case Attribute(card, name) if name in _OTHER_QUALITY:
            return Attribute(card, _OTHER_QUALITY[name])
        case terms.And(items):
            return either(negated(item) for item in items)
        case terms.Or(items):
            return both(negated(item) for item in items)
        case terms.Choice(test, then, otherwise):
            return terms.Choice(test, negated(then), negated(otherwise))
        case Comparison(first, ((operator, other),)):
            return Comparison(first, ((OPPOSITE[operator], other),))
        case Comparison(first, steps):
            return either(negated(step) for step in _steps(first, steps))
        case terms.Call("any" | "all" as function, (terms.Each(body, variable, stretch, condition),)):
            each = terms.Each(negated(body), variable, stretch, condition)
            return terms.Call("all" if function == "any" else "any", (each,))
        case terms.Call("any" | "all" as function, (terms.Display(items),)):
            return negated(either(items) if function == "any" else both(items))
        case terms.Entry(terms.Display(items, is_set), key):
            return terms.Entry(terms.Display(tuple(map(negated, items)), is_set), key)
        case terms.Entry(terms.Table(keys, values), key):
            return terms.Entry(terms.Table(keys, tuple(map(negated, values))), key)
        case terms.Get(terms.Table(keys, values), key, default):
            return terms.Get(terms.Table(keys, tuple(map(negated, values))), key, negated(default))
        case _:
            return terms.Not(term)


def both(items: Iterable[Term]) -> Term:
    """Join truth values by ``and``; ``True`` adds nothing."""
    flat = [part for item in items for part in (item.items if isinstance(item, terms.And) else (item,))]
    flat = [part for part in flat if part != terms.Truth(True)] or flat[:1]
    return flat[0] if len(flat) == 1 else terms.And(tuple(flat))


def either(items: Iterable[Term]) -> Term:
    """Join truth values by ``or``; ``False`` adds nothing."""
    flat = [part for item in items for part in (item.items if isinstance(item, terms.Or) else (item,))]
    flat = [part for part in flat if part != terms.Truth(False)] or flat[:1]
    return flat[0] if len(flat) == 1 else terms.Or(tuple(flat))


def plain(term: Term) -> Term:
    """Return a truth value in the form in which it is said; what is deeper inside is left to later."""
    match term:
        case terms.Not(operand):
            opposite = negated(operand)
            return opposite if opposite == term else plain(opposite)
        case terms.And(items):
            return both(plain(item) for item in items)
        case terms.Or(items):
            return either(plain(item) for item in items)
        case terms.Call("any" | "all" as function, (terms.Display(items),)):
            return plain(either(items) if function == "any" else both(items))
        case Comparison(first, ((operator, other),)):
            return _link(first, operator, other)
        case Comparison(first, steps):
            return _chain(first, steps)
        case _:
            return term


def _steps(first: Term, steps: tuple[tuple[str, Term], ...]) -> list[Term]:
    lefts = [first, *(other for _, other in steps[:-1])]
    return [Comparison(left, (step,)) for left, step in zip(lefts, steps, strict=True)]


def _chain(first: Term, steps: tuple[tuple[str, Term], ...]) -> Term:
    """Return ``low <= x <= high`` with written bounds, or the links of the chain one by one."""
    match first, steps:
        case low, ((">" | ">=" as one, middle), (">" | ">=" as two, high)):
            return _chain(high, ((MIRRORED[two], middle), (MIRRORED[one], low)))
        case low, (("<" | "<=" as one, middle), ("<" | "<=" as two, high)):
            least, most = number_of(low), number_of(high)
            if least is not None and most is not None and number_of(middle) is None:
                bottom, top = terms.Number(least + (one == "<")), terms.Number(most - (two == "<"))
                return Comparison(bottom, (("<=", middle), ("<=", top)))
    return both(plain(step) for step in _steps(first, steps))


def _link(left: Term, operator: str, right: Term) -> Term:
    equal = operator in ("==", "in")
    match left, operator, right:
        case _, "in" | "not in", terms.Each(body, variable, stretch, condition) if terms.Variable(
            variable
        ) not in terms.walk(left):
            each = terms.Each(Comparison(left, (("==" if equal else "!=", body),)), variable, stretch, condition)
            return terms.Call("any" if equal else "all", (each,))
        case _, "in" | "not in", terms.Display((item,)):
            return _link(left, "==" if equal else "!=", item)
        case Attribute(), "not in", terms.Display(items) if all(isinstance(item, terms.Symbol) for item in items):
            if (rest := tuple(suit for suit in _SUITS if suit not in items)) and set(items) < set(_SUITS):
                return _link(left, "in", terms.Display(rest, is_set=True))
        case Attribute(card, "color"), "==" | "!=", terms.Symbol(color):
            return Attribute(card, "is_red" if (color == "red") == equal else "is_black")
        case Attribute(card, one), "==" | "!=", Attribute(other, two) if _both_named(card, other) and (
            one in _SHARED and card != other and _SHARED[one] == _SHARED.get(two)
        ):
            shared, same = _SHARED[one], equal == (one == two)
            return _link(Attribute(card, shared), "==" if same else "!=", Attribute(other, shared))
        case terms.Truth(value), "==" | "!=", _ if is_truth(right):
            return plain(right if value == equal else negated(right))
        case _, "==" | "!=", terms.Truth(value) if is_truth(left):
            return plain(left if value == equal else negated(left))
    if operator in MIRRORED and _priority(right) < _priority(left):
        return _link(right, MIRRORED[operator], left)
    return Comparison(left, ((operator, right),))


def _both_named(one: Term, other: Term) -> bool:
    named = terms.Candidate | terms.LineCard | terms.Variable
    return isinstance(one, named) and isinstance(other, named)


def _priority(term: Term) -> int:
    """Return how far to the left a term belongs; 0 is the leftmost."""
    ranks = {terms.Candidate: 0, terms.Variable: 1, terms.LineCard: 2, terms.Stretch: 3, terms.Position: 4}
    return min((ranks.get(type(part), 5) for part in terms.walk(term)), default=5)
