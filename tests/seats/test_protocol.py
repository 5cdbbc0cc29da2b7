from __future__ import annotations

from contextlib import suppress
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.agent import Misbehaved
from eleusis_ai.seats import faults
from eleusis_ai.seats.protocol import (
    FromProgram,
    FromTable,
    Hello,
    MoveMessage,
    read_from_program,
    read_from_table,
    schema,
    write,
)

MOVE = b'{"type":"move","number":3,"move":"7H"}'


def test_what_a_program_says_is_read() -> None:
    assert read_from_program(b'{"type":"hello","version":1}', Hello) == Hello(1)
    assert read_from_program(b' {"move":"7H","number":3,"type":"move","thought":"why not"}\r', MoveMessage) == (
        MoveMessage(number=3, move="7H")
    )


@pytest.mark.parametrize(
    ("line", "fault", "said"),
    [
        (b"7H", faults.BadJson, "'7H' is not JSON (JSON is malformed"),
        (b"", faults.BadJson, "'' is not JSON"),
        (b'{"type":"move","move":"\xff"}', faults.BadJson, r"\\xff"),
        (b"[" * 60_000, faults.BadJson, "is not JSON"),
        (b'["7H"]', faults.NotAnObject, "is JSON, but no object; say one object a line"),
        (b"{}", faults.UnknownMessage, "has no type; a program says hello and move"),
        (b'{"type":"view"}', faults.UnknownMessage, "has the type 'view'; a program says hello and move"),
        (b'{"type":["move"]}', faults.UnknownMessage, "has the type ['move']"),
        (b'{"type":"move","move":"7H"}', faults.BadMessage, "is no move: object missing required field number"),
        (b'{"type":"move","number":"3","move":"7H"}', faults.BadMessage, "expected int, got str at number"),
        (b'{"type":"error","problem":7}', faults.BadMessage, "is no error: expected str, got int at problem"),
        (b'{"type":"hello","version":1}', faults.OutOfTurn, "is a hello, and a move is expected here"),
    ],
)
def test_what_is_wrong_is_told_with_an_example(line: bytes, fault: type[Misbehaved], said: str) -> None:
    with pytest.raises(fault) as error:
        read_from_program(line, MoveMessage)
    assert said in str(error.value)
    assert any(example in str(error.value) for example in ('"move":"7H"}', '"problem":"I have lost my place"}'))
    assert len(str(error.value)) < 400


@given(
    st.binary()
    | st.dictionaries(
        st.sampled_from(["type", "number", "move", "version"]), st.none() | st.integers() | st.text()
    ).map(msgspec.json.encode)
)
def test_whatever_a_program_says_is_a_message_or_a_fault(line: bytes) -> None:
    for read in (
        partial(read_from_program, wanted=Hello),
        partial(read_from_program, wanted=MoveMessage),
        read_from_table,
    ):
        with suppress(Misbehaved):
            assert isinstance(read(line), msgspec.Struct)


def test_a_fault_has_a_name_and_a_caption_of_its_own() -> None:
    kinds = [each for each in vars(faults).values() if isinstance(each, type) and each is not Misbehaved]
    assert len(kinds) == 16
    assert len({kind.__doc__ for kind in kinds}) == len(kinds)


def test_the_schema_has_every_message() -> None:
    parts = [part.get("properties", {}) for part in schema()["$defs"].values()]
    tags = {part["type"]["enum"][0] for part in parts if "type" in part}
    assert tags == {"hello", "profile", "seat", "events", "view", "decision", "move", "result", "error"}


def test_a_line_is_a_line() -> None:
    message: FromTable | FromProgram = Hello(1, "two\nlines")
    assert "\n" not in write(message)
    assert read_from_table(write(message)) == message
