"""The legal moves of a decision, as a collection that is never written out."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from random import Random
from typing import Protocol

import msgspec

from eleusis_ai.cards import Card
from eleusis_ai.layout import Cards
from eleusis_ai.moves import (
    Attempt,
    BecomeProphet,
    Call,
    Decision,
    DecisionKind,
    Move,
    NoPlay,
    Pass,
    Pick,
    StateRule,
)
from eleusis_ai.profiles import Judging, Profile
from eleusis_ai.rules.language import Rule

NO_PLAY_CHANCE = 0.1
"""How often `LegalMoves.sample` declares no play."""
SINGLE_CHANCE = 0.7
"""How often `LegalMoves.sample` makes an attempt of one card."""
LONGEST_SAMPLED = 4
"""Most cards in an attempt drawn by `LegalMoves.sample`."""


class IllegalMove(ValueError):
    """A move that may not be made now; the message says why and names one that may."""


class LegalMoves(msgspec.Struct, frozen=True, gc=False):
    """What may be answered to one decision: ``in``, lazy iteration, ``count`` and ``sample``.

    There is no ``len``: the strings of a large hand are more than a machine integer counts. Nor can the rules that
    may be stated be listed: any is ``in``, but iteration, ``count`` and ``sample`` know the pass alone.
    """

    kind: DecisionKind
    hand: Cards = ()
    """For PLAY the cards that the seat may play; for PICK those that may be picked."""
    longest: int = 0
    """For PLAY the most cards an attempt may have."""
    calls: tuple[Call, ...] = ()
    """For CALL the answers that may be given."""
    no_play: bool = True
    """For PLAY whether no play may be declared."""
    rejected: bool = False
    """For STATE_RULE whether the rule may look at rejected cards."""

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
        if self.no_play:
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
        return sum(ways[1:]) + self.no_play

    def sample(self, rng: Random) -> Move:
        """Draw a move: no play now and then, otherwise a length, then cards uniformly.

        Uniform over all sequences would nearly always play the whole hand.
        """
        if self.kind is not DecisionKind.PLAY:
            return rng.choice(self._short())
        if self.no_play and rng.random() < NO_PLAY_CHANCE:
            return NoPlay()
        longest = min(self.longest, LONGEST_SAMPLED)
        if longest == 1 or rng.random() < SINGLE_CHANCE:
            return Attempt((self.hand[int(rng.random() * len(self.hand))],))
        return Attempt(tuple(rng.sample(self.hand, rng.randint(2, longest))))

    def problem(self, move: object) -> str | None:
        """Return why ``move`` may not be made, in a sentence with one that may; None: it may."""
        if self.kind is DecisionKind.PLAY:
            if isinstance(move, Attempt):
                return self._attempt_problem(move.cards)
            if isinstance(move, NoPlay) and self.no_play:
                return None
            declare = ", or declare 'no play'" if self.no_play else ""
            return f"it is a turn: play cards of the hand, as in '{self.hand[0]}'{declare}"
        if isinstance(move, StateRule) and self.kind is DecisionKind.STATE_RULE:
            return self._statement_problem(move.rule)
        moves, text = self._short(), answer_text(move)
        # Texts are compared too, since a number that equals a card is none.
        if move in moves and text in map(str, moves):
            return None
        return f"{text} is not an answer here; one of: {', '.join(map(str, moves))}"

    def _attempt_problem(self, cards: object) -> str | None:
        hand = self.hand
        if not isinstance(cards, tuple) or not set(map(type, cards)) <= _CARD:
            return f"{answer_text(cards)} is not a tuple of cards, as in Attempt((Card.parse('{hand[0]}'),))"
        if not cards:
            return f"an attempt has at least one card, as in '{hand[0]}'"
        for card in cards:
            copies = hand.count(card)
            if not copies or cards.count(card) > copies:
                held = f"holds only {copies} of {card}" if copies else f"does not hold {card}"
                return f"the hand {held}; play cards of the hand, as in '{hand[0]}'"
        if len(cards) > self.longest:
            return f"a string has at most {self.longest} cards here, and this one {len(cards)}"
        return None

    def _statement_problem(self, rule: object) -> str | None:
        if type(rule) is not Rule:
            return f"{answer_text(rule)} is not a rule, as in StateRule(Rule.parse('card.is_red'))"
        if rule.reads_rejected and not self.rejected:
            return f"{rule} looks at rejected cards, which no secret rule does here; state another, or 'pass'"
        return None

    def _short(self) -> tuple[Move, ...]:
        match self.kind:
            case DecisionKind.AFTER_TURN:
                return Pass(), BecomeProphet()
            case DecisionKind.STATE_RULE:
                return (Pass(),)
            case DecisionKind.PICK:
                return tuple(Pick(card) for card in dict.fromkeys(self.hand))
            case _:
                return self.calls


class Situation(Protocol):
    """What decides which moves are legal; see `eleusis_ai.view.Public` for what each part means."""

    @property
    def profile(self) -> Profile: ...  # noqa: D102 - as said above
    @property
    def decision(self) -> Decision | None: ...  # noqa: D102
    @property
    def prophet(self) -> int | None: ...  # noqa: D102
    @property
    def attempt(self) -> Attempt | NoPlay | StateRule | None: ...  # noqa: D102
    @property
    def shown(self) -> Cards: ...  # noqa: D102
    @property
    def call(self) -> Call | None: ...  # noqa: D102
    @property
    def stage(self) -> int: ...  # noqa: D102
    @property
    def mistakes(self) -> tuple[Cards, ...]: ...  # noqa: D102


def legal_moves(situation: Situation, hand: Cards) -> LegalMoves:
    """Return the legal moves of the pending decision for a seat that holds ``hand``.

    For a PICK they are all the cards that were shown and not refused: which are legal only the dealer knows.
    """
    assert situation.decision is not None, "a round that is over has no legal moves"
    kind = situation.decision.kind
    if kind is DecisionKind.PLAY:
        if situation.stage == 2:
            hand = situation.mistakes[situation.decision.seat]
        profile = situation.profile
        return LegalMoves(kind, hand, min(len(hand), profile.max_string or len(hand)), (), profile.no_play)
    if kind is DecisionKind.PICK:
        refused = situation.call.card if situation.call else None
        return LegalMoves(kind, tuple(card for card in situation.shown if card != refused))
    if kind is DecisionKind.AFTER_TURN:
        return LegalMoves(kind)
    if kind is DecisionKind.STATE_RULE:
        return LegalMoves(kind, rejected=situation.profile.reads_rejected)
    return LegalMoves(kind, calls=(Call(right=True), *_wrong_calls(situation)))


def _wrong_calls(situation: Situation) -> tuple[Call, ...]:
    """Return the ways to call the action under judgement wrong."""
    if isinstance(situation.attempt, Attempt):
        length = len(situation.attempt.cards)
        if situation.profile.judging is Judging.CARD_BY_CARD and length > 1:
            return tuple(Call(right=False, prefix=prefix) for prefix in range(length))
        return (Call(right=False),)
    if isinstance(situation.attempt, StateRule):
        return (Call(right=False),)
    shown = tuple(dict.fromkeys(situation.shown))
    if situation.decision is not None and situation.decision.seat == situation.prophet:
        return tuple(Call(right=False, card=card) for card in shown)
    # The dealer either upholds the card that the prophet named, or says wrong and picks another one.
    named = situation.call.card if situation.call else None
    if named is None:
        return (Call(right=False),)
    upheld = Call(right=False, card=named)
    return (upheld,) if shown == (named,) else (upheld, Call(right=False))


def answer_text(answer: object) -> str:
    """Write what was answered, which may be no move, or one that holds anything."""
    for write in (str, repr):
        try:
            return write(answer)[:80]
        except Exception:
            continue
    return f"a {type(answer).__name__} that cannot be written"


_CARD = {Card}


def _arrangements(hand: Cards, length: int) -> Iterator[Cards]:
    """Yield every distinct sequence of ``length`` cards from ``hand``, in the order of the hand."""
    if length == 0:
        yield ()
        return
    for card in dict.fromkeys(hand):
        at = hand.index(card)
        for rest in _arrangements(hand[:at] + hand[at + 1 :], length - 1):
            yield (card, *rest)
