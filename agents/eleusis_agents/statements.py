"""Which rule to state, and with what chance it is right."""

from __future__ import annotations

from collections import Counter
from math import log2
from typing import NamedTuple, Protocol, runtime_checkable

from eleusis_agents.learners.classes import classes
from eleusis_ai.agent import Learner
from eleusis_ai.evidence import NotTheRule, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View

SAMPLES = 64
"""Rules drawn from a learner that does not class its rules itself."""
LEAST = 0.02
"""Chance below which a rule is not compared with what was stated before."""


class Statement(NamedTuple):
    """A rule that may be stated."""

    rule: Rule
    chance: float
    """The probability of all rules that agree with it on what can still be reached."""
    doubt: float
    """Bits of doubt among the rules held possible, by such classes; 0: there is one."""


@runtime_checkable
class Classes(Protocol):
    """A learner that puts rules together which agree on all that can be reached from a mainline."""

    def classes(self, mainline: Cards | None = None) -> list[tuple[Rule, float]]:
        """Return a rule of each class with the class's probability, the most probable first."""
        ...


def best_statement(view: View, learner: Learner) -> Statement | None:
    """Return the rule most probably right from the mainline on, none of those found wrong; None: there is no rule."""
    refuted = [item for item in evidence(view) if isinstance(item, NotTheRule)]
    held = [
        (rule, weight)
        for rule, weight in _classes(learner, view.layout.mainline)
        if not _known(rule, weight, refuted)
    ]
    total = sum(weight for _, weight in held)
    if not total:
        return None
    rule, weight = held[0]
    doubt = -sum(each / total * log2(each / total) for _, each in held if each > 0)
    return Statement(rule, weight / total, doubt)


def _classes(learner: Learner, mainline: Cards) -> list[tuple[Rule, float]]:
    if isinstance(learner, Classes):
        return learner.classes(mainline)
    rules = learner.sample(SAMPLES) or []
    return classes([(rule, count / len(rules)) for rule, count in Counter(rules).items()], mainline)


def _known(rule: Rule, weight: float, refuted: list[NotTheRule]) -> bool:
    """Tell whether ``rule`` is known not to be the secret one, since what it comes to was stated and is wrong."""
    return weight >= LEAST and any(equivalent(rule, item.rule, item.mainline).same for item in refuted)
