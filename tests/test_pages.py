"""Pages to keep: valid HTML whatever the texts, and the committed page of the catalogue is what is written."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

from eleusis_ai.pages import catalog_page, catalog_row, review_page
from eleusis_ai.picture import Picture
from eleusis_ai.profiles import PROFILES
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import review
from eleusis_ai.sheets import pictures_of

CATALOG = Path(__file__).parent.parent / "docs" / "reference" / "catalog.md"
HOSTILE = "</title></style><script>alert('x')</script> & <b onclick=\"x\">"
VOID = {"meta"}


class Checker(HTMLParser):
    """Refuses tags that are not closed in order, and collects what there is."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.links: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [name for name, _ in attrs if name in ("src", "href") or name.startswith("on")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def checked(page: str) -> Checker:
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert not checker.open
    return checker


@pytest.mark.parametrize(
    "text", ["card.rank > last.rank", "1 < 2 < card.rank", "card.suit == after(last.suit, 'HSCD')"]
)
def test_a_page_tells_the_review(text: str) -> None:
    rule = Rule.parse(text, starter="card.rank < 9")
    found = review(rule)
    page = checked(review_page(rule, found, pictures_of(rule, number=4), language="fr"))
    assert page.tags.count("h1") == page.tags.count("title") == 1
    assert not page.links
    for each in (str(rule), "card.rank < 9", rule.sentence("fr"), *(fact for _, fact in found.facts), *found.advice):
        assert each in page.words
    assert all(f"refused: {reason}" in page.words for reason in found.refusals)
    assert page.words.count("✓") + page.words.count("·") == 52 * page.tags.count("table")


def test_hostile_texts_stay_texts() -> None:
    profile = msgspec.structs.replace(PROFILES["late-prophet"], name=HOSTILE)
    rule = Rule.parse("card.is_red and last.is_red", starter="card.is_red")
    found = review(rule, profile=profile)
    page = checked(review_page(rule, found, [Picture(HOSTILE, 5)], language="en"))
    assert page.words.count(HOSTILE) == 2
    assert "script" not in page.tags
    assert "b" not in page.tags
    assert not page.links


def rows(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("| `")]


def test_the_page_of_the_catalogue_has_all_rules() -> None:
    page = CATALOG.read_text(encoding="utf-8")
    assert [row.split("`")[1] for row in rows(page)] == list(load())
    assert rows(page)[::9] == [catalog_row(entry) for entry in list(load().values())[::9]]
    assert catalog_page([]) == page.replace("\n".join(rows(page)) + "\n", "\n")


@pytest.mark.long
def test_the_page_of_the_catalogue_is_what_is_written() -> None:
    assert catalog_page(load().values()) == CATALOG.read_text(encoding="utf-8")


def test_a_line_of_a_table_has_one_cell_for_each_column() -> None:
    entry = next(iter(load().values()))
    odd = msgspec.structs.replace(entry, text="this | that")
    assert "| this \\| that |" in catalog_row(odd)
