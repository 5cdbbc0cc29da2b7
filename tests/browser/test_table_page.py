"""The table's page in a real browser, at a table whose every move a test decides."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from eleusis_ai.moves import DecisionKind
from eleusis_ai.rules.phrases import LANGUAGES
from eleusis_ai.seats.web import pages
from tests.browser.access import faults
from tests.browser.looks import ROOM_WIDER
from tests.browser.parlour import ADDRESS, Parlour, asked, over

PHONE = {"width": 360, "height": 740}
SCREENS = [PHONE, {"width": 768, "height": 1024}, {"width": 1366, "height": 768}, {"width": 3840, "height": 2160}]
NEWEST_IN_SIGHT = """() => {
  const newest = document.querySelector("#felt .column:last-child .accepted .card");
  if (newest === null) return false;
  const box = newest.getBoundingClientRect();
  const felt = document.querySelector("#felt").getBoundingClientRect();
  return box.top >= felt.top && box.bottom <= felt.bottom;
}"""

Sit = Callable[..., Page]


@pytest.fixture
def sit(context: BrowserContext) -> Sit:
    """Sits down at a parlour's table, in seat 1 unless another token is shown."""

    def sit_(parlour: Parlour, token: str | None = "token of Ann", language: str = "en") -> Page:
        parlour.serve(context)
        return parlour.open(context, token, language)

    return sit_


def at_turn(accepted: int = 4, /, **setting: object) -> Parlour:
    """Return a table at which Ann is to play."""
    parlour = Parlour(1, **setting)
    parlour.seat()
    parlour.begin()
    parlour.play_on(asked(1, accepted=accepted))
    return parlour


def played(parlour: Parlour) -> list[object]:
    return [sent["move"] for sent in parlour.requests if sent["do"] == "move"]


def hand(page: Page) -> list[str]:
    return [
        str(each) for each in page.locator("#hand .card").evaluate_all("all => all.map((one) => one.dataset.card)")
    ]


def tray(page: Page) -> list[str]:
    return [
        str(each) for each in page.locator("#tray .card").evaluate_all("all => all.map((one) => one.dataset.card)")
    ]


# Playing.


