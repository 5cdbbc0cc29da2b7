"""The prior: bits for each part of a rule, fitted on published rules, turned into probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import msgspec
import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.guards import Guard
from eleusis_agents.learners.predicates import Predicates

ROLES = ("whole", "branch")
"""What a predicate may be: a whole rule, or what decides in one branch of a guard."""
SHARES = (0.08, 0.2, 0.3, 0.42, 0.58, 0.8)
"""Where the bins of a predicate's acceptance end, but for the last one."""
UNKNOWN = 8.0
"""Bits of what the table does not have."""
_FORMS = ("alone", "and", "or", "xor")
_RANKS = ("rank", "is_odd", "is_even", "is_face", "is_prime")
_SUITS = ("suit", "color", "is_red", "is_black")


class Prior(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What each part costs, in bits: of two rules the one that costs a bit more is half as probable."""

    provenance: str
    """What the bits were fitted on, and by which command."""
    predicates: dict[str, float]
    """The bits of the features of a predicate, as ``features`` names them."""
    guards: dict[str, float]
    """The bits of the families of guards; those of one family share its probability evenly."""

    def chances(self, predicates: Predicates, role: str, among: int) -> NDArray[np.float64]:
        """Return the probability of each of the first ``among`` predicates in ``role``; they sum to 1."""
        bits = np.zeros(among)
        for names, numbers in features(predicates, role, among):
            bits += np.array([self.predicates.get(name, UNKNOWN) if name else 0.0 for name in names])[numbers]
        return normal(np.exp2(bits.min() - bits))

    def guard_chances(self, guards: Sequence[Guard]) -> NDArray[np.float64]:
        """Return the probability of each guard; they sum to 1."""
        sizes = Counter(guard.family for guard in guards)
        bits = np.array([self.guards.get(guard.family, UNKNOWN) for guard in guards])
        return normal(np.exp2(-bits) / np.array([sizes[guard.family] for guard in guards]))


Column = tuple[Sequence[str], NDArray[np.integer]]
"""Names of features, and which of them each predicate has; the empty name costs nothing."""


def features(predicates: Predicates, role: str, among: int) -> list[Column]:
    """Return the features of the first ``among`` predicates: a predicate has one of each column.

    The families of its atoms, how they are joined, whether they are about the same side of a card, and how much of
    the pack is legal.
    """
    left, right, form = predicates.left[:among], predicates.right[:among], predicates.form[:among]
    every = predicates.atoms.every
    columns: list[Column] = []
    families = [atom.family.split("+") for atom in every]
    for place in range(max(map(len, families))):
        names = [*(family[place] if place < len(family) else "" for family in families), ""]
        columns += [(names, left), (names, np.where(form > 0, right, len(every)))]
    columns.append(([f"{role} {name}" for name in _FORMS], form))
    sides = [_sides(atom.text) for atom in every]
    number = {one: index for index, one in enumerate(sorted(set(sides)))}
    kinds = sorted({_mix(one, other) for one in number for other in number})
    mixes = np.array([[kinds.index(_mix(one, other)) for other in number] for one in number])
    code = np.array([number[one] for one in sides])
    columns.append((["", *kinds], np.where(form > 0, mixes[code[left], code[right]] + 1, 0)))
    shares = np.searchsorted(SHARES, predicates.acceptance[:among])
    columns.append(([f"{role} share {index}" for index in range(len(SHARES) + 1)], shares))
    return columns


def normal(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return ``weights`` divided by their sum."""
    found: NDArray[np.float64] = weights / weights.sum()
    return found


def _sides(text: str) -> tuple[str, bool]:
    """Return what an atom is about (ranks, suits, or both) and whether it looks at the mainline."""
    about = "".join(letter for letter, words in (("r", _RANKS), ("s", _SUITS)) if any(word in text for word in words))
    return about, "last" in text or "mainline" in text or "position" in text


def _mix(one: tuple[str, bool], other: tuple[str, bool]) -> str:
    alike = "alike" if one[0] == other[0] else "unlike"
    return f"{alike} {'both' if one[1] and other[1] else 'one' if one[1] or other[1] else 'none'}"


@cache
def fitted() -> Prior:
    """Return the prior that travels with the package; `experiments/fit_prior.py` makes it."""
    return msgspec.toml.decode(files("eleusis_agents.learners").joinpath("prior.toml").read_bytes(), type=Prior)
