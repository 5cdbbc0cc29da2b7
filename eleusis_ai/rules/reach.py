"""What a rule looks at: how far back, whether at the position, and how many starters it needs."""

from __future__ import annotations

from eleusis_ai.rules import terms
from eleusis_ai.rules.vocabulary import CONSTANTS


def lookback(term: terms.Term) -> int | None:
    """Return how many of the last mainline cards ``term`` can look at; None if the whole line counts.

    ``position`` is not a look at a card.
    """
    farthest = 0
    for part in terms.walk(term):
        match part:
            case terms.LineCard("mainline", index) if index < 0:
                farthest = max(farthest, -index)
            case terms.Stretch("mainline"):
                back = _stretch_lookback(part)
                if back is None:
                    return None
                farthest = max(farthest, back)
            case terms.LineCard() | terms.Stretch():
                return None
    return farthest


def _stretch_lookback(stretch: terms.Stretch) -> int | None:
    forwards = (stretch.step or 1) > 0
    # Walking forwards a slice begins at its farthest card, walking backwards it ends before it.
    near, far = (stretch.stop, stretch.start) if forwards else (stretch.start, stretch.stop)
    if far is None or far >= 0 or (near is not None and near >= 0):
        return None
    return -far if forwards else -far - 1


def uses_position(term: terms.Term) -> bool:
    """Tell whether ``term`` looks at how many cards lie on the mainline."""
    return any(isinstance(part, terms.Position) for part in terms.walk(term))


def reads_rejected(term: terms.Term) -> bool:
    """Tell whether ``term`` looks at rejected cards."""
    return any(
        isinstance(part, terms.LineCard | terms.Stretch) and part.line == "rejected" for part in terms.walk(term)
    )


def starters(term: terms.Term) -> int:
    """Return the least number of cards, 1 or more, from which on no absent mainline card can be looked at.

    The number is found with the position known and all else open, so that a guard such as
    ``... if position >= 2 else True`` counts.
    """
    indices = [
        part.index for part in terms.walk(term) if isinstance(part, terms.LineCard) and part.line == "mainline"
    ]
    farthest = max((-index if index < 0 else index + 1 for index in indices), default=0)
    for position in range(farthest - 1, 0, -1):
        trial = _Trial(position)
        trial.value(term)
        if trial.touches_absent:
            return position + 1
    return 1


class _Trial:
    """Evaluation at a known position with every card open: a value is a number, or None if it depends."""

    def __init__(self, position: int) -> None:
        self._position = position
        self.touches_absent = False

    def value(self, term: terms.Term) -> int | None:
        """Return what ``term`` is worth, looking only where Python might."""
        match term:
            case terms.Number(number) | terms.Truth(number):
                return int(number)
            case terms.Symbol(name):
                return CONSTANTS[name].value
            case terms.Position():
                return self._position
            case terms.LineCard("mainline", index):
                self.touches_absent |= not -self._position <= index < self._position
                return None
            case terms.Not(operand):
                value = self.value(operand)
                return None if value is None else 1 - value
            case terms.And(items):
                return self._until(items, 0)
            case terms.Or(items):
                return self._until(items, 1)
            case terms.Comparison(first, steps):
                return self._comparison(first, steps)
            case terms.Choice(test, then, otherwise):
                value = self.value(test)
                if value is not None:
                    return self.value(then if value else otherwise)
                one, two = self.value(then), self.value(otherwise)
                return one if one == two else None
            case terms.Arithmetic(operator, left, right):
                return _calculate(operator, self.value(left), self.value(right))
            case terms.Call("any" | "all" | "count" | "sum" as function, (terms.Each(_, _, stretch),)) if (
                self._is_empty(stretch)
            ):
                return int(function == "all")
            case terms.Each(body, _, stretch, condition):
                if not self._is_empty(stretch) and (condition is None or self.value(condition) != 0):
                    self.value(body)
                return None
            case _:
                for child in terms.children(term):
                    self.value(child)
                return None

    def _until(self, items: tuple[terms.Term, ...], end: int) -> int | None:
        """Go through the items of an ``and`` (which ends at 0) or an ``or`` (which ends at 1)."""
        values = []
        for item in items:
            values.append(self.value(item))
            if values[-1] == end:
                return end
        return None if None in values else 1 - end

    def _comparison(self, first: terms.Term, steps: tuple[tuple[str, terms.Term], ...]) -> int | None:
        left, result = self.value(first), 1
        known = True
        for operator, other in steps:
            right = self.value(other)
            true = _compare(operator, left, right)
            if true is False:
                return 0
            known = known and true is not None
            left = right
        return result if known else None

    def _is_empty(self, stretch: terms.Stretch) -> bool:
        cut = slice(stretch.start, stretch.stop, stretch.step)
        return stretch.line == "mainline" and not range(self._position)[cut]


def _compare(operator: str, left: int | None, right: int | None) -> bool | None:
    if left is None or right is None:
        return None
    match operator:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case _:
            return None


def _calculate(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None or (right == 0 and operator in ("//", "%")):
        return None
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
        case _:
            return left % right
