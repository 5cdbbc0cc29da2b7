"""The board of a class: how each of its tables stands, and the scores of all who play, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from eleusis_ai.seats.web.replies import PROTOCOL
from eleusis_ai.seats.web.setting import ClassSetting
from eleusis_ai.seats.web.sitting import Phase, Sitting


class Standing(Protocol):
    """A table, as far as the board looks at it."""

    name: str
    sitting: Sitting

    @property
    def present(self) -> frozenset[int]:
        """The seats whose persons are there."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """A chair of a table."""

    name: str
    """Whose it is, even while an agent stands in; empty: it is open."""
    agent: str | None
    """Who sits there instead of a person."""
    present: bool
    total: int
    deals: bool


class TableOnBoard(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the class."""

    table: str
    """Its token: whoever sees the board may look on."""
    place: int
    """Its number, from 1."""
    phase: str
    round: int
    ready: bool
    """Whether somebody sits there, no chair is open, and a round may begin."""
    asked: int | None
    """The seat that is asked for something."""
    cards: int
    """Cards on the line and beside it in this round."""
    chairs: list[Place]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has in all rounds that are over."""

    rank: int
    """From 1; those who have as many points share one."""
    name: str
    agent: bool
    place: int
    """The table's number."""
    total: int


class Board(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="board"):
    """What everybody at the board is told; the same for all."""

    tables: list[TableOnBoard]
    scores: list[Score]
    watching: int
    """Clients at the board."""


class You(msgspec.Struct, frozen=True, kw_only=True):
    """What the client is in the class."""

    teacher: bool


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="welcome"):
    """The first frame of every client at a board."""

    protocol: int = PROTOCOL
    you: You
    setting: ClassSetting
    agents: tuple[str, ...]
    """The agents that may be seated."""


class Seated(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="seated"):
    """Where a pupil sits now; the token is told once, and only to him."""

    id: int | None
    table: str
    place: int
    token: str


def is_ready(sitting: Sitting) -> bool:
    """Tell whether a round may begin at a table, and somebody is there to play it."""
    people = any(chair.person is not None for chair in sitting.chairs)
    full = all(chair.kind != "open" for chair in sitting.chairs)
    return people and full and sitting.phase in (Phase.GATHERING, Phase.OVER)


def board_of(tables: Sequence[Standing], *, watching: int) -> bytes:
    """Write the board."""
    return _WRITER.encode(
        Board(tables=list(map(_table, tables)), scores=_scores(table.sitting for table in tables), watching=watching)
    )


def _table(table: Standing) -> TableOnBoard:
    sitting = table.sitting
    decision = None if sitting.phase is not Phase.PLAYING or sitting.round is None else sitting.round.decision
    return TableOnBoard(
        table=table.name,
        place=sitting.place,
        phase=sitting.phase.value,
        round=sitting.rounds,
        ready=is_ready(sitting),
        asked=None if decision is None else decision.seat,
        cards=0 if sitting.round is None else sitting.round.public().played,
        chairs=[
            Place(
                name=chair.person.name if chair.person else chair.name,
                agent=chair.agent,
                present=chair.agent is not None or seat in table.present,
                total=sitting.totals[seat],
                deals=seat == sitting.dealer,
            )
            for seat, chair in enumerate(sitting.chairs)
        ],
    )


def _scores(sittings: Iterable[Sitting]) -> list[Score]:
    """Return the scores of all who sit at a table with people, best first."""
    found = [
        (sitting.totals[seat], chair.person.name if chair.person else chair.name, chair.person is None, sitting.place)
        for sitting in sittings
        if any(chair.person is not None for chair in sitting.chairs)
        for seat, chair in enumerate(sitting.chairs)
        if chair.kind != "open"
    ]
    found.sort(key=lambda each: (-each[0], each[2], each[1].casefold(), each[3]))
    totals = [each[0] for each in found]
    return [
        Score(rank=totals.index(total) + 1, name=name, agent=agent, place=place, total=total)
        for total, name, agent, place in found
    ]


_WRITER = msgspec.json.Encoder()
