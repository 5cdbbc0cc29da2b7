"""The space of rules that the elimination learner weighs: guards, and a condition for each branch."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.atoms import ALWAYS, Atom, Guard, atoms, guards
from eleusis_ai.cards import ALL_CARDS, CARDS, mask_of
from eleusis_ai.layout import Cards
from eleusis_ai.rules.hints import Hint, HintKind
from eleusis_ai.rules.language import Rule

Masks = NDArray[np.uint64]
Indices = NDArray[np.intp]

NO_CARD = 52
"""The context in which the card that a condition would look at is not there."""
JOIN_BITS = 1.5
"""What a connective costs beyond the two atoms it joins."""
COMPLEMENT_BITS = 1.0
"""What the second branch costs where it is the opposite of the first."""
DEAD_END_BITS = 6.0
"""What a rule costs for lines on which no card is legal: a dealer may not choose it."""
UNUSUAL_BITS = 1.5
"""What a rule costs for taking nearly every card, or hardly any: dealers are advised against it."""
USUAL = (0.10, 0.80)
"""The share of the pack that a rule takes if it is to be usual."""

REMEMBERED = 4_096
"""Rules of which the verdicts are kept between uses, some 5 kB each."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """Atoms, and some of them joined, each condition saying something else; the cheapest first."""

    atoms: tuple[Atom, ...]
    """What the conditions are made of."""
    forms: tuple[str, ...]
    """The texts of the ways to join atoms, which stand in them as ``{0}``, ``{1}`` and ``{2}``; 0 is one alone."""
    form: Indices
    """Shape (conditions,): which of ``forms``."""
    parts: Indices
    """Shape (conditions, 3): which atoms; a form of fewer has one of them again."""
    bits: NDArray[np.float64]
    """Shape (conditions,): lengths."""
    looks: NDArray[np.bool_]
    """Shape (conditions,): whether it looks at ``last``."""
    masks: Masks
    """Shape (53, conditions): the legal cards after each last card; the last row is for `NO_CARD`."""

    def text(self, index: int) -> str:
        """Return a condition in the rule language."""
        text: str = self.forms[self.form[index]].format(*(self.atoms[part].text for part in self.parts[index]))
        return text


@dataclass(frozen=True, slots=True)
class Space:
    """Some ten thousand rules; a rule is an index into the arrays, 0 the most probable."""

    conditions: Conditions
    guards: tuple[Guard, ...]
    tests: tuple[tuple[Rule, ...], ...]
    """The guards' tests as rules."""
    back: tuple[int, ...]
    """How many mainline cards each guard needs; with fewer any card may start."""
    guard: NDArray[np.int16]
    """Shape (rules,): the guard of each rule."""
    branches: NDArray[np.int32]
    """Shape (rules, most branches): the condition of each branch."""
    prior: NDArray[np.float64]
    """Shape (rules,): probabilities, which sum to 1."""

    def __len__(self) -> int:
        return len(self.guard)

    @property
    def nbytes(self) -> int:
        """Bytes that the arrays take."""
        arrays = (self.conditions.masks, self.conditions.bits, self.guard, self.branches, self.prior)
        return sum(array.nbytes for array in arrays)

    def masks(self, mainline: Cards, guard: NDArray[np.int16], branches: NDArray[np.int32]) -> Masks:
        """Return the legal cards after ``mainline`` for rules given by their ``guard`` and ``branches``."""
        chosen, context = self._situation(mainline)
        condition = branches[np.arange(len(guard)), chosen[guard]]
        found: Masks = self.conditions.masks.ravel()[context[guard] * self.conditions.masks.shape[1] + condition]
        if len(mainline) < 2:
            found[np.array([back > len(mainline) for back in self.back])[guard]] = ALL_CARDS
        return found

    def situation_key(self, mainline: Cards) -> tuple[int, Cards]:
        """Return all of ``mainline`` that rules of the space look at."""
        return len(mainline) % 12, mainline[-2:]

    def rule(self, index: int) -> Rule:
        """Return the rule of ``index``; the same object while it is in use, so that its verdicts are kept."""
        return _rule(self.text(int(index)))

    def text(self, index: int) -> str:
        """Return the rule of ``index`` in the rule language."""
        guard = self.guards[self.guard[index]]
        chosen = self.branches[index, : guard.branches]
        branches = [_anchored(self.conditions.text(branch), guard.anchor) for branch in chosen]
        if guard.branches > 1:
            branches = [f"({branch})" for branch in branches]
        text: str = guard.template.format(*branches)
        return text

    def _situation(self, mainline: Cards) -> tuple[Indices, Indices]:
        """Return for each guard the branch it takes, and the context its conditions look at."""
        contexts = [NO_CARD, *mainline[-1:]], [NO_CARD, *mainline[-2:-1]]
        chosen = np.zeros(len(self.guards), np.intp)
        context = np.empty(len(self.guards), np.intp)
        for index, guard in enumerate(self.guards):
            context[index] = contexts[guard.anchor - 1][-1]
            for test in self.tests[index]:
                if test.mask(mainline):
                    break
                chosen[index] += 1
        return chosen, context


