from __future__ import annotations

import pytest

from eleusis_ai.events import Event, RuleShown, Scored, TurnBegan, parse_event
from eleusis_ai.seats.telling import told

NAMES = ("catalog", "you", "ann", "ben")

ROWS = [
    ("stage two begins", "All hands are played. Stage two: mistake cards are played."),
    (
        "seat 2 is passed, none of 7H 8D being legal",
        "Seat 2 (ann) is passed: none of 7♥ 8♦ is legal.",
    ),
    ("seat 1 is passed, none of 7H being legal", "You are passed: none of 7♥ is legal."),
    (
        "seat 2 states card.is_red | statement of seat 2 wrong, proved",
        "Seat 2 (ann) states the rule: card.is_red. That is wrong.",
    ),
    (
        "seat 1 states card.is_red | statement of seat 1 right, proved | round ends: stated",
        "You state the rule: card.is_red. That is right.\nThe round ends: the rule is stated.",
    ),
    (
        "seat 1 states card.is_red | statement of seat 1 right, not proved",
        "You state the rule: card.is_red. That is right, though not proved.",
    ),
    ("round ends: turns", "The round ends: no turn is left."),
    ("seat 1 is dealt 3: 7H 8D KC", "You are dealt 3 cards."),
    ("seat 2 is dealt 3", ""),
    ("hint: no suits", "The dealer's hint: Neither suits nor colours matter."),
    ("starter 7H", "The starter is 7♥, as it was turned."),
    ("starter 7H found legal", "The starter is 7♥, found legal."),
    ("turn of seat 2, expulsion in force", ""),
    ("seat 2 plays 7H 8D", "Seat 2 (ann) plays 7♥ 8♦."),
    ("seat 2 plays 7H | attempt of seat 2 right: 7H", "Seat 2 (ann) plays 7♥: right."),
    (
        "seat 3 plays 7H 8D | attempt of seat 3 wrong: 7H 8D | seat 3 draws 4 | seat 3 is expelled",
        "Seat 3 (ben) plays 7♥ 8♦: wrong, and draws 4, and is expelled.",
    ),
    (
        "seat 1 plays 7H | attempt of seat 1 wrong: 7H | seat 1 draws 2: 10S AC | seat 1 is expelled",
        "You play 7♥: wrong, and draw 2: 10♠ A♣, and are expelled.",
    ),
    (
        "seat 2 plays 7H 8D 9D | attempt of seat 2 wrong after 2: 7H 8D 9D | seat 2 draws 6",
        "Seat 2 (ann) plays 7♥ 8♦ 9♦: wrong after the first 2 cards, and draws 6.",
    ),
    (
        "seat 2 plays 7H 8D | attempt of seat 2 wrong after 0: 7H 8D | seat 2 draws 4",
        "Seat 2 (ann) plays 7♥ 8♦: wrong from the first card, and draws 4.",
    ),
    (
        "seat 2 plays 7H | prophet seat 3 says wrong | attempt of seat 2 wrong: 7H | seat 2 draws 2",
        "Seat 2 (ann) plays 7♥. The prophet, seat 3 (ben), says wrong, and so it is. Seat 2 (ann) draws 2.",
    ),
    (
        "prophet seat 1 says right | attempt of seat 2 wrong: 7H | prophet seat 1 is overthrown | seat 1 draws 5: AC",
        "You, the prophet, say right, but it is wrong. You are overthrown, and draw 5: A♣.",
    ),
    (
        "prophet seat 3 says wrong after 1 | attempt of seat 2 wrong after 0: 7H 8D",
        "The prophet, seat 3 (ben), says wrong after the first card, but it is wrong from the first card.",
    ),
    ("attempt of seat 2 wrong: 7H | seat 2 draws 2", "7♥ of seat 2 (ann): wrong. Seat 2 (ann) draws 2."),
    (
        "seat 2 declares no play, showing 7H 8D | no play of seat 2 right: 7H 8D | seat 2 draws 1",
        "Seat 2 (ann) declares no play, showing 7♥ 8♦: right, and takes a new hand of 1.",
    ),
    (
        "seat 1 declares no play, showing 7H 8D | no play of seat 1 wrong: 7H 8D | 8D picked and played "
        "| seat 1 draws 5",
        "You declare no play, showing 7♥ 8♦: wrong. 8♦ is played from that hand. You draw 5.",
    ),
    (
        "no play of seat 2 wrong: 7H 8D | 8D pointed out",
        "No play of seat 2 (ann): wrong. 8♦ of that hand would have been right, and stays in it.",
    ),
    (
        "prophet seat 3 says wrong 7H | no play of seat 2 wrong: 7H 8D | 7H refused | 8D picked and played "
        "| prophet seat 3 is overthrown",
        "The prophet, seat 3 (ben), says wrong, naming 7♥ as legal, and wrong it is. But 7♥ is not legal. "
        "8♦ is played from that hand. Seat 3 (ben) is overthrown.",
    ),
    (
        "seat 2 plays 7H | attempt of seat 2 wrong: 7H | seat 2 draws 1 | reserve pack of 52 opened | seat 2 draws 1",
        "Seat 2 (ann) plays 7♥: wrong, and draws 1. The stock is used up, and a reserve pack of 52 is opened. "
        "Seat 2 (ann) draws 1.",
    ),
    ("seat 2 becomes prophet, marker on 3", "Seat 2 (ann) becomes prophet, and lays the hand aside."),
    ("seat 1 becomes prophet, marker on 3", "You become prophet, and lay your hand aside."),
    ("round ends: emptied", "The round ends: a hand is empty."),
    ("round ends: stock", "The round ends: the stock is used up."),
    ("round ends: expelled", "The round ends: all who were left to play are expelled."),
    ("points: 3 4 5 6 | rule: card.is_red", ""),
]


def events(texts: str) -> list[Event]:
    return [parse_event(text) for text in texts.split(" | ")]


@pytest.mark.parametrize(("happened", "sentence"), ROWS)
def test_what_happened_is_told_in_sentences(happened: str, sentence: str) -> None:
    assert "\n".join(told(events(happened), NAMES, seat=1)) == sentence


def test_every_kind_of_event_is_told_or_left_to_the_drawing() -> None:
    shown = {type(event) for happened, sentence in ROWS if sentence for event in events(happened)}
    kinds = {kind for base in Event.__subclasses__() for kind in (base.__subclasses__() or [base])}
    assert kinds - shown == {TurnBegan, Scored, RuleShown}


def test_each_action_has_a_line_of_its_own() -> None:
    happened = "seat 2 plays 7H | attempt of seat 2 right: 7H | seat 2 becomes prophet, marker on 3 | seat 3 plays 8D"
    assert told(events(happened), NAMES, seat=0) == [
        "Seat 2 (ann) plays 7♥: right.",
        "Seat 2 (ann) becomes prophet, and lays the hand aside.",
        "Seat 3 (ben) plays 8♦.",
    ]