def test_a_string_is_tapped_together_and_played(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    expect(page.locator("#question")).to_have_text("Your turn. Play a card, or several.")
    held = hand(page)
    page.locator("#hand .held").nth(2).click()
    page.locator("#hand .held").nth(0).click()
    assert tray(page) == [held[2], held[0]]
    expect(page.locator("#hand .held").nth(2)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#tray .card")).to_have_count(0)
    assert played(parlour) == [f"{held[2]} {held[0]}"]
    expect(page.locator("#news")).to_contain_text("You play")


def test_a_string_is_built_and_played_by_keys_alone(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    held = hand(page)
    page.locator("#hand .held").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    assert tray(page) == [held[0], held[2]]
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+ArrowLeft")
    assert tray(page) == [held[2], held[0]]
    page.keyboard.press("Delete")
    assert tray(page) == [held[0]]
    page.keyboard.press("Escape")
    assert tray(page) == []
    page.locator("#hand .held").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#tray .card")).to_have_count(0)
    assert played(parlour) == [held[1]]


def test_of_two_equal_cards_one_is_played_and_the_other_stays_in_the_hand(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    held = hand(page)
    first = next(at for at in range(len(held) - 1) if held[at] == held[at + 1])
    page.locator("#hand .held").nth(first).click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#news")).to_contain_text("You play")
    expect(page.locator("#tray .card")).to_have_count(0)
    assert hand(page).count(held[first]) == held.count(held[first]) - 1


def test_cards_are_dragged_into_the_string_and_within_the_hand(sit: Sit) -> None:
    page = sit(at_turn())
    held = hand(page)
    page.locator("#hand .held").nth(3).drag_to(page.locator(".tray-zone"))
    page.locator("#hand .held").nth(1).drag_to(page.locator("#felt"))
    assert tray(page) == [held[3], held[1]]
    page.locator("#tray .laid").first.drag_to(page.locator(".hand-zone"))
    assert tray(page) == [held[1]]
    page.locator("#hand .held").nth(5).drag_to(page.locator("#hand .held").first, target_position={"x": 3, "y": 20})
    assert hand(page)[:2] == [held[5], held[0]]
    expect(page.locator("#sorts")).to_have_value("own")


def test_a_finger_that_rests_on_a_card_lifts_it_and_one_that_moves_scrolls(browser: Browser) -> None:
    context = browser.new_context(viewport=SCREENS[0], has_touch=True)  # type: ignore[arg-type]
    parlour = at_turn()
    parlour.serve(context)
    page = parlour.open(context, "token of Ann")
    held = hand(page)
    finger = context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": left, "y": top} for left, top in points]}
        )

    card, zone = page.locator("#hand .held").nth(1).bounding_box(), page.locator(".tray-zone").bounding_box()
    assert card is not None
    assert zone is not None
    start, end = (card["x"] + 12, card["y"] + 20), (zone["x"] + 30, zone["y"] + 20)
    touch("touchStart", start)
    touch("touchMove", end)
    touch("touchEnd")
    assert tray(page) == []
    touch("touchStart", start)
    page.locator("#hand .lifted").wait_for()
    touch("touchMove", end)
    page.locator(".tray-zone.drop").wait_for()
    touch("touchEnd")
    expect(page.locator("#tray .card")).to_have_count(1)
    assert tray(page) == [held[1]]
    context.close()


def test_the_hand_is_sorted_as_one_likes_and_stays_so(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    round_ = parlour.sitting.round
    assert round_ is not None
    page.get_by_label("Sort by").select_option("arrival")
    assert hand(page) == [str(card) for card in round_.hands[1]]
    page.get_by_label("Sort by").select_option("rank")
    by_rank = hand(page)
    assert by_rank == [str(card) for card in sorted(round_.hands[1], key=lambda card: (card.rank, card.suit))]
    page.locator("#hand .held").nth(4).click()
    page.reload()
    expect(page.locator("#tray .card")).to_have_count(1)
    assert hand(page) == by_rank


def test_no_play_is_asked_twice_and_shows_the_hand(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    page.get_by_role("button", name="No play").click()
    sheet = page.get_by_role("dialog")
    assert len(hand(page)) == sheet.locator(".small").count()
    sheet.get_by_role("button", name="Close").click()
    assert played(parlour) == []
    page.get_by_role("button", name="No play").click()
    sheet.get_by_role("button", name="No play: show the hand").click()
    expect(page.locator("#news")).to_contain_text("You declare no play, showing")
    assert played(parlour) == ["no play"]


def test_too_many_cards_are_told_before_they_are_played(sit: Sit) -> None:
    parlour = at_turn(profile="late-prophet")
    page = sit(parlour)
    for at in range(5):
        page.locator("#hand .held").nth(at).click()
    expect(page.locator("#too-many")).to_have_text("At most 4 cards may be played at a time.")
    page.get_by_role("button", name="Play", exact=True).click(force=True)
    assert played(parlour) == []


def test_a_prophet_judges_with_the_cards_before_him(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    parlour.play_on(asked(1, DecisionKind.AFTER_TURN))
    page.get_by_role("button", name="Become prophet").click()
    expect(page.get_by_text("Your hand is laid aside.")).to_be_visible()
    expect(page.locator("#tray-part")).to_be_hidden()
    parlour.play_on(asked(1, DecisionKind.CALL))
    round_ = parlour.sitting.round
    assert round_ is not None
    assert round_.attempt is not None
    expect(page.locator("#question")).to_contain_text("You judge")
    laid = page.locator("#felt .judgement .card").evaluate_all("all => all.map((one) => one.dataset.card).join(' ')")
    assert laid == str(round_.attempt)
    page.locator("#answers button", has_text="wrong").click()
    expect(page.locator("#answers button")).to_have_count(0)
    assert played(parlour)[-1] == "wrong"


def test_who_does_not_want_to_be_asked_passes_quietly(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    parlour.play_on(asked(1, DecisionKind.AFTER_TURN))
    page.get_by_role("button", name="Do not ask again").click()
    expect(page.locator("#question")).not_to_contain_text("prophet")
    parlour.play_on(asked(1, DecisionKind.AFTER_TURN))
    expect(page.locator("#question")).not_to_contain_text("prophet")
    assert played(parlour) == ["pass", "pass"]


def test_a_rule_is_stated_and_an_error_shows_its_place(sit: Sit) -> None:
    parlour = at_turn(1, profile="express-2006")
    page = sit(parlour)
    parlour.play_on(asked(1, DecisionKind.STATE_RULE))
    field = page.get_by_label("The rule, in the rule language")
    field.fill("card.color = last.color")
    page.get_by_role("button", name="State it").click()
    expect(page.get_by_role("alert")).to_contain_text("write == to compare")
    expect(field).to_have_value("card.color = last.color")
    field.fill("card.color == last.color")
    page.get_by_role("button", name="State it").click()
    expect(page.locator("#felt .stated")).to_contain_text("You stated: card.color == last.color")
    expect(page.get_by_role("alert")).to_be_empty()


def test_the_adviser_tells_what_he_would_play_and_why(sit: Sit) -> None:
    parlour = at_turn(hint="elimination:club")
    page = sit(parlour)
    parlour.beliefs = (("card.is_red", 0.7), ("red is likelier", 0.3))
    page.get_by_role("button", name="Ask the adviser").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("It would play: 7♥ 9♦")
    expect(sheet).to_contain_text("They are likely.")
    expect(sheet.locator("li")).to_have_text(
        [re.compile("^70% .* Only red cards.$"), re.compile("^30% .* likelier$")]
    )


# Dealing.


def test_a_dealer_s_rule_is_looked_over_while_it_is_typed(sit: Sit) -> None:
    parlour = Parlour(agents=[None, "random", "random", "tree"], profile="no-prophet")
    parlour.seat(seat=0)
    parlour.write(parlour.sitting.begun())
    page = sit(parlour)
    deal = page.get_by_role("button", name="Deal", exact=True)
    field = page.get_by_label("Rule", exact=True)
    field.fill("card.color != last.colr")
    expect(page.locator(".review")).to_contain_text("did you mean `color`?")
    field.fill("card.rank > last.rank")
    expect(page.locator(".review")).to_contain_text("It may not be dealt:")
    expect(deal).to_be_disabled()
    field.fill("card.color != last.color")
    expect(page.locator(".review")).to_contain_text("About 50% of random cards are right.")
    expect(deal).to_be_disabled()
    page.get_by_label("Hint").select_option("only colors of suits")
    deal.click()
    expect(page.locator("#own-rule")).to_contain_text("Play the other colour than the last card.")
    assert page.locator("#own-rule .small").count() == 26


def test_a_dealer_judges_by_hand_from_the_first_card_on(sit: Sit) -> None:
    parlour = Parlour(agents=[None, "random", "random", "tree"])
    parlour.seat(seat=0)
    parlour.write(parlour.sitting.begun())
    page = sit(parlour)
    page.get_by_label("I judge by hand").check()
    page.get_by_role("button", name="Deal", exact=True).click()
    page.get_by_role("button", name="Wrong").click()
    page.get_by_role("button", name="Right: begin play").click()
    expect(page.locator("#question")).to_contain_text("It is the turn of")
    parlour.move("no play")
    page.locator("#answers button", has_text=re.compile("^✗ One is right")).click()
    choices = page.locator("#answers button")
    expect(choices.first).to_have_accessible_name(re.compile("^choose .* of "))
    choices.first.click()
    expect(choices).to_have_count(0)
    assert played(parlour)[0] == "wrong"
    assert str(played(parlour)[1]).startswith("pick ")


# The line to the server.


def test_what_was_not_answered_is_asked_again_when_the_line_is_back(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    held = hand(page)
    page.locator("#hand .held").first.click()
    parlour.deaf = True
    page.get_by_role("button", name="Play", exact=True).click()
    parlour.drop()
    expect(page.locator("#connection")).to_have_text("The connection is lost. Trying again …")
    assert tray(page) == [held[0]]
    parlour.deaf = False
    expect(page.locator("#connection")).to_be_empty()
    expect(page.locator("#tray .card")).to_have_count(0)
    assert played(parlour) == [held[0]] * 2
    round_ = parlour.sitting.round
    assert round_ is not None
    assert [str(move) for move in round_.moves].count(held[0]) == 1


def test_a_stale_answer_is_offered_again(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    parlour.refuse = lambda sent: ("stale", "something else is asked") if sent["do"] == "move" else None
    page.locator("#hand .held").first.click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("your cards are still chosen")
    assert len(tray(page)) == 1
    parlour.refuse = lambda _: None
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#tray .card")).to_have_count(0)


def test_who_comes_back_reads_what_has_happened(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    lines = page.locator("#log-lines li")
    expect(lines.first).to_have_text("You are dealt 14 cards.")
    count = lines.count()
    parlour.drop()
    parlour.play_on(asked(1, accepted=8))
    expect(page.locator("#connection")).to_be_empty()
    assert lines.count() > count
    expect(page.locator("#felt .column")).to_have_count(len(parlour.sitting.round.layout.mainline))  # type: ignore[union-attr]


# Chairs.


def test_a_stranger_sits_down_and_comes_back(sit: Sit) -> None:
    parlour = Parlour()
    page = sit(parlour, None)
    page.get_by_label("Your name").fill("Zoë <b>")
    page.get_by_role("button", name="Sit down").click()
    expect(page.locator(".chair[data-seat='1']")).to_contain_text("Zoë <b>")
    expect(page.locator(".chair[data-seat='1'] .chip.you")).to_have_text("you")
    page.reload()
    expect(page.locator(".chair[data-seat='1'] .chip.you")).to_have_text("you")


def test_the_host_seats_an_agent_and_starts(sit: Sit) -> None:
    parlour = Parlour()
    page = sit(parlour, "host")
    expect(page.get_by_role("button", name="Start")).to_have_count(0)
    page.get_by_role("button", name="Change the chair: an open chair").click()
    page.get_by_label("AI player").select_option("elimination:club")
    page.get_by_role("button", name="Seat the AI player").click()
    expect(page.locator(".chair[data-seat='1']")).to_contain_text("elimination (club player)")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#question")).to_contain_text("choosing a rule")


def test_the_link_can_be_copied_and_read(sit: Sit, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=ADDRESS)
    page = sit(Parlour(), None)
    expect(page.locator("#plain-link")).to_have_text(f"{ADDRESS}/t/abc")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_text("The link is copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{ADDRESS}/t/abc"


# The end.


def test_the_end_shows_rule_points_and_replay(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    parlour.play_on(over, right=0.2)
    expect(page.locator("#result .rule-words")).to_have_text("Play the other colour than the last card.")
    assert page.locator("#result tbody tr").count() == 4
    page.get_by_role("link", name="Look at the round, move by move").click()
    viewer = page.locator("#viewer")
    expect(viewer).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(viewer.locator("#viewer-said")).to_contain_text("plays")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()


def test_the_replay_tells_what_agents_believed(sit: Sit) -> None:
    parlour = at_turn()
    parlour.beliefs = (("card.is_red", 0.7), ("card.color != last.color", 0.3))
    parlour.play_on(over, right=0.2)
    page = sit(parlour, language="fr")
    page.get_by_role("link", name="Revoir la manche").click()
    expect(page.locator("#viewer")).to_be_visible()
    page.keyboard.press("End")
    beliefs = page.locator("#viewer .beliefs")
    expect(beliefs).to_contain_text("La règle, d'après les joueurs artificiels")
    expect(beliefs.locator("li").first).to_have_text("70\u202f%Seulement des cartes rouges.")


# Languages, screens, access.


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_says_everything(sit: Sit, language: str) -> None:
    parlour = at_turn()
    page = sit(parlour, language=language)
    texts = pages.words(language)
    expect(page.locator("#question")).to_have_text(str(texts["ask.play"]))
    assert page.evaluate("document.documentElement.lang") == language
    assert page.evaluate("[...document.querySelectorAll('[data-say]')].every((one) => one.textContent)")
    parlour.play_on(over, right=0.2)
    rule = parlour.sitting.round.rule  # type: ignore[union-attr]
    assert rule is not None
    expect(page.locator("#result .rule-words")).to_have_text(rule.sentence(language))
    assert not re.search(r"\{\w+\}|\bundefined\b|[a-z]+\.[a-z]+\.[a-z]", page.locator("body").inner_text())


def test_the_language_is_changed_in_place(sit: Sit) -> None:
    parlour = at_turn()
    page = sit(parlour)
    page.locator("#hand .held").first.click()
    page.get_by_label("language", exact=True).select_option("it")
    expect(page.locator("#question")).to_have_text("Tocca a te. Gioca una carta, o più d'una.")
    expect(page.locator("#log-lines li").first).to_have_text("Ricevi 14 carte.")
    assert len(tray(page)) == 1
    page.reload()
    expect(page.locator("#question")).to_have_text("Tocca a te. Gioca una carta, o più d'una.")


def test_what_draws_tables_and_the_page_say_the_same_in_english(sit: Sit) -> None:
    page = sit(at_turn())
    english = page.evaluate("""async () => {
      const { Words } = await import("/assets/words.js");
      const words = new Words("en", await (await fetch("/words/en.json")).json());
      const values = { n: 3, rank: "R", suit: "S", card: "C", seat: 2, reserve: 5, stage: 2, right: 4, wrong: 6 };
      return EleusisTable.english.map((key) => [key, EleusisTable.say(key, values), words.say(key, values)]);
    }""")
    assert {key: said for key, said, _ in english} == {key: said for key, _, said in english}


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: str(screen["width"]))
def test_sixty_cards_fit_and_the_newest_is_in_sight(sit: Sit, screen: dict[str, int]) -> None:
    parlour = at_turn(profile="abbott", seats=6, agents=["catalog", None, "random", "tree", "random", "tree"])
    page = sit(parlour)
    page.set_viewport_size(screen)  # type: ignore[arg-type]
    parlour.play_on(lambda sitting: sitting.round is not None and sitting.round.danger)
    parlour.play_on(asked(1, accepted=44), right=1)
    page.wait_for_function(NEWEST_IN_SIGHT)
    assert page.evaluate(ROOM_WIDER) == []
    sizes = page.locator("#felt .card, #hand .card").evaluate_all("all => all.map((one) => one.offsetWidth)")
    assert min(sizes) >= 30


@pytest.mark.parametrize(("screen", "dark"), [(SCREENS[0], False), (SCREENS[2], True)], ids=["phone", "dark screen"])
def test_axe_finds_no_serious_fault(browser: Browser, screen: dict[str, int], *, dark: bool) -> None:
    context = browser.new_context(
        viewport=screen,  # type: ignore[arg-type]
        bypass_csp=True,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    parlour = at_turn()
    parlour.serve(context)
    page = parlour.open(context, "token of Ann")
    expect(page.locator("#hand .held").first).to_be_visible()
    page.locator("#hand .held").first.click()
    found = {"turn": faults(page)}
    page.locator("#help").click()
    found["help"] = faults(page)
    page.keyboard.press("Escape")
    parlour.play_on(over, right=0.2)
    expect(page.locator("#result")).to_be_visible()
    found["end"] = faults(page)
    page.get_by_role("link", name="Look at the round, move by move").click()
    expect(page.locator("#viewer")).to_be_visible()
    found["replay"] = faults(page)
    context.close()
    assert found == {state: [] for state in found}
