"""Rule texts read into terms: Python's syntax, a whitelist of nodes, and checked kinds and sizes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from eleusis_ai.rules import terms
from eleusis_ai.rules.bounds import LARGEST, TRUTHS, Bounds, arithmetic
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.syntax import LONGEST_TEXT, tree
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS, FUNCTIONS, NAMES, WORDS, Kind

FARTHEST = 52
"""The farthest card from either end of the mainline that a rule may name."""
LONGEST_LINE = 1_000
"""Cards on a line, as assumed by the bounds: far more than any profile has packs for."""
MOST_STEPS = LONGEST_LINE * FARTHEST
"""How often the body of a generator may run: one whole line inside a slice, never inside another."""

_ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
}


class _Value(NamedTuple):
    """A term that stands for one thing."""

    term: terms.Term
    kind: Kind
    bounds: Bounds = TRUTHS


class _Many(NamedTuple):
    """A term that stands for several things of one kind, at most ``size`` of them."""

    term: terms.Term
    kind: Kind
    bounds: Bounds
    size: int


_EXAMPLE_MANY = "count(x.is_red for x in mainline[-3:]) <= 1"
_EXAMPLE_NESTED = "any(all(x.rank > y.rank for y in mainline[-4:]) for x in mainline)"
_EXAMPLE_TABLE = "card.suit != {D: H, H: S, S: C, C: D}[last.suit]"


def parse(text: str, *, card_only: bool = False) -> terms.Term:
    """Read ``text`` as a rule; with ``card_only`` it may look at nothing but ``card``.

    Raises:
        InvalidRule: if it is not a rule or passes a limit.
    """
    text = text.strip(" ")
    root = tree(text)
    parser = _Parser(text, card_only=card_only)
    term = parser.truth(root, "a rule says whether `card` is legal, so it must be true or false")
    if len(terms.write(term)) > LONGEST_TEXT:
        raise InvalidRule(text, f"a rule has at most {LONGEST_TEXT:,} characters; spaced out, this has more")
    return term


class _Parser:
    """Turns the nodes of one text into terms."""

    def __init__(self, text: str, *, card_only: bool) -> None:
        self._text = text
        self._card_only = card_only
        self._variables: list[str] = []
        self._steps = 1

    def _error(self, node: ast.expr, wanted: str, example: str = "card.color != last.color") -> InvalidRule:
        """Return the error that points at ``node``."""
        width = (node.end_col_offset or node.col_offset + 1) - node.col_offset
        return InvalidRule(self._text, wanted, at=node.col_offset, width=width, example=example)

    def _unknown(self, node: ast.expr, word: str, known: Sequence[str]) -> InvalidRule:
        """Return the error for a word outside the vocabulary; the caret stands under its last characters."""
        end = node.end_col_offset or len(self._text)
        close = get_close_matches(word.lower(), known, 1, 0.6)
        guess = f"did you mean `{close[0]}`?" if close else f"write one of {', '.join(known)}"
        wanted = f"`{word}` is not known here; {guess}"
        return InvalidRule(self._text, wanted, at=end - len(word), width=len(word))

    def truth(self, node: ast.expr, why: str) -> terms.Term:
        """Read ``node`` as a truth value."""
        value = self._value(node)
        if value.kind is not Kind.TRUTH:
            raise self._error(node, f"{why}; this is {value.kind.value}", "card.rank % 2 == 0")
        return value.term

    def _number(self, node: ast.expr, why: str) -> _Value:
        value = self._value(node)
        if not value.kind.is_numeric:
            raise self._error(node, f"{why}; this is {value.kind.value}", "abs(card.rank - last.rank) <= 2")
        return value

    def _bounded(self, node: ast.expr, term: terms.Term, bounds: Bounds) -> _Value:
        if bounds.size > LARGEST:
            raise self._error(node, f"this number could pass {LARGEST:,} in size, the limit for any part of a rule")
        return _Value(term, Kind.NUMBER, bounds)

    def _join(self, nodes: Sequence[ast.expr], where: str) -> tuple[tuple[terms.Term, ...], Kind, Bounds]:
        """Read ``nodes`` as values of one kind; truth values beside numbers count as numbers."""
        values = [self._value(node) for node in nodes]
        kind, bounds = values[0].kind, values[0].bounds
        for node, value in zip(nodes, values, strict=True):
            if value.kind is not kind:
                if not (value.kind.is_numeric and kind.is_numeric):
                    raise self._error(
                        node, f"{where} must be of one kind: {kind.value} first, then {value.kind.value}"
                    )
                kind = Kind.NUMBER
            bounds |= value.bounds
        return tuple(value.term for value in values), kind, bounds

    def _value(self, node: ast.expr) -> _Value:
        """Read one value; ``match`` over the node's class is the whitelist."""
        match node:
            case ast.Constant():
                return self._constant(node)
            case ast.Name(name):
                return self._name(node, name)
            case ast.Attribute(of, name):
                return self._attribute(node, of, name)
            case ast.Subscript():
                return self._subscript(node)
            case ast.UnaryOp(ast.Not(), operand):
                return _Value(terms.Not(self.truth(operand, "`not` wants a truth value")), Kind.TRUTH)
            case ast.UnaryOp(ast.USub(), operand):
                value = self._number(operand, "`-` wants a number")
                negative = Bounds(-value.bounds.high, -value.bounds.low)
                if isinstance(value.term, terms.Number):
                    return self._bounded(node, terms.Number(-value.term.value), negative)
                return self._bounded(node, terms.Negative(value.term), negative)
            case ast.BinOp(left, operator, right):
                return self._arithmetic(node, left, operator, right)
            case ast.BoolOp(operator, values):
                return self._connective(operator, values)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test, body, orelse):
                # Python evaluates the test first, but errors are better reported in reading order.
                condition = self.truth(test, "a condition is true or false")
                (then, otherwise), kind, bounds = self._join([body, orelse], "both results of an if-else")
                return _Value(terms.Choice(condition, then, otherwise), kind, bounds)
            case ast.Call():
                return self._call(node)
            case ast.Tuple() | ast.Set() | ast.Dict() | ast.GeneratorExp():
                raise self._error(node, "one value is wanted here, not several", "card.rank in {2, 3, 5}")
            case _:
                named = type(node).__name__
                raise self._error(node, f"{named} is not part of the rule language", "card.rank > last.rank")

    def _constant(self, node: ast.Constant) -> _Value:
        value = node.value
        if isinstance(value, bool):
            return _Value(terms.Truth(value), Kind.TRUTH, Bounds(value, value))
        if isinstance(value, int):
            return self._bounded(node, terms.Number(value), Bounds(value, value))
        wanted = "a whole number, True or False is wanted; suits are C D H S and colours red black, without quotes"
        raise self._error(node, wanted, "card.suit == H")

    def _name(self, node: ast.expr, name: str) -> _Value:
        if name in self._variables:
            return _Value(terms.Variable(name), Kind.CARD)
        if constant := CONSTANTS.get(name):
            return _Value(terms.Symbol(name), constant.kind, Bounds(constant.value, constant.value))
        if name == "card":
            return _Value(terms.Candidate(), Kind.CARD)
        if name in NAMES and self._card_only:
            raise self._error(node, f"a starter condition looks at `card` alone, not at `{name}`", "card.rank == A")
        match name:
            case "last":
                return _Value(terms.LineCard("mainline", -1), Kind.CARD)
            case "position":
                return _Value(terms.Position(), Kind.NUMBER, Bounds(0, LONGEST_LINE))
            case "mainline" | "rejected":
                raise self._error(node, f"`{name}` is many cards; pick one", f"card.rank > {name}[-1].rank")
        if name in FUNCTIONS:
            raise self._error(node, f"`{name}` is a function; call it", "abs(card.rank - last.rank) <= 2")
        raise self._unknown(node, name, [*self._variables, *NAMES, *CONSTANTS, *FUNCTIONS])

    def _attribute(self, node: ast.Attribute, of: ast.expr, name: str) -> _Value:
        value = self._value(of)
        if value.kind is not Kind.CARD:
            raise self._error(of, f"only a card has attributes; this is {value.kind.value}")
        attribute = ATTRIBUTES.get(name)
        if attribute is None:
            raise self._unknown(node, name, list(ATTRIBUTES))
        bounds = Bounds(min(attribute.values), max(attribute.values))
        return _Value(terms.Attribute(value.term, name), attribute.kind, bounds)

    def _subscript(self, node: ast.Subscript) -> _Value:
        match node.value:
            case ast.Name("mainline" | "rejected" as line):
                if self._card_only:
                    raise self._error(node, "a starter condition looks at `card` alone", "card.rank == A")
                if isinstance(node.slice, ast.Slice):
                    raise self._error(node, "a slice is many cards; use it in a generator", _EXAMPLE_MANY)
                index = self._index(node.slice)
                # mypy takes the captured name for any string.
                return _Value(terms.LineCard("mainline" if line == "mainline" else "rejected", index), Kind.CARD)
            case ast.Tuple():
                items, kind, bounds = self._items(node.value)
                key = self._number(node.slice, "a place in a tuple is a number")
                return _Value(terms.Entry(terms.Display(items, False), key.term), kind, bounds)
            case ast.Dict():
                table, key_kind, kind, bounds = self._table(node.value)
                key = self._key(node.slice, key_kind)
                return _Value(terms.Entry(table, key.term), kind, bounds)
            case _:
                wanted = "only `mainline`, `rejected`, a tuple or a table can be indexed"
                raise self._error(node.value, wanted, "(card.is_red, card.is_black)[position % 2]")

    def _key(self, node: ast.expr, kind: Kind) -> _Value:
        key = self._value(node)
        if key.kind is not kind and not (key.kind.is_numeric and kind.is_numeric):
            raise self._error(node, f"the keys of this table are of another kind: {kind.value}, not {key.kind.value}")
        return key

    def _index(self, node: ast.expr) -> int:
        """Read the written number in ``mainline[-2]``."""
        value = self._value(node).term
        if not isinstance(value, terms.Number):
            raise self._error(node, "a written number is wanted here", "card.color != mainline[-2].color")
        if not -FARTHEST <= value.value < FARTHEST:
            raise self._error(node, f"a rule may look back at most {FARTHEST} cards; this is {value.value}")
        return value.value

    def _arithmetic(self, node: ast.expr, left: ast.expr, operator: ast.operator, right: ast.expr) -> _Value:
        sign = _ARITHMETIC.get(type(operator))
        if sign is None:
            raise self._error(node, "the operators are + - * // %", "(card.rank + last.rank) % 5 == 0")
        one = self._number(left, f"`{sign}` wants numbers")
        two = self._number(right, f"`{sign}` wants numbers")
        term = terms.Arithmetic(sign, one.term, two.term)
        return self._bounded(node, term, arithmetic(sign, one.bounds, two.bounds))

    def _connective(self, operator: ast.boolop, nodes: Sequence[ast.expr]) -> _Value:
        named = "and" if isinstance(operator, ast.And) else "or"
        kind = terms.And if isinstance(operator, ast.And) else terms.Or
        items: list[terms.Term] = []
        for node in nodes:
            item = self.truth(node, f"`{named}` wants truth values")
            items += item.items if isinstance(item, kind) else (item,)
        return _Value(kind(tuple(items)), Kind.TRUTH)

    def _comparison(self, node: ast.Compare) -> _Value:
        left = first = self._value(node.left)
        steps: list[tuple[str, terms.Term]] = []
        for place, (operator, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            sign = _COMPARISONS.get(type(operator))
            if sign is None:
                raise self._error(node, "write == or != instead of `is`")
            right: _Value | _Many
            if sign in ("in", "not in"):
                if place + 1 < len(node.ops):
                    raise self._error(node, f"nothing can be compared after `{sign}`; join with `and`")
                right = self._many(other)
            else:
                right = self._value(other)
            if right.kind is not left.kind and not (right.kind.is_numeric and left.kind.is_numeric):
                wanted = f"{left.kind.value} cannot be compared with {right.kind.value}"
                raise self._error(other, wanted, "card.suit == last.suit and card.rank > 7")
            if sign in ("<", "<=", ">", ">=") and not left.kind.is_numeric:
                wanted = f"{left.kind.value} is neither more nor less than another; give each a number in a table"
                raise self._error(other, wanted, "{C: 1, D: 2, H: 3, S: 4}[card.suit] > 2")
            steps.append((sign, right.term))
            if isinstance(right, _Value):
                left = right
        return _Value(terms.Comparison(first.term, tuple(steps)), Kind.TRUTH)

    def _many(self, node: ast.expr) -> _Many:
        """Read something that holds several values: a tuple, a set, a generator, or cards of a line."""
        match node:
            case ast.Tuple() | ast.Set():
                items, kind, bounds = self._items(node)
                display = terms.Display(items, isinstance(node, ast.Set))
                return _Many(display, kind, bounds, len(items))
            case ast.GeneratorExp(body, [clause]):
                return self._generator(node, body, clause)
            case ast.Name("mainline" | "rejected") | ast.Subscript(ast.Name("mainline" | "rejected"), ast.Slice()):
                stretch = self._stretch(node)
                return _Many(stretch, Kind.CARD, TRUTHS, _most_cards(stretch))
            case _:
                raise self._error(node, "several values are wanted: (a, b), {a, b} or a generator", _EXAMPLE_MANY)

    def _items(self, node: ast.Tuple | ast.Set) -> tuple[tuple[terms.Term, ...], Kind, Bounds]:
        if not node.elts:
            raise self._error(node, "at least one value is wanted", "card.rank in {2, 3, 5}")
        return self._join(node.elts, "these values")

    def _generator(self, node: ast.expr, body: ast.expr, clause: ast.comprehension) -> _Many:
        if not isinstance(clause.target, ast.Name):
            raise self._error(clause.target, "one variable is wanted", _EXAMPLE_MANY)
        variable = clause.target.id
        if variable in WORDS or variable in self._variables:
            raise self._error(
                clause.target, f"`{variable}` has a meaning already; use another variable", _EXAMPLE_MANY
            )
        if clause.is_async or len(clause.ifs) > 1:
            raise self._error(node, "at most one plain `if` may follow", _EXAMPLE_MANY)
        stretch = self._stretch(clause.iter)
        size = _most_cards(stretch)
        if self._steps * size > MOST_STEPS:
            raise self._error(node, "too many repetitions; inside another generator use a slice", _EXAMPLE_NESTED)
        self._variables.append(variable)
        self._steps *= max(size, 1)
        value = self._value(body)
        condition = self.truth(clause.ifs[0], "a condition is true or false") if clause.ifs else None
        self._steps //= max(size, 1)
        self._variables.pop()
        each = terms.Each(value.term, variable, stretch, condition)
        return _Many(each, value.kind, value.bounds, size)

    def _stretch(self, node: ast.expr) -> terms.Stretch:
        bounds: list[int | None] = [None, None, None]
        name = node
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            name = node.value
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            bounds = [None if part is None else self._index(part) for part in parts]
            if bounds[2] == 0:
                raise self._error(node, "the step of a slice is not 0", _EXAMPLE_MANY)
        if not (isinstance(name, ast.Name) and name.id in ("mainline", "rejected")):
            raise self._error(node, "only `mainline`, `rejected` and their slices can be gone through", _EXAMPLE_MANY)
        if self._card_only:
            raise self._error(node, "a starter condition looks at `card` alone", "card.rank == A")
        return terms.Stretch("mainline" if name.id == "mainline" else "rejected", *bounds)

    def _table(self, node: ast.Dict) -> tuple[terms.Table, Kind, Kind, Bounds]:
        """Read a table; return it, the kind of its keys, and kind and bounds of its values."""
        keys = [key for key in node.keys if key is not None]
        if not keys or len(keys) < len(node.keys):
            raise self._error(node, "a table has entries `key: value`", _EXAMPLE_TABLE)
        key_terms, key_kind, _ = self._join(keys, "the keys of a table")
        for key, term in zip(keys, key_terms, strict=True):
            if not isinstance(term, terms.Number | terms.Symbol | terms.Truth):
                raise self._error(key, "the keys of a table are constants", _EXAMPLE_TABLE)
        values, kind, bounds = self._join(node.values, "the values of a table")
        return terms.Table(key_terms, values), key_kind, kind, bounds

    def _call(self, node: ast.Call) -> _Value:
        if node.keywords:
            raise self._error(node, "values are given in order, without names", "max(card.rank, last.rank) > 7")
        match node.func:
            case ast.Attribute(ast.Dict() as table, "get"):
                return self._get(node, table)
            case ast.Name(name) if name in FUNCTIONS:
                return self._function(node, name)
            case ast.Name(name):
                raise self._unknown(node.func, name, FUNCTIONS)
            case _:
                raise self._error(node.func, "only functions and a table's .get can be called", _EXAMPLE_TABLE)

    def _get(self, node: ast.Call, table_node: ast.Dict) -> _Value:
        if len(node.args) != 2:
            raise self._error(
                node, ".get wants a key and what to use without it", "card.rank == {A: 2}.get(last.rank, 1)"
            )
        table, key_kind, kind, bounds = self._table(table_node)
        key = self._key(node.args[0], key_kind)
        default = self._value(node.args[1])
        if default.kind is not kind:
            if not (default.kind.is_numeric and kind.is_numeric):
                raise self._error(node.args[1], f"the table holds {kind.value}; this is {default.kind.value}")
            kind = Kind.NUMBER
        return _Value(terms.Get(table, key.term, default.term), kind, bounds | default.bounds)

    def _function(self, node: ast.Call, name: str) -> _Value:
        arguments = node.args
        match name:
            case "after":
                return self._after(node)
            case "abs":
                if len(arguments) != 1:
                    raise self._error(node, "`abs` wants one number", "abs(card.rank - last.rank) <= 2")
                number = self._number(arguments[0], "`abs` wants a number")
                term = terms.Call("abs", (number.term,))
                return _Value(term, Kind.NUMBER, Bounds(0, number.bounds.size))
            case "gcd" | "min" | "max" if name == "gcd" or len(arguments) > 1:
                if len(arguments) < 2:
                    raise self._error(node, "`gcd` wants two numbers or more", "gcd(card.rank, last.rank) == 1")
                numbers = [self._number(argument, f"`{name}` wants numbers") for argument in arguments]
                bounds = numbers[0].bounds
                for number in numbers[1:]:
                    bounds |= number.bounds
                if name == "gcd":
                    bounds = Bounds(0, bounds.size)
                return _Value(terms.Call(name, tuple(number.term for number in numbers)), Kind.NUMBER, bounds)
            case _:
                return self._aggregate(node, name)

    def _after(self, node: ast.Call) -> _Value:
        example = 'card.suit == after(last.suit, "HSCD")'
        match node.args:
            case [suit_node, ast.Constant(str() as cycle)]:
                suit = self._value(suit_node)
                if suit.kind is not Kind.SUIT:
                    raise self._error(suit_node, f"`after` wants a suit; this is {suit.kind.value}", example)
                if len(cycle) < 2 or len(set(cycle)) < len(cycle) or not set(cycle) <= set("CDHS"):
                    raise self._error(node.args[1], "a cycle is two to four different letters of CDHS", example)
                return _Value(terms.After(suit.term, cycle), Kind.SUIT)
            case _:
                raise self._error(node, "`after` wants a suit and a cycle of suits", example)

    def _aggregate(self, node: ast.Call, name: str) -> _Value:
        """Read a function of several values: min max sum len count any all run."""
        if len(node.args) != 1:
            raise self._error(node, f"`{name}` wants one generator, tuple or slice", _EXAMPLE_MANY)
        of = node.args[0]
        many = self._many(of)
        call = terms.Call(name, (many.term,))
        is_set = isinstance(many.term, terms.Display) and many.term.is_set
        if name == "len":
            if isinstance(many.term, terms.Each):
                raise self._error(of, "a generator has no length; use `count`", _EXAMPLE_MANY)
            if many.term == terms.Stretch("mainline"):
                return _Value(terms.Position(), Kind.NUMBER, Bounds(0, LONGEST_LINE))
            return _Value(call, Kind.NUMBER, Bounds(0, many.size))
        if is_set:
            raise self._error(
                of,
                f"write a tuple; a set is for `in` and `len`, not for `{name}`",
                "max((card.rank, last.rank)) > 7",
            )
        if name == "run":
            return _Value(call, Kind.NUMBER, Bounds(0, many.size))
        if name in ("any", "all", "count"):
            if many.kind is not Kind.TRUTH:
                raise self._error(of, f"`{name}` wants truth values; this gives {many.kind.value}", _EXAMPLE_MANY)
            if name == "count":
                return _Value(call, Kind.NUMBER, Bounds(0, many.size))
            return _Value(call, Kind.TRUTH)
        if not many.kind.is_numeric:
            raise self._error(
                of,
                f"`{name}` wants numbers; this gives {many.kind.value}",
                "max(x.rank for x in mainline) > 7",
            )
        if name == "sum":
            return self._bounded(node, call, many.bounds.repeated(many.size))
        return _Value(call, Kind.NUMBER, many.bounds)


def _most_cards(stretch: terms.Stretch) -> int:
    """Return how many cards ``stretch`` can hold; its bounds are near an end, so few lengths differ."""
    cut = slice(stretch.start, stretch.stop, stretch.step)
    lengths = (*range(2 * FARTHEST + 1), LONGEST_LINE)
    return max(len(range(length)[cut]) for length in lengths)
