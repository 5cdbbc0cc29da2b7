"""The secret rule: read from a text, written as one, judging cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eleusis_ai.cards import Card
from eleusis_ai.rules import reach, terms
from eleusis_ai.rules.extent import Endless
from eleusis_ai.rules.invalid import InvalidRule
from eleusis_ai.rules.machine import Machine, machine_of, table_machine
from eleusis_ai.rules.memory import Memory
from eleusis_ai.rules.parser import parse
from eleusis_ai.rules.semantics import Verdicts, verdicts
from eleusis_ai.rules.sentence import sentence_of

__all__ = ["InvalidRule", "Rule"]


class Rule:
    """A total, deterministic function from a mainline and a card to legal or not; an immutable value.

    Two rules are equal if their terms and their starter conditions are, whatever their sentences.

    >>> rule = Rule.parse("card.color!=last.color")
    >>> str(rule), rule.lookback, rule.starters
    ('card.color != last.color', 1, 1)
    >>> rule.allows([Card.parse("7H")], Card.parse("QD"))
    False
    """

    __slots__ = (
        *("_hash", "_machine", "_memory", "_sentence", "_signature", "_text", "_verdicts"),
        *("reads_rejected", "starter", "term"),
    )

    term: terms.Term
    """The expression, as terms."""
    starter: Rule | None
    """The condition on the first card, a rule over ``card`` alone; without one the rule itself judges the first
    card, and any card may start if the rule asks for cards that are not there yet."""
    reads_rejected: bool
    """Whether rejected cards count; only some profiles allow that. (Asked for at every verdict, so kept.)"""
    _text: str
    _sentence: str | None
    _hash: int
    _verdicts: Verdicts | None
    _memory: Memory | Endless | None
    _machine: Machine | Endless | None
    _signature: str | None

    def __init__(self, term: terms.Term, starter: Rule | None, sentence: str | None) -> None:
        put = object.__setattr__
        put(self, "term", term)
        put(self, "starter", starter)
        put(self, "reads_rejected", reach.reads_rejected(term))
        put(self, "_sentence", sentence)
        put(self, "_text", terms.write(term))
        put(self, "_hash", hash((self._text, starter)))
        put(self, "_verdicts", None)
        put(self, "_memory", None)
        put(self, "_machine", None)
        put(self, "_signature", None)

    @classmethod
    def parse(cls, text: str, *, starter: str | None = None, sentence: str | None = None) -> Rule:
        """Read a rule, and the condition on the first card if there is one.

        ``sentence`` is the rule in words; without it ``text`` makes one from the terms.

        Raises:
            InvalidRule: if either text is not a rule within the limits.
        """
        first = None if starter is None else cls(parse(starter, card_only=True), None, None)
        return cls(parse(text), first, sentence)

    @property
    def text(self) -> str:
        """The rule as a sentence for people: the one that was given, else one in English made from the terms."""
        if self._sentence is not None:
            return self._sentence
        return self.sentence()

    def sentence(self, language: str = "en") -> str:
        """Return the sentence that the terms make, in ``en``, ``fr``, ``pt`` or ``it``.

        Raises:
            UnknownLanguage: if ``language`` is another one.
        """
        return sentence_of(self.term, None if self.starter is None else self.starter.term, language=language)

    def mask(self, mainline: Sequence[Card], rejected: Sequence[Card] = ()) -> int:
        """Return the 52-bit mask of the cards that are legal after ``mainline``.

        ``rejected`` holds all rejected cards in the order they fell; few rules look at it.
        """
        return (self._verdicts or self._prepare())(mainline, rejected)

    def allows(self, mainline: Sequence[Card], card: Card, rejected: Sequence[Card] = ()) -> bool:
        """Tell whether ``card`` is legal after ``mainline``."""
        return bool(self.mask(mainline, rejected) >> card & 1)

    @property
    def lookback(self) -> int | None:
        """How many of the last mainline cards count; None if the whole line or rejected cards do."""
        return reach.lookback(self.term)

    @property
    def uses_position(self) -> bool:
        """Whether the number of cards on the mainline counts."""
        return reach.uses_position(self.term)

    @property
    def starters(self) -> int:
        """How many starter cards the dealer should lay, so that no absent card is asked for."""
        return reach.starters(self.term)

    @property
    def memory(self) -> Memory | None:
        """What must be remembered of a mainline; None if no finite state is known that decides the verdicts."""
        found = self._memory
        if found is None:
            try:
                found = Memory(self.term)
            except Endless as why:
                found = why.with_traceback(None)
            object.__setattr__(self, "_memory", found)
        return found if isinstance(found, Memory) else None

    @property
    def has_machine(self) -> bool:
        """Whether ``machine`` has been worked out, and there is one."""
        return isinstance(self._machine, Machine)

    @property
    def machine(self) -> Machine | None:
        """The least machine that gives its verdicts from the empty table, worked out when first asked for.

        None if the verdicts depend on more than a finite state, or on one too large.
        """
        found = self._machine
        if found is None:
            try:
                found = self._least_machine()
            except Endless as why:
                found = Endless(str(why))  # without the traceback, which would keep all that was explored
            object.__setattr__(self, "_machine", found)
        return found if isinstance(found, Machine) else None

    def _least_machine(self) -> Machine:
        back = self.lookback
        if back is not None and back <= 1 and not self.uses_position:
            return table_machine(self.mask)
        if self.memory is None:
            raise Endless("the rule remembers more than a finite state")
        return machine_of(self.memory, self.mask)

    @property
    def signature(self) -> str | None:
        """A hash of ``machine``, the same in every process; None if there is no machine.

        Two rules that have one are equivalent from the empty table exactly if their signatures are equal.
        """
        if self._signature is None and self.machine is not None:
            object.__setattr__(self, "_signature", self.machine.signature)
        return self._signature

    def _prepare(self) -> Verdicts:
        prepared = verdicts(self.term, None if self.starter is None else self.starter.term)
        object.__setattr__(self, "_verdicts", prepared)
        return prepared

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a rule cannot be changed; {name!r} stays; parse another rule")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a rule cannot be changed; {name!r} stays; parse another rule")

    def __eq__(self, other: object) -> bool:
        # The canonical text reads back to the same terms, so that comparing it compares them.
        if not isinstance(other, Rule):
            return NotImplemented
        return self._text == other._text and self.starter == other.starter

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        starter = "" if self.starter is None else f", starter={str(self.starter)!r}"
        return f"Rule.parse({self._text!r}{starter})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _read, (self._text, None if self.starter is None else str(self.starter), self._sentence)


def _read(text: str, starter: str | None, sentence: str | None) -> Rule:
    """Make an unpickled rule; a hash depends on the process, so it is not carried over."""
    return Rule.parse(text, starter=starter, sentence=sentence)
