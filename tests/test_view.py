from __future__ import annotations

import msgspec
import pytest

from eleusis_ai.cards import CARDS, Card, parse_cards
from eleusis_ai.events import Dealt, Drew
from eleusis_ai.layout import Marker
from eleusis_ai.moves import Decision, DecisionKind, parse_move
from eleusis_ai.profiles import HOWELL, LATE_PROPHET, Profile
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import Public, View

RED = Rule.parse("card.is_red")
HANDS = [parse_cards("2C 3C 7H 8H"), parse_cards("2D 3D 8S 9S"), parse_cards("4D 5D 10S JS")]

BY_HAND = ["2C", "wrong", "prophet"]
"""How seat 1 becomes prophet where the dealer judges by hand."""


def short(profile: Profile = HOWELL, rule: Rule | None = RED) -> Round:
    """Deal four players hands of four cards, red and black; the mainline begins with 7D."""
    profile = msgspec.structs.replace(profile, name="short", min_seats=4, hand_size=4, packs=1, reserve_packs=0)
    held = [card for hand in HANDS for card in hand]
    stock = [Card.parse("7D"), *(card for card in CARDS if card not in held and card != Card.parse("7D"))]
    return Round.deal(profile, rule, seats=4, dealer=0, deck=held + stock, first=1, starters=stock[:1])


def after(round_: Round, *moves: str) -> Round:
    for move in moves:
        round_.apply(parse_move(move))
    return round_


def test_what_a_seat_sees_at_the_beginning() -> None:
    round_ = short()
    view = round_.view(1)
    assert (view.seat, view.hand) == (1, HANDS[0])
    assert str(view.layout) == "7D"
    assert view.decision == Decision(DecisionKind.PLAY, 1)
    assert view.profile == round_.profile
    assert view.hint is None
    assert view.events == round_.events
    public = view.public
    assert (public.seats, public.dealer, public.scientists) == (4, 0, (1, 2, 3))
    assert public.hand_sizes == (0, 4, 4, 4)
    assert public.stock_size == 39
    assert (public.turn, public.danger, public.played, public.since_declaration) == (1, False, 1, None)
    assert (public.attempt, public.shown, public.call, public.end_reason, public.emptied) == (
        None,
        (),
        None,
        None,
        None,
    )
    assert not public.by_hand


def test_the_public_part_is_made_once_and_shared() -> None:
    round_ = short()
    before = round_.view(1).public
    assert before is round_.view(2).public
    round_.apply(parse_move("7H"))
    assert round_.view(1).public is not before
    assert round_.view(1).public is round_.view(3).public


def test_a_view_has_no_room_for_a_secret() -> None:
    fields = {*View.__struct_fields__, *Public.__struct_fields__}
    assert not fields & {"rule", "stock", "reserve", "hands", "deck", "moves", "rng"}
    events = after(short(), "2C", "pass", "2D", "pass").view(1).events
    assert all(event.cards is None for event in events if isinstance(event, Dealt | Drew))


def test_a_prophet_as_everyone_sees_him() -> None:
    round_ = after(short(), "2C", "prophet", "2D")
    public = round_.public()
    assert public.prophet == 1
    assert public.marker == Marker(0)
    assert public.played_at_declaration == public.played == 2
    assert public.attempt == parse_move("2D")
    assert public.decision == Decision(DecisionKind.CALL, 1)
    assert public.since_declaration == 0
    after(round_, "right", "10S", "wrong")
    public = round_.public()
    assert (public.accepted_since, public.rejected_since, public.since_declaration) == (1, 1, 2)
    after(round_, "3D", "wrong")
    public = round_.public()
    assert (public.prophet, public.marker, public.former_prophets) == (None, None, (1,))
    assert (public.accepted_since, public.rejected_since, public.since_declaration) == (0, 0, None)


def test_a_shown_hand_lies_open_until_it_is_judged() -> None:
    round_ = after(short(), "2C", "prophet", "no play")
    assert round_.public().shown == HANDS[1]
    assert round_.public().hand_sizes[2] == 4
    after(round_, "wrong 2D")
    assert round_.public().shown == ()


@pytest.mark.parametrize(
    ("profile", "rule", "moves", "seat", "legal"),
    [
        (HOWELL, RED, [], 1, None),
        (HOWELL, RED, ["2C"], 1, ["pass", "prophet"]),
        (HOWELL, RED, ["2C", "prophet", "2D"], 1, ["right", "wrong"]),
        (HOWELL, RED, ["2C", "prophet", "2D 8S"], 1, ["right", "wrong"]),
        (LATE_PROPHET, None, ["2C"], 0, ["right", "wrong"]),
        (LATE_PROPHET, None, ["2C 3C"], 0, ["right", "wrong after 0", "wrong after 1"]),
        (HOWELL, RED, ["2C", "prophet", "no play"], 1, ["right", "wrong 2D", "wrong 3D", "wrong 8S", "wrong 9S"]),
        # The dealer's view does not know the rule, so that it offers every card that was shown and not refused.
        (HOWELL, RED, ["no play"], 0, ["pick 2C", "pick 3C", "pick 7H", "pick 8H"]),
        (HOWELL, RED, ["2C", "prophet", "no play", "wrong 8S"], 0, ["pick 2D", "pick 3D", "pick 9S"]),
        (HOWELL, None, ["no play"], 0, ["right", "wrong"]),
        (HOWELL, None, ["no play", "wrong"], 0, ["pick 2C", "pick 3C", "pick 7H", "pick 8H"]),
        (HOWELL, None, [*BY_HAND, "no play", "right"], 0, ["right", "wrong"]),
        (HOWELL, None, [*BY_HAND, "no play", "wrong 8S"], 0, ["right", "wrong 8S", "wrong"]),
        (
            HOWELL,
            None,
            [*BY_HAND, "no play", "wrong 8S", "wrong"],
            0,
            ["pick 2D", "pick 3D", "pick 9S"],
        ),
    ],
)
def test_legal_moves_of_a_view(
    profile: Profile, rule: Rule | None, moves: list[str], seat: int, legal: list[str] | None
) -> None:
    view = after(short(profile, rule), *moves).view(seat)
    if legal is None:
        assert view.legal_moves().count == 4 + 12 + 24 + 24 + 1
    else:
        assert list(map(str, view.legal_moves())) == legal


def test_the_only_card_shown_cannot_be_refused_for_another() -> None:
    """With one card shown the dealer upholds the prophet who names it, or says that no play is right."""
    round_ = short(rule=None)
    after(
        round_, "2C", "wrong", "prophet", "2D 3D 8S", "right", "right", "4D", "right", "right", "no play", "wrong 9S"
    )
    assert list(map(str, round_.view(0).legal_moves())) == ["right", "wrong 9S"]


def test_nothing_to_decide() -> None:
    round_ = short()
    with pytest.raises(LookupError, match="seat 2 has nothing to decide now; it is seat 1: play"):
        round_.view(2).legal_moves()
    after(round_, "7H 8H", "pass", "2D 3D", "pass", "4D 5D", "pass", "no play")
    assert round_.over
    with pytest.raises(LookupError, match="seat 1 has nothing to decide now; it is over"):
        round_.view(1).legal_moves()
