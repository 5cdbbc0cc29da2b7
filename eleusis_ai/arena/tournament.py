"""A tournament, from its config to its ranking: every round played, logged and counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from time import perf_counter

import msgspec
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from eleusis_ai.agent import Agent
from eleusis_ai.arena.config import TournamentConfig
from eleusis_ai.arena.ranking import Ranking, ranking
from eleusis_ai.arena.schedule import DEALER_SEAT, Table, schedule
from eleusis_ai.arena.store import Store, Timing
from eleusis_ai.legal import IllegalMove
from eleusis_ai.match import play_round
from eleusis_ai.moves import Move
from eleusis_ai.profiles import profile_from
from eleusis_ai.record import Record
from eleusis_ai.registry import make_agent, make_dealer
from eleusis_ai.view import View


def run_tournament(config: TournamentConfig, out: Path) -> Ranking:
    """Play a tournament into the folder ``out`` and return its ranking.

    A bar on standard error tells how far it is, where that is a terminal.

    Raises:
        FolderTaken: if ``out`` holds the records of another run.
        UnknownPart: if there is no such agent or dealer; nothing is played then.
        InvalidOptions: if one of them does not take its options; nothing is played then.
        IllegalMove: if an agent answers with a move that is not legal; the rounds before stay in the log.
    """
    for spec in config.agents:
        make_agent(spec, seat=DEALER_SEAT + 1, seed="nothing is played with this one")
    make_dealer(config.dealer.use, config.dealer.options)
    store = Store.create(out, config)
    rounds = config.deals * config.seatings
    for table in tqdm(schedule(config), config.name, rounds, unit=" rounds", disable=None):
        store.append(*play_table(config, table))
    return ranking(store.records(), store.timings())


def play_table(config: TournamentConfig, table: Table) -> tuple[Record, Timing]:
    """Play one round of a tournament; it depends on nothing but the arguments.

    Raises:
        IllegalMove: if an agent answers with a move that is not legal.
    """
    dealer = make_dealer(config.dealer.use, config.dealer.options)
    agents = [
        TimedAgent(spec.id, make_agent(spec, seat=seat, seed=seed))
        for seat, (spec, seed) in enumerate(zip(table.line_up, table.seeds, strict=True), start=DEALER_SEAT + 1)
    ]
    # Entered only now: the limit holds for the libraries that the agents have loaded by then.
    with threadpool_limits(1):
        try:
            record = play_round(
                profile_from(config.profile),
                table.rule,
                [None, *agents],
                dealer=DEALER_SEAT,
                seed=table.chance,
                hint=table.hint,
                judge=dealer,
            )
        except IllegalMove as error:
            raise IllegalMove(f"{table.key}: {error}") from None
        except Exception as error:
            error.add_note(f"in {table.key} of the tournament {config.name}")
            raise
    ids = (config.dealer.name, *(agent.id for agent in agents))
    seconds, decisions = defaultdict[str, float](float), Counter[str]()
    for agent in agents:
        seconds[agent.id] += agent.seconds
        decisions[agent.id] += agent.decisions
    timing = Timing(
        key=table.key, seconds={name: round(spent, 6) for name, spent in seconds.items()}, decisions=dict(decisions)
    )
    return msgspec.structs.replace(record, key=table.key, agents=ids), timing


class TimedAgent:
    """An agent with a stopwatch, whose illegal answers are told by its name."""

    def __init__(self, id: str, agent: Agent) -> None:  # noqa: A002 - the word of the config
        self.id = id
        self.seconds = 0.0
        """Time it has thought."""
        self.decisions = 0
        """Decisions it has answered."""
        self._agent = agent

    def act(self, view: View) -> Move:
        """Answer as the agent does.

        Raises:
            IllegalMove: if its answer is not legal.
        """
        began = perf_counter()
        move = self._agent.act(view)
        self.seconds += perf_counter() - began
        self.decisions += 1
        if problem := view.legal_moves().problem(move):
            raise IllegalMove(f"agent {self.id!r} at seat {view.seat} answered {move!s:.80}: {problem}")
        return move
