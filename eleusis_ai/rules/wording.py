"""The words of one language for ranks, places on a line, cards, and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from eleusis_ai.rules.phrases import Phrases
from eleusis_ai.rules.terms import Candidate, LineCard, Stretch, Variable

NamedCard: TypeAlias = Candidate | LineCard | Variable
"""A card that can be named without a condition."""

_COURT = {11: "J", 12: "Q", 13: "K"}


class Wording:
    """Small words, put together from the phrases of a language."""

    def __init__(self, phrases: Phrases) -> None:
        self.say = phrases.say
        """Fill one phrase."""

    def joined(self, parts: Sequence[str], word: str) -> str:
        """Write a list such as ``a, b and c``; ``word`` is ``and``, ``or`` or ``or_else``."""
        if len(parts) == 1:
            return parts[0]
        return self.say(f"list.{word}", head=", ".join(parts[:-1]), tail=parts[-1])

    def cycle(self, suits: str) -> str:
        """Write suits in their order, as in ``hearts, spades``."""
        return ", ".join(self.say(f"name.{suit}") for suit in suits)

    def rank(self, number: int) -> str:
        """Write a rank in a list, as in ``ace`` or ``7``."""
        return self.say("name.A") if number == 1 else self.limit(number)

    def limit(self, number: int) -> str:
        """Write a rank as a limit; an ace as ``1 (ace)``, since it bounds from below and as a number."""
        if number == 1:
            return f"1 ({self.say('name.A')})"
        return self.say(f"name.{_COURT[number]}") if number in _COURT else str(number)

    def card_of_rank(self, number: int) -> str:
        """Write ``an ace`` or ``a 7``."""
        if number == 8:
            return self.say("noun.pip_8", n=8)
        name = "A" if number == 1 else _COURT.get(number)
        return self.say("noun.pip", n=number) if name is None else self.say(f"noun.{name}")

    def cards_of_rank(self, number: int) -> str:
        """Write ``aces`` or ``7s``."""
        name = "A" if number == 1 else _COURT.get(number)
        return self.say("plural.pip", n=number) if name is None else self.say(f"plural.{name}")

    def amount(self, number: int) -> str:
        """Write how many cards, two or more, in a word up to six."""
        return self.say(f"amount.{number}") if 2 <= number <= 6 else str(number)

    def ordinal(self, number: int) -> str:
        """Write ``1st`` and so on, for a card."""
        if number == 1:
            return self.say("ordinal.first")
        if number % 10 in (1, 2, 3) and number % 100 not in (11, 12, 13):
            return self.say(f"ordinal.ends_in_{number % 10}", n=number)
        return self.say("ordinal.other", n=number)

    def card(self, card: NamedCard) -> str:
        """Write which card, as in ``the last card``."""
        return self._card("card", card)

    def of(self, card: NamedCard) -> str:
        """Write whose, as in ``of the last card``."""
        return self._card("of_card", card)

    def _card(self, case: str, card: NamedCard) -> str:
        match card:
            case Candidate():
                return self.say(f"{case}.candidate")
            case Variable(name):
                return self.say(f"{case}.variable", name=name)
            case LineCard("mainline", -1):
                return self.say(f"{case}.last")
            case LineCard("mainline", -2):
                return self.say(f"{case}.before_last")
            case LineCard("rejected", -1):
                return self.say(f"{case}.rejected_last")
            case LineCard(line, index):
                kind = "" if line == "mainline" else "rejected_"
                end, number = ("from_end", -index) if index < 0 else ("from_start", index + 1)
                return self.say(f"{case}.{kind}{end}", ordinal=self.ordinal(number), n=number)

    def among(self, stretch: Stretch) -> str:
        """Write where the cards of a stretch lie, as in ``on the mainline``."""
        return self._stretch("among", stretch)

    def of_cards(self, stretch: Stretch) -> str:
        """Write which cards are meant, as in ``of the last three cards``."""
        return self._stretch("of_cards", stretch)

    def _stretch(self, case: str, stretch: Stretch) -> str:
        match stretch:
            case Stretch(line, None, None, None):
                return self.say(f"{case}.{line}")
            case Stretch(line, int(start), None, None) if start < -1:
                return self.say(f"{case}.{line}_last", n=self.amount(-start))
            case Stretch(line):
                return self.say("among.part", among=self.say(f"{case}.{line}"), slice=self._slice(stretch))

    def _slice(self, stretch: Stretch) -> str:
        told = []
        for end, index in (("start", stretch.start), ("stop", stretch.stop)):
            if index is not None:
                card = LineCard(stretch.line, index)
                told.append(self.say(f"among.{end}", card=self.card(card), of=self.of(card)))
        if stretch.step is not None:
            told.append(self.say("among.step", n=stretch.step))
        return ", ".join(told)
