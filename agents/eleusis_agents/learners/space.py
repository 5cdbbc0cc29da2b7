"""The space of rules that the elimination learner weighs: a guard, and a predicate for each of its branches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners import atoms as words
from eleusis_agents.learners.atoms import Atom, anchored
from eleusis_agents.learners.guards import Guard, Reading, guards
from eleusis_agents.learners.mirrors import NONE, turned
from eleusis_agents.learners.predicates import (
    Atoms,
    Masks,
    Predicates,
    all_joined,
    alone,
    joined_pairs,
    make_atoms,
    make_predicates,
    together,
)
from eleusis_agents.learners.prior import Prior, fitted
from eleusis_agents.learners.prior import normal as _normal
from eleusis_agents.learners.situations import Situations
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

ROUNDING = 1e-9
"""What an acceptance of 0 or 1 may be off by; no dealer takes all cards, or none."""
COARSE = 1_500
"""Predicates that are tried, as whole rules and as branches, when no rule is faultless."""
COARSE_GUARDS = 12
"""Guards that are tried then."""
REMEMBERED = 4_096
"""Rules of which the verdicts are kept between uses, some 5 kB each."""

Item = TypeVar("Item", np.uint64, np.bool_)


@dataclass(frozen=True, slots=True)
class Grammar:
    """What rules are made of."""

    base: tuple[Atom, ...]
    """Conditions on the candidate and the last card at most; those that join are joined in pairs."""
    lines: tuple[Atom, ...]
    """Conditions that look further back."""
    guards: tuple[Guard, ...]
    """Ways to tell situations apart."""
    splits: tuple[tuple[str, str], ...]
    """Opposite atoms, as texts, that send the candidate to one of two plain conditions."""


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Rules: guard g with predicates q, r, ... has the prior ``guard_prior[g] * prior(g)[q] * prior(g)[r] * ...``.

    A tied guard has one predicate for all its branches; each of its rules is one of the free guard too.
    """

    predicates: Predicates
    guards: tuple[Guard, ...]
    guard_prior: NDArray[np.float64]
    """Shape (guards,): probabilities, which sum to 1."""
    whole_prior: NDArray[np.float64]
    """Shape (predicates,): the probability of each as a whole rule."""
    local_prior: NDArray[np.float64]
    """Shape (local,): that of each in a branch."""
    back_prior: NDArray[np.float64]
    """Shape (local,): that of each as a whole rule about the card before the last one."""
    turned: NDArray[np.int32]
    """Shape (local,): what each is with all ranks running the other way; 0 where no other one is."""
    tied_prior: NDArray[np.float64]
    """Shape (local,): the probability of each behind a guard that ties the branches."""
    situations: Situations

    @property
    def size(self) -> int:
        """How many pairs of a guard and predicates there are."""
        local, sizes = self.predicates.local, (guard.slots for guard in self.guards)
        return sum(len(self.predicates) if self.is_whole(g) else local**size for g, size in enumerate(sizes))

    @property
    def nbytes(self) -> int:
        """Bytes that the arrays take."""
        return self.predicates.nbytes + self.whole_prior.nbytes + self.local_prior.nbytes

    def is_whole(self, guard: int) -> bool:
        """Tell whether all predicates, not the local ones alone, are tried with ``guard``."""
        return self.guards[guard].branches == 1 and self.guards[guard].anchor == 1

    def prior(self, guard: int) -> NDArray[np.float64]:
        """Return the probabilities of predicates in a branch of ``guard``: shape (predicates,) or (local,)."""
        if self.guards[guard].is_tied:
            return self.tied_prior
        if self.guards[guard].branches > 1:
            return self.local_prior
        return self.whole_prior if self.is_whole(guard) else self.back_prior

    def masks(self, mainline: Cards) -> tuple[Masks, ...]:
        """Return by reading the legal cards by each predicate: by all as they are, otherwise by the local ones."""
        return self.turned_too(self.predicates.masks(mainline), self.predicates.local_masks(mainline[:-1]))

    def turned_too(self, last: NDArray[Item], back: NDArray[Item]) -> tuple[NDArray[Item], ...]:
        """Return by reading what is known of each predicate as it is, and about the card before the last one."""
        return last, back, last[self.turned], back[self.turned]

    def spelled(self, guard: int, chosen: Sequence[int]) -> tuple[int, ...]:
        """Return the predicate that decides in each branch of a rule."""
        return tuple(
            int(self.turned[chosen[slot]] if reading >= Reading.LAST_TURNED else chosen[slot])
            for slot, reading in self.guards[guard].readings
        )

    def rule(self, guard: int, chosen: Sequence[int]) -> Rule:
        """Return a rule by its guard and predicates; the same object while it is in use, so verdicts are kept."""
        return _rule(self.text(guard, chosen))

    def text(self, guard: int, chosen: Sequence[int]) -> str:
        """Return a rule in the rule language."""
        form = self.guards[guard]
        spelled = self.spelled(guard, chosen)
        return form.text(tuple(anchored(self.predicates.text(index), form.anchor) for index in spelled))


@lru_cache(maxsize=REMEMBERED)
def _rule(text: str) -> Rule:
    return Rule.parse(text)


