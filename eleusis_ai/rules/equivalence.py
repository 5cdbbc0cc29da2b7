"""Whether two rules are the same: proved where their states are finite, by random lines where they are not.

Two rules are the same if they give the same verdict on every card after every mainline that can be reached,
the empty one included. From the empty table any card may be the first, since some profiles turn the starter as
it comes: rules that are the same are so in every profile. The first card's verdict, by which other profiles
choose the starter, counts as a verdict. Every later card is legal; where the rules have agreed so far it does
not matter under which of them. From a mainline in play only what may follow it counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from eleusis_ai.cards import ALL_CARDS, CARDS, Card, cards_of, cards_text
from eleusis_ai.rules.extent import Endless
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.machine import Machine, machine_of
from eleusis_ai.rules.memory import Memory
from eleusis_ai.rules.product import Line, Parting, parting, parting_ahead
from eleusis_ai.seeds import generator

OFTEN = 300
"""Pairs of states gone through one by one for a rule, after which a machine is made for the next comparison."""
SHORT_LINES = 1_000
"""Shortest lines tried one by one where the states are not finite."""
LINES = 100
"""Random lines tried after those."""
STEPS = 30
"""Cards on one of the random lines."""
DRAWS = 120
"""Cards drawn for one of them where rejected cards matter, so that some are rejected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Whether two rules are the same, and how that is known."""

    same: bool
    """Whether they are; unless ``exact``, whether no difference was found."""
    exact: bool
    """Whether all that can be reached was looked at, so that ``same`` is proved and a counterexample is the
    shortest. A counterexample proves a difference in any case."""
    counterexample: tuple[Line, Card] | None = None
    """A mainline and a card that is legal after it by one of the rules alone; None if they are the same."""
    rejected: Line = ()
    """The cards that were rejected before, where a rule looks at them."""

    def __str__(self) -> str:
        if self.counterexample is None:
            return (
                "the same from here, proved" if self.exact else f"no difference in {LINES} random lines; not proved"
            )
        line, card = self.counterexample
        gone = f" ({cards_text(self.rejected)} rejected)" if self.rejected else ""
        where = f"after {cards_text(line)}{gone}" if line or gone else "on the empty table"
        return f"different: {where}, {card} is legal by one of the rules alone"


def equivalent(a: Rule, b: Rule, after: Sequence[Card] | None = None, rejected: Sequence[Card] = ()) -> Equivalence:
    """Tell whether ``a`` and ``b`` are the same from the mainline ``after`` on, or else from the empty table.

    ``rejected`` are the cards rejected so far, which matter where a rule looks at them.

    The answer is exact unless a rule looks at rejected cards, or needs more than a finite state (two counts of
    the whole line compared with each other) or one too large; even then it is if the very next card shows a
    difference. A counterexample is the first, in the order of the cards, among the shortest.
    """
    line = tuple(after or ())
    if a.reads_rejected or b.reads_rejected:
        return _sampled(a, b, line, tuple(rejected))
    if a == b:
        return Equivalence(same=True, exact=True)
    if differing := a.mask(line) ^ b.mask(line):
        return _answer(line, ((), differing))
    if _looks_at_last_alone(a) and _looks_at_last_alone(b):
        return _answer(line, _last_cards(a, b, line))
    try:
        return _answer(line, _parting(a, b, line))
    except Endless:
        return _sampled(a, b, line)


def _looks_at_last_alone(rule: Rule) -> bool:
    return rule.lookback is not None and rule.lookback <= 1 and not rule.uses_position


def _answer(line: Line, found: Parting | None) -> Equivalence:
    if found is None:
        return Equivalence(same=True, exact=True)
    further, differing = found
    return Equivalence(same=False, exact=True, counterexample=((*line, *further), cards_of(differing)[0]))


def _last_cards(a: Rule, b: Rule, line: Line) -> Parting | None:
    """Compare two rules on the last card that agree after ``line`` itself."""
    if not line:
        for card in CARDS:
            if differing := a.mask((card,)) ^ b.mask((card,)):
                return (card,), differing
        return None
    paths: dict[Card, Line] = {line[-1]: ()}
    waiting, seen = [line[-1]], line[-1].bit
    for last in waiting:
        legal = a.mask((last,))
        if differing := legal ^ b.mask((last,)):
            return paths[last], differing
        for card in cards_of(legal & ~seen):
            paths[card] = (*paths[last], card)
            waiting.append(card)
        seen |= legal
    return None


def _parting(a: Rule, b: Rule, line: Line) -> Parting | None:
    """Return the first difference after ``line``; None if there is none.

    Raises:
        Endless: if the states of a rule are not finite, or too many.
    """
    one, two = _memory(a), _memory(b)
    first, second = _ready(a, line), _ready(b, line)
    if first is None or second is None:
        with suppress(Endless):
            return parting_ahead((one, a.mask), (two, b.mask), line)
        first, second = _placed(a, line), _placed(b, line)
    elif not line and a.signature == b.signature:
        return None
    return parting(first, second)


def _memory(rule: Rule) -> Memory:
    if rule.memory is None:
        raise Endless("the rule remembers more than a finite state")
    return rule.memory


def _ready(rule: Rule, line: Line) -> tuple[Machine, int] | None:
    """Return the machine of ``rule`` and its state after ``line``; None if it is not worth its making yet.

    None too if the rule does not allow the line.
    """
    if not rule.has_machine and _memory(rule).followed <= OFTEN:
        return None
    state = None if rule.machine is None else rule.machine.walk(line)
    return None if rule.machine is None or state is None else (rule.machine, state)


def _placed(rule: Rule, line: Line) -> tuple[Machine, int]:
    """Return a machine of ``rule`` and its state after ``line``, which the rule need not allow.

    Raises:
        Endless: if there is none.
    """
    if not all(rule.allows(line[:length], line[length]) for length in range(1, len(line))):
        return _begun(rule, line), 0
    if rule.machine is None:
        raise Endless("the rule has too many states")
    state = rule.machine.walk(line)
    assert state is not None, "a machine follows every line that its rule allows"
    return rule.machine, state


@lru_cache(maxsize=16)
def _begun(rule: Rule, line: Line) -> Machine:
    """Return the machine of ``rule`` begun at ``line``; kept, since many rules may be stated after one line."""
    return machine_of(_memory(rule), rule.mask, line)


@lru_cache(maxsize=64)
def _sampled(a: Rule, b: Rule, line: Line, gone: Line = ()) -> Equivalence:
    """Compare the rules along the shortest lines and some random ones, the same for the same rules."""
    rng = generator(f"equivalent/{'/'.join(sorted((repr(a), repr(b))))}/{cards_text(line)}")
    for mainline, rejected in _tried(a, b, (line, gone), rng):
        if differing := a.mask(mainline, rejected) ^ b.mask(mainline, rejected):
            example = mainline, cards_of(differing)[0]
            return Equivalence(same=False, exact=False, counterexample=example, rejected=rejected)
    return Equivalence(same=True, exact=False)


def _tried(a: Rule, b: Rule, start: tuple[Line, Line], rng: Random) -> Iterator[tuple[Line, Line]]:
    """Yield mainlines, with rejected cards, along which the rules agree if the caller has found no difference."""
    line, gone = start
    waiting = [line]
    for mainline in waiting:
        yield mainline, gone
        legal = a.mask(mainline, gone) if mainline else ALL_CARDS
        room = SHORT_LINES - len(waiting)
        waiting += [(*mainline, card) for card in cards_of(legal)[: max(0, room)]]
    looks_at_rejected = a.reads_rejected or b.reads_rejected
    for _ in range(LINES):
        mainline, rejected = line, gone
        for _ in range(DRAWS if looks_at_rejected else STEPS):
            legal = a.mask(mainline, rejected) if mainline else ALL_CARDS
            if not legal and not looks_at_rejected:
                break
            card = rng.choice(CARDS if looks_at_rejected else cards_of(legal))
            if legal >> card & 1:
                mainline = (*mainline, card)
            else:
                rejected = (*rejected, card)
            yield mainline, rejected
