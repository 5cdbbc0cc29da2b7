"""The replay viewer: rounds of a log, drawn as cards on a table and stepped with the arrow keys, in any page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import msgspec

from eleusis_ai.record import Record
from eleusis_ai.seats.unfolding import replay_of
from eleusis_ai.tabletop.page import asset, inert, whole_page

TABLETOP = "eleusis_ai.tabletop"


def round_json(record: Record) -> str:
    """Return one round as JSON that can stand in a ``<script>`` element: the deal, and what each move changes.

    Raises:
        InvalidRecord: if it cannot be replayed.
    """
    return inert(msgspec.json.encode(replay_of(record)).decode())


def rounds_script(rounds: Mapping[int, str]) -> str:
    """Return the element that holds the rounds of a page.

    Args:
        rounds: What `round_json` made, by place in the log counted from 1, as in ``eleusis replay DIR#17``.
    """
    each = ",".join(f'"{place}":{text}' for place, text in rounds.items())
    return f'<script type="application/json" id="rounds">{{{each}}}</script>'


def fragment() -> str:
    """Return the HTML, CSS and JavaScript that open the rounds of a page, once in it and behind its rounds.

    A link to ``#round-17`` opens that round as it was dealt, ``#round-17/5`` after its fifth move.
    """
    styles = (asset(TABLETOP, name) for name in ("table.css", "viewer.css"))
    scripts = (asset(TABLETOP, name) for name in ("table.js", "viewer.js"))
    return "\n".join(
        [
            *(f"<style>{style}</style>" for style in styles),
            asset(TABLETOP, "viewer.html"),
            *(f"<script>{script}</script>" for script in scripts),
        ]
    )


def round_page(record: Record) -> str:
    """Return a page with one round alone, which opens at once.

    Raises:
        InvalidRecord: if the record cannot be replayed.
    """
    title = record.key or "A round of Eleusis"
    body = [
        '<main class="tabletop">',
        f"<h1>{escape(title)}</h1>",
        '<p><a href="#round-1">Look at the round</a>, card by card.</p>',
        "<noscript><p>This page draws the round with JavaScript, which is switched off here.</p></noscript>",
        "</main>",
        rounds_script({1: round_json(record)}),
        fragment(),
        f"<script>{_OPEN}</script>",
    ]
    return whole_page(f"Eleusis: {title}", "\n".join(body), _STYLE)


_OPEN = 'if (!location.hash) location.replace("#round-1");'
_STYLE = """
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
@media (prefers-color-scheme: dark) { body { background: #15191b; } a { color: #8fd0b4; } }
"""
