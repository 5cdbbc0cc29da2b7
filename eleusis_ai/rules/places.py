"""How a rule tells the cards of the mainline apart, place by place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from eleusis_ai.cards import CARDS
from eleusis_ai.rules import terms
from eleusis_ai.rules.evaluation import values
from eleusis_ai.rules.extent import Extent, extent
from eleusis_ai.rules.terms import Term

_LAST = terms.LineCard("mainline", -1)


class Slots:
    """Collects how a term tells the cards of each place of the mainline apart."""

    def __init__(self) -> None:
        self.window: list[list[list[object]]] = []
        """For each of the last places, newest first, lists of what a term makes of each of the 52 cards."""
        self.prefix: list[list[list[object]]] = []
        """The same for each of the first places."""
        self.folds: dict[Term, None] = {}
        """The functions of the whole line."""
        self.seen_by: dict[str, list[list[object]]] = {}
        """The same for a variable that goes through the whole line."""

    def note_window(self, depth: int, row: Iterable[object]) -> None:
        """Note that the card ``depth`` places from the end is told apart by ``row``."""
        while len(self.window) < depth:
            self.window.append([])
        self.window[depth - 1].append(list(row))

    def _note(self, place: Extent, row: list[object]) -> None:
        for depth in range(1, place.window + 1):
            self.note_window(depth, row)
        while len(self.prefix) < place.prefix:
            self.prefix.append([])
        for index in range(place.prefix):
            self.prefix[index].append(row)

    def collect(self, term: Term, places: Mapping[str, Extent]) -> None:
        """Note every largest part of ``term`` that looks at the candidate and one more card."""
        seen = sources(term)
        if len(seen) == 1 and not isinstance(term, terms.Each | terms.Stretch | terms.Display | terms.Table):
            (source,) = seen
            if isinstance(source, terms.LineCard):
                self._note_card(source, told_apart(term, source))
                return
            if isinstance(source, str):
                self._note_variable(source, told_apart(term, terms.Variable(source)), places)
                return
        match term:
            case terms.Call(_, (terms.Each() | terms.Stretch() as many,)):
                self._go_through(term, many, places)
            case terms.Comparison(first, steps):
                self.collect(first, places)
                for operator, other in steps:
                    if operator in ("in", "not in") and isinstance(other, terms.Each | terms.Stretch):
                        self._go_through(other, other, places)
                    else:
                        self.collect(other, places)
            case _:
                for child in terms.children(term):
                    self.collect(child, places)

    def _note_card(self, card: terms.LineCard, row: list[object]) -> None:
        if card.index < 0:
            self.note_window(-card.index, row)
            return
        while len(self.prefix) <= card.index:
            self.prefix.append([])
        self.prefix[card.index].append(row)

    def _note_variable(self, name: str, row: list[object], places: Mapping[str, Extent]) -> None:
        if name in self.seen_by:
            self.seen_by[name].append(row)
        elif name in places:  # else it belongs to a generator around the fold that is looked at
            self._note(places[name], row)

    def _go_through(self, function: Term, many: terms.Each | terms.Stretch, places: Mapping[str, Extent]) -> None:
        stretch = many.stretch if isinstance(many, terms.Each) else many
        place = extent(stretch)
        if place.is_whole:
            self.folds[function] = None
            if isinstance(many, terms.Stretch):
                return
            # What else the body looks at is remembered on its own; the cards gone through are the fold's.
            self.seen_by[many.variable] = []
        elif isinstance(many, terms.Stretch):
            self._note(place, [0] * 52 if _is_length(function) else list(CARDS))
            return
        else:
            self.seen_by.pop(many.variable, None)
            self._note(place, [0] * 52)
        inner = {**places, many.variable: place}
        for part in (many.body, many.condition):
            if part is not None:
                self.collect(part, inner)


def _is_length(term: Term) -> bool:
    return isinstance(term, terms.Call) and term.function == "len"


def sources(term: Term, bound: frozenset[str] = frozenset()) -> frozenset[object]:
    """Return what a term looks at besides the candidate: cards, free variables (by name), and the line."""
    match term:
        case terms.LineCard():
            return frozenset((term,))
        case terms.Variable(name):
            return frozenset() if name in bound else frozenset((name,))
        case terms.Position() | terms.Stretch():
            return frozenset((terms.Position(),))
        case terms.Each(_, variable):
            bound |= {variable}
    return frozenset().union(*(sources(child, bound) for child in terms.children(term)))


def replaced(term: Term, old: Term) -> Term:
    """Return ``term`` with the last card of the mainline in place of ``old``."""
    if term == old:
        return _LAST
    values = [_replaced_in(getattr(term, name), old) for name in term.__match_args__]
    made: Term = type(term)(*values)
    return made


def _replaced_in(value: object, old: Term) -> Any:
    if isinstance(value, Term):
        return replaced(value, old)
    if isinstance(value, tuple):
        return tuple(_replaced_in(item, old) for item in value)
    return value


def told_apart(term: Term, card: Term) -> list[object]:
    """Return what ``term`` makes of each of the 52 cards in place of ``card``, for all candidates."""
    found = values(replaced(term, card))
    return [tuple(sorted((number, mask) for number, mask in found((c,)).items() if mask)) for c in CARDS]


def numbered(rows: Sequence[Sequence[object]]) -> list[int]:
    """Return the class of each card: cards that no row tells apart have one number."""
    keys = list(zip(*rows, strict=True)) if rows else [()] * 52
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return [numbers[key] for key in keys]


def refined(window: list[list[list[object]]]) -> list[list[int]]:
    """Return the classes of each place, each fine enough for the cards' later, farther places."""
    classes: list[list[int]] = []
    farther: list[list[object]] = []
    for rows in reversed(window):
        farther = [*farther, *rows]
        classes.append(numbered(farther))
    return classes[::-1]
