"""What a view says about the rule is true of the rule, is the same for all, and only grows at its end."""

from __future__ import annotations

from hypothesis import given

from eleusis_ai.events import AttemptJudged, StarterLaid
from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import Judging
from eleusis_ai.round import Round
from eleusis_ai.rules.equivalence import equivalent
from eleusis_ai.rules.language import Rule
from tests.properties.rounds import STEADY, Table, house_tables, tables


def is_true(item: Evidence, rule: Rule, rejected: Cards) -> bool:
    match item:
        case Verdict(line, card, legal):
            return rule.allows(line, card, rejected) == legal
        case SomeIllegal(pairs):
            return not all(rule.allows(line, card, rejected) for line, card in pairs)
        case SomeLegal(line, hand):
            return any(rule.allows(line, card, rejected) for card in hand)
        case HintGiven(hint):
            return hint.holds(rule)
        case NotTheRule(stated, line):
            return not equivalent(rule, stated, line, rejected).same


@STEADY
@given(tables() | house_tables())
def test_evidence_is_true_and_only_grows(table: Table) -> None:
    round_ = table.deal()
    known = list(evidence(round_.view(round_.turn)))
    assert all(is_true(item, table.rule, ()) for item in known)
    rejected = round_.layout.rejected
    for _ in table.steps(round_):
        grown = list(evidence(round_.view(round_.turn)))
        assert grown[: len(known)] == known
        assert all(is_true(item, table.rule, rejected) for item in grown[len(known) :])
        known, rejected = grown, round_.layout.rejected
    assert all(list(evidence(round_.view(seat))) == known for seat in range(round_.seats))
    assert_nothing_is_left_out(round_, known)


def assert_nothing_is_left_out(round_: Round, known: list[Evidence]) -> None:
    """Check that each judged card of the table has its item: on the line, and at the head of each branch."""
    verdicts = [(item.mainline, item.card) for item in known if isinstance(item, Verdict) and item.legal]
    line = round_.layout.mainline
    unjudged = sum(isinstance(event, StarterLaid) and not event.found_legal for event in round_.events)
    assert all((line[:at], line[at]) in verdicts for at in range(unjudged, len(line)))
    refused = {(item.mainline, item.card) for item in known if isinstance(item, Verdict) and not item.legal}
    strings = {item.pairs for item in known if isinstance(item, SomeIllegal)}
    for at, attempts in enumerate(round_.layout.sidelines):
        below = line[: at + 1]
        for cards in attempts:
            if len(cards) == 1 or round_.profile.judging is Judging.CARD_BY_CARD:
                assert (below, cards[0]) in refused
            else:
                assert tuple((below + cards[:index], card) for index, card in enumerate(cards)) in strings
    wrong = [event for event in round_.events if isinstance(event, AttemptJudged) and not event.right]
    if round_.profile.mistake_cards:
        assert {card for event in wrong for card in event.cards} <= {card for _, card in refused}
    else:
        assert len(wrong) == sum(map(len, round_.layout.sidelines))
