"""What is each part of the strategy worth to who has it: the information term, strings, the prophet's office?

Run it with: python experiments/strategy_parts.py
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import msgspec

from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.ratings import Difference, Ranking
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.provenance import commit, versions

PROFILE = "howell"
SEATS = 5
SEED = 11
DEALS = 60
Strategy: TypeAlias = dict[str, float | bool]
WHOLE = "nothing"
PARTS: dict[str, Strategy] = {
    "information": {"information": 0},
    "strings": {"strings": False},
    "the prophet's office": {"prophet": False},
    "hope after a fall": {"after_fall": 0},
}
"""The fields of the strategy that make it do without one of its parts."""
RESULTS = Path(__file__).parent / "results" / "strategy_parts"


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    commit: str | None
    versions: dict[str, str]
    profile: str
    seats: int
    deals: int
    seed: int
    points: dict[str, float]
    """The hero's mean in a round, with the whole strategy and without each part."""
    worth: dict[str, Difference]
    """How many points the hero loses without a part, paired by deal, with 95 % intervals."""


def main() -> None:
    """Play the tournaments, write the result, and print the answer."""
    ranking = play()
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy", "scikit-learn")),
        profile=PROFILE,
        seats=SEATS,
        deals=DEALS,
        seed=SEED,
        points={name: round(float(ranking.deal_means[name].means.mean()), 2) for name in (WHOLE, *PARTS)},
        worth={part: ranking.paired_difference(WHOLE, part) for part in PARTS},
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    for part, worth in result.worth.items():
        print(f"without {part}: {worth!s} points lost")


def play() -> Ranking:
    """Let heroes with the whole strategy and without each part play the same chairs, among others with the whole."""
    heroes: dict[str, Strategy] = {WHOLE: {}, **PARTS}
    config = config_from(
        {
            "name": "strategy_parts",
            "profile": PROFILE,
            "seats": SEATS,
            "seed": SEED,
            "schedule": "duplicate",
            "deals": DEALS,
            "dealer": {"use": "catalog"},
            "agents": [
                {"id": name, "use": "elimination", "options": {"strategy": fields}} for name, fields in heroes.items()
            ],
            "others": [{"id": "other", "use": "elimination"}],
        }
    )
    with TemporaryDirectory() as folder:
        return run_tournament(config, Path(folder) / "run", workers=2)


def markdown(result: Result) -> str:
    """Write the result as a page with one table."""
    lines = [
        f"# {result.question}",
        "",
        "A hero of elimination's kind, with its whole strategy or without one part of it, against three that have "
        f"the whole: {result.profile}, {result.seats} seats, {result.deals} deals of catalogue rules, the hero on "
        f"every chair of each. Points in a round, paired by deal, with 95 % intervals. Seed {result.seed}, commit "
        f"{result.commit}.",
        "",
        "| without | points | lost |",
        "|---|---:|---|",
        f"| nothing | {result.points[WHOLE]:.1f} | |",
    ]
    lines += [f"| {part} | {result.points[part]:.1f} | {worth!s} |" for part, worth in result.worth.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
