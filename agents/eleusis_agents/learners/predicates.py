"""Predicates: atoms, and pairs of them joined, no two of which say the same; their verdicts as masks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from eleusis_agents.learners.atoms import Atom, cards_needed
from eleusis_agents.learners.situations import Answers, Situations
from eleusis_ai.cards import ALL_CARDS, CARDS
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

Masks = NDArray[np.uint64]
Numbers = NDArray[np.int32]

NO_CARD = 52
"""The row of a table for the case that the card it is about is not there."""
FORMS = ("{0}", "({0}) and ({1})", "({0}) or ({1})", "({0}) != ({1})")
"""The ways to join atoms, as texts; 0 is an atom alone."""
_OPERATORS = (None, np.bitwise_and, np.bitwise_or, np.bitwise_xor)


@dataclass(frozen=True, slots=True, eq=False)
class Atoms:
    """The atoms, in the order of a row of masks: those with a table, those on the card before, others, tests."""

    every: tuple[Atom, ...]
    """All of them."""
    table: Masks
    """Shape (53, n): the legal cards after each last card, for the first n atoms; the last row is for none."""
    back: Numbers
    """Which of the first n follow again, on the card before the last one."""
    rules: tuple[Rule, ...]
    """Those after that, as rules."""
    answers: Answers[np.uint64]
    """The verdicts of ``rules``."""
    situations: Situations
    tested: Numbers
    """The guards of ``situations`` whose first branch is where the remaining ones are true."""
    needs: NDArray[np.int8]
    """Shape (atoms,): how many mainline cards have to be there."""

    def masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline``: shape (atoms,)."""
        last, before = (mainline[-k] if len(mainline) >= k else NO_CARD for k in (1, 2))
        rest = self.answers.after(mainline)
        true = self.situations.branches(mainline)[self.tested] == 0
        tests = np.where(true, np.uint64(ALL_CARDS), np.uint64(0))
        return np.concatenate((self.table[last], self.table[before, self.back], rest, tests))

    def only(self, used: NDArray[np.bool_]) -> tuple[Atoms, Numbers]:
        """Return the atoms ``used`` marks and those they stand on, and the new place of each atom."""
        width, size = self.table.shape[1], len(self.every)
        after = width + len(self.back)
        back = np.flatnonzero(used[width:after])
        columns = np.union1d(np.flatnonzero(used[:width]), self.back[back])
        last = after + len(self.rules)
        rest, tests = np.flatnonzero(used[after:last]), np.flatnonzero(used[last:])
        kept = np.concatenate((columns, width + back, after + rest, last + tests))
        places = np.zeros(size, np.int32)
        places[kept] = np.arange(len(kept))
        found = Atoms(
            every=tuple(self.every[index] for index in kept),
            table=self.table[:, columns],
            back=places[self.back[back]],
            rules=tuple(self.rules[index] for index in rest),
            answers=self.answers.only(rest.tolist()),
            situations=self.situations,
            tested=self.tested[tests],
            needs=self.needs[kept],
        )
        return found, places


