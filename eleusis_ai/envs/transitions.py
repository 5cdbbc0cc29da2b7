"""Recorded rounds as what a learner would have seen and done, to imitate: a row an action, in a Parquet file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np

from eleusis_ai.cards import Card
from eleusis_ai.envs.actions import FINISH, Actions, call_action
from eleusis_ai.envs.encoding import COLUMNS, Observation
from eleusis_ai.envs.play import Play
from eleusis_ai.envs.setting import published
from eleusis_ai.envs.sources import UniformPick
from eleusis_ai.moves import Attempt, Call, Move, Pick, parse_move
from eleusis_ai.profiles import Profile, Stating
from eleusis_ai.record import InvalidRecord, Record
from eleusis_ai.registry import MissingExtra
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule

ROWS = 4096
"""Rows of a file that are held in memory."""
FILE = "transitions.parquet"


class Transition(msgspec.Struct, frozen=True, kw_only=True):
    """One action of one seat, and what the seat knew when it took it."""

    key: str
    """The record's key."""
    move: int
    """The number of the move that the action belongs to, from 1; a string is built by several actions."""
    seat: int
    agent: str
    """Who sat there; empty if nobody is named."""
    substitute: bool
    """Whether the move was made for a seat that gave no legal answer."""
    observation: Observation
    action: int
    reward: float
    """The seat's points for its last action in a round that is over, otherwise 0."""
    last: bool
    """Whether the seat takes no more actions in the round."""


def actions_for(profile: Profile) -> Actions:
    """Return the actions of `eleusis_ai/Eleusis-v0` in ``profile``, as it is made by default."""
    return Actions(() if profile.stating is Stating.NEVER else published(profile))


def transitions(record: Record, *, columns: int = COLUMNS) -> list[Transition]:
    """Return a round as the actions of its scientists, in order.

    Moves that no action can make are left out: statements of rules outside the catalogue, and answers to strings
    longer than the actions know. So is a round whose dealer judged by hand.

    Raises:
        InvalidRecord: if the record does not replay.
    """
    if record.rule is None:
        return []
    moves = [parse_move(text) for text in record.replay().record().moves]
    round_ = record.deal()
    picks = _RecordedPicks(move.card for move in moves if isinstance(move, Pick))
    actions = actions_for(round_.profile)
    play = Play(round_, actions=actions, columns=columns, judge=picks, picks=Random(0))
    found: list[Transition] = []
    for number, move in enumerate(moves, start=1):
        if isinstance(move, Pick):
            continue
        for action, observation, seat in _taken(play, move, actions):
            found.append(
                Transition(
                    key=record.key,
                    move=number,
                    seat=seat,
                    agent=record.agents[seat] if record.agents else "",
                    substitute=number in record.substitutes,
                    observation=observation,
                    action=action,
                    reward=0.0,
                    last=False,
                )
            )
    return _paid(found, round_.scores() if round_.over else None)


def write_parquet(records: Iterable[Record], folder: Path) -> tuple[Path, int]:
    """Write the transitions of ``records``, all of one profile, and return the file and how many rows it has.

    Every array of an observation is a column of lists of one length, in the order of its elements; the file's
    metadata tell the shapes, as ``shape:KEY`` with numbers parted by commas, and the profile.

    Raises:
        MissingExtra: without pyarrow.
        InvalidRecord: if a record does not replay, or has another profile than the first.
    """
    try:
        arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise MissingExtra("a Parquet file", "parquet") from error
    folder.mkdir(parents=True, exist_ok=True)
    path, rows, writer, profile = folder / FILE, 0, None, None
    try:
        for batch in _batches(records):
            table = _table(arrow, batch.rows, batch.profile)
            if writer is None:
                profile = batch.profile
                writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
            if batch.profile != profile:
                raise InvalidRecord(f"records of {batch.profile} follow those of {profile}; export each by itself")
            writer.write_table(table)
            rows += len(batch.rows)
    finally:
        if writer is not None:
            writer.close()
    if writer is None:
        raise InvalidRecord("no round that a learner could imitate; one has a secret rule, and moves")
    return path, rows


class _Batch(msgspec.Struct, frozen=True):
    profile: str
    rows: list[Transition]


def _batches(records: Iterable[Record]) -> Iterator[_Batch]:
    """Yield the transitions in pieces that fit into memory, each of one profile."""
    rows: list[Transition] = []
    profile = ""
    for record in records:
        name = msgspec.json.encode(record.profile).decode()
        if rows and (len(rows) >= ROWS or name != profile):
            yield _Batch(profile, rows)
            rows = []
        profile = name
        rows += transitions(record)
    if rows:
        yield _Batch(profile, rows)


def _table(arrow: Any, rows: Sequence[Transition], profile: str) -> Any:
    """Return rows as a table of pyarrow's."""
    columns: dict[str, Any] = {
        name: [getattr(row, name) for row in rows] for name in ("key", "move", "seat", "agent", "substitute")
    }
    metadata = {"profile": profile}
    for name, array in rows[0].observation.items():
        flat = np.concatenate([row.observation[name].ravel() for row in rows])
        columns[name] = arrow.FixedSizeListArray.from_arrays(arrow.array(flat), array.size)
        metadata[f"shape:{name}"] = ",".join(map(str, array.shape))
    columns |= {name: [getattr(row, name) for row in rows] for name in ("action", "reward", "last")}
    return arrow.table(columns).replace_schema_metadata(metadata)


class _RecordedPicks(UniformPick):
    """A dealer who picks what was picked."""

    def __init__(self, cards: Iterable[Card]) -> None:
        self._cards = deque(cards)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Never asked: a recorded round has its rule."""
        raise AssertionError(f"the record of a round of {profile} has a rule, and {rng} is not needed")

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:  # noqa: ARG002 - it is in the record
        """Return the next card that was picked."""
        return self._cards.popleft()


def _taken(play: Play, move: Move, actions: Actions) -> Iterator[tuple[int, Observation, int]]:
    """Make ``move`` by actions, and yield each with what the seat knew before; none, if actions cannot make it."""
    steps = _steps(move, actions)
    seat = play.seat
    assert seat is not None, "a record that replays moves where a decision is pending"
    if steps is None:
        play.apply(move)
        return
    made = len(play.round.moves)
    for action in steps:
        if len(play.round.moves) > made:  # a string of the greatest length is played without being finished
            return
        yield action, play.observe(seat), seat
        play.act(action)


def _steps(move: Move, actions: Actions) -> tuple[int, ...] | None:
    """Return the actions that make ``move``; None: there are none."""
    if isinstance(move, Attempt):
        return (*map(int, move.cards), FINISH)
    number = call_action(move) if isinstance(move, Call) else actions.number(move)
    return None if number is None else (number,)


def _paid(found: list[Transition], scores: tuple[int, ...] | None) -> list[Transition]:
    """Return the transitions, the last one of each seat marked, and paid if the round is over."""
    last = {each.seat: place for place, each in enumerate(found)}
    for seat, place in last.items():
        reward = 0.0 if scores is None else float(scores[seat])
        found[place] = msgspec.structs.replace(found[place], reward=reward, last=True)
    return found
