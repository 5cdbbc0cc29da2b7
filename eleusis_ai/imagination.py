"""Where hidden cards may lie, as far as one seat can tell."""

from __future__ import annotations

from collections import Counter, deque
from itertools import chain
from random import Random

from eleusis_ai.cards import Card, pack
from eleusis_ai.events import (
    Attempted,
    Dealt,
    Drew,
    NoPlayJudged,
    Picked,
    ReserveOpened,
    StarterLaid,
    TurnBegan,
)
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt
from eleusis_ai.profiles import ShownHand
from eleusis_ai.view import View


class Unimaginable(ValueError):
    """A view with which no round can agree."""


def imagined_cards(view: View, rng: Random) -> tuple[list[Cards], Cards, Cards, Cards]:
    """Draw hands, stock, reserve and the cards set aside so that they agree with ``view``.

    Raises:
        Unimaginable: if the cards seen do not come from the profile's packs.
    """
    profile, public = view.profile, view.public
    known, stock, aside = _known_cards(view)
    hand_is_shown = bool(public.shown) and public.stage == 1
    opened = sum(isinstance(event, ReserveOpened) for event in view.events)
    pool = Counter(pack() * (profile.packs + opened))
    pool.subtract(_cards_seen(view))
    pool.subtract(view.hand)
    pool.subtract(card for card in stock if card is not None)
    for seat in range(public.seats):
        if hand_is_shown and seat == public.turn:
            known[seat] = Counter(public.shown)
        if seat == view.seat:
            known[seat] = Counter(view.hand)
        else:
            pool.subtract(known[seat])
    hidden = sorted(pool.elements())
    wanted = (
        aside + stock.count(None) + sum(size - known[seat].total() for seat, size in enumerate(public.hand_sizes))
    )
    if min(pool.values()) < 0 or len(hidden) != wanted or len(stock) != public.stock_size:
        raise Unimaginable(
            f"the round was not dealt from {profile.packs} whole packs of 52; one that was can be imagined"
        )
    rng.shuffle(hidden)
    draw = iter(hidden)
    hands: list[Cards] = []
    for seat, size in enumerate(public.hand_sizes):
        certain = view.hand if seat == view.seat else tuple(known[seat].elements())
        if hand_is_shown and seat == public.turn:
            certain = public.shown
        hands.append(certain + tuple(next(draw) for _ in range(size - len(certain))))
    filled = tuple(next(draw) if card is None else card for card in stock)
    reserve: list[Card] = []
    for _ in range(profile.reserve_packs - opened):
        unopened = pack()
        rng.shuffle(unopened)
        reserve += unopened
    return hands, filled, tuple(reserve), tuple(draw)


def _cards_seen(view: View) -> chain[Card]:
    """Return the cards that lie on the table or are out of play."""
    layout, public = view.layout, view.public
    out = [
        event.hand
        for event in view.events
        if isinstance(event, NoPlayJudged) and event.right and view.profile.shown_hand is ShownHand.OUT
    ]
    pending = public.attempt.cards if isinstance(public.attempt, Attempt) and public.stage == 1 else ()
    shown = chain.from_iterable(layout.shown)
    return chain(layout.mainline, layout.rejected, *shown, *out, *public.mistakes, pending)


def _known_cards(view: View) -> tuple[list[Counter[Card]], deque[Card | None], int]:
    """Follow the cards that went under the stock in sight of all: into the stock, and out into hands.

    Returns what each seat is known to hold, the stock with None for a card nobody has seen, and how many cards
    were set aside.
    """
    profile, events = view.profile, view.events
    known: list[Counter[Card]] = [Counter() for _ in range(view.public.seats)]
    dealt = sum(event.count for event in events if isinstance(event, Dealt))
    starters = sum(isinstance(event, StarterLaid) for event in events)
    left = profile.packs * 52 - dealt - starters
    aside = left if profile.hand_size is None else 0
    stock: deque[Card | None] = deque([None] * (left - aside))
    turn = view.public.dealer
    for event in events:
        match event:
            case TurnBegan(seat):
                turn = seat
            case Attempted(seat, cards):
                known[seat] -= Counter(cards)
            case Picked(card, played) if played:
                known[turn] -= Counter([card])
            case NoPlayJudged(seat, hand, right) if right:
                known[seat] = Counter()
                if profile.shown_hand is ShownHand.UNDER_STOCK:
                    stock.extend(hand)
            case NoPlayJudged(seat, hand):
                known[seat] = Counter(hand)
            case ReserveOpened(count):
                stock.extend([None] * count)
            case Drew(seat, count):
                drawn = [stock.popleft() if stock else None for _ in range(count)]
                known[seat].update(card for card in drawn if card is not None)
    return known, stock, aside
