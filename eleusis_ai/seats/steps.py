"""What a page needs to show a round without knowing the rules: the table as it was dealt, and its changes."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType


class Pending(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies before a judge."""

    seat: int
    cards: str | None = None
    """An attempt."""
    hand: str | None = None
    """The hand shown for a no play, or mistake cards."""
    rule: str | None = None
    """A statement."""
    call: str | None = None
    """What the prophet answered."""


class Statement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rule that was stated, and whether it was right; None: that is not known yet."""

    seat: int
    rule: str
    right: bool | None = None


class Table(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What lies on the table and is known about it, besides hands and layout; a step tells what of it is new."""

    asked: int | str | None
    """The seat whose turn it is, or as in ``2 call`` who is asked for something else; None: the round is over."""
    stock: int
    reserve: int = 0
    danger: bool = False
    marker: str | None = None
    since: tuple[int, int] | None = None
    """Cards accepted and rejected since the prophet's declaration."""
    marks: dict[int, tuple[str, ...]] = {}
    """What a seat is, in words."""
    stage: int = 1
    turns: int | None = None
    """Turns that are left, where they are counted."""
    stated: tuple[Statement, ...] = ()
    points: tuple[int, ...] | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one move changes, and the passes after it; names are short where they are written often.

    A change of cards is written ``-7H+3S 4D``: what goes, what comes; ``-*`` stands for all there were.
    """

    moves: int = msgspec.field(name="n", default=1)
    """How many moves of the record it covers."""
    hand: str = msgspec.field(name="h", default="")
    """The change of the hand of the seat that was asked."""
    others: dict[int, str] = msgspec.field(name="o", default_factory=dict)
    """The changes of other seats' hands."""
    mistakes: dict[int, str] = msgspec.field(name="m", default_factory=dict)
    """The changes of the mistake cards before seats."""
    joined: int | str = msgspec.field(name="l", default=0)
    """What joins the mainline: so many of the cards under judgement, or the cards."""
    hung: int | str = msgspec.field(name="b", default=0)
    """What hangs below the last card then: so many of the rest of the cards under judgement, or the cards."""
    above: str = msgspec.field(name="a", default="")
    """The hand that is laid above the last card."""
    verdict: bool | UnsetType | None = msgspec.field(name="v", default=UNSET)
    """Whether what was judged is right; left out where ``joined`` and ``hung`` tell."""
    said: int | tuple[int, ...] = msgspec.field(name="t", default=())
    """What is said, as places in the phrases of the round."""
    note: str = ""
    """What else is to be said: that the move was made for a seat."""
    pending: str | Pending | None = msgspec.field(name="p", default=None)
    """What lies before a judge now; ``#``: what the seat that was asked has just laid, ``$``: its hand."""

    # What is new on the table, as in `Table`; left out where it is as before.
    asked: int | str | UnsetType | None = msgspec.field(name="q", default=UNSET)
    stock: int | UnsetType = UNSET
    """Left out, too, where it is what the draws left of it."""
    reserve: int | UnsetType = UNSET
    danger: bool | UnsetType = UNSET
    marker: str | UnsetType | None = UNSET
    since: tuple[int, int] | UnsetType | None = UNSET
    marks: dict[int, tuple[str, ...]] | UnsetType = UNSET
    """Of the seats where they are new."""
    stage: int | UnsetType = UNSET
    turns: int | UnsetType | None = UNSET
    stated: tuple[Statement, ...] | UnsetType = UNSET
    points: tuple[int, ...] | UnsetType | None = UNSET


class Replay(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A whole round: the table as it was dealt, its secrets, and the steps that follow."""

    key: str = ""
    agents: tuple[str, ...] = ()
    profile: str
    seats: int
    dealer: int
    rule: str | None
    """None: the dealer judged by hand."""
    words: str | None
    starter: str | None = None
    hint: str | None = None
    hands: tuple[str, ...]
    line: str
    """The starters."""
    table: Table
    say: tuple[str, ...]
    """The phrases."""
    said: tuple[int, ...]
    """What is said of the deal, as places in them."""
    steps: tuple[Step, ...]
