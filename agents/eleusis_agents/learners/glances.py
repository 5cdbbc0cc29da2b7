"""Glances: all of a mainline that matters to a condition, equal for mainlines that are the same to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeAlias

from eleusis_ai.cards import CARDS
from eleusis_ai.layout import Cards

Glance: TypeAlias = Callable[[Cards], Hashable]

_VALUES: dict[str, list[int]] = {
    "color": [card.is_red for card in CARDS],
    "suit": [card.suit for card in CARDS],
    "rank": [card.rank for card in CARDS],
    "is_red": [card.is_red for card in CARDS],
    "is_odd": [card.rank % 2 for card in CARDS],
    "is_face": [card.rank > 10 for card in CARDS],
}
"""By attribute, its value for each card."""


def position(mainline: Cards) -> Hashable:
    """Look at how many cards there are: to 14, and by what a division by 2 to 6 or 8 leaves."""
    return len(mainline) % 120, min(len(mainline), 14)


def last(mainline: Cards) -> Hashable:
    """Look at the last card."""
    return mainline[-1:]


def last_two(mainline: Cards) -> Hashable:
    """Look at the last two cards."""
    return mainline[-2:]


@cache
def last_of(attribute: str, cards: int) -> Glance:
    """Look at an attribute of the last few cards."""
    values = _VALUES[attribute]
    return lambda mainline: tuple([values[card] for card in mainline[-cards:]])


@cache
def seen(attribute: str, cards: int = 0) -> Glance:
    """Look at which values of an attribute the last few cards have, or all of them."""
    bits = [1 << value for value in _VALUES[attribute]]

    def glance(mainline: Cards) -> Hashable:
        found = 0
        for card in mainline[-cards:] if cards else mainline:
            found |= bits[card]
        return found

    return glance


@cache
def last_sum(cards: int) -> Glance:
    """Look at the sum of the last few ranks."""
    ranks = _VALUES["rank"]
    return lambda mainline: (min(len(mainline), cards), sum([ranks[card] for card in mainline[-cards:]]))


@cache
def total(attribute: str) -> Glance:
    """Look at what a division by 2, 3 or 6 leaves of the sum of an attribute over the line."""
    values = _VALUES[attribute]
    return lambda mainline: sum([values[card] for card in mainline]) % 6


@cache
def run(attribute: str) -> Glance:
    """Look at how many cards at the end have the same value: to 4, and by what a division by 2 or 3 leaves."""
    values = _VALUES[attribute]

    def glance(mainline: Cards) -> Hashable:
        length = 0
        for card in reversed(mainline):
            if values[card] != values[mainline[-1]]:
                break
            length += 1
        return length % 6, min(length, 4)

    return glance
