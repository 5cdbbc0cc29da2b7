"""What a hint leaves of the space: the guards and predicates that it is true of."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.predicates import Atoms, Masks
from eleusis_agents.learners.space import Space
from eleusis_ai.rules import terms
from eleusis_ai.rules.hints import LIKENESSES, Hint, HintKind
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.likeness import Classes, alike_in, is_finer

Flags = NDArray[np.bool_]

_WORDS = {
    "is_red": "color",
    "is_black": "color",
    "is_odd": "parity",
    "is_even": "parity",
    "is_face": "face",
    "is_prime": "prime",
}
"""What an attribute of the rule language is about, where its name is another one."""


class Held(NamedTuple):
    """What a hint is true of."""

    guards: Flags
    """Shape (guards,)."""
    predicates: Flags
    """Shape (predicates,)."""
    back: Flags
    """Shape (local,): the predicates on the last card, where they are about the one before."""


@lru_cache(maxsize=32)
def held_by(rules: Space, hint: Hint) -> Held:
    """Tell what a hint is true of; of a rule it is true if it is true of its parts.

    A hint on acceptance, which is about a rule as a whole, is held to be true of all.
    """
    predicates = rules.predicates
    atoms, back = _atoms(predicates.atoms, hint)
    tests = [all(_is_true(test, hint) for test in tests) for tests in rules.situations.tests]
    local = predicates.local
    return Held(
        guards=np.array(tests),
        predicates=atoms[predicates.left] & atoms[predicates.right],
        back=back[predicates.left[:local]] & back[predicates.right[:local]],
    )


def _atoms(atoms: Atoms, hint: Hint) -> tuple[Flags, Flags]:
    """Tell of which atoms a hint is true as they are, and of which where ``last`` is the card before."""
    if hint.kind is HintKind.ACCEPTANCE:
        return np.ones(len(atoms.every), np.bool_), np.ones(len(atoms.every), np.bool_)
    rest = np.array([_is_true(rule, hint) for rule in (*atoms.rules, *_tests(atoms))], np.bool_)
    looks = atoms.needs[: atoms.table.shape[1]]
    if (words := _words(hint)) is not None:
        alike = _blind(atoms.table[:52], alike_in(words))
        found = np.concatenate((alike, alike[atoms.back], rest))
        return found, found
    far = 52 if hint.kind is HintKind.NO_POSITION else hint.cards
    first = np.concatenate((looks <= far, 2 * looks[atoms.back] <= far, rest))
    return first, np.concatenate((2 * looks <= far, first[len(looks) :]))


def _tests(atoms: Atoms) -> list[Rule]:
    return [atoms.situations.tests[index][0] for index in atoms.tested]


def _words(hint: Hint) -> tuple[str, ...] | None:
    """Return what cards have in common that are alike to a rule, if that is what the hint is about."""
    return hint.attributes if hint.kind is HintKind.ATTRIBUTES else LIKENESSES.get(hint.kind)


def _blind(table: Masks, classes: Classes) -> Flags:
    """Tell for each column of ``table`` whether it cannot tell cards of one class from each other."""
    found = np.ones(table.shape[1], np.bool_)
    for card in range(52):
        twin = classes.index(classes[card])
        found &= (table[card] == table[twin]) & ~((table >> np.uint64(card) ^ table >> np.uint64(twin)) & 1).any(
            axis=0
        )
    return found


def _is_true(rule: Rule, hint: Hint) -> bool:
    """Tell whether a hint is true of a rule by what its terms name."""
    if hint.kind is HintKind.ACCEPTANCE:
        return True
    if (words := _words(hint)) is not None:
        names = {part.name for part in terms.walk(rule.term) if isinstance(part, terms.Attribute)}
        return all(is_finer(alike_in(words), alike_in((_WORDS.get(name, name),))) for name in names)
    if rule.lookback is None or rule.uses_position:
        return False
    return hint.kind is HintKind.NO_POSITION or rule.lookback <= hint.cards
