"""A table for the rulebook's tests: named hands, a named stock, and play as a script of moves."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from eleusis_ai.cards import Card, cards_text, parse_cards
from eleusis_ai.dealing import shuffled_deck
from eleusis_ai.layout import Cards
from eleusis_ai.legal import IllegalMove
from eleusis_ai.moves import (
    Attempt,
    BecomeProphet,
    Call,
    DecisionKind,
    Move,
    NoPlay,
    Pass,
    Pick,
    StateRule,
    parse_move,
)
from eleusis_ai.profiles import PROFILES, HintTerms, Judging, Profile, load_profile
from eleusis_ai.registry import AgentSpec
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View

RED = "card.is_red"
ALTERNATE = "card.color != last.color"
FILLER = "KH"
"""What fills hands that a test does not name: right where the rule is ``RED``."""
SPARE = "KC " * 60
"""The stock where a test does not name one: wrong where the rule is ``RED``."""
MANY = "3S " * 6 + "KH " * 40
"""A hand of six wrong cards and forty right ones, where the rule is ``RED``."""
EVERY = ("abbott", "howell", "no-prophet", "late-prophet")
WITH_PROPHET = ("abbott", "howell", "late-prophet")
WHOLE = ("abbott", "howell", "no-prophet")
"""The profiles that judge a string whole, which are also those that expel without a prophet."""
RESERVED = ("abbott", "no-prophet")
"""The profiles with reserve packs."""
SPECS = [AgentSpec(f"player {seat}", "tests.rulebook.table:FirstCard") for seat in range(5)]
"""Five players of a match, who play card after card."""

_KINDS: dict[type[Move], DecisionKind] = {
    Attempt: DecisionKind.PLAY,
    NoPlay: DecisionKind.PLAY,
    BecomeProphet: DecisionKind.AFTER_TURN,
    Call: DecisionKind.CALL,
    Pick: DecisionKind.PICK,
    StateRule: DecisionKind.STATE_RULE,
}


def per_profile(**expected: object) -> pytest.MarkDecorator:
    """Run a test once for each profile named, with ``profile`` and what is ``expected`` of it."""
    rows = [(name.replace("_", "-"), value) for name, value in expected.items()]
    return pytest.mark.parametrize(("profile", "expected"), rows, ids=[name for name, _ in rows])


profiles = pytest.mark.parametrize("profile", EVERY)
prophet_profiles = pytest.mark.parametrize("profile", WITH_PROPHET)


def house(name: str, **changes: Any) -> Profile:
    """Return the published profile with ``changes`` that make a test short."""
    return msgspec.structs.replace(PROFILES[name], **changes)


def at_once(name: str, **changes: Any) -> Profile:
    """Return the published profile, but for the mainline it wants before a prophet may declare."""
    terms = PROFILES[name].prophet
    assert terms is not None, f"{name} has a prophet"
    return house(name, prophet=msgspec.structs.replace(terms, mainline_from=0), **changes)


def wrong_string(profile: str) -> str:
    """Return what a prophet says who takes every card of a string for wrong."""
    return "wrong after 0" if PROFILES[profile].judging is Judging.CARD_BY_CARD else "wrong"


def hint_for(profile: Profile, rule: Rule | None) -> Hint | None:
    """Return a true hint where ``profile`` requires one."""
    if profile.hint is not HintTerms.REQUIRED:
        return None
    return hints_for(rule or Rule.parse(RED))[0]


def deal(
    profile: str | Profile,
    rule: str | Rule | None,
    *hands: str,
    starter: str = "7H",
    stock: str = SPARE,
    reserve: str = "",
    seats: int | None = None,
    dealer: int = 0,
    first: int | None = 1,
    hint: Hint | None = None,
) -> Round:
    """Deal a round in which the seats from the dealer's left hold ``hands``, short ones filled up.

    ``starter`` and then ``stock`` are drawn from; both together are what the profile calls the stock. With a
    ``reserve``, hands are made as large as it takes to use up one pack. Without a ``rule`` the dealer judges
    by hand. ``first`` begins; None: whom the profile chooses.
    """
    if isinstance(profile, str):
        profile = load_profile(profile)
    if isinstance(rule, str):
        rule = Rule.parse(rule)
    seats = seats or max(profile.min_seats, len(hands) + 1)
    rest = parse_cards(f"{starter} {stock}")
    size = max([len(parse_cards(hand)) for hand in hands], default=14)
    if reserve:
        size, over = divmod(52 - len(rest), seats - 1)
        assert not over, f"{len(rest)} cards of stock do not make a pack with the hands of {seats} seats"
    held: Cards = ()
    for index in range(seats - 1):
        named = parse_cards(hands[index]) if index < len(hands) else ()
        held += named + (Card.parse(FILLER),) * (size - len(named))
    return Round.deal(
        msgspec.structs.replace(profile, hand_size=size, packs=1 if reserve else 20, max_seats=seats),
        rule,
        seats=seats,
        dealer=dealer,
        deck=held + rest + parse_cards(reserve),
        first=first,
        starters=parse_cards(starter) if rule is None else None,
        hint=hint or hint_for(profile, rule),
        rng=Random(1),
    )


def deal_packs(profile: str, *, rule: str = RED, seats: int = 5, dealer: int = 0, rng: Random | None = None) -> Round:
    """Deal a round of the published profile from whole packs."""
    terms, secret = PROFILES[profile], Rule.parse(rule)
    return Round.deal(
        terms,
        secret,
        seats=seats,
        dealer=dealer,
        deck=shuffled_deck(terms, Random(1)),
        hint=hint_for(terms, secret),
        rng=rng or Random(1),
    )


def play(table: Round, *script: str) -> list[str]:
    """Make the moves of ``script``, such as ``"1: 7H 8D"``, by the seats named; return all that happened.

    Every line asserts that its seat is asked for a move of its kind. A seat that might state the rule or become
    prophet passes where the script does not say what it does.
    """
    happened: list[str] = []
    for line in script:
        seat, _, text = line.partition(": ")
        move = parse_move(text)
        if not isinstance(move, Pass):
            happened += _pass(table, until=_KINDS[type(move)])
            assert asked(table) == f"seat {seat}: {_KINDS[type(move)].value}", line
        assert asked(table).startswith(f"seat {seat}: "), line
        happened += map(str, table.apply(move))
    return happened


def act(table: Round, move: str, verdict: str = "right") -> int:
    """Let the seat to play make ``move``, and a prophet in office say ``verdict``; return the seat."""
    _pass(table)
    assert table.decision is not None, f"the round is over, nobody can play {move}"
    seat = table.decision.seat
    play(table, f"{seat}: {move}")
    if table.decision is not None and table.decision.kind is DecisionKind.CALL:
        play(table, f"{table.prophet}: {verdict}")
    return seat


def lay(table: Round, count: int, card: str = FILLER) -> None:
    """Have ``count`` right cards laid, in strings of at most four, by one seat after the other."""
    while count:
        string = min(count, 4)
        act(table, f"{card} " * string)
        count -= string


def asked(table: Round) -> str:
    """Return who is asked for what, as text; "over" when the round is."""
    return "over" if table.decision is None else str(table.decision)


def refuses(table: Round, move: str) -> bool:
    """Tell whether ``move`` is illegal now, both to ask about and to make."""
    parsed = parse_move(move)
    listed = parsed in table.legal_moves()
    trial = table.copy()
    try:
        trial.apply(parsed)
    except IllegalMove:
        assert not listed, f"{move} is listed as legal, and refused"
        return True
    assert listed, f"{move} is not listed as legal, and accepted"
    return False


def hand(table: Round, seat: int) -> str:
    """Return the hand of ``seat`` as text, in its order."""
    return cards_text(table.hands[seat])


def stock(table: Round) -> str:
    """Return the stock as text, from its front."""
    return cards_text(table.stock)


def told(table: Round) -> list[str]:
    """Return what everyone was told so far, as texts."""
    return list(map(str, table.events))


def _pass(table: Round, until: DecisionKind = DecisionKind.PLAY) -> list[str]:
    happened: list[str] = []
    for kind in (DecisionKind.STATE_RULE, DecisionKind.AFTER_TURN):
        if table.decision is not None and table.decision.kind is kind is not until:
            happened += map(str, table.apply(Pass()))
    return happened


class FirstCard:
    """An agent that always plays the first card of its hand."""

    def __init__(self, *, seat: int, seed: str) -> None:
        self.seat, self.seed = seat, seed

    def act(self, view: View) -> Move:
        if view.decision is not None and view.decision.kind is DecisionKind.PLAY:
            return Attempt(view.hand[:1])
        return Pass()


class Chooser:
    """A dealer who always chooses the same rule, and picks the last of the legal cards."""

    def __init__(self, rule: str = RED) -> None:
        self.rule = Rule.parse(rule)

    def choose(self, profile: Profile, rng: Random) -> tuple[Rule, Hint | None]:
        return self.rule, hint_for(profile, self.rule)

    def pick(self, legal: Sequence[Card], rng: Random) -> Card:
        return legal[-1]
