"""Why the programs of a round moved as they did: made anew, they are asked with the views that they had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.table import Table as Grid
from rich.text import Text

from eleusis_ai.agent import Reasons
from eleusis_ai.moves import Move, parse_move
from eleusis_ai.record import Record
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.seats.setting import YOU
from eleusis_ai.view import View

LONGEST = 400
"""Characters of a reason that are told."""


class Explained(NamedTuple):
    """A move and why it was made."""

    number: int
    """Which move of the round, counted from 1."""
    seat: int
    move: Move
    reason: str

    def drawn(self, names: Sequence[str]) -> Grid:
        """Draw it with who moved, of ``names`` by seat."""
        grid = Grid.grid(padding=(0, 1, 0, 0))
        grid.add_row(
            Text(f"{self.number:>3}."), Text(f"seat {self.seat} ({names[self.seat]}), {self.move}: {self.reason}")
        )
        return grid


class Hindsight:
    """The programs of a round, to be asked why they moved as they did.

    Whoever asks is told secrets of every seat: it is for rounds that are over.
    """

    def __init__(self, record: Record, seated: Mapping[int, AgentSpec]) -> None:
        """Make the agents of ``seated`` anew, by seat; who cannot be made, or has no reasons, is in ``remarks``."""
        self._record = record
        self._agents: dict[int, Reasons] = {}
        self.remarks: list[str] = []
        """Of whom no reason can be told, in a sentence each."""
        for seat, spec in sorted(seated.items()):
            who = f"Seat {seat} ({spec.id})"
            if spec.use == YOU:
                self.remarks.append(f"{who} is a person's.")
                continue
            try:
                agent = make_agent(spec, seat=seat, seed=f"{record.key}/agent/{seat}")
            except (LookupError, ValueError) as error:
                self.remarks.append(f"{who} cannot be asked, since it cannot be made again: {error}")
                continue
            if isinstance(agent, Reasons):
                self._agents[seat] = agent
            else:
                self.remarks.append(f"{who} tells no reasons.")

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of which reasons can be told."""
        return tuple(self._agents)

    def explained(self) -> Iterator[Explained]:
        """Yield every move of those seats with its reason, in order.

        Raises:
            InvalidRecord: if the record cannot be replayed.
        """
        self._record.replay()
        round_ = self._record.deal()
        for number, move in enumerate(map(parse_move, self._record.moves), start=1):
            assert round_.decision is not None, "a record that replays moves where a decision is pending"
            seat = round_.decision.seat
            if seat in self._agents:
                fault = self._record.substitutes.get(number)
                if fault is not None:
                    reason = f"It gave no answer ({fault}), and the first legal move was made for it."
                else:
                    reason = why(self._agents[seat], round_.view(seat), move)
                yield Explained(number, seat, move, reason)
            round_.apply(move)

    def drawn(self) -> Iterator[Grid | Text]:
        """Yield what can be told, each move as soon as its reason is known, and before it of whom there is nothing.

        Raises:
            InvalidRecord: if the record cannot be replayed.
        """
        yield from map(Text, self.remarks)
        for each in self.explained():
            yield each.drawn(self._record.agents)


def why(agent: Reasons, view: View, move: Move) -> str:
    """Return why ``agent`` makes a move, on one line; an agent that fails to say it says so."""
    try:
        reason = " ".join(agent.reason(view, move).split())
    except Exception as error:  # an agent's own defects are its author's
        return f"It failed to say why ({type(error).__name__}: {error!s:.200})."
    return reason if len(reason) <= LONGEST else f"{reason[: LONGEST - 3]}..."
