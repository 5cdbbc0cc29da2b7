"""game.md §1, the second table, cooperative and numbers-only: variants that may be laid over any profile."""

from __future__ import annotations

import re

import pytest

from eleusis_ai.dealing import InvalidDeal, shuffled_deck
from eleusis_ai.profiles import PROFILES, HintTerms, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator
from tests.rulebook.table import RED, SPARE, act, asked, deal, hand, play, refuses, told

over_any = pytest.mark.parametrize("base", PROFILES)


def team(*hands: str, base: str = "howell", stock: str = SPARE) -> Round:
    """Deal a round that is played as a team; seat 0 deals, the starter is 7H."""
    return deal(f"{base}+cooperative", RED, *hands, stock=stock)


# Cooperative.


def test_cooperative_1_is_howell_played_as_a_team() -> None:
    assert load_profile("cooperative") == load_profile("howell+cooperative")


@over_any
def test_cooperative_1_a_turn_is_one_action_of_one_seat(base: str) -> None:
    table = team("2H 3H", "2S 3S", base=base)
    assert table.public().turns_left == 40
    act(table, "2H")
    act(table, "2S")
    assert table.public().turns_left == 38


def test_cooperative_1_a_no_play_is_a_turn() -> None:
    table = team("2S " * 5, "2S 2S 2S 2S 3H")
    play(table, "1: no play", "2: no play", "0: pick 3H")
    assert table.public().turns_left == 38


@pytest.mark.parametrize("script", [("1: 2H",), ("1: 2S",), ("1: 2H 2S",), ("1: no play", "0: pick 2H")])
def test_cooperative_1_after_any_action_a_seat_may_state_the_rule(script: tuple[str, ...]) -> None:
    table = team("2H 2S 3H", "2H 3H")
    play(table, *script)
    assert asked(table) == "seat 1: state rule"


def test_cooperative_1_a_wrong_statement_costs_one_turn_and_is_public() -> None:
    table = team("2H 3H", "2H 3H")
    play(table, "1: 2H", "1: state card.is_odd")
    assert (table.turns_left, asked(table)) == (38, "seat 2: play")
    assert "seat 1 states card.is_odd" in told(table)
    assert hand(table, 1) == "3H"


@over_any
def test_cooperative_1_the_team_wins_if_it_states_the_rule_and_scores_the_turns_left(base: str) -> None:
    table = team("2H 3H", "2S 3S", base=base)
    play(table, "1: 2H", "2: 2S", "2: state card.is_odd")
    seat = act(table, str(table.legal_moves().hand[0]) if not table.over else "")
    play(table, f"{seat}: state card.is_red")
    assert (str(table.end_reason), table.turns_left) == ("stated", 36)
    assert table.scores() == (36,) * table.seats


def test_cooperative_1_no_prophet_and_no_expulsion() -> None:
    for base in PROFILES:
        profile = load_profile(f"{base}+cooperative")
        assert (profile.prophet, profile.expulsion_from) == (None, None)


def test_cooperative_1_an_emptied_hand_loses() -> None:
    table = team("2H", "2S")
    play(table, "1: 2H", "1: pass")
    assert str(table.end_reason) == "emptied"
    assert table.scores() == (0,) * 4


def test_cooperative_1_an_emptied_hand_does_not_lose_if_the_rule_is_stated_with_it() -> None:
    table = team("2H", "2S")
    play(table, "1: 2H", "1: state card.is_red")
    assert table.scores() == (39,) * 4


def test_cooperative_1_the_stocks_end_loses() -> None:
    table = team("2S 3S", "2S 3S", stock="2C")
    play(table, "1: 2S", "1: pass")
    assert str(table.end_reason) == "stock"
    assert table.scores() == (0,) * 4


def test_cooperative_1_the_last_turn_loses() -> None:
    table = team(*["2S " * 20] * 3, stock="KC " * 200)
    for _ in range(39):
        act(table, "2S")
    assert table.ending is None
    seat = act(table, "2S")
    assert (table.turns_left, str(table.ending)) == (0, "turns")
    play(table, f"{seat}: pass")
    assert (str(table.end_reason), table.scores()) == ("turns", (0,) * 4)


def test_cooperative_1_a_wrong_statement_may_cost_the_last_turn() -> None:
    table = team(*["2S " * 20] * 3, stock="KC " * 200)
    while table.turns_left != 2:
        act(table, "2S")
    seat = act(table, "2S")
    assert (table.turns_left, table.ending) == (1, None)
    play(table, f"{seat}: state card.is_odd")
    assert (str(table.end_reason), table.turns_left) == ("turns", 0)


# Numbers only.


def dealt(profile: str, rule: str, starter: str | None = None) -> Round:
    terms, secret = load_profile(profile), Rule.parse(rule, starter=starter)
    hint = hints_for(secret)[0] if terms.hint is HintTerms.REQUIRED else None
    return Round.deal(
        terms,
        secret,
        seats=5,
        dealer=0,
        deck=shuffled_deck(terms, generator("numbers")),
        first=1,
        hint=hint,
    )


@over_any
@pytest.mark.parametrize(
    ("rule", "starter"),
    [
        ("card.rank >= last.rank", None),
        ("card.is_odd if last.is_face else card.is_prime", None),
        ("abs(card.rank - last.rank) <= 3", "card.rank == A"),
        # By its verdicts a rule is judged, not by its words.
        ("card.rank >= last.rank and card.suit in {C, D, H, S}", None),
        ("card.rank >= last.rank if last.is_red else card.rank >= last.rank", None),
        ("card.rank >= last.rank or position > 9 and card.rank >= last.rank", None),
    ],
)
def test_numbers_only_1_the_rule_may_use_the_two_ranks(base: str, rule: str, starter: str | None) -> None:
    assert dealt(f"{base}+numbers-only", rule, starter).rule is not None


@over_any
@pytest.mark.parametrize(
    ("rule", "starter"),
    [
        (RED, None),
        ("card.rank >= last.rank or card.suit == last.suit", None),
        ("card.is_odd if last.is_red else card.is_even", None),
        ("card.rank != mainline[-2].rank", None),
        ("card.is_odd if position % 2 == 0 else card.is_even", None),
        ("card.rank >= last.rank", "card.is_red"),
    ],
)
def test_numbers_only_1_anything_else_is_refused_with_the_reason(base: str, rule: str, starter: str | None) -> None:
    reason = f"uses more than the ranks of the card and of the last one, and {base}+numbers-only allows nothing else"
    with pytest.raises(InvalidDeal, match=re.escape(reason)):
        dealt(f"{base}+numbers-only", rule, starter)
    assert dealt(base, rule, starter).rule is not None


def test_numbers_only_1_any_rule_may_be_stated() -> None:
    table = deal("howell+numbers-only+cooperative", "card.is_odd", "7H 3H", "2H 3H")
    play(table, "1: 7H")
    assert not refuses(table, "state card.is_red")
