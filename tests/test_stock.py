from __future__ import annotations

import pytest

from eleusis_ai.cards import CARDS, parse_cards
from eleusis_ai.stock import Stock

PACK = CARDS[::-1]


def test_cards_are_turned_from_the_front() -> None:
    stock = Stock(parse_cards("7H 8D 9D"))
    assert str(stock.turn()) == "7H"
    assert stock.cards == parse_cards("8D 9D")
    assert stock.size == 2


def test_cards_go_under_the_stock_in_their_order() -> None:
    stock = Stock(parse_cards("7H 8D"))
    stock.put_under(parse_cards("AC 2C"))
    assert stock.cards == parse_cards("7H 8D AC 2C")


@pytest.mark.parametrize(
    ("cards", "reserve", "count", "portions", "left", "unopened", "exhausted"),
    [
        ("7H 8D 9D", (), 0, [], "7H 8D 9D", 0, False),
        ("7H 8D 9D", (), 2, [("7H 8D", 0)], "9D", 0, False),
        ("7H 8D 9D", (), 3, [("7H 8D 9D", 0)], "", 0, False),
        ("7H 8D 9D", (), 4, [("7H 8D 9D", 0)], "", 0, True),
        ("", (), 1, [], "", 0, True),
        ("7H 8D", PACK, 1, [("7H", 0)], "8D", 52, False),
        ("7H 8D", PACK, 2, [("7H 8D", 52)], "KS QS JS", 0, False),
        ("7H 8D", PACK, 4, [("7H 8D", 52), ("KS QS", 0)], "JS 10S", 0, False),
        ("7H 8D", PACK + CARDS, 4, [("7H 8D", 52), ("KS QS", 0)], "JS 10S", 52, False),
    ],
)
def test_draws(
    cards: str,
    reserve: tuple[()],
    count: int,
    portions: list[tuple[str, int]],
    left: str,
    unopened: int,
    exhausted: bool,
) -> None:
    stock = Stock(parse_cards(cards), reserve)
    assert list(stock.draw(count)) == [(parse_cards(text), opened) for text, opened in portions]
    assert stock.cards[: len(parse_cards(left))] == parse_cards(left)
    assert left or not stock.cards
    assert len(stock.reserve) == unopened
    assert stock.exhausted is exhausted


def test_a_draw_may_open_several_packs() -> None:
    stock = Stock(parse_cards("7H"), PACK + CARDS)
    assert [(len(cards), opened) for cards, opened in stock.draw(60)] == [(1, 52), (52, 52), (7, 0)]
    assert stock.cards == CARDS[7:]
    assert not stock.exhausted


def test_a_reserve_smaller_than_a_pack_is_the_last_one() -> None:
    stock = Stock((), parse_cards("7H 8D"))
    assert stock.open_reserve() == 2
    assert stock.cards == parse_cards("7H 8D")
    assert stock.open_reserve() == 0


def test_a_reserve_stays_closed_while_there_is_a_stock() -> None:
    stock = Stock(parse_cards("7H"), PACK)
    assert stock.open_reserve() == 0
    assert stock.reserve == PACK


def test_cards_put_under_lie_above_the_reserve() -> None:
    stock = Stock(parse_cards("7H"), PACK)
    stock.put_under(parse_cards("AC"))
    assert list(stock.draw(3)) == [(parse_cards("7H AC"), 52), (parse_cards("KS"), 0)]


def test_a_copy_is_independent() -> None:
    stock = Stock(parse_cards("7H 8D"), PACK)
    stock.turn()
    copied = stock.copy()
    list(copied.draw(60))
    assert copied.exhausted
    assert not stock.exhausted
    assert (stock.cards, stock.reserve) == (parse_cards("8D"), PACK)
