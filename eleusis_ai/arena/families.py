"""What kind of rule a round was played under: the catalogue's families, or the form of the rule's terms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.grammar import FAMILIES
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.rules.terms import (
    Arithmetic,
    Attribute,
    Call,
    Candidate,
    Choice,
    Entry,
    Get,
    LineCard,
    Position,
    Stretch,
    Term,
    children,
    walk,
)

REMEMBERED = 20_000
"""Rules whose family is kept, since a deal is played many times."""
SETS = ("train", "test")
"""The generated rules whose families are known."""
OTHER = "other"
"""What fits no family: a rule that looks at rejected cards or far back, or one on paper."""


class RuleFamily(NamedTuple):
    """One kind of rule.

    >>> str(family_of("card.is_red")), str(family_of("card.is_red if last.rank > 3 else card.is_odd"))
    ('published memoryless', 'guarded')
    """

    published: bool
    """Whether the catalogue has the rule, and the name is one of its families."""
    name: str

    def __str__(self) -> str:
        return f"published {self.name}" if self.published else self.name


@lru_cache(maxsize=REMEMBERED)
def family_of(rule: str | None) -> RuleFamily:
    """Return the family of a rule in its canonical text; None: the dealer judged by hand."""
    if rule is None:
        return RuleFamily(published=False, name=OTHER)
    if rule in _published():
        return RuleFamily(published=True, name=_published()[rule])
    return RuleFamily(published=False, name=_generated().get(rule) or form_of(Rule.parse(rule).term))


def in_order(family: RuleFamily) -> tuple[bool, int, str]:
    """Return what sorts families: published ones first, the generated ones as the grammar has them."""
    names = (*dict.fromkeys(_published().values()), *FAMILIES) if family.published else tuple(FAMILIES)
    place = names.index(family.name) if family.name in names else len(names)
    return not family.published, place, family.name


@cache
def _published() -> dict[str, str]:
    return {entry.expression: entry.family for entry in load().values()}


@cache
def _generated() -> dict[str, str]:
    return {rule.expression: rule.family for name in SETS for rule in load_rule_set(name).rules}


def form_of(term: Term) -> str:
    """Return the family of the grammar that a rule's terms are like: what it looks at beside the card."""
    inside = tuple(walk(term))
    if any(_is_strange(each) for each in inside):
        return OTHER
    found = set(_kinds(term))
    if len(found) > 1:
        return "composite"
    if found:
        return found.pop()
    if any(isinstance(each, Position) for each in inside):
        return "periodic"
    if any(_is_guard(each) for each in inside):
        return "guarded"
    return "transition" if any(isinstance(each, LineCard) for each in inside) else "memoryless"


def _is_strange(term: Term) -> bool:
    match term:
        case LineCard("rejected", _) | Stretch("rejected", _, _, _):
            return True
        case LineCard(_, index):
            return not -2 <= index < 0
        case _:
            return False


def _kinds(term: Term) -> Iterator[str]:
    """Yield what the parts of a rule make of it, each by itself."""
    match term:
        case Call("run", _) | Arithmetic("//", Position(), _):
            yield "run"
            return  # the cards that a run is counted over are no count of their own
        case Arithmetic("%", divided, _) if any(isinstance(each, Position) for each in walk(divided)):
            if not any(True for _ in _kinds(divided)):
                yield "periodic"
        case Stretch():
            yield "count"
        case LineCard(_, -2):
            yield "lookback2"
        case _:
            pass
    for part in children(term):
        yield from _kinds(part)


def _is_guard(term: Term) -> bool:
    """Tell whether a term chooses between branches by the last card alone."""
    match term:
        case Choice(test, _, _):
            chosen_by = test
        case Entry(_, key) | Get(_, key, _):
            chosen_by = key
        case _:
            return False
    inside = tuple(walk(chosen_by))
    return any(isinstance(each, Attribute) for each in inside) and not any(
        isinstance(each, Candidate) for each in inside
    )