def _anchored(text: str, anchor: int) -> str:
    """Return a condition's text with ``last`` made the ``anchor``-th card from the end."""
    return text if anchor == 1 else re.sub(r"\blast\b", f"mainline[-{anchor}]", text)


@lru_cache(maxsize=REMEMBERED)
def _rule(text: str) -> Rule:
    return Rule.parse(text)


@cache
def space() -> Space:
    """Build the space; once a process."""
    conditions = _conditions()
    every = (ALWAYS, *guards())
    width = max(guard.branches for guard in every)
    numbers, branches, bits = [], [], []
    for number, guard in enumerate(every):
        chosen = _choices(guard, conditions)
        numbers.append(np.full(len(chosen), number, np.int16))
        branches.append(np.pad(chosen, ((0, 0), (0, width - chosen.shape[1]))))
        bits.append(guard.bits + _branch_bits(chosen, conditions))
    tests = tuple(tuple(map(Rule.parse, guard.tests)) for guard in every)
    return _weighed(
        Space(
            conditions=conditions,
            guards=every,
            tests=tests,
            back=tuple(max((test.lookback or 0 for test in several), default=0) for several in tests),
            guard=np.concatenate(numbers),
            branches=np.concatenate(branches).astype(np.int32),
            prior=np.exp2(-np.concatenate(bits)),
        )
    )


@cache
def holding(hint: Hint) -> NDArray[np.bool_]:
    """Tell for each rule of the space whether ``hint`` is true of all that it is made of: shape (rules,).

    A hint on acceptance, which is about a rule as a whole, keeps them all.
    """
    rules = space()
    if hint.kind is HintKind.ACCEPTANCE:  # what is true of the parts says nothing of the whole
        return np.ones(len(rules), dtype=np.bool_)
    held = {}
    for anchor in (1, 2):
        words = (Rule.parse(_anchored(atom.text, anchor)) for atom in rules.conditions.atoms)
        held[anchor] = np.array([hint.holds(word) for word in words])[rules.conditions.parts].all(axis=1)
    conditions = np.stack([held[guard.anchor] for guard in rules.guards])
    tests = np.array([all(map(hint.holds, tests)) for tests in rules.tests])
    found: NDArray[np.bool_] = tests[rules.guard]
    for number, guard in enumerate(rules.guards):
        rows = rules.guard == number
        found[rows] &= conditions[number, rules.branches[rows, : guard.branches]].all(axis=1)
    return found


def _conditions() -> Conditions:
    """Return the atoms and their pairs, cheapest first, those left out that repeat a cheaper one."""
    found = tuple(atoms())
    rules = [Rule.parse(atom.text) for atom in found]
    alone = np.array(
        [[rule.mask((card,)) for rule in rules] for card in CARDS]
        + [[ALL_CARDS if rule.lookback else rule.mask(()) for rule in rules]],
        np.uint64,
    )
    looks = np.array([bool(rule.lookback) for rule in rules])
    lengths = np.array([atom.bits for atom in found])
    joined = [i for i, atom in enumerate(found) if atom.joins]
    standing = [i for i, atom in enumerate(found) if atom.branches]
    left, right = np.array(list(combinations(joined, 2))).T
    yes, no = np.array(list(permutations(standing, 2))).T
    every = np.arange(len(found))
    forms = [
        ("{0}", alone, (every,)),
        ("({0}) and ({1})", alone[:, left] & alone[:, right], (left, right)),
        ("({0}) or ({1})", alone[:, left] | alone[:, right], (left, right)),
        ("({0}) != ({1})", alone[:, left] ^ alone[:, right], (left, right)),
    ]
    for split in (i for i, atom in enumerate(found) if atom.splits):
        taken = alone[0, split]
        mixed = alone[:, yes] & taken | alone[:, no] & ~taken
        forms.append(("({0}) if {2} else ({1})", mixed, (yes, no, np.full(len(yes), split))))
    masks = np.concatenate([mixed for _, mixed, _ in forms], axis=1)
    parts = np.concatenate([np.stack((*of, of[0], of[0])[:3], axis=1) for _, _, of in forms])
    form = np.repeat(np.arange(len(forms)), [mixed.shape[1] for _, mixed, _ in forms])
    bits = np.concatenate([sum(lengths[part] for part in of) + JOIN_BITS * (len(of) - 1) for _, _, of in forms])
    looks = looks[parts].any(axis=1)
    masks[NO_CARD, looks] = ALL_CARDS
    marks = np.zeros(len(bits), np.uint64)
    for row in masks:
        marks = _marked(marks, row)
    kept = _first_of_each(marks, bits)
    return Conditions(
        atoms=found,
        forms=tuple(text for text, _, _ in forms),
        form=form[kept],
        parts=parts[kept],
        bits=bits[kept],
        looks=looks[kept],
        masks=np.ascontiguousarray(masks[:, kept]),
    )


