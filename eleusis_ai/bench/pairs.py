"""Random judged pairs of a last card and a candidate, from which a learner is to tell all others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from time import perf_counter
from typing import Annotated

import msgspec
import numpy as np

from eleusis_ai.agent import Learner
from eleusis_ai.bench.benchmark import Benchmark, Cell, Settings, Summary, Table
from eleusis_ai.bench.intervals import by_cluster
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.cards import CARDS
from eleusis_ai.charts import Chart
from eleusis_ai.evidence import Verdict
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

EIGHT = {
    "other colour": "card.color != last.color",
    "odd to black, even to red": "card.is_black if last.is_odd else card.is_red",
    "black: at least, red: at most": "card.rank >= last.rank if last.is_black else card.rank <= last.rank",
    "same suit or rank": "card.suit == last.suit or card.rank == last.rank",
    "distance 1 to 3": "1 <= abs(card.rank - last.rank) <= 3",
    "red: up to 7, black: from 7": "card.rank <= 7 if last.is_red else card.rank >= 7",
    "suit cycle S H D C": 'card.suit == after(last.suit, "SHDC")',
    "prime iff the last is not": "card.is_prime != last.is_prime",
}
"""Eight rules on the last card, by name."""
PAIRS = 52 * 52
"""All pairs of a last card and a candidate."""


class Reference(msgspec.Struct, frozen=True):
    """What another program got right, with the same rules and numbers of pairs, but pairs of its own."""

    name: str
    exact: dict[int, float]
    """The share of exact answers for each number of pairs."""
    milliseconds: str
    """Of a fit."""


REFERENCES = (
    Reference("pystreed, depth 3, raw", {30: 0.29, 60: 0.46}, "1.5"),
    Reference("RuleFit, raw", {30: 0.15, 60: 0.28}, "1,200"),
    Reference("CN2 unordered, raw", {30: 0.20, 60: 0.31}, "100"),
    Reference("DecisionTree, raw", {30: 0.02, 60: 0.09}, "0.6"),
    Reference("RIPPER, raw", {30: 0.04, 60: 0.09}, "30"),
    Reference("pystreed, depth 3, relational", {30: 0.65, 60: 0.91}, "1.5"),
    Reference("DecisionTree, relational", {30: 0.58, 60: 0.64}, "0.9"),
    Reference("RandomForest, relational", {30: 0.00, 60: 0.18}, "130"),
    Reference("Popper (ILP), 24 cases", {30: 0.88, 60: 1.00}, "1,100 to 40,000"),
)
"""Measured for this project before the benchmark was written, with pystreed 1.4.0, imodels, Orange3, scikit-learn,
wittgenstein and Popper; raw features are rank, suit, colour and parity of both cards, relational ones also compare
the two, and Popper had predicates of its own."""


class PairsSettings(Settings, frozen=True, kw_only=True):
    """What is asked; ``limit`` is the number of samples of each rule."""

    sizes: Annotated[tuple[Annotated[int, msgspec.Meta(ge=1, le=10_000)], ...], msgspec.Meta(min_length=1)]
    """How many pairs are shown."""
    samples: Annotated[int, msgspec.Meta(ge=1)]
    """How often each rule is tried with each size."""


class PairsJob(msgspec.Struct, frozen=True):
    """One rule, so many pairs, drawn for the so-manieth time."""

    rule: str
    """A name of `EIGHT`."""
    size: int
    sample: int


class PairsFound(msgspec.Struct, frozen=True, kw_only=True):
    """How much of the table a learner got right."""

    rule: str
    size: int
    sample: int
    right: int
    """Of 2,704 pairs."""
    seconds: float
    """From the first pair to the first prediction."""


def jobs(settings: PairsSettings) -> list[PairsJob]:
    """List the samples, rule by rule."""
    samples = settings.samples if settings.limit is None else min(settings.samples, settings.limit)
    return [PairsJob(rule, size, number) for rule in EIGHT for size in settings.sizes for number in range(samples)]


def shown(job: PairsJob, seed: int) -> Iterator[Verdict]:
    """Yield the pairs of a job with their verdicts; a pair may occur twice."""
    rule = Rule.parse(EIGHT[job.rule])
    rng = generator(f"{seed}/pairs/{job.rule}/{job.size}/{job.sample}")
    for _ in range(job.size):
        line, card = (rng.choice(CARDS),), rng.choice(CARDS)
        yield Verdict(line, card, legal=rule.allows(line, card))


def attempt(spec: LearnerSpec, settings: PairsSettings, job: PairsJob) -> PairsFound:
    """Show a new learner the pairs, and ask for all others."""
    learner = spec.make()
    items = list(shown(job, settings.seed))
    began = perf_counter()
    learner.observe(items)
    learner.predict((CARDS[0],))
    seconds = perf_counter() - began
    right = pairs_right(learner, Rule.parse(EIGHT[job.rule]))
    return PairsFound(rule=job.rule, size=job.size, sample=job.sample, right=right, seconds=seconds)


def pairs_right(learner: Learner, secret: Rule) -> int:
    """Return how many of the 2,704 verdicts a learner holds for more probable are those of ``secret``."""
    right = 0
    for last in CARDS:
        legal = np.array([secret.allows((last,), card) for card in CARDS])
        right += int((np.asarray(learner.predict((last,)) > 0.5) == legal).sum())
    return right


def summary(settings: PairsSettings, found: Mapping[str, Sequence[PairsFound]]) -> Summary:
    """Set the learners' exact answers beside those of other programs."""
    sizes = settings.sizes
    heads = tuple(f"exact, n = {size}" for size in sizes)
    shares = {
        (name, size): by_cluster(_by_rule(case for case in cases if case.size == size))
        for name, cases in found.items()
        for size in sizes
    }
    rows: list[tuple[Cell, ...]] = [(f"**{name}**", *(shares[name, size] for size in sizes)) for name in found]
    rows += [(each.name, *(each.exact.get(size) for size in sizes)) for each in REFERENCES]
    return Summary(
        tables=(
            Table(title="All 2,704 pairs right", head=("learner", *heads), rows=tuple(rows)),
            _rule_by_rule(sizes, found),
        ),
        times=(_times(sizes, found),),
        charts=(
            Chart(
                title="Share of samples after which all 2,704 pairs are right",
                x_label="share, with its 95 % interval by rule",
                bars=tuple((f"{name}, n = {size}", share) for (name, size), share in shares.items() if share),
                ours=tuple(f"{name}, n = {size}" for name, size in shares),
            ),
        ),
        remarks=(
            "Share of samples, mean over the eight rules; intervals: 95 %, bootstrap over the rules. Programs "
            "without an interval were measured earlier on the same rules, with samples of their own.",
        ),
    )


