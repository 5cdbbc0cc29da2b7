"""What a learner is paid, by name."""

from __future__ import annotations

from enum import Enum

from eleusis_ai.round import Round


class RewardMode(Enum):
    """How a seat is paid; the value is its name."""

    POINTS = "points"
    """The round's points when it is over, and nothing before."""
    WIN = "win"
    """When the round is over 1 if no other scientist has more points, otherwise -1."""
    HAND = "hand"
    """As ``points``, and a point for each card that has left the hand since the seat was last asked, or one less for
    each that has come; what is left in hand is given back at the end. So a whole round pays its points and the size
    of the first hand, whatever was played: a shaping by potential, which leaves the best policy as it is (A. Ng and
    others, "Policy invariance under reward transformations", 1999)."""


def final_reward(mode: RewardMode, points: tuple[int, ...], seat: int, dealer: int) -> float:
    """Return what ``seat`` is paid for the ``points`` of a round that is over."""
    if mode is not RewardMode.WIN:
        return float(points[seat])
    best = max(each for at, each in enumerate(points) if at != dealer)
    return 1.0 if points[seat] == best else -1.0


def potential(mode: RewardMode, round_: Round, seat: int) -> float:
    """Return the potential whose change is paid while a round lasts."""
    if mode is not RewardMode.HAND or round_.over:
        return 0.0
    return -float(len(round_.hands[seat]) + len(round_.mistakes[seat]))
