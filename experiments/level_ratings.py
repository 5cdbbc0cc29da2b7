"""How strong are the levels of the agent elimination, at one table with each other and with one who plays at random?

Published rules and rules of the test set alike, a family drawn first and then a rule of it, howell tables of five.
Run it with: python experiments/level_ratings.py
"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from eleusis_ai.arena.config import TournamentConfig, config_from
from eleusis_ai.arena.ratings import Difference, Ranking
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.charts import Interval
from eleusis_ai.provenance import commit, versions

PROFILE = "howell"
SEATS = 5
DEALS = 400
"""Of each source, each played once: more rules tell more than more seatings."""
SEED = 10
"""One that the levels were not made with."""
SOURCES = {"published": "catalog", "generated": "generated"}
"""Dealers by where their rules come from."""
PLAYERS = ("elimination:master", "elimination:club", "elimination:beginner", "random")
"""From the one that should be best."""
RESULTS = Path(__file__).parent / "results" / "level_ratings"


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One player: points of a seat in a round, and its strength, with 95 % intervals."""

    player: str
    points: float
    error: float
    parts: dict[str, float]
    """Points by source."""
    strength: Interval
    """In Elo points, 0 being the mean of all."""
    won: float
    """Share of its seats that had the most points; a tie counts for all."""
    declared: float
    """Share that became prophet."""
    overthrown: float
    expelled: float
    milliseconds: float
    """Mean time of a decision."""
    over_the_next: dict[str, Difference]
    """Paired by deal, over all deals and by source; empty for the last."""
    before_the_next: dict[str, Interval]
    """How often it finishes before the next, a tie counting half; likewise."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    holds: bool
    """Whether over all deals each is ahead of the next, in points and in strength, with 95 %."""
    commit: str | None
    versions: dict[str, str]
    profile: str
    seats: int
    seed: int
    deals: int
    rounds: int
    minutes: float
    workers: int
    lines: tuple[Line, ...]


def main() -> None:
    """Play the tournaments, write the result, and print the answer."""
    began, workers = perf_counter(), os.cpu_count() or 1
    with TemporaryDirectory() as folder:
        runs = {source: Path(folder) / source for source in SOURCES}
        for source, run in runs.items():
            run_tournament(config(source), run, workers=workers)
            print(f"{source}: {DEALS} deals after {(perf_counter() - began) / 60:.1f} minutes", flush=True)
        whole = study(list(runs.values()), curves=0)
        parts = {source: study([run], curves=0).ranking for source, run in runs.items()}
    lines = tuple(line(player, whole.ranking, parts) for player in PLAYERS)
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        holds=all(each.over_the_next["all"].low > 0 and each.before_the_next["all"].low > 0.5 for each in lines[:-1]),
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy")),
        profile=PROFILE,
        seats=SEATS,
        seed=SEED,
        deals=len(SOURCES) * DEALS,
        rounds=sum(run.rounds for run in whole.digest.runs),
        minutes=round((perf_counter() - began) / 60, 1),
        workers=workers,
        lines=lines,
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    for each in lines:
        over = each.over_the_next.get("all", "")
        print(f"{each.player:22} {each.points:6.2f} ± {each.error:.2f}  {each.strength.mean:+5.0f}  {over}")
    print("The order holds." if result.holds else "The order does not hold.")


def config(source: str) -> TournamentConfig:
    """Return the tournament over one source of rules."""
    return config_from(
        {
            "name": f"level_ratings-{source}",
            "profile": PROFILE,
            "seats": SEATS,
            "seed": SEED,
            "deals": DEALS,
            "rotate": False,
            "dealer": {"use": SOURCES[source], "options": {"by_family": True}},
            "agents": [{"use": player} for player in PLAYERS],
        }
    )


def line(player: str, whole: Ranking, parts: dict[str, Ranking]) -> Line:
    """Return what there is to say of a player."""
    assert whole.strengths is not None, "all sit at one table"
    standing = next(each for each in whole.standings if each.agent == player)
    seats = standing.seat_rounds
    following = dict(pairwise(PLAYERS)).get(player)
    means = {
        source: each.points for source, ranking in parts.items() for each in ranking.standings if each.agent == player
    }
    rankings = {} if following is None else {"all": whole, **parts}
    return Line(
        player=player,
        points=round(standing.points, 2),
        error=round(standing.error, 2),
        parts={source: round(points, 2) for source, points in means.items()},
        strength=whole.strengths.strength(player),
        won=round(standing.won / seats, 3),
        declared=round(standing.declared / seats, 3),
        overthrown=round(standing.overthrown / seats, 3),
        expelled=round(standing.expelled / seats, 3),
        milliseconds=round(standing.milliseconds or 0.0, 1),
        over_the_next={
            name: ranking.paired_difference(player, following)
            for name, ranking in rankings.items()
            if following is not None
        },
        before_the_next={
            name: ranking.strengths.chance(player, following)
            for name, ranking in rankings.items()
            if following is not None and ranking.strengths is not None
        },
    )


def markdown(result: Result) -> str:
    """Write the result as a page with one table."""
    head = [
        "player",
        "points",
        *SOURCES,
        "strength",
        "over the next",
        *(f"{name}, over the next" for name in SOURCES),
        "finishes before the next",
    ]
    head += ["won", "prophet", "overthrown", "expelled", "ms a decision"]
    packages = ", ".join(f"{name} {number}" for name, number in result.versions.items())
    text = [
        f"# {result.question}",
        "",
        f"{'Each' if result.holds else 'Not each'} is ahead of the next, in points and in finishing before it, with "
        f"95 %. {result.rounds:,} rounds of {result.deals} deals, half of them of published rules, each player on "
        f"one chair of each ({result.profile}, {result.seats} seats, seed {result.seed}; {result.workers} "
        f"workers, {result.minutes} minutes). Commit {result.commit}; {packages}.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for each in result.lines:
        low, high = each.strength.low, each.strength.high
        ahead = [each.over_the_next.get(name, "") for name in ("all", *SOURCES)]
        cells = [each.player, f"{each.points:.2f} ± {each.error:.2f}"]
        cells += [f"{each.parts[source]:.1f}" for source in SOURCES]
        cells += [f"{each.strength.mean:+.0f} [{low:+.0f}, {high:+.0f}]", *map(str, ahead)]
        before = each.before_the_next.get("all")
        cells.append("" if before is None else f"{before.mean:.0%} [{before.low:.0%}, {before.high:.0%}]")
        cells += [f"{share:.0%}" for share in (each.won, each.declared, each.overthrown, each.expelled)]
        text.append(f"| {' | '.join([*cells, f'{each.milliseconds:.1f}'])} |")
    text += [
        "",
        "Points: mean of a seat in a round ± its standard error, over deals; over the next: paired by deal, with a "
        "95 % interval; strength: in Elo points, 0 being the mean of all, with a 95 % interval.",
    ]
    return "\n".join(text) + "\n"


if __name__ == "__main__":
    main()
