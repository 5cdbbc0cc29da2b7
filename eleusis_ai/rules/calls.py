"""Several values at once, and the functions that take them: tuples, tables, generators, calls."""

from __future__ import annotations

import ast

from eleusis_ai.rules import terms
from eleusis_ai.rules.bounds import TRUTHS, Bounds
from eleusis_ai.rules.reader import (
    EXAMPLE_MANY,
    EXAMPLE_NESTED,
    EXAMPLE_TABLE,
    FARTHEST,
    LONGEST_LINE,
    MOST_WORK,
    Many,
    Reader,
    Value,
)
from eleusis_ai.rules.vocabulary import FUNCTIONS, WORDS, Kind


class CallReader(Reader):
    """Reads collections and calls; it leaves single values to the parser above it."""

    def many(self, node: ast.expr) -> Many:
        """Read something that holds several values: a tuple, a set, a generator, or cards of a line."""
        match node:
            case ast.Tuple() | ast.Set():
                items, kind, bounds = self.items(node)
                display = terms.Display(items, isinstance(node, ast.Set))
                return Many(display, kind, bounds, len(items))
            case ast.GeneratorExp(body, [clause]):
                return self._generator(node, body, clause)
            case ast.Name("mainline" | "rejected") | ast.Subscript(ast.Name("mainline" | "rejected"), ast.Slice()):
                stretch = self.stretch(node)
                return Many(stretch, Kind.CARD, TRUTHS, _most_cards(stretch))
            case _:
                raise self.error(node, "several values are wanted: (a, b), {a, b} or a generator", EXAMPLE_MANY)

    def items(self, node: ast.Tuple | ast.Set) -> tuple[tuple[terms.Term, ...], Kind, Bounds]:
        """Read the values written in a tuple or set; return them, their kind and their bounds."""
        if not node.elts:
            raise self.error(node, "at least one value is wanted", "card.rank in {2, 3, 5}")
        return self.join(node.elts, "these values")

    def _generator(self, node: ast.expr, body: ast.expr, clause: ast.comprehension) -> Many:
        if not isinstance(clause.target, ast.Name):
            raise self.error(clause.target, "one variable is wanted", EXAMPLE_MANY)
        variable = clause.target.id
        if variable in WORDS or variable in self.variables:
            raise self.error(clause.target, f"`{variable}` has a meaning already; use another variable", EXAMPLE_MANY)
        if clause.is_async or len(clause.ifs) > 1:
            raise self.error(node, "at most one plain `if` may follow", EXAMPLE_MANY)
        stretch = self.stretch(clause.iter)
        size = _most_cards(stretch)
        self.variables.append(variable)
        self.steps *= max(size, 1)
        value = self.value(body)
        condition = self.truth(clause.ifs[0], "a condition is true or false") if clause.ifs else None
        self.steps //= max(size, 1)
        self.variables.pop()
        if self.work > MOST_WORK:
            raise self.error(node, "too many repetitions; inside another generator use a short slice", EXAMPLE_NESTED)
        each = terms.Each(value.term, variable, stretch, condition)
        return Many(each, value.kind, value.bounds, size)

    def stretch(self, node: ast.expr) -> terms.Stretch:
        """Read ``mainline``, ``rejected`` or a slice of either."""
        bounds: list[int | None] = [None, None, None]
        name = node
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            name = node.value
            parts = (node.slice.lower, node.slice.upper, node.slice.step)
            bounds = [None if part is None else self.index(part) for part in parts]
            if bounds[2] == 0:
                raise self.error(node, "the step of a slice is not 0", EXAMPLE_MANY)
        if not (isinstance(name, ast.Name) and name.id in ("mainline", "rejected")):
            raise self.error(node, "only `mainline`, `rejected` and their slices can be gone through", EXAMPLE_MANY)
        if self.card_only:
            raise self.error(node, "a starter condition looks at `card` alone", "card.rank == A")
        return terms.Stretch("mainline" if name.id == "mainline" else "rejected", *bounds)

    def table(self, node: ast.Dict) -> tuple[terms.Table, Kind, Kind, Bounds]:
        """Read a table; return it, the kind of its keys, and kind and bounds of its values."""
        keys = [key for key in node.keys if key is not None]
        if not keys or len(keys) < len(node.keys):
            raise self.error(node, "a table has entries `key: value`", EXAMPLE_TABLE)
        key_terms, key_kind, _ = self.join(keys, "the keys of a table")
        for key, term in zip(keys, key_terms, strict=True):
            if not isinstance(term, terms.Number | terms.Symbol | terms.Truth):
                raise self.error(key, "the keys of a table are constants", EXAMPLE_TABLE)
        values, kind, bounds = self.join(node.values, "the values of a table")
        return terms.Table(key_terms, values), key_kind, kind, bounds

    def key(self, node: ast.expr, kind: Kind) -> Value:
        """Read what is looked up in a table whose keys are of ``kind``."""
        key = self.value(node)
        if key.kind is not kind and not (key.kind.is_numeric and kind.is_numeric):
            raise self.error(node, f"the keys of this table are of another kind: {kind.value}, not {key.kind.value}")
        return key

    def call(self, node: ast.Call) -> Value:
        """Read a call of a function, or of a table's ``.get``."""
        if node.keywords:
            raise self.error(node, "values are given in order, without names", "max(card.rank, last.rank) > 7")
        match node.func:
            case ast.Attribute(ast.Dict() as table, "get"):
                return self._get(node, table)
            case ast.Name(name) if name in FUNCTIONS:
                return self._function(node, name)
            case ast.Name(name):
                raise self.unknown(node.func, name, FUNCTIONS)
            case _:
                raise self.error(node.func, "only functions and a table's .get can be called", EXAMPLE_TABLE)

    def _get(self, node: ast.Call, table_node: ast.Dict) -> Value:
        if len(node.args) != 2:
            raise self.error(
                node, ".get wants a key and what to use without it", "card.rank == {A: 2}.get(last.rank, 1)"
            )
        table, key_kind, kind, bounds = self.table(table_node)
        key = self.key(node.args[0], key_kind)
        default = self.value(node.args[1])
        if default.kind is not kind:
            if not (default.kind.is_numeric and kind.is_numeric):
                raise self.error(node.args[1], f"the table holds {kind.value}; this is {default.kind.value}")
            kind = Kind.NUMBER
        return Value(terms.Get(table, key.term, default.term), kind, bounds | default.bounds)

    def _function(self, node: ast.Call, name: str) -> Value:
        arguments = node.args
        match name:
            case "after":
                return self._after(node)
            case "abs":
                if len(arguments) != 1:
                    raise self.error(node, "`abs` wants one number", "abs(card.rank - last.rank) <= 2")
                number = self.number(arguments[0], "`abs` wants a number")
                term = terms.Call("abs", (number.term,))
                return Value(term, Kind.NUMBER, Bounds(0, number.bounds.size))
            case "gcd" | "min" | "max" if name == "gcd" or len(arguments) > 1:
                if len(arguments) < 2:
                    raise self.error(node, "`gcd` wants two numbers or more", "gcd(card.rank, last.rank) == 1")
                numbers = [self.number(argument, f"`{name}` wants numbers") for argument in arguments]
                bounds = numbers[0].bounds
                for number in numbers[1:]:
                    bounds |= number.bounds
                if name == "gcd":
                    bounds = Bounds(0, bounds.size)
                return Value(terms.Call(name, tuple(number.term for number in numbers)), Kind.NUMBER, bounds)
            case _:
                return self._aggregate(node, name)

    def _after(self, node: ast.Call) -> Value:
        example = 'card.suit == after(last.suit, "HSCD")'
        match node.args:
            case [suit_node, ast.Constant(str() as cycle)]:
                suit = self.value(suit_node)
                if suit.kind is not Kind.SUIT:
                    raise self.error(suit_node, f"`after` wants a suit; this is {suit.kind.value}", example)
                if len(cycle) < 2 or len(set(cycle)) < len(cycle) or not set(cycle) <= set("CDHS"):
                    raise self.error(node.args[1], "a cycle is two to four different letters of CDHS", example)
                return Value(terms.After(suit.term, cycle), Kind.SUIT)
            case _:
                raise self.error(node, "`after` wants a suit and a cycle of suits", example)

    def _aggregate(self, node: ast.Call, name: str) -> Value:
        """Read a function of several values: min max sum len count any all run."""
        if len(node.args) != 1:
            raise self.error(node, f"`{name}` wants one generator, tuple or slice", EXAMPLE_MANY)
        of = node.args[0]
        many = self.many(of)
        call = terms.Call(name, (many.term,))
        is_set = isinstance(many.term, terms.Display) and many.term.is_set
        if name == "len":
            if isinstance(many.term, terms.Each):
                raise self.error(of, "a generator has no length; use `count`", EXAMPLE_MANY)
            if many.term == terms.Stretch("mainline"):
                return Value(terms.Position(), Kind.NUMBER, Bounds(0, LONGEST_LINE))
            return Value(call, Kind.NUMBER, Bounds(0, many.size))
        if is_set:
            raise self.error(
                of,
                f"write a tuple; a set is for `in` and `len`, not for `{name}`",
                "max((card.rank, last.rank)) > 7",
            )
        if name == "run":
            return Value(call, Kind.NUMBER, Bounds(0, many.size))
        if name in ("any", "all", "count"):
            if many.kind is not Kind.TRUTH:
                raise self.error(of, f"`{name}` wants truth values; this gives {many.kind.value}", EXAMPLE_MANY)
            if name == "count":
                return Value(call, Kind.NUMBER, Bounds(0, many.size))
            return Value(call, Kind.TRUTH)
        if not many.kind.is_numeric:
            raise self.error(
                of,
                f"`{name}` wants numbers; this gives {many.kind.value}",
                "max(x.rank for x in mainline) > 7",
            )
        if name == "sum":
            return self.bounded(node, call, many.bounds.repeated(many.size))
        return Value(call, Kind.NUMBER, many.bounds)


def _most_cards(stretch: terms.Stretch) -> int:
    """Return how many cards ``stretch`` can hold; its bounds are near an end, so few lengths differ."""
    cut = slice(stretch.start, stretch.stop, stretch.step)
    lengths = (*range(2 * FARTHEST + 1), LONGEST_LINE)
    return max(len(range(length)[cut]) for length in lengths)
