"""A rule as the least machine that gives its verdicts: states, the mask of each, and where each card leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, lowest, mask_of
from eleusis_ai.rules.extent import Endless
from eleusis_ai.rules.memory import Memory, State

Mask: TypeAlias = Callable[[Sequence[Card]], int]
"""A rule's verdicts: from the mainline to the mask of the cards that are legal next."""

MOST_STATES = 50_000
"""States explored of one rule before it counts as endless."""
_PLACES = np.arange(52, dtype=np.uint64)


@dataclass(frozen=True, eq=False)
class Machine:
    """The verdicts along all mainlines that can be reached from one; no two states have the same future.

    From the empty mainline any card may be the first, since some profiles turn the starter as it comes; after
    that only legal cards are followed. States are numbered in the order in which the cards reach them, so that
    rules with the same verdicts have equal machines.
    """

    masks: NDArray[np.uint64]
    """Shape (states,): the mask of the cards that are legal in each state; state 0 is where the machine begins."""
    moves: NDArray[np.int32]
    """Shape (states, 52): the state that each card leads to, -1 where the card is not followed."""

    @cached_property
    def classes(self) -> list[int]:
        """The class of each card: cards of one class lead from every state to the same one."""
        columns = [column.tobytes() for column in self.moves.T]
        numbers = {column: number for number, column in enumerate(dict.fromkeys(columns))}
        return [numbers[column] for column in columns]

    @property
    def signature(self) -> str:
        """A hash of masks and moves, 32 hexadecimal digits, the same in every process."""
        digest = blake2b(self.masks.astype("<u8").tobytes(), digest_size=16)
        digest.update(self.moves.astype("<i4").tobytes())
        return digest.hexdigest()

    def walk(self, mainline: Sequence[Card]) -> int | None:
        """Return the state after ``mainline``; None if it leaves what the machine follows."""
        state = 0
        for card in mainline:
            state = int(self.moves[state, card])
            if state < 0:
                return None
        return state


def machine_of(memory: Memory, mask: Mask, origin: Sequence[Card] = ()) -> Machine:
    """Return the machine of a rule with the memory ``memory`` and the verdicts ``mask``, begun at ``origin``.

    Raises:
        Endless: if the verdicts depend on too large a state.
    """
    is_free = not origin and mask(()) != ALL_CARDS
    return _least(*_explored(memory, mask, tuple(origin)), is_free=is_free)


def table_machine(mask: Mask) -> Machine:
    """Make the machine of a rule on the last card alone, where a state is nothing but a mask."""
    after = [mask((card,)) for card in CARDS]
    first = mask(())
    masks = [first]
    # The first card may be any; only a state in which all cards are legal goes on like that.
    numbers = {first: 0} if first == ALL_CARDS else {}
    for held in after:
        if held not in numbers:
            numbers[held] = len(masks)
            masks.append(held)
    column = np.array(masks, dtype=np.uint64)
    followed = _bits(column)
    followed[0] = True
    targets = np.array([numbers[held] for held in after], dtype=np.int32)
    return Machine(column, np.where(followed, targets, np.int32(-1)))


def _bits(masks: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return masks laid out, shape (states, 52)."""
    return ((masks[:, None] >> _PLACES) & np.uint64(1)).astype(np.bool_)


def _explored(
    memory: Memory, mask: Mask, origin: tuple[Card, ...]
) -> tuple[NDArray[np.uint64], NDArray[np.int32], NDArray[np.intp]]:
    """Return masks, moves by class of cards (-1 where none of it is followed), and the class of each card."""
    letters: list[list[Card]] = [[] for _ in range(max(memory.classes) + 1)]
    for card in CARDS:
        letters[memory.classes[card]].append(card)
    groups = [(letter, mask_of(cards)) for letter, cards in enumerate(letters)]
    lines, states = [origin], [memory.walk(origin)]
    # Any card may be the first of all, so that the empty mainline is like no later one.
    numbers: dict[State, int] = {states[0]: 0} if origin else {}
    masks: list[int] = []
    moves: list[list[int]] = []
    for line, state in zip(lines, states, strict=True):  # both grow meanwhile
        legal = mask(line)
        followed = legal if line else ALL_CARDS
        shown = [(letter, lowest(followed & held)) for letter, held in groups if followed & held]
        row = [-1] * len(letters)
        following = memory.following(state, [card for _, card in shown])
        for (letter, card), further in zip(shown, following, strict=True):
            number = numbers.get(further)
            if number is None:
                number = numbers[further] = len(lines)
                if number >= MOST_STATES:
                    raise Endless(f"the rule has more than {MOST_STATES:,} states")
                lines.append((*line, card))
                states.append(further)
            row[letter] = number
        masks.append(legal)
        moves.append(row)
    classes = np.array(memory.classes, dtype=np.intp)
    return np.array(masks, dtype=np.uint64), np.array(moves, dtype=np.int32), classes


def _least(
    masks: NDArray[np.uint64], moves: NDArray[np.int32], classes: NDArray[np.intp], *, is_free: bool
) -> Machine:
    """Merge the states with the same future (Moore's algorithm) and number them as the cards reach them.

    With ``is_free`` the first state follows illegal cards too, as no other does, and so is like no other.
    """
    kinds = np.unique(masks, return_inverse=True)[1].astype(np.int64)
    if is_free:
        kinds[0] = -1
    kinds, count = _renumbered(kinds)
    while True:
        finer = kinds
        for column in moves.T:
            target = np.where(column < 0, 0, kinds[column] + 1)
            finer, number = _renumbered(finer * (count + 1) + target)
        if number == count:
            break
        kinds, count = finer, number
    chosen = np.unique(kinds, return_index=True)[1]
    table = np.where(moves[chosen] < 0, -1, kinds[moves[chosen]])[:, classes]
    followed = _bits(masks[chosen])
    if is_free:
        followed[kinds[0]] = True
    table = np.where(followed, table, -1)
    order = _reached(table, int(kinds[0]))
    places = np.full(count + 1, -1, dtype=np.int32)
    places[order] = np.arange(len(order), dtype=np.int32)
    return Machine(masks[chosen][order], places[table[order]])


def _renumbered(kinds: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    found, inverse = np.unique(kinds, return_inverse=True)
    return inverse.astype(np.int64), len(found)


def _reached(table: NDArray[np.int64], start: int) -> list[int]:
    """Return the states in the order in which they are reached from ``start``."""
    order = [start]
    seen = {start}
    for state in order:
        for target in dict.fromkeys(table[state].tolist()):
            if target >= 0 and target not in seen:
                seen.add(target)
                order.append(target)
    return order
