from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.layout import Layout
from eleusis_ai.moves import Attempt, BecomeProphet, DecisionKind, NoPlay, Pass
from eleusis_ai.profiles import (
    ABBOTT,
    HOWELL,
    LATE_PROPHET,
    NO_PROPHET,
    PROFILES,
    Profile,
    ProphetTerms,
    Stating,
    load_profile,
)
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.answers import BadAnswer, read_answer
from eleusis_ai.seats.guidance import answers, gist, question, reasons, wanted, warning
from eleusis_ai.view import View

NAMES = ("catalog", "you", "ann", "ben", "cat")
RED = Rule.parse("card.is_red")


def dealt(profile: Profile = HOWELL, rule: Rule | None = RED, first: int = 1) -> Round:
    """Deal clubs, then diamonds and so on: seat 1 holds 14 cards, KC and AD the last of them."""
    hint = Hint.parse("only the card") if profile is NO_PROPHET else None
    deck = CARDS * (profile.packs + profile.reserve_packs)
    starters = None if rule else parse_cards("5D")
    return Round.deal(profile, rule, seats=5, dealer=0, deck=deck, first=first, starters=starters, hint=hint)


def changed(view: View, **public: object) -> View:
    return msgspec.structs.replace(view, public=msgspec.structs.replace(view.public, **public))


def after_turn() -> Round:
    round_ = dealt()
    round_.apply(Attempt(parse_cards("AD")))
    return round_


def prophet_judging(move: Attempt | NoPlay, profile: Profile = HOWELL) -> Round:
    """Make seat 1 the prophet, who judges what seat 2 does."""
    round_ = dealt(profile)
    round_.apply(Attempt(parse_cards("AD")))
    round_.apply(BecomeProphet())
    round_.apply(move)
    return round_


def by_hand_judging(move: Attempt | NoPlay) -> Round:
    round_ = dealt(rule=None)
    round_.apply(move)
    return round_


EARLY = msgspec.structs.replace(LATE_PROPHET, name="early", prophet=ProphetTerms())
STRING = Attempt(parse_cards("2D 3D 4D"))
SITUATIONS = {
    "play": dealt(),
    "after turn": after_turn(),
    "prophet, a card": prophet_judging(Attempt(parse_cards("2D"))),
    "prophet, a string card by card": prophet_judging(STRING, EARLY),
    "prophet, a no play": prophet_judging(NoPlay()),
    "by hand, a card": by_hand_judging(Attempt(parse_cards("AC"))),
    "by hand, a no play": by_hand_judging(NoPlay()),
}


def pending(round_: Round) -> View:
    assert round_.decision is not None
    return round_.view(round_.decision.seat)


@pytest.mark.parametrize("name", SITUATIONS)
def test_all_that_is_offered_is_understood(name: str) -> None:
    round_ = SITUATIONS[name]
    view, moves = pending(round_), round_.legal_moves()
    offered = [form for forms, _ in answers(view, moves) for form in forms.split(", ")]
    quoted = wanted(view, moves).split("'")[1::2]
    assert offered
    assert quoted
    for form in (*offered, *quoted):
        assert read_answer(form, view, moves) in moves
    assert question(view, moves, NAMES).endswith(wanted(view, moves))


def test_all_calls_are_among_what_is_offered() -> None:
    for round_ in SITUATIONS.values():
        if round_.legal_moves().kind is DecisionKind.CALL:
            offered = answers(pending(round_), round_.legal_moves())
            assert {call.right for call in round_.legal_moves().calls} == {True, False}
            assert len(offered) == 2


@pytest.mark.parametrize(
    ("name", "typed", "move"),
    [
        ("play", "ac", "AC"),
        ("play", " ac,2C  a♦", "AC 2C AD"),
        ("play", "NO", "no play"),
        ("after turn", "", "pass"),
        ("after turn", "no", "pass"),
        ("after turn", "Yes", "prophet"),
        ("prophet, a card", "R", "right"),
        ("prophet, a card", "w", "wrong"),
        ("prophet, a string card by card", "w 2", "wrong after 2"),
        ("prophet, a string card by card", "wrong 0", "wrong after 0"),
        ("prophet, a no play", "w 2d", "wrong 2D"),
    ],
)
def test_short_forms(name: str, typed: str, move: str) -> None:
    round_ = SITUATIONS[name]
    assert str(read_answer(typed, pending(round_), round_.legal_moves())) == move


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("play", "", "Nothing was typed. Type a card as in 'AC', several as in 'AC 2C', or 'no play'."),
        ("play", "11H", "'11H' is not a card. Type a card"),
        ("play", "QS", "You do not hold Q♠. Type a card"),
        ("play", "AC AC", "You hold A♣ only 1 times. Type a card"),
        ("play", "right", "'right' is no answer here. Type a card"),
        ("play", "pass", "'pass' is no answer here. Type a card"),
        ("after turn", "7H", "'7H' is no answer here. Type 'prophet' or 'pass'."),
        ("prophet, a card", "wrong 7H", "'wrong 7H' is no answer here. Type 'right' or 'wrong'."),
        (
            "prophet, a string card by card",
            "wrong",
            "'wrong' is no answer here. Type 'right', or how many of the first",
        ),
        ("prophet, a string card by card", "w 3", "as in 'wrong after 2' or 'wrong after 0'."),
        ("prophet, a no play", "wrong", "Type 'right', or name one that is, as in 'wrong 2D'."),
        ("by hand, a no play", "wrong 5S", "Type 'right' or 'wrong'."),
    ],
)
def test_a_bad_answer_is_told_why_and_what_would_do(name: str, typed: str, said: str) -> None:
    round_ = SITUATIONS[name]
    with pytest.raises(BadAnswer) as refused:
        read_answer(typed, pending(round_), round_.legal_moves())
    assert said in str(refused.value)


