"""Who comes to the real server otherwise than with a screen and a mouse: by phone, by keyboard, by ear."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.access import faults
from tests.browser.chromium import skip_or_fail
from tests.browser.conftest import Come
from tests.browser.guest import PHONE
from tests.browser.inn import Inn, NoNetwork, opened
from tests.browser.looks import ROOM_WIDER
from tests.browser.steady import STEADY

AGENTS = [STEADY, None, STEADY, STEADY]
MOST_TABS = 60
"""How often Tab is pressed until something is reached."""


@pytest.fixture
def inn_in_the_network(tmp_path: Path) -> Iterator[Inn]:
    """A server that phones reach; here only this machine asks it."""
    with opened(tmp_path, host="0.0.0.0", agents=[STEADY]) as inn:
        yield inn


def test_a_phone_comes_by_the_machines_address_in_its_network(come: Come, inn_in_the_network: Inn) -> None:
    try:
        address = inn_in_the_network.address_for_phones
    except NoNetwork as error:
        skip_or_fail(error)
    assert "127.0.0.1" not in address
    ann = come(inn_in_the_network.address)
    path = ann.found(profile="late-prophet", agents=[STEADY, None, None, STEADY])
    ann.sit_down("Ann")
    phone = come(address, device=PHONE)
    phone.visit(path)
    phone.sit_down("Zoë")
    ann.press("Start")
    ann.asked()
    ann.play(0)
    assert phone.asked() == "play"
    for place in (0, 1):
        phone.page.locator("#hand .held").nth(place).tap()
    string = " ".join(map(str, phone.hand[:2]))
    phone.page.locator("#play").tap()
    expect(phone.page.locator("#tray .card")).to_have_count(0)
    assert set(string.split()) <= set(re.findall(r"\w+", str(phone.layout)))
    assert phone.page.evaluate(ROOM_WIDER) == []
    for part in ("Players", "Log", "Table"):
        phone.page.get_by_role("button", name=part, exact=True).tap()
        assert phone.page.evaluate("document.documentElement.scrollWidth") == 360
    phone.forgive("The Cross-Origin-Opener-Policy header has been ignored")  # there is no TLS in such a network


def test_a_round_is_begun_and_played_by_keys_alone(come: Come) -> None:
    ann = come()
    ann.found(profile="howell", agents=AGENTS)
    page, keys = ann.page, ann.page.keyboard
    reach(page, "input[name=name]")
    keys.type("Ann")
    keys.press("Enter")
    expect(page.locator(".chair .chip.you")).to_have_text("you")
    reach(page, "#answers button")
    keys.press("Enter")

    assert ann.asked() == "play"
    held = ann.hand
    reach(page, "#hand .held")
    keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press(" ")
    keys.press("Control+Enter")
    expect(page.locator("#tray .card")).to_have_count(0)
    table = str(ann.layout)
    assert f"{held[0]} {held[2]}" in table
    assert ann.asked() == "after turn"
    reach(page, "#answers button:nth-child(2)")
    keys.press("Enter")
    ann.taken()

    assert ann.asked() == "play"
    reach(page, "#no-play")
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    reach(page, "#no-play-yes")
    keys.press("Enter")
    ann.taken()
    expect(page.locator("#log-lines")).to_contain_text("You declare no play, showing")
    assert ann.asked() in ("after turn", "over")


def reach(page: Page, what: str) -> None:
    """Press Tab until the focus is on something."""
    for _ in range(MOST_TABS):
        if page.evaluate("(what) => document.activeElement.matches(what)", what):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"Tab does not reach {what}; it is at {page.evaluate('document.activeElement.outerHTML')[:200]}")


def test_axe_finds_no_fault_from_the_start_to_the_end(come: Come) -> None:
    ann = come(bypass_csp=True)
    found = {}

    def look(name: str) -> None:
        found[name] = faults(ann.page)
        ann.page.emulate_media(color_scheme="dark")
        found[f"{name}, dark"] = faults(ann.page, rules=["color-contrast"])
        ann.page.emulate_media(color_scheme="light")

    ann.visit("/")
    look("start")
    ann.page.get_by_label("Many tables with one board, for a class").check()
    ann.press("Open the class")
    expect(ann.page.get_by_role("link", name="Table 1")).to_be_visible()
    look("board")
    ann.found(profile="late-prophet", agents=[None, STEADY, STEADY, STEADY])
    look("gathering")
    ann.sit_down("Ann")
    ann.press("Start")
    ann.page.get_by_label("Rule", exact=True).fill("card.color != last.color")
    expect(ann.page.locator(".review")).to_contain_text("About 50%")
    look("dealing")
    ann.press("Deal")
    assert ann.asked() == "over"
    look("over")
    assert found == {name: [] for name in found}
