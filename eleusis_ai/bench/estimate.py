"""How many judged cards a learner needs to name one rule: what a review tells of it."""

from __future__ import annotations

import math
from statistics import median

import msgspec

from eleusis_ai.bench.identification import Choice, IdentificationJob, IdentificationSettings, identify
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.targets import Target
from eleusis_ai.rules.language import Rule

TRIALS = 5
"""Rounds in which the learner looks for the rule."""
SETTINGS = IdentificationSettings(rules=("one",), choices=(Choice.HAND,), cap=60, settled=10, samples=100)
"""As in the benchmark of identification; each round has a seed of its own."""


def cards_to_identify(rule: Rule, learner: LearnerSpec) -> float:
    """Return the median of the judged cards, chosen from a hand of 14, after which ``learner`` has named ``rule``.

    Infinite if it does not in most of five rounds of 60 cards, or if the rule looks at rejected cards or lets no
    card start, which learners are not shown.

    Raises:
        UnknownPart: if there is no such learner.
    """
    if rule.reads_rejected or not rule.mask(()):
        return math.inf
    starter = None if rule.starter is None else str(rule.starter)
    target = Target(id=f"one/{rule}", family="one", expression=str(rule), starter=starter)
    rounds = [msgspec.structs.replace(SETTINGS, seed=seed) for seed in range(1, TRIALS + 1)]
    found = [identify(learner, each, IdentificationJob(target, Choice.HAND)).cards for each in rounds]
    return median(math.inf if cards is None else cards for cards in found)