def test_a_dealer_picks_by_his_rule() -> None:
    round_ = dealt()
    round_.apply(NoPlay())
    view, moves = pending(round_), round_.legal_moves()
    assert question(view, moves, NAMES) == "You choose a legal card of A♦. Type one, as in 'pick AD'."
    assert str(read_answer("ad", view, moves)) == str(read_answer("pick AD", view, moves)) == "pick AD"
    with pytest.raises(BadAnswer, match="5♣ may not be picked; A♦ may"):
        read_answer("5C", view, moves)


def test_a_longer_string_than_the_profile_allows() -> None:
    round_ = dealt(LATE_PROPHET)
    with pytest.raises(BadAnswer, match="That is 5 cards, and 4 may be played at a time"):
        read_answer("AC 2C 3C 4C 5C", pending(round_), round_.legal_moves())
    assert "More than 4 cards at a time are not allowed in late-prophet." in reasons(pending(round_))


LINE = Layout.parse(" ".join(["7H"] * 20))


@pytest.mark.parametrize(
    ("profile", "public", "reason"),
    [
        (HOWELL, {}, "You will be asked whether you become prophet when your turn is over."),
        (HOWELL, {"prophet": 3}, "You cannot become prophet: seat 3 is."),
        (HOWELL, {"former_prophets": (1,)}, "you were overthrown, and nobody is prophet twice in a round."),
        (HOWELL, {"expelled": (2, 3)}, "2 others must be left to play, and 1 are."),
        (NO_PROPHET, {}, "You cannot become prophet: there is none in no-prophet."),
        (LATE_PROPHET, {}, "the mainline must have 20 cards, and has 1."),
        (LATE_PROPHET, {"layout": LINE}, "You will be asked whether you become prophet when your turn is over."),
        (HOWELL, {}, "begins when 30 cards have been played, and 1 have."),
        (HOWELL, {"danger": True}, "Expulsion is in force: whoever is wrong draws his cards and is out."),
        (
            HOWELL,
            {"prophet": 3, "accepted_since": 4, "rejected_since": 5},
            "begins when 20 cards have been laid since the prophet declared, and 9 have.",
        ),
        (LATE_PROPHET, {}, "A wrong play does not expel you."),
        (HOWELL, {"expelled": (1,)}, "You are expelled: you play no more in this round"),
    ],
)
def test_why_something_may_not_be_done(profile: Profile, public: dict[str, object], reason: str) -> None:
    assert reason in " ".join(reasons(changed(pending(dealt(profile)), **public)))


def test_a_prophet_and_a_dealer_are_told_what_they_are() -> None:
    assert (
        "If you err, you are overthrown, draw 5 cards, and play again."
        in reasons(pending(SITUATIONS["prophet, a card"]))[0]
    )
    assert reasons(dealt().view(0)) == ["You deal: you hold no hand, and judge."]
    assert reasons(pending(after_turn())) == []


@pytest.mark.parametrize(("profile", "safe"), [(HOWELL, False), (ABBOTT, True)])
def test_the_danger_is_told_before_a_play(profile: Profile, safe: bool) -> None:
    view = pending(dealt(profile))
    assert warning(view) is None
    told = warning(changed(view, danger=True))
    assert told is not None
    assert told.startswith("DANGER: expulsion is in force.")
    assert ("A wrong no play does not expel." in told) is safe
    assert warning(changed(pending(after_turn()), danger=True)) is None


@pytest.mark.parametrize(
    "profile", [*PROFILES.values(), *map(load_profile, ("short", "house", "cooperative"))], ids=str
)
def test_the_gist_is_short_and_has_the_numbers_of_the_profile(profile: Profile) -> None:
    lines = gist(profile)
    assert 8 <= len(lines) <= 10
    text = " ".join(lines)
    drawn = "you draw a card" if profile.penalty_per_card == 1 else f"you draw {profile.penalty_per_card} cards"
    assert (drawn in text) == (not profile.mistake_cards)
    assert ("before you as a mistake card" in text) == profile.mistake_cards
    assert (f"you draw {profile.no_play_penalty}" in text) == profile.no_play
    assert ("you may then state the rule" in text) == (profile.stating is not Stating.NEVER)
    assert (f"{profile.turn_limit} turns are over" in text) == (profile.turn_limit is not None)
    assert (f"for {profile.idle_laps} laps" in text) == (profile.idle_laps is not None)
    assert ("become prophet after" in text) == (profile.prophet is not None)
    assert ("expelled" in text) == (profile.expulsion_from is not None)


def test_a_single_card_is_all_that_is_left() -> None:
    view = msgspec.structs.replace(pending(dealt()), hand=(Card.parse("7H"),))
    assert wanted(view, view.legal_moves()) == "Type a card as in '7H', or 'no play'."
    assert question(view, view.legal_moves(), NAMES).startswith("Your turn. ")
    assert Pass() not in view.legal_moves()
