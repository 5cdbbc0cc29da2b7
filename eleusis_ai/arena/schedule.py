"""The rounds of a tournament in order: each deal's rule and cards, and who sits where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import msgspec

from eleusis_ai.arena.config import DealerSpec, Form, TournamentConfig
from eleusis_ai.arena.line_ups import line_ups
from eleusis_ai.profiles import profile_from
from eleusis_ai.registry import AgentSpec, make_dealer
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from eleusis_ai.seeds import generator

_KEY = re.compile(r"deal (\d+) seating (\d+)(?: round (\d+))?(?: hero (.+))?")


class InvalidKey(ValueError):
    """A text that is not the key of a round of a tournament."""


class NoSuchRound(LookupError):
    """A round that the schedule does not have."""


class Key(NamedTuple):
    """Which round of a tournament.

    >>> str(Key(3, 1)), str(Key(3, 1, hero="tree")), Key.parse("deal 3 seating 1 round 2")
    ('deal 3 seating 1', 'deal 3 seating 1 hero tree', Key(deal=3, seating=1, round=2, hero=None))
    """

    deal: int
    seating: int
    """Which rotation of the line-up; where there is a hero, his chair, counted from the dealer's left from 0."""
    round: int | None = None
    """Which round of a match; None: no match is played."""
    hero: str | None = None
    """The agent whose seat alone is rated; None: all are."""

    def __str__(self) -> str:
        round_ = "" if self.round is None else f" round {self.round}"
        return f"deal {self.deal} seating {self.seating}{round_}{'' if self.hero is None else f' hero {self.hero}'}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a key.

        Raises:
            InvalidKey: if ``text`` is none.
        """
        if (match := _KEY.fullmatch(text)) is None:
            raise InvalidKey(f"{text!r} is not a round of a tournament; one is as in 'deal 3 seating 1'")
        deal, seating, round_, hero = match.groups()
        return cls(int(deal), int(seating), None if round_ is None else int(round_), hero)

    @property
    def dealer(self) -> int:
        """The dealer's seat; in a match it is that of the round."""
        return self.round or 0

    def hero_seat(self, dealer: int, seats: int) -> int | None:
        """Return where the hero sits; None: there is none."""
        return None if self.hero is None else (dealer + 1 + self.seating) % seats


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One round to be played."""

    number: int
    """Its place in the schedule, from 0."""
    key: str
    """What the round is called in the logs, such as ``deal 3 seating 1``."""
    chance: str
    """What deck, lot and picks are named after, such as ``1/deal/3``."""
    rule: Rule
    hint: Hint | None
    dealer: int
    """The dealer's seat."""
    dealer_spec: DealerSpec
    """Who chose the rule and picks cards."""
    line_up: tuple[AgentSpec | None, ...]
    """The agents by seat; None at the dealer's."""
    names: tuple[str, ...]
    """What the record calls each seat; in a match the dealer's is called after the agent that deals."""
    seeds: tuple[str, ...]
    """The agents' seeds by seat; empty at the dealer's."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds of a tournament, numbered from 0: deal by deal, each with its seatings one after the other.

    Nothing is drawn that is not named after its deal, so any part can be laid out without what comes before it.

    >>> from eleusis_ai.arena.config import load_config
    >>> schedule = Schedule(load_config("quick"))
    >>> schedule.rounds, str(schedule.key(10)), schedule.number("deal 3 seating 1")
    (120, 'deal 3 seating 1', 10)
    """

    config: TournamentConfig

    @property
    def rounds(self) -> int:
        """How many rounds there are."""
        return self.config.deals * self.rounds_a_deal

    @property
    def rounds_a_deal(self) -> int:
        """How many rounds are played of each deal."""
        return self.seatings * self._repeats

    @property
    def seatings(self) -> int:
        """How many seatings each deal has."""
        match self.config.schedule:
            case Form.LEAGUE | Form.MATCHES:
                return len(self.config.agents) if self.config.rotate else 1
            case Form.DUPLICATE | Form.GAUNTLET:
                return self.config.chairs

    @property
    def _repeats(self) -> int:
        """How many rounds are played of each seating."""
        match self.config.schedule:
            case Form.DUPLICATE:
                return len(self.config.agents)
            case Form.MATCHES:
                return self.config.seats
            case Form.LEAGUE | Form.GAUNTLET:
                return 1

    def key(self, number: int) -> Key:
        """Return what the round at place ``number`` is called.

        Raises:
            NoSuchRound: if there are fewer.
        """
        if not 0 <= number < self.rounds:
            raise NoSuchRound(
                f"there is no round {number}; the schedule has {self.rounds}, the last is {self.rounds - 1}"
            )
        deal, place = divmod(number, self.rounds_a_deal)
        seating, repeat = divmod(place, self._repeats)
        return Key(
            deal,
            seating,
            round=repeat if self.config.schedule is Form.MATCHES else None,
            hero=self.config.agents[repeat].id if self.config.schedule is Form.DUPLICATE else None,
        )

    def number(self, key: Key | str) -> int:
        """Return the place of a round.

        Raises:
            InvalidKey: if ``key`` is a text that is none.
            NoSuchRound: if the schedule has no such round.
        """
        if isinstance(key, str):
            key = Key.parse(key)
        heroes = [agent.id for agent in self.config.agents]
        repeat = heroes.index(key.hero) if key.hero in heroes else key.round or 0
        number = key.deal * self.rounds_a_deal + key.seating * self._repeats + repeat
        if not 0 <= number < self.rounds or self.key(number) != key:
            raise NoSuchRound(
                f"the schedule has no round {str(key)!r}; the last one is {str(self.key(self.rounds - 1))!r}"
            )
        return number

    def deal_of(self, number: int) -> int:
        """Return the deal of the round at place ``number``.

        Raises:
            NoSuchRound: if there are fewer.
        """
        return self.key(number).deal

    def blocks(self, rounds_each: int) -> Iterator[range]:
        """Yield the numbers of all rounds, in blocks of about ``rounds_each`` that never part a deal."""
        size = max(1, rounds_each // self.rounds_a_deal) * self.rounds_a_deal
        for start in range(0, self.rounds, size):
            yield range(start, min(start + size, self.rounds))

    def tables(self, numbers: Iterable[int]) -> Iterator[Table]:
        """Yield the rounds at the places ``numbers``, which ascend; the rule of a deal is chosen when it is needed.

        Raises:
            NoSuchRound: if there are fewer rounds.
            UnknownPart: if there is no such dealer.
            InvalidOptions: if it does not take its options.
        """
        profile = profile_from(self.config.profile)
        deal, chosen = -1, dict[str, tuple[Rule, Hint | None]]()
        for number in numbers:
            key = self.key(number)
            if key.deal != deal:
                deal = key.deal
                chosen.clear()
            spec, owner = self._dealer(key)
            if owner not in chosen:
                chosen[owner] = make_dealer(spec.use, spec.options).choose(profile, generator(f"{owner}/rule"))
            yield self._table(key, spec, chosen[owner])

    def names(self, key: Key) -> tuple[str, ...]:
        """Return what the record calls each seat: agents by id, and the dealer, unless an agent deals."""
        return self._names(self._seated(key))

    def _names(self, seated: Iterable[AgentSpec | None]) -> tuple[str, ...]:
        return tuple(self.config.dealer.name if each is None else each.id for each in seated)

    def _table(self, key: Key, dealer: DealerSpec, chosen: tuple[Rule, Hint | None]) -> Table:
        chance = f"{self.config.seed}/deal/{key.deal}" + ("" if key.round is None else f"/round/{key.round}")
        seated = self._seated(key)
        names = self._names(seated)
        rule, hint = chosen
        return Table(
            number=self.number(key),
            key=str(key),
            chance=chance,
            rule=rule,
            hint=hint,
            dealer=key.dealer,
            dealer_spec=dealer,
            line_up=tuple(None if seat == key.dealer else each for seat, each in enumerate(seated)),
            names=names,
            seeds=_seeds(key, f"{chance}/seating/{key.seating}", names),
        )

    def _dealer(self, key: Key) -> tuple[DealerSpec, str]:
        """Return who deals, and what his choice of a rule is named after: the deal, or the agent that deals in it."""
        deal = f"{self.config.seed}/deal/{key.deal}"
        if key.round is None:
            return self.config.dealer, deal
        names = self.names(key)[: key.dealer + 1]
        return self.config.dealers.get(names[-1], self.config.dealer), f"{deal}/agent/{names[-1]}{_copy(names)}"

    def _seated(self, key: Key) -> tuple[AgentSpec | None, ...]:
        """Return who sits on each seat, an agent that deals too; None: a dealer who is no agent."""
        agents, others, chairs = self.config.agents, self.config.table, self.config.chairs
        match self.config.schedule:
            case Form.LEAGUE:
                return (None, *self._agents(key))
            case Form.MATCHES:
                return self._agents(key)
            case Form.DUPLICATE | Form.GAUNTLET:
                hero = next((agent for agent in agents if agent.id == key.hero), agents[0])
                (beside,) = line_ups(len(others), chairs - 1, deal=key.deal, rotate=False)
                circle = (hero, *(others[index] for index in beside))
                return (None, *(circle[(chair - key.seating) % chairs] for chair in range(chairs)))

    def _agents(self, key: Key) -> tuple[AgentSpec, ...]:
        agents, rotate = self.config.agents, self.config.rotate
        seatings = line_ups(len(agents), self.config.chairs, deal=key.deal, rotate=rotate)
        return tuple(agents[index] for index in seatings[key.seating])


def _copy(names: Sequence[str]) -> str:
    """Return what tells the last of ``names`` from the same name before it."""
    times = names.count(names[-1])
    return f"/copy/{times}" if times > 1 else ""


def _seeds(key: Key, seating: str, names: Sequence[str]) -> tuple[str, ...]:
    """Name the agents' seeds by seat.

    An agent's second chair at the same table, from the dealer's left, has ``/copy/2`` in its seed, so that two of a
    kind do not play in step. Where there is a hero, seeds are named after chairs, and his is not named after him: so
    whoever the hero is, the others draw the same, and so would his twin.
    """
    seats = len(names)
    seeds = [""] * seats
    seen: list[str] = []
    for chair, seat in enumerate((key.dealer + step) % seats for step in range(1, seats)):
        seen.append(names[seat])
        if key.hero is None:
            seeds[seat] = f"{seating}/agent/{names[seat]}{_copy(seen)}"
        else:
            seeds[seat] = f"{seating}/chair/{chair}/" + ("hero" if chair == key.seating else f"agent/{names[seat]}")
    return tuple(seeds)
