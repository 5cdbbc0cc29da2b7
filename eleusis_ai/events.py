"""What has happened in a round: small frozen values, each with a text that reads back."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Self, get_type_hints

import msgspec

from eleusis_ai.cards import Card, InvalidCard, cards_text, parse_cards
from eleusis_ai.layout import Cards, InvalidLayout, Marker
from eleusis_ai.moves import Call, InvalidMove, parse_move


class InvalidEvent(ValueError):
    """A text that is not an event."""


class EndReason(Enum):
    """Why a round ended; where several hold, the first of these."""

    STATED = "stated"
    """The rule was stated."""
    EMPTIED = "emptied"
    """A scientist's hand is legally empty."""
    STOCK = "stock"
    """The stock is used up."""
    EXPELLED = "expelled"
    """Every scientist other than the prophet is expelled."""
    TURNS = "turns"
    """No turn is left."""
    STALLED = "stalled"
    """As many laps without a right card as the profile allows, or no mistake card of anybody is legal."""

    def __str__(self) -> str:
        return self.value


class Event(msgspec.Struct, frozen=True, gc=False):
    """Something that has happened; the base of all events."""

    form: ClassVar[str]
    """The event's text, with the names of its fields in braces."""
    words: ClassVar[dict[str, tuple[str, str]]] = {}
    """For each field that is a bool, what its text is when False and when True."""

    def seen_by(self, seat: int | None) -> Event:  # noqa: ARG002 - most events hide nothing
        """Return what ``seat`` may know of this; None: what everyone may know."""
        return self

    def __str__(self) -> str:
        fields = {}
        for name, codec in _codecs(type(self)).items():
            value = getattr(self, name)
            fields[name] = "" if value is None else codec.write(value)
        return self.form.format_map(fields)


class _Gains(Event, frozen=True, gc=False):
    """A seat gets cards that only it may see."""

    seat: int
    count: int
    """How many cards."""
    cards: Cards | None = None
    """Which cards; None: there are none, or they are hidden from the one who looks."""

    def seen_by(self, seat: int | None) -> Self:
        """Return the event, its cards blanked unless ``seat`` is the one that got them."""
        return self if seat == self.seat else type(self)(self.seat, self.count)


class Dealt(_Gains, frozen=True, gc=False):
    """A scientist's first hand: ``seat 1 is dealt 3: 7H 8D KC``."""

    form = "seat {seat} is dealt {count}{cards}"


class Drew(_Gains, frozen=True, gc=False):
    """Cards drawn from the stock, as many as it gave: ``seat 1 draws 2: 7H 8D``."""

    form = "seat {seat} draws {count}{cards}"


class Hinted(Event, frozen=True, gc=False):
    """The dealer's hint, announced before play."""

    hint: str
    """The hint's text."""
    form = "hint: {hint}"


class StarterLaid(Event, frozen=True, gc=False):
    """A starter joins the mainline: ``starter 7H``, or ``starter 7H found legal`` where it was judged."""

    card: Card
    found_legal: bool
    """Whether the dealer turned cards until a legal one came, and found this one."""
    form = "starter {card}{found_legal}"
    words: ClassVar = {"found_legal": ("", " found legal")}


class TurnBegan(Event, frozen=True, gc=False):
    """A scientist's turn: ``turn of seat 2``, with ``, expulsion in force`` where a wrong play expels."""

    seat: int
    danger: bool
    """Whether expulsion is in force for this turn."""
    form = "turn of seat {seat}{danger}"
    words: ClassVar = {"danger": ("", ", expulsion in force")}


class Attempted(Event, frozen=True, gc=False):
    """A scientist proposes cards, which leave the hand."""

    seat: int
    cards: Cards
    form = "seat {seat} plays {cards}"


class NoPlayDeclared(Event, frozen=True, gc=False):
    """A scientist declares no play and shows the hand."""

    seat: int
    hand: Cards
    form = "seat {seat} declares no play, showing {hand}"


class ProphetCalled(Event, frozen=True, gc=False):
    """The prophet's answer, before the dealer's."""

    seat: int
    call: Call
    form = "prophet seat {seat} says {call}"


class AttemptJudged(Event, frozen=True, gc=False):
    """The truth about an attempt: all right, wrong, or wrong after a correct prefix."""

    seat: int
    cards: Cards
    right: bool
    prefix: int | None = None
    """For a wrong string judged card by card: how many leading cards joined the mainline."""
    form = "attempt of seat {seat} {right}{prefix}: {cards}"
    words: ClassVar = {"right": ("wrong", "right")}


class NoPlayJudged(Event, frozen=True, gc=False):
    """The truth about a declaration of no play."""

    seat: int
    hand: Cards
    """The hand that was shown."""
    right: bool
    form = "no play of seat {seat} {right}: {hand}"
    words: ClassVar = {"right": ("wrong", "right")}


class Refused(Event, frozen=True, gc=False):
    """The card that a prophet named as legal is illegal."""

    card: Card
    form = "{card} refused"


class Picked(Event, frozen=True, gc=False):
    """A legal card of a shown hand, as the judge chose it."""

    card: Card
    played: bool
    """Whether it joined the mainline; otherwise it stays in the hand."""
    form = "{card} {played}"
    words: ClassVar = {"played": ("pointed out", "picked and played")}


