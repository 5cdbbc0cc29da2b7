from __future__ import annotations

import io
from collections import Counter
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from eleusis_ai.cards import CARDS, Card, Suit
from eleusis_ai.drawing import MARKER, LayoutDrawing, draw_round, draw_steps, draw_table, draw_view
from eleusis_ai.layout import Layout, Marker
from eleusis_ai.moves import Attempt, BecomeProphet, Call, NoPlay, Pass, StateRule
from eleusis_ai.profiles import ABBOTT, HOWELL, load_profile
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from tests.records.rewrite import read


def drawn(drawing: RenderableType, width: int = 80) -> list[str]:
    console = Console(width=width, file=io.StringIO(), highlight=False, markup=False)
    console.print(drawing)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_sidelines_hang_below_and_strings_keep_together() -> None:
    layout = Layout.parse("7H 9D(2C, 4S 10S 5S, 3H AC) JH(QH)")
    assert drawn(LayoutDrawing(layout)) == [
        " 0    1    2",
        " 7♥   9♦   J♥",
        "      2♣   Q♥",
        "     ╭4♠",
        "     │10♠",
        "     ╰5♠",
        "     ╭3♥",
        "     ╰A♣",
    ]


def test_the_line_goes_on_in_rows_that_fit() -> None:
    layout = Layout.parse("7H 9D(2C) JH AS 10C(4S 5S)")
    assert drawn(LayoutDrawing(layout), width=17) == [
        " 0    1    2",
        " 7♥   9♦   J♥",
        "      2♣",
        "",
        " 3    4",
        " A♠   10♣",
        "     ╭4♠",
        "     ╰5♠",
    ]


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        (Marker(1), f" 7♥   10♦{MARKER} J♥"),
        (Marker(1, 0), f"      2♣{MARKER}"),
        (Marker(1, 1), f"     ╰5♠{MARKER}"),
    ],
)
def test_the_marker_lies_behind_one_card(marker: Marker, line: str) -> None:
    lines = drawn(LayoutDrawing(Layout.parse("7H 10D(2C, 4S 5S) JH(QH)"), marker))
    assert any(each.startswith(line) for each in lines)
    assert "".join(lines).count(MARKER) == 1


def test_a_shown_hand_lies_above_its_column() -> None:
    lines = drawn(LayoutDrawing(Layout.parse("7H 9D[3D 8D] JH")))
    assert lines[0] == "     above 1: 3♦ 8♦"


def test_a_shown_hand_moves_left_and_wraps_where_it_would_not_fit() -> None:
    hand = " ".join(map(str, CARDS[:14]))
    lines = drawn(LayoutDrawing(Layout.parse(f"7H 9D JH[{hand}]")), width=30)
    assert lines[:2] == [" above 2: A♣ 2♣ 3♣ 4♣ 5♣ 6♣ 7♣", " 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♦"]


card_tuples = st.lists(st.sampled_from(CARDS), min_size=1, max_size=5).map(tuple)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    layout = Layout()
    for card in draw(st.lists(st.sampled_from(CARDS), min_size=1, max_size=70)):
        layout = layout.extended((card,))
        for attempt in draw(st.lists(card_tuples, max_size=2)):
            layout = layout.with_rejected(attempt)
        if draw(st.integers(0, 9)) == 0:
            layout = layout.with_shown(draw(card_tuples))
    return layout


@given(layouts(), st.integers(20, 130))
def test_every_card_is_drawn_once_and_no_line_is_too_long(layout: Layout, width: int) -> None:
    lines = drawn(LayoutDrawing(layout), width)
    assert max(map(len, lines)) <= width
    words = "\n".join(lines).replace("╭", " ").replace("│", " ").replace("╰", " ").split()
    laid = (*layout.mainline, *layout.rejected, *chain.from_iterable(chain.from_iterable(layout.shown)))
    assert Counter(word for word in words if word[-1] in "♣♦♥♠") == Counter(card.symbol for card in laid)


def dealt(rule: str = "card.color != last.color") -> Round:
    return Round.deal(HOWELL, Rule.parse(rule), seats=5, dealer=0, deck=CARDS * 3, first=1)


