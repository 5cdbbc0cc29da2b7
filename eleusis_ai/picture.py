"""A rule's verdicts as a picture: the pack in four rows of thirteen, each card marked legal or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from eleusis_ai.cards import RANKS, Card, Suit, cards_text
from eleusis_ai.rules.language import Rule

WIDTH = 28
"""Columns of a terminal that the picture takes."""
LEGAL, ILLEGAL = "✓", "·"
_PLAIN = str.maketrans({LEGAL: "x", ILLEGAL: ".", **{suit.symbol: suit.name for suit in Suit}})
"""What stands for the signs where a terminal has letters alone."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The cards that are legal in one situation, as rich draws them."""

    title: str
    """What the situation is."""
    mask: int
    """The cards that are legal in it."""

    def rows(self) -> list[tuple[Suit, list[bool]]]:
        """Return for each suit whether its cards are legal, from the ace to the king."""
        return [(suit, [bool(self.mask >> 13 * suit + place & 1) for place in range(13)]) for suit in Suit]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.title, "bold")
        yield Text(" " + "".join(f" {rank}" for rank in RANKS), "dim")
        for suit, marks in self.rows():
            row = Text(suit.symbol, "red" if suit in (Suit.D, Suit.H) else "")
            for rank, legal in zip(RANKS, marks, strict=True):
                row.append(f"{LEGAL if legal else ILLEGAL:>{len(rank) + 1}}", "green" if legal else "dim")
            # Signs become letters one for one, so that the styles stay where they are.
            row.plain = row.plain.translate(_PLAIN) if options.ascii_only else row.plain
            yield row

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(WIDTH, WIDTH)


def picture(rule: Rule, line: Sequence[Card]) -> Picture:
    """Return the picture of what is legal under ``rule`` after the mainline ``line``, none being rejected."""
    mask = rule.mask(line)
    place = f"after {cards_text(line)}" if line else "on the empty table"
    wrong = [card for number, card in enumerate(line) if number and not rule.allows(line[:number], card)]
    note = f" (where {wrong[0]} was not legal)" if wrong else ""
    return Picture(f"{place}{note}: {mask.bit_count()} legal", mask)
