"""Frames that answer one client: welcome, done, error, a rule looked over, and advice."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from eleusis_ai.events import Event
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.web.frames import HintPart, NewsValue, Words, news_of, words_of
from eleusis_ai.seats.web.looking_over import LookedOver
from eleusis_ai.seats.web.setting import DEALERS, TableSetting
from eleusis_ai.seats.web.sitting import Who

PROTOCOL = 1
"""The version of requests and frames."""
LONGEST_MESSAGE = 2000
"""Characters of an error that are told."""
LIKELIEST = 3
"""Rules that are told of what an agent believes."""


class _Reply(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """A frame for one client."""


class You(msgspec.Struct, frozen=True, kw_only=True):
    """What the client is at the table."""

    seat: int | None
    host: bool


class Welcome(_Reply, frozen=True, omit_defaults=True, tag="welcome"):
    """The first frame of every client, and again when what it is has changed."""

    protocol: int
    you: You
    setting: TableSetting
    agents: tuple[str, ...]
    """The agents that may be seated."""
    dealers: tuple[str, ...]
    token: str | None = None
    """The token by which the client comes back, when it has just joined."""


class History(_Reply, frozen=True, tag="history"):
    """What has happened in the round so far, as everybody may know it: for who comes late, or comes back."""

    number: int
    news: list[dict[str, NewsValue]]


class Done(_Reply, frozen=True, tag="done"):
    """What was asked for is done, and on the disk."""

    id: int | None
    number: int


class Error(_Reply, frozen=True, tag="error"):
    """What was asked for is not done."""

    id: int | None
    code: str
    message: str


class Reviewed(_Reply, frozen=True, tag="review"):
    """A rule looked over."""

    id: int | None
    ok: bool
    words: Words
    acceptance: float
    refusals: tuple[str, ...]
    advice: tuple[str, ...]
    hints: list[HintPart]


class Likely(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that an agent thinks likely, or another description."""

    text: str
    words: Words | None
    weight: float


class Advice(_Reply, frozen=True, tag="advice"):
    """What the adviser would do."""

    id: int | None
    move: str
    reason: str | None
    rules: list[Likely]


_WRITER = msgspec.json.Encoder()


def welcome(who: Who, setting: TableSetting, *, agents: tuple[str, ...], token: str | None = None) -> bytes:
    """Write a welcome."""
    return _WRITER.encode(
        Welcome(
            protocol=PROTOCOL,
            you=You(seat=who.seat, host=who.host),
            setting=setting,
            agents=agents,
            dealers=DEALERS,
            token=token,
        )
    )


def history(number: int, events: Iterable[Event]) -> bytes:
    """Write what has happened in a round, up to the table's entry ``number``."""
    return _WRITER.encode(History(number=number, news=[news_of(event.seen_by(None)) for event in events]))


def done(id: int | None, number: int) -> bytes:  # noqa: A002 - it is called so in the frame
    """Write that a request is done."""
    return _WRITER.encode(Done(id=id, number=number))


def error(id: int | None, code: str, message: str) -> bytes:  # noqa: A002
    """Write that a request is not done, and why."""
    told = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
    return _WRITER.encode(Error(id=id, code=code, message=told.encode(errors="replace").decode()))


def reviewed(id: int | None, found: LookedOver) -> bytes:  # noqa: A002
    """Write what was found when a rule was looked over."""
    return _WRITER.encode(
        Reviewed(
            id=id,
            ok=not found.refusals,
            words=words_of(found.rule),
            acceptance=found.review.acceptance,
            refusals=found.refusals,
            advice=found.review.advice,
            hints=list(map(HintPart.of, found.hints)),
        )
    )


def advice(
    id: int | None,  # noqa: A002
    move: str,
    *,
    reason: str | None,
    rules: tuple[tuple[str, float], ...],
) -> bytes:
    """Write what the adviser would do and why, and which rules it thinks likeliest."""
    return _WRITER.encode(Advice(id=id, move=move, reason=reason, rules=likely(rules)))


def likely(rules: tuple[tuple[str, float], ...]) -> list[Likely]:
    """Write what an agent believes, best first."""
    return [Likely(text=text, words=_words(text), weight=weight) for text, weight in rules[:LIKELIEST]]


def _words(text: str) -> Words | None:
    try:
        return words_of(Rule.parse(text))
    except InvalidRule:
        return None
