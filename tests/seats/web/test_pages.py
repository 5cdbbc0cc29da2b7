"""The pages as they come, before a script runs: in the visitor's language, under a policy that lets nothing in."""

from __future__ import annotations

import asyncio
import re
import urllib.error
import urllib.request
from http.client import HTTPMessage

import pytest

from eleusis_ai.rules.phrases import LANGUAGES
from eleusis_ai.seats.web import pages
from eleusis_ai.seats.web.gate import POLICY
from eleusis_ai.seats.web.site import Offers
from tests.seats.web.hosting import PATIENCE, Served, played

PAGES: dict[str, dict[str, object]] = {
    "start.html": {"offers": Offers.of(["tree"])},
    "table.html": {"table": "abc"},
    "board.html": {"group": "abc"},
    "missing.html": {},
}


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "fr-CA,fr;q=0.8,en;q=0.5", "fr"),
        (None, "de, pt;q=0.4, it;q=0.3", "pt"),
        (None, "en;q=0.1, it", "it"),
        (None, "it;q=x, fr;q=0.1", "fr"),
        (None, ";q=, ,,;;" * 50, "en"),
        ("it", "fr", "it"),
        ("xx", "fr", "fr"),
    ],
)
def test_the_language_is_the_visitor_s(chosen: str | None, accepted: str, language: str) -> None:
    assert pages.language_of(chosen, accepted) == language


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", PAGES)
def test_a_page_has_no_script_and_no_style_of_its_own(template: str, language: str) -> None:
    html = pages.render(template, language, **PAGES[template])
    assert f'<html lang="{language}">' in html
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", html)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))
    assert not re.search(r"https?://", html)


def test_what_comes_from_outside_is_escaped() -> None:
    html = pages.render("table.html", "en", table='"><script>alert(1)</script>')
    assert "<script>alert" not in html


def test_pages_assets_and_words_are_served() -> None:
    async def work(server: Served) -> None:
        table, _ = await server.make()
        for path, kind in {
            "/": "text/html; charset=utf-8",
            f"/t/{table}": "text/html; charset=utf-8",
            "/assets/page.css": "text/css; charset=utf-8",
            "/assets/table.js": "text/javascript; charset=utf-8",
            "/assets/icon.svg": "image/svg+xml",
            "/words/fr.json": "application/json",
        }.items():
            headers = await asyncio.to_thread(headers_of, server.port, path)
            assert headers["content-type"] == kind
            if path.startswith(("/assets/", "/words/")):
                assert await asyncio.to_thread(status_of, server.port, path, headers["etag"]) == 304
            assert headers["content-security-policy"] == POLICY
            assert headers["referrer-policy"] == "no-referrer"
        for path in ("/t/none", "/assets/none.js", "/assets/..%2fpages.py", "/words/de.json"):
            assert (await server.get(path))[0] == 404

    played(work)


def status_of(port: int, path: str, known: str) -> int:
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"If-None-Match": known})
    try:
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def headers_of(port: int, path: str) -> HTTPMessage:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        headers: HTTPMessage = answer.headers
        return headers
