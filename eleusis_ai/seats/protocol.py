"""The seat protocol: what a table and a program outside say to each other, one JSON object a line."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

import msgspec

from eleusis_ai.profiles import Profile
from eleusis_ai.seats.faults import BadJson, BadMessage, GaveUp, NotAnObject, OutOfTurn, UnknownMessage

VERSION = 1
"""The version of the protocol; it grows when what is right in one version is wrong in the next."""
LINE = 2**16
"""Bytes that a line of a program may have, without the end of the line."""
TABLE_LINE = 2**22
"""Bytes that a line of a table may have."""

Seat = Annotated[int, msgspec.Meta(ge=0, description="A seat, from 0, clockwise.")]


class Hello(msgspec.Struct, frozen=True, tag_field="type", tag="hello"):
    """The first thing that either side says: the table first, then the program."""

    version: int
    """The version of the protocol that is spoken."""
    name: str = ""
    """Who speaks, for people to read."""


class ProfileMessage(msgspec.Struct, frozen=True, tag_field="type", tag="profile"):
    """How the round is played; the fields are those of ``eleusis profiles show``."""

    profile: Profile


class SeatMessage(msgspec.Struct, frozen=True, tag_field="type", tag="seat", kw_only=True):
    """Where the program sits."""

    seat: Seat
    """The program's own seat."""
    seats: int
    """Players, the dealer included."""
    dealer: Seat
    """The dealer's seat."""
    hint: str | None
    """The dealer's hint, such as ``no suits``."""
    by_hand: bool
    """Whether the dealer judges by hand, with a rule on paper."""
    seed: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
    """What the program should draw its chances from, so that the round can be played again."""
    time_limit: float
    """Seconds for each decision, counted from its message."""


class EventsMessage(msgspec.Struct, frozen=True, tag_field="type", tag="events"):
    """What has happened since the last such message, in order; at the first one, since the round was dealt."""

    events: tuple[str, ...]
    """As everyone may know it, such as ``seat 2 plays 7H``."""


class ViewMessage(msgspec.Struct, frozen=True, tag_field="type", tag="view", kw_only=True):
    """The table as the seat sees it, now."""

    hand: str
    """The seat's own cards, in the order of arrival; a prophet's are laid aside."""
    layout: str
    """The cards on the table, such as ``7H 9D(2C, 4S 5S) JH``: wrong ones stand in brackets behind the right card
    below which they hang."""
    hand_sizes: tuple[int, ...]
    """Cards held by each seat."""
    stock_size: int
    """Cards in the stock, without the reserve."""
    turn: Seat
    """The scientist whose turn it is, or who acted last."""
    danger: bool
    """Whether a wrong play expels in this turn."""
    attempt: str | None
    """The move under judgement."""
    shown: str
    """The hand shown for a no play under judgement."""
    call: str | None
    """The prophet's answer to the move under judgement, once given."""
    prophet: Seat | None
    """The seat in office."""
    former_prophets: tuple[Seat, ...]
    """Overthrown prophets, who may not declare again."""
    marker: str | None
    """Where the prophet's marker lies: a column of the mainline, from 0, as in ``12``, or a wrong play below it, as
    in ``12.1``."""
    expelled: tuple[Seat, ...]
    """Expelled seats, in the order they went."""
    played: int
    """Cards played so far."""
    accepted_since: int
    """Right cards since the prophet declared; 0 without a prophet."""
    rejected_since: int
    """Wrong cards since the prophet declared; 0 without a prophet."""
    played_at_declaration: int
    """What ``played`` was when the prophet declared; 0 without a prophet."""
    stage: int
    """1, or 2 when mistake cards are played."""
    mistakes: tuple[str, ...]
    """Every seat's mistake cards, in the order they fell."""
    dealer_points: int | None
    """The dealer's points, where the end of stage one has fixed them."""
    idle: int
    """Turns since a right card was laid."""
    turns_left: int | None
    """Turns that are left; null: they are not limited."""
    ending: str | None
    """Why the round ends once the seat that acted has stated the rule or not; null: it goes on."""
    end_reason: str | None
    """Why the round has ended; null: it goes on."""
    emptied: Seat | None
    """The seat whose hand was legally emptied."""
    stated: Seat | None
    """The seat that stated the rule, and was right."""


class Strings(msgspec.Struct, frozen=True):
    """Moves that are too many to be listed: any sequence of two or more of these cards."""

    cards: str
    """The cards, each to be played as often as it stands here."""
    longest: int
    """The most cards that may be played at a time."""


class Statements(msgspec.Struct, frozen=True):
    """Moves that cannot be listed: ``state`` and any rule, as in ``state card.color != last.color``."""

    rejected: bool
    """Whether the rule may look at rejected cards."""


