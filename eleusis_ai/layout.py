"""The table's layout: the mainline of right cards, and under each one its sideline of wrong ones."""

from __future__ import annotations

import re
from itertools import chain

import msgspec

from eleusis_ai.cards import Card, InvalidCard, cards_text, parse_cards

Cards = tuple[Card, ...]


class InvalidLayout(ValueError):
    """A text that is not a layout or a marker."""


class Marker(msgspec.Struct, frozen=True, gc=False):
    """Where a prophet's marker lies: on a mainline card, or on the last card of a branch below it.

    >>> str(Marker(12)), str(Marker(12, 1))
    ('12', '12.1')
    """

    column: int
    """Index of the mainline card, from 0."""
    branch: int | None = None
    """Index of the attempt below that card; None: the mainline card itself."""

    def __str__(self) -> str:
        return f"{self.column}" if self.branch is None else f"{self.column}.{self.branch}"

    @classmethod
    def parse(cls, text: str) -> Marker:
        """Read ``12`` or ``12.1``.

        Raises:
            InvalidLayout: if ``text`` is neither.
        """
        match = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?", text.strip())
        if match is None:
            raise InvalidLayout(f"{text!r} is not a marker; write a column as in '12', or a branch as in '12.1'")
        column, branch = match.groups()
        return cls(int(column), None if branch is None else int(branch))


class Layout(msgspec.Struct, frozen=True, gc=False):
    """Accepted cards left to right, with what hangs below each and the hands shown above it.

    >>> layout = Layout.parse("7H 9D(2C, 4S 5S)[3D 8D] JH")
    >>> layout.mainline[1], len(layout.sidelines[1]), str(layout)
    (Card.parse('9D'), 2, '7H 9D(2C, 4S 5S)[3D 8D] JH')
    """

    mainline: Cards = ()
    """The accepted cards, starters first."""
    sidelines: tuple[tuple[Cards, ...], ...] = ()
    """For each mainline card the rejected attempts that hang below it, oldest first."""
    shown: tuple[tuple[Cards, ...], ...] = ()
    """For each mainline card the hands shown above it, oldest first."""

    def extended(self, cards: Cards) -> Layout:
        """Return the layout with ``cards`` added to the mainline."""
        empty = ((),) * len(cards)
        return Layout(self.mainline + cards, self.sidelines + empty, self.shown + empty)

    def with_rejected(self, cards: Cards) -> Layout:
        """Return the layout with ``cards`` hung as one branch below the last mainline card."""
        branches = (*self.sidelines[-1], cards)
        return Layout(self.mainline, (*self.sidelines[:-1], branches), self.shown)

    def with_shown(self, hand: Cards) -> Layout:
        """Return the layout with ``hand`` laid face up above the last mainline card."""
        return Layout(self.mainline, self.sidelines, (*self.shown[:-1], (*self.shown[-1], hand)))

    @property
    def rejected(self) -> Cards:
        """All rejected cards in the order they fell."""
        return tuple(chain.from_iterable(chain.from_iterable(self.sidelines)))

    def __str__(self) -> str:
        columns = []
        for card, attempts, hands in zip(self.mainline, self.sidelines, self.shown, strict=True):
            below = f"({', '.join(map(cards_text, attempts))})" if attempts else ""
            columns.append(f"{card}{below}{''.join(f'[{cards_text(hand)}]' for hand in hands)}")
        return " ".join(columns)

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Read a layout: commas part attempts, spaces join a string, brackets hold a hand shown above.

        Raises:
            InvalidLayout: if ``text`` is not a layout.
        """
        mainline: list[Card] = []
        sidelines: list[tuple[Cards, ...]] = []
        shown: list[tuple[Cards, ...]] = []
        at = 0
        text = text.strip()
        while at < len(text):
            match = _COLUMN.match(text, at)
            if match is None:
                raise _invalid(text, at)
            try:
                mainline += parse_cards(match["card"])
                below = match["below"]
                sidelines.append(tuple(map(parse_cards, below.split(","))) if below is not None else ())
                shown.append(tuple(map(parse_cards, re.findall(r"\[(.*?)]", match["above"]))))
            except InvalidCard as error:
                raise InvalidLayout(f"{text!r} is not a layout: {error}") from None
            if () in sidelines[-1] or () in shown[-1]:
                raise _invalid(text, at)
            at = match.end()
        return cls(tuple(mainline), tuple(sidelines), tuple(shown))


_COLUMN = re.compile(r"\s*(?P<card>[^\s()\[\],]+)(?:\((?P<below>[^()\[\]]*)\))?(?P<above>(?:\[[^()\[\],]*])*)(?!\S)")


def _invalid(text: str, at: int) -> InvalidLayout:
    return InvalidLayout(
        f"{text!r} is not a layout: {text[at:].strip()!r} cannot be read; one that can: '7H 9D(2C, 4S 5S)[3D 8D] JH'"
    )
