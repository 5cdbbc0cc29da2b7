"""Pages are opened in a browser of their own, and may neither fetch anything nor complain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.chromium import NoBrowser, chromium, skip_or_fail


class Open(Protocol):
    """Opens HTML as a file of the user's, at ``at`` such as ``#round-1``; ``phone`` is 360 pixels wide."""

    def __call__(self, html: str, at: str = "", *, phone: bool = False, dark: bool = False) -> Page: ...


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        with chromium() as started:
            yield started
    except NoBrowser as error:
        skip_or_fail(error)


@pytest.fixture(scope="module")
def open_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    wrong: list[str] = []
    pages: list[Page] = []
    folder: Path = tmp_path_factory.mktemp("pages")

    def open_(html: str, at: str = "", *, phone: bool = False, dark: bool = False) -> Page:
        file = folder / f"{len(pages)}.html"
        file.write_text(html, encoding="utf-8")
        page = browser.new_page(
            viewport={"width": 360, "height": 740} if phone else {"width": 1280, "height": 860},
            color_scheme="dark" if dark else "light",
        )
        page.set_default_timeout(5_000)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(file.as_uri()) else wrong.append(asked.url))
        page.goto(f"{file.as_uri()}{at}")
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.close()
    assert wrong == []