def _rule_by_rule(sizes: Sequence[int], found: Mapping[str, Sequence[PairsFound]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for rule, expression in EIGHT.items():
        cells: list[Cell] = []
        for name in found:
            for size in sizes:
                cases = [case for case in found[name] if (case.rule, case.size) == (rule, size)]
                cells.append(fmean(case.right == PAIRS for case in cases))
        rows.append((rule, f"`{expression}`", *cells))
    heads = tuple(f"{name}, n = {size}" for name in found for size in sizes)
    return Table(title="Rule by rule: share of samples", head=("rule", "", *heads), rows=tuple(rows))


def _times(sizes: Sequence[int], found: Mapping[str, Sequence[PairsFound]]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name, *(1000 * median(case.seconds for case in cases if case.size == size) for size in sizes))
        for name, cases in found.items()
    ]
    rows += [(each.name, *(each.milliseconds for _ in sizes)) for each in REFERENCES]
    heads = tuple(f"n = {size}" for size in sizes)
    return Table(title="Milliseconds to take the pairs in, median", head=("learner", *heads), rows=tuple(rows))


def _by_rule(cases: Iterable[PairsFound]) -> dict[str, list[float]]:
    shares: dict[str, list[float]] = defaultdict(list)
    for case in cases:
        shares[case.rule].append(case.right == PAIRS)
    return shares


QUESTION = "From n judged pairs of a last card and a candidate, does a learner get all 2,704 pairs right?"
BENCHMARK = Benchmark("pairs", QUESTION, PairsSettings, jobs, attempt, summary)
