"""The solo protocol: one player commits in each turn to a card, a tentative rule, and whether to state it."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import msgspec

from eleusis_ai.bench.deals import Deal
from eleusis_ai.cards import Card, cards_text
from eleusis_ai.layout import Cards, Layout
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule

TURNS = 30
"""Turns of a round, at most."""
FULL_SCORE = 31
"""What a round is worth before the turns are taken off."""
WRONG_STATEMENT = 2
"""What a wrong statement costs."""


class IllegalCommitment(ValueError):
    """A commitment that the protocol does not take."""


class NoCommitment(ValueError):
    """What a player raises that has no commitment to make: it plays its first card, and has no rule to tell."""


class Commitment(msgspec.Struct, frozen=True, kw_only=True):
    """What the player commits to in a turn, all of it before the card is judged."""

    card: Card
    """A card of the hand."""
    tentative: Rule | None = None
    """What the player takes for the rule; None: it has no rule to tell."""
    confidence: int = 0
    """How sure it is of the tentative rule, 0 to 10."""
    state: bool = False
    """Whether the tentative rule is stated."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """A commitment and what came of it."""

    commitment: Commitment
    legal: bool
    """The verdict on the card."""
    correct: bool
    """Whether the tentative rule is the same as the secret one on all that could be reached afterwards."""


class SoloView(msgspec.Struct, frozen=True, kw_only=True):
    """The table as the player of a round sees it before a turn."""

    turn: int
    """Which turn it is, from 1."""
    hand: Cards
    layout: Layout
    """The starter and the right cards, and under each the wrong ones."""
    wrong: tuple[Rule, ...]
    """The rules that the player stated; it would not be asked had one been right."""


@runtime_checkable
class Commits(Protocol):
    """An agent that plays the solo protocol too."""

    @property
    def name(self) -> str:
        """What tables call it."""
        ...

    def commit(self, view: SoloView) -> Commitment:
        """Commit to a card, a rule and whether to state it.

        Raises:
            NoCommitment: if it has nothing to commit to.
        """
        ...


class SoloRound:
    """One deal, turn by turn."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.mainline: Cards = deal.starter
        self.hand: Cards = deal.hand
        self.turns: list[Turn] = []
        self._secret = deal.secret

    @property
    def over(self) -> bool:
        """Whether the rule has been stated, or all turns are used up."""
        return len(self.turns) == TURNS or (bool(self.turns) and _is_win(self.turns[-1]))

    def view(self) -> SoloView:
        """Return what the player sees now; whether a rule that was not stated was right is no part of it."""
        layout = Layout().extended(self.deal.starter)
        for turn in self.turns:
            card = (turn.commitment.card,)
            layout = layout.extended(card) if turn.legal else layout.with_rejected(card)
        stated = [turn.commitment.tentative for turn in self.turns if turn.commitment.state]
        return SoloView(
            turn=len(self.turns) + 1,
            hand=self.hand,
            layout=layout,
            wrong=tuple(rule for rule in stated if rule is not None),
        )

    def check(self, commitment: Commitment) -> None:
        """Do nothing if ``commitment`` may be made now.

        Raises:
            IllegalCommitment: with the reason, if it may not.
        """
        if self.over:
            raise IllegalCommitment("the round is over; no further turn is taken")
        if commitment.card not in self.hand:
            raise IllegalCommitment(f"{commitment.card} is not in the hand, which is {cards_text(self.hand)}")
        if not 0 <= commitment.confidence <= 10:
            raise IllegalCommitment(f"a confidence of {commitment.confidence}; it is a whole number from 0 to 10")
        if commitment.state and commitment.tentative is None:
            raise IllegalCommitment("a statement without a rule; a turn that states has a tentative rule")

    def apply(self, commitment: Commitment) -> Turn:
        """Judge the card, draw another, and judge the tentative rule.

        Raises:
            IllegalCommitment: if the commitment may not be made now.
        """
        self.check(commitment)
        at = self.hand.index(commitment.card)
        drawn = self.deal.draw[len(self.turns)]
        legal = self._secret.allows(self.mainline, commitment.card)
        self.hand = (*self.hand[:at], *self.hand[at + 1 :], drawn)
        if legal:
            self.mainline = (*self.mainline, commitment.card)
        rule = commitment.tentative
        correct = rule is not None and is_right(rule, self._secret, self.mainline)
        turn = Turn(commitment=commitment, legal=legal, correct=correct)
        self.turns.append(turn)
        return turn


class RoundScore(msgspec.Struct, frozen=True, kw_only=True):
    """What the protocol counts of a round."""

    win: int | None
    """The turn in which the rule was stated, from 1; None: it never was."""
    first: int | None
    """The first turn in which the tentative rule was right."""
    wrong: int
    """Statements that were wrong."""

    @property
    def uniform(self) -> int:
        """The score, which may be negative."""
        return (0 if self.win is None else FULL_SCORE - self.win) - WRONG_STATEMENT * self.wrong

    @property
    def floored(self) -> int:
        """The score, at least 0."""
        return max(0, self.uniform)

    @property
    def no_stakes(self) -> int:
        """The score if every right tentative rule had been stated, and nothing else."""
        return 0 if self.first is None else FULL_SCORE - self.first


def round_score(turns: list[Turn]) -> RoundScore:
    """Return what the protocol counts of ``turns``, a whole round."""
    right = [number for number, turn in enumerate(turns, 1) if turn.correct]
    return RoundScore(
        win=len(turns) if turns and _is_win(turns[-1]) else None,
        first=right[0] if right else None,
        wrong=sum(turn.commitment.state and not turn.correct for turn in turns),
    )


def confidence_errors(turns: list[Turn]) -> list[float]:
    """Return the squared error of the confidence, in tenths, in every turn that has a tentative rule."""
    return [
        (turn.commitment.confidence / 10 - turn.correct) ** 2
        for turn in turns
        if turn.commitment.tentative is not None
    ]


def is_right(rule: Rule, secret: Rule, mainline: Cards) -> bool:
    """Tell whether ``rule`` judges all that can be reached from ``mainline`` as ``secret`` does."""
    # Most wrong rules differ at once, and to find that out costs nothing.
    return rule.mask(mainline) == secret.mask(mainline) and equivalent(secret, rule, mainline).same


def _is_win(turn: Turn) -> bool:
    return turn.commitment.state and turn.correct
