"""A real Chromium without a window, as the system's packages have it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest
from playwright.sync_api import Browser, sync_playwright

PATIENCE = 60_000
"""Milliseconds that a page may take for anything; a busy machine needs seconds where an idle one needs none."""
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
INSTALL = "apt-get install chromium fonts-dejavu-core"
QUIET = (
    *("--no-sandbox", "--no-proxy-server", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
"""Flags of a browser that asks nobody anything, and that root may start."""


class NoBrowser(LookupError):
    """There is no Chromium on this machine."""


def executable() -> str:
    """Return where Chromium is.

    Raises:
        NoBrowser: with the command that installs it.
    """
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        raise NoBrowser(f"none of {', '.join(NAMES)} is installed; on Debian: {INSTALL}")
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium with an empty profile, and end it.

    Raises:
        NoBrowser: if there is none.
    """
    path = executable()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET, headless=True)
        try:
            yield browser
        finally:
            browser.close()


def skip_or_fail(error: LookupError) -> NoReturn:
    """Skip a test that needs what this machine has not, with the reason; where CI runs it fails."""
    if os.environ.get("CI"):
        pytest.fail(str(error))
    pytest.skip(str(error))
