from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eleusis_ai.seats.web.requests import (
    LARGEST,
    AskAdvice,
    Deal,
    Enter,
    Join,
    MakeMove,
    Refused,
    SeatAgent,
    number_of,
    person_name,
    read_request,
)
from tests.properties.rounds import STEADY


@pytest.mark.parametrize(
    ("message", "request_"),
    [
        ('{"do":"enter","token":null,"language":"en"}', Enter()),
        ('{"do":"enter","token":"abc"}', Enter(token="abc")),
        ('{"do":"join","id":7,"seat":2,"name":"Ann"}', Join(id=7, seat=2, name="Ann")),
        ('{"do":"seat","seat":3,"agent":"random"}', SeatAgent(seat=3, agent="random")),
        ('{"do":"deal","rule":null}', Deal()),
        (b'{"do":"move","move":"7H 9D","number":17}', MakeMove(move="7H 9D", number=17)),
        ('{"do":"advice"}', AskAdvice()),
    ],
)
def test_a_request_is_read(message: str | bytes, request_: object) -> None:
    assert read_request(message) == request_


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "malformed"),
        ("7H", "malformed"),
        ("[]", "malformed"),
        ("{}", "malformed"),
        ('{"do":"win"}', "malformed"),
        ('{"do":"join"}', "malformed"),
        ('{"do":"join","name":7}', "malformed"),
        ('{"do":"join","name":"Ann","seat":-1}', "malformed"),
        ('{"do":"join","name":"Ann","seat":1e9}', "malformed"),
        ('{"do":"join","name":"Ann","seat":true}', "malformed"),
        ('{"do":"ping","extra":1}', "malformed"),
        ('{"do":"ping","id":-1}', "malformed"),
        ('{"do":"ping","id":1e400}', "malformed"),
        ('{"do":"ping","id":9007199254740992}', "malformed"),
        ('{"do":"move","move":"7H"}', "malformed"),
        ('{"do":"deal","rule":"' + "x" * 1001 + '"}', "malformed"),
        ('{"do":"enter","token":"' + "x" * 65 + '"}', "malformed"),
        (b'{"do":"ping"\xff}', "malformed"),
        ('{"do":"join","name":"\\ud800"}', "malformed"),
        ("[" * LARGEST, "malformed"),
        (" " * LARGEST + '{"do":"ping"}', "oversize"),
        ("é" * LARGEST, "oversize"),
    ],
)
def test_what_is_no_request_is_refused(message: str | bytes, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_request(message)
    assert refused.value.code == code


@STEADY
@given(st.text(max_size=40) | st.binary(max_size=40))
@example('{"do":"ping","id":5}')
def test_any_message_is_read_or_refused(message: str | bytes) -> None:
    number_of(message)
    try:
        read_request(message)
    except Refused as refused:
        json.dumps(str(refused))


def test_the_clients_number_is_told_where_it_can_be() -> None:
    assert number_of('{"do":"win","id":5}') == 5
    assert number_of('{"do":"win"') is None
    assert number_of('{"id":"5"}') is None
    assert number_of("é" * LARGEST) is None


@pytest.mark.parametrize(
    ("typed", "name"),
    [("Ann", "Ann"), ("  Ann   Lee ", "Ann Lee"), ("Zoe\u0308", "Zoë"), ("<b>Bob</b>", "<b>Bob</b>"), ("李", "李")],
)
def test_a_name_is_as_it_is_shown(typed: str, name: str) -> None:
    assert person_name(typed) == name


@pytest.mark.parametrize(
    "typed", ["", "   ", "x" * 25, "a\nb", "a\tb", "\x00", "a\u202eb", "a\u200bb", "\ud800", "a\x1b[31m", "\xad"]
)
def test_a_name_that_cannot_be_seen_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        person_name(typed)
    assert refused.value.code == "name"
