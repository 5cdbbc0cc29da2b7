"""The legal moves of a decision, as a collection that is never written out."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random

import msgspec

from eleusis_ai.cards import Card
from eleusis_ai.layout import Cards
from eleusis_ai.moves import (
    Attempt,
    BecomeProphet,
    Call,
    DecisionKind,
    Move,
    NoPlay,
    Pass,
    Pick,
)

NO_PLAY_CHANCE = 0.1
"""How often `LegalMoves.sample` declares no play."""
SINGLE_CHANCE = 0.7
"""How often `LegalMoves.sample` makes an attempt of one card."""
LONGEST_SAMPLED = 4
"""Most cards in an attempt drawn by `LegalMoves.sample`."""


class IllegalMove(ValueError):
    """A move that may not be made now; the message says why and names one that may."""


class LegalMoves(msgspec.Struct, frozen=True):
    """What may be answered to one decision: ``in``, lazy iteration, ``count`` and ``sample``.

    There is no ``len``: the strings of a large hand are more than a machine integer counts.
    """

    kind: DecisionKind
    hand: Cards = ()
    """For PLAY the seat's hand; for PICK the cards that may be picked."""
    longest: int = 0
    """For PLAY the most cards an attempt may have."""
    calls: tuple[Call, ...] = ()
    """For CALL the answers that may be given."""

    def __contains__(self, move: object) -> bool:
        return self.problem(move) is None

    def __iter__(self) -> Iterator[Move]:
        """Iterate over the moves, single cards first, then strings by length, no play last."""
        if self.kind is not DecisionKind.PLAY:
            yield from self._short()
            return
        for length in range(1, self.longest + 1):
            for cards in _arrangements(self.hand, length):
                yield Attempt(cards)
        yield NoPlay()

    @property
    def count(self) -> int:
        """How many moves there are."""
        if self.kind is not DecisionKind.PLAY:
            return len(self._short())
        ways = [1] + [0] * self.longest
        for card in dict.fromkeys(self.hand):
            copies = self.hand.count(card)
            ways = [
                sum(comb(length, used) * ways[length - used] for used in range(min(copies, length) + 1))
                for length in range(self.longest + 1)
            ]
        return sum(ways[1:]) + 1

    def sample(self, rng: Random) -> Move:
        """Draw a move: no play now and then, otherwise a length, then cards uniformly.

        Uniform over all sequences would nearly always play the whole hand.
        """
        if self.kind is not DecisionKind.PLAY:
            return rng.choice(self._short())
        if rng.random() < NO_PLAY_CHANCE:
            return NoPlay()
        longest = min(self.longest, LONGEST_SAMPLED)
        if longest == 1 or rng.random() < SINGLE_CHANCE:
            return Attempt((self.hand[int(rng.random() * len(self.hand))],))
        return Attempt(tuple(rng.sample(self.hand, rng.randint(2, longest))))

    def problem(self, move: object) -> str | None:
        """Return why ``move`` may not be made, in a sentence with one that may; None: it may."""
        match self.kind, move:
            case DecisionKind.PLAY, Attempt(cards):
                return self._attempt_problem(cards)
            case DecisionKind.PLAY, NoPlay():
                return None
            case DecisionKind.PLAY, _:
                return f"it is a turn: play cards of the hand, as in '{self.hand[0]}', or declare 'no play'"
            case _:
                moves = self._short()
                if any(move == legal and str(move) == str(legal) for legal in moves):
                    return None
                return f"{move!s:.80} is not an answer here; one of: {', '.join(map(str, moves))}"

    def _attempt_problem(self, cards: Cards) -> str | None:
        if not cards:
            return f"an attempt has at least one card, as in '{self.hand[0]}'"
        if not isinstance(cards, tuple) or not all(isinstance(card, Card) for card in cards):
            return f"{cards!r:.80} is not a tuple of cards, as in Attempt((Card.parse('{self.hand[0]}'),))"
        for card in cards:
            if cards.count(card) > self.hand.count(card):
                copies = self.hand.count(card)
                held = f"holds only {copies} of {card}" if copies else f"does not hold {card}"
                return f"the hand {held}; play cards of the hand, as in '{self.hand[0]}'"
        if len(cards) > self.longest:
            return f"a string has at most {self.longest} cards here, and this one {len(cards)}"
        return None

    def _short(self) -> tuple[Move, ...]:
        match self.kind:
            case DecisionKind.AFTER_TURN:
                return Pass(), BecomeProphet()
            case DecisionKind.PICK:
                return tuple(Pick(card) for card in dict.fromkeys(self.hand))
            case _:
                return self.calls


def _arrangements(hand: Cards, length: int) -> Iterator[Cards]:
    """Yield every distinct sequence of ``length`` cards from ``hand``, in the order of the hand."""
    if length == 0:
        yield ()
        return
    for card in dict.fromkeys(hand):
        at = hand.index(card)
        for rest in _arrangements(hand[:at] + hand[at + 1 :], length - 1):
            yield (card, *rest)
