from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from eleusis_agents.learners.elimination import EliminationLearner
from eleusis_agents.learners.prior import fitted
from eleusis_agents.learners.space import Grammar, Space, grammar, make_space, part, space
from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, Card, cards_of, parse_cards
from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict
from eleusis_ai.layout import Cards
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import same

LINE = parse_cards("7H 2C")
LONGER = (*LINE, Card.parse("8D"))
STRINGS: list[Evidence] = [
    SomeIllegal(((LINE, Card.parse("9S")), ((*LINE, Card.parse("9S")), Card.parse("KC")))),
    SomeIllegal(((LONGER, Card.parse("3C")), ((*LONGER, Card.parse("3C")), Card.parse("3D")))),
    SomeIllegal(
        (
            (LINE, Card.parse("4D")),
            ((*LINE, Card.parse("4D")), Card.parse("JC")),
            ((*LINE, *parse_cards("4D JC")), Card.parse("5H")),
        )
    ),
]
EVERY_KIND: list[Evidence] = [
    HintGiven(Hint.parse("lookback 1")),
    Verdict((), Card.parse("7H"), legal=True),
    Verdict(LINE, Card.parse("8D"), legal=True),
    Verdict(LONGER, Card.parse("3H"), legal=False),
    STRINGS[0],
    SomeLegal(LONGER, parse_cards("4D JS 5H")),
]
ASKED = ((), LINE[:1], LINE, LONGER, parse_cards("7H 2C 8D KS"), parse_cards("AS JD"))
WORDS = ("True", "card.is_red", "card.is_face", "card.rank <= 7", "card.color == last.color", "card.rank > last.rank")
GUARDS = ("always", "always-back", "last-color", "last-suit", "position-3", "two-color", "back-color")
TURNING = ("card.is_red", "card.rank <= 7", "card.rank > 6", "card.rank > last.rank", "card.rank < last.rank")
TIES = ("turned-last-color", "turned-last-half", "turned-position-2", "turned-two-color", "turned-back-color")


def judged(rule: Rule, count: int, seed: int = 1) -> list[Evidence]:
    """Random cards judged by ``rule`` as in play."""
    rng = Random(seed)
    line: Cards = (rng.choice(CARDS),)
    found: list[Evidence] = []
    for _ in range(count):
        card = rng.choice(CARDS)
        legal = rule.allows(line, card)
        found.append(Verdict(line, card, legal))
        line += (card,) * legal
    return found


def holds(rule: Rule, item: Evidence) -> bool:
    match item:
        case Verdict(mainline, card, legal):
            return rule.allows(mainline, card) == legal
        case SomeIllegal(pairs):
            return not all(rule.allows(mainline, card) for mainline, card in pairs)
        case SomeLegal(mainline, hand):
            return any(rule.allows(mainline, card) for card in hand)
        case HintGiven(hint):
            return hint.holds(rule)
        case NotTheRule():
            return True  # which rules are the same from a mainline on is not looked into


def small_space(joined: tuple[str, ...], words: tuple[str, ...] = WORDS, families: tuple[str, ...] = GUARDS) -> Space:
    """A few rules of every kind; conditions of ``joined`` also in pairs."""
    whole = grammar()
    base = tuple(
        atom if atom.text in joined else atom.__class__(atom.text, atom.family, joins=False)
        for atom in whole.base
        if atom.text in words
    )
    guards = tuple(guard for guard in whole.guards if guard.family in families)
    return make_space(Grammar(base, whole.lines[:2], guards, ()), fitted())


