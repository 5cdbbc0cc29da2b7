"""A round of which one hand is known is seen by that seat as the true round is."""

from __future__ import annotations

import copy
import pickle

import msgspec
import pytest
from hypothesis import assume, given

from eleusis_ai.cards import UNKNOWN, cards_text, parse_cards
from eleusis_ai.events import (
    IN_WORDS,
    Drew,
    EndReason,
    NoPlayDeclared,
    RuleShown,
    StarterLaid,
)
from eleusis_ai.evidence import SomeIllegal, SomeLegal, Verdict, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import Attempt, Decision, DecisionKind, parse_move
from eleusis_ai.profiles import ABBOTT, EXPRESS_2006, HOWELL, LATE_PROPHET, Profile, load_profile
from eleusis_ai.seats.unseen import UnseenRound
from eleusis_ai.view import View
from tests.properties.rounds import STEADY, Table, house_tables, tables, true_call
from tests.properties.test_by_hand import by_word

HAND = "2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC AD"


def unseen(profile: Profile = HOWELL, hand: str = HAND, **options: object) -> UnseenRound:
    """Begin a round of four, seat 0 dealing, seat 1 beginning, and seat 2's hand known."""
    given = {"seats": 4, "dealer": 0, "seat": 2, "starters": parse_cards("AS"), "first": 1} | options
    round_ = UnseenRound.begin(profile, **given)  # type: ignore[arg-type]
    round_.receive(parse_cards(hand))
    return round_


def after(round_: UnseenRound, *moves: str, shown: str = "") -> UnseenRound:
    """Make moves; ``shown`` is the hand for those that are no play, with ``?`` for what nobody saw."""
    hand = known(shown)
    for move in moves:
        round_.apply(Attempt(known(move)) if "?" in move else parse_move(move), shown=hand)
    return round_


def known(text: str) -> Cards:
    return tuple(UNKNOWN if word == "?" else parse_cards(word)[0] for word in text.split())


def by_hand(view: View) -> View:
    """Return what is seen where the dealer judges by hand."""
    public = msgspec.structs.replace(view.public, by_hand=True, events=tuple(map(by_word, view.events)))
    return msgspec.structs.replace(view, public=public)


def follow(table: Table, seat: int) -> None:
    """Play a round of ``table``, and let a round unseen but by ``seat`` follow it by what is seen there."""
    true = table.deal()
    starters = [event for event in true.events if isinstance(event, StarterLaid)]
    other = UnseenRound.begin(
        true.profile, seats=true.seats, dealer=true.dealer, seat=seat, hint=true.hint, first=true.turn,
        starters=tuple(event.card for event in starters),
    )  # fmt: skip
    assume(
        starters == [event for event in other.events if isinstance(event, StarterLaid)]
    )  # no fit card in the stock
    other.receive(true.hands[seat])
    assert by_hand(true.view(seat)) == other.view(seat)
    for move, events in table.steps(true):
        seen = [event.seen_by(seat) for event in events]
        shown: Cards = next((event.hand for event in seen if isinstance(event, NoPlayDeclared)), ())
        happened = [*other.apply(move, shown)]
        while other.decision == Decision(DecisionKind.CALL, other.dealer):
            happened += other.apply(true_call(other, table.rule))
        for event in seen:
            if isinstance(event, Drew) and event.seat == seat and other.owed:
                other.receive(event.cards or ())
        told = [by_word(event).seen_by(None) for event in events if not isinstance(event, RuleShown)]
        assert [event.seen_by(None) for event in happened] == told
        if seat not in true.expelled and not true.over:
            assert other.view(seat) == by_hand(true.view(seat))
            assert other.owed == 0
            if true.decision == Decision(DecisionKind.PLAY, seat):
                assert other.view(seat).legal_moves() == true.view(seat).legal_moves()
    assert other.scores() == true.scores()
    assert other.end_reason == true.end_reason


@STEADY
@given(tables() | house_tables())
def test_seen_by_its_seat_as_the_true_round(table: Table) -> None:
    round_ = table.deal()
    follow(table, round_.scientists[table.seed % len(round_.scientists)])


def test_a_card_that_is_not_known_is_a_card_with_one_face() -> None:
    assert (str(UNKNOWN), UNKNOWN.symbol, cards_text((UNKNOWN,))) == ("?", "?", "?")
    assert copy.deepcopy(UNKNOWN) is UNKNOWN
    assert pickle.loads(pickle.dumps(UNKNOWN)) is UNKNOWN
    with pytest.raises(ValueError, match="is not a card"):
        parse_cards("?")


def test_what_is_not_known_says_nothing_of_the_rule() -> None:
    round_ = unseen()
    for cards in ("?", "9D ?"):
        assert [*evidence(after(unseen(), cards, "wrong").view(2))][1:] == []
    after(round_, "no play", "right", shown="9D ? " + "? " * 12)
    said = [*evidence(round_.view(2))][1:]
    assert said == [Verdict(parse_cards("AS"), parse_cards("9D")[0], legal=False)]
    assert round_.view(2).public.hand_sizes[1] == 10


