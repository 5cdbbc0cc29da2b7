from __future__ import annotations

from collections import Counter

import pytest

from eleusis_ai.bench.deals import Deal, load_deals, model_rounds, protocol_rules
from eleusis_ai.bench.solo import TURNS, RoundScore
from eleusis_ai.cards import CARDS


def test_26_rules_78_deals_16_models() -> None:
    assert len(protocol_rules()) == 26
    assert Counter(deal.rule for deal in load_deals()) == dict.fromkeys(protocol_rules(), 3)
    rounds = Counter(found.model for found in model_rounds())
    assert len(rounds) == 16
    assert set(rounds.values()) == {78}
    assert {(found.rule, found.batch) for found in model_rounds()} == {(d.rule, d.batch) for d in load_deals()}


@pytest.mark.parametrize("deal", load_deals(), ids=lambda deal: f"{deal.rule}-{deal.batch}")
def test_a_deal_can_be_played(deal: Deal) -> None:
    assert len(deal.hand) == 12
    assert len(deal.starter) == 1
    assert len(deal.draw) >= TURNS
    assert deal.secret.allows((), deal.starter[0])
    assert max(Counter((*deal.hand, *deal.starter, *deal.draw)).values()) <= 2, "there are two packs"
    assert {*deal.hand, *deal.draw} <= set(CARDS)


def test_what_the_models_did_is_possible() -> None:
    for found in model_rounds():
        assert 0 <= found.accepted <= (found.win or TURNS)
        if found.win is not None:
            assert found.first is not None, "what is stated is the tentative rule"
            assert found.first <= found.win <= TURNS
            assert found.wrong < found.win


def test_the_first_model_of_the_published_table() -> None:
    """Rounds as the published log has them: a win in turn 6, a loss with 12 wrong statements."""
    scores = {
        (found.rule, found.batch): RoundScore(win=found.win, first=found.first, wrong=found.wrong)
        for found in model_rounds()
        if found.model == "Qwen3.5-27B"
    }
    won, lost = scores["even_ranks_only", 0], scores["alternating_face_number", 0]
    assert (won.uniform, won.floored, won.no_stakes) == (25, 25, 27)
    assert (lost.uniform, lost.floored, lost.no_stakes) == (-24, 0, 0)
