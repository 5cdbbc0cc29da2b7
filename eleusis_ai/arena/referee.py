"""The referee of a table: asks its agents one by one, and stands in for one that gives no legal answer."""

from __future__ import annotations

import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from time import perf_counter
from typing import NamedTuple, get_args

import msgspec

from eleusis_ai.agent import Agent
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.schedule import Table
from eleusis_ai.match import play_out
from eleusis_ai.moves import Move, parse_move
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import Record, substitute
from eleusis_ai.registry import AgentSpec, make_agent, make_dealer
from eleusis_ai.round import Round
from eleusis_ai.view import View

MOVES = get_args(Move)
"""The kinds of move."""
TRACE = 2000
"""Characters of a traceback that are kept."""


class Made(NamedTuple):
    """A move as it was made at a table."""

    text: str
    fault: str = ""
    """Why it is a substitute; empty: it is the agent's own."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A round to be played, and what is known of it if its first worker died."""

    table: Table
    begun: tuple[Made, ...] = ()
    """The moves up to where an agent took its worker down: they are made again."""
    out: dict[int, str] = {}
    """Seats that are not asked any more, and why."""
    again: bool = False
    """Whether a worker was killed over it that nobody here wanted dead."""


class Asked(msgspec.Struct, frozen=True, tag=True):
    """What a worker tells before it asks an agent, so that whoever watches knows whom it waits for."""

    seat: int
    made: tuple[Made, ...]
    """The moves since the last agent was asked."""


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent did instead of answering, for its author."""

    agent: str
    kind: str
    """As in ``Record.substitutes``."""
    where: str
    """Round, seat and move."""
    detail: str = ""
    """The reason in a sentence, or the end of a traceback."""

    def __str__(self) -> str:
        said = f"\n{self.detail.rstrip()}" if self.detail else ""
        return f"agent {self.agent!r}: {self.kind} ({self.where}); the first legal move is made for it{said}"


class Played(msgspec.Struct, frozen=True, tag=True):
    """A round that was played."""

    record: Record
    outcome: Outcome
    timing: Timing
    faults: tuple[Fault, ...]


def play_table(config: TournamentConfig, task: Task, tell: Callable[[Asked], None]) -> Played:
    """Play one round of a tournament; the record depends on nothing but ``config`` and ``task``.

    Args:
        config: The tournament.
        task: The round.
        tell: Hears whom the referee asks, before it does.
    """
    table = task.table
    chairs = [
        None if spec is None else Chair(spec, seat, seed)
        for seat, (spec, seed) in enumerate(zip(table.line_up, table.seeds, strict=True))
    ]
    referee = Referee(task, table.names, config.time_limit, tell)
    played = play_out(
        profile_from(config.profile),
        table.rule,
        chairs,
        dealer=table.dealer,
        seed=table.chance,
        hint=table.hint,
        judge=make_dealer(table.dealer_spec.use, table.dealer_spec.options),
        ask=referee.ask,
    )
    record = msgspec.structs.replace(
        played.record(), key=table.key, agents=table.names, substitutes=referee.substitutes
    )
    return Played(record, Outcome.seen(played, record), referee.timing(), tuple(referee.faults.values()))


class Chair:
    """An agent that is made when it is first asked, so that the referee sees how that goes."""

    def __init__(self, spec: AgentSpec, seat: int, seed: str) -> None:
        self._spec, self._seat, self._seed = spec, seat, seed

    @cached_property
    def _agent(self) -> Agent:
        return make_agent(self._spec, seat=self._seat, seed=self._seed)

    def act(self, view: View) -> Move:
        """Answer as the agent does."""
        return self._agent.act(view)


class Referee:
    """Asks the agents of one round, times them, and makes the first legal move for one that gives none."""

    def __init__(
        self, task: Task, ids: Sequence[str], time_limit: float | None, tell: Callable[[Asked], None]
    ) -> None:
        self.substitutes: dict[int, str] = {}
        """As in `Record`."""
        self.faults: dict[tuple[str, str], Fault] = {}
        """The first of each kind, by agent."""
        self._task, self._ids, self._time_limit, self._tell = task, ids, time_limit, tell
        self._told = 0
        self._seconds = defaultdict[str, float](float)
        self._decisions = Counter[str]()

    def ask(self, round_: Round, agent: Agent) -> Move:
        """Return the agent's answer to the pending decision, or the substitute.

        Where the round is played again, the agent is asked too, since it may remember what it was asked, but
        the move is the one that was made.
        """
        assert round_.decision is not None, "an agent is asked where a decision is pending"
        seat, number = round_.decision.seat, len(round_.moves)
        move, fault, detail = None, self._task.out.get(seat, ""), ""
        if not fault:
            self._tell(Asked(seat, self._news(round_)))
            move, fault, detail = self._answer(round_, agent)
        if number < len(self._task.begun):
            text, fault = self._task.begun[number]
            move = parse_move(text)
        if fault:
            self.substitutes[number + 1] = fault
            where = f"{self._task.table.key}, seat {seat}, move {number + 1}"
            note = Fault(agent=self._ids[seat], kind=fault, where=where, detail=detail)
            self.faults.setdefault((note.agent, fault), note)
        return substitute(round_) if move is None else move

    def timing(self) -> Timing:
        """Return how long each agent thought."""
        return Timing(
            key=self._task.table.key,
            seconds={name: round(spent, 6) for name, spent in self._seconds.items()},
            decisions=dict(self._decisions),
        )

    def _news(self, round_: Round) -> tuple[Made, ...]:
        start, self._told = self._told, len(round_.moves)
        return tuple(
            Made(str(move), self.substitutes.get(number, ""))
            for number, move in enumerate(round_.moves[start:], start=start + 1)
        )

    def _answer(self, round_: Round, agent: Agent) -> tuple[Move | None, str, str]:
        """Return the agent's move; or None, the fault, and what its author should know."""
        assert round_.decision is not None, "an agent is asked where a decision is pending"
        view, name = round_.view(round_.decision.seat), self._ids[round_.decision.seat]
        began = perf_counter()
        try:
            move = agent.act(view)
        except BaseException as error:  # it may raise whatever it likes, SystemExit too
            own = error.__traceback__
            while own is not None and own.tb_frame.f_code.co_filename == __file__:
                own = own.tb_next
            trace = "".join(traceback.format_exception(type(error), error, own))
            return None, f"raised {type(error).__name__}", _readable(trace)
        finally:
            spent = perf_counter() - began
            self._seconds[name] += spent
            self._decisions[name] += 1
        if type(move) not in MOVES:
            return None, "illegal", f"it answered with {type(move).__name__}, which is no move; one is Attempt"
        try:
            round_.check(move)
        except BaseException:  # not IllegalMove only: what is inside the move may raise when it is looked at
            return None, "illegal", _readable(traceback.format_exc(limit=0))
        if self._time_limit is not None and spent > self._time_limit:
            return None, "slow", f"it took {spent:.3g} seconds, and {self._time_limit:g} are allowed"
        return move, "", ""


def _readable(text: str) -> str:
    """Return the end of a text that an agent had a hand in; it may hold what no encoding has."""
    return text[-TRACE:].encode("utf-8", "backslashreplace").decode()
