"""The options of the agent, and what is said of those that do not do."""

from __future__ import annotations

import pytest

from eleusis_agents.llm.settings import Settings
from eleusis_ai.registry import InvalidOptions


def test_without_options_a_server_on_this_machine_is_asked() -> None:
    settings = Settings.of({})
    assert settings.url == "http://localhost:11434/v1/chat/completions"
    assert settings.key_from is None


def test_prices_are_for_a_million_tokens() -> None:
    settings = Settings.of({"price_in": 2, "price_out": 10})
    assert settings.cost(1_000_000, 0) == 2
    assert settings.cost(500, 100) == pytest.approx(0.002)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"modle": "x"}, "no option 'modle'; did you mean 'model'"),
        ({"xyzzy": 1}, "its options are base_url, model"),
        ({"model": ""}, "model: expected"),
        ({"tries": 0}, "tries: expected"),
        ({"temperature": "hot"}, "temperature: expected"),
        ({"timeout_seconds": 0}, "timeout_seconds: expected"),
        ({"base_url": "localhost:11434"}, "base_url is 'localhost:11434'; it is an address"),
        ({"base_url": "ftp://x/v1"}, "it is an address"),
        ({"base_url": "http://"}, "it is an address"),
        ({"base_url": "http://x:99999/v1"}, "it is an address"),
        ({"base_url": "http://me:secret@x/v1"}, "without a user"),
        ({"base_url": "http://x/v1?key=1"}, "a question mark"),
        ({"base_url": "http://x/\r\nHost: y"}, "it is an address"),
        ({"key_from": "sk-proj-secret"}, "not the name of an environment variable"),
        ({"budget": 1.0, "cache": "x"}, "needs prices, as in price_in"),
        ({"budget": 1.0, "price_in": 1.0}, "needs a folder"),
        ({"budget_tokens": 10}, "needs a folder"),
    ],
)
def test_what_does_not_do_is_told(options: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidOptions, match=said) as raised:
        Settings.of(options)
    assert "sk-proj-secret" not in str(raised.value)
    assert "secret@" not in str(raised.value) or "base_url" in options
