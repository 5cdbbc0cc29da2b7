"""Patience, cache, budget and log around the wire."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import msgspec
import pytest

from eleusis_agents.llm.cache import Cache
from eleusis_agents.llm.failures import (
    BadKey,
    BudgetSpent,
    Busy,
    EndpointFailure,
    Garbled,
    LineBroken,
    TooSlow,
    Unaccountable,
    Unreachable,
)
from eleusis_agents.llm.model import Model
from eleusis_agents.llm.patience import wait_after
from eleusis_agents.llm.prompt import FORM
from eleusis_agents.llm.question import Answer, Message, Question
from eleusis_agents.llm.settings import Settings
from eleusis_agents.llm.spending import Account
from tests.agents.llm.stub import KEY, Stub, Way, breaks_off, fails, hangs, hangs_up, says, sends, serving


class Asking:
    """A model behind the stub, which waits for no one."""

    def __init__(self, stub: Stub, **changes: object) -> None:
        self.settings = Settings.of(stub.options(**changes))
        self.waits: list[float] = []
        rng = Random(1)
        self.model = Model(self.settings, lambda: rng, sleep=self.waits.append, clock=lambda: 0.0)

    def __call__(self, text: str = "hello") -> str:
        return self.model.ask(self.question(text)).content

    def question(self, text: str) -> Question:
        told = Message("user", f"{text}. You may answer: '7H'")
        return self.model.question((Message("system", "terms"), told), FORM)

    def many(self, number: int = 1000) -> None:
        for each in range(number):
            self(f"question {each}")


@pytest.mark.parametrize("way", [fails(500), fails(429), hangs_up, breaks_off, sends(b"{")])
def test_what_passes_is_waited_for(stub: Stub, way: Way) -> None:
    stub.script = [way, way, says("at last")]
    asking = Asking(stub, backoff_seconds=1)
    assert asking() == "at last"
    first, second = asking.waits
    assert 0.5 <= first <= 1
    assert 1 <= second <= 2


def test_a_slow_one_is_asked_again(stub: Stub) -> None:
    stub.script = [hangs, says("at last")]
    asking = Asking(stub, timeout_seconds=0.05)
    assert asking() == "at last"
    assert len(asking.waits) == 1


def test_the_endpoint_may_ask_for_a_wait_and_not_for_any(stub: Stub) -> None:
    stub.script = [fails(429, Retry_After="7"), fails(503, Retry_After="86400"), says("at last")]
    asking = Asking(stub, backoff_seconds=0.001)
    assert asking() == "at last"
    assert asking.waits == [7.0, 60.0]


def test_waits_are_drawn_from_the_generator_and_bounded() -> None:
    settings = Settings.of({"backoff_seconds": 1, "longest_wait_seconds": 10})
    waits = [[wait_after(Busy("x"), retry, settings, Random(seed)) for retry in range(20)] for seed in (1, 1, 2)]
    assert waits[0] == waits[1] != waits[2]
    assert max(waits[0]) == 10


@pytest.mark.parametrize(
    ("way", "kind", "requests"),
    [(fails(500), Busy, 4), (hangs_up, LineBroken, 4), (sends(b"["), Garbled, 4), (fails(401), BadKey, 1)],
)
def test_in_the_end_it_gives_up_and_asks_no_more(
    stub: Stub, way: Way, kind: type[EndpointFailure], requests: int
) -> None:
    stub.way = way
    asking = Asking(stub, retries=3)
    for _ in range(2):
        with pytest.raises(kind):
            asking()
        assert len(stub.asked) == requests


def test_where_nobody_listens_it_is_not_long_waited_for() -> None:
    with serving() as gone:
        pass
    asking = Asking(gone, retries=10)
    with pytest.raises(Unreachable, match="nothing listens"):
        asking()
    assert len(asking.waits) == 2


def test_what_was_answered_is_found_again_without_the_endpoint(tmp_path: Path) -> None:
    with serving() as stub:
        stub.script = [says("first"), says("second"), says("third")]
        asking = Asking(stub, cache=str(tmp_path))
        assert [asking("a"), asking("b"), asking("a")] == ["first", "second", "first"]
        assert Asking(stub, cache=str(tmp_path))("a") == "first"
        assert Asking(stub, cache=str(tmp_path), model="other")("a") == "third"
        assert len(stub.asked) == 3
    assert Asking(stub, cache=str(tmp_path))("b") == "second"
    with pytest.raises(Unreachable):
        Asking(stub, cache=str(tmp_path), retries=0)("c")


def test_an_unreadable_answer_is_not_passed_over(stub: Stub, tmp_path: Path) -> None:
    asking = Asking(stub, cache=str(tmp_path))
    asking()
    (path,) = tmp_path.rglob("answers/*/*.json")
    path.write_text("{")
    with pytest.raises(Unaccountable, match="delete it, and the model is asked again"):
        asking()


def test_of_two_answers_to_a_question_the_first_is_kept(stub: Stub, tmp_path: Path) -> None:
    question, cache = Asking(stub).question("a"), Cache(tmp_path)
    assert cache.keep(question, Answer(content="one")).content == "one"
    assert cache.keep(question, Answer(content="two")).content == "one"
    found = cache.find(question)
    assert found is not None
    assert found.content == "one"


def test_a_budget_is_not_overdrawn(stub: Stub, tmp_path: Path) -> None:
    """The stub counts 100 tokens in and 20 out for each question: 0.0003 at these prices."""
    prices = {"price_in": 1.0, "price_out": 10.0, "max_tokens": 100}
    asking = Asking(stub, cache=str(tmp_path), budget=0.01, **prices)
    with pytest.raises(BudgetSpent, match=r"of a budget of 0\.01, 0\.0\d+ are spent, and the next question may cost"):
        asking.many()
    answered = len(stub.asked)
    spent = Account(tmp_path, asking.settings).spent
    assert (spent.questions, spent.tokens) == (answered, 120 * answered)
    assert spent.cost == pytest.approx(0.0003 * answered)
    most = asking.settings.cost(asking.question("question 99").most_tokens_in, 100)
    assert 0.01 - most <= spent.cost <= 0.01
    assert asking("question 0"), "what was answered is not asked again, and costs nothing"
    assert Asking(stub, cache=str(tmp_path), budget=0.02, **prices)("more")


def test_a_budget_of_tokens(stub: Stub, tmp_path: Path) -> None:
    asking = Asking(stub, cache=str(tmp_path), budget_tokens=3000, max_tokens=100)
    with pytest.raises(BudgetSpent, match="a budget of 3000 tokens"):
        asking.many()
    assert len(stub.asked) > 5


@pytest.mark.parametrize(("way", "counted"), [(fails(500), False), (fails(400), False), (hangs_up, True)])
def test_what_may_have_been_billed_counts(stub: Stub, tmp_path: Path, way: Way, counted: bool) -> None:
    stub.way = way
    asking = Asking(stub, cache=str(tmp_path), retries=0)
    with pytest.raises(EndpointFailure):
        asking()
    spent = Account(tmp_path, asking.settings).spent
    assert spent.tokens == (asking.question("hello").most_tokens_in + 8000 if counted else 0)


def test_where_the_endpoint_does_not_count_the_most_is_counted(stub: Stub, tmp_path: Path) -> None:
    stub.way = says("x", usage=None)
    asking = Asking(stub, cache=str(tmp_path))
    asking()
    most = asking.question("hello").most_tokens_in + 8000
    assert Account(tmp_path, asking.settings).spent.tokens == most


def test_an_unreadable_account_stops_all(stub: Stub, tmp_path: Path) -> None:
    (tmp_path / "spending.json").write_text("7")
    with pytest.raises(Unaccountable, match="cannot be read as what was spent"):
        Asking(stub, cache=str(tmp_path))()
    assert stub.asked == []


def ask_some(base_url: str, folder: str, first: int) -> list[str]:
    """Ask ten questions in a process of its own."""
    stub = Stub(base_url)
    asking = Asking(stub, cache=folder, log=f"{folder}/log.jsonl")
    return [asking(f"question {number}") for number in range(first, first + 10)]


def test_several_processes_share_answers_account_and_log(stub: Stub, tmp_path: Path) -> None:
    spawn = get_context("spawn")
    with spawn.Pool(2) as pool:
        found = pool.starmap(ask_some, [(stub.base_url, str(tmp_path), first) for first in (0, 5)])
    assert found[0][5:] == found[1][:5]
    spent = Account(tmp_path, Settings.of({})).spent
    assert spent.questions == len(stub.asked)
    assert spent.tokens == 120 * spent.questions
    lines = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert len(lines) == 20


def test_threads_share_them_too(stub: Stub, tmp_path: Path) -> None:
    def some(number: int) -> str:
        return Asking(stub, cache=str(tmp_path))(f"question {number % 10}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(some, range(40)))
    spent = Account(tmp_path, Settings.of({})).spent
    assert spent.questions == len(stub.asked)
    assert spent.tokens == 120 * spent.questions


def test_the_log_tells_what_was_spent_and_no_secret(stub: Stub, key: str, tmp_path: Path) -> None:
    stub.script = [fails(500), says(f"the key is {KEY}"), fails(401, KEY)]
    log = tmp_path / "log.jsonl"
    asking = Asking(stub, cache=str(tmp_path), log=str(log), key_from=key, price_in=1.0, price_out=10.0)
    asking("a")
    asking("a")
    with pytest.raises(BadKey):
        asking("b")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["outcome"] for line in lines] == ["answered", "kept", "BadKey"]
    assert [line["retries"] for line in lines] == [1, 0, 0]
    assert [line["cost"] for line in lines] == [0.0003, 0.0, 0.0]
    assert (lines[0]["tokens_in"], lines[0]["tokens_out"], lines[0]["model"]) == (100, 20, "stub")
    kept = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(kept) >= 3
    assert not any(KEY in text for text in kept)
    assert KEY not in repr((asking.settings, msgspec.structs.asdict(asking.settings), vars(asking.model)))


def test_a_failure_too_slow_is_logged(stub: Stub, tmp_path: Path) -> None:
    stub.way = hangs
    log = tmp_path / "log.jsonl"
    with pytest.raises(TooSlow):
        Asking(stub, timeout_seconds=0.05, retries=1, log=str(log))()
    (line,) = map(json.loads, log.read_text().splitlines())
    assert (line["outcome"], line["retries"]) == ("TooSlow", 1)
