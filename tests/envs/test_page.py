from __future__ import annotations

from pathlib import Path

from eleusis_ai.envs.page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "environments.md"


def test_the_page_of_the_docs_is_what_the_code_says() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
