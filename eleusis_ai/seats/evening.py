"""An evening at a real table as the companion follows it: what was told so far, and what has to be told next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any

import msgspec

from eleusis_ai.cards import UNKNOWN, Card
from eleusis_ai.events import Event
from eleusis_ai.layout import Cards
from eleusis_ai.moves import Attempt, DecisionKind, Move, NoPlay, parse_move
from eleusis_ai.profiles import FirstPlayer, HintTerms, profile_from
from eleusis_ai.rules.hints import Hint
from eleusis_ai.seats.unseen import UnseenRound


class Misfit(ValueError):
    """An answer that cannot be true, as the table lies."""


class Ask(Enum):
    """What is asked; the value is how it stands in the file."""

    HINT = "hint"
    """The dealer's hint."""
    STARTERS = "starters"
    """The cards with which the mainline begins."""
    FIRST = "first"
    """Who begins."""
    CARDS = "cards"
    """Cards that the companion got."""
    PLAY = "play"
    """What a scientist plays, or that he declares no play."""
    SHOWN = "shown"
    """The hand that is shown for a no play."""
    CALL = "call"
    """What the prophet, or the dealer, says of it."""
    PICK = "pick"
    """The legal card of a shown hand that the dealer chose."""
    PROPHET = "prophet"
    """Whether somebody becomes prophet after his turn."""
    STATE = "state"
    """Whether somebody states the rule after his turn."""
    AGAIN = "again"
    """Whether another round is played."""
    COUNT = "count"
    """How many cards a scientist holds, or the stock has, when the table knows better. It is told unasked; the
    companion's own seat stands for the stock."""


OF_DECISION = {
    DecisionKind.PLAY: Ask.PLAY,
    DecisionKind.CALL: Ask.CALL,
    DecisionKind.PICK: Ask.PICK,
    DecisionKind.AFTER_TURN: Ask.PROPHET,
    DecisionKind.STATE_RULE: Ask.STATE,
}
WORDS = "in words "
"""Stands before a verdict where a rule was stated in words."""


class Question(msgspec.Struct, frozen=True):
    """What is asked, and about which seat."""

    ask: Ask
    seat: int


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One answer. What the companion itself plays or calls is one too."""

    ask: Ask
    seat: int
    """The seat it is about."""
    said: str
    """The answer, in the project's texts: cards, a move, a hint, a seat, a number."""


