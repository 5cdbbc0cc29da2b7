"""A page that needs no other file and lets nothing in: its texts, its scripts, and what a browser may do with it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files

_INLINE = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)
"""Styles and scripts of a page; a script with a type is data, which no policy needs to allow."""
_OUTSIDE_SCRIPTS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def asset(package: str, name: str) -> str:
    """Return the text of a file that lies in ``package``, such as ``table.css``."""
    return (files(package) / name).read_text(encoding="utf-8")


def inert(json: str) -> str:
    r"""Return the same JSON with no sign in it that could end the ``<script>`` it stands in.

    >>> print(inert('{"name": "</script>"}'))
    {"name": "\u003c/script\u003e"}
    """
    return json.translate(_OUTSIDE_SCRIPTS)


def content_policy(html: str) -> str:
    """Return the Content-Security-Policy under which ``html`` works, and nothing else does.

    Its own ``<style>`` and ``<script>`` are allowed by their hashes, and pictures that stand in the page;
    whatever would be fetched or sent is not, nor is a script or style that came in by a text.
    """
    allowed: dict[str, list[str]] = {"style": [], "script": []}
    for kind, text in _INLINE.findall(html):
        allowed[kind].append(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'")
    sources = [f"{kind}-src {' '.join(dict.fromkeys(hashes))}" for kind, hashes in allowed.items() if hashes]
    return "; ".join(["default-src 'none'", *sources, "img-src data:", "base-uri 'none'", "form-action 'none'"])


def whole_page(title: str, body: str, style: str = "") -> str:
    """Return ``body``, which is HTML, as a page for phones and large screens that fetches nothing.

    Args:
        title: What the page is called, as plain text.
        body: What stands in it; its styles and scripts are bare ``<style>`` and ``<script>`` elements.
        style: CSS of the page itself.
    """
    styled = f"<style>{style}</style>" if style else ""
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{content_policy(styled + body)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f"<title>{escape(title)}</title>",
        *([styled] if styled else []),
    ]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", body, "</body>", "</html>"]
    return "\n".join(lines) + "\n"
