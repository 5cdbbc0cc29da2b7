"""One request over real HTTP: every way in which an endpoint answers, or does not."""

from __future__ import annotations

import json
from email.utils import formatdate
from time import time

import pytest

from eleusis_agents.llm import client as module
from eleusis_agents.llm.client import LARGEST, Client
from eleusis_agents.llm.failures import (
    BadKey,
    BadRequest,
    Busy,
    EndpointFailure,
    Garbled,
    LineBroken,
    NoSuchModel,
    Passing,
    Redirected,
    TooSlow,
    Unreachable,
)
from eleusis_agents.llm.prompt import FORM
from eleusis_agents.llm.question import Answer, Message, Question
from eleusis_agents.llm.settings import Settings
from tests.agents.llm.stub import (
    KEY,
    Stub,
    Way,
    breaks_off,
    fails,
    hangs,
    hangs_up,
    needs_plain_words,
    never_ends,
    says,
    sends,
    serving,
    well,
)

MESSAGES = (Message("system", "terms"), Message("user", "Your hand: 7H\nYou may answer: '7H'"))


def settings(stub: Stub, **changes: object) -> Settings:
    return Settings.of(stub.options(**changes))


def ask(stub: Stub, **changes: object) -> Answer:
    own = settings(stub, **changes)
    return Client(own).ask(question(own))


def question(own: Settings) -> Question:
    return Question(own.base_url, own.model, own.temperature, own.max_tokens, MESSAGES, FORM)


def test_a_request_is_what_the_api_wants(stub: Stub, key: str) -> None:
    ask(stub, key_from=key, temperature=0, max_tokens=500)
    (asked,) = stub.asked
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.headers["content-type"] == "application/json"
    assert asked.body["messages"] == [{"role": each.role, "content": each.content} for each in MESSAGES]
    assert (asked.body["model"], asked.body["temperature"], asked.body["max_tokens"]) == ("stub", 0, 500)
    told = asked.body["response_format"]
    assert told == {"type": "json_schema", "json_schema": {"name": "move", "strict": True, "schema": FORM.schema}}


def test_without_a_key_none_is_sent_and_without_a_temperature_none_is_set(stub: Stub) -> None:
    ask(stub)
    assert "authorization" not in stub.asked[0].headers
    assert "temperature" not in stub.asked[0].body


@pytest.mark.parametrize(
    ("way", "answer"),
    [
        (says("hello"), Answer(content="hello", tokens_in=100, tokens_out=20)),
        (says("hello", usage=None), Answer(content="hello")),
        (says("he", finish="length"), Answer(content="he", finish="length", tokens_in=100, tokens_out=20)),
        (says(None, refusal="no"), Answer(content="", refusal="no", tokens_in=100, tokens_out=20)),
        (sends(b'{"choices": [{"message": {"content": [{"type": "text", "text": "x"}]}}]}'), Answer(content="x")),
    ],
)
def test_answers(stub: Stub, way: Way, answer: Answer) -> None:
    stub.script = [way]
    assert ask(stub) == answer


@pytest.mark.parametrize(
    ("way", "kind", "said"),
    [
        (fails(401, "Incorrect API key provided"), BadKey, r"\(401\); look at the environment variable STUB_KEY"),
        (fails(403), BadKey, r"\(403\)"),
        (fails(404, "model 'stub' not found"), NoSuchModel, r"no model 'stub'.*not found"),
        (fails(429), Busy, r"cannot answer now \(429\)"),
        (fails(429, "You exceeded your current quota"), BadKey, "no quota left"),
        (fails(500), Busy, r"\(500\)"),
        (fails(529), Busy, r"\(529\)"),
        (fails(413, "too large"), BadRequest, r"does not take the request \(413\): too large"),
        (sends(b"<html>Bad\n gateway</html>", 502), Busy, "<html>Bad gateway</html>"),
        (sends(b"{nonsense"), Garbled, "is not an answer of a chat endpoint"),
        (sends(b"[" * 100_000), Garbled, "is not an answer"),
        (sends(b'{"choices": []}'), Garbled, "is not an answer"),
        (sends(b'{"choices": [{"message": {"content": 7}}]}'), Garbled, "is not an answer"),
        (sends(b"\xff\xfe"), Garbled, "is not an answer"),
        (hangs_up, LineBroken, "broke"),
        (breaks_off, LineBroken, "broke"),
        (never_ends, Garbled, f"more than {LARGEST:,} bytes"),
    ],
)
def test_failures(stub: Stub, key: str, way: Way, kind: type[EndpointFailure], said: str) -> None:
    stub.way = way
    with pytest.raises(EndpointFailure, match=said) as raised:
        ask(stub, key_from=key)
    assert type(raised.value) is kind
    assert len(stub.asked) == 1


