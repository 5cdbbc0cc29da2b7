"""English words for ranks, suits, places on a line, and lists."""

from __future__ import annotations

from collections.abc import Sequence

from eleusis_ai.rules.terms import Stretch, write

ATTRIBUTES = {"rank": "rank", "suit": "suit", "color": "colour", "value": "value"}
QUALITIES = {
    "is_red": "red",
    "is_black": "black",
    "is_odd": "odd",
    "is_even": "even",
    "is_face": "a face card",
    "is_prime": "prime",
}
SHARED = {**ATTRIBUTES, "is_red": "colour", "is_black": "colour", "is_odd": "parity", "is_even": "parity"}
"""What two cards have in common that agree in an attribute."""
SYMBOLS = {
    "A": "ace",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "C": "clubs",
    "D": "diamonds",
    "H": "hearts",
    "S": "spades",
    "red": "red",
    "black": "black",
}
RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}
FUNCTIONS = {"min": "lowest", "max": "highest", "gcd": "greatest common divisor"}
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def joined(parts: Sequence[str], word: str) -> str:
    """Write a list such as ``a, b and c``.

    >>> joined(["a", "b", "c"], "or")
    'a, b or c'
    """
    if len(parts) < 3:
        return f" {word} ".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def one_of(name: str) -> str:
    """Write what a card of that rank, suit or colour is: ``an ace``, ``a heart``, ``red``."""
    word = SYMBOLS[name]
    if name in ("red", "black"):
        return word
    return "an ace" if name == "A" else f"a {word.removesuffix('s')}"


def of_rank(rank: int) -> str:
    """Write what a card of ``rank`` is: ``a 7``, ``an 8``, ``a queen``."""
    if rank in RANKS:
        return one_of(RANKS[rank])
    return "an 8" if rank == 8 else f"a {rank}"


def line_card(line: str, index: int) -> str:
    """Write which card of a line stands at ``index``.

    >>> line_card("mainline", -3), line_card("rejected", 0)
    ('the third to last card', 'the first rejected card')
    """
    kind = "" if line == "mainline" else "rejected "
    if index == -1:
        return f"the last {kind}card"
    if index == -2:
        return f"the {kind}card before the last"
    place = _ordinal(-index if index < 0 else index + 1)
    return f"the {place}{' to last' if index < 0 else ''} {kind}card"


def _ordinal(number: int) -> str:
    if number <= len(_PLACES):
        return _PLACES[number - 1]
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def where(stretch: Stretch) -> str:
    """Write where the cards of ``stretch`` lie."""
    kind = "" if stretch.line == "mainline" else "rejected "
    line = f"among the {kind}cards" if kind else "on the mainline"
    match stretch:
        case Stretch(_, None, None, None):
            return line
        case Stretch(_, start, None, None) if start is not None and start < 0:
            number = _COUNTS[-start] if -start < len(_COUNTS) else str(-start)
            return f"among the last {number} {kind}card{'s' if start < -1 else ''}"
        case Stretch(_, None, -1, None):
            return f"before the last {kind}card"
        case _:
            return f"{line} (of these only {write(stretch)})"
