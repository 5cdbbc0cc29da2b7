from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.cards import CARDS
from eleusis_ai.profiles import ABBOTT, HOWELL, LATE_PROPHET, NO_PROPHET, Profile, ProphetTerms
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.scoring import match_points, round_points, winners
from eleusis_ai.view import Public

RULE = Rule.parse("card.is_red")


def at_the_end(profile: Profile, hands: tuple[int, ...], **facts: object) -> Public:
    """Return a round as it stands at its end, the dealer at seat 0, with what matters to its points."""
    hint = Hint.parse("no ranks") if profile is NO_PROPHET else None
    seats = max(len(hands), profile.min_seats)
    public = Round.deal(profile, RULE, seats=seats, dealer=0, deck=CARDS * 2, first=1, hint=hint).public()
    return msgspec.structs.replace(public, seats=len(hands), hand_sizes=hands, **facts)


IN_OFFICE = {"prophet": 1, "accepted_since": 9, "rejected_since": 6, "played_at_declaration": 23}


@pytest.mark.parametrize(
    ("profile", "hands", "facts", "points"),
    [
        # H = 12: hand 5 makes 7; the dealer gets as much as the best player.
        (HOWELL, (0, 12, 5, 12), {}, (7, 0, 7, 0)),
        (HOWELL, (0, 12, 0, 12), {"emptied": 2}, (16, 0, 16, 0)),
        (HOWELL, (0, 12, 0, 12), {}, (12, 0, 12, 0)),
        (HOWELL, (0, 3, 3, 3), {}, (0, 0, 0, 0)),
        # The examples of game.md: hand 6, H = 20, best other player 11.
        (HOWELL, (0, 6, 9, 20), IN_OFFICE, (35, 35, 11, 0)),
        (HOWELL, (0, 6, 9, 20), IN_OFFICE | {"played_at_declaration": 15}, (30, 35, 11, 0)),
        (HOWELL, (0, 6, 9, 20), {"former_prophets": (1,)}, (14, 14, 11, 0)),
        (LATE_PROPHET, (0, 6, 9, 20), IN_OFFICE, (29, 29, 11, 0)),
        (ABBOTT, (0, 6, 9, 20, 20), IN_OFFICE | {"played_at_declaration": 22}, (35, 35, 11, 0, 0)),
        (ABBOTT, (0, 6, 9, 20, 20), IN_OFFICE | {"played_at_declaration": 10}, (20, 35, 11, 0, 0)),
        # The prophet's own hand, and an expelled player's, may be the largest.
        (HOWELL, (0, 20, 9, 5), IN_OFFICE | {"accepted_since": 0, "rejected_since": 1}, (15, 2, 11, 15)),
        (HOWELL, (0, 4, 9, 15), {"expelled": (3,)}, (11, 11, 6, 0)),
        # A late prophet's dealer gets no more than 5 above that prophet, if another player is better still.
        (LATE_PROPHET, (0, 19, 0, 20), {"prophet": 1, "accepted_since": 1, "emptied": 2}, (7, 2, 24, 0)),
        (LATE_PROPHET, (0, 19, 0, 20), {"emptied": 2}, (24, 1, 24, 0)),
        (NO_PROPHET, (0, 19, 0, 20), {"emptied": 2}, (24, 1, 24, 0)),
    ],
)  # fmt: skip
def test_points(profile: Profile, hands: tuple[int, ...], facts: dict[str, object], points: tuple[int, ...]) -> None:
    assert round_points(at_the_end(profile, hands, **facts)) == points


def test_both_caps_may_bind() -> None:
    for per_card, over, dealer in [(2, 5, 30), (9, 0, 35), (1, 0, 15), (None, None, 37)]:
        terms = ProphetTerms(dealer_cap_per_card=per_card, dealer_cap_over_prophet=over)
        profile = msgspec.structs.replace(HOWELL, name="house", prophet=terms, emptied_bonus=17)
        facts = IN_OFFICE | {"played_at_declaration": 15, "emptied": 2}
        assert round_points(at_the_end(profile, (0, 6, 0, 20), **facts)) == (dealer, 35, 37, 0)


@pytest.mark.parametrize(
    ("profile", "rounds", "totals"),
    [
        (HOWELL, [(0, (5, 7, 1)), (1, (2, 2, 2)), (2, (0, 1, 0))], (7, 10, 3)),
        (HOWELL, [(0, (5, 7, 1))], (5, 7, 1)),
        (ABBOTT, [(0, (5, 7, 1)), (1, (2, 2, 2)), (2, (0, 1, 0))], (7, 10, 3)),
        (ABBOTT, [(0, (5, 7, 1))], (5, 17, 11)),
        (NO_PROPHET, [(1, (5, 7, 1))], (15, 7, 11)),
        (LATE_PROPHET, [(1, (5, 7, 1))], (5, 7, 1)),
        (ABBOTT, [], (10, 10, 10)),
    ],
)
def test_a_match(profile: Profile, rounds: list[tuple[int, tuple[int, ...]]], totals: tuple[int, ...]) -> None:
    assert match_points(profile, 3, rounds) == totals


def test_a_game_cut_after_three_of_five_rounds() -> None:
    rounds = [(dealer, (1, 1, 1, 1, 1)) for dealer in (3, 4, 0)]
    assert match_points(ABBOTT, 5, rounds) == (3, 13, 13, 3, 3)


@pytest.mark.parametrize(
    ("totals", "who"), [((5, 7, 1), (1,)), ((7, 7, 1), (0, 1)), ((0, 0, 0), (0, 1, 2)), ((-1, -2), (0,))]
)
def test_winners(totals: tuple[int, ...], who: tuple[int, ...]) -> None:
    assert winners(totals) == who
    assert winners(iter(totals)) == who
