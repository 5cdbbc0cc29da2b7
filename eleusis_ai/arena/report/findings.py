"""What a report has to say of some runs, as tables and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from eleusis_ai.arena.families import in_order
from eleusis_ai.arena.ratings import Ranking
from eleusis_ai.arena.report.curves import Curve
from eleusis_ai.arena.report.digest import Digest
from eleusis_ai.arena.report.figures import (
    NOTHING,
    POINTS,
    Figure,
    Finding,
    chart_of,
    if_there,
    link,
    mean,
)
from eleusis_ai.arena.report.placings import pairs, standings, strengths
from eleusis_ai.arena.report.progress import progress
from eleusis_ai.charts import Chart, Dot, Dots, Interval


def findings(digest: Digest, ranking: Ranking, curves: Mapping[str, Curve]) -> Iterator[Finding]:
    """Yield what there is to say, the most important first; what a run has nothing of is left out."""
    agents = [standing.agent for standing in ranking.standings]
    yield standings(digest, ranking)
    if ranking.strengths is not None and len(agents) > 1:
        yield strengths(digest, ranking.strengths)
    if ranking.pairs:
        yield pairs(digest, ranking)
    if len(digest.runs) > 1:
        yield _runs(digest, agents)
    yield _families(digest, agents)
    if curves:
        yield progress(digest, curves)
    if digest.prophecies:
        yield _careers(digest, agents)
    if timed := [agent for agent in agents if agent in digest.clocks]:
        yield _times(digest, timed)
    if digest.faults:
        yield _faults(digest, agents)


def _runs(digest: Digest, agents: Sequence[str]) -> Finding:
    names = [run.name for run in digest.runs]
    subjects = {agent: [("run", agent, str(number)) for number in range(len(names))] for agent in agents}
    rows = [
        (
            Figure(agent),
            *(mean(digest, subject) for subject in subjects[agent]),
            mean(digest, ("points", agent)),
        )
        for agent in agents
    ]
    return Finding(
        name="profiles",
        title="Profiles",
        said=(
            "The mean points of a seat in a round, with 95 % intervals over the deals. Each profile counts points "
            "in its own way, so compare agents within a column. The last column is the mean over the deals of all "
            "of them.",
        ),
        head=("agent", *names, "all deals"),
        rows=tuple(rows),
        charts=(
            chart_of(
                "Points by profile",
                POINTS,
                digest,
                {agent: list(zip(names, subjects[agent], strict=True)) for agent in agents},
            ),
        ),
    )


def _families(digest: Digest, agents: Sequence[str]) -> Finding:
    names = list(map(str, sorted(digest.families, key=in_order)))
    rows = []
    for name in names:
        deals = max(
            digest.means[subject].deals for agent in agents if (subject := ("family", agent, name)) in digest.means
        )
        rows.append(
            (
                Figure(name),
                Figure(f"{deals:,}", "", ("rules", name)),
                *(mean(digest, ("family", agent, name)) for agent in agents),
            )
        )
    return Finding(
        name="families",
        title="Rule families",
        said=(
            "The mean points of a scientist's seat in a round, with 95 % intervals over the deals, by what the "
            "secret rule looks at.",
            "Published rules are in the families of the catalogue. The others are in those that random rules are "
            "drawn from, by what they name: the card alone (memoryless), the last card (transition), branches by "
            "the last card (guarded), the place in the line (periodic), runs (run), counts over the line (count), "
            "the last card but one (lookback2), several of these (composite).",
        ),
        head=("rules", "deals", *agents),
        rows=tuple(rows),
        charts=(
            chart_of(
                "Points by rule family",
                POINTS,
                digest,
                {agent: [(name, ("family", agent, name)) for name in names] for agent in agents},
            ),
        ),
    )


def _careers(digest: Digest, agents: Sequence[str]) -> Finding:
    rows = []
    for agent in agents:
        found = digest.prophecies.get(agent)
        if found is None:
            rows.append((Figure(agent), Figure("0"), *[NOTHING] * 4, NOTHING, mean(digest, ("no prophet", agent))))
            continue
        rows.append(
            (
                Figure(agent),
                Figure(f"{found.declared:,}", "", ("judged", agent)),
                Figure(f"{found.line / found.declared:.1f}", "", ("judged", agent)),
                Figure(f"{found.right / found.declared:.1f}", "", ("judged", agent)),
                Figure(f"{found.declared - found.fell:,}", "", if_there(digest, ("kept", agent))),
                Figure(f"{found.fell:,}", "", if_there(digest, ("fell", agent))),
                mean(digest, ("prophet", agent)),
                mean(digest, ("no prophet", agent)),
            )
        )
    names = {"prophet": "was prophet", "no prophet": "was not"}
    return Finding(
        name="careers",
        title="Prophets",
        said=(
            "How often an agent became prophet, with how many cards on the mainline, and how many plays it then "
            "judged right; whether it stayed in office to the end or fell, overthrown; and its points in the rounds "
            "in which it was prophet, and in the others. Those differ in more than that: who becomes prophet often "
            "knows the rule.",
        ),
        head=(
            "agent",
            "times",
            "cards then",
            "judged right",
            "stayed",
            "fell",
            "points then",
            "points else",
        ),
        rows=tuple(rows),
        charts=(
            chart_of(
                "Points with and without having been prophet",
                POINTS,
                digest,
                {name: [(agent, (kind, agent)) for agent in agents] for kind, name in names.items()},
            ),
        ),
    )


def _times(digest: Digest, agents: Sequence[str]) -> Finding:
    rows, dots = [], []
    for agent in agents:
        clock = digest.clocks[agent]
        low, high = clock.reached_by(0.05), clock.reached_by(0.95)
        subject = ("time", agent)
        rows.append(
            (
                Figure(agent),
                Figure(_spent(clock.milliseconds), "", subject),
                Figure(f"{_spent(low)} to {_spent(high)}", "", subject),
                Figure(f"{clock.decisions:,}", "", subject),
                Figure(f"{clock.seconds:,.1f}", "", subject),
            )
        )
        mean = max(clock.milliseconds, 1e-3)
        dots.append(Dot(row=agent, value=Interval(mean, min(low, mean), max(high, mean)), link=link(digest, subject)))
    return Finding(
        name="times",
        title="Time a decision",
        said=(
            "Milliseconds on the machine that played, beside whatever else ran there: the mean of all decisions, "
            "and what the mean of a round came to in nine rounds of ten.",
        ),
        head=("agent", "ms a decision", "nine rounds of ten", "decisions", "seconds in all"),
        rows=tuple(rows),
        charts=(
            Chart(
                title="Time a decision",
                x_label="milliseconds, mean, and the range of nine rounds of ten",
                dots=(Dots(name="", dots=tuple(dots)),),
                logarithmic=True,
            ),
        ),
    )


def _spent(milliseconds: float) -> str:
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.2g}"


def _faults(digest: Digest, agents: Sequence[str]) -> Finding:
    return Finding(
        name="faults",
        title="Moves made for agents",
        said=("What agents did instead of answering; the first legal move was made for them.",),
        head=("agent", "what it did", "moves"),
        rows=tuple(
            (Figure(agent), Figure(kind), Figure(f"{digest.faults[agent, kind]:,}", "", ("fault", agent, kind)))
            for agent in agents
            for _, kind in sorted(fault for fault in digest.faults if fault[0] == agent)
        ),
    )