def grammar() -> Grammar:
    """Return all that the learner's rules are made of."""
    return Grammar(
        base=(*words.constants(), *words.unary(), *words.relations()),
        lines=tuple(words.lines()),
        guards=tuple(guards()),
        splits=(
            ("card.is_red", "card.is_black"),
            ("card.is_odd", "card.is_even"),
            ("card.is_face", "not card.is_face"),
        ),
    )


@cache
def space() -> Space:
    """Build the space; once a process, and processes forked from one that has it share it."""
    return make_space(grammar(), fitted())


def make_space(grammar: Grammar, prior: Prior) -> Space:
    """Build the rules of ``grammar``, weighed by ``prior``."""
    return weigh(make_rules(grammar), prior)


def weigh(predicates: Predicates, prior: Prior) -> Space:
    """Return the space of ``predicates`` behind the guards that they know."""
    situations = predicates.atoms.situations
    tells = (predicates.acceptance > ROUNDING) & (predicates.acceptance < 1 - ROUNDING)
    whole = _normal(np.where(tells, prior.chances(predicates, "whole", len(predicates)), 0.0))
    looking = predicates.needs[: predicates.local] > 0
    local = prior.chances(predicates, "branch", predicates.local)
    partners = turned(predicates)
    tied = np.where(partners == NONE, 0.0, local)
    return Space(
        predicates=predicates,
        guards=situations.guards,
        guard_prior=prior.guard_chances(situations.guards),
        whole_prior=whole,
        local_prior=local,
        back_prior=_normal(np.where(looking, whole[: predicates.local], 0.0)),
        turned=np.maximum(partners, 0),
        tied_prior=_normal(tied) if tied.any() else tied,
        situations=situations,
    )


def coarse(rules: Space) -> Space:
    """Return the part of a space that is worth a try when no rule of all of it is faultless."""
    return part(rules, COARSE, COARSE_GUARDS)


@lru_cache(maxsize=8)
def part(rules: Space, count: int, most: int) -> Space:
    """Return a space with the ``count`` likeliest predicates in each role and at most the ``most`` likeliest guards.

    Guards whose branches are tied, or that call another card the last one, are left out.
    """
    kept = np.union1d(_best(rules.local_prior, count), _best(rules.whole_prior, count))
    free = np.array([not guard.is_tied and guard.anchor == 1 for guard in rules.guards])
    guards = _best(np.where(free, rules.guard_prior, 0.0), min(most, int(free.sum()))).tolist()
    predicates = rules.predicates.only(kept)
    inner = kept[: predicates.local]
    return Space(
        predicates=predicates,
        guards=tuple(rules.guards[guard] for guard in guards),
        guard_prior=_normal(rules.guard_prior[guards]),
        whole_prior=_normal(rules.whole_prior[kept]),
        local_prior=_normal(rules.local_prior[inner]),
        back_prior=_normal(rules.back_prior[inner]),
        turned=np.zeros(len(inner), np.int32),
        tied_prior=np.zeros(len(inner)),
        situations=Situations([rules.guards[guard] for guard in guards]),
    )


def _best(weights: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return where the ``count`` greatest weights stand, ascending."""
    return np.sort(np.argsort(-weights, kind="stable")[:count])


def make_rules(grammar: Grammar) -> Predicates:
    """Return the predicates of ``grammar``."""
    plain = [atom for atom in grammar.base if atom.plain]
    sides = {split: [side for side in plain if side.text in split] for split in grammar.splits}
    halves = [
        (side, atom) for pair in sides.values() for side in pair for atom in plain if atom.family != side.family
    ]
    situations = Situations(grammar.guards)
    atoms = make_atoms(grammar.base, halves, grammar.lines, situations)
    at = {atom.text: index for index, atom in enumerate(atoms.every)}
    known = [atom for atom in grammar.base if atom.text in at]
    plainly = [at[atom.text] for atom in known if atom.plain]
    back = [index for index, atom in enumerate(atoms.every) if atom.family.endswith("+back")]
    further = [at[atom.text] for atom in grammar.lines]
    splits = [
        pair
        for one, other in sides.values()
        for pair in _product(_halves(atoms, one.text), _halves(atoms, other.text))
    ]
    return make_predicates(
        atoms,
        together(
            alone([at[atom.text] for atom in known]), all_joined([at[atom.text] for atom in known if atom.joins])
        ),
        together(
            alone([*back, *further]),
            joined_pairs(_product(back, plainly)),
            joined_pairs(_product(further, plainly[:12])),
            joined_pairs(
                _product(plainly, range(len(atoms.every) - len(atoms.tested), len(atoms.every))), forms=(3,)
            ),
            joined_pairs(splits, forms=(2,)),
        ),
    )


def _halves(atoms: Atoms, side: str) -> list[int]:
    """Return the atoms that are about the cards of ``side`` alone."""
    return [index for index, atom in enumerate(atoms.every) if atom.text.startswith(f"{side} and ")]


def _product(ones: Sequence[int], others: Sequence[int]) -> list[tuple[int, int]]:
    return list(product(ones, others))
