"""game.md §1, the rows from the rounds of a game to the rule's reach."""

from __future__ import annotations

import pytest

from eleusis_ai.dealing import InvalidDeal
from eleusis_ai.match import InvalidMatch, play_match
from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.language import Rule
from eleusis_ai.scoring import match_points
from tests.rulebook.table import (
    RESERVED,
    SPECS,
    Chooser,
    asked,
    deal,
    deal_packs,
    per_profile,
    play,
    profiles,
)

# Game = rounds; game cut short.


@profiles
def test_1_game_by_default_each_player_deals_once(profile: str) -> None:
    match = play_match(PROFILES[profile], SPECS, dealers=[Chooser()] * 5, seed=1)
    assert sorted(record.dealer for record in match.records) == [0, 1, 2, 3, 4]


@per_profile(abbott=True, howell=False, no_prophet=False, late_prophet=True)
def test_1_game_may_have_as_many_rounds_as_agreed(profile: str, expected: bool) -> None:
    try:
        match = play_match(PROFILES[profile], SPECS, dealers=[Chooser()] * 5, seed=1, rounds=7)
    except InvalidMatch:
        assert not expected
    else:
        assert (len(match.records), expected) == (7, True)


@per_profile(abbott=10, howell=0, no_prophet=10, late_prophet=0)
def test_1_game_cut_short_gives_those_who_never_dealt(profile: str, expected: int) -> None:
    match = play_match(PROFILES[profile], SPECS, dealers=[Chooser()] * 5, seed=1, rounds=3)
    dealt = {record.dealer for record in match.records}
    sums = [sum(record.scores[seat] for record in match.records if record.scores) for seat in range(5)]
    assert len(dealt) == 3
    assert match.totals == tuple(sums[seat] + (0 if seat in dealt else expected) for seat in range(5))


@pytest.mark.parametrize("profile", RESERVED)
def test_1_a_whole_game_gives_nobody_ten(profile: str) -> None:
    match = play_match(PROFILES[profile], SPECS, dealers=[Chooser()] * 5, seed=1)
    sums = [sum(record.scores[seat] for record in match.records if record.scores) for seat in range(5)]
    assert match.totals == tuple(sums)


@pytest.mark.parametrize("profile", RESERVED)
def test_1_the_dealer_of_an_unfinished_round_has_not_dealt(profile: str) -> None:
    finished = [(0, (3, 1, 4, 1, 5)), (1, (9, 2, 6, 5, 3))]
    assert match_points(PROFILES[profile], 5, finished) == (12, 3, 20, 16, 18)


@profiles
def test_1_an_unfinished_round_is_not_scored(profile: str) -> None:
    table = deal_packs(profile)
    assert asked(table) == f"seat {table.turn}: play"
    with pytest.raises(ValueError, match="over"):
        table.scores()
    assert table.record().scores is None


# What the rule may look at.


def may_be_dealt(profile: str, rule: Rule) -> bool:
    """Tell whether a round may be dealt with ``rule``."""
    try:
        deal(profile, rule)
    except InvalidDeal:
        return False
    return True


@per_profile(abbott=False, howell=False, no_prophet=True, late_prophet=False)
def test_1_the_rule_may_look_at_rejected_cards(profile: str, expected: bool) -> None:
    assert may_be_dealt(profile, Rule.parse("card.is_red if len(rejected) % 2 == 0 else card.is_black")) == expected
    assert may_be_dealt(profile, Rule.parse("card.is_red if len(mainline) % 2 == 0 else card.is_black"))


def test_no_prophet_1_a_rule_that_looks_at_rejected_cards_is_judged_by_them() -> None:
    rule = "card.is_red if len(rejected) % 2 == 0 else card.is_black"
    table = deal("no-prophet", rule, "3S 2H 2H", "3S 2H 2H", "3S 2H 2H")
    play(table, "1: 3S", "2: 3S", "3: 2H", "1: 2H")
    assert str(table.layout) == "7H(3S) 3S(2H) 2H"


@per_profile(abbott=6, howell=None, no_prophet=None, late_prophet=1)
def test_1_the_rule_may_look_back(profile: str, expected: int | None) -> None:
    assert PROFILES[profile].lookback_advised == expected


@profiles
def test_1_a_longer_look_back_is_advised_against_and_not_refused(profile: str) -> None:
    table = deal(profile, "card.is_red and mainline[-8].is_red", "2H 3H 4H")
    play(table, "1: 2H")
    assert str(table.layout).endswith("2H")
