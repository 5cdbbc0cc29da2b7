"""game.md §3: what everyone may see, and what nobody may."""

from __future__ import annotations

import pytest

from eleusis_ai.cards import Card
from eleusis_ai.evidence import SomeIllegal, Verdict, evidence
from eleusis_ai.moves import parse_move
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule
from tests.rulebook.table import (
    MANY,
    RED,
    SPARE,
    WHOLE,
    act,
    at_once,
    deal,
    deal_packs,
    hand,
    hint_for,
    lay,
    play,
    profiles,
    prophet_profiles,
    told,
    wrong_string,
)


def seen(table: Round, seat: int) -> list[str]:
    """Return what happened as ``seat`` sees it, as texts."""
    return [str(event) for event in table.view(seat).events]


def same_to_all_but(one: Round, other: Round, *knowing: int) -> bool:
    """Tell whether two rounds look the same to every seat, but look different to those ``knowing``."""
    return [seat for seat in range(one.seats) if one.view(seat) != other.view(seat)] == list(knowing)


# Public.


@profiles
def test_3_public_the_mainline(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H 3H")
    assert all(str(table.view(seat).layout) == "7H 2H 3H" for seat in range(5))


@profiles
def test_3_public_every_sideline_with_its_attempts_in_order_and_that_a_string_was_one(profile: str) -> None:
    table = deal(profile, RED, *["3S 4S 5S 2H"] * 4, seats=5)
    play(table, "1: 5S 3S", "2: 4S", "3: 2H", "4: 4S")
    assert all(str(table.view(seat).layout) == "7H(5S 3S, 4S) 2H(4S)" for seat in range(5))


@profiles
def test_3_public_who_played_what_when(profile: str) -> None:
    table = deal(profile, RED, *["3S 4S 5S 2H"] * 4, seats=5)
    play(table, "1: 5S 3S", "2: 2H")
    for seat in range(5):
        played = [text for text in seen(table, seat) if " plays " in text]
        assert played == ["seat 1 plays 5S 3S", "seat 2 plays 2H"]


@prophet_profiles
def test_3_public_an_attempt_before_it_is_judged(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: KH KH")
    assert all(str(table.view(seat).public.attempt) == "KH KH" for seat in range(5))


@profiles
def test_3_public_declared_no_plays_with_the_hand_shown(profile: str) -> None:
    table = deal(profile, RED, "3S 4S 2H", seats=5)
    play(table, "1: no play")
    assert all("seat 1 declares no play, showing 3S 4S 2H" in seen(table, seat) for seat in range(5))


@prophet_profiles
def test_3_public_verdicts_by_prophet_and_dealer(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", "3S 4S 5H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: 3S", "1: right")
    for seat in range(5):
        assert "attempt of seat 1 right: 2H" in seen(table, seat)
        assert "prophet seat 1 says right" in seen(table, seat)
        assert "attempt of seat 2 wrong: 3S" in seen(table, seat)


def test_late_prophet_3_public_how_many_leading_cards_are_right() -> None:
    table = deal("late-prophet", RED, "2H 3S 4S 5H", seats=5)
    play(table, "1: 2H 3S 4S")
    assert all("attempt of seat 1 wrong after 1: 2H 3S 4S" in seen(table, seat) for seat in range(5))


@profiles
@pytest.mark.parametrize(("first", "verdict"), [("3S", "right"), ("2H", "wrong")])
def test_3_public_verdict_on_a_no_play(profile: str, first: str, verdict: str) -> None:
    shown = f"{first} 3S 4S 5S 6S"
    table = deal(profile, RED, shown, seats=5)
    play(table, "1: no play", *(["0: pick 2H"] if verdict == "wrong" else []))
    assert all(f"no play of seat 1 {verdict}: {shown}" in seen(table, seat) for seat in range(5))


@prophet_profiles
def test_3_public_cards_named_with_their_verdict(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", "3S 4S 5H", seats=5)
    play(table, "1: 2H", "1: prophet", "2: no play", "1: wrong 3S", "0: pick 5H")
    for seat in range(5):
        assert "prophet seat 1 says wrong 3S" in seen(table, seat)
        assert "3S refused" in seen(table, seat)


@profiles
def test_3_public_cards_played_or_pointed_out_by_the_judge(profile: str) -> None:
    table = deal(profile, RED, "3S 4S 5H", seats=5)
    play(table, "1: no play", "0: pick 5H")
    words = "5H pointed out" if profile == "late-prophet" else "5H picked and played"
    for seat in range(5):
        assert words in seen(table, seat)
        line = table.layout.mainline[:1]
        assert Verdict(line, Card.parse("5H"), legal=True) in list(evidence(table.view(seat)))


@profiles
def test_3_public_hand_sizes(profile: str) -> None:
    table = deal(profile, RED, "3S 4S 5H", seats=5)
    play(table, "1: 3S 4S")
    assert all(table.view(seat).public.hand_sizes == (0, 5, 3, 3, 3) for seat in range(5))


@profiles
def test_3_public_stock_size(profile: str) -> None:
    table = deal(profile, RED, "3S 4S 5H", seats=5, stock="2C 3C 4C 5C 6C 8C 9C")
    play(table, "1: 3S 4S")
    assert all(table.view(seat).public.stock_size == 3 for seat in range(5))


@prophet_profiles
def test_3_public_the_two_counts(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", "3S 4S 5H", seats=5)
    play(table, "1: 2H")
    assert all(table.view(seat).public.since_declaration is None for seat in range(5))
    play(table, "1: prophet", "2: 3S", "1: wrong", "3: KH", "1: right")
    starters = 1 if profile == "howell" else 0
    for seat in range(5):
        public = table.view(seat).public
        assert (public.played, public.since_declaration) == (starters + 3, 2)


@pytest.mark.parametrize("profile", WHOLE)
def test_3_public_whether_expulsion_is_in_force(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    assert not any(table.view(seat).public.danger for seat in range(5))
    lay(table, 40)
    act(table, "KH")
    act(table, "KH")
    assert all(table.view(seat).public.danger for seat in range(5))
    assert all("turn of seat 4, expulsion in force" in seen(table, seat) for seat in range(5))
    assert all("turn of seat 1" in seen(table, seat) for seat in range(5))


@pytest.mark.parametrize("profile", WHOLE)
def test_3_public_expelled_seats(profile: str) -> None:
    table = deal(profile, RED, *[MANY] * 4, seats=5)
    lay(table, 40)
    act(table, "3S")
    act(table, "3S")
    assert all(table.view(seat).public.expelled == (3, 4) for seat in range(5))


@prophet_profiles
def test_3_public_who_is_or_was_prophet_and_the_marker(profile: str) -> None:
    table = deal(at_once(profile), RED, "2H 3H 4H", seats=5)
    play(table, "1: 2H", "1: prophet")
    for seat in range(5):
        public = table.view(seat).public
        assert (public.prophet, public.former_prophets, str(public.marker)) == (1, (), "1")
    play(table, "2: KH", "1: wrong")
    for seat in range(5):
        public = table.view(seat).public
        assert (public.prophet, public.former_prophets, public.marker) == (None, (1,), None)


@pytest.mark.parametrize("profile", ["abbott", "no-prophet"])
def test_3_public_the_hint(profile: str) -> None:
    hint = hints_for(Rule.parse(RED))[0]
    table = deal(profile, RED, "2H 3H 4H", seats=5, hint=hint)
    assert all(table.view(seat).hint == hint for seat in range(5))


@profiles
def test_3_public_the_scores(profile: str) -> None:
    table = deal(profile, RED, "2H 3H", seats=5)
    play(table, "1: 2H 3H")
    assert all("points: 6 6 0 0 0" in seen(table, seat) for seat in range(5))


# Private.


@profiles
def test_3_private_ones_own_hand(profile: str) -> None:
    table = deal(profile, RED, "2H 3H 4H", "5S 6S 8S", seats=5)
    assert [table.view(seat).hand for seat in range(5)] == list(table.hands)


@profiles
def test_3_never_shown_other_hands(profile: str) -> None:
    one = deal(profile, RED, "2H 3H 4H", "5S 6S 8S", seats=5)
    other = deal(profile, RED, "2H 3H 4H", "9S 9S 9S", seats=5)
    assert same_to_all_but(one, other, 2)


@profiles
def test_3_never_shown_cards_that_others_draw(profile: str) -> None:
    one = deal(profile, RED, "3S 3H 4H", seats=5, stock="2C 3C " + SPARE)
    other = deal(profile, RED, "3S 3H 4H", seats=5, stock="2D JC " + SPARE)
    for table in (one, other):
        play(table, "1: 3S")
    assert same_to_all_but(one, other, 1)


@profiles
def test_3_a_draw_is_told_to_the_seat_that_draws_alone(profile: str) -> None:
    table = deal(profile, RED, "3S 3H 4H", seats=5, stock="2C 3C " + SPARE)
    events = table.apply(parse_move("3S"))
    assert "seat 1 draws 2: 2C 3C" in [str(event.seen_by(1)) for event in events]
    for seat in (0, 2, 3, 4, None):
        assert "seat 1 draws 2" in [str(event.seen_by(seat)) for event in events]


@profiles
def test_3_never_shown_a_new_hand_to_others(profile: str) -> None:
    shown = "2S 3S 4S 5S 6S 8S"
    one = deal(profile, RED, shown, seats=5, stock="2C 3C " + SPARE)
    other = deal(profile, RED, shown, seats=5, stock="2D 3D " + SPARE)
    for table in (one, other):
        play(table, "1: no play")
    assert same_to_all_but(one, other, 1)


@prophet_profiles
def test_3_never_shown_what_a_deposed_prophet_draws_or_laid_aside(profile: str) -> None:
    one = deal(at_once(profile), RED, "2H 3H 4H", seats=5, stock="2C 3C 4C 5C 6C " + SPARE)
    other = deal(at_once(profile), RED, "2H 5H 6H", seats=5, stock="2D 3D 4D 5D 6D " + SPARE)
    for table in (one, other):
        play(table, "1: 2H", "1: prophet", "2: KH", "1: wrong")
    assert same_to_all_but(one, other, 1)


@profiles
def test_3_never_shown_the_order_of_the_stock(profile: str) -> None:
    one = deal(profile, RED, "3S 3H 4H", seats=5, stock="2C 3C 4C 5C 6C 8C")
    other = deal(profile, RED, "3S 3H 4H", seats=5, stock="2C 3C 8C 6C 5C 4C")
    for table in (one, other):
        play(table, "1: 3S")
    assert same_to_all_but(one, other)


@profiles
def test_3_never_shown_the_rule_before_the_round_is_over(profile: str) -> None:
    rules = (RED, "card.color == last.color")
    hint = hint_for(PROFILES[profile], Rule.parse("card.color == last.color"))
    one, other = (
        deal(profile, Rule.parse(rule, starter=RED), *["3S 2H 4H"] * 4, seats=5, hint=hint) for rule in rules
    )
    for table in (one, other):
        play(table, "1: 3S", "2: 2H", "3: no play", "0: pick 2H")
    assert same_to_all_but(one, other)
    assert not any("rule" in text for text in told(one))


@pytest.mark.parametrize("profile", WHOLE)
def test_3_never_shown_which_card_of_a_wrong_string_was_wrong(profile: str) -> None:
    rules = (RED, "card.is_black")
    one, other = (deal(profile, Rule.parse(rule, starter=RED), "2H 3S 4H", seats=5) for rule in rules)
    for table in (one, other):
        play(table, "1: 2H 3S")
    assert same_to_all_but(one, other)
    assert [item for item in evidence(one.view(2)) if isinstance(item, SomeIllegal)] != []
    assert [item for item in evidence(one.view(2)) if isinstance(item, Verdict) and not item.legal] == []


@pytest.mark.parametrize("profile", ["abbott", "howell"])
def test_3_nor_does_a_prophets_answer_tell_which_card_was_wrong(profile: str) -> None:
    rules = (RED, "card.is_black if position > 1 else True")
    one, other = (deal(profile, Rule.parse(rule, starter=RED), "2H 3S 4H", "2H 3S 4H", seats=5) for rule in rules)
    for table in (one, other):
        play(table, "1: 2H", "1: prophet", "2: 2H 3S", f"1: {wrong_string(profile)}")
    assert same_to_all_but(one, other)


def test_late_prophet_3_a_branchs_first_card_is_known_wrong() -> None:
    table = deal("late-prophet", RED, "2H 3S 4H 5S", seats=5)
    play(table, "1: 2H 3S 4H")
    line = table.layout.mainline
    verdicts = list(evidence(table.view(2)))
    assert verdicts[-2:] == [
        Verdict(line[:1], Card.parse("2H"), legal=True),
        Verdict(line[:2], Card.parse("3S"), legal=False),
    ]


def test_late_prophet_3_the_rest_of_a_branch_is_unjudged() -> None:
    one = deal("late-prophet", RED, "2H 3S 4H 5H", seats=5)
    other = deal("late-prophet", "card.is_red and card.rank < 4", "2H 3S 4H 5H", seats=5)
    for table in (one, other):
        play(table, "1: 2H 3S 4H 5H")
    assert same_to_all_but(one, other)
    assert not any(isinstance(item, Verdict) and str(item.card) in {"4H", "5H"} for item in evidence(one.view(2)))


# When the round is over.


@profiles
def test_3_when_the_round_is_over_the_rule_is_shown(profile: str) -> None:
    table = deal(profile, RED, "2H 3H", seats=5)
    assert not any(text.startswith("rule: ") for text in told(table))
    play(table, "1: 2H 3H")
    assert all("rule: card.is_red" in seen(table, seat) for seat in range(5))


@profiles
def test_3_the_rule_is_shown_with_its_condition_on_the_first_card(profile: str) -> None:
    rule = Rule.parse("card.color == last.color", starter="card.rank == 7")
    table = deal(profile, rule, "2H 3H", seats=5)
    play(table, "1: 2H 3H")
    shown = next(text for text in told(table) if text.startswith("rule: "))
    assert "card.color == last.color" in shown
    assert "card.rank == 7" in shown


@profiles
def test_3_the_dealers_seat_sees_no_more_than_the_others(profile: str) -> None:
    table = deal_packs(profile)
    assert table.view(0).hand == ()
    assert table.view(0).events == table.view(1).events
    assert hand(table, 1) not in " ".join(seen(table, 0))
