"""What agents got, deal by deal: the rounds of a run added up as they pass, in a few bytes a deal and agent."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from eleusis_ai.arena.outcomes import Outcome, SeatOutcome
from eleusis_ai.arena.schedule import Key


class PartedDeal(ValueError):
    """Rounds of one deal that do not follow one another."""


class Count(msgspec.Struct, kw_only=True):
    """How often something became of one agent's seats."""

    seat_rounds: int = 0
    dealt: int = 0
    won: int = 0
    declared: int = 0
    overthrown: int = 0
    expelled: int = 0
    matches: int = 0
    matches_won: int = 0
    faults: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, seat: SeatOutcome) -> None:
        """Count what became of one seat in one round."""
        self.seat_rounds += 1
        self.dealt += seat.dealt
        self.won += seat.won
        self.expelled += seat.expelled
        if seat.career is not None:
            self.declared += 1
            self.overthrown += seat.career.fell
        if seat.faults:
            self.faults.update(seat.faults)


class DealMeans(NamedTuple):
    """What one agent got in each of its deals: arrays of equal length, in ascending order of the deals."""

    deals: NDArray[np.int32]
    """The deals' numbers."""
    points: NDArray[np.int32]
    """Sums over the agent's seats in all rounds of the deal."""
    seats: NDArray[np.uint16]
    """How many seats that were."""

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean points for a seat in a round, deal by deal."""
        means: NDArray[np.float64] = self.points / self.seats
        return means


class Comparisons(NamedTuple):
    """Who finished before whom, deal by deal; agents are places in a list of K."""

    half_wins: NDArray[np.uint16]
    """Shape (deals, K): twice how often the agent finished before another one, a tie counting half."""
    designs: NDArray[np.float64]
    """Shape (designs, K, K): how often two agents are compared in such a deal, none with itself."""
    design: NDArray[np.uint32]
    """Shape (deals,): which design the deal has."""
    won: NDArray[np.float64]
    """Shape (K, K): how often the row's agent finished before the column's, over all deals, a tie counting half."""


class Tally:
    """What came of the rounds so far.

    Who is compared with whom depends on the round. At a table all rated seats are; the heroes of a duplicate
    schedule are where they had the same deal and chair; the players of a match are by their totals, when all its
    rounds are there.
    """

    heroes: bool
    """Whether some rounds rate only a hero's seat."""

    def __init__(self) -> None:
        self.heroes = False
        self._accounts: dict[str, _Account] = {}
        self._deals = array("i")
        self._design = array("I")
        self._designs: dict[tuple[tuple[int, ...], ...], int] = {}

    @property
    def counts(self) -> dict[str, Count]:
        """How often something became of each agent's seats; agents stand in the order in which they first came."""
        return {agent: account.count for agent, account in self._accounts.items()}

    def add(self, outcomes: Iterable[Outcome]) -> None:
        """Add rounds; those of one deal follow one another.

        Raises:
            InvalidKey: if the key of one is none.
            PartedDeal: if the rounds of a deal do not follow one another.
        """
        keyed = ((Key.parse(outcome.key), outcome) for outcome in outcomes)
        for deal, rounds in groupby(keyed, key=lambda each: each[0].deal):
            self._add_deal(deal, rounds)
        numbers, times = np.unique(np.asarray(self._deals), return_counts=True)
        if (times > 1).any():
            raise PartedDeal(
                f"rounds of deal {numbers[times > 1][0]} stand apart; a log has all rounds of a deal together, as in "
                "'deal 0 seating 0', 'deal 0 seating 1', 'deal 1 seating 0'"
            )

    def deal_means(self) -> dict[str, DealMeans]:
        """Return what each agent got."""
        deals, found = np.asarray(self._deals), {}
        for agent, account in self._accounts.items():
            own = DealMeans(deals[account.rows], np.asarray(account.points), np.asarray(account.seats))
            if (np.diff(own.deals) < 0).any():
                order = np.argsort(own.deals)
                own = DealMeans(own.deals[order], own.points[order], own.seats[order])
            found[agent] = own
        return found

    def comparisons(self) -> Comparisons:
        """Return who finished before whom; agents are numbered as they first came."""
        size = len(self._accounts)
        half_wins = np.zeros((len(self._deals), size), np.uint16)
        won = np.zeros((size, size))
        for account in self._accounts.values():
            half_wins[account.rows, account.place] = account.half_wins
            for other, halves in account.won.items():
                won[account.place, other] = halves / 2
        designs = np.zeros((len(self._designs), size, size))
        for design, contests in enumerate(self._designs):
            for contest in contests:
                present = np.bincount(np.array(contest, np.intp), minlength=size)
                designs[design] += np.outer(present, present)
        designs[:, range(size), range(size)] = 0
        return Comparisons(half_wins, designs, np.asarray(self._design), won)

    def _add_deal(self, deal: int, rounds: Iterable[tuple[Key, Outcome]]) -> None:
        contests: list[Contest] = []
        heroes: dict[int, Contest] = defaultdict(list)
        matches: dict[int, list[Contest]] = defaultdict(list)
        for key, outcome in rounds:
            entrants = [(self._entered(seat), seat.points) for seat in outcome.seats if seat.rated]
            if key.hero is not None:
                heroes[key.seating] += entrants
            elif key.round is not None:
                matches[key.seating].append(_by_seat(entrants, key.round))
            else:
                contests.append(entrants)
        self.heroes |= bool(heroes)
        contests += heroes.values()
        contests += (_totals(match) for match in matches.values() if len(match) == len(match[0]))
        for contest in contests:
            _compare(contest)
        design = tuple(sorted(tuple(sorted(account.place for account, _ in contest)) for contest in contests))
        self._design.append(self._designs.setdefault(design, len(self._designs)))
        for account in self._accounts.values():
            account.close(len(self._deals))
        self._deals.append(deal)

    def _entered(self, seat: SeatOutcome) -> _Account:
        """Enter what became of a seat into its agent's account, and return that."""
        if (account := self._accounts.get(seat.agent)) is None:
            account = self._accounts[seat.agent] = _Account(len(self._accounts))
        account.enter(seat)
        return account


