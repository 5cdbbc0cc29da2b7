"""A ranking as tables for a terminal."""

from __future__ import annotations

import math
from itertools import pairwise

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from eleusis_ai.arena.ratings import Pair, Ranking, Standing
from eleusis_ai.arena.strengths import Strengths

_COLUMNS = (
    "points",
    "won",
    "became\nprophet",
    "still in\noffice",
    "over-\nthrown",
    "expelled",
    "ms a\ndecision",
)


def ranking_tables(ranking: Ranking) -> Group:
    """Lay a ranking out: the standings, each pair of agents, then strengths; 80 columns are enough."""
    faults = [_faults(standing) for standing in ranking.standings if standing.faults]
    legend = [
        _LEGEND,
        *([_HEROES] if ranking.heroes else []),
        *(_matches(standing) for standing in ranking.standings if standing.matches),
        *([_STAND_INS, *faults] if faults else []),
    ]
    parts: list[Table | Text] = [_standings(ranking), *(Text(line, "dim") for line in legend)]
    if ranking.pairs:
        parts += [Text(), *_pairs(ranking)]
    if ranking.strengths is not None:
        parts += [Text(), *_strengths(ranking.strengths)]
    return Group(*parts)


def _faults(standing: Standing) -> str:
    kinds = ", ".join(f"{kind} {count}" for kind, count in standing.faults.items())
    return f"  {standing.agent}: {kinds}"


def _matches(standing: Standing) -> str:
    return f"  {standing.agent} won {standing.matches_won} of its {standing.matches} places in matches"


_LEGEND = (
    "points: mean of a seat in a round ± its standard error, deal by deal;\n"
    "won (a tie counts for all) to expelled: share of the seats it sat on."
)

_HEROES = "Only the hero's seat is rated; all were heroes on the same chairs and deals."

_STAND_INS = "stand-ins: first legal moves made for an agent, and what it did instead:"


_MANY = 28
"""Pairs up to which all are shown; of more, only neighbours in the ranking."""


def _table(first: str) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(first, overflow="fold")
    return table


def _standings(ranking: Ranking) -> Table:
    table = _table("agent")
    for name in _COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    stand_ins = any(standing.faults for standing in ranking.standings)
    if stand_ins:
        table.add_column("stand-\nins", justify="right", no_wrap=True)
    for standing in ranking.standings:
        table.add_row(*_cells(standing), *([str(sum(standing.faults.values()))] if stand_ins else []))
    return table


def _cells(standing: Standing) -> list[str]:
    shares = (standing.won, standing.declared, standing.in_office, standing.overthrown, standing.expelled)
    seats = standing.scientist_rounds
    error = f"± {standing.error:.2f}" if math.isfinite(standing.error) else "± ?"
    return [
        standing.agent,
        f"{standing.points:.2f} {error}",
        *(f"{share / seats:.0%}" if seats else "-" for share in shares),
        "?" if standing.milliseconds is None else f"{standing.milliseconds:.1f}",
    ]


def _pairs(ranking: Ranking) -> list[Text | Table]:
    table = _table("pair")
    table.add_column("points more", justify="right")
    table.add_column("95 % interval", justify="right")
    shown = ranking.pairs if len(ranking.pairs) <= _MANY else _neighbours(ranking)
    for pair in shown:
        table.add_row(f"{pair.better} over {pair.worse}", *_more(pair), *(["*"] if pair.holds else []))
    count = len(ranking.pairs)
    said = ["paired: by deals that both played; Student's t over them, skewness allowed for."]
    if any(pair.holds for pair in shown):
        said.append(f"*: holds {'at 5 %' if count == 1 else f'among all {count} pairs too, by Holm at 5 %'}.")
    if count > len(shown):
        said.append(f"Of the {count} pairs, those of neighbours are shown.")
    return [table, Text("\n".join(said), "dim")]


def _neighbours(ranking: Ranking) -> list[Pair]:
    """Return each agent's pair with the next one."""
    nexts = set(pairwise(standing.agent for standing in ranking.standings))
    return [pair for pair in ranking.pairs if (pair.better, pair.worse) in nexts]


def _more(pair: Pair) -> tuple[str, str]:
    mean, low, high = pair.difference
    few = {0: "no deal in common", 1: "unbounded: one deal"}
    return f"{mean:+.2f}", few.get(pair.deals, f"{low:+.2f} to {high:+.2f}")


def _strengths(strengths: Strengths) -> list[Text | Table]:
    table = _table("agent")
    for name in ("strength", "95 % interval", "finishes before\nthe next", "95 % interval"):
        table.add_column(name, justify="right")
    followers = dict(pairwise(strengths.agents))
    for agent in strengths.agents:
        strength = strengths.strength(agent)
        cells = [f"{strength.mean:+.0f}", _range(strength.low, strength.high, "+.0f")]
        if agent in followers:
            chance = strengths.chance(agent, followers[agent])
            cells += [f"{chance.mean:.0%}", _range(chance.low, chance.high, ".0%")]
        table.add_row(agent, *cells)
    said = ["strength: 400 points are odds of ten to one of finishing first of two; mean 0."]
    if strengths.imagined:
        said.append("Some never finished before others: half a deal in which they do is imagined for each pair.")
    return [table, Text("\n".join(said), "dim")]


def _range(low: float, high: float, form: str) -> str:
    return f"{low:{form}} to {high:{form}}" if math.isfinite(low) else "unbounded"
