"""Which rules bring a dealer most against elimination, tree and random? Writes the table that `designer` deals from.

Run it with: python experiments/score_designs.py
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec
from threadpoolctl import threadpool_limits

from eleusis_agents.designs import Design, Designs
from eleusis_ai.match import play_round
from eleusis_ai.profiles import PROFILES
from eleusis_ai.registry import make_agent
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.rules.rule_sets import load_rule_set

PROFILE = "howell"
TABLE = ("elimination", "tree", "elimination", "random")
"""From the dealer's left. Half of it should find the rule: that is what the dealer's score rewards."""
SEED = "designs-1"
GENERATED = 120
"""Rules taken from the train set, evenly through its families."""
DEALS = (6, 30)
"""Rounds of each rule: when all are tried, and when the best are scored again, on other deals."""
BEST = 40
"""Rules scored again; only their second scores count, the first ones favour the lucky."""
TABLE_FILE = Path(__file__).parent.parent / "agents" / "eleusis_agents" / "designs.json"


class Candidate(NamedTuple):
    """A rule that may be dealt."""

    source: str
    expression: str
    starter: str | None


def main() -> None:
    """Score the rules, write the table and print its head."""
    candidates = list(dealable())
    with ProcessPoolExecutor(max_workers=os.cpu_count(), initializer=threadpool_limits, initargs=(1,)) as pool:
        tried = list(pool.map(partial(score, stage=0), candidates, chunksize=4))
        order = sorted(range(len(candidates)), key=lambda index: -tried[index].points)[:BEST]
        finalists = [candidates[index] for index in order]
        scored = list(pool.map(partial(score, stage=1), finalists))
    designs = Designs(
        profile=PROFILE,
        table=TABLE,
        deals=DEALS[1],
        seed=SEED,
        scored=len(candidates),
        designs=tuple(sorted(scored, key=lambda design: (-design.points, design.expression))),
    )
    TABLE_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(designs)) + b"\n")
    print(f"{len(candidates)} rules tried; the dealer's mean over all {fmean(design.points for design in tried):.1f}")
    for design in designs.designs[:10]:
        print(f"{design.points:5.1f} ± {1.96 * design.error:3.1f}  {design.expression}  ({design.source})")


def dealable() -> Iterator[Candidate]:
    """Yield the rules of the catalogue and some of the train set that may be dealt."""
    train = load_rule_set("train").rules
    some = train[:: max(1, len(train) // GENERATED)]
    published: Sequence[tuple[str, Rule]] = [(f"catalog {entry.id}", entry.rule) for entry in load().values()]
    for source, rule in (*published, *((f"grammar {entry.id}", entry.rule) for entry in some)):
        if review(rule, profile=PROFILES[PROFILE]).ok:
            yield Candidate(source, str(rule), None if rule.starter is None else str(rule.starter))


def score(candidate: Candidate, *, stage: int) -> Design:
    """Deal rounds of one rule and return what the dealer got."""
    rule = Rule.parse(candidate.expression, starter=candidate.starter)
    points = [dealt(rule, f"{SEED}/stage/{stage}/deal/{deal}") for deal in range(DEALS[stage])]
    return Design(
        expression=candidate.expression,
        starter=candidate.starter,
        source=candidate.source,
        points=round(fmean(points), 3),
        error=round(stdev(points) / sqrt(len(points)), 3),
    )


def dealt(rule: Rule, seed: str) -> int:
    """Play one round and return the dealer's points; every rule meets the same cards."""
    agents = [make_agent(name, seat=seat, seed=f"{seed}/agent/{seat}") for seat, name in enumerate(TABLE, start=1)]
    record = play_round(PROFILES[PROFILE], rule, [None, *agents], dealer=0, seed=seed)
    assert record.scores is not None, "a round that was played to its end has scores"
    return record.scores[0]


if __name__ == "__main__":
    main()
