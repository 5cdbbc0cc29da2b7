"""People with a browser each, who do at a table what its page lets them do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from playwright.sync_api import Browser, Page, expect

from eleusis_ai.cards import Card
from eleusis_ai.layout import Layout
from tests.browser.chromium import PATIENCE
from tests.browser.looks import LAYOUT

SCREEN: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
FOUND = """async (setting) => {
  const wanted = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(setting) };
  const made = await (await fetch("/tables", wanted)).json();
  localStorage.setItem(`eleusis/${made.table}/token`, JSON.stringify(made.token));
  return `/t/${made.table}`;
}"""
ASKED = "() => document.body.dataset.phase === 'over' ? 'over' : document.body.dataset.asked"
CARDS = "all => all.map((one) => one.dataset.card).join(' ')"


class Guest:
    """A person with a browser of one's own, in which no page may complain, or fetch anything from elsewhere."""

    def __init__(self, browser: Browser, address: str, device: Mapping[str, Any] = SCREEN, **options: Any) -> None:
        self.address = address
        self.wrong: list[str] = []
        """What pages complained of, and what they fetched from elsewhere."""
        self.frames: list[Any] = []
        """What the server has told."""
        self._context = browser.new_context(**device, reduced_motion="reduce", **options)
        self._context.set_default_timeout(PATIENCE)
        self._context.on("console", lambda message: self._complain(message.text))
        self._context.on("weberror", lambda error: self._complain(str(error.error)))
        self._context.on("request", lambda asked: self._complain(asked.url, unless=address))
        self.page: Page = self._context.new_page()
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))

    def _complain(self, complaint: str, unless: str = "\n") -> None:
        if not complaint.startswith(unless):
            self.wrong.append(complaint)

    def _hear(self, message: str | bytes) -> None:
        self.frames.append(json.loads(message))

    def forgive(self, complaint: str) -> None:
        """Forget complaints that begin so."""
        self.wrong = [each for each in self.wrong if not each.startswith(complaint)]

    def close(self) -> None:
        """Go home."""
        self._context.close()

    # The table.

    def found(self, seats: int = 4, **setting: object) -> str:
        """Make a table at which agents do not wait, and go there; return its path."""
        self.visit("/")
        path: str = self.page.evaluate(FOUND, {"seats": seats, "pace": 0} | setting)
        self.visit(path)
        return path

    def visit(self, path: str) -> None:
        """Open a page of the server."""
        self.page.goto(self.address + path)
        if path.startswith("/t/"):
            self.page.locator("body:not([data-phase=''])").wait_for()

    def sit_down(self, name: str) -> None:
        """Take a chair that is open."""
        self.page.get_by_label("Your name").fill(name)
        self.press("Sit down")
        expect(self.page.locator(".chair .chip.you")).to_have_text("you")

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def asked(self) -> str:
        """Wait until one is asked for something, and return for what; ``over``: the round is."""
        return str(self.page.wait_for_function(ASKED).json_value())

    def asked_seat(self, *seats: int) -> int:
        """Wait until one of these seats is asked for something, and return which."""
        found = ",".join(f".chair.asked[data-seat='{seat}']" for seat in seats)
        return int(str(self.page.locator(found).get_attribute("data-seat")))

    # Playing.

    def play(self, *places: int) -> str:
        """Play cards of the hand; return them as a text."""
        held = self.hand
        for place in places:
            self.page.locator("#hand .held").nth(place).click()
        self.press("Play")
        expect(self.page.locator("#tray .card")).to_have_count(0)
        return " ".join(str(held[place]) for place in places)

    def answer(self, name: str) -> None:
        """Answer by a button, and wait until the answer is taken."""
        button = self.page.locator("#answers button").filter(has_text=re.compile(rf"\b{name}")).first
        button.click()
        self.taken()

    def taken(self) -> None:
        """Wait until the server has taken what one has answered, and the page shows what came of it."""
        expect(self.page.locator("#ask [aria-disabled='true']")).to_have_count(0)

    # What is seen.

    @property
    def hand(self) -> list[Card]:
        """One's own hand as the page shows it."""
        return self._cards("#hand .card")

    @property
    def shown(self) -> list[Card]:
        """The cards that wait for a judge."""
        return self._cards("#felt .judgement [data-card]")

    @property
    def layout(self) -> Layout:
        """What lies on the table."""
        return Layout.parse(self.page.locator("#felt").evaluate(LAYOUT))

    def _cards(self, where: str) -> list[Card]:
        found: str = self.page.locator(where).evaluate_all(CARDS)
        return [Card.parse(each) for each in found.split()]
