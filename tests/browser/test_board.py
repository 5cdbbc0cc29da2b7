"""A class in real browsers: the teacher opens it, pupils come by its link, and the board shows them all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import PATIENCE
from tests.seats.web.hosting import served

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1366, "height": 900}


@pytest.fixture
def address() -> Iterator[str]:
    """A server in a thread of its own; yields its address."""
    found: Future[tuple[int, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def serve() -> None:
        ended = asyncio.Event()
        async with served() as server:
            found.set_result((server.port, asyncio.get_running_loop(), ended))
            await ended.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    port, loop, ended = found.result(PATIENCE / 1000)
    yield f"http://127.0.0.1:{port}"
    loop.call_soon_threadsafe(ended.set)
    thread.join()


class Visitors:
    """People with browsers of their own, in which no page may complain."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def page(self, size: dict[str, int], language: str = "en") -> Page:
        context = self._browser.new_context(
            viewport={"width": size["width"], "height": size["height"]}, locale=language, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE)
        context.on("console", lambda message: self.wrong.append(message.text))
        context.on("weberror", lambda error: self.wrong.append(str(error.error)))
        self._contexts.append(context)
        return context.new_page()

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visitors(browser: Browser, address: str) -> Iterator[Visitors]:
    """People who are gone before the server is."""
    people = Visitors(browser)
    yield people
    people.close()
    assert people.wrong == []


def opened(page: Page, address: str) -> str:
    """Open a class of three tables for four by the start page's form; return the pupils' link."""
    page.goto(address)
    page.check("[name=profile][value=express-2006]")
    page.fill("[name=seats]", "4")
    page.select_option("[data-seat='0'] select", "random")
    for seat in (1, 2, 3):
        page.select_option(f"[data-seat='{seat}'] select", "")
    page.select_option("[name=pace]", "0")
    page.check("[name=class]")
    page.fill("[name=tables]", "2")
    page.get_by_role("button", name="Open the class").click()
    page.wait_for_url("**/c/*")
    return page.input_value("#link")


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")]


def test_a_teacher_pupils_and_the_board(visitors: Visitors, address: str) -> None:
    teacher = visitors.page(DESKTOP)
    link = opened(teacher, address)
    assert link == teacher.url
    pupils = []
    for name in ("Ann", "Bob", "Cem", "Dan"):
        pupil = visitors.page(PHONE)
        pupil.goto(link)
        expect(pupil.locator("#teacher")).to_be_hidden()
        pupil.fill("#join [name=name]", name)
        pupil.click("#join [type=submit]")
        pupil.wait_for_url("**/t/*")
        pupils.append(pupil)
    expect(teacher.locator("#tables > li").nth(1)).to_contain_text("Dan")
    assert faults(teacher) == []

    teacher.select_option("#agent", "random")
    teacher.click("#fill")
    expect(teacher.locator("#told")).to_have_text("2 chairs are filled.")
    teacher.click("#start")
    expect(teacher.locator("#told")).to_have_text("A round begins at 2 tables.")
    for pupil in pupils:
        expect(pupil.locator("body")).to_have_attribute("data-phase", "playing")
    expect(teacher.locator("#tables .playing")).to_have_count(2)
    expect(teacher.locator("#scores tbody tr")).to_have_count(8)

    # Back at the board a pupil finds the way to the chair again; there it is still his.
    ann = pupils[0]
    ann.goto(link)
    ann.get_by_role("link", name="To my table").click()
    expect(ann.locator("#hand .card")).not_to_have_count(0)
    ann.click("[data-tab-of=chairs]")
    expect(ann.locator("#to-class")).to_have_attribute("href", link.removeprefix(address))

    # The teacher is the host of every table of the class.
    teacher.get_by_role("link", name="Table 2").click()
    expect(teacher.locator("#void")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_board_fits_every_screen_and_speaks_the_visitors_language(
    visitors: Visitors, address: str, size: dict[str, int]
) -> None:
    link = opened(visitors.page(DESKTOP), address)
    page = visitors.page(size, "it-IT")
    page.goto(link)
    expect(page.get_by_role("link", name="Tavolo 1")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert faults(page) == []
    page.click("#projector")
    expect(page.locator("#pupil")).to_be_hidden()
    expect(page.locator("#link")).to_be_visible()
    page.click("#projector")
    expect(page.locator("#pupil")).to_be_visible()
