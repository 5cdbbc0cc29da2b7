"""On how many secret rules is elimination ahead of tree at howell tables of five, over 40 paired deals a rule?

Run it with: python experiments/seat_points.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import perf_counter
from typing import TypeVar

import msgspec
from scipy.stats import t
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from eleusis_ai.match import play_round
from eleusis_ai.profiles import PROFILES
from eleusis_ai.provenance import commit, versions
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.rules.rule_sets import load_rule_set

PROFILE = "howell"
AGENTS = ("elimination", "tree")
"""Who is compared: the first should be ahead. They sit by turns, so that a table has two of each."""
SEED = "seat-points-1"
DEALS = 40
PUBLISHED = 18
"""Rules of the catalogue, evenly through it, of those without dead ends."""
GENERATED = 12
"""Rules of the test set, likewise."""
RESULTS = Path(__file__).parent / "results" / "seat_points"
Item = TypeVar("Item")


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: by how many points a round the first agent's seats are ahead, with a 95 % interval over deals."""

    rule: str
    starter: str | None
    source: str
    family: str
    ahead: float = 0.0
    low: float = 0.0
    high: float = 0.0


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The whole experiment."""

    question: str
    ahead: int
    """Rules on which the interval lies above 0."""
    behind: int
    """Rules on which it lies below 0."""
    rules: int
    commit: str | None
    versions: dict[str, str]
    profile: str
    deals: int
    seed: str
    compared: tuple[Compared, ...]


def main() -> None:
    """Play the rounds, write the result, and print the answer."""
    began = perf_counter()
    sample = list(rules())
    with ProcessPoolExecutor(max_workers=os.cpu_count(), initializer=threadpool_limits, initargs=(1,)) as pool:
        compared = tuple(tqdm(pool.map(compare, sample), total=len(sample), unit=" rules", disable=None))
    result = Result(
        question=(__doc__ or "").partition("\n")[0],
        ahead=sum(rule.low > 0 for rule in compared),
        behind=sum(rule.high < 0 for rule in compared),
        rules=len(compared),
        commit=commit(),
        versions=versions(("eleusis-ai", "numpy", "scikit-learn")),
        profile=PROFILE,
        deals=DEALS,
        seed=SEED,
        compared=compared,
    )
    RESULTS.mkdir(parents=True, exist_ok=True)
    (RESULTS / "result.json").write_bytes(msgspec.json.format(msgspec.json.encode(result)) + b"\n")
    (RESULTS / "result.md").write_text(markdown(result), encoding="utf-8")
    print(f"{answer(result)} ({(perf_counter() - began) / 60:.0f} minutes)")


def rules() -> Iterator[Compared]:
    """Yield the sample: rules without dead ends, evenly through the catalogue and the test set."""
    published = [entry for entry in load().values() if review(entry.rule, profile=PROFILES[PROFILE]).ok]
    for entry in spread(published, PUBLISHED):
        yield Compared(rule=str(entry.rule), starter=entry.starter, source=f"catalog {entry.id}", family=entry.family)
    generated = [entry for entry in load_rule_set("test").rules if review(entry.rule, profile=PROFILES[PROFILE]).ok]
    for made in spread(generated, GENERATED):
        yield Compared(rule=made.expression, starter=None, source=f"test {made.id}", family=made.family)


def spread(items: Sequence[Item], count: int) -> list[Item]:
    """Return ``count`` of ``items``, evenly spaced."""
    return [items[index * len(items) // count] for index in range(min(count, len(items)))]


def compare(case: Compared) -> Compared:
    """Play all deals of one rule, each in two seatings, and return the paired difference."""
    rule = Rule.parse(case.rule, starter=case.starter)
    differences = [difference(rule, f"{SEED}/{case.source}/deal/{deal}") for deal in range(DEALS)]
    mean, half = fmean(differences), float(t.ppf(0.975, DEALS - 1)) * stdev(differences) / sqrt(DEALS)
    return msgspec.structs.replace(case, ahead=round(mean, 2), low=round(mean - half, 2), high=round(mean + half, 2))


def difference(rule: Rule, seed: str) -> float:
    """Return how far the first agent is ahead in one deal, both seatings taken together."""
    ahead = 0.0
    for seating in range(2):
        names = [AGENTS[(seat + seating) % 2] for seat in range(4)]
        agents = [
            make_agent(name, seat=seat, seed=f"{seed}/seating/{seating}/agent/{seat}")
            for seat, name in enumerate(names, start=1)
        ]
        record = play_round(PROFILES[PROFILE], rule, [None, *agents], dealer=0, seed=seed)
        assert record.scores is not None, "a round that was played to its end has scores"
        for name, points in zip(names, record.scores[1:], strict=True):
            ahead += points if name == AGENTS[0] else -points
    return ahead / 4


def answer(result: Result) -> str:
    """Say it in a sentence."""
    share, mean = result.ahead / result.rules, fmean(rule.ahead for rule in result.compared)
    return (
        f"{AGENTS[0]} is ahead of {AGENTS[1]} by an interval above 0 on {result.ahead} of {result.rules} rules "
        f"({share:.0%}), behind on {result.behind}; mean over rules {mean:+.1f}."
    )


def markdown(result: Result) -> str:
    """Write the result as a page with one table."""
    lines = [
        f"# {result.question}",
        "",
        answer(result),
        f"{result.profile}, tables of five, {result.deals} deals a rule, each in two seatings; 95 % intervals over "
        f"deals. Seed {result.seed}, commit {result.commit}.",
        "",
        "| rule | from | family | ahead | 95 % |",
        "|---|---|---|---:|---|",
    ]
    lines += [
        f"| `{rule.rule}` | {rule.source} | {rule.family} | {rule.ahead:+.1f} | {rule.low:.1f} to {rule.high:.1f} |"
        for rule in sorted(result.compared, key=lambda rule: rule.ahead)
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
