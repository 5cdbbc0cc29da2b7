"""The words of the space of rules: conditions on a card that are not made of smaller ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from eleusis_agents.learners import glances
from eleusis_agents.learners.glances import Glance
from eleusis_ai.rules import terms
from eleusis_ai.rules.language import Rule


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition on the candidate card."""

    text: str
    """The condition in the rule language."""
    family: str
    """What kind of condition it is; the prior has one weight for a family."""
    joins: bool = True
    """Whether it is joined with every other one that joins."""
    plain: bool = False
    """Whether it is also joined with conditions that look at more than the last card."""
    glance: Glance = glances.last
    """All of the mainline that it looks at."""

    def anchored(self, back: int) -> Atom:
        """Return the same condition on the ``back``-th card from the end where this one looks at ``last``."""
        return replace(self, text=anchored(self.text, back), family=f"{self.family}+back")


def anchored(text: str, back: int) -> str:
    """Return a text of the rule language with ``last`` made the ``back``-th card from the end."""
    return text if back == 1 else re.sub(r"\blast\b", f"mainline[-{back}]", text)


def cards_needed(rule: Rule) -> int:
    """Return how many mainline cards a rule without cases looks at by name, each of which has to be there."""
    return max((-part.index for part in terms.walk(rule.term) if isinstance(part, terms.LineCard)), default=0)


def constants() -> Iterator[Atom]:
    """Yield what is the same for every card."""
    yield Atom("True", "true", joins=False)
    yield Atom("card.rank > 13", "false", joins=False)


def unary() -> Iterator[Atom]:
    """Yield conditions on the candidate alone."""
    for attribute, family in (("red", "color"), ("black", "color"), ("odd", "parity"), ("even", "parity")):
        yield Atom(f"card.is_{attribute}", family, plain=True)
    for attribute in ("face", "prime"):
        yield Atom(f"card.is_{attribute}", attribute, plain=True)
        yield Atom(f"not card.is_{attribute}", f"not-{attribute}", plain=True)
    for suit in "CDHS":
        yield Atom(f"card.suit == {suit}", "suit", plain=True)
        yield Atom(f"card.suit != {suit}", "not-suit", plain=True)
    for pair in ("C, D", "C, H", "D, S", "H, S"):
        yield Atom(f"card.suit in {{{pair}}}", "suit-pair", plain=True)
    for rank in range(1, 13):
        middle = 5 <= rank <= 8
        family = "rank-half" if middle else "rank-end"
        yield Atom(f"card.rank <= {rank}", family, plain=middle)
        yield Atom(f"card.rank > {rank}", family, plain=middle)
    for low in range(2, 12):
        for high in range(low + 1, 13):
            yield Atom(f"{low} <= card.rank <= {high}", "rank-range", joins=2 <= high - low <= 5)
    for rank in range(1, 14):
        yield Atom(f"card.rank == {rank}", "rank-one" if rank in (1, 7, 11, 12, 13) else "rank-any")
        yield Atom(f"card.rank != {rank}", "rank-but", joins=False)
    for modulus in (3, 4, 5):
        for rest in range(modulus):
            zero = "zero" if rest == 0 else "rest"
            yield Atom(f"card.rank % {modulus} == {rest}", f"modulus-{zero}", joins=modulus < 5)
            yield Atom(f"card.rank % {modulus} != {rest}", "modulus-not", joins=modulus == 3)
    for ranks in ("2, 4, 8", "1, 2, 4, 8", "1, 2, 3, 5, 8, 13", "4, 6, 8, 9, 10, 12", "1, 4, 9", "1, 4, 6, 8, 9, 12"):
        yield Atom(f"card.rank in {{{ranks}}}", "rank-set")
        yield Atom(f"card.rank not in {{{ranks}}}", "rank-set", joins=False)


def relations() -> Iterator[Atom]:
    """Yield conditions on the candidate and the last card."""
    for attribute, family in (("color", "color"), ("is_odd", "parity"), ("suit", "suit"), ("is_face", "face")):
        yield Atom(f"card.{attribute} == last.{attribute}", f"same-{family}", plain=True)
        yield Atom(f"card.{attribute} != last.{attribute}", f"other-{family}", plain=True)
    for sign, family in (("==", "same"), ("!=", "other")):
        yield Atom(f"card.rank {sign} last.rank", f"{family}-rank", plain=True)
        yield Atom(f"card.is_prime {sign} last.is_prime", f"{family}-prime")
        for pair in ("H, S", "C, H"):
            yield Atom(f"(card.suit in {{{pair}}}) {sign} (last.suit in {{{pair}}})", f"{family}-suit-pair")
    for sign in ("<", "<=", ">", ">="):
        yield Atom(f"card.rank {sign} last.rank", "order", plain=True)
    yield from _distances()
    for cycle in ("CDHS", "CDSH", "CHDS", "CHSD", "CSDH", "CSHD"):
        yield Atom(f'card.suit == after(last.suit, "{cycle}")', "suit-cycle")
        yield Atom(f'card.suit != after(last.suit, "{cycle}")', "suit-cycle-not")
    yield from _sums()


