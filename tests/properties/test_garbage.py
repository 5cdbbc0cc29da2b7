"""Whatever is typed or sent, it is read, or refused by the error of its kind, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from eleusis_ai.cards import Card, InvalidCard, cards_text, parse_cards
from eleusis_ai.events import InvalidEvent, parse_event
from eleusis_ai.layout import InvalidLayout, Layout, Marker
from eleusis_ai.moves import InvalidMove, parse_move
from eleusis_ai.profiles import PROFILES, InvalidProfile, Profile, profile_from, profile_overrides
from eleusis_ai.record import InvalidRecord, Record
from tests.properties.rounds import RULES, STEADY, Table
from tests.test_events import TEXTS

ROUND = Table(PROFILES["abbott"], RULES["colors"], 1, 0.5).played()
VALID = [
    *("7H", "10S", "7H 9D", "7h,9d", "12", "12.1", "", "no play", "wrong after 2", "wrong 7H", "pick 10S"),
    *(text for text, _ in TEXTS),
    str(ROUND.layout),
    str(ROUND.record()),
]


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Draw a text: any, or a valid one with something put in, left out or exchanged."""
    if draw(st.booleans()):
        return draw(st.text(max_size=20))
    text = draw(st.sampled_from(VALID))
    at = draw(st.integers(0, len(text)))
    until = draw(st.integers(at, min(len(text), at + 3)))
    put = draw(
        st.text(max_size=2) | st.sampled_from(["(", ")", "[", "]", ",", " ", "  ", "\n", "9" * 5000, "²", "٣"])
    )
    return text[:at] + put + text[until:]


def write(value: object) -> str:
    return str(value)


READERS: list[tuple[Callable[[str], object], type[ValueError], Callable[..., str]]] = [
    (Card.parse, InvalidCard, write),
    (parse_cards, InvalidCard, cards_text),
    (Layout.parse, InvalidLayout, write),
    (Marker.parse, InvalidLayout, write),
    (parse_move, InvalidMove, write),
    (parse_event, InvalidEvent, write),
    (Record.parse, InvalidRecord, write),
]


@STEADY
@given(texts())
@example("9" * 5000)
@example(f"seat {'9' * 5000} plays 7H")
@example(f"wrong after {'9' * 5000}")
@example("seat 1 draws 0: ")
@example('{"profile":' + '{"a":' * 100_000)
def test_a_text_is_read_or_refused(text: str) -> None:
    for read, refusal, text_of in READERS:
        try:
            value = read(text)
        except refusal:
            continue
        assert read(text_of(value)) == value


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.floats() | st.text(max_size=5) | st.sampled_from(["none"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["marker", "mainline_from", "others_left", "x"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@STEADY
@given(st.dictionaries(st.sampled_from(["base", *Profile.__struct_fields__]), values, max_size=3))
@example({"base": ["howell"]})
@example({"base": None})
@example({"prophet": {"marker": {}}})
@example({"best_seats": [9]})
def test_overrides_make_a_profile_or_are_refused(overrides: dict[str, object]) -> None:
    try:
        profile = profile_from(overrides)
    except InvalidProfile:
        return
    assert profile_from(profile_overrides(profile)) == profile


@STEADY
@given(texts(), st.sampled_from(sorted(set(Record.__struct_fields__) - {"moves", "scores"})))
def test_a_record_with_a_part_exchanged_is_replayed_or_refused(text: str, field: str) -> None:
    record = ROUND.record()
    parts = msgspec.to_builtins(record)
    parts[field] = text
    try:
        record = Record.parse(msgspec.json.encode(parts))
        round_ = record.replay()
    except InvalidRecord:
        return
    assert round_.scores() == record.scores


@pytest.mark.parametrize("text", VALID)
def test_what_is_exchanged_is_valid_for_somebody(text: str) -> None:
    def reads(read: Callable[[str], object]) -> bool:
        try:
            read(text)
        except ValueError:
            return False
        return True

    assert any(reads(read) for read, _, _ in READERS)
