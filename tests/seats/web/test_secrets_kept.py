"""Two matches that differ only in what a seat may not know send it the same frames, to the byte."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eleusis_ai.cards import Card
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.web.entries import MoveMade, RoundBegun, RuleGiven, StarterTurned
from eleusis_ai.seats.web.sitting import Sitting
from eleusis_ai.seeds import generator
from tests.properties.rounds import PLAYED, RULES, STEADY, Table, tables
from tests.properties.test_secrets import Places, rules_alike, unhinted
from tests.seats.web.sittings import deal, deck_of, gathered, moves, sitting_of, told

Deck = tuple[Card, ...]


def the_round(sitting: Sitting) -> Round:
    assert sitting.round is not None
    return sitting.round


def played(sitting: Sitting, table: Table, number: int) -> tuple[Deck, list[MoveMade], Round]:
    """Play the next round to its end; return its deck, its moves, and the round."""
    deck = deck_of(table.profile, f"{table.seed}/{number}")
    deal(sitting, table.rule, deck)
    made = []
    for move in moves(sitting, table):
        made.append(move)
        sitting.apply(move)
    return deck, made, the_round(sitting)


def exchanged(record: Record, deck: Deck, seat: int, until: int) -> Deck:
    """Return the deck with the cards exchanged that ``seat`` has not seen after so many moves."""
    round_ = record.deal()
    places = Places(round_)
    for move in record.replay().moves[:until]:
        places.follow(round_.turn, round_.apply(move))
    open_hand = places.hands[round_.turn] if round_.public().attempt is not None else []
    hidden = [place for place in places.hidden_from(seat) if place not in open_hand]
    other = list(deck)
    for place, source in zip(hidden, generator(f"{seat}/hidden").sample(hidden, len(hidden)), strict=True):
        other[place] = deck[source]
    return tuple(other)


@settings(STEADY, max_examples=20)
@given(tables(), st.booleans(), st.sampled_from([0.0, 0.3, 1.0]))
def test_hidden_cards_may_be_exchanged(table: Table, program: bool, share: float) -> None:
    """Hands, stock and reserve differ where a seat has not looked, in a whole round and in part of the next."""
    model = sitting_of(table, program=program)
    rounds = [played(model, table, number) for number in (1, 2)]
    seat = generator(f"{table.seed}/seat").randrange(model.setting.seats)
    one, other = (sitting_of(table, program=program) for _ in range(2))
    for (deck, made, round_), part in zip(rounds, (1.0, share), strict=True):
        until = int(part * len(made))
        changed = exchanged(round_.record(), deck, seat, until)
        assert changed != deck or part > 0
        deal(one, table.rule, deck)
        deal(other, table.rule, changed)
        for move in made[:until]:
            assert told(one, seat) == told(other, seat)
            one.apply(move)
            other.apply(move)
        assert told(one, seat) == told(other, seat)
        assert told(one, None) == told(other, None)


def others_alike(table: Table, named: str, *, program: bool, most: int = 2) -> int:
    """Play a round beside the same one with another rule that judged alike; return how many others there were."""
    model = sitting_of(table, named=named, program=program)
    deck, made, round_ = played(model, table, 1)
    rng = generator(f"{table.seed}/suspects")
    line = len(round_.layout.mainline)
    suspects = [(rng.randint(table.rule.starters, line + 1), rng.choice(deck)) for _ in range(20)]
    compared = 0
    for rule in islice(rules_alike(round_, table.rule, suspects), most):
        one, other = (sitting_of(table, named=named, program=program) for _ in range(2))
        deal(one, table.rule, deck)
        deal(other, rule, deck)
        for move in made:  # the last one ends the round, and then the rule is shown
            for seat in (None, *range(one.setting.seats)):
                if seat != one.dealer or program:
                    assert told(one, seat) == told(other, seat)
            one.apply(move)
            other.apply(move)
        assert told(one, None) != told(other, None)
        compared += 1
    return compared


@pytest.mark.parametrize("profile", PLAYED, ids=str)
@pytest.mark.parametrize("program", [True, False], ids=["program", "person"])
def test_a_rule_that_judged_alike_looks_alike(profile: Profile, program: bool) -> None:
    tables = [unhinted(Table(profile, rule, 7, 0.9)) for rule in (RULES["colors"], RULES["near"])]
    assert sum(others_alike(table, profile.name, program=program) for table in tables)


def test_the_dealer_who_gave_the_rule_alone_is_told_it() -> None:
    table = unhinted(Table(PLAYED[0], RULES["near"], 7, 0.9))
    sitting = sitting_of(table, named=PLAYED[0].name)
    deal(sitting, table.rule, deck_of(table.profile, 1))
    for seat in (None, *range(sitting.setting.seats)):
        assert (b"abs(card.rank" in told(sitting, seat)) == (seat == sitting.dealer)


def test_turned_starters_are_the_dealers_alone() -> None:
    """What lies under the card that was turned, and the card itself, make no difference to the others."""
    deck = deck_of(PLAYED[1], 1)
    one, other = gathered("howell", 5), gathered("howell", 5)
    for sitting, cards in ((one, deck), (other, deck[:56] + deck[:55:-1])):
        sitting.apply(RoundBegun(0, " ".join(map(str, cards))))
        sitting.apply(RuleGiven())
        sitting.apply(StarterTurned("wrong"))
        sitting.apply(StarterTurned("more"))
    assert one.starters is not None
    assert other.starters is not None
    assert one.starters.card != other.starters.card
    assert told(one, 0) != told(other, 0)
    for seat in (None, 1, 2, 3, 4):
        assert told(one, seat) == told(other, seat)


def test_nothing_of_a_log_is_told_that_opens_a_door() -> None:
    """Seed and tokens' marks are in no frame."""
    sitting = gathered("howell", 5)
    deal(sitting, Rule.parse("card.is_red"), deck_of(sitting.profile, 1))
    secrets = [sitting.seed, sitting.host, *(chair.person.token for chair in sitting.chairs if chair.person)]
    for seat in (None, *range(5)):
        assert not any(secret.encode() in told(sitting, seat) for secret in secrets if secret != "seed")
    assert b'"seed' not in told(sitting, None)
