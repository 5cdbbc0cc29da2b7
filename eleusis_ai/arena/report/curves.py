"""Learning curves: how probable agents held the verdicts that came, against the cards they had seen judged."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from eleusis_ai.agent import Explains
from eleusis_ai.arena.report.running import RunningMean
from eleusis_ai.cards import CARDS
from eleusis_ai.charts import Interval
from eleusis_ai.evidence import Verdict, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.moves import parse_move
from eleusis_ai.record import Record
from eleusis_ai.round import Round

EDGES = (0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 40)
"""Judged cards at which a new stretch of a curve begins."""


class Foresight(NamedTuple):
    """What an agent thought just before a card was judged."""

    seen: int
    """Verdicts on single cards that the table had by then."""
    chance: float
    """The probability that it gave to the verdict that came."""
    right: float
    """Whether that was more than one half: 1 or 0; 0.5 for just one half."""
    pack: float | None
    """The mean probability that it gave to the true verdicts on all 52 cards there; None: they are not known."""


class Stretch(NamedTuple):
    """A stretch of a curve: cards judged when so many had been."""

    low: int
    """The least of these numbers."""
    seen: float
    """The mean number of cards judged before."""
    cards: int
    deals: int
    """How many deals they come from."""
    chance: Interval
    right: Interval
    pack: Interval | None

    def __str__(self) -> str:
        return stretch_of(self.low)


def stretch_of(seen: int) -> str:
    """Return what the stretch is called to which a card belongs that was judged after ``seen`` others.

    >>> stretch_of(3), stretch_of(99)
    ('2 to 3', '40 and more')
    """
    place = bisect_right(EDGES, seen)
    return f"{EDGES[-1]} and more" if place == len(EDGES) else f"{EDGES[place - 1]} to {EDGES[place] - 1}"


class Curve:
    """One agent's learning curve."""

    def __init__(self) -> None:
        self.rounds = 0
        """How many rounds it is made of."""
        self._means = defaultdict[tuple[int, str], RunningMean](RunningMean)
        self._seen = defaultdict[int, list[int]](list)

    def add(self, deal: tuple[int, int], foresights: Iterable[Foresight]) -> None:
        """Take in a round."""
        self.rounds += 1
        for seen, chance, right, pack in foresights:
            place = bisect_right(EDGES, seen) - 1
            self._seen[place].append(seen)
            self._means[place, "chance"].add(deal, chance)
            self._means[place, "right"].add(deal, right)
            if pack is not None:
                self._means[place, "pack"].add(deal, pack)

    def stretches(self) -> Iterator[Stretch]:
        """Yield the stretches in which cards were judged."""
        for place in sorted(self._seen):
            seen = self._seen[place]
            yield Stretch(
                low=EDGES[place],
                seen=sum(seen) / len(seen),
                cards=len(seen),
                deals=self._means[place, "chance"].deals,
                chance=self._means[place, "chance"].interval(),
                right=self._means[place, "right"].interval(),
                pack=self._means[place, "pack"].interval() if (place, "pack") in self._means else None,
            )


def foresee(record: Record, seats: Mapping[int, Explains]) -> dict[int, list[Foresight]]:
    """Play a record again, and ask who sits on ``seats`` for beliefs before each card that is judged.

    They are asked for beliefs alone, in order, from all that their seat sees; what they remember of their own
    decisions, if anything, they are not given. Of a string only the first card counts, since beliefs are about the
    next card.

    Raises:
        InvalidRecord: if the record cannot be dealt.
    """
    round_ = record.deal()
    known = len(tuple(evidence(round_.view(record.dealer))))
    found: dict[int, list[Foresight]] = {seat: [] for seat in seats}
    for text in record.moves:
        before = {seat: round_.view(seat) for seat in seats}
        line = round_.layout.mainline
        round_.apply(parse_move(text))
        items = tuple(evidence(round_.view(record.dealer)))
        fresh, past = items[known:], items[:known]
        known = len(items)
        judged = [item for item in fresh if isinstance(item, Verdict) and item.mainline == line]
        if not judged:
            continue
        seen = sum(isinstance(item, Verdict) for item in past)
        truth = _truth(round_, line)
        for seat, agent in seats.items():
            legal = agent.beliefs(before[seat]).legal
            pack = (
                None if truth is None else sum(_given(legal[card], truth >> card & 1) for card in CARDS) / len(CARDS)
            )
            for verdict in judged:
                chance = _given(legal[verdict.card], verdict.legal)
                right = 0.5 if round(chance, 9) == 0.5 else float(chance > 0.5)
                found[seat].append(Foresight(seen, chance, right, pack))
    return found


def _given(chance: float, legal: object) -> float:
    """Return the probability that was given to a verdict by one who held a card legal with ``chance``."""
    return chance if legal else 1 - chance


def _truth(round_: Round, line: Cards) -> int | None:
    """Return the mask of what is legal after ``line``; None: no written rule tells."""
    if round_.rule is None or round_.rule.reads_rejected:
        return None
    return round_.rule.mask(line)
