"""What a report has to say of some runs, as tables and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from eleusis_ai.arena.curves import Curve
from eleusis_ai.arena.digest import Digest, Subject
from eleusis_ai.arena.families import in_order
from eleusis_ai.arena.figures import (
    NOTHING,
    Figure,
    Finding,
    bounds,
    chart_of,
    if_there,
    link,
    mean,
    signed,
)
from eleusis_ai.arena.progress import progress
from eleusis_ai.arena.ratings import Ranking, Standing
from eleusis_ai.charts import Chart, Dot, Dots, Interval

POINTS = "points, mean and 95 % interval"
"""What the axis of most charts shows."""


def findings(digest: Digest, ranking: Ranking, curves: Mapping[str, Curve]) -> Iterator[Finding]:
    """Yield what there is to say, the most important first; what a run has nothing of is left out."""
    agents = [standing.agent for standing in ranking.standings]
    yield _standings(digest, ranking)
    if len(agents) > 1:
        yield _pairs(digest, ranking, agents)
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


def _standings(digest: Digest, ranking: Ranking) -> Finding:
    return Finding(
        name="ranking",
        title="Ranking",
        said=(
            "Points are the mean of a seat in a round, with a 95 % interval over the deals: rounds of one deal "
            "share their rule and cards, so that the deal is what counts as one observation.",
            "The other columns are shares of the seats that an agent sat on; where several tie for the most points "
            "of a round, all of them have won.",
        ),
        head=("agent", "points", "won", "became prophet", "still in office", "overthrown", "expelled", "seats"),
        rows=tuple(_standing(digest, standing) for standing in ranking.standings),
        charts=(chart_of("Points of a seat in a round", POINTS, digest, _points(ranking)),),
    )


def _points(ranking: Ranking) -> dict[str, list[tuple[str, Subject]]]:
    return {"": [(standing.agent, ("points", standing.agent)) for standing in ranking.standings]}


def _standing(digest: Digest, standing: Standing) -> tuple[Figure, ...]:
    agent = standing.agent

    def share(count: int, *kinds: str) -> Figure:
        behind = next((subject for kind in kinds if (subject := (kind, agent)) in digest.examples), None)
        return Figure(f"{count / standing.seat_rounds:.0%}", "", behind)

    return (
        Figure(agent),
        mean(digest, ("points", agent)),
        share(standing.won, "won"),
        share(standing.declared, "judged"),
        share(standing.in_office, "kept"),
        share(standing.overthrown, "fell"),
        share(standing.expelled, "expelled"),
        Figure(f"{standing.seat_rounds:,}", "", ("points", agent)),
    )


def _pairs(digest: Digest, ranking: Ranking, agents: Sequence[str]) -> Finding:
    rows, dots = [], []
    for better, worse in combinations(agents, 2):
        found = Interval(*ranking.paired_difference(better, worse))
        subject = ("pair", *sorted((better, worse)))
        if subject not in digest.examples:  # they never sat at one table, as heroes of a duplicate
            subject = ("points", better)
        name = f"{better} over {worse}"
        rows.append((Figure(name), Figure(signed(found.mean), bounds(found, signed), if_there(digest, subject))))
        dots.append(Dot(row=name, value=found, link=link(digest, subject)))
    return Finding(
        name="pairs",
        title="Pairs",
        said=(
            "How many more points one gets than the other. Both played the same deals, so that the difference is "
            "taken within each deal; an interval without 0 says that one is better.",
        ),
        head=("pair", "points more"),
        rows=tuple(rows),
        charts=(
            Chart(
                title="Points more than the other, paired by deal",
                x_label="points more, mean and 95 % interval",
                dots=(Dots(name="", dots=tuple(dots)),),
                zero=True,
            ),
        ),
    )


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
            digest.tallies[subject].deals
            for agent in agents
            if (subject := ("family", agent, name)) in digest.tallies
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
            "How often an agent became prophet, with how many cards on the mainline, how many plays it then judged "
            "right, and whether it was in office at the end or was overthrown; and its points in the rounds in "
            "which it was prophet, and in the others. Those differ in more than that: who becomes prophet often "
            "knows the rule.",
        ),
        head=(
            "agent",
            "times",
            "mainline then",
            "judged right",
            "in office at the end",
            "overthrown",
            "points as prophet",
            "points otherwise",
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
