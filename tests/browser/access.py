"""What keeps people out of a page, as axe finds it."""

from __future__ import annotations

import json
from collections.abc import Sequence

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page


def faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """Return what axe finds, each fault with the place of the first that has it; no rules: by all of them."""
    options = {"runOnly": list(rules)} if rules else {}
    found = json.loads(json.dumps(Axe().run(page, options=options).response))
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in found["violations"]]
