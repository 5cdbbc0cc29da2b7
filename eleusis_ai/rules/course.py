"""How play goes under a rule, along random legal lines: worked out on its machine, or tried where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from random import Random
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, Suit, cards_of
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.likeness import exceptions, twins, twins_among
from eleusis_ai.rules.machine import Machine
from eleusis_ai.seeds import generator

STEPS = 25
"""Cards judged along one line when acceptance is measured."""
LINES = 100
"""Random lines played of a rule that cannot be worked out."""
LONG_LINES = 5
"""More lines for such a rule, which look for a dead end only."""
LONG_STEPS = 100
"""Cards on one of the long lines."""
MOST_MISSES = 52
"""Cards that fall while none is legal, before a line counts as stuck under a rule on rejected cards."""
MOST_REJECTED = 500
"""Rejected cards on one random line."""
STUDENT = 1.984
"""How many standard errors make one half of a 95 % interval, by Student's t with 99 degrees of freedom."""

Line: TypeAlias = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """What the mainline has in common on some of the occasions when a card is judged."""

    text: str
    """In words, such as ``after a red card``."""
    share: float
    """How many of the occasions are so, 0 to 1."""
    acceptance: float
    """The mean share of the pack that is legal then, 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """What comes of a rule in random legal play; figures have 9 digits.

    A line starts with a card that the rule allows as the first, each of them as likely as the others, and goes
    on with cards drawn evenly from the legal ones, for 25 cards or until it is stuck.
    """

    acceptance: float
    """The mean share of the pack that is legal along such lines, 0 to 1."""
    interval: tuple[float, float]
    """Where it is with a probability of 95 %, by the spread between lines; both ends are it where it is exact."""
    exact: bool
    """Whether all lines were looked at, by the rule's machine, or some random ones."""
    dead_end: Line | None
    """A mainline after which no card is legal; where all lines were looked at the shortest."""
    turned_dead_end: Line | None
    """Such a mainline that begins with a card which the rule does not let start."""
    legal: int
    """The mask of the cards that were legal somewhere along the lines."""
    situations: tuple[tuple[Situation, ...], ...]
    """Ways to part the occasions, such as by the colour of the last card; those that part them most stand first."""
    exceptions: tuple[Card, ...]
    """As `likeness.exceptions`."""


@lru_cache(maxsize=512)
def course(rule: Rule) -> Course:
    """Work out how play goes under ``rule``, or try it; the same rule always has the same course."""
    machine = rule.machine
    return _tried(rule) if machine is None else _worked_out(rule, machine)


def starter_cards(rule: Rule) -> tuple[Card, ...]:
    """Return the cards that may start; if the rule lets none, the top card starts, whichever it is."""
    return cards_of(rule.mask(()) or ALL_CARDS)


class _Tally:
    """Occasions and legal cards, by the last card and by whether the mainline is even or odd."""

    def __init__(self) -> None:
        self.judged = np.zeros((2, 52))
        self.right = np.zeros((2, 52))

    @property
    def acceptance(self) -> float:
        return float(self.right.sum() / self.judged.sum())

    def situations(self) -> tuple[tuple[Situation, ...], ...]:
        """Return the ways to part the occasions, of which each has at least two parts that occur."""
        found = [tuple(self._parts(split)) for split in _SPLITS]
        found = [parts for parts in found if len(parts) > 1]
        return tuple(sorted(found, key=_spread, reverse=True))

    def _parts(self, split: Sequence[tuple[str, NDArray[np.bool_]]]) -> Iterator[Situation]:
        every = self.judged.sum()
        for text, where in split:
            judged = self.judged[where].sum()
            if judged > 0:
                share, acceptance = judged / every, self.right[where].sum() / judged
                yield Situation(text, round(float(share), 9), round(float(acceptance), 9))


def _spread(parts: Iterable[Situation]) -> float:
    shares = [part.acceptance for part in parts]
    return round(max(shares) - min(shares), 6)


def _after(*kinds: tuple[str, Callable[[Card], bool]]) -> list[tuple[str, NDArray[np.bool_]]]:
    return [(f"after {text}", np.array([[is_so(card) for card in CARDS]] * 2)) for text, is_so in kinds]


_SPLITS = (
    _after(("a red card", lambda card: card.is_red), ("a black one", lambda card: not card.is_red)),
    _after(("an odd card", lambda card: card.rank % 2 == 1), ("an even one", lambda card: card.rank % 2 == 0)),
    _after(("a face card", lambda card: card.rank > 10), ("a number", lambda card: card.rank <= 10)),
    _after(("A to 6", lambda card: card.rank <= 6), ("7 to K", lambda card: card.rank > 6)),
    _after(
        ("a club", lambda card: card.suit is Suit.C),
        ("a diamond", lambda card: card.suit is Suit.D),
        ("a heart", lambda card: card.suit is Suit.H),
        ("a spade", lambda card: card.suit is Suit.S),
    ),
    [
        ("on a mainline of odd length", np.array([[False] * 52, [True] * 52])),
        ("of even length", np.array([[True] * 52, [False] * 52])),
    ],
)
"""Ways to part the occasions, by the last card and by the length of the line."""


