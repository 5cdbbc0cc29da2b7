from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from eleusis_ai.contracts import AgentContract, ContractBroken, DealerContract, LearnerContract
from eleusis_ai.contracts.checkup import checks
from tests.contracts import culprits

BASES: Mapping[str, type] = {"agents": AgentContract, "dealers": DealerContract, "learners": LearnerContract}

CULPRITS: list[tuple[str, Callable[..., Any], str, str]] = [
    (
        "agents",
        culprits.Stillborn,
        "test_is_made",
        "seat=0, seed='.*': it raises OSError: no weights on this machine",
    ),
    ("agents", culprits.Mute, "test_is_made", "which has no method `act"),
    ("agents", culprits.local, "test_class_is_found_by_name", "local.<locals>.Local is not found in the module"),
    (
        "agents",
        culprits.Slow,
        "test_constructor_only_stores",
        r"making it takes 0\.\d+ seconds each time; it may take 0.05",
    ),
    (
        "agents",
        culprits.Broken,
        "test_answers_every_decision",
        r"in abbott, seat \d: play, mainline ending .*, hand .*: it raises ZeroDivisionError: .* \(culprits.py",
    ),
    ("agents", culprits.Quitter, "test_answers_every_decision", r"it leaves the program, by sys.exit\(3\)"),
    (
        "agents",
        culprits.Speaker,
        "test_answers_every_decision",
        r"it answers 7H \(a str, which is no move\), and it is a",
    ),
    ("agents", culprits.Garbler, "test_answers_every_decision", r"it answers Attempt\(cards=\('7H',\)\), and .* no"),
    (
        "agents",
        culprits.Hasty,
        "test_answers_every_decision",
        r"in late-prophet, seat \d: call, to judge \S+ \S+.*: it answers wrong, and .*; one of: right, wrong after 0",
    ),
    ("agents", culprits.Namer, "test_answers_every_decision", "to judge no play.*: it answers wrong, and"),
    ("agents", culprits.Speaker, "test_plays_whole_rounds", "which is no move"),
    ("agents", culprits.Founder, "test_picks_up_in_mid_round", "made anew in .* AssertionError: the beginning was"),
    ("agents", culprits.Lucky, "test_same_seed_same_moves", "made twice with one seed it answers .* and "),
    ("agents", culprits.Herd, "test_does_not_lean_on_others", "alone, and beside another of its class, it answers"),
    ("agents", culprits.Meddler, "test_leaves_views_alone", "it changes the view that it is shown"),
    ("agents", culprits.Hoarder, "test_lets_views_go", r"of (\d+) views, .* it still holds \1"),
    ("agents", culprits.Chatterbox, "test_prints_nothing", r"it prints \d+ characters, beginning 'thinkingthinking"),
    ("agents", culprits.Zealot, "test_explains_itself", r"legal` is \(1.1, .* it has 52 numbers of 0 to 1"),
    ("agents", culprits.Babbler, "test_explains_itself", "has the weight 0.9 after 0.1; the best comes first"),
    ("dealers", culprits.Idler, "test_is_made", "lacks `choose.* or `pick"),
    (
        "dealers",
        culprits.Climber,
        "test_rules_may_be_dealt",
        "in abbott it chooses card.rank > last.rank, .* must not",
    ),
    (
        "dealers",
        culprits.Secretive,
        "test_rules_may_be_dealt",
        "in no-prophet .* cannot be dealt: .* requires a hint",
    ),
    (
        "dealers",
        culprits.Texter,
        "test_rules_may_be_dealt",
        r"`choose` returns \('card.is_red', None\); it returns a pair",
    ),
    (
        "dealers",
        culprits.Gambler,
        "test_same_generator_same_choice",
        "the same generator makes it choose card.* and card",
    ),
    (
        "dealers",
        culprits.Planner,
        "test_same_generator_same_choice",
        "the same generator makes it choose card.* and card",
    ),
    ("dealers", culprits.Cheat, "test_picks_a_legal_card", "of the legal cards 7H it picks KS"),
    ("dealers", culprits.Roulette, "test_picks_a_legal_card", "the same generator makes it pick .* and "),
    ("dealers", culprits.Announcer, "test_prints_nothing", "it prints .* beginning 'card"),
    ("learners", culprits.Deaf, "test_is_made", "lacks `observe`, `predict`"),
    (
        "learners",
        culprits.Lister,
        "test_predicts_probabilities",
        "at `predict` after no card: it returns a list, not a",
    ),
    (
        "learners",
        culprits.Floater,
        "test_predicts_probabilities",
        r"it returns float32 of shape \(52,\), not float64",
    ),
    ("learners", culprits.Divider, "test_predicts_probabilities", "it gives AC the probability nan"),
    (
        "learners",
        culprits.Follower,
        "test_predicts_probabilities",
        "after no card: it raises IndexError: tuple index out",
    ),
    (
        "learners",
        culprits.Deafened,
        "test_understands_all_evidence",
        "shown the hint 'only the card' alone, at `observe`",
    ),
    (
        "learners",
        culprits.Bookkeeper,
        "test_understands_all_evidence",
        "shown a SomeLegal alone, at `observe`: it raises",
    ),
    (
        "learners",
        culprits.Dogmatist,
        "test_bears_contradictions",
        "right and then wrong .*: it raises ValueError: no rule",
    ),
    (
        "learners",
        culprits.Batcher,
        "test_pieces_make_the_whole",
        r"at once, and item by item, .* it predicts 0\.\d+ and 0",
    ),
    ("learners", culprits.Weary, "test_asking_changes_nothing", "not asked before, and asked .* it predicts"),
    ("learners", culprits.Lender, "test_asking_changes_nothing", "written over.* it predicts 0.25 and 0.5 for AC"),
    (
        "learners",
        culprits.Moody,
        "test_same_evidence_same_answers",
        "two that were shown the same evidence, .* predicts",
    ),
    (
        "learners",
        culprits.Fickle,
        "test_same_evidence_same_answers",
        r"same evidence explain the rule number 0\.\d+ .* and",
    ),
    (
        "learners",
        culprits.Dicer,
        "test_same_evidence_same_answers",
        r"same evidence sample card.rank > .* and card.rank",
    ),
    ("learners", culprits.Crowd, "test_does_not_lean_on_others", "alone, and beside another one, .* it predicts"),
    ("learners", culprits.Miser, "test_samples_rules", r"`sample\(7\)` returns 1 rules"),
    ("learners", culprits.Quoter, "test_samples_rules", r"returns \['card.is_red'.* a list of `Rule`, or None"),
    (
        "learners",
        culprits.Pessimist,
        "test_explains_best_first",
        "has the weight 0.9 after 0.1; the best comes first",
    ),
    (
        "learners",
        culprits.Terse,
        "test_explains_best_first",
        "holds 'red'; it holds pairs: a Rule or str, and its weight",
    ),
    ("learners", culprits.Reporter, "test_prints_nothing", "it prints .* beginning '"),
]


