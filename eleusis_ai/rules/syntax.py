"""A rule's text as Python's syntax tree, once characters, length, nodes and nesting are within the limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from eleusis_ai.rules.invalid import InvalidRule

LONGEST_TEXT = 1_000
"""Characters of a rule, before parsing and in canonical text."""
MOST_NODES = 200
"""Expressions in Python's syntax tree: names, numbers, operations."""
DEEPEST = 64
"""Nesting of the syntax tree; it keeps every later walk far from Python's recursion limit."""

_ODD_CHARACTER = re.compile(r"[^A-Za-z0-9_ ()\[\]{}.,:=!<>+\-*/%\"']")
_RUNNING_NUMBER = re.compile(r"(?<![A-Za-z_0-9])[0-9]+[A-Za-z_.]")
_INSTEAD = {
    "&": "write `and`",
    "|": "write `or`",
    "~": "write `not`",
    "^": "write `!=`",
    "\n": "use one line",
}


def trimmed(text: str) -> str:
    """Return ``text`` without the spaces around it.

    Raises:
        InvalidRule: if it is too long, spaces counted.
    """
    if len(text) > LONGEST_TEXT:
        wanted = f"a rule has at most {LONGEST_TEXT:,} characters; this text has {len(text):,}"
        raise InvalidRule(text, wanted, at=LONGEST_TEXT)
    return text.strip(" ")


def tree(text: str) -> ast.expr:
    """Return the syntax tree of ``text``, which is trimmed.

    Raises:
        InvalidRule: if it is not one expression within the limits.
    """
    if not text:
        raise InvalidRule(text, "an expression about `card` is wanted; this text is empty")
    # What passes these two checks makes Python's tokenizer neither warn nor fold look-alike letters.
    if odd := _ODD_CHARACTER.search(text):
        instead = _INSTEAD.get(odd[0], "use letters, digits and Python's operators")
        raise InvalidRule(text, f"{odd[0]!a} has no place in a rule; {instead}", at=odd.start())
    if number := _RUNNING_NUMBER.search(text):
        wanted = "numbers are whole and decimal, and a space parts them from a word"
        raise InvalidRule(text, wanted, at=number.start(), width=len(number[0]), example="card.rank > 10")
    try:
        root = ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise _misspelt(text, error) from None
    except (RecursionError, MemoryError):
        raise InvalidRule(text, f"nested too deeply; at most {DEEPEST} levels are allowed") from None
    _measure(root, text)
    return root


def _misspelt(text: str, error: SyntaxError) -> InvalidRule:
    if not error.offset or error.offset > len(text):  # Python points past a text that ends too early
        return InvalidRule(text, "not an expression yet: something is missing at the end", at=len(text))
    at = error.offset - 1
    if text[at : at + 1] == "=":
        return InvalidRule(text, "not an expression: write == to compare", at=at, example="card.rank == A")
    width = max(1, (error.end_offset or 0) - 1 - at)
    return InvalidRule(text, f"not an expression: {error.msg}", at=at, width=width)


def _measure(root: ast.expr, text: str) -> None:
    """Check nodes and nesting, level by level and so without recursion."""
    count, depth, level = 0, 0, [root]
    while level:
        count, depth = count + len(level), depth + 1
        node = level[0]
        if count > MOST_NODES:
            wanted = f"a rule has at most {MOST_NODES} nodes (names, numbers, operations); this has more"
            raise InvalidRule(text, wanted, at=node.col_offset)
        if depth > DEEPEST:
            wanted = f"nested too deeply; at most {DEEPEST} levels are allowed"
            raise InvalidRule(text, wanted, at=node.col_offset)
        level = [below for node in level for below in _expressions(node)]


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions directly below ``node``; a generator's clause is looked through."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, (ast.comprehension, ast.keyword)):
            yield from _expressions(child)
