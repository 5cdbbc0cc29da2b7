"""How far a learner's chances can be taken at their word, on rules that nobody fitted it to and on fresh lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.bench.benchmark import Benchmark, Cell, Settings, Summary, Table
from eleusis_ai.bench.intervals import by_cluster
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.targets import Target, legal_line, targets
from eleusis_ai.cards import CARDS
from eleusis_ai.charts import Chart, Series
from eleusis_ai.evidence import Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.seeds import generator

BINS = 10
"""Into so many the chances are sorted, each a tenth wide."""


class CalibrationSettings(Settings, frozen=True, kw_only=True):
    """Which rules are learned from how much; ``limit`` is the number of rules of each family."""

    rules: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Sets: ``eight``, ``catalog``, ``test``, or files of rules."""
    after: Annotated[tuple[Annotated[int, msgspec.Meta(ge=0, le=1_000)], ...], msgspec.Meta(min_length=1)]
    """The numbers of random judged cards after which the learner is asked."""
    lines: Annotated[int, msgspec.Meta(ge=1, le=100)]
    """Mainlines, along another legal line, after which it is asked for all 52 cards."""


class Calibrated(msgspec.Struct, frozen=True, kw_only=True):
    """How good the chances for one rule were after so many judged cards."""

    rule: str
    family: str
    after: int
    brier: float
    """Mean squared error of the chances."""
    right: float
    """Share of the cards whose more probable verdict was the true one."""
    asked: tuple[int, ...]
    """Cards by the chance they were given, in bins of a tenth."""
    legal: tuple[int, ...]
    """How many of those were legal."""
    given: tuple[float, ...]
    """The sum of the chances they were given."""


class CalibrationFound(msgspec.Struct, frozen=True):
    """What one rule gave."""

    steps: tuple[Calibrated, ...]


def jobs(settings: CalibrationSettings) -> list[Target]:
    """List the rules."""
    return targets(settings.rules, limit=settings.limit)


def ask(spec: LearnerSpec, settings: CalibrationSettings, target: Target) -> CalibrationFound:
    """Show a new learner random judged cards, and ask it now and then about a line that it has not seen."""
    learner, secret = spec.make(), target.rule
    name = f"{settings.seed}/calibration/{target.id}"
    fresh = legal_line(target, f"{name}/fresh", settings.lines)
    truth = np.array([[secret.allows(line, card) for card in CARDS] for line in fresh])
    line: Cards = (target.first_card(f"{name}/starter"),)
    rng = generator(f"{name}/cards")
    learner.observe([Verdict((), line[0], legal=True)])
    steps = []
    for count in range(max(settings.after) + 1):
        if count in settings.after:
            chances = np.array([learner.predict(asked) for asked in fresh])
            steps.append(_step(target, count, chances, truth))
        card = rng.choice(CARDS)
        legal = secret.allows(line, card)
        learner.observe([Verdict(line, card, legal=legal)])
        line = (*line, card) if legal else line
    return CalibrationFound(tuple(steps))


def _step(target: Target, count: int, chances: NDArray[np.float64], truth: NDArray[np.bool_]) -> Calibrated:
    bins = np.minimum((chances.ravel() * BINS).astype(np.intp), BINS - 1)
    true = truth.ravel()
    return Calibrated(
        rule=target.id,
        family=target.family,
        after=count,
        brier=round(float(((chances - truth) ** 2).mean()), 9),
        right=round(float(((chances > 0.5) == truth).mean()), 9),
        asked=tuple(np.bincount(bins, minlength=BINS).tolist()),
        legal=tuple(np.bincount(bins[true], minlength=BINS).tolist()),
        given=tuple(round(each, 9) for each in np.bincount(bins, chances.ravel(), BINS).tolist()),
    )


def summary(settings: CalibrationSettings, found: Mapping[str, Sequence[CalibrationFound]]) -> Summary:
    """Tell Brier scores as evidence grows, and draw the reliability curves."""
    steps = {name: [step for rule in rules for step in rule.steps] for name, rules in found.items()}
    return Summary(
        tables=(
            _as_evidence_grows(settings, steps, "Brier score", lambda step: step.brier),
            _as_evidence_grows(settings, steps, "Share of verdicts right", lambda step: step.right),
            _by_family(settings, steps),
            _reliability(steps),
        ),
        charts=(
            Chart(
                title="Reliability: how often what was given a chance was legal",
                x_label="chance given",
                y_label="share that was legal",
                lines=tuple(_curve(name, own) for name, own in steps.items()),
                diagonal=True,
            ),
        ),
        remarks=(
            "The learner saw n random judged cards of one line and was then asked for all 52 cards after "
            f"{settings.lines} mainlines of another; 95 % intervals by bootstrap over the rules.",
            "Who always says 0.5 has a Brier score of 0.25.",
        ),
    )


def _as_evidence_grows(
    settings: CalibrationSettings,
    steps: Mapping[str, Sequence[Calibrated]],
    title: str,
    figure: Callable[[Calibrated], float],
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, own in steps.items():
        cells = (
            by_cluster(_by_rule((step for step in own if step.after == count), figure)) for count in settings.after
        )
        rows.append((name, *cells))
    return Table(title=title, head=("learner", *(f"n = {count}" for count in settings.after)), rows=tuple(rows))


def _by_family(settings: CalibrationSettings, steps: Mapping[str, Sequence[Calibrated]]) -> Table:
    last = max(settings.after)
    families = dict.fromkeys(step.family for own in steps.values() for step in own)
    rows: list[tuple[Cell, ...]] = []
    for family in families:
        cells = (
            by_cluster(_by_rule((s for s in own if s.family == family and s.after == last), lambda s: s.brier))
            for own in steps.values()
        )
        rows.append((family, *cells))
    return Table(title=f"Brier score by family, n = {last}", head=("family", *steps), rows=tuple(rows))


def _reliability(steps: Mapping[str, Sequence[Calibrated]]) -> Table:
    """Tell for each tenth what share of the cards was legal, and how many cards there were."""
    rows: list[tuple[Cell, ...]] = []
    for place in range(BINS):
        cells: list[Cell] = []
        for own in steps.values():
            asked = sum(step.asked[place] for step in own)
            cells += [sum(step.legal[place] for step in own) / asked if asked else None, asked]
        rows.append((f"{place / BINS:.1f} to {(place + 1) / BINS:.1f}", *cells))
    heads = (head for name in steps for head in (f"{name}: legal", "cards"))
    return Table(title="Reliability", head=("chance given", *heads), rows=tuple(rows))


def _curve(name: str, steps: Sequence[Calibrated]) -> Series:
    asked, legal, given = (
        np.array([getattr(step, field) for step in steps], np.float64).sum(axis=0)
        for field in ("asked", "legal", "given")
    )
    full = asked > 0
    return Series(
        name=name,
        x=tuple((given[full] / asked[full]).tolist()),
        y=tuple((legal[full] / asked[full]).tolist()),
    )


def _by_rule(steps: Iterable[Calibrated], figure: Callable[[Calibrated], float]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for step in steps:
        found[step.rule].append(figure(step))
    return found


QUESTION = "How far can a learner's chances be taken at their word?"
BENCHMARK = Benchmark("calibration", QUESTION, CalibrationSettings, jobs, ask, summary)
