"""Every value has a text, and the text reads back."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from eleusis_ai.cards import CARDS, Card, cards_of, cards_text, mask_of, parse_cards
from eleusis_ai.events import parse_event
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.moves import Attempt, BecomeProphet, Call, Move, NoPlay, Pass, Pick, StateRule, parse_move
from eleusis_ai.profiles import PROFILES, InvalidProfile, Profile, Scoring, profile_from, profile_overrides
from eleusis_ai.record import Record
from tests.properties.rounds import RULES, STEADY, Table, house_profiles, house_tables, tables

one_card = st.sampled_from(CARDS)
some_cards = st.lists(one_card, min_size=1, max_size=5).map(tuple)
piles = st.lists(some_cards, max_size=3).map(tuple)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    columns = draw(st.lists(st.tuples(one_card, piles, piles), max_size=6))
    return Layout(
        tuple(card for card, _, _ in columns),
        tuple(below for _, below, _ in columns),
        tuple(above for _, _, above in columns),
    )


moves: st.SearchStrategy[Move] = st.one_of(
    some_cards.map(Attempt),
    st.sampled_from([NoPlay(), BecomeProphet(), Pass(), Call(right=True), Call(right=False)]),
    one_card.map(lambda card: Call(right=False, card=card)),
    st.integers(0, 10**9 - 1).map(lambda prefix: Call(right=False, prefix=prefix)),
    one_card.map(Pick),
    st.sampled_from(list(RULES.values())).map(StateRule),
)


@STEADY
@given(st.lists(one_card).map(tuple))
def test_cards(cards: Cards) -> None:
    assert parse_cards(cards_text(cards)) == cards
    assert parse_cards(", ".join(card.symbol for card in cards)) == cards
    assert all(Card.parse(str(card)) is card for card in cards)
    assert cards_of(mask_of(cards)) == tuple(sorted(set(cards)))


@STEADY
@given(layouts())
def test_layouts(layout: Layout) -> None:
    assert Layout.parse(str(layout)) == layout


@STEADY
@given(st.builds(Marker, st.integers(0, 500), st.none() | st.integers(0, 50)))
def test_markers(marker: Marker) -> None:
    assert Marker.parse(str(marker)) == marker


@STEADY
@given(moves)
def test_moves(move: Move) -> None:
    read = parse_move(str(move))
    assert read == move
    assert type(read) is type(move)


@STEADY
@given(tables() | house_tables())
def test_all_that_happens_and_all_that_is_done(table: Table) -> None:
    round_ = table.deal()
    for move, events in table.steps(round_):
        assert parse_move(str(move)) == move
        for event in events:
            for seen in (event, event.seen_by(None), event.seen_by(round_.turn)):
                assert parse_event(str(seen)) == seen
                assert type(parse_event(str(seen))) is type(seen)
    assert [parse_event(str(event)) for event in round_.events] == list(round_.events)
    assert Layout.parse(str(round_.layout)) == round_.layout


@STEADY
@given(tables() | house_tables())
def test_records(table: Table) -> None:
    record = table.broken_off().record()
    line = str(record)
    assert "\n" not in line
    assert Record.parse(line) == record
    assert Record.parse(line.encode()) == record


@STEADY
@given(house_profiles())
def test_profiles(profile: Profile) -> None:
    assert profile_from(profile_overrides(profile)) == profile


@STEADY
@given(st.sampled_from(list(PROFILES.values())), house_profiles(), st.data())
def test_profiles_that_differ_a_little_from_a_published_one(
    base: Profile, other: Profile, data: st.DataObject
) -> None:
    fields = data.draw(st.sets(st.sampled_from(sorted(set(base.__struct_fields__) - {"name", "source"})), max_size=3))
    seating = {"min_seats", "max_seats", "packs", "hand_size"}  # cards must reach for all, so they go together
    changed = fields | (seating if fields & seating else set()) | {"name"}
    try:
        profile = msgspec.structs.replace(base, **{field: getattr(other, field) for field in changed})
    except InvalidProfile:
        assert other.mistake_cards or base.mistake_cards or Scoring.TEAM in (base.scoring, other.scoring)
        return
    assert profile_from(profile_overrides(profile)) == profile
    assert msgspec.json.decode(msgspec.json.encode(profile_overrides(profile))) == profile_overrides(profile)