class _Account:
    """One agent's part of a tally: what it got in each closed deal, and in the one that is open."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.count = Count()
        self.won: dict[int, int] = defaultdict(int)
        """By another's place: twice how often this agent finished before it."""
        self.rows, self.points, self.seats, self.half_wins = array("I"), array("i"), array("H"), array("H")
        self.points_here = self.seats_here = self.half_wins_here = 0

    def enter(self, seat: SeatOutcome) -> None:
        self.points_here += seat.points
        self.seats_here += 1
        self.count.add(seat)

    def win(self, other: _Account, halves: int) -> None:
        self.half_wins_here += halves
        self.won[other.place] += halves

    def close(self, row: int) -> None:
        if not self.seats_here:
            return
        self.rows.append(row)
        self.points.append(self.points_here)
        self.seats.append(self.seats_here)
        self.half_wins.append(self.half_wins_here)
        self.points_here = self.seats_here = self.half_wins_here = 0


Contest: TypeAlias = list[tuple[_Account, int]]
"""Who is compared, and what each got; an agent with several seats is there several times."""


def _compare(contest: Contest) -> None:
    """Enter who finished before whom; agents are not compared with themselves."""
    for place, (account, points) in enumerate(contest):
        for other, others in contest[:place]:
            if other is account:
                continue
            if points > others:
                account.win(other, 2)
            elif points < others:
                other.win(account, 2)
            else:
                account.win(other, 1)
                other.win(account, 1)


def _by_seat(entrants: Contest, dealer: int) -> Contest:
    """Turn the players of a round of a match, who are given from the dealer's left, so that seat 0 comes first."""
    start = (-dealer - 1) % len(entrants)
    return entrants[start:] + entrants[:start]


def _totals(match: Sequence[Contest]) -> Contest:
    """Return the players of a whole match with their totals, and count who won it."""
    totals = [(rounds[0][0], sum(points for _, points in rounds)) for rounds in zip(*match, strict=True)]
    best = max(total for _, total in totals)
    for account, total in totals:
        account.count.matches += 1
        account.count.matches_won += total == best
    return totals