def test_a_wrong_no_play_of_which_only_the_legal_card_was_noticed() -> None:
    round_ = after(unseen(), "no play", "wrong", "pick 7H", shown="? " * 14)
    assert not any(isinstance(item, SomeLegal) for item in evidence(round_.view(2)))
    assert [*evidence(round_.view(2))][1:] == [Verdict(parse_cards("AS"), parse_cards("7H")[0], legal=True)]
    assert str(round_.layout) == "AS 7H"
    assert round_.view(2).public.hand_sizes[1] == 14 - 1 + 5


def test_card_by_card_what_comes_after_the_first_wrong_one_need_not_be_known() -> None:
    round_ = after(unseen(LATE_PROPHET), "3D ? ?", "wrong after 1")
    assert str(round_.layout) == "AS 3D(? ?)"
    assert [*evidence(round_.view(2))] == [Verdict(parse_cards("AS"), parse_cards("3D")[0], legal=True)]
    with pytest.raises(IllegalMove, match="must be known"):
        after(unseen(LATE_PROPHET), "3D ? ?", "wrong after 2")


def test_a_string_that_is_known_says_that_some_card_was_wrong() -> None:
    assert any(isinstance(item, SomeIllegal) for item in evidence(after(unseen(), "9D 9H", "wrong").view(2)))


@pytest.mark.parametrize(
    ("moves", "shown", "reason"),
    [
        (["?", "right"], "", "must be known"),
        (["no play"], "9D 8D", "shows 2 cards, and holds 14"),
        (["no play", "wrong", "pick 7H"], "9D " * 14, "7H is not an answer here"),
        (["9D", "wrong 9D"], "", "not an answer here"),
        (["AD " * 15], "", "plays 15 cards, and holds 14"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(moves: list[str], shown: str, reason: str) -> None:
    *before, last = moves
    round_ = after(unseen(), *before, shown=shown)
    was, hands = round_.view(2), round_.hands
    with pytest.raises(IllegalMove, match=reason):
        after(round_, last, shown=shown)
    assert (round_.view(2), round_.hands) == (was, hands)


def test_own_cards_are_told_before_play_goes_on() -> None:
    round_ = after(unseen(first=2), "2C", "wrong")
    assert round_.owed == 2
    with pytest.raises(IllegalMove, match="seat 2 is owed 2 cards"):
        after(round_, "pass")
    with pytest.raises(IllegalMove, match="1 to 2 are owed"):
        round_.receive(parse_cards("2D 3D 4D"))
    round_.receive(parse_cards("2D"))
    round_.receive(parse_cards("3D"))
    assert round_.hands[2] == parse_cards(HAND)[1:] + parse_cards("2D 3D")
    after(round_, "pass")


def test_what_others_showed_is_not_taken_for_what_they_hold_later() -> None:
    """At a real table nobody checks in which order cards lie under the stock, or stay in a hand."""
    round_ = after(unseen(), "no play", "right", shown="9D " * 14)
    assert set(round_.hands[1]) == {UNKNOWN}
    assert set(round_.stock) == {UNKNOWN}


def test_a_rule_stated_in_words_is_heard() -> None:
    round_ = after(unseen(EXPRESS_2006, " ".join(HAND.split()[:12])), "9D", "right")
    round_.hear(right=False)
    assert round_.view(2).public.statements[0].rule == IN_WORDS
    assert len([*evidence(round_.view(2))]) == 1
    assert round_.turn == 2
    with pytest.raises(IllegalMove, match="no rule may be stated now"):
        round_.hear(right=True)
    after(round_, "2C", "right")
    round_.hear(right=True)
    assert round_.end_reason is EndReason.STATED
    assert round_.scores()[2] == 12 - 11 + 6
    round_ = after(unseen(load_profile("cooperative")), "9D", "wrong")
    round_.hear(right=False)
    assert round_.turns_left == 38


def test_the_table_knows_best_how_many_cards_there_are() -> None:
    round_ = unseen()
    round_.recount(3, 9)
    round_.restock(1)
    public = round_.view(2).public
    assert (public.hand_sizes[3], public.stock_size) == (9, 1)
    after(round_, "9D", "wrong")
    assert round_.end_reason is EndReason.STOCK
    for over, seat in ((round_, 3), (unseen(), 2)):
        with pytest.raises(IllegalMove, match=f"seat {seat} cannot be given 4 cards"):
            over.recount(seat, 4)
    with pytest.raises(IllegalMove, match="cannot be in the stock"):
        round_.restock(4)


def test_a_round_whose_deck_nobody_knows_has_no_record() -> None:
    with pytest.raises(ValueError, match="has no record"):
        unseen().record()


def test_lots_are_drawn_at_the_table() -> None:
    with pytest.raises(ValueError, match="draws lots"):
        unseen(ABBOTT, seats=5, first=None)
