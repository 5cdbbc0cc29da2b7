"""The solo protocol, played by a language model: its prompt, its commitments, and `eleusis bench --agent`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eleusis_agents.llm.agent import LlmAgent
from eleusis_agents.llm.solo import FORM, solo_prompt
from eleusis_ai.bench.deals import load_deals
from eleusis_ai.bench.llm_protocol import ProtocolSettings, play_agent
from eleusis_ai.bench.players import PlayerSpec
from eleusis_ai.bench.solo import Commitment, Commits, NoCommitment, SoloRound, SoloView
from eleusis_ai.bench.suite import Request, run_request
from eleusis_ai.cards import Card, cards_text
from eleusis_ai.cli import main
from eleusis_ai.registry import InvalidOptions, UnknownPart
from eleusis_ai.rules.language import Rule
from tests.agents.llm.stub import Stub, Way, fails, says, serving

SETTINGS = ProtocolSettings(threshold=0.4, samples=50, limit=2)


def commits(card: str, rule: str = "card.is_red", *, confidence: object = 5, state: object = False) -> Way:
    told = {"thought": "hm", "rule": rule, "confidence": confidence, "state": state, "card": card}
    return says(json.dumps(told))


def played_on() -> SoloRound:
    """Return a round with a right card, a wrong one, and a wrong statement."""
    solo = SoloRound(load_deals()[0])
    assert str(solo.deal.secret) == "card.is_even"
    odd = Rule.parse("card.is_odd")
    for card, state in (("2H", False), ("7D", True)):
        solo.apply(Commitment(card=Card.parse(card), tentative=odd, confidence=3, state=state))
    return solo


def view() -> SoloView:
    return played_on().view()


def agent(stub: Stub, **changes: object) -> LlmAgent:
    return LlmAgent(seat=0, seed="1", **stub.options(**changes))


def test_it_is_told_all_that_was_judged_and_nothing_of_the_secret() -> None:
    system, user = solo_prompt(view())
    assert "Turn 3 of 30." in user.content
    assert "The table: 4S 2H(7D)" in user.content
    assert "You stated this rule, and it is wrong: card.is_odd" in user.content
    assert f"Your hand: {cards_text(view().hand)}" in user.content
    assert "brings 31 - T points" in system.content
    assert "is_even" not in user.content


def test_deals_that_look_alike_are_told_alike() -> None:
    """What is still to be drawn, and which rule it is, make no difference to the prompt."""
    one, other = (deal for deal in load_deals()[:2])
    first = SoloView(turn=1, hand=one.hand, layout=SoloRound(one).view().layout, wrong=())
    assert solo_prompt(SoloRound(one).view()) == solo_prompt(first)
    assert solo_prompt(SoloRound(other).view()) != solo_prompt(first)


def test_it_commits_to_what_the_model_says(stub: Stub) -> None:
    stub.script = [commits("2S", "card.is_even", confidence=9, state=True)]
    seat = agent(stub)
    assert isinstance(seat, Commits)
    even = Rule.parse("card.is_even")
    assert seat.commit(view()) == Commitment(card=Card.parse("2S"), tentative=even, confidence=9, state=True)
    schema = stub.asked[0].body["response_format"]["json_schema"]["schema"]
    assert schema == FORM.schema


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        (commits("KC"), "KC is not in the hand, which is 8D"),
        (commits("2S", "even cards"), "is not in the rule language"),
        (commits("2S", ""), '"rule" is empty'),
        (commits("2S", "len(rejected) > 3"), "looks at rejected cards"),
        (says("I pass"), 'no JSON object with "card"'),
    ],
)
def test_what_it_may_not_commit_to_is_asked_again(stub: Stub, way: Way, reason: str) -> None:
    stub.script = [way, commits("2S")]
    assert agent(stub).commit(view()).card == Card.parse("2S")
    assert reason in stub.asked[1].body["messages"][3]["content"]
    stub.way = way
    with pytest.raises(NoCommitment, match="asked 2 times"):
        agent(stub, tries=2).commit(view())


def test_a_deal_is_played_and_judged_as_for_a_learner(stub: Stub) -> None:
    stub.script = [
        commits("2H", "card.is_odd"),
        says("no"),
        says("no"),
        commits("2S", "card.rank % 2 == 0", state=True),
    ]
    spec = PlayerSpec("llm", stub.options(tries=2))
    found = play_agent(spec, SETTINGS, load_deals()[0])
    assert (found.score.win, found.score.floored, found.turns, found.missed) == (3, 28, 3, 1)
    assert found.stated == "card.rank % 2 == 0"
    assert found.verdict_error is None
    assert found.confidence_error == pytest.approx((0.5**2 + 0.5**2) / 2)


def test_the_benchmark_is_the_same_again_from_the_cache_with_the_endpoint_gone(tmp_path: Path) -> None:
    with serving() as stub:
        request = Request(
            benchmark="llm-protocol", agents=("llm",), options=stub.options(cache=str(tmp_path)), limit=2
        )
        first = run_request(request).result
        assert 2 < len(stub.asked) <= 60
    assert run_request(request).result.encoded == first.encoded
    (entrant,) = first.learners
    assert (entrant.name, entrant.use, len(entrant.cases)) == ("stub", "llm", 2)
    assert len(first.tables[0].rows) == 17, "beside the 16 published models"


def test_the_budget_stops_the_benchmark_and_says_so(
    stub: Stub, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = [f"base_url={stub.base_url}", "model=vendor/stub", "budget_tokens=6000", "max_tokens=500", "cache=kept"]
    words = ["bench", "llm-protocol", "--agent", "llm", "--limit", "1"]
    for option in options:
        words += ["--options", option]
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert "a higher budget goes on, and what was answered is not asked again" in capsys.readouterr().err
    asked = len(stub.asked)
    assert 1 < asked < 30
    words[words.index("budget_tokens=6000")] = "budget_tokens=600000"
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 0
    printed = capsys.readouterr().out
    assert "vendor/stub" in printed
    assert "read experiments/results/bench-llm-protocol-llm/result.md" in printed
    assert len(stub.asked) <= 30, "what was answered before was not asked again"


def test_an_endpoint_that_fails_ends_the_benchmark(stub: Stub) -> None:
    stub.way = fails(401)
    with pytest.raises(ValueError, match="does not let you in"):
        run_request(Request(benchmark="llm-protocol", agents=("llm",), options=stub.options(), limit=1))


def test_who_does_not_commit_cannot_take_part() -> None:
    with pytest.raises(UnknownPart, match=r"'tree' does not play the solo protocol.*--learner"):
        run_request(Request(benchmark="llm-protocol", agents=("tree",), limit=1))
    with pytest.raises(InvalidOptions, match="pairs is for learners; agents take part in llm-protocol"):
        run_request(Request(benchmark="pairs", agents=("llm",)))
    with pytest.raises(InvalidOptions, match="options go to one"):
        run_request(Request(benchmark="llm-protocol", agents=("llm",), learners=("tree",), options={"model": "x"}))
