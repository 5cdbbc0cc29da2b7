"""People who deal at the real server, by a rule or by hand, and a prophet who is overthrown."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from eleusis_ai.cards import Card
from eleusis_ai.layout import Layout
from eleusis_ai.rules.language import Rule
from tests.browser.conftest import Come
from tests.browser.guest import Guest
from tests.browser.steady import STEADY

RULE = Rule.parse("card.color != last.color")


def right(guest: Guest) -> bool:
    """Tell whether what waits for a judge is right by the rule that only the dealer and the test know."""
    line = guest.layout.mainline
    return all(RULE.allows((*line, *guest.shown[:at]), card) for at, card in enumerate(guest.shown))


def test_a_dealers_rule_is_found_by_a_prophet_who_is_overthrown(come: Come) -> None:
    ann, bob = come(), come()
    path = ann.found(profile="howell", agents=[None, None, STEADY, STEADY])
    bob.visit(path)
    ann.sit_down("Ann")
    bob.sit_down("Bob")
    ann.press("Start")
    field = ann.page.get_by_label("Rule", exact=True)
    field.fill("card.rank > last.rank")
    expect(ann.page.locator(".review")).to_contain_text("It may not be dealt:")
    field.fill(str(RULE))
    expect(ann.page.locator(".review")).to_contain_text("About 50% of random cards are right.")
    expect(bob.page.locator("#question")).to_contain_text("choosing a rule")
    ann.press("Deal")

    assert bob.asked() == "play"
    bob.play(0)
    assert bob.asked() == "after turn"
    bob.answer("Become prophet")
    expect(bob.page.get_by_text("Your hand is laid aside.")).to_be_visible()
    expect(ann.page.locator(".chair[data-seat='1']")).to_contain_text("prophet")
    expect(ann.page.locator("#felt .token")).to_be_visible()
    held = len(bob.hand)

    assert bob.asked() == "call"
    bob.answer("right" if right(bob) else "wrong")
    expect(ann.page.locator("#log-lines")).to_contain_text(re.compile("Bob, says: (right|wrong), and so it is"))
    assert bob.asked() == "call"
    bob.answer("wrong" if right(bob) else "right")
    expect(bob.page.locator("#log-lines")).to_contain_text("You are overthrown")
    expect(ann.page.locator("#log-lines")).to_contain_text("Bob is overthrown")
    expect(ann.page.locator(".chair[data-seat='1']")).to_contain_text("was prophet")
    expect(ann.page.locator("#felt .token")).to_have_count(0)
    assert bob.asked() == "play"
    assert len(bob.hand) == held + 5
    assert "card.color" not in str(bob.frames)


def test_a_dealer_judges_by_hand_the_starters_a_play_and_a_no_play(come: Come) -> None:
    ann, bob = come(), come()
    path = ann.found(profile="howell", agents=[None, None, STEADY, STEADY])
    bob.visit(path)
    ann.sit_down("Ann")
    bob.sit_down("Bob")
    ann.press("Start")
    ann.page.get_by_label("I judge by hand").check()
    ann.press("Deal")
    expect(ann.page.locator("#question")).to_contain_text("by your rule")
    starters = []
    for word in ("Wrong", "Right: turn one more", "Right: begin play"):
        card = ann.shown[0]
        ann.answer(word)
        starters += [str(card)] * word.startswith("Right")
    line = Layout.parse(" ".join(starters))
    expect(bob.page.locator("#felt .column")).to_have_count(len(starters))
    assert str(bob.layout) == str(line)

    while ann.asked_seat(0, 1) != 1:
        line = line.extended(tuple(ann.shown))
        ann.answer("right")
    held = len(bob.hand)
    bob.press("No play")
    bob.press("No play: show the hand")
    assert ann.asked() == "call"
    assert sorted(ann.shown) == sorted(bob.hand)
    ann.answer("One is right")
    assert ann.asked() == "pick"
    picked = ann.page.locator("#answers [data-card]").first.get_attribute("data-card")
    ann.page.locator("#answers button").first.click()
    line = line.extended((Card.parse(str(picked)),))
    assert bob.asked() == "after turn"
    assert len(bob.hand) == held - 1 + 5
    bob.answer("Not now")
    for word in ("wrong", "right"):
        assert ann.asked() == "call"
        shown = tuple(ann.shown)
        line = line.extended(shown) if word == "right" else line.with_rejected(shown)
        ann.answer(word)
    assert bob.asked() == "play"
    assert ann.asked_seat(1) == 1
    assert [str(each.layout) for each in (ann, bob)] == [str(line)] * 2
    ann.press("End the round")
    ann.page.get_by_role("dialog").get_by_role("button", name="End the round").click()
    expect(bob.page.locator("#result")).to_contain_text("The dealer judged by hand")
