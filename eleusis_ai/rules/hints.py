"""Hints: true statements about a rule that the dealer may give before play."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import msgspec

from eleusis_ai.cards import CARDS
from eleusis_ai.rules import terms
from eleusis_ai.rules.course import course
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.likeness import ATTRIBUTES, Classes, alike_in, is_finer, likenesses
from eleusis_ai.rules.sight import MOST_CARDS, looks_at, sight


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
    ATTRIBUTES = "attributes"
    ACCEPTANCE = "acceptance"


_SENTENCES = {
    HintKind.CARD_ONLY: "Only the card itself matters, not what lies on the table.",
    HintKind.NO_RANKS: "Ranks do not matter.",
    HintKind.NO_SUITS: "Neither suits nor colours matter.",
    HintKind.COLORS_ONLY: "Suits matter by their colours at most.",
    HintKind.NO_POSITION: "It does not matter how many cards lie on the mainline.",
}
LIKENESSES = {
    HintKind.NO_RANKS: ("suit",),
    HintKind.NO_SUITS: ("rank",),
    HintKind.COLORS_ONLY: ("rank", "color"),
}
"""What cards have in common that are alike to a rule of which a hint is true."""
_PHRASES = {
    "rank": "its rank",
    "value": "its rank (10 to K being the same)",
    "parity": "whether it is odd or even",
    "face": "whether it is a face card",
    "prime": "whether its rank is prime",
    "suit": "its suit",
    "color": "its colour",
}
_QUARTERS = {0: "none", 25: "a quarter", 50: "half", 75: "three quarters", 100: "all"}
BANDS = ((0, 25), (25, 50), (50, 75), (75, 100))
"""The bands of acceptance that are offered, in per cent."""
_NAMED: dict[str, Classes] = {
    "rank": alike_in(("rank",)),
    "value": alike_in(("value",)),
    "suit": alike_in(("suit",)),
    "color": alike_in(("color",)),
    "is_red": alike_in(("color",)),
    "is_black": alike_in(("color",)),
    "is_odd": alike_in(("parity",)),
    "is_even": alike_in(("parity",)),
    "is_face": alike_in(("face",)),
    "is_prime": alike_in(("prime",)),
}
"""The cards that an attribute of the rule language cannot tell from each other."""


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
    attributes: tuple[str, ...] = ()
    """For ``ATTRIBUTES``: all of each card that matters at most; words of `likeness.ATTRIBUTES`, in its order."""
    band: tuple[int, int] = (0, 100)
    """For ``ACCEPTANCE``: the least and the largest share of right cards, in per cent."""

    def __post_init__(self) -> None:
        """Refuse attributes that are none, or not in their order, in which a hint has one text.

        Raises:
            InvalidHint: naming them and their order.
        """
        wanted = tuple(word for word in ATTRIBUTES if word in self.attributes)
        if self.attributes != wanted or (self.kind is HintKind.ATTRIBUTES and not wanted):
            raise InvalidHint(f"{self.attributes} are no attributes of a hint; some of {', '.join(ATTRIBUTES)} are")

    @classmethod
    def parse(cls, text: str) -> Hint:
        """Read a hint such as ``no suits``, ``lookback 2``, ``attributes parity color`` or ``acceptance 25 50``.

        Raises:
            InvalidHint: if ``text`` is not a hint.
        """
        word, *rest = text.split() or [""]
        numbers = [int(each) for each in rest if each.isascii() and each.isdecimal() and len(each) < 4]
        match word, numbers:
            case HintKind.LOOKBACK.value, [cards] if len(rest) == 1 and cards <= MOST_CARDS:
                return cls(HintKind.LOOKBACK, cards)
            case HintKind.ACCEPTANCE.value, [low, high] if len(rest) == 2 and low < high <= 100:
                return cls(HintKind.ACCEPTANCE, band=(low, high))
            case HintKind.ATTRIBUTES.value, [] if rest and ATTRIBUTES.keys() >= set(rest):
                return cls(HintKind.ATTRIBUTES, attributes=tuple(word for word in ATTRIBUTES if word in rest))
        for kind in _SENTENCES:
            if text.strip() == kind.value:
                return cls(kind)
        known = ", ".join(kind.value for kind in _SENTENCES)
        raise InvalidHint(
            f"{text!r} is not a hint; write one of {known}, or, say, 'lookback 2', 'acceptance 25 50' or "
            f"'attributes parity color' (there are {', '.join(ATTRIBUTES)})"
        )

    def __str__(self) -> str:
        match self.kind:
            case HintKind.LOOKBACK:
                return f"{self.kind.value} {self.cards}"
            case HintKind.ATTRIBUTES:
                return f"{self.kind.value} {' '.join(self.attributes)}"
            case HintKind.ACCEPTANCE:
                return f"{self.kind.value} {self.band[0]} {self.band[1]}"
            case _:
                return str(self.kind.value)

    @property
    def text(self) -> str:
        """The hint as a sentence."""
        match self.kind:
            case HintKind.LOOKBACK if self.cards == 0:
                return "No card of the mainline matters."
            case HintKind.LOOKBACK:
                last = "card matters" if self.cards == 1 else f"{self.cards} cards matter"
                return f"Of the mainline at most the last {last}."
            case HintKind.ATTRIBUTES:
                *others, last = (_PHRASES[word] for word in self.attributes)
                return (
                    f"Of each card at most {' and '.join([', '.join(others), last] if others else [last])} matters."
                )
            case HintKind.ACCEPTANCE:
                low, high = (_QUARTERS.get(share, f"{share}%") for share in self.band)
                return f"On average between {low} and {high} of the cards are right."
        return _SENTENCES[self.kind]

    def holds(self, rule: Rule) -> bool:
        """Tell whether the hint is true of ``rule``; False also where that cannot be seen.

        It is decided by the verdicts along all lines that can be reached, if the rule has a finite machine and
        play cannot come to a dead end; if not, by what the terms name.
        """
        if self.kind is HintKind.ACCEPTANCE:
            played = course(rule)
            return played.exact and self.band[0] <= 100 * played.acceptance <= self.band[1]
        if self.kind in LIKENESSES or self.kind is HintKind.ATTRIBUTES:
            return _is_blind(rule, alike_in(LIKENESSES.get(self.kind, self.attributes)))
        lookback, position = looks_at(rule)
        match self.kind:
            case HintKind.CARD_ONLY:
                return lookback == 0 and not position
            case HintKind.LOOKBACK:
                return lookback is not None and lookback <= self.cards
            case _:
                return lookback is not None and not position


PLAIN_HINTS = (*map(Hint, _SENTENCES), *(Hint(HintKind.LOOKBACK, cards) for cards in range(3)))
"""What a dealer may say of a rule that the program does not know."""


def hints_for(rule: Rule) -> tuple[Hint, ...]:
    """Return the hints that are true of ``rule``, the most telling first.

    Of the lookbacks and the bands of acceptance it is the least that is true; of the attributes the fewest that
    matter, where no other hint says the same.
    """
    lookback = looks_at(rule)[0]
    hints: list[Hint] = []
    for kind in HintKind:
        match kind:
            case HintKind.LOOKBACK:
                hints += [] if lookback is None or lookback > MOST_CARDS else [Hint(kind, lookback)]
            case HintKind.ATTRIBUTES:
                hints += _attributes(rule)
            case HintKind.ACCEPTANCE:
                bands = (Hint(kind, band=band) for band in BANDS)
                hints += [hint for hint in bands if hint.holds(rule)][:1]
            case _:
                hints += [Hint(kind)] if Hint(kind).holds(rule) else []
    return tuple(hints)


def _attributes(rule: Rule) -> Iterator[Hint]:
    """Yield the hint that names the fewest attributes, if there is one that says more than the plain hints."""
    for words in likenesses():
        # What 10, J, Q and K share is in few rules, but many of them treat these alike by chance.
        if "value" in words or not _is_blind(rule, alike_in(words)):
            continue
        if words and words not in LIKENESSES.values() and max(alike_in(words)) < len(CARDS) - 1:
            yield Hint(HintKind.ATTRIBUTES, attributes=words)
        return


def _is_blind(rule: Rule, classes: Classes) -> bool:
    """Tell whether ``rule`` cannot tell cards of one class from each other."""
    seen = sight(rule)
    if seen is not None:
        return is_finer(classes, seen.twins)
    return _names_only(rule, classes)


def _names_only(rule: Rule, classes: Classes) -> bool:
    """Tell whether no term looks at an attribute that differs within a class, nor at a card as a whole."""
    names = {part.name for part in terms.walk(rule.term) if isinstance(part, terms.Attribute)}
    return all(is_finer(classes, _NAMED[name]) for name in names) and not _names_whole_card(rule.term)


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
