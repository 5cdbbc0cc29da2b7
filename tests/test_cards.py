from __future__ import annotations

import copy
import pickle

import pytest

from eleusis_ai.cards import (
    ALL_CARDS,
    CARDS,
    Card,
    Color,
    InvalidCard,
    Suit,
    cards_of,
    cards_text,
    lowest,
    mask_of,
    pack,
    parse_cards,
)


@pytest.mark.parametrize(
    ("text", "number", "rank", "suit", "color", "symbol"),
    [
        ("AC", 0, 1, Suit.C, Color.BLACK, "A♣"),
        ("KC", 12, 13, Suit.C, Color.BLACK, "K♣"),
        ("AD", 13, 1, Suit.D, Color.RED, "A♦"),
        ("10D", 22, 10, Suit.D, Color.RED, "10♦"),
        ("7H", 32, 7, Suit.H, Color.RED, "7♥"),
        ("JH", 36, 11, Suit.H, Color.RED, "J♥"),
        ("QS", 50, 12, Suit.S, Color.BLACK, "Q♠"),
        ("KS", 51, 13, Suit.S, Color.BLACK, "K♠"),
    ],
)
def test_a_card(text: str, number: int, rank: int, suit: Suit, color: Color, symbol: str) -> None:
    card = Card.parse(text)
    assert int(card) == number
    assert (card.rank, card.suit, card.color, card.symbol) == (rank, suit, color, symbol)
    assert card.is_red == (color is Color.RED)
    assert card.bit == 2**number
    assert str(card) == text
    assert f"{card:>4}" == text.rjust(4)
    assert eval(repr(card)) is card
    assert Card(number) is card
    assert card.suit.symbol == symbol[-1]


@pytest.mark.parametrize("text", ["7h", " 7H ", "7♥", "7H\n"])
def test_other_spellings_of_a_card(text: str) -> None:
    assert Card.parse(text) is Card(32)


@pytest.mark.parametrize("text", ["", "7", "H", "1H", "11H", "H7", "7X", "7 H", "07H", "77H", "7HH"])
def test_no_card(text: str) -> None:
    with pytest.raises(InvalidCard) as error:
        Card.parse(text)
    message = str(error.value)
    assert repr(text) in message
    assert "a rank of A 2 3 4 5 6 7 8 9 10 J Q K, then a suit of C D H S" in message
    assert "'7H'" in message


@pytest.mark.parametrize("number", [-1, 52, 1000])
def test_no_number_of_a_card(number: int) -> None:
    with pytest.raises(InvalidCard, match=rf"{number} is not the number of a card; cards are 0 \(AC\) to 51 \(KS\)"):
        Card(number)


def test_all_cards() -> None:
    assert [int(card) for card in CARDS] == list(range(52))
    assert len({str(card) for card in CARDS}) == 52
    assert all(Card.parse(str(card)) is card and Card.parse(card.symbol) is card for card in CARDS)
    assert all(int(card) == card.suit * 13 + card.rank - 1 for card in CARDS)


def test_one_object_a_card_even_after_a_copy() -> None:
    for card in CARDS:
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card


def test_a_pack_is_a_new_list() -> None:
    first = pack()
    first.pop()
    assert pack() == list(CARDS)


def test_suits_and_colors() -> None:
    assert [str(suit) for suit in Suit] == ["C", "D", "H", "S"]
    assert [str(suit.color) for suit in Suit] == ["black", "red", "red", "black"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("  ", ""),
        ("7H", "7H"),
        ("7H 9D", "7H 9D"),
        ("7h,9d", "7H 9D"),
        (" 10S ,  7H\n7H ", "10S 7H 7H"),
    ],
)
def test_several_cards(text: str, written: str) -> None:
    cards = parse_cards(text)
    assert cards_text(cards) == written
    assert parse_cards(written) == cards


def test_several_cards_one_of_which_is_none() -> None:
    with pytest.raises(InvalidCard, match="'1D' is not a card"):
        parse_cards("7H 1D")


@pytest.mark.parametrize(
    ("text", "mask"),
    [("", 0), ("AC", 1), ("7H", 1 << 32), ("7H AC 7H", 1 << 32 | 1), ("KS", 1 << 51)],
)
def test_masks(text: str, mask: int) -> None:
    assert mask_of(parse_cards(text)) == mask
    assert cards_of(mask) == tuple(sorted(set(parse_cards(text))))
    assert not mask or lowest(mask) == min(parse_cards(text))


def test_the_mask_of_a_pack() -> None:
    assert mask_of(CARDS) == ALL_CARDS
    assert cards_of(ALL_CARDS) == CARDS
