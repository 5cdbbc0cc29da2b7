"""Who did better, as tables and charts: points, strengths, and pair by pair."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from eleusis_ai.arena.ratings import Ranking, Standing
from eleusis_ai.arena.report.digest import Digest, Subject
from eleusis_ai.arena.report.figures import NOTHING, POINTS, Figure, Finding, bounds, link, signed
from eleusis_ai.arena.strengths import Strengths
from eleusis_ai.charts import Chart, Dot, Dots, Interval

MANY = 66
"""Pairs up to which all are drawn; of more, only neighbours in the ranking."""


def standings(digest: Digest, ranking: Ranking) -> Finding:
    """Tell who got how many points, and what became of the seats."""
    matches = any(standing.matches for standing in ranking.standings)
    return Finding(
        name="ranking",
        title="Ranking",
        said=(
            "Points are the mean of a seat in a round, with a 95 % interval over the deals: rounds of one deal share "
            "their rule and cards, so that the deal is what counts as one observation.",
            "The other columns are shares of the scientists' seats that an agent sat on; where several tie for the "
            "most points of a round, all of them have won.",
            *(["Only heroes' seats are rated, all on the same chairs of the same deals."] if ranking.heroes else []),
        ),
        head=(
            *("agent", "points", "won", "became prophet", "still in office", "overthrown", "expelled", "seats"),
            *(["matches won"] if matches else []),
        ),
        rows=tuple(_standing(digest, standing, matches=matches) for standing in ranking.standings),
        charts=(
            Chart(
                title="Points of a seat in a round",
                x_label=POINTS,
                dots=(Dots(name="", dots=tuple(_points(digest, standing) for standing in ranking.standings)),),
            ),
        ),
    )


def _points(digest: Digest, standing: Standing) -> Dot:
    subject = ("points", standing.agent)
    return Dot(
        row=standing.agent,
        value=Interval(standing.points, standing.low, standing.high),
        link=link(digest, subject),
    )


def _standing(digest: Digest, standing: Standing, *, matches: bool) -> tuple[Figure, ...]:
    agent = standing.agent

    def share(count: int, *kinds: str) -> Figure:
        behind = next((subject for kind in kinds if (subject := (kind, agent)) in digest.examples), None)
        seats = standing.scientist_rounds
        return Figure(f"{count / seats:.0%}", "", behind) if seats else NOTHING

    points = Interval(standing.points, standing.low, standing.high)
    return (
        Figure(agent),
        Figure(f"{points.mean:.2f}", bounds(points), ("points", agent)),
        share(standing.won, "won"),
        share(standing.declared, "judged"),
        share(standing.in_office, "kept"),
        share(standing.overthrown, "fell"),
        share(standing.expelled, "expelled"),
        Figure(f"{standing.seat_rounds:,}", "", ("points", agent)),
        *([Figure(f"{standing.matches_won} of {standing.matches}", "", ("points", agent))] if matches else []),
    )


def pairs(digest: Digest, ranking: Ranking) -> Finding:
    """Tell who got more points than whom."""
    rows, dots = [], []
    few = len(ranking.pairs) <= MANY
    nexts = set(pairwise(standing.agent for standing in ranking.standings))
    for pair in ranking.pairs:
        found = Interval(*pair.difference)
        subject: Subject = ("pair", *sorted((pair.better, pair.worse)))
        if subject not in digest.examples:  # they never sat at one table, as heroes of a duplicate
            subject = ("points", pair.better)
        name = f"{pair.better} over {pair.worse}"
        rows.append(
            (
                Figure(name),
                Figure(signed(found.mean), bounds(found, signed), subject),
                Figure(f"{pair.deals:,}", "", subject),
                Figure("yes" if pair.holds else "no"),
            )
        )
        if few or (pair.better, pair.worse) in nexts:
            dots.append(Dot(row=name, value=found, link=link(digest, subject)))
    return Finding(
        name="pairs",
        title="Pairs",
        said=(
            "How many more points one gets than the other, within the deals that both played, with the 95 % "
            "interval over the deals. Where many pairs are looked at some differ by chance: the last column says "
            "whether the difference holds among all pairs, by Holm's correction at 5 %.",
        ),
        head=("pair", "points more", "deals", "holds among all"),
        rows=tuple(rows),
        charts=(
            Chart(
                title=f"Points more than {'the other' if few else 'the next in the ranking'}, paired by deal",
                x_label="points more, mean and 95 % interval",
                dots=(Dots(name="", dots=tuple(dots)),),
                zero=True,
            ),
        ),
    )


def strengths(digest: Digest, found: Strengths) -> Finding:
    """Tell how strong agents are."""
    rows, dots = [], []
    followers = dict(pairwise(found.agents))
    for agent in found.agents:
        strength, behind = found.strength(agent), ("points", agent)
        cells = [Figure(agent), Figure(signed(strength.mean, 0), bounds(strength, partial(signed, digits=0)), behind)]
        if agent in followers:
            chance = found.chance(agent, followers[agent])
            cells.append(Figure(f"{chance.mean:.0%}", bounds(chance, "{:.0%}".format), behind))
        else:
            cells.append(NOTHING)
        rows.append(tuple(cells))
        dots.append(Dot(row=agent, value=strength, link=link(digest, behind)))
    return Finding(
        name="strengths",
        title="Strengths",
        said=(
            "One number an agent, from who finished before whom at a table, by Bradley and Terry: 400 points are "
            "odds of ten to one. Their mean is 0, and intervals are over the deals.",
            *(
                ["Some never finished before others: half a deal in which they do is imagined for each pair."]
                if found.imagined
                else []
            ),
        ),
        head=("agent", "strength", "finishes before the next"),
        rows=tuple(rows),
        charts=(
            Chart(
                title="Strength",
                x_label="strength, and 95 % interval; 400 points are odds of ten to one",
                dots=(Dots(name="", dots=tuple(dots)),),
                zero=True,
            ),
        ),
    )
