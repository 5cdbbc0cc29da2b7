"""A rule in English, made from its terms."""

from __future__ import annotations

from collections.abc import Sequence

from eleusis_ai.rules import terms
from eleusis_ai.rules.terms import Term
from eleusis_ai.rules.wording import (
    ATTRIBUTES,
    FUNCTIONS,
    QUALITIES,
    SHARED,
    SYMBOLS,
    joined,
    line_card,
    of_rank,
    one_of,
    where,
)

_COMPARED = {
    "==": "equals",
    "!=": "differs from",
    "<": "is below",
    "<=": "is at most",
    ">": "is above",
    ">=": "is at least",
}
_OPPOSITE = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    "<=": ">",
    ">": "<=",
    ">=": "<",
    "in": "not in",
    "not in": "in",
}


def sentence_of(term: Term, starter: Term | None) -> str:
    """Return a sentence that says what must hold of a legal card, and of the first one.

    >>> from eleusis_ai.rules.parser import parse
    >>> sentence_of(parse("card.is_black if last.is_odd else card.is_red"), parse("card.rank == A"))
    'If the last card is odd, the card is black; otherwise the card is red. At the start the card is an ace.'
    """
    clause = _clause(term)
    first = len(clause) - len(clause.lstrip("("))
    start = "" if starter is None else f" At the start {_clause(starter)}."
    return f"{clause[: first + 1].upper()}{clause[first + 1 :]}.{start}"


def _clause(term: Term) -> str:
    """Write a truth value as a clause without capital and full stop."""
    match term:
        case terms.Truth(value):
            return "any card is legal" if value else "no card is legal"
        case terms.Attribute(card, name):
            return f"{_noun(card)} is {QUALITIES[name]}"
        case terms.Not(operand):
            return _denial(operand)
        case terms.And(items):
            return joined([_part(item) for item in items], "and")
        case terms.Or(items):
            return joined([_part(item) for item in items], "or")
        case terms.Choice(test, then, otherwise):
            yes = f"({_clause(then)})" if isinstance(then, terms.Choice) else _clause(then)
            return f"if {_part(test)}, {yes}; otherwise {_clause(otherwise)}"
        case terms.Comparison(first, steps):
            return _comparison(first, steps)
        case terms.Call("any" | "all" as function, (terms.Each(body, variable, stretch, condition),)):
            amount = "at least one" if function == "any" else "every"
            return f"for {amount} card {variable} {where(stretch)}{_such(condition)}, {_clause(body)}"
        case terms.Call("any" | "all" as function, (terms.Display(items),)):
            return joined([_part(item) for item in items], "or" if function == "any" else "and")
        case terms.Entry() | terms.Get():
            return _cases(term)
        case _:
            raise AssertionError(f"{terms.write(term)} is no truth value; the parser lets none through here")


def _is_truth(term: Term) -> bool:
    match term:
        case terms.Attribute(_, name):
            return name in QUALITIES
        case terms.Call(function):
            return function in ("any", "all")
        case terms.Choice(_, then, otherwise):
            return _is_truth(then) and _is_truth(otherwise)
        case terms.Entry(terms.Display(values)) | terms.Entry(terms.Table(_, values)):
            return all(_is_truth(value) for value in values)
        case terms.Get(terms.Table(_, values), _, default):
            return all(_is_truth(value) for value in (*values, default))
        case _:
            return isinstance(term, terms.Truth | terms.Not | terms.And | terms.Or | terms.Comparison)


def _part(term: Term) -> str:
    """Write a clause to stand inside another one, in parentheses if it could run into its neighbours."""
    match term:
        case terms.Attribute() | terms.Truth() | terms.Not(terms.Attribute()):
            return _clause(term)
        case terms.Comparison(left, ((_, right),)) if not (_is_truth(left) and _is_truth(right)):
            return _clause(term)
        case terms.Comparison(terms.Attribute(_, one), ((_, terms.Attribute(_, two)),)) if one == two in SHARED:
            return _clause(term)
        case _:
            return f"({_clause(term)})"


def _such(condition: Term | None) -> str:
    return "" if condition is None else f" such that {_part(condition)}"


