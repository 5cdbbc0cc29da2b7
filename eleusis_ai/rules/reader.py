"""What every part of the parser uses: errors that point at a node, and checks of kind and size."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from eleusis_ai.rules import terms
from eleusis_ai.rules.bounds import LARGEST, TRUTHS, Bounds
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.vocabulary import Kind

FARTHEST = 52
"""The farthest card from either end of the mainline that a rule may name."""
LONGEST_LINE = 1_000
"""Cards on a line, as assumed by the bounds: far more than any profile has packs for."""
MOST_WORK = 10_000_000
"""Nodes to be worked out for one candidate if every line is the longest: a short term for each pair of cards on
a line fits, one for each three cards does not."""

EXAMPLE_MANY = "count(x.is_red for x in mainline[-3:]) <= 1"
EXAMPLE_NESTED = "any(all(x.rank > y.rank for y in mainline[-4:]) for x in mainline)"
EXAMPLE_TABLE = "card.suit != {D: H, H: S, S: C, C: D}[last.suit]"


class Value(NamedTuple):
    """A term that stands for one thing."""

    term: terms.Term
    kind: Kind
    bounds: Bounds = TRUTHS


class Many(NamedTuple):
    """A term that stands for several things of one kind, at most ``size`` of them."""

    term: terms.Term
    kind: Kind
    bounds: Bounds
    size: int


class Reader(ABC):
    """Reads the nodes of one text."""

    def __init__(self, text: str, *, card_only: bool) -> None:
        self.text = text
        """The rule, for the errors."""
        self.card_only = card_only
        """Whether the rule may look at ``card`` alone."""
        self.variables: list[str] = []
        """The variables of the generators around the node being read."""
        self.steps = 1
        """How often, at most, that node is worked out for one candidate."""
        self.work = 0
        """The steps of all nodes read so far."""

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """Read a node that stands for one thing."""

    def error(self, node: ast.expr, wanted: str, example: str = "card.color != last.color") -> InvalidRule:
        """Return the error that points at ``node``."""
        width = (node.end_col_offset or node.col_offset + 1) - node.col_offset
        return InvalidRule(self.text, wanted, at=node.col_offset, width=width, example=example)

    def unknown(self, node: ast.expr, word: str, known: Sequence[str]) -> InvalidRule:
        """Return the error for a word outside the vocabulary; the caret stands under its last characters."""
        end = node.end_col_offset or len(self.text)
        close = get_close_matches(word.lower(), known, 1, 0.6)
        guess = f"did you mean `{close[0]}`?" if close else f"write one of {', '.join(known)}"
        wanted = f"`{word}` is not known here; {guess}"
        return InvalidRule(self.text, wanted, at=end - len(word), width=len(word))

    def truth(self, node: ast.expr, why: str) -> terms.Term:
        """Read ``node`` as a truth value."""
        value = self.value(node)
        if value.kind is not Kind.TRUTH:
            raise self.error(node, f"{why}; this is {value.kind.value}", "card.rank % 2 == 0")
        return value.term

    def number(self, node: ast.expr, why: str) -> Value:
        """Read ``node`` as a number; truth values count as 0 and 1."""
        value = self.value(node)
        if not value.kind.is_numeric:
            raise self.error(node, f"{why}; this is {value.kind.value}", "abs(card.rank - last.rank) <= 2")
        return value

    def bounded(self, node: ast.expr, term: terms.Term, bounds: Bounds) -> Value:
        """Return the number ``term``, provided that it stays within the limit."""
        if bounds.size > LARGEST:
            raise self.error(node, f"this number could pass {LARGEST:,} in size, the limit for any part of a rule")
        return Value(term, Kind.NUMBER, bounds)

    def join(self, nodes: Sequence[ast.expr], where: str) -> tuple[tuple[terms.Term, ...], Kind, Bounds]:
        """Read ``nodes`` as values of one kind; truth values beside numbers count as numbers."""
        values = [self.value(node) for node in nodes]
        kind, bounds = values[0].kind, values[0].bounds
        for node, value in zip(nodes, values, strict=True):
            if value.kind is not kind:
                if not (value.kind.is_numeric and kind.is_numeric):
                    raise self.error(
                        node, f"{where} must be of one kind: {kind.value} first, then {value.kind.value}"
                    )
                kind = Kind.NUMBER
            bounds |= value.bounds
        return tuple(value.term for value in values), kind, bounds

    def index(self, node: ast.expr) -> int:
        """Read the written number in ``mainline[-2]``."""
        value = self.value(node).term
        if not isinstance(value, terms.Number):
            raise self.error(node, "a written number is wanted here", "card.color != mainline[-2].color")
        if not -FARTHEST <= value.value < FARTHEST:
            raise self.error(node, f"a rule may look back at most {FARTHEST} cards; this is {value.value}")
        return value.value
