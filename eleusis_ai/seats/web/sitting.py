"""A table's state, which is what its entries make of an empty place: chairs, rounds and totals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from hmac import compare_digest
from typing import assert_never

import msgspec

from eleusis_ai.cards import Card, parse_cards
from eleusis_ai.dealing import Deal, shuffled_deck
from eleusis_ai.events import Event
from eleusis_ai.layout import Cards
from eleusis_ai.moves import parse_move
from eleusis_ai.profiles import Profile
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.starters import Starters
from eleusis_ai.seats.web.entries import (
    AgentSeated,
    ClassOpened,
    Entry,
    InvalidEntry,
    MoveMade,
    PersonJoined,
    PersonLeft,
    RoundBegun,
    RoundVoided,
    RuleGiven,
    StarterTurned,
    TableFounded,
)
from eleusis_ai.seeds import generator


class Phase(Enum):
    """What is going on at a table."""

    GATHERING = "gathering"
    """Chairs fill."""
    DEALING = "dealing"
    """The dealer chooses a rule, and by hand the starters."""
    PLAYING = "playing"
    OVER = "over"
    """A round is over, and the next has not begun."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who has taken a chair."""

    name: str
    token: str
    """The mark of the token by which the person comes back."""


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat at a table."""

    person: Person | None = None
    """Whose chair it is, even while an agent sits in it."""
    agent: str | None = None
    """The agent that sits in it."""

    @property
    def kind(self) -> str:
        """Who answers for it: ``agent``, ``person``, or nobody: ``open``."""
        return "agent" if self.agent is not None else "open" if self.person is None else "person"

    @property
    def name(self) -> str:
        """Who sits in it."""
        if self.agent is not None:
            return self.agent
        return "" if self.person is None else self.person.name


@dataclass(frozen=True, slots=True)
class Who:
    """What somebody is at a table."""

    seat: int | None
    """None: a spectator."""
    host: bool


@dataclass(frozen=True, slots=True)
class Thought:
    """What an agent thought the rule to be when it made a move."""

    move: int
    """Which move of the round, counted from 1."""
    seat: int
    rules: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over."""

    record: Record | None
    """None: it ended before it was dealt."""
    thoughts: tuple[Thought, ...]


class Task(Enum):
    """What the table itself has to do."""

    CHOOSE_RULE = "choose a rule"
    """The program deals."""
    PICK = "pick"
    """A legal card is picked in the dealer's place, where he is a program or no longer there."""
    ASK = "ask"
    """An agent has to decide."""


@dataclass(frozen=True, slots=True)
class Errand:
    """What the table itself has to do next, and in which state."""

    task: Task
    seat: int
    agent: str
    decided: int
    """The number of the entry that led to it."""