class Brute:
    """All rules of a space one by one, by texts alone."""

    def __init__(self, rules: Space) -> None:
        self.parts: list[tuple[Space, int, list[tuple[int, ...]], NDArray[np.float64]]] = []
        for number, guard in enumerate(rules.guards):
            prior = rules.prior(number)
            choices = list(product(range(len(prior)), repeat=guard.slots))
            weights = rules.guard_prior[number] * np.prod(prior[np.array(choices)], axis=1)
            self.parts.append((rules, number, choices, weights))
        self.size = sum(len(choices) for _, _, choices, _ in self.parts)
        self._known: dict[tuple[int, Cards], list[int]] = {}

    def predict(
        self,
        evidence: list[Evidence],
        mainline: Cards,
        noise: float = 0.0,
        denied: tuple[Rule, list[Cards]] | None = None,
    ) -> NDArray[np.float64]:
        total, legal = 0.0, np.zeros(52)
        for rules, number, choices, weights in self.parts:
            weights = weights.copy()
            for item in evidence:
                right = self._explained(rules, number, choices, item)
                weights *= np.where(right, 1 - noise, noise)
            if denied:
                weights[self._alike(rules, number, choices, *denied)] = 0
            total += weights.sum()
            legal += weights @ np.array([self._allows(rules, number, choices, mainline, c) for c in CARDS]).T
        return noise + (1 - 2 * noise) * legal / total

    def _explained(
        self, rules: Space, number: int, choices: list[tuple[int, ...]], item: Evidence
    ) -> NDArray[np.bool_]:
        match item:
            case Verdict(mainline, card, legal):
                return self._allows(rules, number, choices, mainline, card) ^ (not legal)
            case SomeIllegal(pairs):
                right = np.ones(len(choices), np.bool_)
                for pair in pairs:
                    right &= self._allows(rules, number, choices, *pair)
                return ~right
            case SomeLegal(mainline, hand):
                some = np.zeros(len(choices), np.bool_)
                for card in hand:
                    some |= self._allows(rules, number, choices, mainline, card)
                return some
            case HintGiven() | NotTheRule():
                raise AssertionError("a hint is tested by itself, and what is no rule is not taken in")

    def _allows(
        self, rules: Space, number: int, choices: list[tuple[int, ...]], mainline: Cards, card: Card
    ) -> NDArray[np.bool_]:
        """Judge by one rule for each predicate, behind this guard in all branches alike."""
        branch = self._slot(rules, number, mainline)
        legal = np.array([mask >> card & 1 for mask in self._masks(rules, number, mainline)], np.bool_)
        found: NDArray[np.bool_] = legal[np.array(choices)[:, branch]]
        return found

    def _alike(
        self, rules: Space, number: int, choices: list[tuple[int, ...]], stated: Rule, lines: list[Cards]
    ) -> NDArray[np.bool_]:
        """Tell which rules judge like ``stated`` after all of ``lines``."""
        found = np.ones(len(choices), np.bool_)
        for line in lines:
            branch = self._slot(rules, number, line)
            alike = np.array([mask == stated.mask(line) for mask in self._masks(rules, number, line)])
            found &= alike[np.array(choices)[:, branch]]
        return found

    def _slot(self, rules: Space, number: int, mainline: Cards) -> int:
        """Return which of the chosen predicates judges after ``mainline``."""
        branch = int(rules.situations.branches(mainline)[number])
        return 0 if rules.guards[number].is_tied else max(0, branch)

    def _masks(self, rules: Space, number: int, mainline: Cards) -> list[int]:
        if (number, mainline) not in self._known:
            width = rules.guards[number].slots
            alike = [rules.rule(number, (index,) * width) for index in range(len(rules.prior(number)))]
            self._known[number, mainline] = [rule.mask(mainline) for rule in alike]
        return self._known[number, mainline]


@pytest.fixture(
    scope="module",
    params=[
        (("card.is_red", "card.rank > last.rank"),),
        (("card.is_red", *TURNING[3:]), TURNING, ("always", "position-3", *TIES)),
        pytest.param((("card.is_red", "card.rank > last.rank", "card.rank <= 7"),), marks=pytest.mark.long),
    ],
    ids=["small", "tied", "large"],
)
def brute(request: pytest.FixtureRequest) -> Brute:
    return Brute(small_space(*request.param))


@pytest.mark.parametrize("text", ["card.color == last.color", "card.is_red and card.rank > last.rank"])
def test_a_wrong_statement_agrees_with_brute_force(brute: Brute, text: str) -> None:
    """What may be believed after it is what was believed before, less the rules that are the same as it."""
    stated, rules = Rule.parse(text), brute.parts[0][0]
    learner = EliminationLearner(rules=rules)
    learner.observe([*EVERY_KIND[1:3], NotTheRule(stated, LONGER)])
    lines = [LONGER]
    rng = Random(1)
    for _ in range(60):
        line = LONGER
        while len(line) < 7 and (legal := cards_of(stated.mask(line))):
            line = (*line, rng.choice(legal))
            lines.append(line)
    for asked in ASKED[1:]:
        expected = brute.predict(EVERY_KIND[1:3], asked, denied=(stated, lines))
        np.testing.assert_allclose(learner.predict(asked), expected, atol=1e-9)


