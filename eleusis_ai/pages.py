"""Pages to keep: a rule's review as HTML, and the reviews of the whole catalogue as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from eleusis_ai.cards import RANKS, Suit, cards_text
from eleusis_ai.picture import ILLEGAL, LEGAL, Picture
from eleusis_ai.rules.catalog import CatalogEntry
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.review import Review, review

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
code { font: 1rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: .5rem; }
dd { margin: 0; }
.refused { border-left: .3rem solid #b3261e; padding-left: .7rem; }
.advice { border-left: .3rem solid #946200; padding-left: .7rem; }
.pictures { display: flex; flex-wrap: wrap; gap: 1.5rem 2.5rem; }
table { border-collapse: collapse; }
caption { font-weight: 600; text-align: left; padding-bottom: .3rem; }
th, td { border: 1px solid #8888; font-weight: 400; height: 1.7rem; text-align: center; width: 1.7rem; }
th.red { color: #c62828; }
td.legal { background: #2e7d3240; font-weight: 700; }
""".strip()

_HEAD = """\
# The catalogue of published rules

The secret rules that people have published, and what a review finds: the share of the pack that is legal on average
along 25 cards of random legal play, and the shortest mainline after which no card is legal. Figures are exact, save
those with *about*, of rules that depend on more than a finite state: they come from random lines. `eleusis rules show
ID` tells the rest, and the sources; `eleusis rules list --markdown` writes this page.
"""


def review_page(rule: Rule, found: Review, pictures: Iterable[Picture], *, language: str = "en") -> str:
    """Return a review as one HTML page that needs no other file; the rule is said in ``language``."""
    first = [] if rule.starter is None else [_entry("first card", f"<code>{escape(str(rule.starter))}</code>")]
    notes = [f'<p class="refused">refused: {escape(reason)}</p>' for reason in found.refusals]
    notes += [f'<p class="advice">advice: {escape(sentence)}</p>' for sentence in found.advice]
    body = [
        "<h1>A rule of Eleusis, reviewed</h1>",
        "<dl>",
        _entry("rule", f"<code>{escape(str(rule))}</code>"),
        *first,
        _entry("in words", f'<span lang="{escape(language)}">{escape(rule.sentence(language))}</span>'),
        *(_entry(name, *map(escape, facts)) for name, facts in _by_name(found.facts).items()),
        "</dl>",
        *notes,
        "<h2>What is legal</h2>",
        '<div class="pictures">',
        *(line for each in pictures for line in _table(each)),
        "</div>",
    ]
    head = [
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Eleusis: {escape(str(rule))}</title>",
        f"<style>\n{_STYLE}\n</style>",
    ]
    lines = ["<!doctype html>", '<html lang="en">', "<head>", *head, "</head>", "<body>", *body, "</body>", "</html>"]
    return "\n".join(lines) + "\n"


def _entry(name: str, *html: str) -> str:
    return "\n".join([f"<dt>{escape(name)}</dt>", *(f"<dd>{each}</dd>" for each in html)])


def _by_name(facts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, fact in facts:
        found.setdefault(name, []).append(fact)
    return found


def _table(picture: Picture) -> Iterator[str]:
    yield f"<table>\n<caption>{escape(picture.title)}</caption>"
    yield "<tr><td></td>" + "".join(f'<th scope="col">{rank}</th>' for rank in RANKS) + "</tr>"
    for suit, marks in picture.rows():
        kind = "red" if suit in (Suit.D, Suit.H) else "black"
        cells = "".join(f'<td class="legal">{LEGAL}</td>' if legal else f"<td>{ILLEGAL}</td>" for legal in marks)
        yield f'<tr><th scope="row" class="{kind}">{suit.symbol}</th>{cells}</tr>'
    yield "</table>"


def catalog_page(entries: Iterable[CatalogEntry]) -> str:
    """Return the reviews of rules of the catalogue as a page of Markdown."""
    rows = "\n".join(catalog_row(entry) for entry in entries)
    return f"{_HEAD}\n| id | family | in words | acceptance | dead end |\n|---|---|---|---:|---|\n{rows}\n"


def catalog_row(entry: CatalogEntry) -> str:
    """Return one row of the page."""
    found = review(entry.rule)
    share = f"{'' if found.proved else 'about '}{found.acceptance:.0%}"
    ends = f"after {cards_text(found.dead_end)}" if found.dead_end else "none" if found.proved else "none known"
    cells = (f"`{entry.id}`", entry.family, entry.text, share, ends)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