class Sitting:
    """One table. ``apply`` entries, and look at what they made of it; nothing else changes it."""

    def __init__(self, founded: TableFounded) -> None:
        self.setting = founded.setting
        self.profile: Profile = founded.setting.way
        self.seed = founded.seed
        self.host = founded.host
        """The mark of the host's token."""
        self.hosts = tuple(filter(None, (founded.host, founded.teacher)))
        """The marks of those who may do what a host may."""
        self.group, self.place = founded.group, founded.place
        """The class to which the table belongs, and its number there."""
        self.chairs = [Chair(agent=agent) for agent in founded.setting.chairs]
        """Who sits where, by seat."""
        self.phase = Phase.GATHERING
        self.number = 1
        """How many entries were applied."""
        self.decided = 1
        """The number of the entry that led to the pending decision."""
        self.dealer = founded.setting.first_dealer
        """Who deals this round, or before the first one will deal."""
        self.round: Round | None = None
        """The round in play, or the last one while the next has not been dealt."""
        self.starters: Starters | None = None
        """The starters, while a dealer who judges by hand finds them."""
        self.void = False
        """Whether the round that is over was ended without points."""
        self.totals = (0,) * founded.setting.seats
        self.played: list[Played] = []
        """The rounds that are over, in order."""
        self.happened: tuple[Event, ...] = ()
        """What the last entry made happen in the round, cards drawn included; those dealt are in the hands."""
        self.rule_is_a_persons = False
        """Whether the rule of the round was given by the person who deals, and not by a program."""
        self._deck: Cards = ()
        self._given = RuleGiven()
        self._substitutes: dict[int, str] = {}
        self._thoughts: list[Thought] = []

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Sitting:
        """Make the table of a log.

        Raises:
            InvalidEntry: if it is none.
        """
        others = iter(entries)
        first = next(others, None)
        if not isinstance(first, TableFounded):
            raise InvalidEntry(f"a log begins with the founding of its table, and not with {type(first).__name__}")
        sitting = cls(first)
        for number, entry in enumerate(others, start=2):
            try:
                sitting.apply(entry)
            except (ValueError, LookupError, AssertionError) as error:
                raise InvalidEntry(f"entry {number}, {type(entry).__name__}, cannot follow: {error}") from error
        return sitting

    # To look at.

    @property
    def rounds(self) -> int:
        """How many rounds have begun."""
        return len(self.played) + (self.phase in (Phase.DEALING, Phase.PLAYING))

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where, by seat."""
        return tuple(chair.name for chair in self.chairs)

    @property
    def by_hand(self) -> bool:
        """Whether a round is in play whose dealer judges by hand."""
        return self.phase is Phase.PLAYING and self.round is not None and self.round.rule is None

    @property
    def next_dealer(self) -> int:
        """Who deals the round after this one."""
        if self.void or not self.played or not self.setting.passes:
            return self.dealer
        return (self.dealer + 1) % self.setting.seats

    def deal_name(self, number: int) -> str:
        """Return the name under which all that is drawn by chance in a round, counted from 1, has its generators."""
        return f"{self.seed}/deal/{number}"

    def who(self, token: str | None) -> Who:
        """Return what the bearer of the token with this mark is; None: of no token."""
        if token is None:
            return Who(None, host=False)
        persons = ((seat, chair.person) for seat, chair in enumerate(self.chairs))
        seats = (seat for seat, person in persons if person is not None and compare_digest(person.token, token))
        return Who(next(seats, None), host=any(compare_digest(each, token) for each in self.hosts))

    def errand(self) -> Errand | None:
        """Return what the table itself has to do; None: it waits for persons."""
        dealer = self.chairs[self.dealer]
        if self.phase is Phase.DEALING and dealer.agent is not None:
            return Errand(Task.CHOOSE_RULE, self.dealer, dealer.agent, self.decided)
        if self.phase is not Phase.PLAYING or self.round is None or self.round.decision is None:
            return None
        seat = self.round.decision.seat
        if seat == self.dealer and self.round.rule is not None and not self.answers(seat):
            return Errand(Task.PICK, seat, "", self.decided)
        agent = self.chairs[seat].agent
        return None if agent is None or seat == self.dealer else Errand(Task.ASK, seat, agent, self.decided)

    def answers(self, seat: int) -> bool:
        """Tell whether it is the person in a chair who answers for it; a program that dealt picks by its own rule."""
        if self.chairs[seat].kind != "person":
            return False
        return seat != self.dealer or self.round is None or self.round.rule is None or self.rule_is_a_persons

    def pick(self) -> Card:
        """Return the card that the program picks as the dealer."""
        assert self.round is not None, "a card is picked in a round"
        name = f"{self.deal_name(self.rounds)}/pick/{len(self.round.moves)}"
        return generator(name).choice(self.round.legal_moves().hand)

    def begun(self) -> RoundBegun:
        """Return the entry that begins the next round."""
        deck = shuffled_deck(self.profile, generator(f"{self.deal_name(len(self.played) + 1)}/deck"))
        return RoundBegun(dealer=self.next_dealer, deck=" ".join(map(str, deck)))

    # Entries.

    def apply(self, entry: Entry) -> None:
        """Do what an entry says.

        Raises:
            InvalidEntry: if it cannot follow the entries so far.
        """
        self.happened = ()
        match entry:
            case TableFounded() | ClassOpened():
                raise InvalidEntry("a table is founded once, by its first entry")
            case PersonJoined(seat, name, token):
                self._seat(seat, replace(self.chairs[seat], person=Person(name, token)))
            case PersonLeft(seat):
                self._seat(seat, replace(self.chairs[seat], person=None))
            case AgentSeated(seat, agent):
                self._seat(seat, replace(self.chairs[seat], agent=agent))
            case RoundBegun():
                self._begin(entry)
            case RuleGiven():
                self._wanted(Phase.DEALING)
                self._given = entry
                self.rule_is_a_persons = self.chairs[self.dealer].agent is None
                self._give_rule()
            case StarterTurned(word):
                self._wanted(Phase.DEALING)
                if self.starters is None or self.starters.card is None:
                    raise InvalidEntry("no card is turned of which to say whether it fits")
                self.starters.say(word)
                self._deal_if_found()
            case MoveMade():
                self._wanted(Phase.PLAYING)
                self._move(entry)
            case RoundVoided():
                self._end(void=True)
            case _:
                assert_never(entry)
        self.number += 1
        if not isinstance(entry, PersonJoined | PersonLeft | AgentSeated):
            self.decided = self.number

    def _wanted(self, phase: Phase) -> None:
        if self.phase is not phase:
            raise InvalidEntry(f"the table is {self.phase.value}, and not {phase.value}")

    def _seat(self, seat: int, chair: Chair) -> None:
        self.chairs[seat] = chair

    def _begin(self, entry: RoundBegun) -> None:
        if self.phase not in (Phase.GATHERING, Phase.OVER):
            raise InvalidEntry(f"the table is {self.phase.value}, and a round begins between rounds")
        self.phase, self.dealer, self.void = Phase.DEALING, entry.dealer, False
        self.round = self.starters = None
        self._deck = parse_cards(entry.deck)
        self._substitutes, self._thoughts = {}, []

    def _give_rule(self) -> None:
        given = self._given
        if given.rule is not None:
            self._deal(Rule.parse(given.rule, starter=given.starter), None)
            return
        self.starters = Starters(
            Deal(profile=self.profile, rule=None, seats=self.setting.seats, dealer=self.dealer, deck=self._deck)
        )
        self._deal_if_found()

    def _deal_if_found(self) -> None:
        if self.starters is not None and self.starters.card is None:
            self._deal(None, self.starters.laid)

    def _deal(self, rule: Rule | None, starters: Cards | None) -> None:
        hint = self._given.hint
        self.round = Round.deal(
            self.profile,
            rule,
            seats=self.setting.seats,
            dealer=self.dealer,
            deck=self._deck,
            starters=starters,
            hint=None if hint is None else Hint.parse(hint),
            rng=generator(f"{self.deal_name(self.rounds)}/lot"),
        )
        self.happened = self.round.events
        self.starters = None
        self.phase = Phase.PLAYING

    def _move(self, entry: MoveMade) -> None:
        round_ = self.round
        assert round_ is not None, "a table that plays has a round"
        assert round_.decision is not None, "a round that is not over asks something"
        seat, number = round_.decision.seat, len(round_.moves) + 1
        self.happened = round_.apply(parse_move(entry.move))
        if entry.fault is not None:
            self._substitutes[number] = entry.fault
        if entry.beliefs:
            self._thoughts.append(Thought(number, seat, entry.beliefs))
        if round_.over:
            self.totals = tuple(map(sum, zip(self.totals, round_.scores(), strict=True)))
            self._end(void=False)

    def _end(self, *, void: bool) -> None:
        if self.phase not in (Phase.DEALING, Phase.PLAYING):
            raise InvalidEntry(f"the table is {self.phase.value}, and a round that goes on may be ended")
        record = None
        if self.round is not None:
            record = msgspec.structs.replace(
                self.round.record(), key=f"round {self.rounds}", agents=self.names, substitutes=self._substitutes
            )
        self.played.append(Played(record, tuple(self._thoughts)))
        self.phase, self.void, self.starters = Phase.OVER, void, None