def _distances() -> Iterator[Atom]:
    for low in range(8):
        for high in range(low, 9):
            if (low, high) == (0, 0):
                continue
            if low == high:
                text = f"abs(card.rank - last.rank) == {low}"
            elif low == 0:
                text = f"abs(card.rank - last.rank) <= {high}"
            else:
                text = f"{low} <= abs(card.rank - last.rank) <= {high}"
            family = "distance-to" if low < 2 else "distance-range"
            yield Atom(text, family, joins=low <= 3 and high <= 6 and low < high, plain=low == 0 and high == 3)
    for low in range(2, 8):
        yield Atom(f"abs(card.rank - last.rank) >= {low}", "distance-from", joins=low < 5, plain=low == 3)
    for step in (1, 2, 3):
        yield Atom(f"card.rank == last.rank + {step}", "step")
        yield Atom(f"card.rank == last.rank - {step}", "step")
    for low in range(1, 13):
        yield Atom(f"(card.rank - last.rank) % 13 in {{{low}, {13 - low}}}", "cyclic-either", joins=low == 1)
        for high in range(low, min(13, low + 8)):
            inner = f"(card.rank - last.rank) % 13 == {low}"
            text = inner if low == high else f"{low} <= (card.rank - last.rank) % 13 <= {high}"
            joins = low == high == 1 or (low <= 5 and 3 <= high - low <= 5)
            yield Atom(text, "cyclic-step" if low == high else "cyclic-range", joins=joins)


def _sums() -> Iterator[Atom]:
    for total in range(6, 22):
        yield Atom(f"card.rank + last.rank <= {total}", "sum", joins=10 <= total <= 16)
        yield Atom(f"card.rank + last.rank > {total}", "sum", joins=10 <= total <= 16)
    for modulus in (3, 4, 5):
        for rest in range(modulus):
            zero = "zero" if rest == 0 else "rest"
            yield Atom(f"(card.rank + last.rank) % {modulus} == {rest}", f"sum-{zero}", joins=modulus == 3)
            yield Atom(f"(card.rank + last.rank) % {modulus} != {rest}", "sum-not", joins=False)
            yield Atom(f"(card.rank - last.rank) % {modulus} == {rest}", f"difference-{zero}", joins=modulus == 3)
            yield Atom(f"(card.rank - last.rank) % {modulus} != {rest}", "difference-not", joins=False)
    for least in (12, 19, 20, 30, 42):
        yield Atom(f"card.rank * last.rank <= {least}", "product", joins=False)
        yield Atom(f"card.rank * last.rank > {least}", "product", joins=False)
    yield Atom("card.rank + last.rank in {2, 3, 5, 7, 11, 13, 17, 19, 23}", "sum-set", joins=False)
    yield Atom("gcd(card.rank, last.rank) == 1", "divides", joins=False)
    yield Atom("gcd(card.rank, last.rank) > 1", "divides", joins=False)


def lines() -> Iterator[Atom]:
    """Yield conditions that look at more than one card of the mainline."""
    for attribute, family in (("suit", "suit"), ("color", "color"), ("rank", "rank"), ("is_odd", "parity")):
        for window in (2, 3):
            yield from _with_opposite(
                f"any(x.{attribute} == card.{attribute} for x in mainline[-{window}:])",
                f"window-{family}",
                glances.seen(attribute, window),
            )
    for attribute in ("color", "is_odd", "suit"):
        text = f"not last.{attribute} == mainline[-2].{attribute} == card.{attribute}"
        yield Atom(text, "no-three", glance=glances.last_of(attribute, 2))
    for modulus in (2, 3):
        for rest in range(modulus):
            text = f"(card.rank + last.rank + mainline[-2].rank) % {modulus} == {rest}"
            yield Atom(text, "sum-of-three", glance=glances.last_sum(2))
    text = "card.rank % 13 == (last.rank + mainline[-2].rank) % 13"
    yield Atom(text, "sum-of-three", glance=glances.last_sum(2))
    for attribute in ("rank", "suit"):
        text = f"any(x.{attribute} == card.{attribute} for x in mainline)"
        yield from _with_opposite(text, "seen", glances.seen(attribute))
    for modulus in (3, 4, 5):
        for rest in range(modulus):
            yield Atom(f"(card.rank - position) % {modulus} == {rest}", "by-position", glance=glances.position)
    yield Atom("card.rank > position", "by-position", glance=glances.position)
    yield Atom("card.rank < position", "by-position", glance=glances.position)
    for modulus in (2, 3):
        for rest in range(modulus):
            text = f"(card.rank + sum(x.rank for x in mainline)) % {modulus} == {rest}"
            yield Atom(text, "by-sum", glance=glances.total("rank"))
    for sign in ("==", "!="):
        text = f"card.is_odd {sign} (count(x.is_red for x in mainline) % 2 == 1)"
        yield Atom(text, "by-count", glance=glances.total("is_red"))


def _with_opposite(text: str, family: str, glance: Glance) -> Iterator[Atom]:
    yield Atom(text, family, glance=glance)
    yield Atom(f"not {text}", family, glance=glance)
