"""No card is lost or doubled."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings

from eleusis_ai.cards import Card
from eleusis_ai.moves import Attempt
from eleusis_ai.profiles import PROFILES
from eleusis_ai.round import Round
from tests.properties.rounds import RULES, STEADY, Table, house_tables, out_of_play, tables


def all_cards(round_: Round) -> Counter[Card]:
    """Count the cards wherever they lie."""
    layout, attempt = round_.layout, round_.public().attempt
    pending = attempt.cards if isinstance(attempt, Attempt) and round_.stage == 1 else ()
    shown = chain.from_iterable(chain.from_iterable(layout.shown))
    on_table = chain(layout.mainline, layout.rejected, shown, pending, out_of_play(round_))
    return Counter(chain(*round_.hands, *round_.mistakes, round_.stock, round_.reserve, on_table))


def assert_cards_stay(table: Table) -> None:
    round_ = table.deal()
    profile = round_.profile
    deck = all_cards(round_)
    assert deck == Counter(dict.fromkeys(deck, profile.packs + profile.reserve_packs))
    assert len(deck) == 52
    for _ in table.steps(round_):
        assert all_cards(round_) == deck
        assert round_.public().hand_sizes == tuple(map(len, round_.hands))
        assert round_.public().stock_size == len(round_.stock)
        assert not round_.hands[round_.dealer]


@STEADY
@given(tables())
def test_no_card_is_lost_or_doubled(table: Table) -> None:
    assert_cards_stay(table)


@STEADY
@given(house_tables())
def test_no_card_is_lost_or_doubled_in_any_profile(table: Table) -> None:
    assert_cards_stay(table)


@pytest.mark.long
@settings(STEADY, max_examples=3000)
@given(house_tables())
def test_thousands_of_profiles_lose_no_card_and_end(table: Table) -> None:
    assert_cards_stay(table)


def test_the_ways_of_a_card_are_all_gone() -> None:
    """The property would say little if no hand were shown and no reserve opened in these rounds."""
    above = Table(PROFILES["abbott"], RULES["dead end"], 2, 1.0).played()
    assert any(above.layout.shown)
    out = Table(PROFILES["late-prophet"], RULES["dead end"], 2, 1.0).played()
    assert out_of_play(out)