class DecisionMessage(msgspec.Struct, frozen=True, tag_field="type", tag="decision", kw_only=True):
    """The program is asked for a move."""

    number: int
    """Which decision of the conversation this is, from 1; the answer repeats it."""
    kind: str
    """What is asked: ``play``, ``after turn``, ``call``, ``pick`` or ``state rule``."""
    legal: tuple[str, ...]
    """Moves that may be made: all, but for those of the two fields below."""
    strings: Strings | None
    """Moves that may be made, too; null: none."""
    statements: Statements | None
    """Moves that may be made, too; null: none."""


class MoveMessage(msgspec.Struct, frozen=True, tag_field="type", tag="move", kw_only=True):
    """The program's answer to a decision."""

    number: int
    """That of the decision."""
    move: str
    """The move, written as in ``legal``."""


class ResultMessage(msgspec.Struct, frozen=True, tag_field="type", tag="result", kw_only=True):
    """The round is over, and the program may leave."""

    points: tuple[int, ...]
    """Every seat's."""
    rule: str | None
    """The secret rule; null: the dealer judged by hand."""


class ErrorMessage(msgspec.Struct, frozen=True, tag_field="type", tag="error", kw_only=True):
    """Something that was said is wrong; or a program that cannot go on says so in place of an answer."""

    problem: str
    """What came, what was wanted, and what would be right."""
    over: bool = True
    """Whether that ends the conversation; otherwise another move was made in place of the program's."""


FromTable = (
    Hello
    | ProfileMessage
    | SeatMessage
    | EventsMessage
    | ViewMessage
    | DecisionMessage
    | ResultMessage
    | ErrorMessage
)
"""What a table says."""
FromProgram = Hello | MoveMessage | ErrorMessage
"""What a program says."""

_KINDS: dict[str, type[FromProgram]] = {"hello": Hello, "move": MoveMessage, "error": ErrorMessage}
_EXAMPLES = {
    "hello": f'{{"type":"hello","version":{VERSION},"name":"my bot"}}',
    "move": '{"type":"move","number":1,"move":"7H"}',
    "error": '{"type":"error","problem":"I have lost my place"}',
}
_from_table = msgspec.json.Decoder(FromTable)

Wanted = TypeVar("Wanted", Hello, MoveMessage)


def write(message: FromTable | FromProgram) -> str:
    """Write a message as a line, without the end of the line."""
    return msgspec.json.encode(message).decode()


def read_from_program(line: bytes, wanted: type[Wanted]) -> Wanted:
    """Read what a program says where ``wanted`` is expected.

    Raises:
        BadJson, NotAnObject, UnknownMessage, BadMessage, OutOfTurn: if it is anything else.
        GaveUp: if the program says that it cannot go on.
    """
    kind = next(name for name, each in _KINDS.items() if each is wanted)
    example, said = _EXAMPLES[kind], shown(line)
    try:
        found = msgspec.json.decode(line)
    except (ValueError, RecursionError) as error:
        raise BadJson(f"{said} is not JSON ({error!s:.80}); say one object a line, as in {example}") from None
    if not isinstance(found, dict):
        raise NotAnObject(f"{said} is JSON, but no object; say one object a line, as in {example}")
    name = found.get("type")
    if not isinstance(name, str) or name not in _KINDS:
        says = "has no type" if name is None else f"has the type {name!r:.40}"
        raise UnknownMessage(f"{said} {says}; a program says hello and move, as in {example}")
    try:
        message = msgspec.convert(found, _KINDS[name])
    except msgspec.ValidationError as error:
        raise BadMessage(f"{said} is no {name}: {_plain(error)}; one that is: {_EXAMPLES[name]}") from None
    if isinstance(message, ErrorMessage):
        raise GaveUp(f"it gives up: {message.problem:.300}")
    if not isinstance(message, wanted):
        raise OutOfTurn(f"{said} is a {name}, and a {kind} is expected here, as in {example}")
    return message


def read_from_table(line: str | bytes) -> FromTable:
    """Read what a table says.

    Raises:
        BadJson: if it is not JSON.
        BadMessage: if it is no message of a table.
    """
    try:
        return _from_table.decode(line)
    except msgspec.ValidationError as error:
        raise BadMessage(f"{shown(line)} is nothing that a table says: {_plain(error)}") from None
    except (ValueError, RecursionError) as error:
        raise BadJson(f"{shown(line)} is not JSON ({error!s:.80})") from None


def schema() -> dict[str, Any]:
    """Return the JSON schema of a line, whoever says it."""
    return msgspec.json.schema(FromTable | FromProgram)


def shown(line: str | bytes) -> str:
    """Return the beginning of a line, to be shown in a message."""
    text = line if isinstance(line, str) else line[:200].decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else f"{text[:57]}...")


def _plain(error: Exception) -> str:
    text = str(error).replace("`", "").replace(" - at $.", " at ")
    return f"{text[0].lower()}{text[1:]}"
