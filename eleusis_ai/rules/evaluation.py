"""Terms turned into functions that work out all 52 verdicts at once, as Python would one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from eleusis_ai.cards import ALL_CARDS, CARDS, Card
from eleusis_ai.rules import blocks, loops, terms
from eleusis_ai.rules.blocks import Case, Classes, Link, Truth, Value
from eleusis_ai.rules.loops import Cards, Items
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS


def judge(term: terms.Term) -> Callable[[Sequence[Card], Sequence[Card]], int]:
    """Return the function from mainline and rejected cards to the mask of the legal cards.

    The function raises ``AbsentCard``, and nothing else, when ``term`` looks for any of the 52 candidates at
    a mainline card that is not there.
    """
    truth = _truth(term)
    return lambda mainline, rejected: truth(Case(mainline, rejected), ALL_CARDS)


def values(term: terms.Term) -> Callable[[Sequence[Card]], Classes]:
    """Return the function from the mainline to the candidates by what ``term`` is worth for them.

    Candidates that fail are in none of the masks. The function raises as that of ``judge`` does.
    """
    value = _value(term)

    def sorted_out(mainline: Sequence[Card]) -> Classes:
        case = Case(mainline, ())
        return {number: mask & ~case.failed for number, mask in value(case, ALL_CARDS).items()}

    return sorted_out


def _truth(term: terms.Term) -> Truth:
    """Compile a truth value."""
    match term:
        case terms.Attribute(terms.Candidate(), name):
            having = ATTRIBUTES[name].classes[1]
            return lambda _, active: active & having
        case terms.Not(operand):
            return blocks.negation(_truth(operand))
        case terms.And(items):
            return blocks.conjunction([_truth(item) for item in items])
        case terms.Or(items):
            return blocks.disjunction([_truth(item) for item in items])
        case terms.Comparison(first, steps):
            return blocks.chain(_value(first), [_link(operator, other) for operator, other in steps])
        case terms.Choice(test, then, otherwise):
            return blocks.truth_choice(_truth(test), _truth(then), _truth(otherwise))
        case terms.Call("any" | "all" as function, (terms.Each() as each,)):
            search, body = _search(each, first_hit=function == "any"), _truth(each.body)
            return lambda case, active: search(case, active, body)
        case terms.Call("any" | "all" as function, (terms.Display(items),)):
            return blocks.quantifier([_truth(item) for item in items], is_any=function == "any")
        case _:
            value = _value(term)
            return lambda case, active: value(case, active).get(1, 0)


def _value(term: terms.Term) -> Value:
    """Compile any value; truth values become the numbers 0 and 1."""
    match term:
        case terms.Number() | terms.Truth() | terms.Symbol():
            number = _constant(term)
            return lambda _, active: {number: active}
        case terms.Position():
            return lambda case, active: {len(case.lines["mainline"]): active}
        case terms.Candidate():
            return blocks.candidate({int(card): card.bit for card in CARDS})
        case terms.Attribute(terms.Candidate(), name):
            return blocks.candidate(ATTRIBUTES[name].classes)
        case terms.LineCard(line, index):
            return blocks.line_card(line, index, range(52))
        case terms.Attribute(terms.LineCard(line, index), name):
            return blocks.line_card(line, index, ATTRIBUTES[name].values)
        case terms.Variable(name):
            return lambda case, active: {case.variables[name]: active}
        case terms.Attribute(card, name):
            return blocks.mapped(_value(card), ATTRIBUTES[name].values.__getitem__)
        case terms.Negative(operand):
            return blocks.mapped(_value(operand), int.__neg__)
        case terms.Arithmetic(operator, left, right):
            return blocks.arithmetic(operator, _value(left), _value(right))
        case terms.Choice(test, then, otherwise):
            return blocks.choice(_truth(test), _value(then), _value(otherwise))
        case terms.Entry(terms.Display(items), key):
            places = {place: place % len(items) for place in range(-len(items), len(items))}
            return blocks.lookup(places, [_value(item) for item in items], _value(key))
        case terms.Entry(terms.Table(keys, values), key):
            return blocks.lookup(_places(keys), [_value(value) for value in values], _value(key))
        case terms.Get(terms.Table(keys, values), key, default):
            found = [_value(value) for value in values]
            return blocks.lookup(_places(keys), found, _value(key), _value(default))
        case terms.After(suit, cycle):
            following = [terms.Symbol(letter) for letter in cycle[1:] + cycle[:1]]
            return blocks.lookup(
                _places(map(terms.Symbol, cycle)), [_value(next_) for next_ in following], _value(suit)
            )
        case terms.Call("abs", (operand,)):
            return blocks.mapped(_value(operand), abs)
        case terms.Call("len", (terms.Stretch() as stretch,)):
            cards = _cards(stretch)
            return lambda case, active: {len(cards(case)): active}
        case terms.Call("len", (terms.Display(_, True),) as arguments):
            return loops.fold(_items(arguments), *loops.FOLDS["distinct"])
        case terms.Call("min" | "max" | "sum" | "len" | "count" | "gcd" | "run" as function, arguments):
            return loops.fold(_items(arguments), *loops.FOLDS[function])
        case _:
            truth = _truth(term)
            return lambda case, active: blocks.sorted_by_truth(truth(case, active), active & ~case.failed)


def _constant(term: terms.Term) -> int:
    match term:
        case terms.Symbol(name):
            return CONSTANTS[name].value
        case terms.Number(value) | terms.Truth(value):
            return int(value)
        case _:
            raise AssertionError(f"{terms.write(term)} is not a constant; the parser lets only constants through")


def _places(keys: Iterable[terms.Term]) -> dict[int, int]:
    """Number the keys of a table; of equal keys the last one counts, as in Python."""
    return {_constant(key): place for place, key in enumerate(keys)}


def _search(each: terms.Each, *, first_hit: bool) -> Callable[[Case, int, Truth], int]:
    condition = None if each.condition is None else _truth(each.condition)
    return loops.walk(_cards(each.stretch), each.variable, condition, first_hit=first_hit)


def _link(operator: str, other: terms.Term) -> Link:
    match operator:
        case "in" | "not in":
            return blocks.membership(_membership(other), inside=operator == "in")
        case "==" | "!=":
            return blocks.equality(_value(other), equal=operator == "==")
        case _:
            return blocks.order(operator, _value(other))


def _membership(term: terms.Term) -> Callable[[Case, int, Classes], int]:
    match term:
        case terms.Each():
            search, body = _search(term, first_hit=True), _value(term.body)
            return lambda case, active, left: search(
                case, active, lambda inner, wanted: blocks.same(left, body(inner, wanted))
            )
        case terms.Display(items) if all(isinstance(item, terms.Number | terms.Symbol) for item in items):
            numbers = frozenset(map(_constant, items))
            return lambda _case, _active, left: blocks.union(
                mask for number, mask in left.items() if number in numbers
            )
        case _:
            found = _items((term,))

            def contains(case: Case, active: int, left: Classes) -> int:
                hits = 0
                for classes, _ in found(case, active):
                    hits |= blocks.same(left, classes)
                return hits & ~case.failed

            return contains


def _cards(stretch: terms.Stretch) -> Cards:
    line = stretch.line
    if stretch == terms.Stretch(line):
        return lambda case: case.lines[line]
    cut = slice(stretch.start, stretch.stop, stretch.step)
    return lambda case: case.lines[line][cut]


def _items(collection: tuple[terms.Term, ...]) -> Items:
    """Compile what a function goes through: its one generator, tuple, set or stretch, or its arguments."""
    match collection:
        case (terms.Each(body, variable, stretch, condition),):
            return loops.loop(
                _cards(stretch), variable, _value(body), None if condition is None else _truth(condition)
            )
        case (terms.Stretch() as stretch,):
            cards = _cards(stretch)
            return lambda case, active: (({int(card): active}, 0) for card in cards(case))
        case (terms.Display(items),):
            return loops.listed([_value(item) for item in items])
        case _:
            return loops.listed([_value(item) for item in collection])
