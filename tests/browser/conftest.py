"""Pages are opened in a browser of their own, and may neither fetch anything nor complain."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import PATIENCE, NoBrowser, chromium, skip_or_fail
from tests.browser.guest import Guest
from tests.browser.inn import Inn, opened
from tests.browser.parlour import ADDRESS

expect.set_options(timeout=PATIENCE)


class Open(Protocol):
    """Opens HTML as a file of the user's, at ``at`` such as ``#round-1``, where the page before it was.

    A ``phone`` is 360 pixels wide; a page that changes its browser is opened ``alone``.
    """

    def __call__(
        self, html: str, at: str = "", *, phone: bool = False, dark: bool = False, alone: bool = False
    ) -> Page: ...


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for the tests of a module; while there is one, no test of its thread may run an event loop."""
    try:
        with chromium() as started:
            yield started
    except NoBrowser as error:
        skip_or_fail(error)


@pytest.fixture(scope="session")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inn]:
    """The real server, the same for all tests."""
    with opened(tmp_path_factory.mktemp("inn")) as started:
        yield started


Come = Callable[..., Guest]


@pytest.fixture
def come(browser: Browser, inn: Inn) -> Iterator[Come]:
    """Lets people come to the inn, or to another address; nobody may have had anything to complain of."""
    guests: list[Guest] = []

    def come_(address: str = inn.address, **device: Any) -> Guest:
        guests.append(Guest(browser, address, **device))
        return guests[-1]

    yield come_
    for guest in guests:
        guest.close()
    assert [guest.wrong for guest in guests if guest.wrong] == []


@pytest.fixture(scope="module")
def open_page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    wrong: list[str] = []
    folder: Path = tmp_path_factory.mktemp("pages")

    def new_page() -> Page:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: None if asked.url.startswith(folder.as_uri()) else wrong.append(asked.url))
        return page

    shared = new_page()

    def open_(html: str, at: str = "", *, phone: bool = False, dark: bool = False, alone: bool = False) -> Page:
        page = new_page() if alone else shared
        page.set_viewport_size({"width": 360, "height": 740} if phone else {"width": 1280, "height": 860})
        page.emulate_media(color_scheme="dark" if dark else "light")
        file = folder / f"{sha256(html.encode()).hexdigest()[:16]}.html"
        file.write_text(html, encoding="utf-8")
        page.goto("about:blank")  # or the browser would only go to another place of the same page
        page.goto(f"{file.as_uri()}{at}")
        return page

    yield open_
    assert [each for each in wrong if each != "about:blank"] == []


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser in which no page may fetch anything from elsewhere or complain."""
    wrong: list[str] = []
    context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion="reduce")
    context.on("console", lambda message: wrong.append(message.text))
    context.on("weberror", lambda error: wrong.append(str(error.error)))
    context.on("request", lambda asked: None if asked.url.startswith(ADDRESS) else wrong.append(asked.url))
    yield context
    context.close()
    assert wrong == []
