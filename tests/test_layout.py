from __future__ import annotations

import pytest

from eleusis_ai.cards import parse_cards
from eleusis_ai.layout import InvalidLayout, Layout, Marker

ONE_THAT_IS = "'7H 9D(2C, 4S 5S)[3D 8D] JH'"


@pytest.mark.parametrize(
    ("text", "mainline", "sidelines", "shown"),
    [
        ("", "", [], []),
        ("7H", "7H", [[]], [[]]),
        ("7H 9D", "7H 9D", [[], []], [[], []]),
        ("7H(2C)", "7H", [["2C"]], [[]]),
        ("7H(2C, 4S 5S)", "7H", [["2C", "4S 5S"]], [[]]),
        ("7H[3D 8D]", "7H", [[]], [["3D 8D"]]),
        ("7H[3D 8D][AC]", "7H", [[]], [["3D 8D", "AC"]]),
        ("7H 9D(2C, 4S 5S)[3D 8D] JH", "7H 9D JH", [[], ["2C", "4S 5S"], []], [[], ["3D 8D"], []]),
    ],
)
def test_a_layout(text: str, mainline: str, sidelines: list[list[str]], shown: list[list[str]]) -> None:
    layout = Layout.parse(text)
    assert layout.mainline == parse_cards(mainline)
    assert layout.sidelines == tuple(tuple(map(parse_cards, attempts)) for attempts in sidelines)
    assert layout.shown == tuple(tuple(map(parse_cards, hands)) for hands in shown)
    assert str(layout) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("  7h\n9d ", "7H 9D"),
        ("7H( 2C ,4S  5S )", "7H(2C, 4S 5S)"),
        ("7H[ 3D 8D ]", "7H[3D 8D]"),
    ],
)
def test_other_spellings(text: str, written: str) -> None:
    assert str(Layout.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("7X", "'7X' is not a card"),
        ("7H(7X)", "'7X' is not a card"),
        ("7H[7X]", "'7X' is not a card"),
        ("7H (2C)", f"'(2C)' cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H 9D(2C", f"'9D(2C' cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H()", f"'7H()' cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H(2C,)", f"'7H(2C,)' cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H[]", f"'7H[]' cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H[3D, 8D]", f"cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H[3D](2C)", f"cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H(2C)(3C)", f"cannot be read; one that can: {ONE_THAT_IS}"),
        ("7H, 9D", f"cannot be read; one that can: {ONE_THAT_IS}"),
        ("(2C)", f"'(2C)' cannot be read; one that can: {ONE_THAT_IS}"),
    ],
)
def test_no_layout(text: str, about: str) -> None:
    with pytest.raises(InvalidLayout) as error:
        Layout.parse(text)
    assert f"{text!r} is not a layout: " in str(error.value)
    assert about in str(error.value)


def test_the_layout_in_the_message_is_one() -> None:
    text = ONE_THAT_IS.strip("'")
    assert str(Layout.parse(text)) == text


@pytest.mark.parametrize(
    ("before", "step", "cards", "after"),
    [
        ("7H", "extended", "9D", "7H 9D"),
        ("7H(2C)[3D]", "extended", "9D JH", "7H(2C)[3D] 9D JH"),
        ("", "extended", "9D", "9D"),
        ("7H 9D", "with_rejected", "2C", "7H 9D(2C)"),
        ("7H 9D(2C)[3D]", "with_rejected", "4S 5S", "7H 9D(2C, 4S 5S)[3D]"),
        ("7H(2C) 9D", "with_shown", "3D 8D", "7H(2C) 9D[3D 8D]"),
        ("7H[3D 8D]", "with_shown", "AC", "7H[3D 8D][AC]"),
    ],
)
def test_what_is_laid(before: str, step: str, cards: str, after: str) -> None:
    layout = Layout.parse(before)
    assert str(getattr(layout, step)(parse_cards(cards))) == after
    assert str(layout) == before


@pytest.mark.parametrize(
    ("text", "rejected"),
    [("", ""), ("7H 9D[3D 8D]", ""), ("7H(2C) 9D(4S 5S, AC) JH(KD)", "2C 4S 5S AC KD")],
)
def test_rejected_cards_in_the_order_they_fell(text: str, rejected: str) -> None:
    assert Layout.parse(text).rejected == parse_cards(rejected)


@pytest.mark.parametrize(
    ("text", "marker"), [("0", Marker(0)), ("12", Marker(12)), ("12.1", Marker(12, 1)), ("3.0", Marker(3, 0))]
)
def test_a_marker(text: str, marker: Marker) -> None:
    assert Marker.parse(text) == marker
    assert str(marker) == text


@pytest.mark.parametrize("text", ["", "x", "-1", "1.", ".1", "1.2.3", "1 2", "1,2"])
def test_no_marker(text: str) -> None:
    with pytest.raises(InvalidLayout) as error:
        Marker.parse(text)
    assert str(error.value) == f"{text!r} is not a marker; write a column as in '12', or a branch as in '12.1'"
