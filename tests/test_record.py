from __future__ import annotations

import json
from random import Random

import msgspec
import pytest

from eleusis_ai.cards import CARDS, parse_cards
from eleusis_ai.profiles import HOWELL, NO_PROPHET
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from tests.test_view import after, short

DECK = parse_cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AD " * 4 + "7H 9D 2S 3S")


def hinted() -> Round:
    rule = Rule.parse("card.suit != last.suit", starter="card.is_red")
    return Round.deal(NO_PROPHET, rule, seats=5, dealer=2, deck=DECK, hint=Hint.parse("no ranks"))


def test_what_a_record_holds() -> None:
    record = after(hinted(), "AD 2C").record()
    assert record == Record(
        profile="no-prophet",
        rule="card.suit != last.suit",
        starter="card.is_red",
        seats=5,
        dealer=2,
        first=0,
        hint="no ranks",
        deck=" ".join(map(str, DECK)),
        moves=("AD 2C",),
    )
    assert record.scores is None


def test_a_record_is_one_line_of_json_with_the_projects_texts() -> None:
    line = str(after(hinted(), "AD 2C").record())
    assert "\n" not in line
    assert json.loads(line) == {
        "profile": "no-prophet",
        "rule": "card.suit != last.suit",
        "starter": "card.is_red",
        "seats": 5,
        "dealer": 2,
        "first": 0,
        "hint": "no ranks",
        "deck": " ".join(map(str, DECK)),
        "moves": ["AD 2C"],
    }
    assert str(Record.parse(line)) == line


def test_who_played_and_what_the_round_is_called() -> None:
    record = msgspec.structs.replace(hinted().record(), key="deal 3", agents=("a", "b", "", "c", "d"))
    assert Record.parse(str(record)) == record
    assert record.replay().record() == hinted().record()


def test_a_round_that_is_over_keeps_its_points() -> None:
    round_ = after(short(), "7H 8H", "pass", "2D 3D", "pass", "4D 5D", "pass", "no play")
    record = round_.record()
    assert record.scores == round_.scores()
    assert record.starters == "7D"
    assert record.profile == {"base": "howell", "name": "short", "packs": 1, "hand_size": 4}
    assert Record.parse(str(record)).replay().events == round_.events


def test_a_round_judged_by_hand_has_no_rule() -> None:
    round_ = after(short(rule=None), "7H 8H", "right", "pass", "2D", "wrong")
    record = round_.record()
    assert record.rule is None
    assert json.loads(str(record))["rule"] is None
    assert Record.parse(str(record)).replay().events == round_.events


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("", "not a record: "),
        ("{", "not a record: "),
        ("[]", "not a record: Expected `object`"),
        ("{}", "missing required field `profile`"),
        (b"\xff", "not a record: "),
        (b'{"key": "\xff"}', "not a record: "),
        (str(hinted().record()).replace('"dealer"', '"banker"'), "unknown field `banker`"),
        (str(hinted().record()).replace('"seats":5', '"seats":"5"'), "`$.seats`"),
    ],
)
def test_no_record(line: str | bytes, about: str) -> None:
    with pytest.raises(InvalidRecord) as error:
        Record.parse(line)
    assert about in str(error.value)
    assert "`str(round.record())` writes one" in str(error.value)


@pytest.mark.parametrize(
    ("changed", "about"),
    [
        ({"profile": "hoyle"}, "'hoyle' is not a published profile"),
        ({"profile": {"hand_size": 0, "name": "house"}}, "hand_size is 0"),
        ({"rule": "card.colour"}, "card.color"),
        ({"starter": "last.is_red"}, "last"),
        ({"deck": "7H 8X"}, "'8X' is not a card"),
        ({"deck": "7H"}, "a deck of 1 cards"),
        ({"dealer": 7}, "there is no seat 7 for the dealer"),
        ({"first": 2}, "seat 2 cannot begin"),
        ({"hint": "it is easy"}, "'it is easy' is not a hint"),
        ({"hint": "no suits"}, "the hint 'no suits' is not true"),
        ({"starters": "KH"}, "the starter KH is not in the stock"),
    ],
)
def test_a_record_that_cannot_be_dealt(changed: dict[str, object], about: str) -> None:
    record = msgspec.structs.replace(hinted().record(), **changed)
    with pytest.raises(InvalidRecord) as error:
        record.replay()
    assert "the record cannot be dealt: " in str(error.value)
    assert about in str(error.value)


@pytest.mark.parametrize(
    ("moves", "about"),
    [
        (("AD 2C", "hop"), "move 2 of 2, 'hop': 'hop' is not a move"),
        (("AD 2C", "KS"), "move 2 of 2, 'KS': seat 1: play: the hand does not hold KS"),
        (("pass", "AD"), "move 1 of 2, 'pass': seat 0: play: it is a turn"),
    ],
)
def test_a_record_whose_moves_are_not_legal(moves: tuple[str, ...], about: str) -> None:
    record = msgspec.structs.replace(hinted().record(), moves=moves)
    with pytest.raises(InvalidRecord) as error:
        record.replay()
    assert about in str(error.value)


def test_a_record_whose_points_are_not_those_of_its_moves() -> None:
    record = after(short(), "7H 8H", "pass", "2D 3D", "pass", "4D 5D", "pass", "no play").record()
    assert record.scores is not None
    with pytest.raises(InvalidRecord, match=r"the record says the points are \(1, 2, 3, 4\), its moves give \("):
        msgspec.structs.replace(record, scores=(1, 2, 3, 4)).replay()
    with pytest.raises(InvalidRecord, match="its moves give a round that is not over"):
        msgspec.structs.replace(record, moves=record.moves[:-1]).replay()
    with pytest.raises(InvalidRecord, match="move 8 of 8, 'pass': the round is over"):
        msgspec.structs.replace(record, moves=(*record.moves, "pass")).replay()


def test_an_imagined_round_has_no_record() -> None:
    round_ = Round.deal(HOWELL, Rule.parse("card.is_red"), seats=4, dealer=0, deck=CARDS * 3)
    imagined = Round.imagine(round_.view(1), round_.rule, Random(1))
    with pytest.raises(ValueError, match="a round whose deck is not known has no record; one that was dealt has"):
        imagined.record()
