"""Identification: when a rule counts as named, and what the cards were worth."""

from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.bench.identification import (
    Choice,
    IdentificationJob,
    IdentificationSettings,
    Identified,
    identify,
    jobs,
    summary,
)
from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.pairs import EIGHT
from eleusis_ai.bench.targets import Target

SETTINGS = IdentificationSettings(
    rules=("eight",), choices=(Choice.RANDOM, Choice.HAND, Choice.FREE), cap=40, settled=5, samples=40
)
LOOKING_ON = msgspec.structs.replace(SETTINGS, choices=(Choice.RANDOM,))
OTHER_COLOUR = Target(id="eight/other colour", family="eight", expression=EIGHT["other colour"])


def knowing(*rules: str) -> LearnerSpec:
    return LearnerSpec("tests.bench.learners:Knowing", {"rules": rules})


def found(cards: int | None, bits: float, *, rule: str = "a", choice: Choice = Choice.RANDOM) -> Identified:
    return Identified(
        rule=rule, family="f", choice=choice, cards=cards, bits=bits, judged=40, rules=True, answer="card.is_red"
    )


def test_every_rule_in_every_way() -> None:
    assert len(jobs(SETTINGS)) == 8 * 3


@pytest.mark.parametrize("choice", list(Choice))
def test_one_that_knows_the_eight_names_each(choice: Choice) -> None:
    for rule, text in EIGHT.items():
        target = Target(id=f"eight/{rule}", family="eight", expression=text)
        case = identify(knowing(*EIGHT.values()), SETTINGS, IdentificationJob(target, choice))
        assert case.cards is not None
        assert case.judged == min(case.cards + 5, 40)
        assert case.answer == text


def test_the_last_of_eight_rules_alike_takes_three_bits() -> None:
    """It is answered once the others are out, and each card that splits the rest in halves is worth a bit."""
    last = Target(id="eight/last", family="eight", expression=list(EIGHT.values())[-1])
    case = identify(knowing(*EIGHT.values()), SETTINGS, IdentificationJob(last, Choice.FREE))
    assert (case.cards, case.bits) == (3, 3.0)


def test_a_rule_that_is_known_is_named_with_the_first_card_and_costs_nothing() -> None:
    case = identify(knowing(EIGHT["other colour"]), SETTINGS, IdentificationJob(OTHER_COLOUR, Choice.RANDOM))
    assert (case.cards, case.bits, case.judged) == (1, 0.0, 6)


def test_a_wrong_answer_is_never_right() -> None:
    case = identify(knowing("card.is_red"), SETTINGS, IdentificationJob(OTHER_COLOUR, Choice.RANDOM))
    assert (case.cards, case.judged) == (None, 40)
    assert case.bits > 20, "chances of 0 and 1 are refuted by verdicts"


def test_one_without_rules_names_none() -> None:
    case = identify(
        LearnerSpec("tree"),
        msgspec.structs.replace(LOOKING_ON, cap=5),
        IdentificationJob(OTHER_COLOUR, Choice.RANDOM),
    )
    assert (case.cards, case.rules, case.answer) == (None, False, None)
    assert any("tree: no rules" in remark for remark in summary(LOOKING_ON, {"tree": [case]}).remarks)


def test_what_is_not_named_counts_as_more_than_any() -> None:
    cases = [found(4, 4.0, rule="a"), found(8, 4.0, rule="b"), found(None, 90.0, rule="c")]
    row = summary(LOOKING_ON, {"mine": cases}).tables[0].rows[0]
    assert row[:3] == ("mine", "random", 3)
    assert str(row[3]).startswith("0.67 [")
    assert row[4:] == (8.0, 4.0, 0.75)
    assert summary(LOOKING_ON, {"mine": cases[1:]}).tables[0].rows[0][4] is None


def test_the_curve_is_the_share_named_so_far() -> None:
    line = summary(LOOKING_ON, {"mine": [found(2, 1.0), found(None, 1.0)]}).charts[0].lines[0]
    assert line.y[:4] == (0.0, 0.0, 0.5, 0.5)
    assert len(line.x) == 41


def test_a_rule_may_be_found_several_times_on_other_cards() -> None:
    settings = msgspec.structs.replace(SETTINGS, trials=3, rules=("eight",), choices=(Choice.HAND,), limit=1)
    found = [identify(knowing(*EIGHT.values()), settings, job) for job in jobs(settings)]
    assert len(found) == 3
    tables = {table.title: table for table in summary(settings, {"knowing": found}).tables}
    cards = sorted(case.cards or 99 for case in found)
    ((_, rule, choice, named, middle, most),) = tables["Rule by rule: cards in 3 trials"].rows
    assert (rule, choice, named, middle, most) == (found[0].rule, "hand", 1.0, float(cards[1]), float(cards[2]))
    (row,) = tables["Cards to identification"].rows
    assert row[2] == 1, "trials of one rule are one rule"
