"""What a rule remembers: lines with equal states have equal verdicts."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.rules.extent import Endless, Extent, extent
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.memory import Memory, State
from eleusis_ai.rules.terms import Stretch
from tests.rules.rule_texts import rule_texts


def check_states(rule: Rule, memory: Memory) -> None:
    """Lay random lines of few different cards, legal or not, and compare the verdicts of equal states."""
    rng, known = Random(str(rule)), dict[State, int]()
    for _ in range(25):
        few = rng.sample(CARDS, rng.choice((1, 2, 3, 6)))
        line: tuple[Card, ...] = ()
        state = memory.start
        for _ in range(14):
            card = rng.choice(few)
            line, state = (*line, card), memory.after(state, card)
            mask = rule.mask(line)
            assert known.setdefault(state, mask) == mask, (line, state)


def check_text(text: str) -> None:
    try:
        rule = Rule.parse(text)
        memory = Memory(rule.term)
    except (InvalidRule, Endless):
        return
    check_states(rule, memory)


@settings(max_examples=80, deadline=None)
@given(rule_texts())
def test_equal_states_have_equal_verdicts(text: str) -> None:
    check_text(text)


@pytest.mark.long
@settings(max_examples=4_000, deadline=None)
@given(rule_texts())
def test_equal_states_have_equal_verdicts_in_many_rules(text: str) -> None:
    check_text(text)


@pytest.mark.parametrize("start", [None, 0, 1, 3, -1, -2, -4])
@pytest.mark.parametrize("stop", [None, 0, 1, 3, -1, -2, -4])
@pytest.mark.parametrize("step", [None, 1, 2, 3, -1])
def test_extents_hold_what_slices_hold(start: int | None, stop: int | None, step: int | None) -> None:
    place = extent(Stretch("mainline", start, stop, step))
    for length in range(40):
        held = set(range(length)[start:stop:step])
        if place.is_whole:
            assert held == set(range(length - place.delay)[place.skip :: place.step])
        elif place.mixes_ends:
            assert length < place.prefix or not held
        else:
            assert held <= set(range(place.prefix)) | set(range(max(0, length - place.window), length))


@pytest.mark.parametrize(
    ("text", "states"),
    [
        ("card.is_red", 2),
        ("True", 1),
        ("card.color != last.color", 3),
        ("card.rank > last.rank", 14),
        ("position < 7", 8),
        ("card.rank % 2 == position % 2 or last.is_red", 4),
        ("all(x.rank != card.rank for x in mainline)", 2**13),
        ("(count(x.is_red for x in mainline) + card.rank) % 5 == 0", 6),
    ],
)
def test_machines_are_least(text: str, states: int) -> None:
    machine = Rule.parse(text).machine
    assert machine is not None
    assert len(machine.masks) == states


def test_every_card_may_start_and_only_legal_ones_follow() -> None:
    machine = Rule.parse("card.is_red").machine
    assert machine is not None
    assert (machine.moves[0] >= 0).all()
    assert [card for card in CARDS if machine.moves[1][card] >= 0] == list(CARDS[13:39])
    assert machine.walk((CARDS[0], CARDS[13])) == 1
    assert machine.walk((CARDS[0], CARDS[0])) is None


def test_extent_of_what_is_taken_from_the_end() -> None:
    assert extent(Stretch("mainline", -3)) == Extent(window=3)
    with pytest.raises(Endless, match="every 2th card from the end"):
        extent(Stretch("mainline", None, None, -2))
