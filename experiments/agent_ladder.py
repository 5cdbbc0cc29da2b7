"""Does elimination beat tree, and tree beat random, at howell tables of five, on seeds 1, 2 and 3?

Run it with: python experiments/agent_ladder.py
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.ratings import Difference, Ranking
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.provenance import commit, versions

SEEDS = (1, 2, 3)
DEALS = 40
SEATS = 5
PROFILE = "howell"
LADDER = ("elimination", "tree", "random")
"""The agents, from the one that should be best."""
FAMILIES: dict[str, tuple[str, ...] | None] = {"memoryless and markov1": ("memoryless", "markov1"), "all": None}
"""What the dealer draws from, families of the catalogue; None: all of it."""
RESULTS = Path(__file__).parent / "results" / "agent_ladder"


class Rung(msgspec.Struct, frozen=True, kw_only=True):
    """One tournament: points for a seat in a round, and what each agent is ahead of the next, with 95 % intervals."""

    families: str
    seed: int
    points: dict[str, float]
    milliseconds: dict[str, float]
    """Mean time of a decision."""
    ahead: dict[str, Difference]
    holds: bool
    """Whether no interval holds 0."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    holds: bool
    """Whether it is so in every tournament."""
    commit: str | None
    versions: dict[str, str]
    profile: str
    seats: int
    deals: int
    rungs: tuple[Rung, ...]


def main() -> None:
    """Play the tournaments, write the result, and print the answer."""
    rungs = tuple(play(name, seed) for name in FAMILIES for seed in SEEDS)
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        holds=all(rung.holds for rung in rungs),
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy", "scikit-learn")),
        profile=PROFILE,
        seats=SEATS,
        deals=DEALS,
        rungs=rungs,
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    for rung in rungs:
        print(f"{rung.families}, seed {rung.seed}:", ", ".join(f"{what} {by!s}" for what, by in rung.ahead.items()))
    print("It is so on every seed." if result.holds else "It is not so on every seed.")


def play(families: str, seed: int) -> Rung:
    """Play one tournament."""
    config = config_from(
        {
            "name": "agent_ladder",
            "profile": PROFILE,
            "seats": SEATS,
            "seed": seed,
            "deals": DEALS,
            "dealer": {"use": "catalog", "options": {"families": FAMILIES[families]}},
            "agents": [{"use": name} for name in LADDER],
        }
    )
    with TemporaryDirectory() as folder:
        ranking = run_tournament(config, Path(folder) / "run")
    ahead = {f"{a} - {b}": ranking.paired_difference(a, b) for a, b in pairwise(LADDER)}
    return Rung(
        families=families,
        seed=seed,
        points=column(ranking, "points"),
        milliseconds=column(ranking, "milliseconds"),
        ahead=ahead,
        holds=all(difference.low > 0 for difference in ahead.values()),
    )


def column(ranking: Ranking, name: str) -> dict[str, float]:
    """Return one figure of each agent, in the order of the ladder."""
    figures = {standing.agent: round(getattr(standing, name), 2) for standing in ranking.standings}
    return {agent: figures[agent] for agent in LADDER}


def markdown(result: Result) -> str:
    """Write the result as a page with one table."""
    pairs = list(result.rungs[0].ahead)
    head = ["families", "seed", *LADDER, *pairs]
    lines = [
        f"# {result.question}",
        "",
        f"{'Yes' if result.holds else 'No'}. Points for a seat in a round, means over {result.deals} deals a seed, "
        f"each played in {len(LADDER)} seatings ({result.profile}, {result.seats} seats); differences are paired by "
        f"deal, with 95 % intervals. Commit {result.commit}. Elimination's space was designed with the "
        "catalogue in view, and its prior is fitted on it: it is at home with rules of these kinds.",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * len(head)}",
    ]
    for rung in result.rungs:
        cells = [rung.families, str(rung.seed)]
        cells += [f"{rung.points[agent]:.1f}" for agent in LADDER] + [str(rung.ahead[pair]) for pair in pairs]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
