"""Pictures of verdicts: marks, titles, and which mainlines are worth one."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from eleusis_ai.cards import ALL_CARDS, CARDS, cards_of, cards_text, parse_cards
from eleusis_ai.picture import WIDTH, picture
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.glimpses import glimpses
from eleusis_ai.rules.language import Rule


def drawn(rule: str, line: str) -> list[str]:
    console = Console(file=io.StringIO(), width=WIDTH, markup=False, highlight=False)
    with console.capture() as capture:
        console.print(picture(Rule.parse(rule), parse_cards(line)))
    return capture.get().splitlines()


@pytest.mark.parametrize("line", ["", "7H", "QS 3D"])
def test_each_card_has_its_mark(line: str) -> None:
    text = "card.rank > 4 or card.suit == D and card.rank % 2 == 1"
    title, _, *rows = drawn(text, line)
    marks = [mark for row in rows for mark in row[1:].split()]
    legal = Rule.parse(text).mask(parse_cards(line))
    assert marks == ["✓" if legal >> card & 1 else "·" for card in CARDS]
    assert [row[0] for row in rows] == list("♣♦♥♠")
    assert title == f"{f'after {line}' if line else 'on the empty table'}: {legal.bit_count()} legal"
    assert all(len(row) <= WIDTH for row in rows)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("True", [""]),
        ("card.is_red", [""]),
        ("card.color != last.color", ["AC", "AD"]),
        ("card.rank > last.rank", ["KC", "6C"]),
        ("card.suit == mainline[-2].suit", ["AC AC", "AD AC"]),
        ("position % 2 == 1", ["", "AC"]),
    ],
)
def test_the_lines_shown_are_those_with_the_most_different_verdicts(text: str, lines: list[str]) -> None:
    assert [cards_text(line) for line in glimpses(Rule.parse(text), 2)] == lines


@pytest.mark.parametrize("entry", list(load().values())[::7], ids=lambda entry: entry.id)
def test_the_lines_shown_can_be_reached_and_differ(entry: CatalogEntry) -> None:
    rule = entry.rule
    lines = glimpses(rule, 4)
    masks = [rule.mask(line) for line in lines]
    assert len(set(masks)) == len(lines) <= 4
    assert (lines[0] == ()) == (rule.mask(()) != ALL_CARDS)
    for line in lines:
        assert all(line[place] in cards_of(rule.mask(line[:place])) for place in range(1, len(line)))
