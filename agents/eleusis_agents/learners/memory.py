"""What is left of evidence to whoever looks at the end of the mainline alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict


def latest(items: Sequence[Evidence], cards: int) -> Iterator[Evidence]:
    """Yield those of ``items`` that are about what was played after one of the latest ``cards`` mainline cards.

    What lies in no place of the table, a hint or a wrong statement, is never forgotten.
    """
    places = [_place(item) for item in items]
    newest = max((place for place in places if place is not None), default=0)
    for item, place in zip(items, places, strict=True):
        if place is None or place > newest - cards:
            yield item


def _place(item: Evidence) -> int | None:
    """Return how many mainline cards lay there, as the table shows it; None: it is not about a place."""
    match item:
        case Verdict(mainline) | SomeLegal(mainline):
            return len(mainline)
        case SomeIllegal(pairs):
            return len(pairs[0][0])
        case HintGiven() | NotTheRule():
            return None
