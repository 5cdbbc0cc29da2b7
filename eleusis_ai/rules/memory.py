"""What a rule must remember of the mainline: a finite state, which every card moves on.

Two mainlines with equal states have equal verdicts, and so have they after any further cards. A state holds the
position as far as it matters, the last and the first cards as far as the rule tells them apart, and for each
function of the whole line how far it has come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from eleusis_ai.cards import Card
from eleusis_ai.rules import terms
from eleusis_ai.rules.folds import Fold
from eleusis_ai.rules.growth import Growth, Limit
from eleusis_ai.rules.places import Slots, numbered, refined
from eleusis_ai.rules.terms import Term


class State(NamedTuple):
    """What is remembered of a mainline."""

    position: int
    """Its length, reduced to its limit."""
    window: tuple[int, ...]
    """The classes of the last cards, newest first; shorter on a line that is."""
    prefix: tuple[int, ...]
    """The classes of the first cards."""
    folds: tuple[int, ...]
    """How far each function of the whole line has come, as its number for that."""


class Memory:
    """The states of one rule, made from its terms.

    Raises:
        Endless: if no finite state is known that decides the verdicts.
    """

    def __init__(self, term: Term) -> None:
        limits = Growth(term).limits
        self._limit = limits.get(terms.Position(), Limit(0, 1))
        slots = Slots()
        slots.collect(term, {})
        self._folds = [Fold(fold, limits) for fold in slots.folds]
        for fold in self._folds:
            if fold.place.delay:
                slots.note_window(fold.place.delay + 1, fold.letters)
        self._window = refined(slots.window)
        self._shifts = [_mapping(near, far) for near, far in zip(self._window, self._window[1:], strict=False)]
        self._prefix = [numbered(rows) for rows in slots.prefix]
        self._entering = [self._letters(fold) for fold in self._folds]
        parts = [*self._window[:1], *self._prefix, *(fold.letters for fold in self._folds)]
        self.classes = numbered(parts)
        """The class of each card: cards of one class move every state on alike."""
        self.start = State(0, (), (), (0,) * len(self._folds))
        """The state of the empty mainline."""
        self.followed = 0
        """Pairs of states gone through one by one in comparisons that found no difference: a measure of what a
        machine would have saved."""

    def after(self, state: State, card: Card) -> State:
        """Return the state once ``card`` has been laid."""
        return self.following(state, (card,))[0]

    def following(self, state: State, cards: Sequence[Card]) -> list[State]:
        """Return the states to which each of ``cards`` leads."""
        position, window, prefix, folds = state
        moved = tuple([shift[letter] for shift, letter in zip(self._shifts, window, strict=False)])
        heads = self._window[0] if self._window else None
        firsts = self._prefix[len(prefix)] if len(prefix) < len(self._prefix) else None
        count = self._limit.reduce(position + 1)
        states = []
        for card in cards:
            past = window if heads is None else (heads[card], *moved)
            first = prefix if firsts is None else (*prefix, firsts[card])
            entered = folds and self._entered(folds, position, card, past)
            states.append(State(count, past, first, entered))
        return states

    def _entered(self, folds: tuple[int, ...], position: int, card: Card, window: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            self._enter(fold, letters, fates, position, card, window)
            for fold, letters, fates in zip(self._folds, self._entering, folds, strict=True)
        )

    def walk(self, line: Sequence[Card]) -> State:
        """Return the state of the mainline ``line``."""
        state = self.start
        for card in line:
            state = self.after(state, card)
        return state

    def _letters(self, fold: Fold) -> Sequence[int]:
        """Return the fold's letter for each class of the window's place from which cards enter it."""
        if not fold.place.delay:
            return fold.letters
        classes = self._window[fold.place.delay]
        return [fold.letters[classes.index(number)] for number in range(max(classes) + 1)]

    @staticmethod
    def _enter(
        fold: Fold,
        letters: Sequence[int],
        fates: int,
        position: int,
        card: Card,
        window: tuple[int, ...],
    ) -> int:
        place = fold.place
        if place.delay and place.delay >= len(window):
            return fates
        index = position - place.delay - place.skip
        if (place.skip or place.step > 1) and (index < 0 or index % place.step):
            return fates
        return fold.step(fates, letters[window[place.delay]] if place.delay else letters[card])


def _mapping(near: list[int], far: list[int]) -> list[int]:
    mapped = dict(zip(near, far, strict=True))
    return [mapped[number] for number in range(len(mapped))]
