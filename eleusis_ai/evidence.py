"""What a view says about the secret rule, as a sequence of small facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec

from eleusis_ai.cards import UNKNOWN, Card
from eleusis_ai.events import (
    IN_WORDS,
    AttemptJudged,
    Hinted,
    NoPlayJudged,
    Picked,
    Refused,
    RuleStated,
    SeatPassed,
    StageTwoBegan,
    StarterLaid,
    StatementJudged,
    TurnBegan,
)
from eleusis_ai.layout import Cards
from eleusis_ai.moves import parse_rule
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.view import View


class Verdict(msgspec.Struct, frozen=True, gc=False):
    """One card, judged: after ``mainline``, ``card`` is legal or not."""

    mainline: Cards
    card: Card
    legal: bool


class SomeIllegal(msgspec.Struct, frozen=True, gc=False):
    """A rejected string judged whole: at least one of its cards was illegal where it stood."""

    pairs: tuple[tuple[Cards, Card], ...]
    """Each card of the string, after the mainline it would have followed."""


class SomeLegal(msgspec.Struct, frozen=True, gc=False):
    """A wrong no play: after ``mainline``, at least one card of ``hand`` is legal."""

    mainline: Cards
    hand: Cards


class HintGiven(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hint, true of the rule."""

    hint: Hint


class NotTheRule(msgspec.Struct, frozen=True, gc=False):
    """A rule that was stated and is wrong: it differs from the secret one somewhere, from a mainline on."""

    rule: Rule
    mainline: Cards
    """The mainline when it was stated; the rules differ after this one, or after one that can follow it."""


Evidence = Verdict | SomeIllegal | SomeLegal | HintGiven | NotTheRule


def evidence(view: View) -> Iterator[Evidence]:
    """Yield everything that ``view`` says about the rule, oldest first.

    As play goes on the sequence only grows at its end, so that a learner may observe each item once. A card
    that nobody judged (a starter taken as it was turned, the rest of a string judged card by card) says
    nothing, nor does one that is not known, or a rule that was stated in words which nobody wrote down.
    """
    line = view.layout.mainline
    at = 0
    mistakes: dict[int, Counter[Card]] = {}
    stage_two = False
    stated = ""
    for event in view.events:
        match event:
            case StarterLaid(card, found_legal):
                if found_legal:
                    yield Verdict(line[:at], card, legal=True)
                at += 1
            case AttemptJudged(seat, cards, right, prefix):
                if view.profile.mistake_cards and right == stage_two:
                    held = mistakes.get(seat, Counter())
                    mistakes[seat] = held - Counter(cards) if right else held + Counter(cards)
                if not right and prefix is None and len(cards) > 1:
                    if UNKNOWN in cards:
                        continue
                    yield SomeIllegal(tuple((line[:at] + cards[:index], card) for index, card in enumerate(cards)))
                    continue
                accepted = len(cards) if right else prefix or 0
                for card in cards[:accepted]:
                    yield Verdict(line[:at], card, legal=True)
                    at += 1
                if not right and cards[accepted] is not UNKNOWN:
                    yield Verdict(line[:at], cards[accepted], legal=False)
            case NoPlayJudged(_, hand, right):
                if right:
                    for card in dict.fromkeys(hand):
                        if card is not UNKNOWN:
                            yield Verdict(line[:at], card, legal=False)
                elif UNKNOWN not in hand:
                    yield SomeLegal(line[:at], hand)
            case Refused(card):
                yield Verdict(line[:at], card, legal=False)
            case Picked(card, played):
                yield Verdict(line[:at], card, legal=True)
                at += played
            case StageTwoBegan():
                stage_two = True
            case SeatPassed(_, cards):
                for card in dict.fromkeys(cards):
                    yield Verdict(line[:at], card, legal=False)
            case TurnBegan(seat):
                if stage_two:  # a seat without a legal one would have been passed
                    yield SomeLegal(line[:at], tuple(mistakes[seat].elements()))
            case RuleStated(_, stated):
                pass
            case StatementJudged(_, right):
                if not right and stated != IN_WORDS:
                    yield NotTheRule(parse_rule(stated), line[:at])
            case Hinted():
                assert view.hint is not None, "a hint that was announced is in the view"
                yield HintGiven(view.hint)
