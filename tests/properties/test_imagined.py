"""An imagined round agrees with the view it was made from, and plays on."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import msgspec
import pytest
from hypothesis import given, settings

from eleusis_ai.cards import CARDS
from eleusis_ai.events import Drew, NoPlayJudged, ReserveOpened
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import DecisionKind
from eleusis_ai.profiles import PROFILES, Profile, ShownHand
from eleusis_ai.round import Round
from eleusis_ai.seeds import generator
from tests.properties.rounds import PLAYED, RULES, STEADY, Table, house_tables, rules_for, tables
from tests.properties.test_cards_stay import all_cards
from tests.properties.test_secrets import Places


def assert_agrees(round_: Round, seat: int, table: Table) -> Round:
    """Imagine ``round_`` as ``seat`` may, check all that must hold, and return what was imagined."""
    view = round_.view(seat)
    imagined = Round.imagine(view, table.rule, generator(f"{table.seed}/imagine/{seat}"))
    assert imagined.view(seat) == view
    assert imagined.public() == round_.public()
    assert len(imagined.stock) == len(round_.stock)
    assert len(imagined.reserve) == len(round_.reserve)
    cards = all_cards(imagined)
    assert cards == all_cards(round_) == Counter(dict.fromkeys(cards, cards.total() // 52))
    if round_.decision is not None:
        assert imagined.legal_moves() == round_.legal_moves() or round_.decision.seat != seat
        assert imagined.legal_moves().count >= 1
    return imagined


@STEADY
@given(tables() | house_tables())
def test_an_imagined_round_agrees_with_its_view(table: Table) -> None:
    round_ = table.broken_off()
    for seat in range(round_.seats):
        assert_agrees(round_, seat, table)


@STEADY
@given(tables() | house_tables())
def test_an_imagined_round_agrees_after_every_move(table: Table) -> None:
    round_ = table.deal()
    for index, _ in enumerate(table.steps(round_)):
        if index % 5 == 0:
            assert_agrees(round_, round_.turn, table)
            assert_agrees(round_, round_.dealer, table)


@STEADY
@given(tables() | house_tables())
def test_an_imagined_round_plays_on_to_a_legal_end(table: Table) -> None:
    round_ = table.broken_off()
    imagined = assert_agrees(round_, round_.turn, table)
    before = all_cards(imagined)
    for _ in table.steps(imagined):
        assert all_cards(imagined) == before
    assert imagined.end_reason is not None
    assert min(imagined.scores()[seat] for seat in imagined.scientists) >= 0
    assert round_.events == imagined.events[: len(round_.events)]


@settings(STEADY, max_examples=40)
@given(tables())
def test_any_rule_may_be_imagined_where_no_card_is_to_be_picked(table: Table) -> None:
    round_ = table.broken_off()
    if round_.decision is not None and round_.decision.kind is DecisionKind.PICK:
        round_.apply(round_.legal_moves().sample(table.rng))
    for rule in (RULES["rare"], RULES["colors"]):
        guess = Table(table.profile, rule, table.seed, table.wisdom)
        imagined = Round.imagine(round_.view(round_.turn), guess.rule, table.rng)
        assert imagined.view(round_.turn) == round_.view(round_.turn)
        for _ in guess.steps(imagined):
            pass
        assert imagined.over


@pytest.mark.parametrize("profile", PLAYED, ids=str)
def test_other_hands_and_the_stock_are_drawn_by_lot(profile: Profile) -> None:
    table = Table(profile, rules_for(profile)[0], 1, 0.5)
    round_ = table.deal()
    seat = round_.turn
    other = next(seat for seat in round_.scientists if seat != round_.turn)
    rng = table.rng
    imagined = [Round.imagine(round_.view(seat), table.rule, rng) for _ in range(60)]
    held = Counter(chain.from_iterable(one.hands[other] for one in imagined))
    assert len({one.hands[other] for one in imagined}) == 60
    hidden = [(*one.stock, *one.aside) for one in imagined]
    assert len(set(hidden)) == (60 if len(hidden[0]) > 4 else 1 if not hidden[0] else len(set(hidden)))
    unseen = set(chain(*(round_.hands[each] for each in range(round_.seats) if each != seat), round_.stock))
    assert len(held) >= min(50, len(unseen))
    assert max(held.values()) < 60


@pytest.mark.parametrize("profile", [each for each in PROFILES.values() if each.no_play], ids=str)
def test_cards_that_went_under_the_stock_in_sight_of_all_are_known(profile: Profile) -> None:
    """After a right no play the shown hand lies at the end of the stock, in its order, whatever is imagined."""
    table = Table(profile, RULES["dead end"], 3, 1.0)
    round_ = table.deal()
    for _, events in table.steps(round_):
        shown = [event.hand for event in events if isinstance(event, NoPlayJudged) and event.right]
        if not shown:
            continue
        under = round_.stock[-len(shown[0]) :] == shown[0]
        assert under == (profile.shown_hand is ShownHand.UNDER_STOCK)
        for seat in range(round_.seats):
            imagined = Round.imagine(round_.view(seat), table.rule, table.rng)
            assert (imagined.stock[-len(shown[0]) :] == shown[0]) == under
        return
    pytest.fail("nobody declared a right no play")


def test_known_cards_are_followed_through_the_stock_into_hands() -> None:
    """Cards that everybody saw go under the stock are imagined where they are, for as long as that is known."""
    thin = msgspec.structs.replace(PROFILES["howell"], name="thin", packs=2, min_seats=8)
    in_stock = in_hands = 0
    for seed in range(4):
        table = Table(thin, RULES["rare"], seed, 1.0)
        round_ = table.deal()
        places = Places(round_)
        turned_unseen = set(places.seen)
        rng = table.rng
        while not round_.over:
            turn, events = round_.turn, round_.apply(table.answer(round_, rng))
            places.follow(turn, events)
            if round_.over:
                break
            open_places = places.seen - turned_unseen
            imagined = Round.imagine(round_.view(round_.turn), table.rule, rng)
            for index, place in enumerate(places.stock):
                if place in open_places:
                    assert imagined.stock[index] == places.deck[place]
                    in_stock += 1
            for event in events:
                if isinstance(event, Drew):
                    drawn = places.hands[event.seat][-event.count :]
                    known = Counter(places.deck[place] for place in drawn if place in open_places)
                    assert known <= Counter(imagined.hands[event.seat])
                    in_hands += known.total()
    assert in_stock > 100
    assert in_hands > 20


def test_unopened_packs_are_whole() -> None:
    table = Table(PROFILES["no-prophet"], RULES["rare"], 4, 0.0)
    round_ = table.played()
    assert any(isinstance(event, ReserveOpened) for event in round_.events)
    for before in (round_, table.deal()):
        imagined = Round.imagine(before.view(before.turn), table.rule, table.rng)
        packs = [imagined.reserve[at : at + 52] for at in range(0, len(imagined.reserve), 52)]
        assert packs
        assert all(sorted(pack) == list(CARDS) for pack in packs)


def test_a_round_that_is_over_stays_over() -> None:
    table = Table(PROFILES["howell"], RULES["colors"], 1, 0.5)
    round_ = table.played()
    imagined = Round.imagine(round_.view(round_.turn), table.rule, table.rng)
    assert imagined.over
    assert imagined.scores() == round_.scores()
    with pytest.raises(IllegalMove, match="the round is over"):
        imagined.legal_moves()