class Party(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sits at the table, and what is played."""

    companion: int = 1
    """The version of the file."""
    profile: str | dict[str, Any]
    """A published name, or a base and what differs from it."""
    names: tuple[str, ...]
    """Who sits where, clockwise."""
    seat: int
    """The companion's own."""
    dealer: int
    """Who deals first."""
    agent: str
    """Who plays for the companion, by name or address."""
    options: dict[str, Any] = {}
    """What the agent is made with."""
    noise: bool = False
    """Whether a verdict may be false."""
    seed: int = 0
    """Names what the agent draws by chance."""


class Evening:
    """The rounds of one evening, made of entries alone: the same entries make the same evening."""

    def __init__(self, party: Party, entries: Iterable[Entry] = ()) -> None:
        """Begin the evening of ``party``, and follow ``entries``.

        Raises:
            Misfit: naming the entry that does not fit.
            InvalidProfile: if the profile of ``party`` is none.
        """
        self.party = party
        self.profile = profile_from(party.profile)
        self.entries: list[Entry] = []
        self.dealer = party.dealer
        """Who deals now."""
        self.rounds = 1
        """The round that is played, counted from 1."""
        self.totals = (0,) * len(party.names)
        """Points of the rounds before."""
        self._open()
        for number, entry in enumerate(entries, start=1):
            try:
                self.take(entry)
            except Misfit as error:
                raise Misfit(f"entry {number}, {entry.said!r}: {error}") from None

    @property
    def question(self) -> Question:
        """What has to be told next."""
        round_, me = self.round, self.party.seat
        if round_ is None:
            if not self._hinted:
                return Question(Ask.HINT, self.dealer)
            return Question(Ask.FIRST if self._starters else Ask.STARTERS, self.dealer)
        if round_.owed:
            return Question(Ask.CARDS, me)
        if round_.decision is None:
            return Question(Ask.AGAIN, self.dealer)
        if self._declared:
            return Question(Ask.SHOWN, round_.turn)
        return Question(OF_DECISION[round_.decision.kind], round_.decision.seat)

    @property
    def my_turn(self) -> bool:
        """Whether it is the companion that has to play, call or declare."""
        round_ = self.round
        return (
            round_ is not None
            and not round_.owed
            and round_.decision is not None
            and round_.decision.seat == self.party.seat
        )

    @property
    def next_dealer(self) -> int:
        """Who deals the next round: the deal passes to the left, and over the companion."""
        seats = len(self.party.names)
        following = ((self.dealer + step) % seats for step in range(1, seats + 1))
        return next(seat for seat in following if seat != self.party.seat)

    def take(self, entry: Entry) -> tuple[Event, ...]:
        """Follow one entry; return what happened, as everyone may know it.

        Raises:
            Misfit: if it does not fit; nothing has changed then.
        """
        asked = self.question
        if entry.ask is not Ask.COUNT and (entry.ask, entry.seat) != (asked.ask, asked.seat):
            raise Misfit(
                f"it tells '{entry.ask.value}' of {self._name(entry.seat)}, where '{asked.ask.value}' of "
                f"{self._name(asked.seat)} is asked"
            )
        try:
            events = self._follow(entry)
        except ValueError as error:
            raise Misfit(str(error)) from None
        self.entries.append(entry)
        return tuple(event.seen_by(None) for event in events)

    def _name(self, seat: int) -> str:
        names = self.party.names
        return names[seat] if 0 <= seat < len(names) else f"seat {seat}"

    def _open(self) -> None:
        """Clear the table for a round."""
        self.round: UnseenRound | None = None
        self._hint: Hint | None = None
        self._hinted = self.profile.hint is HintTerms.NONE
        self._starters: Cards = ()
        self._declared = False

    def _follow(self, entry: Entry) -> tuple[Event, ...]:
        match entry.ask:
            case Ask.HINT:
                if not entry.said and self.profile.hint is HintTerms.REQUIRED:
                    raise Misfit(f"{self.profile} is played with a hint")
                self._hint, self._hinted = Hint.parse(entry.said) if entry.said else None, True
            case Ask.STARTERS:
                return self._start(seen_cards(entry.said))
            case Ask.FIRST:
                return self._begin(self._starters, first=int(entry.said))
            case Ask.AGAIN:
                assert self.round is not None, "another round is asked for when one is over"
                self.totals = tuple(map(sum, zip(self.totals, self.round.scores(), strict=True)))
                self.dealer = self.next_dealer
                self.rounds += 1
                self._open()
            case _:
                if self.round is None:
                    raise Misfit("no round is in play yet")
                return self._go_on(entry, self.round)
        return ()

    def _start(self, starters: Cards) -> tuple[Event, ...]:
        if UNKNOWN in starters:
            raise Misfit("a starter lies on the table for all to see; look what it is")
        self._check_copies(starters)
        if self.profile.first_player is not FirstPlayer.LOT:
            return self._begin(starters)
        self._begin(starters, first=(self.dealer + 1) % len(self.party.names))
        self.round, self._starters = None, starters
        return ()

    def _begin(self, starters: Cards, first: int | None = None) -> tuple[Event, ...]:
        self.round = UnseenRound.begin(
            self.profile,
            seats=len(self.party.names),
            dealer=self.dealer,
            seat=self.party.seat,
            starters=starters,
            first=first,
            hint=self._hint,
        )
        return self.round.events

    def _go_on(self, entry: Entry, round_: UnseenRound) -> tuple[Event, ...]:
        match entry.ask:
            case Ask.CARDS:
                cards = seen_cards(entry.said)
                if UNKNOWN in cards:
                    raise Misfit("I have to see my own cards")
                self._check_copies(cards)
                round_.receive(cards)
            case Ask.PLAY if entry.said == str(NoPlay()) and entry.seat != self.party.seat:
                if not self.profile.no_play:
                    raise Misfit(f"no play cannot be declared in {self.profile}")
                self._declared = True
            case Ask.PLAY if entry.said != str(NoPlay()):
                cards = seen_cards(entry.said)
                self._check_known(cards, round_)
                if entry.seat != self.party.seat and round_.stage == 1:
                    self._check_copies(cards)
                return round_.apply(Attempt(cards))
            case Ask.SHOWN:
                cards = seen_cards(entry.said)
                self._check_known(cards, round_)
                self._check_copies(cards)
                events = round_.apply(NoPlay(), cards)
                self._declared = False
                return events
            case Ask.STATE if entry.said.startswith(WORDS):
                return round_.hear(right=entry.said == f"{WORDS}right")
            case Ask.COUNT if entry.seat == self.party.seat:
                round_.restock(int(entry.said))
            case Ask.COUNT:
                if self._declared:
                    raise Misfit(f"{self._name(round_.turn)} is about to show a hand; tell that first")
                round_.recount(entry.seat, int(entry.said))
            case _:
                move: Move = parse_move(entry.said)
                return round_.apply(move)
        return ()

    def _check_known(self, cards: Cards, round_: UnseenRound) -> None:
        """Refuse unknown cards where they have to be known.

        Raises:
            Misfit: saying why.
        """
        if UNKNOWN not in cards:
            return
        if round_.prophet == self.party.seat:
            raise Misfit("I am the prophet: I cannot judge a card that I do not know")
        if self.profile.mistake_cards:
            raise Misfit("a mistake card lies before its player for all to see; look what it is")

    def _check_copies(self, cards: Cards) -> None:
        """Refuse cards of which the table would then have more than there are.

        Raises:
            Misfit: naming the card.
        """
        packs = self.profile.packs + self.profile.reserve_packs
        lying = self._lying()
        for card in dict.fromkeys(cards):
            if card is not UNKNOWN and lying.count(card) + cards.count(card) > packs:
                have = "one pack has" if packs == 1 else f"{packs} packs have"
                raise Misfit(f"that would be more of {card.symbol} than {have}")

    def _lying(self) -> Cards:
        """Return the cards that lie where they are seen, and those of the companion's own hand."""
        if self.round is None:
            return ()
        layout, mistakes = self.round.layout, self.round.mistakes
        shown = sum((hand for hands in layout.shown for hand in hands), ())
        return layout.mainline + layout.rejected + shown + sum(mistakes, ()) + self.round.hands[self.party.seat]


def seen_cards(text: str) -> Cards:
    """Read cards as `parse_cards` does, and ``?`` as one that is not known.

    Raises:
        InvalidCard: if a word is neither.
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    return tuple(UNKNOWN if word == str(UNKNOWN) else Card.parse(word) for word in words)