def test_one_that_says_nothing_is_not_waited_for(stub: Stub) -> None:
    stub.way = hangs
    with pytest.raises(TooSlow, match=r"longer than timeout_seconds = 0\.05"):
        ask(stub, timeout_seconds=0.05)


def test_one_that_is_not_done_in_time_is_left(stub: Stub) -> None:
    stub.way = never_ends
    seconds = iter(range(0, 1000, 15))
    own = settings(stub, timeout_seconds=20)
    with pytest.raises(TooSlow, match="not done"):
        Client(own, lambda: next(seconds)).ask(question(own))


def test_nobody_there() -> None:
    with serving() as gone:
        pass
    with pytest.raises(Unreachable, match=r"nothing listens at .*start the server") as raised:
        ask(gone)
    assert not raised.value.billed, "nothing was sent"


def asked_to_wait(stub: Stub, text: str) -> float | None:
    stub.way = fails(429, Retry_After=text)
    with pytest.raises(Passing) as raised:
        ask(stub)
    return raised.value.wait


@pytest.mark.parametrize(
    ("text", "wait"), [("7", 7.0), ("0.5", 0.5), ("soon", None), ("", None), ("99999999999", None)]
)
def test_retry_after_in_seconds(stub: Stub, text: str, wait: float | None) -> None:
    assert asked_to_wait(stub, text) == wait


def test_retry_after_as_a_date(stub: Stub) -> None:
    later = asked_to_wait(stub, formatdate(time() + 3000))
    assert later is not None
    assert 2000 < later <= 3000
    assert asked_to_wait(stub, formatdate(0)) == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed_and_takes_no_key_along(stub: Stub, key: str, status: int) -> None:
    with serving() as elsewhere:
        stub.way = fails(status, Location=f"{elsewhere.base_url}/chat/completions")
        with pytest.raises(Redirected, match="where no key is sent"):
            ask(stub, key_from=key)
        assert elsewhere.asked == []
    assert len(stub.asked) == 1


def test_an_endpoint_that_wants_plainer_words_gets_them_and_is_remembered(stub: Stub) -> None:
    stub.way = needs_plain_words
    assert json.loads(ask(stub).content)["move"] == "7H"
    assert len(stub.asked) == 3
    assert "response_format" not in stub.asked[2].body
    assert stub.asked[2].body["max_completion_tokens"] == 8000
    ask(stub)
    assert len(stub.asked) == 4, "it need not be found out again"


def test_one_that_takes_nothing_is_told_as_that(stub: Stub) -> None:
    stub.way = fails(400, "context length exceeded")
    with pytest.raises(BadRequest, match="context length exceeded"):
        ask(stub)
    assert len(stub.asked) == 2, "once with a schema, once without"
    stub.way = well
    ask(stub)
    assert "response_format" in stub.asked[2].body, "the schema was not to blame"


@pytest.mark.parametrize("held", ["", "  ", "two words", "naïve"])
def test_a_key_that_is_none_is_not_sent_and_not_shown(stub: Stub, monkeypatch: pytest.MonkeyPatch, held: str) -> None:
    monkeypatch.setenv("STUB_KEY", held)
    with pytest.raises(BadKey, match="the environment variable STUB_KEY") as raised:
        ask(stub, key_from="STUB_KEY")
    assert not held.strip() or held not in str(raised.value)
    assert stub.asked == []


def test_a_line_break_behind_the_key_does_no_harm(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_KEY", f"{KEY}\n")
    ask(stub, key_from="STUB_KEY")
    assert stub.asked[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    "way",
    [
        fails(401, f"wrong key {KEY}"),
        fails(302, Location=f"http://127.0.0.1:9/{KEY}"),
        fails(500, f"trace: Bearer {KEY}"),
        sends(f"not json {KEY}".encode()),
        sends(f'{{"detail": "{KEY}"}}'.encode(), 418),
        sends(json.dumps({"detail": KEY}).replace("-", "\\u002d").encode(), 418),
    ],
)
def test_an_endpoint_that_says_the_key_back_does_not_get_it_into_an_error(stub: Stub, key: str, way: Way) -> None:
    stub.way = way
    with pytest.raises(EndpointFailure) as raised:
        ask(stub, key_from=key)
    assert KEY not in f"{raised.value!r} {raised.value}"


def test_nor_into_an_answer(stub: Stub, key: str) -> None:
    stub.way = says(f"your key is {KEY}", refusal=KEY)
    assert KEY not in repr(ask(stub, key_from=key))


@pytest.fixture(autouse=True)
def forget_dialects() -> None:
    module._dialect.cache_clear()
