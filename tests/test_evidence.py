from __future__ import annotations

import pytest

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.evidence import Evidence, HintGiven, SomeIllegal, SomeLegal, Verdict, evidence
from eleusis_ai.profiles import ABBOTT, HOWELL, LATE_PROPHET, NO_PROPHET, Profile
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from tests.test_view import after, short

NEVER = Rule.parse("card.rank > 13")


def legal(line: str, card: str) -> Verdict:
    return Verdict(parse_cards(line), Card.parse(card), legal=True)


def illegal(line: str, card: str) -> Verdict:
    return Verdict(parse_cards(line), Card.parse(card), legal=False)


def some_illegal(line: str, string: str) -> SomeIllegal:
    before, cards = parse_cards(line), parse_cards(string)
    return SomeIllegal(tuple((before + cards[:index], card) for index, card in enumerate(cards)))


def some_legal(line: str, hand: str) -> SomeLegal:
    return SomeLegal(parse_cards(line), parse_cards(hand))


@pytest.mark.parametrize(
    ("profile", "moves", "says"),
    [
        # Cards are legal where they are red; the mainline begins with 7D.
        (HOWELL, [], [legal("", "7D")]),
        (LATE_PROPHET, [], []),
        (ABBOTT, [], []),
        (LATE_PROPHET, ["7H"], [legal("7D", "7H")]),
        (LATE_PROPHET, ["2C"], [illegal("7D", "2C")]),
        (LATE_PROPHET, ["7H 8H"], [legal("7D", "7H"), legal("7D 7H", "8H")]),
        (LATE_PROPHET, ["7H 2C 8H"], [legal("7D", "7H"), illegal("7D 7H", "2C")]),
        (LATE_PROPHET, ["2C 8H"], [illegal("7D", "2C")]),
        (LATE_PROPHET, ["7H 2C 8H", "2D"], [legal("7D", "7H"), illegal("7D 7H", "2C"), legal("7D 7H", "2D")]),
        (
            ABBOTT,
            ["7H 2C 8H"],
            [some_illegal("7D", "7H 2C 8H")],
        ),
        (ABBOTT, ["7H 2C 8H", "pass", "2D"], [some_illegal("7D", "7H 2C 8H"), legal("7D", "2D")]),
        (ABBOTT, ["7H 8H"], [legal("7D", "7H"), legal("7D 7H", "8H")]),
        (ABBOTT, ["no play", "pick 8H"], [some_legal("7D", "2C 3C 7H 8H"), legal("7D", "8H")]),
        (
            ABBOTT,
            ["no play", "pick 8H", "pass", "2D"],
            [some_legal("7D", "2C 3C 7H 8H"), legal("7D", "8H"), legal("7D 8H", "2D")],
        ),
        # A card that is pointed out stays in the hand: the next one follows the starter.
        (
            LATE_PROPHET,
            ["no play", "pick 8H", "2D"],
            [some_legal("7D", "2C 3C 7H 8H"), legal("7D", "8H"), legal("7D", "2D")],
        ),
        # The prophet names an illegal card, which everybody sees refused.
        (
            ABBOTT,
            ["2C", "prophet", "no play", "wrong 8S", "pick 3D"],
            [illegal("7D", "2C"), some_legal("7D", "2D 3D 8S 9S"), illegal("7D", "8S"), legal("7D", "3D")],
        ),
        (
            ABBOTT,
            ["2C", "prophet", "no play", "wrong 3D"],
            [illegal("7D", "2C"), some_legal("7D", "2D 3D 8S 9S"), legal("7D", "3D")],
        ),
        # What a prophet says is no evidence, what the dealer makes of it is.
        (ABBOTT, ["2C", "prophet", "2D"], [illegal("7D", "2C")]),
        (ABBOTT, ["2C", "prophet", "2D", "wrong"], [illegal("7D", "2C"), legal("7D", "2D")]),
    ],
)
def test_what_is_said(profile: Profile, moves: list[str], says: list[Evidence]) -> None:
    round_ = after(short(profile), *moves)
    for seat in range(4):
        assert list(evidence(round_.view(seat))) == says


def test_after_a_right_no_play_every_kind_of_card_shown_is_illegal() -> None:
    round_ = Round.deal(
        LATE_PROPHET, NEVER, seats=4, dealer=0, deck=parse_cards("2C 3C 2C " * 7 + "7D 8D " * 20), first=1
    )  # fmt: skip
    hand = round_.hands[1]
    after(round_, "no play")
    starter = str(round_.layout)
    assert len(hand) == 14
    assert list(evidence(round_.view(2))) == [illegal(starter, "2C"), illegal(starter, "3C")]


def test_a_hint_comes_first() -> None:
    hint = Hint.parse("no ranks")
    deck = [Card(number % 52) for number in range(104)]
    round_ = Round.deal(NO_PROPHET, Rule.parse("card.is_red"), seats=4, dealer=0, deck=deck, hint=hint)
    assert list(evidence(round_.view(1))) == [HintGiven(hint)]


def test_the_unjudged_rest_of_a_string_says_nothing_until_it_is_judged() -> None:
    round_ = after(short(LATE_PROPHET), "7H 2C 8H")
    assert "8H" not in {str(item.card) for item in evidence(round_.view(1)) if isinstance(item, Verdict)}
