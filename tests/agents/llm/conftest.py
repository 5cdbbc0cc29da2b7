"""A chat endpoint for each test that wants one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.agents.llm.stub import KEY, VARIABLE, Stub, serving


@pytest.fixture
def stub() -> Iterator[Stub]:
    with serving() as served:
        yield served


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """Put a key into the environment; return the name of its variable."""
    monkeypatch.setenv(VARIABLE, KEY)
    return VARIABLE
