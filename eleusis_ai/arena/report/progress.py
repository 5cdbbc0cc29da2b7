"""Learning curves as a table and as charts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from eleusis_ai.arena.report.curves import Curve, Stretch
from eleusis_ai.arena.report.digest import Digest
from eleusis_ai.arena.report.figures import NOTHING, Figure, Finding, bounds, if_there, link
from eleusis_ai.charts import Chart, Interval, Series

WHOLE = "all"
"""Stands in place of a stretch for a curve as a whole."""
FEWEST = 3
"""Deals from which a stretch of a curve is drawn, where any has so many."""
_TITLES = {
    "chance": "Probability given to the verdict that came, for the cards played",
    "pack": "Probability given to the true verdict, over all 52 cards",
}


def progress(digest: Digest, curves: Mapping[str, Curve]) -> Finding:
    """Tell how agents came to know the rule; there must be a curve."""
    stretches = {agent: tuple(curve.stretches()) for agent, curve in curves.items()}
    rounds = max(curve.rounds for curve in curves.values())
    return Finding(
        name="curves",
        title="Learning curves",
        said=(
            f"From {rounds} rounds drawn by lot and played again: before each card that is judged, agents that have "
            "beliefs are asked how probable they hold it that the card is legal. Shown is the probability that they "
            "gave to the verdict that came, and how often it was more than one half, by the cards that the table had "
            "seen judged.",
            "Players choose what they play, easy cards or telling ones; so the last column asks for all 52 cards "
            "instead, whose true verdicts the rule gives. Without any idea it would be 0.50. Bands and small figures "
            "are 95 % intervals over the deals. A round that goes on for long is often one of a hard rule, so that "
            "the ends of the curves stand for hard rules; what comes from one deal or two is in the table alone.",
        ),
        head=("agent", "cards seen judged", "verdicts", "probability of the verdict", "right", "all 52 cards"),
        rows=tuple(tuple(_figures(digest, agent, stretch)) for agent, own in stretches.items() for stretch in own),
        charts=tuple(
            Chart(
                title=title,
                x_label="cards that were judged before",
                y_label="probability, mean and 95 % interval",
                lines=lines,
            )
            for name, title in _TITLES.items()
            if (lines := tuple(_lines(digest, stretches, name)))
        ),
    )


def _figures(digest: Digest, agent: str, stretch: Stretch) -> Iterator[Figure]:
    behind = if_there(digest, ("curve", agent, str(stretch)))
    yield Figure(agent)
    yield Figure(str(stretch))
    yield Figure(f"{stretch.cards:,}", "", behind)
    yield Figure(f"{stretch.chance.mean:.2f}", bounds(_likely(stretch.chance)), behind)
    yield Figure(f"{stretch.right.mean:.0%}", "", behind)
    if stretch.pack is None:
        yield NOTHING
    else:
        yield Figure(f"{stretch.pack.mean:.2f}", bounds(_likely(stretch.pack)), behind)


def _lines(digest: Digest, stretches: Mapping[str, tuple[Stretch, ...]], name: str) -> Iterator[Series]:
    """Yield a line for each agent of whom ``name`` is known."""
    for agent, own in stretches.items():
        most = max((stretch.deals for stretch in own), default=0)
        told = [stretch for stretch in own if stretch.deals >= min(most, FEWEST)]
        found = [(stretch.seen, _likely(value)) for stretch in told if (value := getattr(stretch, name)) is not None]
        if found:
            yield Series(
                name=agent,
                x=tuple(seen for seen, _ in found),
                y=tuple(value.mean for _, value in found),
                band=tuple((value.low, value.high) for _, value in found),
                link=link(digest, ("curve", agent, WHOLE)),
            )


def _likely(interval: Interval) -> Interval:
    """Return an interval of a probability, which lies between 0 and 1; one that has no bounds stays without."""
    if not math.isfinite(interval.low):
        return interval
    return Interval(interval.mean, max(interval.low, 0.0), min(interval.high, 1.0))