def test_what_was_denied_is_not_stated_again() -> None:
    learner = EliminationLearner()
    learner.observe(judged(Rule.parse("card.color != last.color"), 20))
    line = parse_cards("7H 8C")
    before = [rule for rule, _ in learner.classes(line)][:3]
    learner.observe(NotTheRule(rule, line) for rule in before)
    for rule, _ in learner.classes(line):
        assert not any(equivalent(rule, denied, line).same for denied in before), str(rule)


def test_is_a_learner() -> None:
    assert isinstance(EliminationLearner(), Learner)


@pytest.mark.parametrize("length", [0, 1, 2, 5])
def test_predictions_are_chances(length: int) -> None:
    found = EliminationLearner().predict(CARDS[:length])
    assert found.shape == (52,)
    assert found.dtype == np.float64
    assert ((found >= 0) & (found <= 1)).all()


def test_predictions_may_be_changed_by_whom_they_are_given_to() -> None:
    learner = EliminationLearner()
    learner.predict(LINE)[:] = 0
    assert learner.predict(LINE).any()


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize(
    "evidence",
    [
        [],
        EVERY_KIND[1:4],
        [EVERY_KIND[5]],
        STRINGS[:1],
        STRINGS[1:2],
        STRINGS,
        [*STRINGS, *EVERY_KIND[1:]],
        [*EVERY_KIND[1:4], *STRINGS[1:], *judged(Rule.parse("card.is_red"), 4)],
    ],
    ids=["nothing", "cards", "a wrong no play", "string", "other string", "strings", "strings first", "strings last"],
)
def test_agrees_with_brute_force(brute: Brute, evidence: list[Evidence], noise: float) -> None:
    assert 500 < brute.size < 1_000_000
    learner = EliminationLearner(noise, rules=brute.parts[0][0])
    learner.observe(evidence)
    for line in ASKED:
        np.testing.assert_allclose(learner.predict(line), brute.predict(evidence, line, noise), atol=1e-9)


def test_no_rule_left_contradicts_the_evidence() -> None:
    learner = EliminationLearner()
    evidence = [*EVERY_KIND, *STRINGS]
    learner.observe(evidence)
    rules = learner.sample(60)
    assert rules is not None
    for item in evidence:
        for rule in (*rules, *(rule for rule, _ in learner.classes(LONGER))):
            # Of an if-else whose branches are alike a hint cannot see that the test does not count.
            assert holds(rule, item) or isinstance(item, HintGiven), (str(rule), item)


def test_evidence_in_pieces_is_evidence_at_once() -> None:
    for rule in (Rule.parse("card.color != last.color"), Rule.parse("card.rank % 4 == mainline[0].rank % 4")):
        evidence = judged(rule, 40)
        whole, pieces = EliminationLearner(), EliminationLearner()
        whole.observe(evidence)
        for item in evidence:
            pieces.observe([item])
            pieces.predict(LINE)
        np.testing.assert_array_equal(whole.predict(LINE), pieces.predict(LINE))


@pytest.mark.parametrize(
    "text",
    [
        "card.color != last.color",
        "card.rank >= last.rank if last.is_black else card.rank <= last.rank",
        "(card.rank > last.rank or card.is_red) if last.is_odd else (card.rank < last.rank or card.is_red)",
        "card.suit == last.suit or card.rank == last.rank",
        "1 <= abs(card.rank - last.rank) <= 3",
        'card.suit == after(last.suit, "HSCD")',
        "card.is_red != card.is_face",
        "card.is_red if position % 3 == 0 else card.is_black if position % 3 == 1 else card.is_face",
        "card.color != mainline[-2].color",
        "{C: card.is_red, D: card.is_odd, H: card.is_black, S: card.is_even}[last.suit]",
    ],
)
def test_a_rule_of_the_space_is_identified(text: str) -> None:
    secret = Rule.parse(text)
    learner = EliminationLearner()
    learner.observe(judged(secret, 120))
    best, weight = learner.explain()[0]
    assert isinstance(best, Rule)
    assert same(best, secret)
    assert weight > 0.5