def _choices(guard: Guard, conditions: Conditions) -> Indices:
    """Return the conditions that are tried in the branches of ``guard``: shape (rules, branches)."""
    if guard.branches == 1:
        told = conditions.looks if guard.anchor == 2 else (conditions.masks != ALL_CARDS).any(axis=0)
        single: Indices = np.flatnonzero(told)[: guard.choices, None]
        return single
    standing = np.array([atom.branches for atom in conditions.atoms])
    natural = np.flatnonzero((conditions.form == 0) & standing[conditions.parts[:, 0]])
    several = [natural[: guard.choices]] * guard.branches
    grid = np.stack(np.meshgrid(*several, indexing="ij"), axis=-1).reshape(-1, guard.branches)
    varied: Indices = grid[(grid != grid[:, :1]).any(axis=1)]
    return varied


def _branch_bits(chosen: Indices, conditions: Conditions) -> NDArray[np.float64]:
    bits: NDArray[np.float64] = conditions.bits[chosen].sum(axis=1)
    if chosen.shape[1] == 2:
        first, second = conditions.masks[:NO_CARD, chosen[:, 0]], conditions.masks[:NO_CARD, chosen[:, 1]]
        opposite = ((first ^ second) == ALL_CARDS).all(axis=0)
        bits[opposite] = conditions.bits[chosen[opposite]].min(axis=1) + COMPLEMENT_BITS
    return bits


def _weighed(every: Space) -> Space:
    """Leave out rules that repeat more probable ones, weigh the rest by what dealers like, and sort."""
    marks, ever = np.zeros(len(every), np.uint64), np.zeros(len(every), np.uint64)
    taken = np.zeros(len(every))
    empty = np.zeros(len(every), np.uint64)
    for line in _lines():
        masks = every.masks(line, every.guard, every.branches)
        marks, ever, taken = _marked(marks, masks), ever | masks, taken + np.bitwise_count(masks)
        empty |= np.where(masks == 0, np.uint64(mask_of(line[-1:])), np.uint64(0))
    prior = every.prior.copy()
    # What follows a card that is never legal itself is no dead end.
    prior[(empty & ever) != 0] *= 2.0**-DEAD_END_BITS
    share = taken / len(_lines()) / 52
    prior[(share < USUAL[0]) | (share > USUAL[1])] *= 2.0**-UNUSUAL_BITS
    kept = _first_of_each(marks, -every.prior)
    rows = kept[np.argsort(-prior[kept], kind="stable")]
    return replace(
        every, guard=every.guard[rows], branches=every.branches[rows], prior=prior[rows] / prior[rows].sum()
    )


def _lines() -> list[Cards]:
    """Return lines on which rules of the space are compared: each last card twice, pasts and lengths mixed."""
    lines = []
    for number in range(104):
        back = range(2 + number % 11, 0, -1)
        lines.append((*(CARDS[(5 * number + 11 * step + number // 52) % 52] for step in back), CARDS[number % 52]))
    return lines


def _marked(marks: Masks, verdicts: Masks) -> Masks:
    """Go on from ``marks`` with hashes of 64 bits; among 100,000 two collide with a chance of 3e-10."""
    mixed = (marks ^ verdicts) * np.uint64(0x9E3779B97F4A7C15)
    return mixed ^ (mixed >> np.uint64(29))


def _first_of_each(marks: Masks, bits: NDArray[np.float64]) -> Indices:
    """Return where different ``marks`` stand, the cheapest first; of equal ones the cheapest stays."""
    order = np.argsort(bits, kind="stable")
    _, first = np.unique(marks[order], return_index=True)
    kept: Indices = order[np.sort(first)]
    return kept
