"""The entries of a table's log, the only truth about it: the table is what they make of an empty place."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from eleusis_ai.seats.web.setting import ClassSetting, TableSetting


class InvalidEntry(ValueError):
    """Bytes that are not an entry, or an entry that cannot follow those before it."""


class _Entry(msgspec.Struct, frozen=True, tag_field="entry", omit_defaults=True, forbid_unknown_fields=True):
    """One line of the log."""


class TableFounded(_Entry, frozen=True, kw_only=True, tag="founded"):
    """The first entry of every table."""

    setting: TableSetting
    seed: str
    """Names all that is drawn by chance; nobody at the table may know it."""
    host: str
    """The mark of the host's token, as `eleusis_ai.seats.web.tokens.mark_of` makes it."""
    group: str | None = None
    """The token of the class to which the table belongs."""
    place: int = 0
    """Its number in the class, from 1."""
    teacher: str | None = None
    """The mark of the token of who opened the class, if that is not the host's."""


class ClassOpened(_Entry, frozen=True, kw_only=True, tag="class"):
    """The only entry of a class, which has its name in the ledger beside the tables."""

    setting: ClassSetting
    teacher: str
    """The mark of the teacher's token."""


class PersonJoined(_Entry, frozen=True, tag="joined"):
    """A person takes an open chair."""

    seat: int
    name: str
    token: str
    """The mark of the person's token."""


class PersonLeft(_Entry, frozen=True, tag="left"):
    """A person gives the chair up before the first round, and it is open again."""

    seat: int


class AgentSeated(_Entry, frozen=True, tag="seated"):
    """The host puts an agent in a chair, or takes it away."""

    seat: int
    agent: str | None
    """None: the chair is open again, or that of the person whose it was."""


class RoundBegun(_Entry, frozen=True, tag="begun"):
    """A round is about to be dealt."""

    dealer: int
    deck: str
    """The cards of the whole deck, from its front."""


class RuleGiven(_Entry, frozen=True, kw_only=True, tag="rule"):
    """The dealer has chosen a rule; the cards are dealt, or by hand the first card is turned."""

    rule: str | None = None
    """None: he judges by hand."""
    starter: str | None = None
    """The condition on the first card that goes with the rule."""
    hint: str | None = None


class StarterTurned(_Entry, frozen=True, tag="starter"):
    """A dealer who judges by hand says of the turned card whether it fits."""

    word: str
    """One of `eleusis_ai.seats.starters.WORDS`."""


class MoveMade(_Entry, frozen=True, tag="move"):
    """The pending decision is answered."""

    move: str
    fault: str | None = None
    """What an agent did instead, where the first legal move was made for it."""
    beliefs: tuple[tuple[str, float], ...] = ()
    """What the agent thought the rule to be when it answered, with weights, best first."""


class RoundVoided(_Entry, frozen=True, tag="void"):
    """The host ends a round that cannot go on; nobody gets points, and its dealer has not dealt."""


Entry: TypeAlias = (
    TableFounded
    | ClassOpened
    | PersonJoined
    | PersonLeft
    | AgentSeated
    | RoundBegun
    | RuleGiven
    | StarterTurned
    | MoveMade
    | RoundVoided
)

_READER = msgspec.json.Decoder(Entry)
_WRITER = msgspec.json.Encoder()


def write_entry(entry: Entry) -> bytes:
    """Write an entry as a line of JSON; `read_entry` reads it back."""
    return _WRITER.encode(entry)


def read_entry(line: bytes) -> Entry:
    """Read an entry.

    Raises:
        InvalidEntry: if ``line`` is none.
    """
    try:
        return _READER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidEntry(f"not an entry of a table's log: {error}; `write_entry` writes one") from None
