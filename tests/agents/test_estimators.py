"""Learners made of classifiers: what is fitted, what is refused, and what they learn."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.naive_bayes import GaussianNB

from eleusis_agents.learners.estimators import ForestLearner, SklearnLearner
from eleusis_agents.learners.examples import Examples
from eleusis_agents.learners.features import FEATURES, RAW, RELATIONAL, Features
from eleusis_agents.learners.ripper import RipperLearner
from eleusis_agents.learners.streed import StreedLearner
from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.evidence import SomeIllegal, SomeLegal, Verdict
from eleusis_ai.registry import InvalidOptions, MissingExtra, make_learner
from eleusis_ai.rules.language import Rule

LINE = parse_cards("QC 7H")


def taught(learner: Learner, rule: str, lasts: int = 5) -> Learner:
    """Show ``learner`` the verdict on every card after some last cards."""
    secret = Rule.parse(rule)
    for last in CARDS[:: 52 // lasts]:
        learner.observe([Verdict((last,), card, legal=secret.allows((last,), card)) for card in CARDS])
    return learner


class Hard:
    """Says legal or not, without chances: whatever is red."""

    def fit(self, X: Features, y: NDArray[np.bool_]) -> None:  # noqa: N803 - scikit-learn's names
        self.seen = len(X)

    def predict(self, X: Features) -> NDArray[Any]:  # noqa: N803
        return X[:, RAW.names.index("card: red")]


def test_features_have_their_columns() -> None:
    for features in FEATURES.values():
        table = features.of(LINE)
        assert table.shape == (52, len(features.names))
        assert table.dtype == np.float32
        assert len(set(features.names)) == len(features.names)
    seven = dict(zip(RAW.names, RAW.of(LINE)[Card.parse("2C")], strict=True))
    assert (seven["card: rank"], seven["last: rank"], seven["card: club"], seven["last: club"]) == (2, 7, 1, 0)
    both = dict(zip(RELATIONAL.names, RELATIONAL.of(LINE)[Card.parse("2C")], strict=True))
    assert both["card and last: rise"] == -5
    assert both["card and the one before: same suit"] == 1


def test_evidence_becomes_rows_with_weights() -> None:
    examples = Examples(RAW)
    red, black = parse_cards("2H 3C")
    examples.add([Verdict((), red, legal=True)])
    assert len(examples) == 0, "a starter is no example"
    assert examples.share == 0.5
    examples.add([Verdict(LINE, red, legal=True), SomeIllegal(((LINE, red), (LINE, black))), SomeLegal(LINE, (red,))])
    assert examples.legal.tolist() == [True, False, False, True]
    assert examples.weight.tolist() == [1, 0.5, 0.5, 1]
    assert examples.share == pytest.approx(2.5 / 4)


@pytest.mark.parametrize(
    "learner",
    [
        SklearnLearner(),
        SklearnLearner(GaussianNB()),
        SklearnLearner("BernoulliNB"),
        SklearnLearner("LogisticRegression", "relational", {"C": 10.0}),
        ForestLearner(trees=5),
        ForestLearner(trees=5, features="raw"),
    ],
)
def test_they_learn_what_is_plain_to_see(learner: SklearnLearner) -> None:
    taught(learner, "card.is_red")
    told = learner.predict(LINE)
    assert all((told[card] > 0.5) == card.is_red for card in CARDS)
    assert 0 < told.min() < 0.2 < 0.8 < told.max() < 1


def test_what_two_cards_have_in_common_is_seen_by_relational_features() -> None:
    rule = "card.rank >= last.rank"
    line, right = parse_cards("7H"), {}
    for features in FEATURES:
        told = taught(SklearnLearner(features=features), rule).predict(line)
        right[features] = int(((told > 0.5) == legal_after(rule, line)).sum())
    assert right["relational"] == 52 > right["raw"]


def legal_after(rule: str, line: tuple[Card, ...]) -> NDArray[np.bool_]:
    return np.array([Rule.parse(rule).allows(line, card) for card in CARDS])


def test_one_kind_of_verdict_gives_the_share() -> None:
    learner = SklearnLearner()
    assert set(learner.predict(LINE)) == {0.5}
    learner.observe([Verdict(LINE, card, legal=True) for card in CARDS[:3]])
    assert set(learner.predict(LINE)) == {3.5 / 4}
    assert "two kinds" in str(learner.explain()[0][0])


def test_without_chances_a_verdict_is_trusted_as_far_as_it_was_right() -> None:
    learner = SklearnLearner(Hard())
    learner.observe([Verdict(LINE, card, legal=card.is_red) for card in CARDS[::5]])
    learner.observe([Verdict(LINE, CARDS[1], legal=True)])
    told = learner.predict(LINE)
    assert told[Card.parse("7H")] == pytest.approx((11 + 0.5) / 13)
    assert told[Card.parse("7C")] == pytest.approx(1 - (11 + 0.5) / 13)


def test_without_weights_doubtful_cards_are_left_out() -> None:
    learner = SklearnLearner(hard := Hard())
    learner.observe([Verdict(LINE, CARDS[0], legal=False), Verdict(LINE, CARDS[20], legal=True)])
    learner.observe([SomeIllegal(((LINE, CARDS[1]), (LINE, CARDS[2])))])
    learner.predict(LINE)
    assert not hasattr(hard, "seen"), "a copy is fitted, not the one that was given"
    assert "3 judged cards" not in str(learner.explain())


def test_a_classifier_that_refuses_the_data_is_told_and_the_share_serves() -> None:
    learner = SklearnLearner("MultinomialNB", "relational")
    taught(learner, "card.is_red")
    assert len(set(learner.predict(LINE))) == 1
    assert "not fitted: Negative values" in str(learner.explain()[0][0])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"estimator": "RandomForest"}, "did you mean 'RandomForestClassifier'"),
        ({"estimator": "__import__('os').getcwd()"}, "no classifier"),
        ({"estimator": "sklearn.tree.DecisionTreeClassifier"}, "no classifier"),
        ({"estimator": "LinearRegression"}, "no classifier"),
        ({"estimator": 7}, "has no `fit`"),
        ({"estimator": "StackingClassifier"}, "cannot be made"),
        ({"features": "cooked"}, "raw, relational"),
        ({"parameters": {"deepness": 3}}, "cannot be made"),
        ({"depth": 3}, "does not take options"),
    ],
)
def test_options_that_are_refused(options: Mapping[str, Any], problem: str) -> None:
    with pytest.raises(InvalidOptions, match=problem):
        make_learner("sklearn", options)


def test_a_parameter_out_of_its_bounds_is_told_when_it_is_fitted() -> None:
    learner = make_learner("sklearn", {"parameters": {"max_depth": -1}})
    taught(learner, "card.is_red", lasts=1)
    with pytest.raises(InvalidOptions, match="max_depth"):
        learner.predict(LINE)


@pytest.mark.parametrize(("name", "library"), [("streed", "pystreed"), ("ripper", "wittgenstein")])
def test_a_missing_library_is_named_with_its_extra(name: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'eleusis-ai\[{name}\]'"):
        make_learner(name)


@pytest.mark.parametrize("depth", [0, 5, -1])
def test_trees_that_cannot_be_searched(depth: int) -> None:
    with pytest.raises(InvalidOptions, match="1 to 4"):
        StreedLearner(depth)


@pytest.mark.long
def test_the_best_tree_is_found_where_a_grown_one_misses_it() -> None:
    """Exactly one of two attributes: neither tells anything alone."""
    pytest.importorskip("pystreed")
    rule = "card.is_red != last.is_odd"
    told = taught(StreedLearner(2, "raw"), rule).predict(LINE)
    assert ((told > 0.5) == legal_after(rule, LINE)).all()
    assert 0 < told.min() < 0.1 < 0.9 < told.max() < 1


@pytest.mark.long
def test_ripper_covers_what_is_legal() -> None:
    pytest.importorskip("wittgenstein", reason="the extra ripper is not installed")
    told = taught(RipperLearner(), "card.suit == last.suit").predict(LINE)
    assert ((told > 0.5) == legal_after("card.suit == last.suit", LINE)).all()
