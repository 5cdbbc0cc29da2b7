"""The benchmark on the 78 deals: the published models come out as published, and a learner plays as it should."""

from __future__ import annotations

import pytest

from eleusis_ai.bench.learners import LearnerSpec
from eleusis_ai.bench.llm_protocol import ProtocolSettings, jobs, learner_player, models, play, summary

PUBLISHED = {
    "Gemini 3 Pro": 17.26,
    "Claude Opus 4.5": 16.41,
    "Kimi K2": 15.58,
    "GPT-5.2 Pro": 15.23,
    "Qwen3.5-27B": 15.13,
    "DeepSeek V3.2": 15.05,
    "GLM 4.7": 15.01,
    "Grok 4.1 Fast": 14.77,
    "GPT-5.2": 14.17,
    "Gemini 3 Flash": 14.05,
    "GPT-5 Mini": 12.94,
    "DeepSeek R1": 12.90,
    "Gemini 3 Flash (low)": 12.58,
    "GPT-OSS 120B": 12.36,
    "GPT-OSS 20B": 11.45,
    "Claude Haiku 4.5": 11.17,
}
SETTINGS = ProtocolSettings(threshold=0.4, samples=50, limit=26)


def test_the_models_come_out_as_published() -> None:
    found = models()
    assert {model.name: round(model.score.mean, 2) for model in found} == PUBLISHED
    assert [model.name for model in found] == list(PUBLISHED), "best first"


def test_the_interval_is_taken_by_rule() -> None:
    best = models()[0].score
    assert (best.low, best.high) == pytest.approx((14.5, 19.6), abs=0.15)


def test_a_limit_takes_a_deal_of_every_rule_first() -> None:
    assert len({deal.rule for deal in jobs(SETTINGS)}) == 26
    assert len(jobs(ProtocolSettings(threshold=0.4, samples=50))) == 78


def test_one_that_knows_the_rule_states_it_at_once() -> None:
    deal = jobs(SETTINGS)[0]
    found = play(LearnerSpec("tests.bench.learners:Knowing", {"rules": ["card.is_even"]}), SETTINGS, deal)
    assert (found.score.win, found.score.floored, found.stated) == (1, 30, "card.is_even")
    assert (found.confidence_error, found.verdict_error) == (0.0, 0.0)


def test_one_that_knows_the_26_is_near_the_ceiling() -> None:
    """A player that is given the list scores 25.2 to 26.0, as measured with another program."""
    every = [str(deal.secret) for deal in jobs(SETTINGS)]
    spec = LearnerSpec("tests.bench.learners:Knowing", {"rules": every})
    rounds = [play(spec, SETTINGS, deal) for deal in jobs(SETTINGS)]
    assert 24 < learner_player("knowing", rounds).score.mean < 27


def test_one_without_rules_scores_nothing_and_is_told_so() -> None:
    deals = jobs(SETTINGS)[:2]
    rounds = [play(LearnerSpec("tree"), SETTINGS, deal) for deal in deals]
    assert [found.score.floored for found in rounds] == [0, 0]
    told = summary(SETTINGS, {"tree": rounds})
    assert any("tree: no rules" in remark for remark in told.remarks)
    assert len(told.tables[0].rows) == 17
