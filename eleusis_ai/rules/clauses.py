"""Any condition as a clause, complete whatever its shape: ``the rank of the card is at most 7``."""

from __future__ import annotations

from typing import TypeGuard

from eleusis_ai.rules import terms
from eleusis_ai.rules.plain import is_truth, number_of, plain
from eleusis_ai.rules.quantities import Quantities
from eleusis_ai.rules.terms import Comparison, Term
from eleusis_ai.rules.wording import NamedCard

_ORDERED = ("==", "!=", "<", "<=", ">", ">=")


class Clauses(Quantities):
    """Writes truth values as clauses, without capital and full stop."""

    def clause(self, term: Term) -> str:
        """Write a truth value."""
        term = plain(term)
        if (told := self._told(term)) is not None:
            return told
        match term:
            case terms.Truth(value):
                return self.say("order.every_card" if value else "order.no_card")
            case terms.Attribute(card, name):
                return self._subject(self.number(card), self.say(f"predicate.{name}"))
            case terms.Not(terms.Attribute(card, name)):
                return self._subject(self.number(card), self.say(f"predicate.{name.replace('is_', 'not_')}"))
            case terms.And(items):
                return self.words.joined([self.part(item) for item in items], "and")
            case terms.Or(items):
                return self.words.joined([self.part(item) for item in items], "or")
            case terms.Choice(test, then, otherwise):
                return self.say(
                    "clause.choice",
                    test=self.part(test),
                    then=self.part(then),
                    otherwise=self.part(otherwise),
                )
            case Comparison(first, steps):
                return self._comparison(first, steps)
            case terms.Call("any" | "all" as function, (terms.Each() as each,)):
                quantity = "clause.for_some" if function == "any" else "clause.for_all"
                return self.say(quantity, each=self.each(each), clause=self.part(each.body))
            case terms.Entry() | terms.Get():
                return self.lookup(term)
            case _:
                raise AssertionError(f"{terms.write(term)} is neither true nor false")

    def part(self, term: Term) -> str:
        """Write a clause to stand inside another one, in parentheses if it could run into its neighbours."""
        text = self.clause(term)
        return text if self._stands_alone(plain(term)) else f"({text})"

    def _stands_alone(self, term: Term) -> bool:
        match term:
            case terms.Attribute() | terms.Truth() | terms.Not(terms.Attribute()):
                return True
            case Comparison(left, ((operator, right),)):
                listed = operator in ("in", "not in") and isinstance(right, terms.Display)
                return not (listed or is_truth(left) or is_truth(right))
            case Comparison():
                return True
            case _:
                return False

    def _told(self, term: Term) -> str | None:
        """Write a clause about one card, or about how many cards; None if ``term`` is of another shape."""
        match term:
            case terms.Call("any" | "all" as function, (terms.Each(body, variable, stretch, None),)):
                found = self.picks.pick(body, terms.Variable(variable))
                if found is None:
                    return None
                quantity = "clause.some_of" if function == "any" else "clause.all_of"
                return self.say(quantity, of=self.words.of_cards(stretch), predicate=found.predicate)
            case Comparison(terms.Call("count", (terms.Each() as each,)), ((operator, right),)):
                return self._counted(each, operator, number_of(right))
        named = list(filter(_is_named, terms.walk(term)))
        card = terms.Candidate() if terms.Candidate() in named else next(iter(named), None)
        if card is None or (found := self.picks.pick(term, card)) is None or found.joins:
            return None
        return self._subject(self.words.card(card), found.predicate)

    def _subject(self, card: str, predicate: str) -> str:
        return self.say("clause.subject", card=card, predicate=predicate)

    def _counted(self, each: terms.Each, operator: str, number: int | None) -> str | None:
        if number is None or each.condition is not None or operator in ("!=", "in", "not in"):
            return None
        found = self.picks.pick(each.body, terms.Variable(each.variable))
        if found is None:
            return None
        number += {"<": -1, ">": 1}.get(operator, 0)
        amount = {"<": "at_most", "<=": "at_most", ">": "at_least", ">=": "at_least", "==": "exactly"}[operator]
        of = self.words.of_cards(each.stretch)
        if number == 1:
            one = "clause.some_of" if amount == "at_least" else f"clause.one_{amount}"
            return self.say(one, of=of, predicate=found.predicate)
        if number < 2 or found.plural is None:
            return None
        among = self.words.among(each.stretch)
        return self.say(f"clause.many_{amount}", n=self.words.amount(number), plural=found.plural, among=among)

    def _comparison(self, first: Term, steps: tuple[tuple[str, Term], ...]) -> str:
        match steps:
            case ((operator, right),):
                return self._link(first, operator, right)
            case (("<=", middle), ("<=", high)):
                return self.say(
                    "clause.range", low=self.number(first), middle=self.number(middle), high=self.number(high)
                )
            case _:
                raise AssertionError(f"{terms.write(Comparison(first, steps))} is not plain")

    def _link(self, left: Term, operator: str, right: Term) -> str:
        equal = operator in ("==", "in")
        match operator, right:
            case "==" | "!=", _ if is_truth(left) and is_truth(right):
                joint = "clause.exactly_when" if equal else "clause.not_both"
                return self.say(joint, one=self.part(left), other=self.part(right))
            case "in" | "not in", terms.Display(items):
                listed = self.words.joined([self.number(item) for item in items], "or" if equal else "and")
                return self.say("clause.one_of" if equal else "clause.none_of", left=self.number(left), list=listed)
            case "in" | "not in", _:
                return self.say(f"clause.{operator}", left=self.number(left), values=self.values(right))
        match left, number_of(right):
            case terms.Arithmetic("%", inner, terms.Number(2)), 0 | 1 as rest if operator in ("==", "!="):
                return self.say("clause.even" if (rest == 0) == equal else "clause.odd", left=self.number(inner))
            case terms.Arithmetic("%", inner, terms.Number(by)), int(rest) if operator in ("==", "!="):
                name = ("divisible", "indivisible") if rest == 0 else ("rest", "no_rest")
                return self.say(f"clause.{name[not equal]}", left=self.number(inner), by=by, rest=rest)
        assert operator in _ORDERED, "membership was said above"
        return self.say(f"clause.{operator}", left=self.number(left), right=self.number(right))


def _is_named(term: Term) -> TypeGuard[NamedCard]:
    return isinstance(term, terms.Candidate | terms.LineCard | terms.Variable)