def test_a_view_shows_its_own_hand_and_no_other() -> None:
    round_ = dealt()
    lines = drawn(draw_view(round_.view(2), ["Dora", "Ann", "Ben"]))
    held = [[card.symbol for card in sorted(round_.hands[2]) if card.suit is suit] for suit in Suit]
    assert lines[-1] == f"Your hand (14): {'   '.join(' '.join(suit) for suit in held if suit)}"
    symbols = Counter(word for line in lines[:-1] for word in line.split() if word[-1] in "♣♦♥♠")
    assert symbols == Counter(card.symbol for card in round_.layout.mainline)
    assert "▸ seat 1  Ann   14 cards" in lines
    assert "  seat 2  Ben   14 cards" in lines
    assert not any("color" in line for line in lines)


def test_the_table_tells_the_prophet_the_expelled_and_the_danger() -> None:
    round_ = dealt("card.rank < 14")
    round_.apply(Attempt((round_.hands[1][0],)))
    round_.apply(BecomeProphet())
    public = msgspec.structs.replace(round_.public(), danger=True, expelled=(3,))
    lines = drawn(draw_view(msgspec.structs.replace(round_.view(2), public=public)))
    assert "howell, 5 seats; your turn, and a wrong play expels" in lines
    assert f"stock {public.stock_size}, 2 accepted, 0 rejected, 2 played" in lines
    assert any(line.startswith("  seat 1") and f"prophet {MARKER} 0 right, 0 wrong since" in line for line in lines)
    assert any(line.startswith("  seat 3") and line.endswith("expelled") for line in lines)


def test_a_round_that_is_over_shows_rule_and_points() -> None:
    round_ = dealt("card.rank < 14")
    while round_.decision is not None:
        round_.apply(Pass() if Pass() in round_.legal_moves() else next(iter(round_.legal_moves())))
    lines = drawn(draw_round(round_))
    assert lines[0] == "rule      card.rank < 14"
    assert any("ended: emptied" in line for line in lines)
    assert any(line.endswith("emptied the hand") and "0 cards" in line for line in lines)


def test_a_record_is_drawn_move_by_move() -> None:
    round_ = Round.deal(ABBOTT, Rule.parse("card.rank > 13"), seats=5, dealer=0, deck=CARDS * 6, first=1)
    shown = round_.hands[1]
    round_.apply(NoPlay())
    steps = [drawn(step) for step in draw_steps(round_.record())]
    assert len(steps) == 2
    assert "move 1: no play" in steps[1]
    assert any(f"seat 1 declares no play, showing {shown[0]}" in line for line in steps[1])
    assert any(f"above 0: {shown[0].symbol}" in line for line in steps[1])


def test_suits_are_told_apart_without_colour() -> None:
    console = Console(width=80, file=io.StringIO(), force_terminal=True, color_system="standard")
    console.print(LayoutDrawing(Layout((Card.parse("7H"), Card.parse("7S")), ((), ()), ((), ()))))
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    assert "\x1b[1;31m7♥" in text
    assert "\x1b[1m7♠" in text


def test_mistake_cards_lie_before_their_players() -> None:
    _, record = read(Path(__file__).parent / "records" / "original_1956_stage_two.txt")
    page = drawn(draw_round(record.replay()))
    assert "original-1956, 4 seats; stage 2; ended: emptied" in page
    assert "  seat 0     0 cards, 0 mistakes  11 points  no card left" in page
    assert "before seat 2  J♠ 8♠" in page
    assert "before seat 3  Q♦ 4♥ J♥" in page
    assert not any(line.startswith("before seat 0") for line in page)


def test_statements_and_turns_are_told() -> None:
    _, record = read(Path(__file__).parent / "records" / "cooperative_stated.txt")
    page = drawn(draw_round(record.replay()))
    assert any(line.endswith(", 33 turns left") for line in page)
    assert "seat 1 stated  right  card.color != last.color" in page
    assert any(line.startswith("seat ") and "wrong  abs(card.rank - last.rank) <= 3" in line for line in page)
    assert any(line.endswith("stated the rule") for line in page)


def test_a_statement_that_is_not_judged_yet_is_in_question() -> None:
    table = Round.deal(
        load_profile("cooperative"), None, seats=4, dealer=0, deck=CARDS * 3, first=1, starters=CARDS[42:43]
    )
    for move in (Attempt(table.hands[1][:1]), Call(right=True), StateRule(Rule.parse("card.is_red"))):
        table.apply(move)
    assert "seat 1 stated  ?  card.is_red" in drawn(draw_table(table.public()))
