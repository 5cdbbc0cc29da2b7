"""What clients send: requests as tagged values of bounded size, and the error for those that are refused."""

from __future__ import annotations

import unicodedata
from typing import Annotated, TypeAlias, TypeVar

import msgspec

from eleusis_ai.rules.syntax import LONGEST_TEXT
from eleusis_ai.seats.web.setting import MOST_TABLES, Name, Seat
from eleusis_ai.seats.web.tokens import LONGEST

LARGEST = 4096
"""Bytes of the largest message that is read."""
LONGEST_NAME = 24
"""Characters of the longest name of a person."""
_LARGEST_NUMBER = 2**53 - 1
_Read = TypeVar("_Read")

Number = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST_NUMBER)]
RuleText = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
Word = Annotated[str, msgspec.Meta(max_length=60)]


class Refused(ValueError):
    """A request that is not done; the code is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class _Request(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Something that a client asks for."""

    id: Number | None = None
    """The client's own number, by which the answer is told; None: it does not care."""


class Enter(_Request, frozen=True, tag="enter"):
    """Come to the table: the first message of every client."""

    token: Annotated[str, msgspec.Meta(max_length=LONGEST)] | None = None
    """The token that the client got here before; None: it is a stranger."""
    language: Word = "en"


class Join(_Request, frozen=True, tag="join"):
    """Take a chair."""

    name: Annotated[str, msgspec.Meta(max_length=200)]
    seat: Seat | None = None
    """None: any open one."""


class Leave(_Request, frozen=True, tag="leave"):
    """Leave the chair: for good before the first round, else until the token is shown again."""


class SeatAgent(_Request, frozen=True, tag="seat"):
    """As the host: put an agent in a chair, or give the chair back."""

    seat: Seat
    agent: Name | None = None
    """None: give it back, or open it."""


class Start(_Request, frozen=True, tag="start"):
    """As the host: begin the first round."""


class Next(_Request, frozen=True, tag="next"):
    """As the host: begin the next round."""


class Void(_Request, frozen=True, tag="void"):
    """As the host: end a round that cannot go on, without points."""


class LookOver(_Request, frozen=True, tag="review"):
    """As the dealer: have a rule looked over; nothing is dealt."""

    rule: RuleText
    starter: RuleText | None = None


class Deal(_Request, frozen=True, tag="deal"):
    """As the dealer: deal by a rule, or judge by hand."""

    rule: RuleText | None = None
    """None: judge by hand."""
    starter: RuleText | None = None
    hint: Word | None = None


class JudgeStarter(_Request, frozen=True, tag="starter"):
    """As a dealer who judges by hand: say whether the turned card fits."""

    word: Word
    number: Number
    """The number of the last state that the client has seen."""


class MakeMove(_Request, frozen=True, tag="move"):
    """Answer the pending decision."""

    move: Annotated[str, msgspec.Meta(max_length=LARGEST)]
    number: Number
    """The number of the last state that the client has seen."""


class AskAdvice(_Request, frozen=True, tag="advice"):
    """Ask what the adviser would do in one's place."""


class Ping(_Request, frozen=True, tag="ping"):
    """Ask for a sign of life."""


class MakeTables(_Request, frozen=True, tag="make"):
    """In a class: make tables as the teacher, or one as a pupil, and sit down there."""

    count: Annotated[int, msgspec.Meta(ge=1, le=MOST_TABLES)] = 1
    name: Annotated[str, msgspec.Meta(max_length=200)] | None = None
    """The pupil's name; None: of a teacher, who does not sit down."""


class Fill(_Request, frozen=True, tag="fill"):
    """As the teacher of a class: put an agent on all open chairs of tables at which somebody sits."""

    agent: Name


Request: TypeAlias = (
    Enter
    | Join
    | Leave
    | SeatAgent
    | Start
    | Next
    | Void
    | LookOver
    | Deal
    | JudgeStarter
    | MakeMove
    | AskAdvice
    | Ping
)

ClassRequest: TypeAlias = Enter | Join | MakeTables | Fill | Start | Next | Ping
"""What clients send to a class."""


class _Numbered(msgspec.Struct):
    id: Number | None = None


_READER = msgspec.json.Decoder(Request)
_CLASS_READER = msgspec.json.Decoder(ClassRequest)
_NUMBERED = msgspec.json.Decoder(_Numbered)


def read_request(message: str | bytes) -> Request:
    """Read a message of a client at a table.

    Raises:
        Refused: if it is too large, or no request.
    """
    return _read(message, _READER)


def read_class_request(message: str | bytes) -> ClassRequest:
    """Read a message of a client at a class's board.

    Raises:
        Refused: if it is too large, or no request.
    """
    return _read(message, _CLASS_READER)


def _read(message: str | bytes, reader: msgspec.json.Decoder[_Read]) -> _Read:
    if isinstance(message, str):
        message = message.encode(errors="replace")
    if len(message) > LARGEST:
        raise Refused("oversize", f"a message of {len(message)} bytes; {LARGEST} are read at most")
    try:
        return reader.decode(message)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("malformed", f'not a request: {error}; one that is: {{"do":"ping"}}') from None


def number_of(message: str | bytes) -> int | None:
    """Return the client's own number of a message that is no request, if it can be told."""
    if len(message) > LARGEST:
        return None
    try:
        return _NUMBERED.decode(message).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None


def person_name(text: str) -> str:
    """Return a person's name as it is shown: composed, with single spaces.

    Raises:
        Refused: if it is empty, too long, or has signs that cannot be seen.
    """
    name = " ".join(filter(None, unicodedata.normalize("NFC", text).split(" ")))
    if not 1 <= len(name) <= LONGEST_NAME:
        raise Refused("name", f"a name of {len(name)} characters; it has 1 to {LONGEST_NAME}, as in 'Ann'")
    if not name.isprintable():
        raise Refused("name", "the name has signs that cannot be seen; write it in letters, as in 'Ann'")
    return name
