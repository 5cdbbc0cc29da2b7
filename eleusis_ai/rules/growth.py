"""How the numbers in a rule grow with the mainline, and up to where and by which period they must be counted.

A number is a sum of counters, such as ``position``, with fixed factors, and of a rest that stays between two
bounds. Compared with a bounded number, a counter matters up to a threshold; divided by a number, it matters
by a period. Two counters compared with each other would have to be counted for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import NoReturn

from eleusis_ai.rules import terms
from eleusis_ai.rules.extent import Endless, Extent, extent
from eleusis_ai.rules.terms import Term
from eleusis_ai.rules.vocabulary import ATTRIBUTES, CONSTANTS

MOST_COUNTED = 5_000
"""The largest threshold or period that is counted out."""


@dataclass(slots=True)
class Limit:
    """How exactly a counter must be known: itself below ``threshold``, from there on modulo ``period``."""

    threshold: int = 0
    period: int = 1

    def reduce(self, count: int) -> int:
        """Return the number that stands for ``count``."""
        if count < self.threshold:
            return count
        return self.threshold + (count - self.threshold) % self.period


@dataclass(frozen=True, slots=True)
class Form:
    """A number as counters times factors, plus a rest between ``low`` and ``high``."""

    low: Fraction
    high: Fraction
    factors: tuple[tuple[Term, Fraction], ...] = ()
    """No factor is 0."""
    is_wild: bool = False
    """Whether the counters are multiplied with what varies; then only remainders of it are known."""

    @property
    def size(self) -> Fraction:
        """The largest absolute value of the rest."""
        return max(abs(self.low), abs(self.high))

    def __add__(self, other: Form) -> Form:
        factors = dict(self.factors)
        for counter, factor in other.factors:
            factors[counter] = factors.get(counter, Fraction()) + factor
        if self.is_wild or other.is_wild:
            return _wild(self, other)
        kept = tuple((counter, factor) for counter, factor in factors.items() if factor)
        return Form(self.low + other.low, self.high + other.high, kept)

    def __mul__(self, times: Fraction | int) -> Form:
        if not times:
            return _within(0, 0)
        ends = (self.low * times, self.high * times)
        factors = tuple((counter, factor * times) for counter, factor in self.factors)
        return Form(min(ends), max(ends), factors, self.is_wild)

    def __sub__(self, other: Form) -> Form:
        return self + other * -1


def _within(low: Fraction | int, high: Fraction | int) -> Form:
    return Form(Fraction(low), Fraction(high))


def _wild(*forms: Form) -> Form:
    factors = {counter: Fraction(1) for form in forms for counter, _ in form.factors}
    if any(factor.denominator > 1 for form in forms for _, factor in form.factors):
        raise Endless("a quotient of a counter is multiplied with what varies")
    return Form(Fraction(), Fraction(), tuple(factors.items()), is_wild=True)


_TRUTH = _within(0, 1)
_CARD = _within(0, 51)
COUNTED = ("count", "sum", "run", "len")
"""The functions of several values that grow with the line."""


class Growth:
    """Finds the limits up to which the counters in a term matter; ``limits`` holds them afterwards."""

    def __init__(self, term: Term) -> None:
        self.limits: dict[Term, Limit] = {}
        """Counter to limit; a counter is ``position`` or a function of the whole line."""
        self._falling: set[Term] = set()
        self.form(term)

    def limit(self, counter: Term, *, threshold: int = 0, period: int = 1) -> None:
        """Ask that ``counter`` be known at least so exactly.

        Raises:
            Endless: if that is too much to count.
        """
        limit = self.limits.setdefault(counter, Limit())
        limit.threshold = max(limit.threshold, threshold)
        limit.period = lcm(limit.period, period)
        if max(limit.threshold, limit.period) > MOST_COUNTED:
            raise Endless(f"{terms.write(counter)} would have to be counted beyond {MOST_COUNTED:,}")
        if limit.threshold and counter in self._falling:
            raise Endless(f"{terms.write(counter)} may rise and fall for ever")

    def form(self, term: Term) -> Form:
        """Return how ``term`` grows, once all limits inside it are known."""
        match term:
            case terms.Number(value) | terms.Truth(value):
                return _within(int(value), int(value))
            case terms.Symbol(name):
                return _within(CONSTANTS[name].value, CONSTANTS[name].value)
            case terms.Position():
                return self._counter(term)
            case terms.LineCard("rejected"):
                raise Endless("the rule looks at rejected cards")
            case terms.Candidate() | terms.LineCard() | terms.Variable():
                return _CARD
            case terms.Attribute(card, name):
                self.form(card)
                return _within(min(ATTRIBUTES[name].values), max(ATTRIBUTES[name].values))
            case terms.Negative(operand):
                return self.form(operand) * -1
            case terms.Arithmetic(operator, left, right):
                return self._arithmetic(operator, self.form(left), self.form(right))
            case terms.Comparison(first, steps):
                return self._comparison(first, steps)
            case terms.Not() | terms.And() | terms.Or():
                for child in terms.children(term):
                    self.form(child)
                return _TRUTH
            case terms.Choice(test, then, otherwise):
                self.form(test)
                return _either(self.form(then), self.form(otherwise))
            case terms.Entry(terms.Display(items), key):
                self._compare(self.form(key), _within(-len(items), len(items) - 1))
                return self._any_of(items)
            case terms.Entry(terms.Table(keys, values), key):
                self._compare(self.form(key), self._any_of(keys))
                return self._any_of(values)
            case terms.Get(terms.Table(keys, values), key, default):
                self._compare(self.form(key), self._any_of(keys))
                return self._any_of((*values, default))
            case terms.After(suit):
                self.form(suit)
                return _within(0, 3)
            case terms.Call(function, (terms.Each() | terms.Stretch() as many,)):
                return self._of_line(term, function, many)
            case terms.Call(function, (terms.Display(items),)):
                return self._of_several(function, [self.form(item) for item in items])
            case terms.Call("abs", (operand,)):
                form = self.form(operand)
                if not form.factors:
                    return _within(0, form.size)
                self._compare(form, _within(0, 0))
                ((counter, factor),) = form.factors
                return Form(-form.size, form.size, ((counter, abs(factor)),))
            case terms.Call(function, arguments):
                return self._of_several(function, [self.form(argument) for argument in arguments])
            case _:
                raise AssertionError(f"{terms.write(term)} is no single value; the parser keeps it inside one")

    def _any_of(self, some: Sequence[Term]) -> Form:
        return _either(*[self.form(term) for term in some])

    def _counter(self, counter: Term) -> Form:
        self.limits.setdefault(counter, Limit())
        return Form(Fraction(), Fraction(), ((counter, Fraction(1)),))

    def _compare(self, left: Form, right: Form) -> None:
        difference = left - right
        if difference.is_wild or len(difference.factors) > 1:
            _endless(difference)
        for counter, factor in difference.factors:
            self.limit(counter, threshold=int(difference.size / abs(factor)) + 1)

    def _comparison(self, first: Term, steps: Sequence[tuple[str, Term]]) -> Form:
        left = self.form(first)
        for operator, other in steps:
            match other:
                case terms.Stretch() if operator in ("in", "not in"):
                    self._lay_out(other)
                case terms.Each() if operator in ("in", "not in"):
                    self._lay_out(other.stretch)
                    self._compare(left, self._body(other))
                case terms.Display(items) if operator in ("in", "not in"):
                    for item in items:
                        self._compare(left, self.form(item))
                case _:
                    right = self.form(other)
                    self._compare(left, right)
                    left = right
        return _TRUTH

    def _arithmetic(self, operator: str, left: Form, right: Form) -> Form:
        match operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return _product(left, right)
            case "%":
                return self._remainder(left, right)
            case _:
                return self._quotient(left, right)

    def _remainder(self, left: Form, right: Form) -> Form:
        if right.factors:
            if left.factors or left.low < 0 or any(factor < 0 for _, factor in right.factors):
                _endless(right)
            self._compare(right, left)
            return _within(min(Fraction(), right.low), left.high)
        for divisor in _whole_numbers(right) if left.factors else ():
            for counter, factor in left.factors:
                whole = factor.denominator * abs(divisor)
                self.limit(counter, period=whole // gcd(factor.numerator, whole))
        return _within(min(Fraction(), right.low + 1), max(Fraction(), right.high - 1))

    def _quotient(self, left: Form, right: Form) -> Form:
        if right.factors:
            if left.factors:
                _endless(right)
            self._compare(right, left)
            self._compare(right, left * -1)
            return _within(-left.size, left.size)
        if not left.factors:
            return _within(-left.size, left.size)
        divisors = _whole_numbers(right)
        if left.is_wild or len(divisors) != 1:
            _endless(left)
        self._remainder(left, right)
        divisor = divisors[0]
        # A floor takes less than one whole from the fraction, whichever sign the divisor has.
        share = left * Fraction(1, divisor)
        return Form(share.low - 1, share.high, share.factors)

    def _of_several(self, function: str, forms: list[Form]) -> Form:
        match function:
            case "any" | "all":
                return _TRUTH
            case "count" | "sum":
                total = forms[0]
                for form in forms[1:]:
                    total += form
                return total
            case "min" | "max":
                best = forms[0]
                for form in forms[1:]:
                    best = self._best(best, form, least=function == "min")
                return best
            case "len" | "run":
                for place, form in enumerate(forms):
                    for other in forms[:place]:
                        self._compare(form, other)
                return _within(0, len(forms))
            case _:
                return self._divisor(forms)

    def _best(self, one: Form, two: Form, *, least: bool) -> Form:
        """Return the form of the lesser or greater of two: the slower one wins or loses in the end."""
        self._compare(one, two)
        difference = two - one
        grows = bool(difference.factors) and (difference.factors[0][1] > 0)
        if difference.factors and grows != least:
            one, difference = two, difference * -1
        if least:
            return one + _within(min(Fraction(), difference.low), 0)
        return one + _within(0, max(Fraction(), difference.high))

    def _divisor(self, forms: list[Form]) -> Form:
        bounded = [form for form in forms if not form.factors]
        for form in forms:
            if form.factors:
                if not bounded or (bounded[0].low <= 0 <= bounded[0].high):
                    _endless(form)
                self._remainder(form, bounded[0])
        return _within(0, max(form.size for form in bounded))

    def _of_line(self, term: Term, function: str, many: terms.Each | terms.Stretch) -> Form:
        """Return how a function of cards of the line grows."""
        place = self._lay_out(many.stretch if isinstance(many, terms.Each) else many)
        body = self._body(many) if isinstance(many, terms.Each) else _CARD
        if function in ("any", "all"):
            return _TRUTH
        if function == "sum" and body.low < 0:
            self._falling.add(term)
        if place.is_whole and function in COUNTED:
            return self._counter(term)
        if function in ("count", "len", "run"):
            return _within(0, place.most)
        if function == "sum" and not body.factors:
            return _within(min(Fraction(), body.low * place.most), max(Fraction(), body.high * place.most))
        if function == "sum":
            return _wild(body)
        if body.is_wild or (body.factors and function == "gcd"):
            _endless(body)
        return _within(0, body.size) if function == "gcd" else body

    def _body(self, each: terms.Each) -> Form:
        if each.condition is not None:
            self.form(each.condition)
        return self.form(each.body)

    def _lay_out(self, stretch: terms.Stretch) -> Extent:
        place = extent(stretch)
        if place.is_whole and (place.skip or place.step > 1):
            self.limit(terms.Position(), threshold=place.skip + place.delay + 1, period=place.step)
        if place.mixes_ends:
            self.limit(terms.Position(), threshold=place.prefix + 1)
        return place


def _either(*forms: Form) -> Form:
    first = forms[0]
    if any(form.is_wild or dict(form.factors) != dict(first.factors) for form in forms):
        return _wild(*forms)
    return Form(min(form.low for form in forms), max(form.high for form in forms), first.factors)


def _product(left: Form, right: Form) -> Form:
    for one, two in ((left, right), (right, left)):
        if not one.factors and one.low == one.high:
            return two * one.low
    if left.factors or right.factors:
        return _wild(left, right)
    corners = [one * two for one in (left.low, left.high) for two in (right.low, right.high)]
    return _within(min(corners), max(corners))


def _whole_numbers(form: Form) -> list[int]:
    """Return the numbers other than 0 that a bounded number may be."""
    if form.high - form.low > MOST_COUNTED:
        _endless(form)
    return [number for number in range(int(form.low), int(form.high) + 1) if number]


def _endless(form: Form) -> NoReturn:
    names: Iterable[str] = (terms.write(counter) for counter, _ in form.factors)
    raise Endless(f"no bound for {', '.join(names) or 'a number'}")
