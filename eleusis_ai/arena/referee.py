"""The referee of a table: asks its agents one by one, and stands in for one that gives no legal answer."""

from __future__ import annotations

import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from math import inf
from random import Random
from time import perf_counter
from typing import get_args

import msgspec

from eleusis_ai.agent import Agent, Attends, Dealer, Misbehaved
from eleusis_ai.arena.config import DealerSpec, TournamentConfig
from eleusis_ai.arena.notes import Made, Notes
from eleusis_ai.arena.outcomes import Outcome, Timing
from eleusis_ai.arena.schedule import Table
from eleusis_ai.cards import Card
from eleusis_ai.match import play_out
from eleusis_ai.moves import Move, Pick, parse_move
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record, substitute
from eleusis_ai.registry import AgentSpec, make_agent, make_dealer
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View

MOVES = get_args(Move)
"""The kinds of move."""
TRACE = 2000
"""Characters of a traceback that are kept."""


class Rest(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a round that took its first worker down."""

    begun: tuple[Made, ...] = ()
    """The moves up to there: they are made again."""
    out: dict[int, str] = {}
    """Seats that are not asked any more, and why."""
    again: bool = False
    """Whether a worker died over it, and it could not be said through whom."""


NOTHING = Rest()
"""Nothing is known: the round has not been played."""


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


class Played(msgspec.Struct, frozen=True):
    """A round that was played."""

    record: Record
    outcome: Outcome
    timing: Timing
    faults: tuple[Fault, ...]


def play_table(
    config: TournamentConfig, table: Table, *, profile: Profile, rest: Rest = NOTHING, notes: Notes | None = None
) -> Played:
    """Play one round of a tournament; the record depends on nothing but ``config``, ``table`` and ``rest``.

    Args:
        config: The tournament.
        table: The round.
        profile: That of ``config``.
        rest: What is known of the round if it was played before.
        notes: Where it is noted who is asked; None: nowhere.
    """
    notes = notes or Notes()
    chairs = [
        None if spec is None else Chair(spec, seat, seed, notes)
        for seat, (spec, seed) in enumerate(zip(table.line_up, table.seeds, strict=True))
    ]
    referee = Referee(table, config.time_limit, rest, notes)
    played = play_out(
        profile,
        table.rule,
        chairs,
        dealer=table.dealer,
        seed=table.chance,
        hint=table.hint,
        judge=Judge(table.dealer_spec, notes),
        turn=referee.turn,
    )
    notes.nobody()
    record = msgspec.structs.replace(
        played.record(), key=table.key, agents=table.names, substitutes=referee.substitutes
    )
    return Played(record, Outcome.seen(played, record), referee.timing(), tuple(referee.faults.values()))


class Judge:
    """A dealer who picks, made when there is something to pick; what goes wrong with him is no agent's fault."""

    def __init__(self, spec: DealerSpec, notes: Notes) -> None:
        self._spec, self._notes = spec, notes

    @cached_property
    def _dealer(self) -> Dealer:
        return make_dealer(self._spec.use, self._spec.options)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        """Choose as the dealer does."""
        return self._dealer.choose(profile, rng)

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        """Pick as the dealer does."""
        self._notes.nobody()
        card = self._dealer.pick(legal, rng)
        self._notes.made(Pick(card))
        return card


class Chair:
    """An agent that is made when it is first asked, so that the referee sees how that goes."""

    def __init__(self, spec: AgentSpec, seat: int, seed: str, notes: Notes) -> None:
        self._spec, self._seat, self._seed, self._notes = spec, seat, seed, notes
        self._agent: Agent | None = None

    def act(self, view: View) -> Move:
        """Answer as the agent does."""
        if self._agent is None:
            self._agent = make_agent(self._spec, seat=self._seat, seed=self._seed)
        return self._agent.act(view)

    def ended(self, view: View) -> None:
        """Tell the agent how the round has ended, if it was made and wants to know; its faults count no more."""
        if isinstance(self._agent, Attends):
            self._notes.asking(self._seat, perf_counter())
            with suppress(BaseException):
                self._agent.ended(view)


class Referee:
    """Asks the agents of one round, times them, and makes the first legal move for one that gives none."""

    def __init__(self, table: Table, time_limit: float | None, rest: Rest, notes: Notes) -> None:
        self.substitutes: dict[int, str] = {}
        """As in `Record`."""
        self.faults: dict[tuple[str, str], Fault] = {}
        """The first of each kind, by agent."""
        self._table, self._rest, self._notes = table, rest, notes
        self._time_limit = inf if time_limit is None else time_limit
        self._seconds = [0.0] * len(table.names)
        self._decisions = [0] * len(table.names)

    def turn(self, round_: Round, agent: Agent) -> None:
        """Make the agent's answer to the pending decision, or the substitute.

        Where the round is played again, the agent is asked too, since it may remember what it was asked, but
        the move is the one that was made.
        """
        assert round_.decision is not None, "an agent is asked where a decision is pending"
        seat, number = round_.decision.seat, len(round_.moves)
        move, fault, detail = None, self._rest.out.get(seat, ""), ""
        begun = self._rest.begun[number] if number < len(self._rest.begun) else None
        if not fault:
            move, fault, detail = self._answer(round_, agent, seat, number)
        if begun is not None:
            move, fault = parse_move(begun.text), begun.fault
            round_.apply(move)
        elif move is None:
            move = substitute(round_)
            round_.apply(move)
        if fault:
            self.substitutes[number + 1] = fault
            where = f"{self._table.key}, seat {seat}, move {number + 1}"
            note = Fault(agent=self._table.names[seat], kind=fault, where=where, detail=detail)
            self.faults.setdefault((note.agent, fault), note)
        self._notes.made(move, fault)

    def timing(self) -> Timing:
        """Return how long each agent thought."""
        seconds, decisions = defaultdict[str, float](float), Counter[str]()
        for name, spent, asked in zip(self._table.names, self._seconds, self._decisions, strict=True):
            if asked:
                seconds[name] += spent
                decisions[name] += asked
        return Timing(
            key=self._table.key,
            seconds={name: round(spent, 6) for name, spent in seconds.items()},
            decisions=dict(decisions),
        )

    def _answer(self, round_: Round, agent: Agent, seat: int, number: int) -> tuple[Move | None, str, str]:
        """Ask the agent for move ``number``, and make it unless the round is played again up to there.

        Returns:
            The move; or None, the fault, and what the agent's author should know.
        """
        view = round_.view(seat)
        began = perf_counter()
        self._notes.asking(seat, began)
        try:
            move = agent.act(view)
        except Misbehaved as error:  # whose traceback would be that of the protocol
            return None, f"raised {type(error).__name__}", _readable(str(error))
        except BaseException as error:  # it may raise whatever it likes, SystemExit too
            own = error.__traceback__
            while own is not None and own.tb_frame.f_code.co_filename == __file__:
                own = own.tb_next
            trace = "".join(traceback.format_exception(type(error), error, own))
            return None, f"raised {type(error).__name__}", _readable(trace)
        finally:
            spent = perf_counter() - began
            self._seconds[seat] += spent
            self._decisions[seat] += 1
        if type(move) not in MOVES:
            return None, "illegal", f"it answered with {type(move).__name__}, which is no move; one is Attempt"
        make = spent <= self._time_limit and number >= len(self._rest.begun)
        problem = _problem(round_, number, move, round_.apply if make else round_.check)
        if problem:
            return None, "illegal", problem
        if spent > self._time_limit:
            return None, "slow", f"it took {spent:.3g} seconds, and {self._time_limit:g} are allowed"
        return move, "", ""


def _problem(round_: Round, number: int, move: Move, do: Callable[[Move], object]) -> str:
    """Check or make move ``number``, which an agent has answered with; return why it is not legal, or nothing."""
    try:
        do(move)
    except BaseException:  # not IllegalMove only: what is inside the move may raise when it is looked at
        if len(round_.moves) > number:
            raise  # a defect of the round's own
        return _readable(traceback.format_exc(limit=0))
    return ""


def _readable(text: str) -> str:
    """Return the end of a text that an agent had a hand in; it may hold what no encoding has."""
    return text[-TRACE:].encode("utf-8", "backslashreplace").decode()