def _denial(term: Term) -> str:
    match term:
        case terms.Attribute(card, name):
            return f"{_noun(card)} is not {QUALITIES[name]}"
        case terms.Comparison(first, ((operator, other),)):
            return _comparison(first, ((_OPPOSITE[operator], other),))
        case terms.Not(operand):
            return _clause(operand)
        case terms.And((one, other)):
            return f"not both: {_part(one)} and {_part(other)}"
        case terms.Or((one, other)):
            return f"neither: {_part(one)} nor {_part(other)}"
        case _:
            return f"it is not so that {_part(term)}"


def _comparison(first: Term, steps: tuple[tuple[str, Term], ...]) -> str:
    match steps:
        case ((operator, right),):
            return _link(first, operator, right)
        case (("<=", middle), ("<=", high)):
            return f"{_noun(middle)} is from {_noun(first)} to {_noun(high)}"
        case _:
            lefts = [first, *(other for _, other in steps[:-1])]
            return joined([_link(left, *step) for left, step in zip(lefts, steps, strict=True)], "and")


def _link(left: Term, operator: str, right: Term) -> str:
    """Write one comparison, the usual ones as one would say them."""
    equal = operator in ("==", "in")
    is_ = "is" if equal else "is not"
    match left, operator, right:
        case _, "in" | "not in", terms.Display(items):
            listed = [_noun(item) for item in items]
            return f"{_noun(left)} is {joined(listed, 'or') if equal else 'none of ' + joined(listed, 'and')}"
        case _, "in" | "not in", _:
            return f"{_noun(left)} {is_} among {_values(right)}"
        case terms.Attribute(card, one), "==" | "!=", terms.Attribute(other, two) if one == two in SHARED:
            how = ("the same", "as") if equal else ("another", "than")
            return f"{_noun(card)} has {how[0]} {SHARED[one]} {how[1]} {_noun(other)}"
        case terms.Attribute(card, "rank" | "suit" | "color"), "==" | "!=", terms.Symbol(name):
            return f"{_noun(card)} {is_} {one_of(name)}"
        case terms.Attribute(card, "rank"), "==" | "!=", terms.Number(rank):
            return f"{_noun(card)} {is_} {of_rank(rank)}"
        case terms.Arithmetic("%", number, terms.Number(2)), "==" | "!=", terms.Number(0 | 1 as rest):
            return f"{_noun(number)} is {'even' if (rest == 0) == equal else 'odd'}"
        case terms.Arithmetic("%", number, terms.Number(by)), "==" | "!=", terms.Number(0):
            return f"{_noun(number)} {is_} divisible by {by}"
        case terms.Arithmetic("%", number, terms.Number(by)), "==" | "!=", terms.Number(rest):
            return f"{_noun(number)} {'leaves' if equal else 'does not leave'} {rest} when divided by {by}"
        case _ if operator in ("==", "!=") and _is_truth(left) and _is_truth(right):
            one_side, other_side = _part(left), _part(right)
            if equal:
                return f"{one_side} exactly when {other_side}"
            return f"either {one_side} or {other_side}, but not both"
        case _:
            return f"{_noun(left)} {_COMPARED[operator]} {_noun(right)}"


def _noun(term: Term) -> str:
    """Write any value as a noun."""
    match term:
        case _ if _is_truth(term):
            return f"(1 if {_part(term)}, otherwise 0)"
        case terms.Symbol(name):
            return SYMBOLS[name]
        case terms.Position():
            return "the number of cards on the mainline"
        case terms.Candidate():
            return "the card"
        case terms.LineCard(line, index):
            return line_card(line, index)
        case terms.Variable(name):
            return f"card {name}"
        case terms.Attribute(card, name):
            return f"{_noun(card)}'s {ATTRIBUTES[name]}"
        case terms.Negative(operand):
            return f"minus {_operand(operand)}"
        case terms.Arithmetic(operator, left, right):
            return _arithmetic(operator, left, right)
        case terms.Choice(test, then, otherwise):
            return f"({_noun(then)} if {_part(test)}, otherwise {_noun(otherwise)})"
        case terms.Entry() | terms.Get():
            return f"({_cases(term)})"
        case terms.After(suit, cycle):
            order = ", ".join(SYMBOLS[letter] for letter in cycle)
            return f"the suit after {_noun(suit)} in the cycle {order}"
        case terms.Call(function, arguments):
            return _call(function, arguments)
        case _:
            return terms.write(term)


