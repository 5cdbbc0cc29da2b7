"""Points: of a round that is over, and of a match of several rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eleusis_ai.cards import Card
from eleusis_ai.profiles import Profile, Scoring
from eleusis_ai.view import Public


def round_points(public: Public) -> tuple[int, ...]:
    """Return the points of every seat, the dealer's too, of a round that is over, as its profile's scoring has it.

    A scientist is paid for how few cards he has left, for a legally emptied hand, and for stating the rule; a
    prophet in office also for each card since his declaration. The dealer gets as much as the best player, under
    the profile's cap where a prophet is in office.
    """
    match public.profile.scoring:
        case Scoring.TEAM:
            won = public.stated is not None and public.turns_left is not None
            return (public.turns_left if won and public.turns_left else 0,) * public.seats
        case Scoring.UNDER_OTHERS:
            return _under_others(public)
        case Scoring.UNDER_LARGEST:
            most = max(public.hand_sizes[seat] for seat in public.scientists)
        case Scoring.UNDER_DEALT:
            most = public.profile.dealt(public.seats)
    points = [max(0, most - size) for size in public.hand_sizes]
    points[public.dealer] = 0
    if public.emptied is not None:
        points[public.emptied] += public.profile.emptied_bonus
    if public.stated is not None:
        points[public.stated] += public.profile.stated_bonus
    cap = _prophet(public, points)
    points[public.dealer] = min([max(points[seat] for seat in public.scientists), *cap])
    return tuple(points)


def _prophet(public: Public, points: list[int]) -> list[int]:
    """Pay the prophet in office, and return what the dealer gets at most, if that is limited."""
    terms = public.profile.prophet
    if public.prophet is None or terms is None:
        return []
    points[public.prophet] += (
        terms.accepted_points * public.accepted_since + terms.rejected_points * public.rejected_since
    )
    cap = []
    if terms.dealer_cap_per_card is not None:
        cap.append(terms.dealer_cap_per_card * public.played_at_declaration)
    if terms.dealer_cap_over_prophet is not None:
        cap.append(points[public.prophet] + terms.dealer_cap_over_prophet)
    return cap


def _under_others(public: Public) -> tuple[int, ...]:
    scientists = public.scientists
    held = {seat: public.hand_sizes[seat] + len(public.mistakes[seat]) for seat in scientists}
    fewest = [seat for seat in scientists if held[seat] == min(held.values())]
    points = [0] * public.seats
    for seat in scientists:
        points[seat] = max(0, sum(held.values()) - len(held) * held[seat])
    for seat in fewest:
        points[seat] += public.profile.emptied_bonus // len(fewest)
    if public.stated is not None:
        points[public.stated] += public.profile.stated_bonus
    fixed = public.dealer_points
    points[public.dealer] = leader_points(public.mistakes[seat] for seat in scientists) if fixed is None else fixed
    return tuple(points)


def leader_points(mistakes: Iterable[Sequence[Card]]) -> int:
    """Return what the mistake cards of the others are more than the leader's, who has the fewest, over all others.

    Args:
        mistakes: Each scientist's mistake cards.
    """
    counts = [len(cards) for cards in mistakes]
    return sum(counts) - len(counts) * min(counts)


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
