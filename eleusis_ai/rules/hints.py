"""Hints: true statements about a rule that the dealer may give before play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

import msgspec

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.rules import terms
from eleusis_ai.rules.language import Rule

MOST_CARDS = 52
"""The farthest card back that a hint may name."""

_RANK_ATTRIBUTES = frozenset({"rank", "value", "is_odd", "is_even", "is_face", "is_prime"})
_SUIT_ATTRIBUTES = frozenset({"suit", "color", "is_red", "is_black"})


class InvalidHint(ValueError):
    """A text that is not a hint."""


class HintKind(Enum):
    """What a hint is about; the value is its text."""

    CARD_ONLY = "only the card"
    NO_RANKS = "no ranks"
    NO_SUITS = "no suits"
    COLORS_ONLY = "only colors of suits"
    LOOKBACK = "lookback"
    NO_POSITION = "no position"


_SENTENCES = {
    HintKind.CARD_ONLY: "Only the card itself matters, not what lies on the table.",
    HintKind.NO_RANKS: "Ranks do not matter.",
    HintKind.NO_SUITS: "Neither suits nor colours matter.",
    HintKind.COLORS_ONLY: "Suits matter by their colours at most.",
    HintKind.NO_POSITION: "It does not matter how many cards lie on the mainline.",
}


class Hint(msgspec.Struct, frozen=True, gc=False):
    """A statement about the verdicts after the starter cards; one about position counts from the cards looked at.

    >>> hint = Hint.parse("lookback 1")
    >>> hint.text, hint.holds(Rule.parse("card.color != last.color"))
    ('Of the mainline at most the last card matters.', True)
    """

    kind: HintKind
    """What it is about."""
    cards: int = 0
    """For ``LOOKBACK``: how many of the last cards matter at most."""

    @classmethod
    def parse(cls, text: str) -> Hint:
        """Read a hint such as ``no suits`` or ``lookback 2``.

        Raises:
            InvalidHint: if ``text`` is not a hint.
        """
        word, _, number = text.strip().partition(" ")
        if word == HintKind.LOOKBACK.value and number.isdecimal() and int(number) <= MOST_CARDS:
            return cls(HintKind.LOOKBACK, int(number))
        for kind in _SENTENCES:
            if text.strip() == kind.value:
                return cls(kind)
        known = ", ".join(kind.value for kind in _SENTENCES)
        raise InvalidHint(f"{text!r} is not a hint; write one of {known}, or, say, 'lookback 2'")

    def __str__(self) -> str:
        return f"{self.kind.value} {self.cards}" if self.kind is HintKind.LOOKBACK else self.kind.value

    @property
    def text(self) -> str:
        """The hint as a sentence."""
        if self.kind is not HintKind.LOOKBACK:
            return _SENTENCES[self.kind]
        if self.cards == 0:
            return "No card of the mainline matters."
        last = "card matters" if self.cards == 1 else f"{self.cards} cards matter"
        return f"Of the mainline at most the last {last}."

    def holds(self, rule: Rule) -> bool:
        """Tell whether the hint is true of ``rule``; False also where that cannot be seen.

        A rule on the last card alone is decided by its verdicts, any other one by what its terms name.
        """
        rows = _rows(rule)
        match self.kind:
            case HintKind.CARD_ONLY:
                return rule.lookback == 0 and not rule.uses_position if rows is None else len(set(rows)) == 1
            case HintKind.NO_RANKS:
                return _names_none(rule, _RANK_ATTRIBUTES) if rows is None else _blind(rows, lambda card: card.suit)
            case HintKind.NO_SUITS:
                return _names_none(rule, _SUIT_ATTRIBUTES) if rows is None else _blind(rows, lambda card: card.rank)
            case HintKind.COLORS_ONLY:
                if rows is None:
                    return _names_none(rule, frozenset({"suit"}))
                return _blind(rows, lambda card: (card.rank, card.color))
            case HintKind.LOOKBACK:
                if rows is not None and self.cards == 0:
                    return len(set(rows)) == 1
                return rule.lookback is not None and rule.lookback <= self.cards
            case HintKind.NO_POSITION:
                return rule.lookback is not None and not rule.uses_position


def hints_for(rule: Rule) -> tuple[Hint, ...]:
    """Return the hints that are true of ``rule``, the most telling first; of the lookbacks the least one."""
    lookbacks = (Hint(HintKind.LOOKBACK, cards) for cards in range(MOST_CARDS + 1))
    least = next((hint for hint in lookbacks if hint.holds(rule)), None)
    hints = [least if kind is HintKind.LOOKBACK else Hint(kind) for kind in HintKind]
    return tuple(hint for hint in hints if hint is not None and hint.holds(rule))


def _rows(rule: Rule) -> tuple[int, ...] | None:
    """Return the mask after each card, if that is all there is to the rule."""
    if rule.lookback is None or rule.lookback > 1 or rule.uses_position:
        return None
    return tuple(rule.mask((card,)) for card in CARDS)


def _blind(rows: Sequence[int], seen: Callable[[Card], object]) -> bool:
    """Tell whether verdicts depend on nothing but what is ``seen`` of the last card and of the candidate."""
    alike: dict[object, Card] = {}
    twins = [(card, alike.setdefault(seen(card), card)) for card in CARDS]
    same_after = all(rows[card] == rows[twin] for card, twin in twins)
    return same_after and all((row >> card ^ row >> twin) & 1 == 0 for row in rows for card, twin in twins)


def _names_none(rule: Rule, attributes: frozenset[str]) -> bool:
    """Tell whether no term looks at one of ``attributes``, nor at a card as a whole."""
    return not any(
        isinstance(part, terms.Attribute) and part.name in attributes for part in terms.walk(rule.term)
    ) and not _names_whole_card(rule.term)


def _names_whole_card(term: terms.Term) -> bool:
    """Tell whether a card is used otherwise than by an attribute, as in ``card == last``."""
    match term:
        case terms.Attribute(terms.Candidate() | terms.LineCard() | terms.Variable()):
            return False
        case terms.Call("len", (terms.Stretch(),)):
            return False
        case terms.Each(body, _, _, condition):
            return _names_whole_card(body) or (condition is not None and _names_whole_card(condition))
        case terms.Candidate() | terms.LineCard() | terms.Variable() | terms.Stretch():
            return True
        case _:
            return any(_names_whole_card(child) for child in terms.children(term))
