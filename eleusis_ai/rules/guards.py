"""When a part of a rule holds: ``after a red card``, ``as the 2nd, 4th, 6th … card``, ``from the 3rd card on``."""

from __future__ import annotations

from dataclasses import dataclass

from eleusis_ai.rules import terms
from eleusis_ai.rules.clauses import Clauses
from eleusis_ai.rules.plain import negated, number_of, plain
from eleusis_ai.rules.terms import Comparison, LineCard, Position, Term

LAST = LineCard("mainline", -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard:
    """A condition that splits a rule in two, and how both sides begin."""

    holds: str
    """How the part begins for which it holds."""
    fails: str
    """How the other part begins."""
    beside: LineCard | None = None
    """The card it speaks of, which comparisons may then leave to be understood."""
    paused: bool = False
    """Whether a comma comes after it in every language."""


class Guards(Clauses):
    """Writes the conditions that do not look at the card to be judged."""

    def guard(self, test: Term) -> Guard:
        """Write both sides of a condition."""
        test = plain(test)
        match test:
            case Comparison(Position(), ((">=" | "<=" | ">" | "<" as operator, limit),)):
                found = self._threshold(operator, number_of(limit))
            case Comparison(terms.Arithmetic("%", Position(), by), (("==", rest),)):
                found = self._periodic(number_of(by), number_of(rest))
            case _:
                found = self._after(test)
        if found is not None:
            return found
        runs_on = isinstance(test, terms.Choice | terms.Entry | terms.Get)
        when = self.say("guard.when", clause=self.part(test) if runs_on else self.clause(test))
        return Guard(holds=when, fails=self.say("guard.otherwise"), paused=True)

    def _after(self, test: Term) -> Guard | None:
        """Write a condition on the last card alone."""
        found = self.picks.pick(test, LAST)
        if found is None or found.beside is not None or not looks_only_at(test, LAST):
            return None
        holds, opposite = self.say("guard.after", noun=found.noun), plain(negated(test))
        other = None if is_negative(opposite) else self.picks.pick(opposite, LAST)
        if other is None or other.joins:
            return Guard(holds=holds, fails=self.say("guard.after_other"), beside=LAST)
        return Guard(holds=holds, fails=self.say("guard.after", noun=other.noun), beside=LAST)

    def _threshold(self, operator: str, limit: int | None) -> Guard | None:
        if limit is None:
            return None
        # ``position`` counts the cards before the one to be judged, which is the next.
        first = limit + (operator in (">", "<=")) + 1
        if operator in (">", ">=") and first > 1:
            since = self.say("guard.since", ordinal=self.words.ordinal(first), n=first)
            return Guard(holds=since, fails=self.say("guard.before"))
        if operator in ("<", "<=") and first > 2:
            until = self.say("guard.until", ordinal=self.words.ordinal(first - 1), n=first - 1)
            return Guard(holds=until, fails=self.say("guard.afterwards"))
        return None

    def _periodic(self, by: int | None, rest: int | None) -> Guard | None:
        if by is None or rest is None or not 0 <= rest < by or by < 2:
            return None
        other = self.say("guard.every_other") if by > 2 else self._every(2, 1 - rest)
        return Guard(holds=self._every(by, rest), fails=other)

    def _every(self, by: int, rest: int) -> str:
        listed = ", ".join(self.words.ordinal(rest + 1 + turn * by) for turn in range(3))
        return self.say("guard.every", list=listed)


def is_negative(test: Term) -> bool:
    """Tell whether a condition is better said by its opposite."""
    match test:
        case terms.Not() | Comparison(_, (("!=" | "not in", _),)):
            return True
        case terms.And(items):
            return all(map(is_negative, items))
        case _:
            return False


def looks_only_at(term: Term, card: Term) -> bool:
    """Tell whether ``term`` looks at ``card`` and at nothing else on the table."""
    looked = terms.Candidate | LineCard | terms.Variable | terms.Stretch | Position
    return {part for part in terms.walk(term) if isinstance(part, looked)} == {card}
