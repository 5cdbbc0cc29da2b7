"""Judged cards until a learner names the secret rule, and how many bits each of them was worth."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from statistics import fmean, median
from typing import Annotated, assert_never

import msgspec

from eleusis_ai.agent import Learner
from eleusis_ai.bench.belief import best_guess, weighed_rules
from eleusis_ai.bench.benchmark import Benchmark, Cell, Settings, Summary, Table
from eleusis_ai.bench.intervals import by_cluster
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.scientist import most_telling
from eleusis_ai.bench.solo import is_right
from eleusis_ai.bench.targets import Target, targets
from eleusis_ai.cards import CARDS, Card
from eleusis_ai.charts import Chart, Series
from eleusis_ai.evidence import Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

HAND = 14
"""Cards of a hand; each that is played is replaced."""
SURPRISE = 20.0
"""Bits that a verdict can say at most: who gave it no chance at all would have lost everything."""


class Choice(Enum):
    """Who chooses the cards that are judged."""

    RANDOM = "random"
    """Chance, of all 52: the learner only looks on."""
    HAND = "hand"
    """The learner, of a hand of 14 that is refilled."""
    FREE = "free"
    """The learner, of all 52."""


class IdentificationSettings(Settings, frozen=True, kw_only=True):
    """Which rules are to be found, and how; ``limit`` is the number of rules of each family."""

    rules: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    """Sets: ``eight``, ``catalog``, ``test``, or files of rules."""
    choices: Annotated[tuple[Choice, ...], msgspec.Meta(min_length=1)]
    """The ways in which cards are chosen."""
    cap: Annotated[int, msgspec.Meta(ge=1, le=1_000)]
    """Judged cards after which a rule is given up."""
    settled: Annotated[int, msgspec.Meta(ge=1)]
    """Judged cards for which a right answer must stay right, unless the cap comes first."""
    samples: Annotated[int, msgspec.Meta(ge=1, le=10_000)]
    """Rules that are drawn from the learner after each card."""
    trials: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 1
    """How often each rule is to be found in each way, on other cards."""


class IdentificationJob(msgspec.Struct, frozen=True):
    """One rule to be found in one way."""

    rule: Target
    choice: Choice
    trial: int = 0


class Identified(msgspec.Struct, frozen=True, kw_only=True):
    """How soon a learner named one rule."""

    rule: str
    family: str
    choice: Choice
    cards: int | None
    """Judged cards, the starter not counted, until the answer was right and stayed so; None: not by the cap."""
    bits: float
    """What the verdicts up to then said, -log2 of the chances that the learner had given them; over all, if the
    rule was not named."""
    judged: int
    """Judged cards in all."""
    rules: bool
    """Whether the learner ever had a rule to tell."""
    answer: str | None
    """Its last answer."""


def jobs(settings: IdentificationSettings) -> list[IdentificationJob]:
    """List the rules, each in every way."""
    rules = targets(settings.rules, limit=settings.limit)
    return [
        IdentificationJob(rule, choice, trial)
        for rule in rules
        for choice in settings.choices
        for trial in range(settings.trials)
    ]


def identify(spec: LearnerSpec, settings: IdentificationSettings, job: IdentificationJob) -> Identified:
    """Show a new learner one judged card after the other until it has named the rule for good."""
    trial = _Trial(spec.make(), job, settings)
    surprises: list[float] = []
    since: int | None = None
    while len(surprises) < settings.cap and (since is None or len(surprises) - since < settings.settled):
        surprises.append(trial.judge(trial.choose()))
        right = trial.answer is not None and is_right(trial.answer, trial.secret, trial.line)
        since = (since or len(surprises)) if right else None
    return Identified(
        rule=job.rule.id,
        family=job.rule.family,
        choice=job.choice,
        cards=since,
        bits=round(sum(surprises[:since]), 9),
        judged=len(surprises),
        rules=trial.answer is not None,
        answer=None if trial.answer is None else str(trial.answer),
    )


class _Trial:
    """One learner at one rule."""

    def __init__(self, learner: Learner, job: IdentificationJob, settings: IdentificationSettings) -> None:
        name = f"{settings.seed}/identification/{job.rule.id}/{job.choice.value}"
        name += f"/{job.trial}" if job.trial else ""
        self.secret = job.rule.rule
        self.answer: Rule | None = None
        self.line: Cards = (job.rule.first_card(f"{name}/starter"),)
        self._learner = learner
        self._choice = job.choice
        self._samples = settings.samples
        self._rng = generator(f"{name}/cards")
        self._hand = [self._rng.choice(CARDS) for _ in range(HAND)]
        learner.observe([Verdict((), self.line[0], legal=True)])

    def choose(self) -> Card:
        """Return the next card to be judged."""
        match self._choice:
            case Choice.RANDOM:
                return self._rng.choice(CARDS)
            case Choice.FREE:
                return most_telling(self._learner.predict(self.line), CARDS)
            case Choice.HAND:
                card = most_telling(self._learner.predict(self.line), tuple(self._hand))
                self._hand[self._hand.index(card)] = self._rng.choice(CARDS)
                return card
            case _:
                assert_never(self._choice)

    def judge(self, card: Card) -> float:
        """Judge a card, let the learner answer, and return what the verdict said to it, in bits."""
        legal = self.secret.allows(self.line, card)
        chance = float(self._learner.predict(self.line)[card])
        self._learner.observe([Verdict(self.line, card, legal=legal)])
        if legal:
            self.line = (*self.line, card)
        guess = best_guess(weighed_rules(self._learner, self._samples), self.line)
        self.answer = None if guess is None else guess.rule
        told = chance if legal else 1 - chance
        return min(SURPRISE, -math.log2(told)) if told > 0 else SURPRISE


def summary(settings: IdentificationSettings, found: Mapping[str, Sequence[Identified]]) -> Summary:
    """Tell how many rules were named, after how many cards, by family and way of choosing."""
    mute = [name for name, cases in found.items() if not any(case.rules for case in cases)]
    remarks = [
        f"Named: share of the rules named within {settings.cap} judged cards, with its 95 % interval by bootstrap "
        f"over the rules; an answer counts if it stays right for {settings.settled} cards more, or to the end.",
        "Cards: median; a rule that is not named counts as more than any.",
        "Bits: what the verdicts said to the learner until it named the rule, -log2 of the chances that it had given "
        "them. A learner whose chances can be taken at their word gains as many, and as a verdict is worth 1 bit at "
        "most, as many cards are its floor.",
    ]
    if mute:
        remarks.append(f"{', '.join(mute)}: no rules, so none is ever named.")
    return Summary(
        tables=(
            _by_choice(settings, found),
            _by_family(settings, found),
            *([_by_rule(settings, found)] if settings.trials > 1 else ()),
        ),
        charts=(
            Chart(
                title="Rules named after so many judged cards",
                x_label="judged cards",
                y_label="share of the rules",
                lines=tuple(
                    _named(f"{name}, {choice.value}", [case for case in cases if case.choice is choice], settings.cap)
                    for name, cases in found.items()
                    if name not in mute
                    for choice in settings.choices
                ),
            ),
        ),
        remarks=tuple(remarks),
    )


def _by_choice(settings: IdentificationSettings, found: Mapping[str, Sequence[Identified]]) -> Table:
    rows = [
        (name, choice.value, *_figures([case for case in cases if case.choice is choice]))
        for name, cases in found.items()
        for choice in settings.choices
    ]
    return Table(
        title="Cards to identification",
        head=("learner", "cards chosen", "rules", "named", "cards", "bits", "bits a card"),
        rows=tuple(rows),
    )


def _by_family(settings: IdentificationSettings, found: Mapping[str, Sequence[Identified]]) -> Table:
    rows = []
    for name, cases in found.items():
        for family in dict.fromkeys(case.family for case in cases):
            for choice in settings.choices:
                own = [case for case in cases if case.family == family and case.choice is choice]
                rows.append((name, family, choice.value, *_figures(own)))
    return Table(
        title="By family",
        head=("learner", "family", "cards chosen", "rules", "named", "cards", "bits", "bits a card"),
        rows=tuple(rows),
    )


def _by_rule(settings: IdentificationSettings, found: Mapping[str, Sequence[Identified]]) -> Table:
    rows = []
    for name, cases in found.items():
        for rule in dict.fromkeys(case.rule for case in cases):
            for choice in settings.choices:
                own = [case for case in cases if case.rule == rule and case.choice is choice]
                rows.append((name, rule, choice.value, *_cards(own)))
    return Table(
        title=f"Rule by rule: cards in {settings.trials} trials",
        head=("learner", "rule", "cards chosen", "named", "median", "most"),
        rows=tuple(rows),
    )


def _cards(cases: Sequence[Identified]) -> Iterator[Cell]:
    """Yield the share of trials in which the rule was named, and the median and the most of the cards."""
    cards = [math.inf if case.cards is None else float(case.cards) for case in cases]
    yield fmean(case.cards is not None for case in cases)
    for figure in (median(cards), max(cards)):
        yield None if math.isinf(figure) else figure


def _figures(cases: Sequence[Identified]) -> Iterator[Cell]:
    """Yield how many rules there were, the share that was named, the median of the cards, bits, and bits a card."""
    rules = dict.fromkeys(case.rule for case in cases)
    yield len(rules)
    yield by_cluster({rule: [float(case.cards is not None) for case in cases if case.rule == rule] for rule in rules})
    middle = median(math.inf if case.cards is None else case.cards for case in cases)
    yield None if math.isinf(middle) else float(middle)
    named = [(case.bits, case.cards) for case in cases if case.cards is not None]
    yield fmean(bits for bits, _ in named) if named else None
    yield fmean(bits / cards for bits, cards in named) if named else None


def _named(name: str, cases: Sequence[Identified], cap: int) -> Series:
    """Return the share of rules named after 0, 1, ... ``cap`` cards."""
    counts = range(cap + 1)
    shares = (fmean(case.cards is not None and case.cards <= count for case in cases) for count in counts)
    return Series(name=name, x=tuple(map(float, counts)), y=tuple(shares))


QUESTION = "After how many judged cards does a learner name the rule, and what is each of them worth?"
BENCHMARK = Benchmark("identification", QUESTION, IdentificationSettings, jobs, identify, summary)
