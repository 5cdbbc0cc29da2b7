"""The report on a run in a real browser: from a number to its rounds, and through a round card by card."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from eleusis_ai.arena.config import config_from
from eleusis_ai.arena.report.publication import publish
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.tournament import run_tournament
from tests.browser.conftest import Open
from tests.browser.looks import SEEN

SETTINGS = {
    "name": "browsed",
    "profile": "howell",
    "seats": 5,
    "seed": 1,
    "deals": 3,
    "dealer": {"use": "catalog", "options": {"families": ["memoryless", "markov1"]}},
    "agents": [
        {"id": "ann <b>", "use": "tests.arena.players:Believer"},
        {"id": "ben", "use": "tests.arena.players:Restless"},
    ],
}
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("report")
    run_tournament(config_from(SETTINGS), folder)
    publish(study([folder], curves=3), folder)
    return (folder / "report.html").read_text(encoding="utf-8")


def test_from_a_number_to_a_round_and_back_by_keys_alone(html: str, open_page: Open) -> None:
    page = open_page(html)
    number = page.locator("#ranking tbody tr").first.locator("td a").first
    number.focus()
    page.keyboard.press("Enter")
    rounds = page.locator("article:target")
    expect(rounds).to_be_in_viewport()
    expect(rounds).to_contain_text("points")
    assert page.evaluate("scrollY") == 0, "a list opens over what one reads"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(rounds.locator("li a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#viewer")).to_be_visible()
    moves = page.evaluate(SEEN)["moves"]
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SEEN)["moves"] > moves
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(SEEN)["moves"] == moves
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).not_to_be_visible()
    expect(rounds).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(rounds).to_have_count(0)


def test_a_row_of_a_chart_leads_to_the_rounds_too(html: str, open_page: Open) -> None:
    page = open_page(html)
    page.locator("#ranking svg a").first.click(force=True)
    expect(page.locator("article:target")).to_contain_text("points")


@pytest.mark.parametrize("dark", [False, True])
def test_a_phone_scrolls_tables_and_charts_not_the_page(html: str, open_page: Open, *, dark: bool) -> None:
    page = open_page(html, phone=True, dark=dark)
    assert not page.evaluate(TOO_WIDE)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) < 200) == dark


def test_tables_have_captions_and_heads(html: str, open_page: Open) -> None:
    page = open_page(html)
    tables = page.locator("section table")
    assert tables.count() >= 5
    for table in tables.all():
        assert table.locator("caption").text_content()
        assert (
            table.locator("thead th[scope=col]").count() == table.locator("tbody tr").first.locator("th, td").count()
        )
        assert table.locator("tbody th[scope=row]").count() == table.locator("tbody tr").count()