def contract(kind: str, make: Callable[..., Any]) -> Any:
    return type("Contract", (BASES[kind],), {"make": lambda _, **given: make(**given)})()


class TestHonest(AgentContract):
    make = staticmethod(culprits.Honest)


class TestBanker(DealerContract):
    make = staticmethod(culprits.Banker)


class TestCounter(LearnerContract):
    make = staticmethod(culprits.Counter)


class TestReader(LearnerContract):
    make = staticmethod(culprits.Reader)


@pytest.mark.parametrize(
    ("kind", "make", "check", "said"), CULPRITS, ids=[f"{make.__name__}-{check}" for _, make, check, _ in CULPRITS]
)
def test_culprits_are_told(kind: str, make: Callable[..., Any], check: str, said: str) -> None:
    with pytest.raises(ContractBroken, match=said):
        getattr(contract(kind, make), check)()


def test_every_check_has_its_culprit() -> None:
    for kind in BASES:
        assert {check for which, _, check, _ in CULPRITS if which == kind} == set(checks(kind))
        assert all(sentence.endswith(".") and len(sentence) < 74 for sentence in checks(kind).values())


@pytest.mark.parametrize(
    ("make", "kept"),
    [(culprits.Lucky, "test_does_not_lean_on_others"), (culprits.Founder, "test_plays_whole_rounds")],
)
def test_one_fault_is_told_once(make: Callable[..., Any], kept: str) -> None:
    getattr(contract("agents", make), kept)()


def test_without_make_it_says_what_to_write() -> None:
    for base in BASES.values():
        with pytest.raises(NotImplementedError, match="`make"):
            base().make(**({"seat": 1, "seed": "1"} if base is AgentContract else {}))
