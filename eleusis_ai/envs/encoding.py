"""What a seat may know, as arrays: the only file that knows their shapes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from eleusis_ai.cards import Card
from eleusis_ai.envs.features import (
    ACCEPTED,
    AFTER_TURN,
    ATTEMPT_CARDS,
    HINT_FEATURES,
    IN_STRINGS,
    JUDGE_CARDS,
    JUDGE_NO_PLAY,
    PHASES,
    PLAIN_HINTS,
    PLANES,
    PLAY,
    REJECTED,
    SEAT_FEATURES,
    SHOWN_ILLEGAL,
    SHOWN_LEGAL,
    SOLO_FEATURES,
    STATING,
    STRING,
    TABLE_FEATURES,
    WAIT,
)
from eleusis_ai.events import (
    AttemptJudged,
    Event,
    NoPlayJudged,
    Picked,
    Refused,
    RuleStated,
    SeatPassed,
    StarterLaid,
)
from eleusis_ai.moves import Attempt, DecisionKind
from eleusis_ai.profiles import Judging, Profile
from eleusis_ai.rules.hints import Hint, HintKind
from eleusis_ai.rules.likeness import ATTRIBUTES
from eleusis_ai.view import Public

Observation = dict[str, NDArray[np.generic]]
"""What a learner is shown; every array is made for it alone."""

COLUMNS = 20
"""Columns of the layout that are shown, unless an environment is asked for others."""
MOST_SEATS = 8
"""Rows for seats; a table may have fewer."""
_ATTEMPT = list(TABLE_FEATURES).index("attempt")
_ROOM = 64
"""Columns by which the rows of a layout grow."""


def observation_space(profile: Profile, *, actions: int, statements: int, columns: int) -> spaces.Space[Observation]:
    """Return the space of the observations at a table of 3 to 8 seats.

    Args:
        profile: The way to play; it decides which keys there are.
        actions: How many actions there are.
        statements: How many rules may be stated.
        columns: Columns of the layout that are shown.
    """
    packs = profile.packs + profile.reserve_packs
    parts: dict[str, spaces.Space[Any]] = {
        "layout": spaces.Box(0, 127, (columns, len(PLANES), 52), np.int8),
        "hand": spaces.Box(0, packs, (52,), np.int8),
        "attempt": spaces.Box(0, 1, (ATTEMPT_CARDS, 52), np.int8),
        "shown": spaces.Box(0, packs, (52,), np.int8),
        "seats": spaces.Box(0, np.iinfo(np.int16).max, (MOST_SEATS, len(SEAT_FEATURES)), np.int16),
        "table": spaces.Box(0, np.iinfo(np.int16).max, (len(TABLE_FEATURES),), np.int16),
        "hint": spaces.Box(0, 100, (len(HINT_FEATURES),), np.int16),
        "phase": spaces.Box(0, 1, (len(PHASES),), np.int8),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    if profile.mistake_cards:
        parts["mistakes"] = spaces.Box(0, packs, (MOST_SEATS, 52), np.int8)
    if statements:
        parts["stated"] = spaces.Box(0, 1, (statements,), np.int8)
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


class LayoutRows:
    """The layout of one round as arrays, kept up to date event by event."""

    def __init__(self, profile: Profile, *, columns: int, statements: Mapping[str, int]) -> None:
        """Begin a round.

        Args:
            profile: The way to play.
            columns: Columns that are shown.
            statements: The number of each rule that may be stated, by its text.
        """
        self._by_card = profile.judging is Judging.CARD_BY_CARD
        self._columns, self._statements = columns, statements
        # The end of the mainline stands first, so that what is shown is one block of memory.
        self._rows = np.zeros((_ROOM + columns, len(PLANES), 52), np.int8)
        self._at = _ROOM
        self._stated = bytearray(len(statements))
        self.common: tuple[Public, int, Observation] | None = None
        """What was last shown of a table to a seat, as far as both stay the same while a string is built."""

    def layout(self) -> NDArray[np.int8]:
        """Return the last columns, the end of the mainline first: shape (columns, planes, 52)."""
        return self._rows[self._at : self._at + self._columns].copy()

    def verdicts(self) -> NDArray[np.int8]:
        """Return the accepted and the rejected cards alone, as `layout` does: shape (columns, 2, 52)."""
        return self._rows[self._at : self._at + self._columns, :2].copy()

    def stated(self) -> NDArray[np.int8]:
        """Return 1 for each rule that was stated: shape (statements,)."""
        return np.frombuffer(bytearray(self._stated), np.int8)

    def see(self, events: Iterable[Event]) -> None:
        """Take in what has happened."""
        for event in events:
            note = _NOTES.get(type(event))
            if note is not None:
                note(self, event)

    def _judged(self, event: AttemptJudged) -> None:
        cards = event.cards
        joined = len(cards) if event.right else event.prefix or 0
        for card in cards[:joined]:
            self._accept(card)
        hung = cards[joined:]
        if len(cards) == 1 or self._by_card:
            self._mark(REJECTED, hung[:1])
            hung = hung[1:]
        self._mark(IN_STRINGS, hung)

    def _no_play_judged(self, event: NoPlayJudged) -> None:
        if event.right:
            self._mark(SHOWN_ILLEGAL, event.hand)

    def _picked(self, event: Picked) -> None:
        if event.played:
            self._accept(event.card)
        else:
            self._mark(SHOWN_LEGAL, (event.card,))

    def _stated_rule(self, event: RuleStated) -> None:
        if event.rule in self._statements:
            self._stated[self._statements[event.rule]] = 1

    def _accept(self, card: Card) -> None:
        if not self._at:
            self._rows = np.concatenate((np.zeros((_ROOM, *self._rows.shape[1:]), np.int8), self._rows))
            self._at = _ROOM
        self._at -= 1
        self._rows[self._at, ACCEPTED, card] = 1

    def _mark(self, plane: int, cards: Iterable[Card]) -> None:
        row = self._rows[self._at, plane]
        for card in cards:
            if row[card] < 127:
                row[card] += 1


# Looked up by type, since most events are of other kinds and `match` would try each in turn.
_NOTES: dict[type[Event], Callable[[LayoutRows, Any], None]] = {
    AttemptJudged: LayoutRows._judged,
    StarterLaid: lambda rows, event: rows._accept(event.card),
    Picked: LayoutRows._picked,
    NoPlayJudged: LayoutRows._no_play_judged,
    SeatPassed: lambda rows, event: rows._mark(SHOWN_ILLEGAL, event.cards),
    Refused: lambda rows, event: rows._mark(SHOWN_ILLEGAL, (event.card,)),
    RuleStated: LayoutRows._stated_rule,
}


def encode(
    public: Public,
    hand: Iterable[Card],
    *,
    seat: int,
    rows: LayoutRows,
    mask: bytearray,
    building: tuple[Card, ...] = (),
    statements: bool = False,
) -> Observation:
    """Lay out what ``seat`` may know.

    Args:
        public: What everyone may know.
        hand: The seat's hand, the cards of the string being built included.
        seat: Who looks.
        rows: The layout so far.
        mask: One byte an action: 1 where it is legal now.
        building: The string being built, which only its seat knows.
        statements: Whether rules may be stated.
    """
    judged = public.attempt
    attempt = building or (judged.cards if isinstance(judged, Attempt) else ())
    observation = {key: array.copy() for key, array in _common(public, seat, rows, statements=statements).items()}
    observation["table"][_ATTEMPT] = len(attempt)
    observation["hand"] = _counts(hand, building)
    observation["attempt"] = _in_order(attempt)
    observation["phase"] = _phase(public, seat, building=bool(building))
    observation["action_mask"] = np.frombuffer(bytearray(mask), np.int8)
    return observation


def _common(public: Public, seat: int, rows: LayoutRows, *, statements: bool) -> Observation:
    """Return what stays the same while a seat builds a string; it is not to be handed out but as copies."""
    if rows.common is not None and rows.common[0] is public and rows.common[1] == seat:
        return rows.common[2]
    arrays: Observation = {
        "layout": rows.layout(),
        "shown": _counts(public.shown),
        "seats": _seats(public, seat),
        "table": _table(public),
        "hint": _numbers(_hint(public.hint)),
    }
    if public.profile.mistake_cards:
        arrays["mistakes"] = _mistakes(public, seat)
    if statements:
        arrays["stated"] = rows.stated()
    rows.common = public, seat, arrays
    return arrays


SOLO_HAND = 12
"""Cards in hand in the solo protocol."""


def solo_space(*, actions: int, statements: int, columns: int) -> spaces.Space[Observation]:
    """Return the space of the observations in the solo protocol.

    Args:
        actions: How many actions there are; 0: they need no mask.
        statements: How many rules may be stated.
        columns: Columns of the layout that are shown.
    """
    parts: dict[str, spaces.Space[Any]] = {
        "layout": spaces.Box(0, 127, (columns, 2, 52), np.int8),
        "hand": spaces.Box(0, 2, (52,), np.int8),
        "slots": spaces.Box(0, 1, (SOLO_HAND, 52), np.int8),
        "table": spaces.Box(0, np.iinfo(np.int16).max, (len(SOLO_FEATURES),), np.int16),
    }
    if actions:
        parts["action_mask"] = spaces.Box(0, 1, (actions,), np.int8)
        parts["stated"] = spaces.Box(0, 1, (statements,), np.int8)
    return cast("spaces.Space[Observation]", spaces.Dict(parts))


def encode_solo(
    rows: LayoutRows, hand: Iterable[Card], table: Iterable[int], masks: Mapping[str, bytearray]
) -> Observation:
    """Lay out what the player of the solo protocol knows.

    Args:
        rows: The layout so far.
        hand: The cards in hand, by slot.
        table: The numbers of `SOLO_FEATURES`.
        masks: One byte a place: the legal actions, and the rules that were stated.
    """
    cards = tuple(hand)
    slots = bytearray(SOLO_HAND * 52)
    for slot, card in enumerate(cards):
        slots[slot * 52 + card] = 1
    return {
        "layout": rows.verdicts(),
        "hand": _counts(cards),
        "slots": np.frombuffer(slots, np.int8).reshape(SOLO_HAND, 52),
        "table": _numbers(table),
        **{key: np.frombuffer(bytearray(mask), np.int8) for key, mask in masks.items()},
    }


def _counts(cards: Iterable[Card], without: Iterable[Card] = ()) -> NDArray[np.int8]:
    """Return how many there are of each card, less those that are gone: shape (52,)."""
    # A loop over bytes takes a third of the time of NumPy's own counting: hands are small.
    counts = bytearray(52)
    for card in cards:
        counts[card] += 1
    for card in without:
        counts[card] -= 1
    return np.frombuffer(counts, np.int8)


def _in_order(cards: tuple[Card, ...]) -> NDArray[np.int8]:
    """Return the first cards one-hot: shape (ATTEMPT_CARDS, 52)."""
    rows = bytearray(ATTEMPT_CARDS * 52)
    for place, card in enumerate(cards[:ATTEMPT_CARDS]):
        rows[place * 52 + card] = 1
    return np.frombuffer(rows, np.int8).reshape(ATTEMPT_CARDS, 52)


def _numbers(values: Iterable[int]) -> NDArray[np.int16]:
    return np.frombuffer(array("h", values), np.int16)


def _seats(public: Public, seat: int) -> NDArray[np.int16]:
    """Return the features of each seat, from the observer's own to the left: shape (8, SEAT_FEATURES)."""
    seats, width = public.seats, len(SEAT_FEATURES)
    values = [0] * (MOST_SEATS * width)
    sizes, mistakes, step = public.hand_sizes, public.mistakes, -seat
    for at in range(seats):
        row = (at + step) % seats * width
        values[row] = 1
        values[row + 2] = sizes[at]
        values[row + 3] = len(mistakes[at])
    values[(public.dealer + step) % seats * width + 1] = 1
    if public.prophet is not None:
        values[(public.prophet + step) % seats * width + 4] = 1
    for at in public.former_prophets:
        values[(at + step) % seats * width + 5] = 1
    for at in public.expelled:
        values[(at + step) % seats * width + 6] = 1
    values[(public.turn + step) % seats * width + 7] = 1
    return _numbers(values).reshape(MOST_SEATS, width)


