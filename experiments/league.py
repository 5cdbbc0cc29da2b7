"""Who plays Eleusis best, over all profiles and over published and generated rules alike?

Every profile is played in two tournaments, one deals published rules and one rules of the test set, a family drawn
first and then a rule of it. Runs go to runs/league; one that was stopped goes on when this is started again.
Run it with: python experiments/league.py
Then read it all: eleusis report runs/league/*
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from time import perf_counter

import msgspec

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.ratings import Difference, Ranking, rank
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.store import Store
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.profiles import PROFILES
from eleusis_ai.provenance import commit, versions

PLAYED = (*PROFILES, "howell+cooperative", "howell+numbers-only")
SOURCES = {"published": "catalog", "generated": "generated"}
"""Dealers by where their rules come from."""
SEATS = 5
DEALS = 16
"""Of each profile and source."""
SEED = 6
AGENTS = (
    {"use": "elimination"},
    {"use": "tree"},
    {"id": "forest", "use": "learner", "options": {"learner": "forest"}},
    {"id": "sklearn", "use": "learner", "options": {"learner": "sklearn"}},
    {"id": "streed", "use": "learner", "options": {"learner": "streed"}},
    {"use": "random"},
)
RUNS = Path("runs") / "league"
RESULTS = Path(__file__).parent / "results" / "league"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One agent: mean points of a seat in a round, over all deals and by part, and its strength."""

    agent: str
    points: float
    error: float
    strength: float
    """In Elo points, 0 being the mean of all."""
    milliseconds: float | None
    over_the_next: Difference | None
    """Paired by deal, with a 95 % interval; None: it is the last."""
    parts: dict[str, float]
    """Points by source and by profile."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole league."""

    question: str
    commit: str | None
    versions: dict[str, str]
    seed: int
    seats: int
    deals: int
    rounds: int
    minutes: float | None
    """How long it took; None: not known, since it was stopped and went on."""
    workers: int
    stand_ins: int
    """Moves that were made for an agent."""
    lines: tuple[Line, ...]


def main() -> None:
    """Play the tournaments, write the result, and print the ranking."""
    began, workers, fresh = perf_counter(), os.cpu_count() or 1, not RUNS.exists()
    for name, config in tournaments():
        run_tournament(config, RUNS / name, workers=workers, resume=True)
    minutes = (perf_counter() - began) / 60
    names = [name for name, _ in tournaments()]
    found = study([RUNS / name for name in names], curves=0)
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy", "pystreed", "scikit-learn")),
        seed=SEED,
        seats=SEATS,
        deals=len(names) * DEALS,
        rounds=sum(run.rounds for run in found.digest.runs),
        minutes=round(minutes, 1) if fresh else None,
        workers=workers,
        stand_ins=sum(sum(standing.faults.values()) for standing in found.ranking.standings),
        lines=tuple(lines(found.ranking, parts(names))),
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    for line in result.lines:
        print(f"{line.agent:12} {line.points:6.2f} ± {line.error:.2f}")


def tournaments() -> Iterator[tuple[str, TournamentConfig]]:
    """Yield the tournaments of the league by name."""
    for profile in PLAYED:
        for source, dealer in SOURCES.items():
            name = f"{profile.replace('+', '-')}-{source}"
            fields = {
                "name": name,
                "profile": profile,
                "seats": SEATS,
                "seed": SEED,
                "deals": DEALS,
                "dealer": {"use": dealer, "options": {"by_family": True}},
                "agents": list(AGENTS),
            }
            yield name, config_from(fields)


def parts(names: Iterable[str]) -> dict[str, dict[str, float]]:
    """Return each agent's mean points by source and by profile; each tournament counts alike."""
    means: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for name in names:
        profile, _, source = name.rpartition("-")
        for standing in rank(Store(RUNS / name).outcomes()).standings:
            for part in (source, profile):
                means[standing.agent][part].append(standing.points)
    return {
        agent: {part: round(fmean(own[part]), 2) for part in sorted(own, key=_place)} for agent, own in means.items()
    }


def _place(part: str) -> int:
    return [*SOURCES, *(profile.replace("+", "-") for profile in PLAYED)].index(part)


def lines(ranking: Ranking, by_part: Mapping[str, dict[str, float]]) -> Iterator[Line]:
    """Yield what there is to say of each agent, best first."""
    assert ranking.strengths is not None, "every agent has met every other"
    agents = [standing.agent for standing in ranking.standings]
    for standing, worse in zip(ranking.standings, (*agents[1:], None), strict=True):
        yield Line(
            agent=standing.agent,
            points=round(standing.points, 2),
            error=round(standing.error, 2),
            strength=round(ranking.strengths.strength(standing.agent).mean),
            milliseconds=None if standing.milliseconds is None else round(standing.milliseconds, 1),
            over_the_next=None if worse is None else ranking.paired_difference(standing.agent, worse),
            parts=by_part[standing.agent],
        )


def markdown(result: Result) -> str:
    """Write the result as a page."""
    found = list(result.lines[0].parts)
    packages = ", ".join(f"{name} {number}" for name, number in result.versions.items())
    text = [
        f"# {result.question}",
        "",
        f"{result.lines[0].agent}. {result.rounds:,} rounds of {result.deals} deals, {result.seats} seats, seed "
        f"{result.seed}: {DEALS} deals for each of {len(PLAYED)} profiles and each of {len(SOURCES)} kinds of rules, "
        f"each deal in {len(AGENTS)} seatings. Workers: {result.workers}; minutes: {result.minutes}. Moves made for "
        f"agents: {result.stand_ins}. Commit {result.commit}; {packages}.",
        "",
        "| agent | points | strength | over the next | ms a decision |",
        "|---|---|---|---|---|",
    ]
    for line in result.lines:
        over = "" if line.over_the_next is None else str(line.over_the_next)
        text.append(
            f"| {line.agent} | {line.points:.2f} ± {line.error:.2f} | {line.strength:+.0f} | {over} | "
            f"{line.milliseconds} |"
        )
    text += [
        "",
        "Points: mean of a seat in a round ± its standard error, over deals; over the next: paired by deal, with a "
        "95 % interval; strength: in Elo points, 0 being the mean of all. The same by part:",
        "",
        f"| agent | {' | '.join(found)} |",
        f"|{'---|' * (1 + len(found))}",
    ]
    text += [f"| {line.agent} | {' | '.join(f'{line.parts[part]:.1f}' for part in found)} |" for line in result.lines]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    main()