def _arithmetic(operator: str, left: Term, right: Term) -> str:
    match operator:
        case "+" | "-":
            # A sum to the left needs no parentheses: one reads from left to right.
            first = _noun(left) if isinstance(left, terms.Arithmetic) and left.operator in "+-" else _operand(left)
            return f"{first} {'plus' if operator == '+' else 'minus'} {_operand(right)}"
        case "*":
            return f"{_operand(left)} times {_operand(right)}"
        case "//":
            return f"{_operand(left)} divided by {_operand(right)} and rounded down"
        case _:
            return f"the remainder of {_operand(left)} divided by {_operand(right)}"


def _operand(term: Term) -> str:
    """Write a noun inside a calculation, in parentheses if it is one itself."""
    return f"({_noun(term)})" if isinstance(term, terms.Arithmetic) else _noun(term)


def _call(function: str, arguments: tuple[Term, ...]) -> str:
    match function, arguments:
        case "abs", (terms.Arithmetic("-", left, right),):
            return f"the difference between {_operand(left)} and {_operand(right)}"
        case "abs", (operand,):
            return f"the size of {_operand(operand)}"
        case "count", (terms.Each(terms.Attribute(terms.Variable(), name), variable, stretch, None),):
            quality = QUALITIES[name].removeprefix("a ").removesuffix(" card")
            return f"the number of {quality} cards {where(stretch)}"
        case "count", (terms.Each(body, variable, stretch, condition),):
            return f"the number of cards {variable} {where(stretch)}{_such(condition)} for which {_part(body)}"
        case "count", (terms.Display(items),):
            return f"the number of these that hold: {joined([_part(item) for item in items], 'and')}"
        case "len", (terms.Stretch() as stretch,):
            return f"the number of cards {where(stretch)}"
        case "len", (terms.Display(items, True),):
            return f"the number of different ones among {joined([_noun(item) for item in items], 'and')}"
        case "len", (terms.Display(items),):
            return str(len(items))
        case "run", (values,):
            return f"the length of the run of equal values that ends {_values(values)}"
        case "sum", (values,):
            return f"the sum of {_values(values)}"
        case _, (values,):
            return f"the {FUNCTIONS[function]} of {_values(values)}"
        case _:
            return f"the {FUNCTIONS[function]} of {joined([_operand(number) for number in arguments], 'and')}"


def _values(term: Term) -> str:
    """Write the values of a generator, tuple or stretch."""
    match term:
        case terms.Each(terms.Attribute(terms.Variable(), name), _, stretch, None) if name in ATTRIBUTES:
            return f"the {ATTRIBUTES[name]}s of the cards {where(stretch)}"
        case terms.Each(body, variable, stretch, condition):
            return f"the values of {_noun(body)} for each card {variable} {where(stretch)}{_such(condition)}"
        case terms.Display(items):
            return joined([_noun(item) for item in items], "and")
        case terms.Stretch() as stretch:
            return f"the cards {where(stretch)}"
        case _:
            return _noun(term)


def _cases(term: terms.Entry | terms.Get) -> str:
    """Write a look into a tuple or table, case by case."""
    match term:
        case terms.Get(terms.Table(keys, values), key, default):
            return f"by {_noun(key)}, {_rows(keys, values)}; any other: {_either(default)}"
        case terms.Entry(terms.Table(keys, values), key):
            return f"by {_noun(key)}, {_rows(keys, values)}"
        case terms.Entry(terms.Display(items), key):
            places = tuple(terms.Number(place) for place in range(len(items)))
            return f"by {_noun(key)}, {_rows(places, items)}"
        case _:
            raise AssertionError(f"{terms.write(term)} looks into neither a tuple nor a table")


def _rows(keys: Sequence[Term], values: Sequence[Term]) -> str:
    return "; ".join(f"{_noun(key)}: {_either(value)}" for key, value in zip(keys, values, strict=True))


def _either(term: Term) -> str:
    return _part(term) if _is_truth(term) else _noun(term)
