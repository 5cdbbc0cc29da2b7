"""An evening told anew: an answer taken back, or put right where it stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eleusis_ai.seats.evening import Ask, Entry, Evening, Misfit

AskCards = Callable[[Evening], Entry]
"""Asks which cards the companion got, where it had got none."""


class NoLongerFits(ValueError):
    """A correction after which something that was told later cannot have happened."""

    def __init__(self, number: int, entry: Entry, reason: str) -> None:
        super().__init__(reason)
        self.number = number
        """Which entry, counted from 1."""
        self.entry = entry


def own(entry: Entry, evening: Evening) -> bool:
    """Tell whether the companion made ``entry`` itself."""
    return entry.seat == evening.party.seat and entry.ask in (Ask.PLAY, Ask.CALL, Ask.PROPHET, Ask.STATE)


def undone(evening: Evening, count: int) -> Evening:
    """Return the evening without the last ``count`` answers of the people, and what the companion did since."""
    entries = evening.entries.copy()
    while count and entries:
        while entries and own(entries[-1], evening):
            entries.pop()
        if entries:
            entries.pop()
        count -= 1
    return Evening(evening.party, entries)


def revised(evening: Evening, number: int, entry: Entry, ask_cards: AskCards) -> tuple[Evening, list[Entry]]:
    """Return the evening with ``entry`` in place of that of ``number``, and all that was told later told again.

    Where the companion then got cards it is asked which. Where it got none any more, it gives them back: the
    entries that told of them are returned as well.

    Raises:
        NoLongerFits: naming what does not fit any more.
    """
    before: Sequence[Entry] = evening.entries[: number - 1]
    other = Evening(evening.party, before)
    given_back: list[Entry] = []
    _take(other, entry, number)
    for at, later in enumerate(evening.entries[number:], start=number + 1):
        while other.question.ask is Ask.CARDS and later.ask is not Ask.CARDS:
            _take(other, ask_cards(other), at)
        if later.ask is Ask.CARDS and other.question.ask is not Ask.CARDS:
            given_back.append(later)
            continue
        _take(other, later, at)
    return other, given_back


def _take(evening: Evening, entry: Entry, number: int) -> None:
    try:
        evening.take(entry)
    except Misfit as error:
        raise NoLongerFits(number, entry, str(error)) from None
