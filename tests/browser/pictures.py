"""The pictures of the documents, taken of real pages; ``python -m tests.browser.pictures`` takes them anew.

Look at them before you commit them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page

from eleusis_ai.arena.config import load_config
from eleusis_ai.arena.report.publication import PAGE, publish
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.report.viewer import round_page
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.logs import read_log
from eleusis_ai.registry import make_agent
from tests.browser.chromium import chromium
from tests.browser.guest import PHONE, SCREEN
from tests.browser.parlour import Parlour, asked, over

IMAGES = Path("docs/images")
EXAMPLE = Path("docs/example-round.jsonl")
AT_REST = """() => {
  const log = document.querySelector("#log-lines");
  document.activeElement.blur(); // no ring round a button
  log.scrollTop = log.scrollHeight;
}"""


def take_viewer(browser: Browser, folder: Path) -> None:
    """Take the replay viewer near the end of a round in which a prophet sits, on a screen and on a phone."""
    file = folder / "round.html"
    file.write_text(round_page(next(read_log(EXAMPLE))), encoding="utf-8")
    for name, width, height, scale, dark in (("viewer", 1400, 840, 1, False), ("viewer-phone", 390, 844, 1.5, True)):
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
            device_scale_factor=scale,
        )
        page.goto(f"{file.as_uri()}#round-1/27")
        page.evaluate("document.activeElement.blur()")  # no ring round a button
        page.screenshot(path=IMAGES / f"{name}.png")
        page.close()


def take_report(browser: Browser, folder: Path) -> None:
    """Take the report on a part of the quick tournament, which is played for it."""
    run_tournament(msgspec.structs.replace(load_config("quick"), deals=24), folder / "quick")
    publish(study([folder / "quick"], curves=0), folder)
    page = browser.new_page(viewport={"width": 1100, "height": 1120}, color_scheme="light")
    page.goto((folder / PAGE).as_uri())
    page.screenshot(path=IMAGES / "report.png")
    page.close()


def take_table(browser: Browser) -> None:
    """Take the table in a round with a prophet: on a screen, on the phone of another player, and at its end."""
    parlour = Parlour(
        1, profile="howell", seats=5, agents=["elimination:master", None, "elimination:club", None, "tree"]
    )
    players = ("elimination:beginner", "elimination:club", "elimination:beginner", "tree")
    agents = [make_agent(name, seat=seat, seed=f"1/{seat - 1}") for seat, name in enumerate(players, 1)]
    ann = at_table(browser, parlour, parlour.seat("Ann", 1), SCREEN)
    tomas = at_table(browser, parlour, parlour.seat("Tomás", 3), PHONE | {"device_scale_factor": 2})
    parlour.begin("card.rank <= last.rank if last.is_black else card.rank >= last.rank")
    for page, name, there in (
        (tomas, "table-phone", asked(3, accepted=15)),
        (ann, "table-desktop", asked(1, accepted=26)),
        (ann, "table-end", over),
    ):
        while not there(parlour.sitting):
            round_ = parlour.sitting.round
            assert round_ is not None
            assert round_.decision is not None
            seat = round_.decision.seat
            parlour.move(str(agents[seat - 1].act(round_.view(seat))))
        if there is not over:
            for place in (3, 5):
                page.locator("#hand .held").nth(place).click()
        page.wait_for_function("() => document.body.dataset.asked || document.body.dataset.phase === 'over'")
        page.mouse.move(0, 0)
        page.evaluate(AT_REST)
        page.screenshot(path=IMAGES / f"{name}.png")
    ann.context.close()
    tomas.context.close()


def at_table(browser: Browser, parlour: Parlour, token: str, device: Mapping[str, Any]) -> Page:
    """Open a table as who shows a token."""
    context = browser.new_context(**device, color_scheme="light", reduced_motion="reduce")
    parlour.serve(context)
    return parlour.open(context, token)


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        take_viewer(browser, Path(folder))
        take_report(browser, Path(folder))
        take_table(browser)
