"""Classes of rules that agree on everything that can still be reached."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.predicates import Masks, mixed, sights
from eleusis_ai.cards import cards_of, cards_text
from eleusis_ai.layout import Cards
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

WALKS = 12
"""Random legal lines on which the rules of a class are compared."""
STEPS = 6
"""Cards on each."""
LEAST = 0.02
"""Mass below which a class is not looked at more closely."""


def reached(rule: Rule, mainline: Cards) -> list[Cards]:
    """Return ``mainline``, with each card that is legal next, and some further lines that ``rule`` allows."""
    rng = generator(f"reached/{rule}/{cards_text(mainline)}")
    legal = cards_of(rule.mask(mainline))
    found = dict.fromkeys((mainline, *((*mainline, card) for card in legal)))
    for _ in range(WALKS if legal else 0):
        line = (*mainline, rng.choice(legal))
        for _ in range(STEPS - 1):
            following = cards_of(rule.mask(line))
            if not following:
                break
            line = (*line, rng.choice(following))
            found[line] = None
    return list(found)


class Judges(Protocol):
    """Several rules that judge at once."""

    def masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline`` by each rule: shape (rules,)."""


class _Rules:
    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules

    def masks(self, mainline: Cards) -> Masks:
        return np.array([rule.mask(mainline) for rule in self._rules], np.uint64)


def classes(rules: Sequence[tuple[Rule, float]], mainline: Cards) -> list[tuple[Rule, float]]:
    """Return for each class of ``rules`` its heaviest rule and the sum of the weights, the heaviest class first.

    Two rules are in one class if they agree on every card after every line that can be reached from ``mainline``;
    they are compared on sampled lines first, then by `equivalent`.

    >>> from eleusis_ai.cards import parse_cards
    >>> aces = [(Rule.parse("card.rank == A"), 0.3), (Rule.parse("card.rank == last.rank"), 0.2)]
    >>> [(str(rule), mass) for rule, mass in classes(aces, parse_cards("AS"))]
    [('card.rank == A', 0.5)]
    """
    weights = np.array([weight for _, weight in rules], np.float64)
    found: list[tuple[Rule, float]] = []
    for members, _ in gathered(_Rules([rule for rule, _ in rules]), weights, mainline):
        parted: list[tuple[Rule, float]] = []
        for index in members:
            rule, weight = rules[index]
            for place, (other, mass) in enumerate(parted):
                if rule == other or equivalent(rule, other, after=mainline).same:
                    parted[place] = other, mass + weight
                    break
            else:
                parted.append((rule, weight))
        found += parted
    return sorted(found, key=lambda pair: -pair[1])


def gathered(rules: Judges, weights: NDArray[np.float64], mainline: Cards | None) -> list[tuple[list[int], float]]:
    """Return classes as the indices of their members, the heaviest first, with their mass; the heaviest class first.

    Rules are compared after ``mainline``, after each next card, and on random lines from there; with None on lines
    from anywhere.
    """
    marks = _everywhere(rules, len(weights)) if mainline is None else _next(rules, mainline)
    found: list[tuple[list[int], float]] = []
    for members in _alike(marks, weights):
        mass = float(weights[members].sum())
        if mainline is None or len(members) == 1 or mass < LEAST:
            found.append((members, mass))
            continue
        further = _alike(_walked(rules, members, mainline), weights[members])
        found += [([members[index] for index in part], float(weights[members][part].sum())) for part in further]
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _everywhere(rules: Judges, count: int) -> Masks:
    marks = np.zeros(count, np.uint64)
    for line in sights():
        marks = mixed(marks, rules.masks(line))
    return marks


def _next(rules: Judges, mainline: Cards) -> Masks:
    first = rules.masks(mainline)
    marks = mixed(np.zeros(len(first), np.uint64), first)
    for card in cards_of(int(np.bitwise_or.reduce(first))):
        legal = (first >> np.uint64(card) & np.uint64(1)).astype(np.bool_)
        marks = mixed(marks, np.where(legal, rules.masks((*mainline, card)), np.uint64(0)))
    return marks


def _walked(rules: Judges, members: list[int], mainline: Cards) -> Masks:
    """Compare ``members`` on random lines that are legal by the first of them."""
    rng = generator(f"classes/{cards_text(mainline)}")
    marks = np.zeros(len(members), np.uint64)
    for _ in range(WALKS):
        line = mainline
        for step in range(STEPS):
            masks = rules.masks(line)[members]
            if step:
                marks = mixed(marks, masks)
            legal = cards_of(int(masks[0]))
            if not legal:
                break
            line = (*line, rng.choice(legal))
    return marks


def _alike(marks: Masks, weights: NDArray[np.float64]) -> list[list[int]]:
    """Return the indices at which marks are equal, the heaviest of each first."""
    found: dict[int, list[int]] = {}
    for index in np.argsort(-weights, kind="stable").tolist():
        found.setdefault(int(marks[index]), []).append(index)
    return list(found.values())
