"""The replay viewer in a real browser: what it draws is what the round was, whichever way one steps."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, expect

from eleusis_ai.arena.report.viewer import fragment, round_json, round_page, rounds_script
from eleusis_ai.drawing import standing
from eleusis_ai.layout import Layout
from eleusis_ai.logs import read_log
from eleusis_ai.moves import parse_move
from eleusis_ai.round import Round
from eleusis_ai.tabletop.page import whole_page
from tests.browser.conftest import Open
from tests.browser.looks import CONTRAST, NEWEST_IN_SIGHT, OUTSIDE, SEEN, WALK, WIDER
from tests.records.rewrite import RECORDS, read

EXAMPLE = next(read_log(Path("docs/example-round.jsonl")))
PLACES = {path.stem: place for place, path in enumerate(RECORDS, start=1)}


@cache
def records_page() -> str:
    rounds = {PLACES[path.stem]: round_json(read(path)[1]) for path in RECORDS}
    links = "".join(f'<a href="#round-{place}">{name}</a> ' for name, place in PLACES.items())
    return whole_page("rounds", f"{links}{rounds_script(rounds)}{fragment()}")


def number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def told(round_: Round) -> dict[str, Any]:
    """Return what should be drawn of a round, as `SEEN` has it."""
    public = round_.public()
    asked = None if public.decision is None else public.decision.seat
    seats = []
    for seat in range(round_.seats):
        size = public.hand_sizes[seat]
        held = [] if seat == round_.dealer else [number(size, "card")]
        points = [number(round_.scores()[seat], "point")] if round_.over else []
        seats.append(
            {
                "hand": sorted(map(str, round_.hands[seat])),
                "mistakes": list(map(str, public.mistakes[seat])),
                "marks": list(standing(public, seat)),
                "asked": seat == asked,
                "held": ", ".join(points + held),
            }
        )
    return {
        "moves": len(round_.moves),
        "layout": str(round_.layout),
        "counts": counts(round_),
        "marker": None if public.marker is None else str(public.marker),
        "seats": seats,
        "stated": [event.rule for event in public.statements],
    }


def counts(round_: Round) -> str:
    public = round_.public()
    since = f"{public.accepted_since} right, {public.rejected_since} wrong since the prophet"
    words = [
        f"{len(public.layout.mainline)} right",
        f"{len(public.layout.rejected) + sum(map(len, public.mistakes))} wrong",
        f"stock {public.stock_size}" + (f" and {len(round_.reserve)} in reserve" if round_.reserve else ""),
        "stage 2" if public.stage == 2 else "",
        "" if public.turns_left is None else f"{number(public.turns_left, 'turn')} left",
        "" if public.prophet is None else since,
        "a wrong play expels" if public.danger and not round_.over else "",
    ]
    return " · ".join(filter(None, words))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_step_is_drawn_as_the_round_was(path: Path, open_page: Open) -> None:
    record = read(path)[1]
    page = open_page(records_page(), f"#round-{PLACES[path.stem]}")
    steps = {seen["moves"]: seen for seen in page.evaluate(WALK)}
    round_ = record.deal()
    assert steps.pop(0) == told(round_)
    for moves, text in enumerate(record.moves, start=1):
        round_.apply(parse_move(text))
        if moves in steps:
            assert steps.pop(moves) == told(round_), f"after {moves} moves"
        else:
            assert record.moves[moves] == "pass"
    assert steps == {}


def seen(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(SEEN)
    return found


def test_arrow_keys_step_to_the_end_and_back(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE))
    there = [seen(page)]
    while there[-1]["moves"] < len(EXAMPLE.moves):
        page.keyboard.press("ArrowRight")
        there.append(seen(page))
    assert Layout.parse(there[-1]["layout"]) == EXAMPLE.replay().layout
    page.keyboard.press("ArrowRight")
    assert seen(page) == there[-1]
    for step in reversed(there[:-1]):
        page.keyboard.press("ArrowLeft")
        assert seen(page)["layout"] == step["layout"]
    page.keyboard.press("End")
    assert seen(page) == there[-1]
    page.keyboard.press("Home")
    assert seen(page)["moves"] == 0


def test_a_pass_is_one_step_with_what_it_follows(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE))
    page.keyboard.press("ArrowRight")
    assert EXAMPLE.moves[:2] == ("5D", "pass")
    assert seen(page)["moves"] == 2
    expect(page.locator("#viewer-place")).to_have_text(f"move 1 of {len(EXAMPLE.moves)}")


@pytest.mark.parametrize(("link", "moves"), [("", 0), ("/1", 2), ("/2", 2), ("/3", 3), ("/29", 29), ("/999", 29)])
def test_a_link_opens_a_step(open_page: Open, link: str, moves: int) -> None:
    page = open_page(round_page(EXAMPLE), f"#round-1{link}")
    assert seen(page)["moves"] == moves


def test_the_address_names_the_step(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE), "#round-1/3")
    page.keyboard.press("ArrowRight")
    page.reload()
    assert page.url.endswith("#round-1/4")
    assert seen(page)["moves"] == 4


def test_a_round_that_is_not_there_opens_nothing(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE), "#round-2")
    assert not page.evaluate("document.querySelector('#viewer').open")
    page.evaluate("location.hash = '#round-1'")
    expect(page.locator("#viewer")).to_be_visible()


def test_another_round_opens_in_place_of_one(open_page: Open) -> None:
    page = open_page(records_page(), "#round-1/3")
    page.evaluate("location.hash = '#round-2/1'")
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(page.locator("#viewer-place")).to_have_text(re.compile("^move 1 of"))


@pytest.mark.parametrize("way", ["Escape", "button", "link"])
def test_closing_gives_the_focus_back(open_page: Open, way: str) -> None:
    page = open_page(records_page())
    page.get_by_role("link", name="howell_stock").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate("document.activeElement.id") == "viewer-felt"
    page.keyboard.press("ArrowRight")
    match way:
        case "Escape":
            page.keyboard.press("Escape")
        case "button":
            page.get_by_role("button", name="Close").click()
        case _:
            page.evaluate("location.hash = '#elsewhere'")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "howell_stock"
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # held, it repeats
    page.keyboard.up("Enter")
    expect(page.locator("#viewer-place")).to_have_text(re.compile("^as dealt"))


def test_the_keys_are_buttons_too(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE))
    for name, moves in {"On": 2, "Last": 29, "Back": 28, "First": 0}.items():
        page.get_by_role("button", name=name).click()
        assert seen(page)["moves"] == moves, name
    page.get_by_role("slider").fill("3")
    assert seen(page)["moves"] == 4


def test_it_plays_by_itself_and_stops(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE), alone=True)
    page.clock.install()
    page.locator("#viewer-felt").focus()
    page.keyboard.press(" ")
    page.clock.run_for(3_000)
    assert seen(page)["moves"] == 3
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(30_000)
    assert seen(page)["moves"] == 3
    page.get_by_role("button", name="Play").click()
    page.clock.run_for(60_000)
    assert seen(page)["moves"] == len(EXAMPLE.moves)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_each_step_is_said_and_each_card_has_a_name(open_page: Open) -> None:
    page = open_page(round_page(EXAMPLE), "#round-1/17")
    status = page.get_by_role("status")
    expect(status).to_contain_text("Seat 2 (tree) plays 8♦ 4♣: wrong, and draws 4: 4♠ 7♥ 2♥ J♣.")
    expect(status).to_contain_text("Seat 3 (random) is to play.")
    line = page.get_by_role("list", name="mainline, 6 cards")
    expect(line.get_by_role("img", name="ten of diamonds", exact=True)).to_be_visible()
    expect(line.get_by_role("img", name="four of clubs, rejected").last).to_be_visible()
    expect(page.get_by_role("img", name="jack of clubs, just drawn")).to_be_visible()
    expect(line.get_by_text("✗ wrong")).to_be_visible()


def test_seats_whose_moves_were_made_for_them_are_named(open_page: Open) -> None:
    faulty = EXAMPLE.deal()
    first = str(next(iter(faulty.legal_moves())))
    record = msgspec.structs.replace(EXAMPLE, moves=(first,), substitutes={1: "raised ValueError"}, scores=None)
    page = open_page(round_page(record), "#round-1/1")
    expect(page.get_by_role("status")).to_contain_text(
        "Seat 2 raised ValueError; the first legal move was made for it."
    )


HOSTILE = "</script><img src=x onerror=window.taken=1>", "<!--<script>", "\u2028${1}`", '"><b>', "🂡" * 60


@pytest.mark.parametrize("phone", [False, True], ids=["screen", "phone"])
def test_names_are_texts(open_page: Open, phone: bool) -> None:
    record = msgspec.structs.replace(EXAMPLE, key=HOSTILE[0], agents=HOSTILE)
    page = open_page(round_page(record), "#round-1/3", phone=phone)
    names = page.locator(".seat b").all_text_contents()
    assert tuple(names) == HOSTILE
    expect(page.locator("#viewer-title")).to_have_text(HOSTILE[0])
    assert page.evaluate("[window.taken, document.querySelectorAll('img').length]") == [None, 0]


@pytest.mark.parametrize("name", ["abbott_reserve", "howell_stock", "original_1956_stage_two", "cooperative_stated"])
@pytest.mark.parametrize(("width", "height"), [(360, 640), (820, 1180), (3840, 2160)])
def test_nothing_sticks_out(open_page: Open, name: str, width: int, height: int) -> None:
    page = open_page(records_page(), f"#round-{PLACES[name]}/999")
    page.set_viewport_size({"width": width, "height": height})
    assert page.evaluate(WIDER) == []
    assert page.evaluate(OUTSIDE) == []


def test_the_newest_card_is_in_sight(open_page: Open) -> None:
    page = open_page(records_page(), f"#round-{PLACES['abbott_reserve']}/999", phone=True)
    page.wait_for_function(NEWEST_IN_SIGHT)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_all_can_be_read(open_page: Open, dark: bool) -> None:
    page = open_page(round_page(EXAMPLE), "#round-1/17", dark=dark)
    found, paper = page.evaluate(CONTRAST)
    assert (paper < 0.1) == dark
    assert {name: ratio for name, ratio in found.items() if ratio < 4.5} == {}


def test_hundreds_of_rounds_open_at_once(open_page: Open) -> None:
    texts = [round_json(read(path)[1]) for path in RECORDS]
    rounds = {place: texts[place % len(texts)] for place in range(1, 401)}
    page = open_page(whole_page("many", rounds_script(rounds) + fragment()), "#round-400")
    expect(page.get_by_role("dialog")).to_be_visible()
    ready = page.evaluate("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    assert ready < 3_000, "milliseconds, about 300 of them on an idle core"
    assert page.evaluate("document.querySelectorAll('.card').length") < 200
