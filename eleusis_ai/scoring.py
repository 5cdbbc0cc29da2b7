"""Points: of a round that is over, and of a match of several rounds."""

from __future__ import annotations

from collections.abc import Iterable

from eleusis_ai.profiles import Profile
from eleusis_ai.view import Public


def round_points(public: Public) -> tuple[int, ...]:
    """Return the points of every seat, the dealer's too, of a round that is over.

    A scientist gets the largest hand's size less his own, and a bonus for a legally emptied hand; a prophet
    in office also a point or more for each card since his declaration; the dealer as much as the best
    player, under the profile's cap where a prophet is in office.
    """
    terms = public.profile.prophet
    largest = max(public.hand_sizes[seat] for seat in public.scientists)
    points = [largest - size for size in public.hand_sizes]
    points[public.dealer] = 0
    if public.emptied is not None:
        points[public.emptied] += public.profile.emptied_bonus
    cap: list[int] = []
    if public.prophet is not None and terms is not None:
        points[public.prophet] += (
            terms.accepted_points * public.accepted_since + terms.rejected_points * public.rejected_since
        )
        if terms.dealer_cap_per_card is not None:
            cap.append(terms.dealer_cap_per_card * public.played_at_declaration)
        if terms.dealer_cap_over_prophet is not None:
            cap.append(points[public.prophet] + terms.dealer_cap_over_prophet)
    points[public.dealer] = min([max(points[seat] for seat in public.scientists), *cap])
    return tuple(points)


def match_points(profile: Profile, seats: int, rounds: Iterable[tuple[int, tuple[int, ...]]]) -> tuple[int, ...]:
    """Return the totals of a match from its finished rounds, each given as the dealer and the points.

    Players who had not dealt when the match was cut short get the profile's bonus. An unfinished round is
    not scored and its dealer has not dealt: leave it out.
    """
    totals = [0] * seats
    dealt = set()
    for dealer, points in rounds:
        dealt.add(dealer)
        for seat in range(seats):
            totals[seat] += points[seat]
    return tuple(total if seat in dealt else total + profile.never_dealt_bonus for seat, total in enumerate(totals))


def winners(totals: Iterable[int]) -> tuple[int, ...]:
    """Return the players with the highest total; several where they tie: all of them win."""
    points = list(totals)
    return tuple(player for player, total in enumerate(points) if total == max(points))
