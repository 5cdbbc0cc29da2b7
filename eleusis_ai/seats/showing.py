"""What the companion shows of an evening: its hand, the table as it lies, and the points."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from eleusis_ai.cards import UNKNOWN
from eleusis_ai.drawing import LayoutDrawing, draw_hand, draw_ranking, draw_table
from eleusis_ai.seats.evening import Evening


def hand_drawing(evening: Evening) -> RenderableType:
    """Draw the companion's hand, as far as it was told."""
    if evening.round is None:
        return "I hold no cards yet."
    hand = evening.round.hands[evening.party.seat]
    known = tuple(card for card in hand if card is not UNKNOWN)
    more = [f"{len(hand) - len(known)} more, which I was not told."] if len(known) < len(hand) else []
    return Group(draw_hand(known, "My hand"), *more)


def table_drawing(evening: Evening) -> RenderableType:
    """Draw all that lies on the table, and the companion's hand."""
    if evening.round is None:
        return "Nothing lies on the table yet."
    public = evening.round.public()
    hint = [] if public.hint is None else [Text(), Text(f"The hint: {public.hint.text}")]
    return Group(draw_table(public, evening.party.names), *hint, Text(), hand_drawing(evening))


def points_drawing(evening: Evening) -> RenderableType:
    """Draw a round that is over with its points, and those of all rounds."""
    assert evening.round is not None, "points are those of a round"
    public, names = evening.round.public(), evening.party.names
    layout = LayoutDrawing(public.layout, public.marker)
    return Group(Text(), layout, Text(), draw_ranking(public, names), Text(), *_totals(evening))


def _totals(evening: Evening) -> Iterator[str]:
    if evening.rounds > 1 and evening.round is not None:
        totals = map(sum, zip(evening.totals, evening.round.scores(), strict=True))
        ranked = sorted(zip(totals, evening.party.names, strict=True), key=lambda pair: -pair[0])
        yield f"After {evening.rounds} rounds: {', '.join(f'{name} {points}' for points, name in ranked)}."
