"""The pictures of the documents, taken of real pages; ``python -m tests.browser.pictures`` takes them anew.

Look at them before you commit them.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec
from playwright.sync_api import Browser

from eleusis_ai.arena.config import load_config
from eleusis_ai.arena.report.publication import PAGE, publish
from eleusis_ai.arena.report.study import study
from eleusis_ai.arena.report.viewer import round_page
from eleusis_ai.arena.tournament import run_tournament
from eleusis_ai.logs import read_log
from tests.browser.chromium import chromium

IMAGES = Path("docs/images")
EXAMPLE = Path("docs/example-round.jsonl")


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


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        take_viewer(browser, Path(folder))
        take_report(browser, Path(folder))