def test_noise_is_borne() -> None:
    secret = Rule.parse("card.color != last.color")
    evidence = judged(secret, 60)
    for place in (5, 25, 45):
        item = evidence[place]
        assert isinstance(item, Verdict)
        evidence[place] = Verdict(item.mainline, item.card, not item.legal)
    learner = EliminationLearner(noise=0.05)
    learner.observe(evidence)
    best, weight = learner.explain()[0]
    assert isinstance(best, Rule)
    assert same(best, secret)
    assert weight > 0.5


class TestNothingSurvives:
    CONTRADICTION = (
        Verdict(LINE, Card.parse("8D"), legal=True),
        Verdict(LINE, Card.parse("8D"), legal=False),
    )

    def test_predictions_stay_chances(self) -> None:
        learner = EliminationLearner()
        learner.observe(self.CONTRADICTION)
        found = learner.predict(LINE)
        assert ((found > 0) & (found < 1)).all()

    def test_no_rules_are_sampled(self) -> None:
        learner = EliminationLearner()
        learner.observe(self.CONTRADICTION)
        assert learner.sample(5) is None
        assert learner.explain()

    def test_a_slip_is_forgiven(self) -> None:
        secret = Rule.parse("card.color != last.color")
        evidence = judged(secret, 60)
        first = evidence[0]
        assert isinstance(first, Verdict)
        evidence.insert(30, Verdict(first.mainline, first.card, not first.legal))
        learner = EliminationLearner()
        learner.observe(evidence)
        best, _ = learner.explain()[0]
        assert isinstance(best, Rule)
        assert same(best, secret)


class TestSample:
    def test_counts_follow_the_weights(self) -> None:
        learner = EliminationLearner()
        learner.observe(judged(Rule.parse("card.color != last.color"), 25))
        rules = learner.sample(200)
        assert rules is not None
        assert len(rules) == 200
        best, weight = learner.explain()[0]
        assert isinstance(best, Rule)
        assert sum(same(rule, best) for rule in rules) == pytest.approx(200 * weight, abs=3)

    def test_shares_of_sampled_rules_are_the_predictions(self) -> None:
        learner = EliminationLearner()
        learner.observe([*EVERY_KIND[1:], *STRINGS])
        rules = learner.sample(400)
        assert rules is not None
        shares = np.mean([[rule.allows(LONGER, card) for card in CARDS] for rule in rules], axis=0)
        np.testing.assert_allclose(shares, learner.predict(LONGER), atol=0.1)


def test_weights_of_classes_sum_to_one() -> None:
    learner = EliminationLearner()
    for item in EVERY_KIND:
        learner.observe([item])
        for found in (learner.classes(), learner.classes(LONGER)):
            assert sum(weight for _, weight in found) == pytest.approx(1, abs=0.01)
            assert [weight for _, weight in found] == sorted((weight for _, weight in found), reverse=True)


SCRIPT = """
from tests.agents.test_elimination_learner import EVERY_KIND, LINE, LONGER, STRINGS, EliminationLearner
learner = EliminationLearner()
learner.observe([*EVERY_KIND[1:], *STRINGS])
print(learner.predict(LONGER).tobytes().hex(), learner.explain(), learner.sample(30), learner.classes(LINE))
"""


def test_answers_are_the_same_in_every_process() -> None:
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": f".{os.pathsep}agents",
                "OPENBLAS_NUM_THREADS": threads,
            },
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed, threads in (("1", "1"), ("2", "2"))
    }
    assert len(answers) == 1


def test_a_smaller_space_is_part_of_the_whole() -> None:
    secret = Rule.parse("card.color != last.color")
    small = EliminationLearner(predicates=50)
    small.observe(judged(secret, 30))
    assert same(rule_of(small), secret)
    assert len(part(space(), 50, 9).predicates) < len(space().predicates) / 100


@pytest.mark.parametrize(
    ("options", "told"), [({"predicates": 0}, "predicates is 0"), ({"noise": 0.5}, "noise is 0.5")]
)
def test_options_it_does_not_take(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidOptions, match=told):
        EliminationLearner(**options)


def rule_of(learner: EliminationLearner) -> Rule:
    rule = learner.explain()[0][0]
    assert isinstance(rule, Rule)
    return rule
