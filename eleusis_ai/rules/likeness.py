"""Cards that are alike: in some of their attributes, or to a rule, which treats twins the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations
from typing import TypeAlias

import numpy as np

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.rules.machine import Machine

Classes: TypeAlias = tuple[int, ...]
"""For each of the 52 cards the number of its class; classes are numbered in the order of their first cards."""

MOST_EXCEPTIONS = 4
"""Cards that may be exceptions, such as all sevens; of more, the rule is made."""
MOST_GROUPS = 4
"""Groups of like cards that still make a plain rule."""
USUAL_SHARE = 0.75
"""The share of like cards that must be treated the same for the others among them to be exceptions."""
_PRIMES = (2, 3, 5, 7, 11, 13)

ATTRIBUTES: Mapping[str, Callable[[Card], Hashable]] = {
    "rank": lambda card: card.rank,
    "value": lambda card: min(card.rank, 10),
    "parity": lambda card: card.rank % 2,
    "face": lambda card: card.rank > 10,
    "prime": lambda card: card.rank in _PRIMES,
    "suit": lambda card: card.suit,
    "color": lambda card: card.is_red,
}
"""What cards can have in common, by the word for it."""
_OF_RANK = [
    *chain.from_iterable(combinations(("parity", "face", "prime"), n) for n in range(4)),
    ("value",),
    ("rank",),
]
_OF_SUIT = [(), ("color",), ("suit",)]


def numbered(values: Iterable[Hashable]) -> Classes:
    """Number the values, one a card, so that equal ones have equal numbers."""
    numbers: dict[Hashable, int] = {}
    return tuple(numbers.setdefault(value, len(numbers)) for value in values)


@cache
def alike_in(words: tuple[str, ...]) -> Classes:
    """Return the classes of cards that have the attributes ``words`` in common; without any all cards are alike."""
    return numbered(tuple(ATTRIBUTES[word](card) for word in words) for card in CARDS)


@cache
def likenesses() -> tuple[tuple[str, ...], ...]:
    """Return the sets of attributes that make classes of their own, those with the fewest classes first."""
    every = [(*of_rank, *of_suit) for of_suit in _OF_SUIT for of_rank in _OF_RANK]
    # The sort is stable: of as many classes, the plainer attributes stay in front.
    return tuple(sorted(every, key=lambda words: (max(alike_in(words)), len(words))))


def is_finer(fine: Classes, coarse: Classes) -> bool:
    """Tell whether cards that are alike in ``fine`` are alike in ``coarse`` too."""
    return len(set(zip(fine, coarse, strict=True))) == len(set(fine))


def twins(machine: Machine) -> Classes:
    """Return the classes of cards that a rule treats the same: after each line, as candidates and once laid.

    The verdict on the first card of all does not count: it is the starter's.
    """
    entered = np.unique(machine.moves[machine.moves >= 0])
    bits = (machine.masks[entered, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    columns = np.concatenate((bits.astype(np.int32), machine.moves)).T
    return numbered(column.tobytes() for column in np.ascontiguousarray(columns))


def twins_among(masks: Iterable[int]) -> Classes:
    """Return the classes of cards that have the same verdicts in all of ``masks``."""
    kept = list(dict.fromkeys(masks))
    return numbered(tuple(mask >> card & 1 for mask in kept) for card in CARDS)


def exceptions(classes: Classes) -> tuple[Card, ...]:
    """Return the few cards that are treated unlike all that is like them, given what a rule treats the same.

    A likeness (by rank, or one of at most 4 groups: all cards alike, colour, suit, parity and colour, …) explains
    a rule if in each of its groups at least three quarters of the cards are twins. The others in the groups are its
    exceptions, 4 at most. Of the likenesses that explain the rule the one with the fewest groups and exceptions
    together counts.
    """
    plain = [words for words in likenesses() if max(alike_in(words)) < MOST_GROUPS or words == ("rank",)]
    found = [(max(alike_in(words)) + 1, cards) for words in plain for cards in _left_over(classes, words)]
    return min(found, key=lambda pair: pair[0] + len(pair[1]), default=(0, ()))[1]


def _left_over(classes: Sequence[int], words: tuple[str, ...]) -> Iterator[tuple[Card, ...]]:
    """Yield the exceptions that the likeness by ``words`` leaves; nothing if it does not explain the rule."""
    groups: dict[int, list[Card]] = {}
    for card, group in zip(CARDS, alike_in(words), strict=True):
        groups.setdefault(group, []).append(card)
    others: list[Card] = []
    for cards in groups.values():
        usual, number = Counter(classes[card] for card in cards).most_common(1)[0]
        if number < USUAL_SHARE * len(cards):
            return
        others += [card for card in cards if classes[card] != usual]
    if len(others) <= MOST_EXCEPTIONS:
        yield tuple(sorted(others))
