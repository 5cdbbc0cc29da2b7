"""Reads a report's page as a browser would: its tables, its links and where they lead."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any


@dataclass
class Cell:
    """One cell of a table."""

    text: str = ""
    note: str = ""
    link: str = ""


@dataclass
class ReadPage:
    """What stands in a page."""

    tables: dict[str, list[list[Cell]]] = field(default_factory=dict)
    """By caption: the rows, the head among them."""
    links: list[str] = field(default_factory=list)
    """Where the page leads within itself, without the ``#``."""
    ids: list[str] = field(default_factory=list)
    articles: dict[str, str] = field(default_factory=dict)
    """The text of each list of rounds, by id."""
    rounds: dict[str, Any] = field(default_factory=dict)
    tags: set[str] = field(default_factory=set)

    def row(self, caption: str, name: str) -> dict[str, Cell]:
        """Return the row of ``name`` in a table, by the heads of its columns."""
        head, *rows = self.tables[caption]
        found = next(row for row in rows if row[0].text == name)
        return {above.text: cell for above, cell in zip(head, found, strict=True)}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = ReadPage()
        self.caption: str | None = None
        self.cell: Cell | None = None
        self.small = self.in_caption = self.in_rounds = False
        self.article = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.page.tags.add(tag)
        if named.get("id"):
            self.page.ids.append(named["id"] or "")
        href = named.get("href") or named.get("xlink:href") or ""
        if tag == "a" and href:
            assert href.startswith("#"), href
            self.page.links.append(href[1:])
        match tag:
            case "caption":
                self.caption, self.in_caption = "", True
            case "tr" if self.caption is not None:
                self.page.tables.setdefault(self.caption, []).append([])
            case "th" | "td" if self.caption is not None:
                self.cell = Cell()
                self.page.tables[self.caption][-1].append(self.cell)
            case "small":
                self.small = True
            case "a" if self.cell is not None:
                self.cell.link = href[1:]
            case "article":
                self.article = named["id"] or ""
                self.page.articles[self.article] = ""
            case "li" if self.article:
                self.page.articles[self.article] += "\n"
            case "script":
                self.in_rounds = named.get("id") == "rounds"

    def handle_endtag(self, tag: str) -> None:
        match tag:
            case "caption":
                self.in_caption = False
            case "table":
                self.caption = None
            case "th" | "td":
                self.cell = None
            case "small":
                self.small = False
            case "article":
                self.article = ""
            case "script":
                self.in_rounds = False

    def handle_data(self, data: str) -> None:
        if self.in_rounds:
            self.page.rounds = json.loads(data)
        elif self.in_caption:
            self.caption = (self.caption or "") + data
        elif self.cell is not None and self.small:
            self.cell.note += data
        elif self.cell is not None:
            self.cell.text = (self.cell.text + data).strip()
        elif self.article:
            self.page.articles[self.article] += data


def read_page(html: str) -> ReadPage:
    """Read a page."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.page
