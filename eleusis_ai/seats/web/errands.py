"""What a table does by itself: a program chooses the rule or picks a card, an agent thinks about its move."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import DecisionKind, Move, Pick
from eleusis_ai.record import substitute
from eleusis_ai.seats.web.crew import AgentFailed
from eleusis_ai.seats.web.entries import Entry, MoveMade, RoundVoided, RuleGiven
from eleusis_ai.seats.web.replies import LIKELIEST
from eleusis_ai.seats.web.setting import TableSetting
from eleusis_ai.seats.web.sitting import Errand, Sitting, Task
from eleusis_ai.seats.web.staff import Staff
from eleusis_ai.seats.web.thinking import Player
from eleusis_ai.seeds import generator
from eleusis_ai.view import View

LONGEST_BELIEF = 1000
"""Characters of what an agent believes, and of its reasons, that are told."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an agent's thinking."""

    move: Move | None
    fault: str | None = None
    """What it did instead of a move."""
    beliefs: tuple[tuple[str, float], ...] = ()


def player_of(name: str, sitting: Sitting, seat: int, agent: str, *, role: str = "agent") -> Player:
    """Return how the crew knows an agent at a table.

    Args:
        name: The table's name.
        sitting: The table.
        seat: Where it sits, or whom it advises.
        agent: Which it is.
        role: Tells those who play from those who advise.
    """
    seed = f"{sitting.deal_name(sitting.rounds)}/{role}/{seat}"
    return Player(table=name, round=str(sitting.rounds), seat=seat, agent=agent, seed=seed)


async def think(staff: Staff, player: Player, view: View) -> Answer:
    """Ask an agent for its answer to the decision of ``view``, and in its turn what it thinks of the rule."""
    try:
        move = await staff.crew.move(player, view)
    except AgentFailed as failed:
        return Answer(None, failed.reason)
    own_turn = view.decision is not None and view.decision.kind is DecisionKind.PLAY
    return Answer(move, beliefs=await believed(staff, player, view) if own_turn else ())


async def believed(staff: Staff, player: Player, view: View) -> tuple[tuple[str, float], ...]:
    """Return the rules that an agent thinks likeliest, with weights; none, if it does not tell."""
    if player.agent in staff.silent:
        return ()
    try:
        beliefs = await staff.crew.beliefs(player, view)
    except AgentFailed:
        return ()
    if beliefs is None:
        staff.silent.add(player.agent)
        return ()
    return tuple((text[:LONGEST_BELIEF], round(weight, 4)) for text, weight in beliefs.rules[:LIKELIEST])


async def reasoned(staff: Staff, player: Player, view: View, move: Move) -> str | None:
    """Return why an agent makes a move, in its own words; None: it does not tell."""
    try:
        reason = await staff.crew.reason(player, view, move)
    except AgentFailed:
        return None
    return None if reason is None else reason[:LONGEST_BELIEF]


async def run(errand: Errand, name: str, sitting: Sitting, staff: Staff) -> Answer | RuleGiven | None:
    """Do what takes its time of an errand, and no less than the table's pace; None: nothing came of it."""
    if errand.task is Task.CHOOSE_RULE:
        return await staff.aside(lambda: chosen(sitting.setting, f"{sitting.deal_name(sitting.rounds)}/rule"))
    pause = asyncio.sleep(sitting.setting.pace)
    if errand.task is Task.PICK or sitting.round is None:
        await pause
        return None
    player = player_of(name, sitting, errand.seat, errand.agent)
    answer, _ = await asyncio.gather(think(staff, player, sitting.round.view(errand.seat)), pause)
    return answer


def entry_of(errand: Errand, sitting: Sitting, came: Answer | RuleGiven | None) -> Entry:
    """Return the entry that an errand writes; ``sitting`` must not have changed since."""
    if errand.task is Task.CHOOSE_RULE:
        return came if isinstance(came, RuleGiven) else RoundVoided()
    if errand.task is Task.PICK:
        return MoveMade(str(Pick(sitting.pick())))
    assert isinstance(came, Answer), "an agent that is asked answers, or fails"
    assert sitting.round is not None, "an agent is asked in a round"
    if came.move is None:
        return MoveMade(str(substitute(sitting.round)), fault=came.fault)
    try:
        sitting.round.check(came.move)
    except IllegalMove:
        return MoveMade(str(substitute(sitting.round)), fault="illegal")
    return MoveMade(str(came.move), beliefs=came.beliefs)


def chosen(setting: TableSetting, name: str) -> RuleGiven | None:
    """Let the program choose a rule; None: it has none for this table.

    Args:
        setting: How the table is laid.
        name: Names what is drawn by chance.
    """
    try:
        rule, hint = setting.make_dealer().choose(setting.way, generator(name))
    except LookupError:
        return None
    return RuleGiven(
        rule=str(rule),
        starter=None if rule.starter is None else str(rule.starter),
        hint=None if hint is None else str(hint),
    )
