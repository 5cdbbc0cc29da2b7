"""A round that is played by actions: strings are built card by card, and every seat's observation is made here."""

from __future__ import annotations

from operator import index
from random import Random
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Dealer
from eleusis_ai.cards import CARDS, Card
from eleusis_ai.envs.actions import FINISH, NO_PLAY, PASS, PROPHET, STATE, Actions, call_action
from eleusis_ai.envs.encoding import LayoutRows, Observation, encode
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, Call, DecisionKind, Move, Pick
from eleusis_ai.round import Round


class IllegalAction(ValueError):
    """An action that may not be taken now; the message says why, and names one that may."""


class Play:
    """A round, the string that is being built, and what has been shown of it so far."""

    def __init__(self, round_: Round, *, actions: Actions, columns: int, judge: Dealer, picks: Random) -> None:
        """Begin to play.

        Args:
            round_: The round, as it was dealt.
            actions: What the integers mean.
            columns: Columns of the layout that are shown.
            judge: Chooses a legal card of a hand that was shown for a wrong no play.
            picks: His generator.
        """
        self.round = round_
        self.building: Cards = ()
        """The string that the seat whose turn it is has begun."""
        self._mask: bytearray | None = None
        self._actions, self._judge, self._picks = actions, judge, picks
        self._rows = LayoutRows(round_.profile, columns=columns, statements=actions.numbers)
        self._rows.see(round_.events)
        self._go_on()

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.round.decision is None

    @property
    def seat(self) -> int | None:
        """The seat that decides; None: the round is over."""
        return None if self.round.decision is None else self.round.decision.seat

    @property
    def mask(self) -> bytearray:
        """One byte an action: 1 where it is legal for the seat that decides."""
        # Most decisions are those of agents, which need none.
        if self._mask is None:
            self._mask = self._legal()
        return self._mask

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask as an array of its own: shape (actions,), bool."""
        return np.frombuffer(bytearray(self.mask), np.bool_)

    def observe(self, seat: int) -> Observation:
        """Return what ``seat`` may know, in arrays of its own."""
        decision = self.round.decision
        own = decision is not None and decision.seat == seat
        return encode(
            self.round.public(),
            self.round.hands[seat],
            seat=seat,
            rows=self._rows,
            mask=self.mask if own else bytearray(self._actions.count),
            building=self.building if own else (),
            statements=bool(self._actions.statements),
        )

    def problem(self, action: SupportsIndex) -> str | None:
        """Return why ``action`` may not be taken, in a sentence with one that may; None: it may.

        Raises:
            TypeError: if it is no integer.
        """
        number = index(action)
        if 0 <= number < self._actions.count and self.mask[number]:
            return None
        if self.over:
            return "the round is over; reset the environment"
        legal = self.mask.index(1)
        meaning = f" ({self._actions.text(number)})" if 0 <= number < self._actions.count else ""
        return (
            f"action {number}{meaning} is not legal now, {self.round.decision}; "
            f"one that is: {legal} ({self._actions.text(legal)})"
        )

    def act(self, action: SupportsIndex) -> None:
        """Take ``action`` for the seat that decides.

        Raises:
            IllegalAction: if it may not be taken; nothing has changed then.
            TypeError: if it is no integer.
        """
        number = index(action)
        if not 0 <= number < self._actions.count or not self.mask[number]:
            raise IllegalAction(self.problem(number))
        if number >= FINISH:
            self.apply(Attempt(self.building) if number == FINISH else self._actions.move(number))
        elif self.round.legal_moves().kind is DecisionKind.CALL:
            self.apply(Call(right=False, card=CARDS[number]))
        else:
            self._build(CARDS[number])

    def apply(self, move: Move) -> None:
        """Make a ``move`` for the seat that decides, and those of the dealer that follow.

        Raises:
            IllegalMove: if it may not be made; nothing has changed then.
        """
        self._rows.see(self.round.apply(move))
        self.building = ()
        self._go_on()

    def _build(self, card: Card) -> None:
        """Lengthen the string, and play it if it can grow no longer."""
        string = (*self.building, card)
        moves = self.round.legal_moves()
        if len(string) == moves.longest:
            self.apply(Attempt(string))
            return
        self.building = string
        mask = self.mask
        if moves.hand.count(card) == string.count(card):
            mask[card] = 0
        mask[FINISH] = 1
        mask[NO_PLAY] = 0

    def _go_on(self) -> None:
        """Let the dealer pick where he must."""
        self._mask = None
        while (decision := self.round.decision) is not None and decision.kind is DecisionKind.PICK:
            card = self._judge.pick(self.round.legal_moves().hand, self._picks)
            self._rows.see(self.round.apply(Pick(card)))

    def _legal(self) -> bytearray:
        """Return the mask of the pending decision, no string being begun."""
        mask = bytearray(self._actions.count)
        if self.over:
            return mask
        moves = self.round.legal_moves()
        match moves.kind:
            case DecisionKind.PLAY:
                for card in moves.hand:
                    mask[card] = 1
                mask[NO_PLAY] = moves.no_play
            case DecisionKind.AFTER_TURN:
                mask[PASS] = mask[PROPHET] = 1
            case DecisionKind.STATE_RULE:
                mask[PASS] = 1
                mask[STATE:] = b"\1" * (self._actions.count - STATE)
            case _:
                for call in moves.calls:
                    answer = call_action(call)
                    if answer is not None:
                        mask[answer] = 1
        return mask
