"""What is told of a round that is over: how it went, step by step, and what agents thought meanwhile."""

from __future__ import annotations

import msgspec

from eleusis_ai.moves import parse_move
from eleusis_ai.record import Record
from eleusis_ai.seats.steps import Replay
from eleusis_ai.seats.unfolding import replay_of
from eleusis_ai.seats.web.frames import NewsValue, Words, news_of, words_of
from eleusis_ai.seats.web.replies import Likely, likely
from eleusis_ai.seats.web.sitting import Sitting


class NoRound(LookupError):
    """A round that is not over, or was never dealt."""


class Belief(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent thought the rule to be when it made a move."""

    move: int
    """Which move of the record, counted from 1."""
    seat: int
    rules: list[Likely]


class Chronicle(msgspec.Struct, frozen=True, kw_only=True):
    """A round that is over."""

    replay: Replay
    words: Words | None
    """The rule in words; None: it was on paper."""
    beliefs: list[Belief]
    news: list[list[dict[str, NewsValue]]]
    """What happened, secrets included: when the cards were dealt, then move by move."""


def record_of(sitting: Sitting, number: int) -> Record:
    """Return the record of a round, counted from 1.

    Raises:
        NoRound: if it is not over, or was never dealt.
    """
    record = sitting.played[number - 1].record if 1 <= number <= len(sitting.played) else None
    if record is None:
        raise NoRound(f"round {number} of this table is not over, or was never dealt")
    return record


def chronicle_of(sitting: Sitting, number: int) -> Chronicle:
    """Tell a round, counted from 1.

    Raises:
        NoRound: if it is not over, or was never dealt.
    """
    record = record_of(sitting, number)
    round_ = record.deal()
    happened = [round_.events, *(round_.apply(parse_move(move)) for move in record.moves)]
    thoughts = sitting.played[number - 1].thoughts
    return Chronicle(
        replay=replay_of(record),
        words=None if round_.rule is None else words_of(round_.rule),
        beliefs=[Belief(move=each.move, seat=each.seat, rules=likely(each.rules)) for each in thoughts],
        news=[list(map(news_of, events)) for events in happened],
    )
