"""What came of a round for each agent in it: the rows from which ratings and reports are made."""

from __future__ import annotations

from collections import Counter
from typing import Self

import msgspec

from eleusis_ai.arena.schedule import Key
from eleusis_ai.events import ProphetCalled, ProphetDeclared, ProphetOverthrown
from eleusis_ai.record import Record
from eleusis_ai.round import Round


class Career(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat's time as prophet."""

    declared: int
    """Cards on the mainline when it became prophet."""
    right: int = 0
    """Plays and no plays that it judged right."""
    fell: bool = False
    """Whether it erred and was overthrown."""


class SeatOutcome(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one agent made of one seat."""

    agent: str
    points: int
    won: bool = False
    """Whether no scientist has more points; where several tie, all of them won."""
    dealt: bool = False
    """Whether it was the dealer, and its points are a dealer's."""
    rated: bool = True
    """Whether the seat counts in the ratings; the chairs around a hero do not."""
    career: Career | None = None
    """None: it was never prophet."""
    expelled: bool = False
    faults: dict[str, int] = {}
    """How many moves were made for it, by what it did instead of answering."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one round; the same for the same record, so it can be made anew by replay."""

    key: str
    """The record's key."""
    seats: tuple[SeatOutcome, ...]
    """The scientists from the dealer's left; in a match the dealer follows them."""

    @classmethod
    def of(cls, record: Record) -> Self:
        """Replay a record that is over.

        Raises:
            InvalidRecord: if it cannot be replayed.
        """
        return cls.seen(record.replay(), record)

    @classmethod
    def seen(cls, played: Round, record: Record) -> Self:
        """Read the outcome off a round that is over and its record."""
        key = Key.parse(record.key)
        points = played.scores()
        best = max(points[seat] for seat in played.scientists)
        faults: dict[int, Counter[str]] = {}
        for stand_in in record.stand_ins():
            faults.setdefault(stand_in.seat, Counter())[stand_in.fault] += 1
        careers = _careers(played)
        hero = key.hero_seat(played.dealer, played.seats)
        seats = [
            SeatOutcome(
                agent=record.agents[seat],
                points=points[seat],
                won=points[seat] == best,
                rated=hero is None or seat == hero,
                career=careers.get(seat),
                expelled=seat in played.expelled,
                faults=dict(sorted(faults.get(seat, {}).items())),
            )
            for seat in played.scientists
        ]
        if key.round is not None:
            dealer = SeatOutcome(agent=record.agents[played.dealer], points=points[played.dealer], dealt=True)
            seats.append(dealer)
        return cls(key=record.key, seats=tuple(seats))


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """How long each agent thought in one round; kept apart, since no two runs agree on it."""

    key: str
    """The record's key."""
    seconds: dict[str, float]
    """By agent, over all its chairs."""
    decisions: dict[str, int]
    """By agent, over all its chairs."""


_OF_PROPHETS = {ProphetDeclared, ProphetCalled, ProphetOverthrown}


def _careers(played: Round) -> dict[int, Career]:
    """Return the careers of the prophets, by seat."""
    careers: dict[int, Career] = {}
    if played.prophet is None and not played.former_prophets:
        return careers
    calls = Counter[int]()
    for event in played.events:
        if type(event) not in _OF_PROPHETS:  # most of them, and a match looks at its classes one by one
            continue
        match event:
            case ProphetDeclared(seat, marker):
                careers[seat] = Career(declared=marker.column + 1)
            case ProphetCalled(seat):
                calls[seat] += 1
            case ProphetOverthrown(seat):
                calls[seat] -= 1
                careers[seat] = msgspec.structs.replace(careers[seat], fell=True)
            case _:
                pass
    return {seat: msgspec.structs.replace(career, right=calls[seat]) for seat, career in careers.items()}
