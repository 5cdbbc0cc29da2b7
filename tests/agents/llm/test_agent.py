"""The agent: it plays what the model says, asks again, and fails in a way that the referee understands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from eleusis_agents.llm.agent import LlmAgent
from eleusis_agents.llm.failures import BadKey, BudgetSpent, NoAnswer, Refused, Truncated
from eleusis_ai.agent import Explains
from eleusis_ai.cards import Card
from eleusis_ai.moves import Attempt
from eleusis_ai.registry import AgentSpec, InvalidOptions, MissingExtra, make_agent
from eleusis_ai.view import View
from tests.agents.llm.stub import Stub, fails, plays, says, serving
from tests.agents.llm.test_prompt import views_of_all_kinds
from tests.rulebook.table import RED, deal, play


def view_of(hand: str = "2C 3D 4S", *script: str) -> View:
    table = deal("howell", RED, hand, "7H 8D 9D", starter="7H")
    play(table, *script)
    assert table.decision is not None
    return table.view(table.decision.seat)


def agent(stub: Stub, **changes: object) -> LlmAgent:
    return LlmAgent(seat=1, seed="1", **stub.options(**changes))


def test_it_is_found_by_its_name() -> None:
    made = make_agent(AgentSpec("gpt", "llm", {"model": "gpt-x"}), seat=1, seed="1")
    assert isinstance(made, LlmAgent)
    assert isinstance(made, Explains)
    assert made.name == "gpt-x"
    with pytest.raises(InvalidOptions, match="did you mean 'model'"):
        make_agent(AgentSpec("gpt", "llm", {"modell": "gpt-x"}), seat=1, seed="1")


def test_it_plays_what_the_model_says(stub: Stub) -> None:
    stub.script = [plays("3D"), plays("4S 2C"), plays("no play")]
    seat = agent(stub)
    assert [str(seat.act(view_of())) for _ in range(3)] == ["3D", "4S 2C", "no play"]


def test_it_answers_every_kind_of_decision(stub: Stub) -> None:
    for kind, view in views_of_all_kinds().items():
        assert agent(stub).act(view) in view.legal_moves(), kind


def test_it_is_told_the_same_whatever_it_was_asked_before(stub: Stub) -> None:
    seat = agent(stub)
    seat.act(view_of("5C 6C"))
    seat.act(view_of())
    agent(stub).act(view_of())
    assert stub.asked[1].body == stub.asked[2].body


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("I play the three of diamonds.", 'no JSON object with "move"'),
        ('{"move": "KS", "rule": "", "confidence": 1, "thought": ""}', "does not hold KS"),
        ('{"move": "prophet"}', "it is a turn: play cards of the hand"),
        ('{"move": "banana"}', "'banana' is not a move"),
        ("", "no JSON object"),
    ],
)
def test_an_answer_that_cannot_be_used_is_asked_for_again_with_the_reason(stub: Stub, said: str, reason: str) -> None:
    stub.script = [says(said), plays("3D")]
    assert agent(stub).act(view_of()) == Attempt((Card.parse("3D"),))
    first, second = (asked.body["messages"] for asked in stub.asked)
    assert second[:2] == first
    assert second[2] == {"role": "assistant", "content": said or "(nothing)"}
    assert reason in second[3]["content"]


def test_after_so_many_tries_it_fails_with_the_last_reason(stub: Stub) -> None:
    stub.way = plays("KS")
    with pytest.raises(NoAnswer, match=r"does not hold KS.*\(the model was asked 3 times\)"):
        agent(stub).act(view_of())
    assert len(stub.asked) == 3


def test_a_refusal_is_not_asked_again(stub: Stub) -> None:
    for way in (says(None, refusal="I don't gamble"), says("", finish="content_filter")):
        stub.script = [way]
        with pytest.raises(Refused, match=r"does not answer: (I don't gamble|the endpoint's filter)"):
            agent(stub).act(view_of())
    assert len(stub.asked) == 2


def test_an_answer_that_is_cut_off_is_told_as_that(stub: Stub) -> None:
    stub.way = says('{"thought": "hm', finish="length")
    with pytest.raises(Truncated, match="let max_tokens be more"):
        agent(stub).act(view_of())
    assert "cut off" in stub.asked[1].body["messages"][3]["content"]
    stub.way = says('{"move": "3D"}', finish="length")
    assert str(agent(stub).act(view_of())) == "3D", "what is there is enough"


def test_without_an_endpoint_the_rest_of_the_round_is_not_asked_for(stub: Stub) -> None:
    stub.way = fails(401)
    seat = agent(stub)
    for _ in range(3):
        with pytest.raises(BadKey, match="key_from = 'OPENAI_API_KEY'"):
            seat.act(view_of())
    assert len(stub.asked) == 1


def test_the_budget_stops_it(stub: Stub, tmp_path: Path) -> None:
    with pytest.raises(BudgetSpent):
        agent(stub, cache=str(tmp_path), budget_tokens=100).act(view_of())
    assert stub.asked == []


def test_without_the_extra_it_says_which(monkeypatch: pytest.MonkeyPatch, stub: Stub) -> None:
    from eleusis_agents.llm import client

    client._pool.cache_clear()
    monkeypatch.setitem(sys.modules, "urllib3", None)
    with pytest.raises(MissingExtra, match=r"the agent llm needs a library .*'eleusis-ai\[llm\]'"):
        make_agent("llm", seat=1, seed="1")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "filelock", None)
    with pytest.raises(MissingExtra, match=r"eleusis-ai\[llm\]"):
        agent(stub, log="nowhere").act(view_of())


def test_it_believes_what_it_last_said_as_far_as_it_is_sure(stub: Stub) -> None:
    seat, view = agent(stub), view_of("2C 3D 4S")
    before = seat.beliefs(view)
    assert before.rules == ()
    assert set(before.legal) == {2 / 3}, "one card was right, none wrong"
    stub.script = [plays("3D", rule="card.is_black", confidence=8)]
    seat.act(view)
    beliefs = seat.beliefs(view)
    assert beliefs.rules == (("card.is_black", 0.8),)
    assert beliefs.legal[Card.parse("2C")] == pytest.approx(0.8 + 0.2 * 2 / 3)
    assert beliefs.legal[Card.parse("3D")] == pytest.approx(0.2 * 2 / 3)
    stub.script = [plays("3D", rule="black ones, I think", confidence=3)]
    seat.act(view)
    words = seat.beliefs(view)
    assert words.rules == (("black ones, I think", 0.3),)
    assert set(words.legal) == set(before.legal)
    assert len(stub.asked) == 2, "to tell what it believes it asks nobody"


def test_what_it_believed_is_found_in_the_cache(tmp_path: Path) -> None:
    view = view_of()
    with serving() as stub:
        stub.script = [plays("3D", rule="card.is_black", confidence=8)]
        agent(stub, cache=str(tmp_path)).act(view)
    assert agent(stub, cache=str(tmp_path)).beliefs(view).rules == (("card.is_black", 0.8),)


def test_what_it_says_of_itself_has_no_key_in_it(stub: Stub, key: str) -> None:
    seat = agent(stub, key_from=key)
    seat.act(view_of())
    told = json.dumps([repr(seat), repr(vars(seat)), repr(seat._settings)])
    assert "sk-not" not in told