def _table(public: Public) -> NDArray[np.int16]:
    """Return the public counts: shape (TABLE_FEATURES,)."""
    accepted, marker = len(public.layout.mainline), public.marker
    return _numbers(
        (
            public.stock_size,
            accepted,
            public.played,
            public.accepted_since,
            public.rejected_since,
            public.played_at_declaration,
            public.danger,
            0 if marker is None else accepted - marker.column,
            0 if marker is None or marker.branch is None else marker.branch + 1,
            0,  # the attempt, which `encode` fills in
            public.turns_left or 0,
            max(0, public.idle),
            public.stage,
        )
    )


def _hint(hint: Hint | None) -> tuple[int, ...]:
    if hint is None:
        return (0,) * len(HINT_FEATURES)
    plain = (int(hint.kind is kind) for kind in PLAIN_HINTS)
    lookback = hint.cards + 1 if hint.kind is HintKind.LOOKBACK else 0
    attributes = (int(word in hint.attributes) for word in ATTRIBUTES)
    return (*plain, lookback, *attributes, *(hint.band if hint.kind is HintKind.ACCEPTANCE else (0, 0)))


def _phase(public: Public, seat: int, *, building: bool) -> NDArray[np.int8]:
    phases = bytearray(len(PHASES))
    phases[_asked(public, seat, building=building)] = 1
    return np.frombuffer(phases, np.int8)


def _asked(public: Public, seat: int, *, building: bool) -> int:
    decision = public.decision
    if decision is None or decision.seat != seat:
        return WAIT
    match decision.kind:
        case DecisionKind.PLAY:
            return STRING if building else PLAY
        case DecisionKind.AFTER_TURN:
            return AFTER_TURN
        case DecisionKind.CALL:
            return JUDGE_CARDS if isinstance(public.attempt, Attempt) else JUDGE_NO_PLAY
        case DecisionKind.STATE_RULE:
            return STATING
        case DecisionKind.PICK:
            return WAIT


def _mistakes(public: Public, seat: int) -> NDArray[np.int8]:
    """Return each seat's mistake cards, from the observer's own to the left: shape (8, 52)."""
    counts = bytearray(MOST_SEATS * 52)
    for at, cards in enumerate(public.mistakes):
        row = (at - seat) % public.seats * 52
        for card in cards:
            counts[row + card] += 1
    return np.frombuffer(counts, np.int8).reshape(MOST_SEATS, 52)