class ReserveOpened(Event, frozen=True, gc=False):
    """The stock was dealt to its last card, and a reserve pack became the stock."""

    count: int
    """Cards in it."""
    form = "reserve pack of {count} opened"


class SeatExpelled(Event, frozen=True, gc=False):
    """A scientist plays no more; the hand stays for scoring."""

    seat: int
    form = "seat {seat} is expelled"


class ProphetDeclared(Event, frozen=True, gc=False):
    """A scientist becomes prophet and lays the hand aside."""

    seat: int
    marker: Marker
    form = "seat {seat} becomes prophet, marker on {marker}"


class ProphetOverthrown(Event, frozen=True, gc=False):
    """The prophet erred: he takes his hand back and is a scientist again."""

    seat: int
    form = "prophet seat {seat} is overthrown"


class StageTwoBegan(Event, frozen=True, gc=False):
    """All hands are played, and mistake cards are played from now on."""

    form = "stage two begins"


class SeatPassed(Event, frozen=True, gc=False):
    """In stage two a scientist has no turn, since none of his mistake cards is legal."""

    seat: int
    cards: Cards
    """The seat's mistake cards."""
    form = "seat {seat} is passed, none of {cards} being legal"


IN_WORDS = "?"
"""Stands for a rule that was stated at a real table in words which nobody put into the rule language."""


class RuleStated(Event, frozen=True, gc=False):
    """A scientist says what the secret rule is."""

    seat: int
    rule: str
    """The rule in the rule language, with its condition on the first card if it has one; or `IN_WORDS`."""
    form = "seat {seat} states {rule}"


class StatementJudged(Event, frozen=True, gc=False):
    """Whether a rule that was stated gives the secret one's verdicts on all that can be reached from here."""

    seat: int
    right: bool
    proved: bool
    """Whether all that can be reached was looked at; otherwise a sample was, or the dealer judged by hand."""
    form = "statement of seat {seat} {right}, {proved}"
    words: ClassVar = {"right": ("wrong", "right"), "proved": ("not proved", "proved")}


class RoundEnded(Event, frozen=True, gc=False):
    """The round is over."""

    reason: EndReason
    form = "round ends: {reason}"


class Scored(Event, frozen=True, gc=False):
    """The points of every seat, once the round is over."""

    points: tuple[int, ...]
    form = "points: {points}"


class RuleShown(Event, frozen=True, gc=False):
    """The secret rule, shown once the round is over."""

    rule: str
    """The rule in the rule language."""
    form = "rule: {rule}"


def parse_event(text: str) -> Event:
    """Read an event from its text.

    Raises:
        InvalidEvent: if ``text`` is none.
    """
    for kind in _kinds():
        if match := _pattern(kind).fullmatch(text):
            codecs = _codecs(kind)
            try:
                return kind(**{name: codecs[name].read(word) for name, word in match.groupdict().items()})
            except (InvalidCard, InvalidMove, InvalidLayout) as error:
                raise InvalidEvent(f"{text!r} is not an event: {error}") from None
    raise InvalidEvent(f"{text!r} is not an event; one that is: 'seat 2 plays 7H 8D'")


class _Codec(msgspec.Struct, frozen=True):
    """How a field stands in an event's text."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_call(word: str) -> Call:
    call = parse_move(word)
    if not isinstance(call, Call):
        raise InvalidMove(f"{word!r} is not a call; write 'right', 'wrong' or 'wrong 7H'")
    return call


_CARDS = r"\S+(?: \S+)*"
_CODECS: dict[Any, _Codec] = {
    int: _Codec(r"[0-9]{1,9}", int),
    str: _Codec(r".+", str),
    Card: _Codec(r"\S+", Card.parse),
    Cards: _Codec(_CARDS, parse_cards, cards_text),
    Cards | None: _Codec(
        f"(?:: {_CARDS})?", lambda word: parse_cards(word[2:]) or None, lambda cards: f": {cards_text(cards)}"
    ),
    int | None: _Codec(
        r"(?: after [0-9]{1,9})?", lambda word: int(word[7:]) if word else None, lambda prefix: f" after {prefix}"
    ),
    Call: _Codec(r"(?:right|wrong.*)", _read_call),
    Marker: _Codec(r"[0-9.]+", Marker.parse),
    EndReason: _Codec("|".join(map(str, EndReason)), EndReason),
    tuple[int, ...]: _Codec(
        r"-?[0-9]{1,9}(?: -?[0-9]{1,9})*",
        lambda word: tuple(map(int, word.split())),
        lambda points: " ".join(map(str, points)),
    ),
}


@cache
def _codecs(kind: type[Event]) -> dict[str, _Codec]:
    hints = get_type_hints(kind)
    return {
        name: _flag_codec(*kind.words[name]) if name in kind.words else _CODECS[hints[name]]
        for name in kind.__struct_fields__
    }


def _flag_codec(false: str, true: str) -> _Codec:
    return _Codec(f"(?:{false}|{true})", lambda word: word == true, lambda flag: true if flag else false)


@cache
def _pattern(kind: type[Event]) -> re.Pattern[str]:
    fields = {name: f"(?P<{name}>{codec.pattern})" for name, codec in _codecs(kind).items()}
    return re.compile(kind.form.format_map(fields))


@cache
def _kinds() -> tuple[type[Event], ...]:
    return tuple(kind for kind in (*Event.__subclasses__(), *_Gains.__subclasses__()) if kind is not _Gains)
