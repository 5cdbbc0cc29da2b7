"""Evenings at the real server: people, agents, somebody who looks on, and a server that dies."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from eleusis_ai.rules.language import Rule
from tests.browser.conftest import Come
from tests.browser.inn import Inn
from tests.browser.looks import LAYOUT
from tests.browser.steady import STEADY

SHORT = "late-prophet"
"""The quickest way to play: the dealer's left plays first, and nobody is prophet for a long time."""
MOST_TURNS = 60


def test_a_person_and_four_agents_play_a_whole_round(come: Come) -> None:
    ann = come()
    page = ann.page
    ann.visit("/")
    page.get_by_role("radio", name=SHORT).check()
    for seat, agent in enumerate(("random", "", "elimination:beginner", "random", "random")):
        page.locator(f"tr[data-seat='{seat}'] [name=agent]").select_option(agent)
    page.get_by_label("AI players move").select_option("0")
    ann.press("Make the table")
    ann.sit_down("Ann")
    ann.press("Start")
    for _ in range(MOST_TURNS):
        match ann.asked():
            case "play":
                ann.play(0)
            case "after turn":
                ann.answer("Not now")
            case "call":
                ann.answer("right")
            case "over":
                break
    result = page.locator("#result")
    expect(result.locator(".rule-words")).not_to_be_empty()
    expect(result.locator("tbody tr")).to_have_count(5)
    rule, line = Rule.parse(result.locator("code").first.inner_text()), ann.layout
    assert len(line.mainline) > 1
    assert all(rule.allows(line.mainline[:at], line.mainline[at]) for at in range(1, len(line.mainline)))
    assert all(
        not rule.allows(line.mainline[: at + 1], hung[0]) for at, side in enumerate(line.sidelines) for hung in side
    )

    page.get_by_role("link", name="Look at the round, move by move").click()
    viewer = page.locator("#viewer")
    expect(viewer).to_be_visible()
    page.keyboard.press("End")
    expect(viewer.locator(".beliefs")).to_contain_text("elimination")
    assert viewer.locator("#viewer-felt").evaluate(LAYOUT) == str(line)


def test_all_see_the_moves_and_only_who_holds_it_a_hand(come: Come) -> None:
    ann, bob, eve = come(), come(), come()
    path = ann.found(profile=SHORT, agents=[STEADY, None, None, STEADY])
    bob.visit(path)
    eve.visit(path)
    ann.sit_down("Ann")
    bob.sit_down("Bob")
    expect(ann.page.locator("#spectators")).to_have_text("1 spectator")
    ann.press("Start")
    played = []
    for player, name in ((ann, "Ann"), (bob, "Bob")):
        assert player.asked() == "play"
        played.append(player.play(0))
        expect(player.page.locator("#log-lines")).to_contain_text("You play")
        expect(eve.page.locator("#log-lines")).to_contain_text(f"{name} plays")
    assert ann.asked() == "play"
    for each in (ann, bob, eve):
        expect(each.page.locator("#felt .column .card")).to_have_count(4)
        assert str(each.layout) == str(ann.layout)
    assert set(played) <= set(re.findall(r"\w+", str(eve.layout)))
    assert (len(ann.hand) > 0, len(bob.hand) > 0, eve.hand) == (True, True, [])
    for each, seat in ((ann, 1), (bob, 2), (eve, None)):
        private = [frame["private"] for frame in each.frames if frame["kind"] == "state"]
        assert {None if part is None else part["seat"] for part in private} == {seat} | {None}


def test_a_server_that_was_killed_is_waited_for_and_play_goes_on(come: Come, inn: Inn) -> None:
    ann = come()
    ann.found(profile=SHORT, agents=[STEADY, None, STEADY, STEADY])
    ann.sit_down("Ann")
    ann.press("Start")
    ann.asked()
    ann.play(0)
    ann.asked()
    before, held = ann.layout, ann.hand
    inn.kill()
    connection = ann.page.locator("#connection")
    expect(connection).to_have_text("The connection is lost. Trying again …")
    ann.page.locator("#hand .held").first.click()
    ann.press("Play")
    inn.open()
    expect(connection).to_be_empty()
    expect(ann.page.locator("#tray .card")).to_have_count(0)
    assert ann.asked() == "play"
    assert ann.layout.mainline[: len(before.mainline)] == before.mainline
    assert str(held[0]) in re.findall(r"\w+", str(ann.layout).removeprefix(str(before)))
    ann.play(0)
    ann.forgive("WebSocket connection to ")
