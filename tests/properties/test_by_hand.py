"""A dealer who judges by hand, by a rule on paper, makes the same round as the rule does."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given

from eleusis_ai.events import Event, RuleShown, StatementJudged
from eleusis_ai.moves import Call, Decision, DecisionKind, Move
from eleusis_ai.profiles import PROFILES, Profile, StarterTerms
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from tests.properties.rounds import RULES, STEADY, Table, house_tables, on_paper, tables, true_call


def judged(by_hand: Round, table: Table) -> list[Event]:
    """Let the dealer say the truth wherever he is asked for it, and return what happened."""
    events: list[Event] = []
    while by_hand.decision == Decision(DecisionKind.CALL, by_hand.dealer):
        events += by_hand.apply(true_call(by_hand, table.rule))
    return events


def by_word(event: Event) -> Event:
    """Return what is told where the dealer judges by hand: he proves nothing."""
    return msgspec.structs.replace(event, proved=False) if isinstance(event, StatementJudged) else event


def assert_same_by_hand(table: Table) -> None:
    round_ = table.deal()
    by_hand = on_paper(round_)
    assert by_hand.events == round_.events
    for move, events in table.steps(round_):
        happened = [*by_hand.apply(move), *judged(by_hand, table)]
        assert happened == [by_word(event) for event in events if not isinstance(event, RuleShown)]
        assert by_hand.decision == round_.decision
        assert (by_hand.hands, by_hand.stock, by_hand.layout) == (round_.hands, round_.stock, round_.layout)
    assert any(isinstance(move, Call) for move in by_hand.moves)
    assert by_hand.scores() == round_.scores()
    assert by_hand.end_reason == round_.end_reason
    assert all(by_hand.view(seat).public.by_hand for seat in range(by_hand.seats))
    assert Record.parse(str(by_hand.record())).replay().events == by_hand.events


@STEADY
@given(tables() | house_tables())
def test_by_hand_as_by_rule(table: Table) -> None:
    assert_same_by_hand(table)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=str)
def test_a_dealer_may_say_what_he_likes(profile: Profile) -> None:
    """His calls are the truth: rounds of calls drawn by lot end well, and replay."""
    for seed in range(30):
        table = Table(profile, RULES["colors"], seed, 0.0)
        round_ = on_paper(table.deal())
        rng = table.rng
        while not round_.over:
            move: Move = round_.legal_moves().sample(rng)
            round_.apply(move)
        assert min(round_.scores()) >= 0
        assert Record.parse(str(round_.record())).replay().events == round_.events


def test_starters_found_legal_by_hand() -> None:
    """The starters of a dealer by hand are legal by definition, save where the top card is laid as it was turned."""
    for profile in PROFILES.values():
        table = Table(profile, RULES["colors"], 3, 0.0)
        first = [str(event) for event in on_paper(table.deal()).events if str(event).startswith("starter")]
        assert [text.endswith("found legal") for text in first] == [profile.starter is StarterTerms.FIT]
