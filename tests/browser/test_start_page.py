"""The start page in a real browser: a table is made as the form says."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.parlour import ADDRESS, Parlour


def opened(context: BrowserContext, parlour: Parlour) -> Page:
    parlour.serve(context)
    page = context.new_page()
    page.goto(f"{ADDRESS}/")
    expect(page.locator("[data-players]").first).to_contain_text("to")
    return page


def test_a_table_is_made_as_the_form_says(context: BrowserContext) -> None:
    parlour = Parlour()
    page = opened(context, parlour)
    page.get_by_role("radio", name=re.compile("^late-prophet")).check()
    page.get_by_label("Variant").select_option("numbers-only")
    page.get_by_label("Chairs, the dealer's included").fill("4")
    expect(page.locator("[data-seat]:visible")).to_have_count(4)
    page.get_by_label("Who sits there").nth(0).select_option("")
    page.get_by_label("Who sits there").nth(2).select_option("random")
    page.get_by_label("Kind of rule").select_option("markov1")
    page.get_by_label("The deal passes").uncheck()
    page.get_by_label("Adviser for who asks").select_option("elimination:club")
    page.get_by_label("AI players move").select_option("at once")
    page.get_by_role("button", name="Make the table").click()
    page.wait_for_url(f"{ADDRESS}/t/abc")
    made = parlour.made
    assert made is not None
    assert (made.profile, made.seats, made.agents[:3]) == ("late-prophet+numbers-only", 4, (None, None, "random"))
    assert (made.family, made.passes, made.hint, made.pace) == ("markov1", False, "elimination:club", 0)
    expect(page.locator("#lobby")).to_be_visible()
    assert parlour.requests[0]["token"] == "host"


def test_what_does_not_fit_is_said_beside_the_field_and_stays_typed(context: BrowserContext) -> None:
    parlour = Parlour()
    page = opened(context, parlour)
    seats = page.get_by_label("Chairs, the dealer's included")
    seats.fill("3")
    expect(page.locator("#seats-problem")).to_have_text("This way of playing has 4 to 8 chairs.")
    page.get_by_role("button", name="Make the table").click()
    expect(seats).to_be_focused()
    assert (parlour.made, seats.input_value()) == (None, "3")
    page.get_by_role("radio", name=re.compile("^express-2006")).check()
    expect(page.locator("#seats-problem")).to_be_empty()


def test_the_language_is_changed_and_what_was_typed_stays(context: BrowserContext) -> None:
    page = opened(context, Parlour())
    page.get_by_role("radio", name=re.compile("^abbott")).check()
    page.get_by_label("language").select_option("fr")
    expect(page.get_by_role("button", name="Ouvrir la table")).to_be_visible()
    expect(page.get_by_role("radio", name=re.compile("^abbott"))).to_be_checked()


def test_nothing_sticks_out_of_a_phone(context: BrowserContext) -> None:
    page = opened(context, Parlour())
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
