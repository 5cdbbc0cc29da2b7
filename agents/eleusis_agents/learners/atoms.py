"""The words the space of rules is made of: conditions on a card, each with what it costs in bits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition on the candidate card that is not made of smaller ones."""

    text: str
    """The condition in the rule language; it looks at ``card``, and at ``last`` at most."""
    bits: float
    """Its length: a dealer thinks of it with chance 2 ** -bits, by our guess."""
    joins: bool = True
    """Whether it is also tried in pairs with others."""
    branches: bool = False
    """Whether it is also tried as one branch of a rule with a guard."""
    splits: bool = False
    """Whether it is also tried as what sends the candidate to one of two branches."""


@dataclass(frozen=True, slots=True)
class Guard:
    """What splits situations into branches, each of which has a condition of its own."""

    template: str
    """The rule's text, with the branches' conditions as ``{0}``, ``{1}`` and so on."""
    tests: tuple[str, ...]
    """Rules that hold in the first branch, the second, ...; where none does it is the last branch."""
    bits: float
    """Its length, branches not included."""
    anchor: int = 1
    """Which mainline card the conditions call ``last``: the last one, or the one before."""
    choices: int | None = None
    """How many of the cheapest conditions are tried in a branch; None: all that may stand there."""

    @property
    def branches(self) -> int:
        """How many branches there are."""
        return len(self.tests) + 1


def atoms() -> Iterator[Atom]:
    """Yield every atom; some say the same as others."""
    yield Atom("True", 2.0, joins=False, branches=True)
    yield from _card_atoms()
    yield from _relations()


def _card_atoms() -> Iterator[Atom]:
    for attribute, bits in (("is_red", 2.0), ("is_odd", 2.5), ("is_face", 3.0)):
        yield Atom(f"card.{attribute}", bits, branches=True, splits=True)
    for text, bits in (("card.is_black", 2.0), ("card.is_even", 2.5), ("not card.is_face", 3.5)):
        yield Atom(text, bits, branches=True)
    yield Atom("card.is_prime", 5.0)
    yield Atom("not card.is_prime", 6.0)
    for suit in "CDHS":
        yield Atom(f"card.suit == {suit}", 4.0, branches=True)
        yield Atom(f"card.suit != {suit}", 5.0, branches=True)
    for pair in ("C, D", "C, H", "D, S", "H, S"):
        yield Atom(f"card.suit in {{{pair}}}", 5.5, branches=True)
    for rank in range(1, 13):
        # A dealer halves the pack before he cuts off a corner of it.
        bits = 5.0 + abs(rank - 6.5) / 3
        near = 5 <= rank <= 8
        yield Atom(f"card.rank <= {rank}", bits, branches=near)
        yield Atom(f"card.rank >= {rank + 1}", bits, branches=near)
    for low in range(2, 12):
        for high in range(low + 1, 13):
            yield Atom(f"{low} <= card.rank <= {high}", 8.0, joins=high - low in (2, 3, 4))
    for rank in range(1, 14):
        yield Atom(f"card.rank == {rank}", 7.0)
        yield Atom(f"card.rank != {rank}", 8.0, joins=False)
    for modulus in (3, 4, 5):
        for rest in range(modulus):
            yield Atom(f"card.rank % {modulus} == {rest}", 4.0 + modulus, joins=modulus == 3)


