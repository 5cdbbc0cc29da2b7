"""Pairs: what is shown, and when all of the table is right."""

from __future__ import annotations

from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.pairs import EIGHT, PAIRS, PairsJob, PairsSettings, attempt, jobs, pairs_right, shown, summary
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import Believer

SETTINGS = PairsSettings(sizes=(30, 60), samples=20)
EVERY = LearnerSpec("tests.bench.learners:Knowing", {"rules": list(EIGHT.values())})


def test_eight_rules_20_samples_two_sizes() -> None:
    assert len(jobs(SETTINGS)) == 8 * 20 * 2
    assert len(jobs(PairsSettings(sizes=(5,), samples=20, limit=3))) == 8 * 3


def test_pairs_are_true_and_their_own_for_each_sample() -> None:
    job = PairsJob("same suit or rank", 30, 0)
    items = list(shown(job, 1))
    rule = Rule.parse(EIGHT[job.rule])
    assert len(items) == 30
    assert all(len(item.mainline) == 1 and rule.allows(item.mainline, item.card) == item.legal for item in items)
    assert items == list(shown(job, 1))
    assert items != list(shown(PairsJob(job.rule, 30, 1), 1))
    assert items != list(shown(job, 2))


def test_how_much_of_the_table_is_right() -> None:
    """Who takes it for same suit or rank is right on the 12 cards of the same colour, but neither the suit nor the
    rank, and on the 2 of the rank and the other colour.
    """
    other_colour = Rule.parse(EIGHT["other colour"])
    assert pairs_right(Believer(str(other_colour)), other_colour) == PAIRS
    assert pairs_right(Believer(EIGHT["same suit or rank"]), other_colour) == 52 * (12 + 2)


def test_one_that_knows_the_eight_is_exact() -> None:
    found = [attempt(EVERY, SETTINGS, PairsJob(rule, 30, 0)) for rule in EIGHT]
    assert [case.right for case in found] == [PAIRS] * 8
    table = summary(PairsSettings(sizes=(30,), samples=1), {"knowing": found}).tables[0]
    assert str(table.rows[0][1]) == "1.00 [1.00, 1.00]"
    assert ("Popper (ILP), 24 cases", 0.88) in table.rows
