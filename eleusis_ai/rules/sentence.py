"""A rule as a dealer would say it, in one of four languages, made from its terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from eleusis_ai.rules import terms
from eleusis_ai.rules.guards import Guard, Guards, is_negative, looks_only_at
from eleusis_ai.rules.phrases import phrases
from eleusis_ai.rules.picks import Pick
from eleusis_ai.rules.plain import both, either, is_truth, negated, number_of, plain
from eleusis_ai.rules.terms import Candidate, Choice, Comparison, Entry, Get, LineCard, Table, Term
from eleusis_ai.rules.wording import Wording

_ANY = terms.Truth(True)
_NONE = terms.Truth(False)


def sentence_of(term: Term, starter: Term | None, *, language: str = "en") -> str:
    """Return a sentence that says what must hold of a legal card, and one on the first card.

    Raises:
        UnknownLanguage: if ``language`` is not one of ``phrases.LANGUAGES``.

    >>> from eleusis_ai.rules.parser import parse
    >>> sentence_of(parse("card.is_black if last.is_odd else card.is_red"), parse("card.rank == A"))
    'After an odd card play a black card; after an even card, a red card. At the start play an ace.'
    """
    sentences = _sentences(language)
    told = [sentences.whole(term)]
    if starter is not None:
        told.append(sentences.start(starter))
    return " ".join(map(_finished, told))


@cache
def _sentences(language: str) -> _Sentences:
    return _Sentences(Wording(phrases(language)))


def _finished(text: str) -> str:
    first = len(text) - len(text.lstrip("("))
    return f"{text[: first + 1].upper()}{text[first + 1 :]}."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """What a dealer demands."""

    text: str
    """A clause: ``play a red card``."""
    noun: str | None = None
    """What to play, where that is all it says."""
    split: bool = False
    """Whether it has parts of its own."""

    @property
    def inside(self) -> str:
        """The clause, to stand inside another one."""
        return f"({self.text})" if self.split else self.text


class _Sentences(Guards):
    """Writes whole rules."""

    def whole(self, term: Term) -> str:
        """Write a rule, without capital and full stop."""
        found = self.picks.pick(term, Candidate())
        return self._order(term, None).text if found is None or found.only is None else found.only

    def start(self, term: Term) -> str:
        """Write the condition on the first card."""
        return self.say("order.start", order=self._order(term, None).text)

    def _order(self, term: Term, beside: LineCard | None) -> _Order:
        """Write what to play; comparisons with ``beside`` leave it to be understood."""
        term = plain(term)
        if term == _ANY:
            return self._play(self.say("order.any_card"))
        if found := self.picks.pick(term, Candidate()):
            same = found.brief is not None and found.beside == beside
            return self._play(found.brief if same and found.brief else found.noun)
        match _spread(term):
            case Entry() | Get() as look if is_truth(look):
                return self._table(look)
        if choice := _as_choice(term):
            return self._split(choice)
        return _Order(text=self.clause(term), split=isinstance(term, terms.And | terms.Or | Choice))

    def _play(self, noun: str) -> _Order:
        return _Order(text=self.say("order.play", noun=noun), noun=noun)

    def _split(self, choice: Choice) -> _Order:
        """Write a rule that asks for one thing or another."""
        test, then, otherwise = plain(choice.test), choice.then, choice.otherwise
        if is_negative(test) and not is_negative(plain(negated(test))):
            test, then, otherwise = plain(negated(test)), otherwise, then
        if (told := self._by_candidate(test, then, otherwise)) is not None:
            return _Order(text=told, split=True)
        guard = self.guard(test)
        parts = [(guard.holds, self._order(then, guard.beside)), (guard.fails, self._order(otherwise, guard.beside))]
        return self._parts(parts, paused=guard.paused)

    def _parts(self, parts: Sequence[tuple[str, _Order]], *, paused: bool) -> _Order:
        """Join parts, the later ones without their verb if they only name what to play."""
        told = []
        brief = False
        for guard, order in parts:
            if brief and order.noun is not None:
                told.append(self.say("order.paused", guard=guard, order=order.noun))
            else:
                joint = "order.paused" if paused or order.split or order.noun is None else "order.guarded"
                told.append(self.say(joint, guard=guard, order=order.inside))
            brief = order.noun is not None
        return _Order(text=self._listed(told), split=True)

    def _listed(self, parts: Sequence[str]) -> str:
        text = parts[0]
        for part in parts[1:]:
            text = self.say("order.semicolon", head=text, tail=part)
        return text

    def _by_candidate(self, test: Term, then: Term, otherwise: Term) -> str | None:
        """Write a rule that asks different things of, say, red and black cards."""
        one = self.picks.pick(test, Candidate())
        if one is None or one.joins or not looks_only_at(test, Candidate()):
            return None
        opposite = plain(negated(test))
        other = None if is_negative(opposite) else self.picks.pick(opposite, Candidate())
        rest = self.say("order.other_card") if other is None or other.joins else self._card_that(other)
        first = self._verdict(self._card_that(one), then, follows=False)
        second = self._verdict(
            rest, otherwise, follows=first is not None and not isinstance(plain(then), terms.Truth)
        )
        return None if first is None or second is None else self._listed([first, second])

    def _card_that(self, pick: Pick) -> str:
        """Write such a card, in the gender of *card*."""
        return pick.noun if pick.agrees else self.say("noun.that", predicate=pick.predicate)

    def _verdict(self, noun: str, condition: Term, *, follows: bool) -> str | None:
        match plain(condition):
            case terms.Truth(value):
                return self.say("order.right_always" if value else "order.right_never", noun=noun)
        if (found := self.picks.pick(condition, Candidate())) is None:
            return None
        return self.say("order.also_if" if follows else "order.right_if", noun=noun, predicate=found.predicate)

    def _table(self, look: Entry | Get) -> _Order:
        """Write a rule that is a tuple or a table, case by case."""
        match look:
            case Entry(Table(keys, values)) | Get(Table(keys, values)):
                pairs = list(zip(keys, values, strict=True))
            case Entry(terms.Display(items)):
                pairs = list(zip(_places(look.key, len(items)), items, strict=True))
            case _:
                raise AssertionError(f"{terms.write(look)} looks into neither a tuple nor a table")
        guards = [self.guard(Comparison(look.key, (("==", key),))) for key, _ in pairs]
        parts = [self._case(guard, value) for guard, (_, value) in zip(guards, pairs, strict=True)]
        if isinstance(look, Get):
            ending = Guard(holds=self.say("guard.otherwise"), fails="", beside=guards[0].beside)
            parts.append(self._case(ending, look.default))
        return self._parts(parts, paused=guards[0].paused)

    def _case(self, guard: Guard, value: Term) -> tuple[str, _Order]:
        return guard.holds, self._order(value, guard.beside)


def _places(key: Term, number: int) -> list[Term]:
    """Return what the key of a tuple may be."""
    if is_truth(key) and number == 2:
        return [_NONE, _ANY]
    return [terms.Number(place) for place in range(number)]


def _spread(term: Term) -> Term:
    """Return ``card.suit == table[key]`` as the table of ``card.suit == entry``; other terms as they are."""
    match term:
        case Comparison(
            terms.Attribute(Candidate()) as left, ((("==" | "!=" | "<" | "<=" | ">" | ">=") as sign, look),)
        ):
            match look:
                case Entry(Table(keys, values), key) if not _looks_at_candidate(look):
                    return Entry(Table(keys, tuple(_compared(left, sign, value) for value in values)), key)
                case Entry(terms.Display(items, is_set), key) if not _looks_at_candidate(look):
                    return Entry(terms.Display(tuple(_compared(left, sign, item) for item in items), is_set), key)
                case Get(Table(keys, values), key, default) if not _looks_at_candidate(look):
                    table = Table(keys, tuple(_compared(left, sign, value) for value in values))
                    return Get(table, key, _compared(left, sign, default))
    return term


def _compared(left: terms.Attribute, operator: str, right: Term) -> Term:
    number = number_of(right)
    if left.name == "rank" and operator == "==" and number is not None and not 1 <= number <= 13:
        return _NONE
    return plain(Comparison(left, ((operator, right),)))


def _as_choice(term: Term) -> Choice | None:
    """Return a rule of the form *if this, then that*, where it comes to that."""
    match term:
        case Choice():
            return term
        case _ if not isinstance(term, terms.Truth) and not _looks_at_candidate(term):
            return Choice(term, _ANY, _NONE)
        case terms.Or(items) | terms.And(items):
            asked = [item for item in items if _looks_at_candidate(item)]
            given = [item for item in items if not _looks_at_candidate(item)]
            if not asked or not given:
                return None
            if isinstance(term, terms.And):
                return Choice(both(given), both(asked), _NONE)
            return Choice(negated(either(given)), either(asked), _ANY)
        case Comparison(left, (("==" | "!=" as operator, right),)) if is_truth(left) and is_truth(right):
            test, then = (
                (right, left) if _looks_at_candidate(left) and not _looks_at_candidate(right) else (left, right)
            )
            if _looks_at_candidate(test) and not looks_only_at(test, Candidate()):
                test, then = then, test
            if _looks_at_candidate(test) and not looks_only_at(test, Candidate()):
                return None
            if is_negative(plain(test)):
                test, then = negated(test), negated(then)
            opposite = negated(then)
            return Choice(test, then, opposite) if operator == "==" else Choice(test, opposite, then)
        case _:
            return None


def _looks_at_candidate(term: Term) -> bool:
    return Candidate() in terms.walk(term)