def _relations() -> Iterator[Atom]:
    for attribute, bits in (("color", 2.0), ("suit", 2.5), ("is_odd", 3.0), ("is_face", 4.0), ("rank", 4.0)):
        for sign in ("==", "!="):
            yield Atom(f"card.{attribute} {sign} last.{attribute}", bits, branches=attribute != "is_face")
    for sign in ("<", "<=", ">", ">="):
        yield Atom(f"card.rank {sign} last.rank", 3.0, branches=True)
    for sign in ("==", "!="):
        yield Atom(f"card.is_prime {sign} last.is_prime", 7.0)
        yield Atom(f"(card.suit in {{H, S}}) {sign} (last.suit in {{H, S}})", 7.0)
        yield Atom(f"(card.suit in {{H, C}}) {sign} (last.suit in {{H, C}})", 7.0)
    for distance in range(1, 8):
        yield Atom(f"abs(card.rank - last.rank) <= {distance}", 6.0, branches=distance in (2, 3))
        yield Atom(f"1 <= abs(card.rank - last.rank) <= {distance}", 6.5)
        yield Atom(f"abs(card.rank - last.rank) >= {distance}", 6.0, branches=distance in (2, 3))
        yield Atom(f"abs(card.rank - last.rank) == {distance}", 7.0)
        yield Atom(f"(card.rank - last.rank) % 13 == {distance}", 9.0, joins=distance < 3)
        yield Atom(f"1 <= (card.rank - last.rank) % 13 <= {distance}", 8.5)
        yield Atom(f"1 <= (last.rank - card.rank) % 13 <= {distance}", 8.5)
        yield Atom(f"(card.rank - last.rank) % 13 in {{{distance}, {13 - distance}}}", 8.5, joins=False)
    for cycle in ("CDHS", "CDSH", "CHDS", "CHSD", "CSDH", "CSHD"):
        yield Atom(f'card.suit == after(last.suit, "{cycle}")', 6.5)
    for total in range(6, 22):
        yield Atom(f"card.rank + last.rank <= {total}", 9.0, joins=False)
        yield Atom(f"card.rank + last.rank >= {total}", 9.0, joins=False)
    for modulus in (3, 4, 5):
        for rest in range(modulus):
            yield Atom(f"(card.rank + last.rank) % {modulus} == {rest}", 6.0 + modulus, joins=False)
            yield Atom(f"(card.rank - last.rank) % {modulus} == {rest}", 6.5 + modulus, joins=False)


ALWAYS = Guard("{0}", (), 0.0)
"""No guard: one condition decides everywhere."""


def guards() -> Iterator[Guard]:
    """Yield every guard but `ALWAYS`."""
    for test, bits in (("last.is_red", 2.0), ("last.is_odd", 2.5), ("last.is_face", 3.0), ("last.is_prime", 5.5)):
        yield _if(test, bits)
    for rank in (2, 3, 4, 5, 6, 7, 8, 9, 11):  # up to 10 it is the opposite of a face
        yield _if(f"last.rank <= {rank}", 4.5 + abs(rank - 6.5) / 3)
    for suit in "CDHS":
        yield _if(f"last.suit == {suit}", 5.5, choices=24)
    for pair in ("C, H", "H, S"):
        yield _if(f"last.suit in {{{pair}}}", 6.0, choices=24)
    yield _if("position % 2 == 0", 4.0)
    for rest in range(3):
        yield _if(f"position % 3 == {rest}", 6.0, choices=24)
    yield _if("position % 4 < 2", 7.0, choices=24)
    for attribute, bits in (("is_red", 5.5), ("is_odd", 6.0), ("is_face", 6.5)):
        yield _if(f"mainline[-2].{attribute}", bits, choices=24)
    for attribute, bits in (("color", 5.5), ("suit", 6.5), ("is_odd", 6.0)):
        yield _if(f"last.{attribute} == mainline[-2].{attribute}", bits, choices=24)
    yield _if("last.rank > mainline[-2].rank", 6.0, choices=24)
    thirds = "{0} if position % 3 == 0 else {1} if position % 3 == 1 else {2}"
    yield Guard(thirds, ("position % 3 == 0", "position % 3 == 1"), 5.0, choices=12)
    suits = tuple(f"last.suit == {suit}" for suit in "CDH")
    yield Guard("{{C: {0}, D: {1}, H: {2}, S: {3}}}[last.suit]", suits, 5.0, choices=9)
    yield Guard("{0}", (), 4.0, anchor=2, choices=2_000)


def _if(test: str, bits: float, choices: int | None = None) -> Guard:
    quoted = test.replace("{", "{{").replace("}", "}}")
    return Guard(f"{{0}} if {quoted} else {{1}}", (test,), bits, choices=choices)
