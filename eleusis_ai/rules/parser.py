"""Rule texts read into terms: Python's syntax, a whitelist of nodes, and checked kinds and sizes."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from eleusis_ai.rules import terms
from eleusis_ai.rules.bounds import Bounds, arithmetic
from eleusis_ai.rules.calls import CallReader
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.reader import EXAMPLE_MANY, LONGEST_LINE, Many, Value
from eleusis_ai.rules.syntax import LONGEST_TEXT, tree, trimmed
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS, FUNCTIONS, NAMES, Kind

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


def parse(text: str, *, card_only: bool = False) -> terms.Term:
    """Read ``text`` as a rule; with ``card_only`` it may look at nothing but ``card``.

    Raises:
        InvalidRule: if it is not a rule or passes a limit.
    """
    text = trimmed(text)
    root = tree(text)
    parser = _Parser(text, card_only=card_only)
    term = parser.truth(root, "a rule says whether `card` is legal, so it must be true or false")
    if len(terms.write(term)) > LONGEST_TEXT:
        raise InvalidRule(text, f"a rule has at most {LONGEST_TEXT:,} characters; spaced out, this has more")
    return term


class _Parser(CallReader):
    """Turns the nodes of one text into terms."""

    def value(self, node: ast.expr) -> Value:
        """Read one value; ``match`` over the node's class is the whitelist."""
        self.work += self.steps
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
                return Value(terms.Not(self.truth(operand, "`not` wants a truth value")), Kind.TRUTH)
            case ast.UnaryOp(ast.USub(), operand):
                value = self.number(operand, "`-` wants a number")
                negative = Bounds(-value.bounds.high, -value.bounds.low)
                if isinstance(value.term, terms.Number):
                    return self.bounded(node, terms.Number(-value.term.value), negative)
                return self.bounded(node, terms.Negative(value.term), negative)
            case ast.BinOp(left, operator, right):
                return self._arithmetic(node, left, operator, right)
            case ast.BoolOp(operator, values):
                return self._connective(operator, values)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test, body, orelse):
                condition = self.truth(test, "a condition is true or false")
                (then, otherwise), kind, bounds = self.join([body, orelse], "both results of an if-else")
                return Value(terms.Choice(condition, then, otherwise), kind, bounds)
            case ast.Call():
                return self.call(node)
            case ast.Tuple() | ast.Set() | ast.Dict() | ast.GeneratorExp():
                raise self.error(node, "one value is wanted here, not several", "card.rank in {2, 3, 5}")
            case _:
                named = type(node).__name__
                raise self.error(node, f"{named} is not part of the rule language", "card.rank > last.rank")

    def _constant(self, node: ast.Constant) -> Value:
        value = node.value
        if isinstance(value, bool):
            return Value(terms.Truth(value), Kind.TRUTH, Bounds(value, value))
        if isinstance(value, int):
            return self.bounded(node, terms.Number(value), Bounds(value, value))
        wanted = "a whole number, True or False is wanted; suits are C D H S and colours red black, without quotes"
        raise self.error(node, wanted, "card.suit == H")

    def _name(self, node: ast.expr, name: str) -> Value:
        if name in self.variables:
            return Value(terms.Variable(name), Kind.CARD)
        if constant := CONSTANTS.get(name):
            return Value(terms.Symbol(name), constant.kind, Bounds(constant.value, constant.value))
        if name == "card":
            return Value(terms.Candidate(), Kind.CARD)
        if name in NAMES and self.card_only:
            raise self.error(node, f"a starter condition looks at `card` alone, not at `{name}`", "card.rank == A")
        match name:
            case "last":
                return Value(terms.LineCard("mainline", -1), Kind.CARD)
            case "position":
                return Value(terms.Position(), Kind.NUMBER, Bounds(0, LONGEST_LINE))
            case "mainline" | "rejected":
                raise self.error(node, f"`{name}` is many cards; pick one", f"card.rank > {name}[-1].rank")
        if name in FUNCTIONS:
            raise self.error(node, f"`{name}` is a function; call it", "abs(card.rank - last.rank) <= 2")
        raise self.unknown(node, name, [*self.variables, *NAMES, *CONSTANTS, *FUNCTIONS])

    def _attribute(self, node: ast.Attribute, of: ast.expr, name: str) -> Value:
        value = self.value(of)
        if value.kind is not Kind.CARD:
            raise self.error(of, f"only a card has attributes; this is {value.kind.value}")
        attribute = ATTRIBUTES.get(name)
        if attribute is None:
            raise self.unknown(node, name, list(ATTRIBUTES))
        bounds = Bounds(min(attribute.values), max(attribute.values))
        return Value(terms.Attribute(value.term, name), attribute.kind, bounds)

    def _subscript(self, node: ast.Subscript) -> Value:
        match node.value:
            case ast.Name("mainline" | "rejected" as line):
                if self.card_only:
                    raise self.error(node, "a starter condition looks at `card` alone", "card.rank == A")
                if isinstance(node.slice, ast.Slice):
                    raise self.error(node, "a slice is many cards; use it in a generator", EXAMPLE_MANY)
                index = self.index(node.slice)
                # mypy takes the captured name for any string.
                return Value(terms.LineCard("mainline" if line == "mainline" else "rejected", index), Kind.CARD)
            case ast.Tuple():
                items, kind, bounds = self.items(node.value)
                key = self.number(node.slice, "a place in a tuple is a number")
                return Value(terms.Entry(terms.Display(items, False), key.term), kind, bounds)
            case ast.Dict():
                table, key_kind, kind, bounds = self.table(node.value)
                key = self.key(node.slice, key_kind)
                return Value(terms.Entry(table, key.term), kind, bounds)
            case _:
                wanted = "only `mainline`, `rejected`, a tuple or a table can be indexed"
                raise self.error(node.value, wanted, "(card.is_red, card.is_black)[position % 2]")

    def _arithmetic(self, node: ast.expr, left: ast.expr, operator: ast.operator, right: ast.expr) -> Value:
        sign = _ARITHMETIC.get(type(operator))
        if sign is None:
            raise self.error(node, "the operators are + - * // %", "(card.rank + last.rank) % 5 == 0")
        one = self.number(left, f"`{sign}` wants numbers")
        two = self.number(right, f"`{sign}` wants numbers")
        term = terms.Arithmetic(sign, one.term, two.term)
        return self.bounded(node, term, arithmetic(sign, one.bounds, two.bounds))

    def _connective(self, operator: ast.boolop, nodes: Sequence[ast.expr]) -> Value:
        named = "and" if isinstance(operator, ast.And) else "or"
        kind = terms.And if isinstance(operator, ast.And) else terms.Or
        items: list[terms.Term] = []
        for node in nodes:
            item = self.truth(node, f"`{named}` wants truth values")
            items += item.items if isinstance(item, kind) else (item,)
        return Value(kind(tuple(items)), Kind.TRUTH)

    def _comparison(self, node: ast.Compare) -> Value:
        left = first = self.value(node.left)
        steps: list[tuple[str, terms.Term]] = []
        for place, (operator, other) in enumerate(zip(node.ops, node.comparators, strict=True)):
            sign = _COMPARISONS.get(type(operator))
            if sign is None:
                raise self.error(node, "write == or != instead of `is`")
            right: Value | Many
            if sign in ("in", "not in"):
                if place + 1 < len(node.ops):
                    raise self.error(node, f"nothing can be compared after `{sign}`; join with `and`")
                right = self.many(other)
            else:
                right = self.value(other)
            if right.kind is not left.kind and not (right.kind.is_numeric and left.kind.is_numeric):
                wanted = f"{left.kind.value} cannot be compared with {right.kind.value}"
                raise self.error(other, wanted, "card.suit == last.suit and card.rank > 7")
            if sign in ("<", "<=", ">", ">=") and not left.kind.is_numeric:
                wanted = f"{left.kind.value} is neither more nor less than another; give each a number in a table"
                raise self.error(other, wanted, "{C: 1, D: 2, H: 3, S: 4}[card.suit] > 2")
            steps.append((sign, right.term))
            if isinstance(right, Value):
                left = right
        return Value(terms.Comparison(first.term, tuple(steps)), Kind.TRUTH)