def _worked_out(rule: Rule, machine: Machine) -> Course:
    starters = starter_cards(rule)
    tally = _along(machine, starters)
    dead_end, reached = _explored(machine, starters)
    others = [card for card in CARDS if card not in starters]
    acceptance = round(tally.acceptance, 9)
    return Course(
        acceptance=acceptance,
        interval=(acceptance, acceptance),
        exact=True,
        dead_end=dead_end,
        turned_dead_end=_explored(machine, others)[0],
        legal=int(np.bitwise_or.reduce(machine.masks[reached])),
        situations=tally.situations(),
        exceptions=exceptions(twins(machine)),
    )


def _along(machine: Machine, starters: Sequence[Card]) -> _Tally:
    """Follow the chances of each state along the line, one card after the other."""
    tally, count = _Tally(), len(machine.masks)
    legal = (machine.masks[:, None] >> np.arange(52, dtype=np.uint64)) & np.uint64(1)
    states, cards = np.nonzero(legal)
    targets = machine.moves[states, cards]
    sizes = np.bitwise_count(machine.masks).astype(np.float64)
    first = machine.moves[0][list(starters)]
    tally.judged[1, list(starters)] = 1 / len(starters)
    tally.right[1, list(starters)] = sizes[first] / 52 / len(starters)
    chances = np.bincount(first, minlength=count) / len(starters)
    for length in range(2, STEPS + 1):
        flow = (chances / np.maximum(sizes, 1))[states]
        tally.judged[length % 2] += np.bincount(cards, weights=flow, minlength=52)
        tally.right[length % 2] += np.bincount(cards, weights=flow * sizes[targets] / 52, minlength=52)
        chances = np.bincount(targets, weights=flow, minlength=count).astype(np.float64)
    return tally


def _explored(machine: Machine, firsts: Iterable[Card]) -> tuple[Line | None, list[int]]:
    """Go through the states behind the cards ``firsts``, breadth first; return the shortest dead end, and them."""
    masks = machine.masks.tolist()
    came: dict[int, tuple[int, Card]] = {}
    for card in firsts:
        came.setdefault(int(machine.moves[0, card]), (-1, card))
    reached, dead_end = list(came), None
    for state in reached:
        if not masks[state]:
            dead_end = dead_end or _line(came, state)
            continue
        row = machine.moves[state].tolist()
        for card in cards_of(masks[state]):
            if row[card] not in came:
                came[row[card]] = (state, card)
                reached.append(row[card])
    return dead_end, reached


def _line(came: dict[int, tuple[int, Card]], state: int) -> Line:
    line = list[Card]()
    while state >= 0:
        state, card = came[state]
        line.append(card)
    return tuple(reversed(line))


def _tried(rule: Rule) -> Course:
    """Play random lines, from a generator that is seeded with the rule's text."""
    rng = generator(f"review/{rule!r}")
    starters = starter_cards(rule)
    tally, masks, by_line = _Tally(), set[int](), list[tuple[float, int]]()
    dead_ends = list[Line]()
    for steps in (STEPS,) * LINES + (LONG_STEPS,) * LONG_LINES:
        line, judged, stuck = _play(rule, rng.choice(starters), steps, rng)
        masks.update(mask for _, mask in judged)
        if stuck:
            dead_ends.append(line)
        if steps == STEPS:
            by_line.append((sum(mask.bit_count() for _, mask in judged) / 52, len(judged)))
            for length, mask in judged:
                tally.judged[length % 2, line[length - 1]] += 1
                tally.right[length % 2, line[length - 1]] += mask.bit_count() / 52
    others = [card for card in CARDS if card not in starters and not rule.mask((card,))]
    legal = 0
    for mask in masks:
        legal |= mask
    return Course(
        acceptance=round(tally.acceptance, 9),
        interval=_interval(by_line),
        exact=False,
        dead_end=min(dead_ends, key=len, default=None),
        turned_dead_end=(others[0],) if others else None,
        legal=legal,
        situations=tally.situations(),
        exceptions=exceptions(twins_among(sorted(masks))),
    )


def _interval(by_line: Sequence[tuple[float, int]]) -> tuple[float, float]:
    """Return the 95 % interval of the share, from the right cards and the occasions of each line."""
    number = len(by_line)
    occasions = sum(judged for _, judged in by_line)
    share = sum(right for right, _ in by_line) / occasions
    spread = sum((right - share * judged) ** 2 for right, judged in by_line)
    half = STUDENT * sqrt(spread * number / (number - 1)) / occasions
    return round(max(0.0, share - half), 9), round(min(1.0, share + half), 9)


def _play(rule: Rule, start: Card, steps: int, rng: Random) -> tuple[Line, list[tuple[int, int]], bool]:
    """Play one random line; return it, each occasion's length and mask, and whether it ended for want of a card.

    Where rejected cards matter they are drawn too, and a line is stuck only if that does not free it.
    """
    line, rejected, judged, misses = [start], list[Card](), list[tuple[int, int]](), 0
    patience = MOST_MISSES if rule.reads_rejected else 0
    while len(line) <= steps and len(rejected) < MOST_REJECTED:
        mask = rule.mask(line, rejected)
        judged.append((len(line), mask))
        misses = 0 if mask else misses + 1
        if misses > patience:
            return tuple(line), judged, True
        card = rng.choice(CARDS if patience else cards_of(mask))
        (line if mask >> card & 1 else rejected).append(card)
    return tuple(line), judged, False