@dataclass(frozen=True, slots=True, eq=False)
class Predicates:
    """Conditions made of atoms: first those that look at the last card at most, then the others."""

    atoms: Atoms
    form: NDArray[np.int8]
    """Shape (predicates,): which of ``FORMS``."""
    left: Numbers
    """Shape (predicates,): the first atom."""
    right: Numbers
    """Shape (predicates,): the second one; the first again where there is none."""
    local: int
    """How many look at the last card at most: the conditions of branches."""
    needs: NDArray[np.int8]
    """Shape (predicates,): how many mainline cards have to be there; with fewer all cards are legal."""
    acceptance: NDArray[np.float64]
    """Shape (predicates,): the mean share of the pack that is legal, over the lines of ``sights``."""
    _runs: tuple[tuple[int, int], ...] = field(repr=False)
    """Stretches of one form."""

    def __len__(self) -> int:
        return len(self.form)

    @property
    def nbytes(self) -> int:
        """Bytes that the arrays take."""
        arrays = (self.atoms.table, self.form, self.left, self.right, self.needs, self.acceptance)
        return sum(array.nbytes for array in arrays)

    def masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline``: shape (predicates,)."""
        row = self.atoms.masks(mainline)
        found = _joined(row, self.form, self.left, self.right, self._runs)
        if len(mainline) < 2:
            # Where the first of two conditions fails for every card nobody looks for what the second one needs.
            asked = (self.form != 1) | (self.atoms.needs[self.left] > len(mainline)) | (row[self.left] != 0)
            found[(self.needs > len(mainline)) & asked] = ALL_CARDS
        return found

    def joined(self, row: Masks) -> Masks:
        """Return masks of those on the last card at most, shape (local,), by those of the atoms with a table."""
        runs = tuple((start, stop) for start, stop in self._runs if stop <= self.local)
        return _joined(row, self.form[: self.local], self.left, self.right, runs)

    def local_masks(self, mainline: Cards) -> Masks:
        """Return the legal cards after ``mainline`` by those on the last card at most: shape (local,)."""
        found = self.joined(self.atoms.table[mainline[-1] if mainline else NO_CARD])
        if not mainline:
            found[self.needs[: self.local] > 0] = ALL_CARDS
        return found

    def only(self, rows: NDArray[np.integer]) -> Predicates:
        """Return the predicates of ``rows``, which ascend."""
        left, right, form = self.left[rows], self.right[rows], self.form[rows]
        used = np.zeros(len(self.atoms.every), np.bool_)
        used[left] = used[right] = True
        atoms, places = self.atoms.only(used)
        inner = int(np.searchsorted(rows, self.local))
        return replace(
            self,
            atoms=atoms,
            form=form,
            left=places[left],
            right=places[right],
            local=inner,
            needs=self.needs[rows],
            acceptance=self.acceptance[rows],
            _runs=_both_stretches(form, inner),
        )

    def text(self, index: int) -> str:
        """Return a predicate in the rule language."""
        every = self.atoms.every
        return FORMS[self.form[index]].format(every[self.left[index]].text, every[self.right[index]].text)


def make_atoms(
    base: Sequence[Atom], halves: Sequence[tuple[Atom, Atom]], rest: Sequence[Atom], situations: Situations
) -> Atoms:
    """Return atoms with their tables; of those of ``base`` with the same verdicts the first stays.

    ``halves`` pair an atom on the card with one that counts where the first is true. The tests of those guards of
    ``situations`` that have two branches are atoms too.
    """
    rules = [Rule.parse(atom.text) for atom in base]
    assert all((rule.lookback or 0) <= 1 and not rule.uses_position for rule in rules), "base atoms have tables"
    table = np.array([[rule.mask(line) for rule in rules] for line in (*((card,) for card in CARDS), ())], np.uint64)
    needs = np.array([cards_needed(rule) for rule in rules], np.int8)
    kept = _cheapest(_marks(table), np.zeros(len(base)))
    found = [base[index] for index in kept]
    place = {atom.text: index for index, atom in enumerate(found)}
    table, needs = table[:, kept], needs[kept]
    pairs = [(one, other) for one, other in halves if one.text in place and other.text in place]
    ones, others = (np.array([place[pair[side].text] for pair in pairs], np.intp) for side in (0, 1))
    joined = [Atom(f"{one.text} and {_held(other.text)}", f"half+{other.family}") for one, other in pairs]
    back = [index for index in range(len(found)) if found[index].plain and needs[index]]
    further = [Rule.parse(atom.text) for atom in rest]
    tested = [
        index
        for index, guard in enumerate(situations.guards)
        if guard.branches == 2 and guard.anchor == 1 and not guard.is_tied
    ]
    tests = [Atom(situations.guards[index].tests[0], f"test+{situations.guards[index].family}") for index in tested]
    return Atoms(
        every=(*found, *joined, *(found[index].anchored(2) for index in back), *rest, *tests),
        table=np.concatenate((table, table[:, ones] & table[:, others]), axis=1),
        back=np.array(back, np.int32),
        rules=tuple(further),
        answers=Answers([(atom.glance, rule.mask) for atom, rule in zip(rest, further, strict=True)], np.uint64),
        situations=situations,
        tested=np.array(tested, np.int32),
        needs=np.concatenate(
            (
                needs,
                np.maximum(needs[ones], needs[others]),
                np.full(len(back), 2, np.int8),
                np.array([cards_needed(rule) for rule in further], np.int8),
                np.array([cards_needed(situations.tests[index][0]) for index in tested], np.int8),
            )
        ),
    )


def make_predicates(atoms: Atoms, local: Pairs, further: Pairs) -> Predicates:
    """Return the predicates of which no two have the same verdicts; of equal ones the simplest stays."""
    form, left, right = together(local, further)
    order = np.argsort(form, kind="stable")
    runs = _stretches(form[order])
    marks = np.zeros(len(form), np.uint64)
    for line in sights():
        marks = mixed(marks, _joined(atoms.masks(line), form[order], left[order], right[order], runs))
    lengths = np.array([len(atom.text) for atom in atoms.every])
    outer = order >= len(local[0])
    cost = lengths[left[order]] + lengths[right[order]] * (form[order] > 0) + 1_000 * (form[order] > 0) + 100 * outer
    kept = np.sort(_cheapest(marks, cost))
    kept = kept[np.argsort(outer[kept], kind="stable")]
    form, left, right, outer = form[order][kept], left[order][kept], right[order][kept], outer[kept]
    inner = int((~outer).sum())
    found = Predicates(
        atoms=atoms,
        form=form,
        left=left,
        right=right,
        local=inner,
        needs=np.maximum(atoms.needs[left], atoms.needs[right]),
        acceptance=np.zeros(len(form)),
        _runs=_both_stretches(form, inner),
    )
    for line in sights():
        found.acceptance[:] += np.bitwise_count(found.masks(line)) / (52 * len(sights()))
    return found


Pairs = tuple[NDArray[np.int8], Numbers, Numbers]
"""Forms, first atoms, second atoms."""


def alone(atoms: Sequence[int]) -> Pairs:
    """Return predicates of one atom each."""
    every = np.array(atoms, np.int32)
    return np.zeros(len(every), np.int8), every, every


def joined_pairs(pairs: Sequence[tuple[int, int]], forms: Sequence[int] = (1, 2, 3)) -> Pairs:
    """Return predicates of ``pairs`` of atoms, joined in each of some forms."""
    both = np.array(pairs, np.int32).reshape(-1, 2)
    form = np.repeat(np.array(forms, np.int8), len(both))
    return form, np.tile(both[:, 0], len(forms)), np.tile(both[:, 1], len(forms))


def all_joined(atoms: Sequence[int]) -> Pairs:
    """Return predicates of all pairs of ``atoms``."""
    return joined_pairs(list(combinations(atoms, 2)))


def together(*parts: Pairs) -> Pairs:
    """Return all of some predicates."""
    return (
        np.concatenate([form for form, _, _ in parts]),
        np.concatenate([left for _, left, _ in parts]),
        np.concatenate([right for _, _, right in parts]),
    )


def sights() -> list[Cards]:
    """Return lines on which conditions are compared: each last card twice, pasts and lengths mixed."""
    lines = []
    for number in range(104):
        back = range(2 + number % 11, 0, -1)
        lines.append((*(CARDS[(5 * number + 11 * step + number // 52) % 52] for step in back), CARDS[number % 52]))
    return lines


def mixed(marks: Masks, verdicts: Masks) -> Masks:
    """Go on from ``marks`` with hashes of 64 bits; among 100,000 two collide with a chance of 3e-10."""
    found = (marks ^ verdicts) * np.uint64(0x9E3779B97F4A7C15)
    return found ^ (found >> np.uint64(29))


def _joined(
    row: Masks, form: NDArray[np.int8], left: Numbers, right: Numbers, runs: Sequence[tuple[int, int]]
) -> Masks:
    found = np.empty(len(form), np.uint64)
    for start, stop in runs:
        operator = _OPERATORS[form[start]]
        ones = row.take(left[start:stop])
        found[start:stop] = ones if operator is None else operator(ones, row.take(right[start:stop]))
    return found


def _stretches(form: NDArray[np.int8]) -> tuple[tuple[int, int], ...]:
    ends = [0, *(np.flatnonzero(np.diff(form)) + 1).tolist(), len(form)]
    return tuple((start, stop) for start, stop in pairwise(ends) if start < stop)


def _both_stretches(form: NDArray[np.int8], inner: int) -> tuple[tuple[int, int], ...]:
    outer = _stretches(form[inner:])
    return (*_stretches(form[:inner]), *((start + inner, stop + inner) for start, stop in outer))


def _marks(rows: Masks) -> Masks:
    marks = np.zeros(rows.shape[1], np.uint64)
    for row in rows:
        marks = mixed(marks, row)
    return marks


def _cheapest(marks: Masks, costs: NDArray[np.generic]) -> NDArray[np.intp]:
    """Return in their order where different ``marks`` stand; of equal ones the cheapest stays, or the first."""
    order = np.argsort(costs, kind="stable")
    _, first = np.unique(marks[order], return_index=True)
    kept: NDArray[np.intp] = np.sort(order[first])
    return kept


def _held(text: str) -> str:
    return f"({text})" if " or " in text or " != " in text else text
