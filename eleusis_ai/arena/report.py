"""A ranking as tables for a terminal."""

from __future__ import annotations

import math
from itertools import combinations

from rich.box import SIMPLE_HEAD
from rich.console import Group
from rich.table import Table
from rich.text import Text

from eleusis_ai.arena.ratings import Ranking, Standing

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
    """Lay a ranking out: the standings, then each pair of agents; 80 columns are enough."""
    faults = [_faults(standing) for standing in ranking.standings if standing.faults]
    legend = [_LEGEND, _STAND_INS, *faults] if faults else [_LEGEND]
    return Group(_standings(ranking), *(Text(line, "dim") for line in legend), Text(), *_pairs(ranking))


def _faults(standing: Standing) -> str:
    kinds = ", ".join(f"{kind} {count}" for kind, count in standing.faults.items())
    return f"  {standing.agent}: {kinds}"


_LEGEND = (
    "points: mean of a seat in a round ± its standard error, deal by deal;\n"
    "won (a tie counts for all) to expelled: share of the seats it sat on."
)

_STAND_INS = "stand-ins: first legal moves made for an agent, and what it did instead:"


def _standings(ranking: Ranking) -> Table:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("agent", overflow="fold")
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
    error = f"± {standing.error:.2f}" if math.isfinite(standing.error) else "± ?"
    return [
        standing.agent,
        f"{standing.points:.2f} {error}",
        *(f"{share / standing.seat_rounds:.0%}" for share in shares),
        "?" if standing.milliseconds is None else f"{standing.milliseconds:.1f}",
    ]


def _pairs(ranking: Ranking) -> list[Text | Table]:
    if len(ranking.standings) < 2:
        return []
    table = Table("pair", box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("points more", justify="right")
    table.add_column("95 % interval", justify="right")
    for better, worse in combinations((standing.agent for standing in ranking.standings), 2):
        mean, low, high = ranking.paired_difference(better, worse)
        interval = f"{low:+.2f} to {high:+.2f}" if math.isfinite(low) else "unbounded: one deal"
        table.add_row(f"{better} over {worse}", f"{mean:+.2f}", interval)
    return [table, Text("paired: both played the same deals; the interval is Student's t over the deals.", "dim")]
