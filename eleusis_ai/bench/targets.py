"""The secret rules that benchmarks try learners on, by set and family."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec

from eleusis_ai.bench.pairs import EIGHT
from eleusis_ai.cards import Card, cards_of
from eleusis_ai.layout import Cards
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.rule_sets import load_rule_set
from eleusis_ai.seeds import generator

CATALOG = "catalog"
"""The name of the set of published rules."""
PAIRS_RULES = "eight"
"""The name of the set of the eight rules of the benchmark `pairs`."""


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A secret rule, as texts, so that any process can take it."""

    id: str
    """Set and name, such as ``catalog/alternate-colour``."""
    family: str
    """Set and family, such as ``test/guarded``."""
    expression: str
    starter: str | None = None

    @property
    def rule(self) -> Rule:
        """The rule itself; always the same object, so that its verdicts are worked out once."""
        return _rule(self.expression, self.starter)

    def first_card(self, name: str) -> Card:
        """Return a starter that the rule takes, drawn by a generator of that ``name``."""
        legal = cards_of(self.rule.mask(()))
        return generator(name).choice(legal)


@cache
def _rule(expression: str, starter: str | None) -> Rule:
    return Rule.parse(expression, starter=starter)


def targets(sets: Sequence[str], *, limit: int | None = None) -> list[Target]:
    """Return the rules of ``sets``, at most ``limit`` of each family.

    A set is ``eight``, ``catalog``, or what `load_rule_set` takes. Rules that look at rejected cards, or that no
    card can begin, are left out.

    Raises:
        UnknownConfig: if there is no such set.
    """
    found: list[Target] = []
    for name in sets:
        taken: dict[str, int] = {}
        for rule in _all(name):
            count = taken.get(rule.family, 0)
            if (limit is None or count < limit) and not rule.rule.reads_rejected and rule.rule.mask(()):
                taken[rule.family] = count + 1
                found.append(rule)
    return found


def _all(name: str) -> list[Target]:
    if name == PAIRS_RULES:
        return [Target(id=f"{name}/{rule}", family=name, expression=text) for rule, text in EIGHT.items()]
    if name == CATALOG:
        return [
            Target(
                id=f"{name}/{entry.id}",
                family=f"{name}/{entry.family}",
                expression=entry.expression,
                starter=entry.starter,
            )
            for entry in load().values()
        ]
    return [
        Target(id=f"{name}/{rule.id}", family=f"{name}/{rule.family}", expression=rule.expression)
        for rule in load_rule_set(name).rules
    ]


def legal_line(target: Target, name: str, length: int) -> list[Cards]:
    """Return the mainlines of a walk of legal cards, the first of one card; ``name`` says which walk.

    It has ``length`` mainlines, or fewer if the line gets stuck.
    """
    rng = generator(name)
    lines: list[Cards] = [(target.first_card(f"{name}/starter"),)]
    while len(lines) < length:
        legal = cards_of(target.rule.mask(lines[-1]))
        if not legal:
            break
        lines.append((*lines[-1], rng.choice(legal)))
    return lines
