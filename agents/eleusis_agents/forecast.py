"""What a learner expects of cards, strings and whole hands that may be played next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, Card
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule

Chances: TypeAlias = NDArray[np.float64]

SAMPLES = 48
"""Rules drawn from a learner that has rules."""
EXTENSIONS = 6
"""Next cards after which a prophet's foresight is tried."""
HAZY = 0.7
"""Mean chance of a right verdict below which there is no foresight worth a sample."""


class _Path(NamedTuple):
    """A string in the making."""

    chance: float
    """That all its cards are legal."""
    cards: Cards
    held: Cards
    """What is left of the hand."""
    weights: Chances
    """In each world: its weight, times the chance that all the cards are legal in it."""


class Forecast:
    """The chances of what may follow a mainline.

    A learner that has rules is asked for a sample: each rule is a *world* in which all verdicts are certain, so
    that what goes together in a string is seen. A learner without rules is one world of uncertain verdicts,
    which are taken to be independent.
    """

    def __init__(self, learner: Learner, mainline: Cards) -> None:
        """Ask ``learner``, which must not observe anything while the forecast is in use."""
        self._learner = learner
        self.mainline = mainline

    @cached_property
    def cards(self) -> Chances:
        """The chance that each card is legal next: shape (52,)."""
        return self._learner.predict(self.mainline)

    def prefixes(self, cards: Cards) -> list[float]:
        """Return the chances that the first 0, 1, ... all of ``cards`` are legal one after the other."""
        if len(cards) == 1:
            return [1.0, float(self.cards[cards[0]])]
        weights = self._weights
        chances = [1.0]
        for index, card in enumerate(cards):
            weights = weights * self._legal(self.mainline + cards[:index])[:, card]
            chances.append(min(float(weights.sum()), float(self.cards[cards[0]])))
        return chances

    def none_legal(self, hand: Cards) -> float:
        """Return the chance that no card of ``hand`` is legal next."""
        wrong = 1 - self._legal(self.mainline)[:, sorted(set(hand))]
        chance = float(self._weights @ wrong.prod(axis=1))
        return min(chance, float(1 - self.cards[list(hand)].max()))

    def strings(self, hand: Cards, longest: int, *, beam: int, least: float) -> Iterator[tuple[Cards, float]]:
        """Yield promising strings of 2 to ``longest`` cards of ``hand`` with the chance that all are legal.

        Of each length the ``beam`` most probable are carried on, while their chance is at least ``least``; those
        of one length come in the order of the hand.
        """
        front = [_Path(1.0, (), hand, self._weights)]
        for length in range(1, longest + 1):
            longer = [step for path in front for step in self._steps(path) if step.chance >= least]
            longer.sort(key=lambda path: -path.chance)
            front = _various(longer, beam)
            if length > 1:
                longer[beam:] = []
                longer.sort(key=lambda path: [hand.index(card) for card in path.cards])
                yield from ((path.cards, min(path.chance, float(self.cards[path.cards[0]]))) for path in longer)

    def foresight(self, calls: float) -> float:
        """Return the chance that the more probable verdict is the true one ``calls`` times running."""
        sure = np.maximum(self.cards, 1 - self.cards).mean()
        if sure < HAZY:
            return float(sure**calls)
        likely = np.flatnonzero(self.cards >= 0.5)
        step = max(1, len(likely) // EXTENSIONS)
        lines = [self.mainline, *((*self.mainline, CARDS[card]) for card in likely[::step][:EXTENSIONS])]
        agreed = np.zeros(len(self._weights))
        for line in lines:
            legal = self._legal(line)
            says = self._weights @ legal >= 0.5
            agreed += np.where(says, legal, 1 - legal).mean(axis=1)
        return float(self._weights @ (agreed / len(lines)) ** calls)

    def _steps(self, path: _Path) -> Iterator[_Path]:
        """Yield ``path`` with each card of the rest of the hand added."""
        legal = self._legal(self.mainline + path.cards)
        chances = path.weights @ legal
        for card in dict.fromkeys(path.held):
            at = path.held.index(card)
            held = path.held[:at] + path.held[at + 1 :]
            yield _Path(round(float(chances[card]), 9), (*path.cards, card), held, path.weights * legal[:, card])

    @cached_property
    def _worlds(self) -> Worlds | None:
        if isinstance(self._learner, HasWorlds):
            return self._learner.worlds(SAMPLES)
        rules = self._learner.sample(SAMPLES)
        return Sampled(rules) if rules else None

    @cached_property
    def _weights(self) -> Chances:
        """The worlds' weights, which sum to 1."""
        return np.ones(1) if self._worlds is None else self._worlds.weights

    def _legal(self, mainline: Cards) -> Chances:
        """Return in each world the chance that each card is legal after ``mainline``: shape (worlds, 52)."""
        if self._worlds is None:
            return self._learner.predict(mainline)[None, :]
        return (self._worlds.masks(mainline)[:, None] >> _BITS & np.uint64(1)).astype(np.float64)


class Worlds(Protocol):
    """Rules with weights, which judge all at once."""

    weights: Chances
    """Shape (worlds,); they sum to 1."""

    def masks(self, mainline: Cards) -> NDArray[np.uint64]:
        """Return the cards that are legal after ``mainline`` by each rule: shape (worlds,)."""
        ...


@runtime_checkable
class HasWorlds(Protocol):
    """A learner that gives its rules as worlds, which is quicker than to read the rules it samples."""

    def worlds(self, n: int) -> Worlds | None:
        """Return ``n`` rules drawn by their probability, equal ones together; None: the learner has no rules."""
        ...


class Sampled:
    """The rules of a sample as worlds."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        counts = Counter(rules)
        self._rules = list(counts)
        self.weights: Chances = np.array(list(counts.values())) / len(rules)

    def masks(self, mainline: Cards) -> NDArray[np.uint64]:
        """Return the cards that are legal after ``mainline`` by each rule: shape (worlds,)."""
        return np.array([rule.mask(mainline) for rule in self._rules], np.uint64)


_BITS = np.arange(52, dtype=np.uint64)


def _various(paths: list[_Path], most: int) -> list[_Path]:
    """Return the first ``most`` of ``paths``; of those with one last card and one rest of a hand only the first."""
    kept: dict[tuple[Cards, Card], _Path] = {}
    for path in paths:
        if len(kept) == most:
            break
        kept.setdefault((tuple(sorted(path.held)), path.cards[-1]), path)
    return list(kept.values())
