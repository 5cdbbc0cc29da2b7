"""Any value as a noun, complete whatever its shape: ``the sum of the ranks on the mainline``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from eleusis_ai.rules import terms
from eleusis_ai.rules.picks import Picks
from eleusis_ai.rules.plain import is_truth
from eleusis_ai.rules.terms import Term
from eleusis_ai.rules.wording import Wording


class Quantities(ABC):
    """Writes numbers, suits, colours and cards as nouns; conditions inside them are left to ``clause``."""

    def __init__(self, wording: Wording) -> None:
        self.words = wording
        self.say = wording.say
        self.picks = Picks(wording)

    @abstractmethod
    def clause(self, term: Term) -> str:
        """Write a truth value as a clause."""

    @abstractmethod
    def part(self, term: Term) -> str:
        """Write a clause to stand inside another one."""

    def number(self, term: Term) -> str:
        """Write any value as a noun."""
        match term:
            case _ if is_truth(term):
                return self.say("number.truth", clause=self.part(term))
            case terms.Number(value):
                return str(value)
            case terms.Symbol(name):
                return self.say(f"name.{name}")
            case terms.Position():
                return self.say("number.position")
            case terms.Candidate() | terms.LineCard() | terms.Variable():
                return self.words.card(term)
            case terms.Attribute(card, name):
                return self.say(f"number.{name}", of=self._of(card))
            case terms.Negative(operand):
                return self.say("number.negative", operand=self._operand(operand))
            case terms.Arithmetic(operator, left, right):
                return self._arithmetic(operator, left, right)
            case terms.Choice(test, then, otherwise):
                return self.say(
                    "number.choice",
                    test=self.part(test),
                    then=self.number(then),
                    otherwise=self.number(otherwise),
                )
            case terms.Entry() | terms.Get():
                return self.lookup(term)
            case terms.After(suit, cycle):
                inner = f"({self.number(suit)})" if isinstance(suit, terms.After) else self.number(suit)
                return self.say("number.after", suit=inner, list=self.words.cycle(cycle))
            case terms.Call(function, arguments):
                return self._call(function, arguments)
            case _:
                raise AssertionError(f"{terms.write(term)} is no value")

    def _of(self, card: Term) -> str:
        if isinstance(card, terms.Candidate | terms.LineCard | terms.Variable):
            return self.words.of(card)
        return self.say("of_card.chosen", card=self.number(card))

    def _arithmetic(self, operator: str, left: Term, right: Term) -> str:
        if operator in ("//", "%"):
            return self.say(f"number.{operator}", left=self._operand(left), right=self._operand(right))
        # A sum to the left needs no parentheses: one reads from left to right.
        runs_on = operator in "+-" and isinstance(left, terms.Arithmetic) and left.operator in "+-"
        first = self.number(left) if runs_on else self._operand(left)
        return self.say(f"number.{operator}", left=first, right=self._operand(right))

    def _operand(self, term: Term) -> str:
        """Write a noun inside a calculation, in parentheses if it is a calculation itself."""
        return f"({self.number(term)})" if isinstance(term, terms.Arithmetic | terms.Negative) else self.number(term)

    def _call(self, function: str, arguments: tuple[Term, ...]) -> str:
        say, words = self.say, self.words
        match function, arguments:
            case "abs", (terms.Arithmetic("-", left, right),):
                return say("number.difference", left=self._operand(left), right=self._operand(right))
            case "abs", (operand,):
                return say("number.size", operand=self.number(operand))
            case "count", (terms.Each() as each,):
                return self._count(each)
            case "count", (terms.Display(items),):
                return say("number.count_these", list=", ".join(self.part(item) for item in items))
            case "len", (terms.Stretch() as stretch,):
                return say("number.cards", among=words.among(stretch))
            case "len", (terms.Display(items, is_set),):
                listed = words.joined([self.number(item) for item in items], "and")
                return say("number.different", list=listed) if is_set else str(len(items))
            case "run", (terms.Each(terms.Attribute(terms.Variable(one), name), two, stretch, None),) if (
                one == two and name in ("rank", "value", "suit", "color")
            ):
                return say("number.run", attribute=say(f"attribute.{name}"), among=words.among(stretch))
            case "run", (values,):
                return say("number.run_values", values=self.values(values))
            case "sum", (terms.Each(terms.Attribute(terms.Variable(one), "rank"), two, stretch, None),) if one == two:
                return say("number.sum_rank", among=words.among(stretch))
            case _, (values,):
                return say(f"number.{function}", values=self.values(values))
            case _:
                listed = words.joined([self.number(argument) for argument in arguments], "and")
                return say(f"number.{function}", values=listed)

    def _count(self, each: terms.Each) -> str:
        found = self.picks.pick(each.body, terms.Variable(each.variable))
        among = self.words.among(each.stretch)
        if found is not None and found.plural is not None and each.condition is None:
            return self.say("number.count_plural", plural=found.plural, among=among)
        if found is not None and found.has and each.condition is None:
            return self.say("number.count_having", noun=found.noun, among=among)
        clause = self.part(each.body)
        if each.condition is None:
            return self.say("number.count_each", name=each.variable, among=among, clause=clause)
        condition = f"({self.clause(each.condition)})"
        return self.say("number.count_such", name=each.variable, among=among, clause=clause, condition=condition)

    def values(self, term: Term) -> str:
        """Write the values of a generator, tuple or stretch."""
        match term:
            case terms.Each(body):
                return self.say("number.values", noun=self.number(body), each=self.each(term))
            case terms.Display(items):
                return self.words.joined([self.number(item) for item in items], "and")
            case terms.Stretch():
                return self.say("number.stretch", among=self.words.among(term))
            case _:
                return self.number(term)

    def each(self, each: terms.Each) -> str:
        """Write which cards a generator goes through, as in ``card x on the mainline``."""
        among = self.words.among(each.stretch)
        if each.condition is None:
            return self.say("clause.each", name=each.variable, among=among)
        condition = f"({self.clause(each.condition)})"
        return self.say("clause.each_such", name=each.variable, among=among, clause=condition)

    def lookup(self, term: terms.Entry | terms.Get) -> str:
        """Write a look into a tuple or table, case by case."""
        match term:
            case terms.Get(terms.Table(keys, values), key, default):
                cases = [*self._cases(key, keys, values), f"{self.say('guard.otherwise')} {self._value(default)}"]
            case terms.Entry(terms.Table(keys, values), key):
                cases = self._cases(key, keys, values)
            case terms.Entry(terms.Display(items), key):
                cases = self._cases(key, [terms.Number(place) for place in range(len(items))], items)
            case _:
                raise AssertionError(f"{terms.write(term)} looks into neither a tuple nor a table")
        return self.say("number.lookup", cases=", ".join(cases))

    def _cases(self, key: Term, keys: Sequence[Term], values: Sequence[Term]) -> list[str]:
        found = self.number(key)
        pairs = zip(keys, values, strict=True)
        return [
            self.say("number.lookup_case", key=found, number=self.number(one), value=self._value(value))
            for one, value in pairs
        ]

    def _value(self, term: Term) -> str:
        return self.part(term) if is_truth(term) else self.number(term)
