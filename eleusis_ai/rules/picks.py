"""What a condition picks out among cards: ``a red card``, ``the same suit as the last card``."""

from __future__ import annotations

from dataclasses import dataclass

from eleusis_ai.rules import terms
from eleusis_ai.rules.plain import MIRRORED, OPPOSITE, PARITY, number_of, plain
from eleusis_ai.rules.terms import Attribute, Comparison, Term
from eleusis_ai.rules.wording import NamedCard, Wording

_FEW = 4
"""How many ranks are named card by card, as in ``an ace or a king``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One condition on a card, in the forms in which sentences need it."""

    noun: str
    """What to play: ``a red card``, ``another suit than the last card``."""
    predicate: str
    """What to say of a card: ``is red``, ``has another suit than the last card``."""
    plural: str | None = None
    """Such cards, without article, to be counted: ``red cards``."""
    only: str | None = None
    """The whole rule: ``only red cards``."""
    brief: str | None = None
    """``noun`` without the card it is compared with."""
    beside: NamedCard | None = None
    """The card it is compared with."""
    joins: str = ""
    """``and`` or ``or`` if it is made of several."""
    agrees: bool = False
    """Whether ``noun`` is of the gender of *card*, so that adjectives may follow it."""
    has: bool = False
    """Whether ``predicate`` is *has* and then ``noun``."""


class Picks:
    """Reads conditions as picks, where they are of a usual shape."""

    def __init__(self, wording: Wording) -> None:
        self.words = wording

    def pick(self, term: Term, card: NamedCard) -> Pick | None:
        """Return what ``term`` demands of ``card``; None if that takes a clause of its own."""
        match plain(term):
            case Attribute(of, name) if of == card:
                return self._quality(name)
            case terms.Not(Attribute(of, name)) if of == card:
                return self._lacking(name)
            case terms.And(items):
                return self._joined(items, card, "and")
            case terms.Or(items):
                return self._joined(items, card, "or")
            case Comparison(Attribute(of, attribute), ((operator, right),)) if of == card:
                return self._compared(attribute, operator, right)
            case Comparison(Attribute(other, attribute), ((operator, Attribute(of, same)),)) if (
                of == card and same == attribute and operator in MIRRORED
            ):
                return self._compared(attribute, MIRRORED[operator], Attribute(other, attribute))
            case Comparison(low, (("<=", Attribute(of, "rank" | "value" as attribute)), ("<=", high))) if of == card:
                return self._range(attribute, low, high)
            case Comparison(terms.Call("abs", (gap,)), ((operator, right),)):
                return self._away(gap, card, operator, right)
            case Comparison(low, (("<=", terms.Call("abs", (gap,))), ("<=", high))):
                return self._away_range(gap, card, low, high)
            case Comparison(terms.Arithmetic("%", Attribute(of, "rank"), by), ((operator, rest),)) if of == card:
                return self._rest(by, operator, rest)
            case terms.Call("any" | "all" as function, (terms.Each(body, variable, stretch, None),)):
                return self._seen(function, plain(body), variable, stretch) if card == terms.Candidate() else None
            case _:
                return None

    def _quality(self, name: str) -> Pick:
        plural = self.words.say(f"plural.{name}")
        return Pick(
            noun=self.words.say(f"noun.{name}"),
            predicate=self.words.say(f"predicate.{name}"),
            plural=plural,
            only=self.words.say("order.only", plural=plural),
            agrees=name != "is_prime",
        )

    def _lacking(self, name: str) -> Pick:
        name_without = name.replace("is_", "not_")
        return Pick(
            noun=self.words.say(f"noun.{name_without}"),
            predicate=self.words.say(f"predicate.{name_without}"),
            only=self.words.say("order.no", plural=self.words.say(f"plural.{name}")),
        )

    def _suit(self, name: str, *, wanted: bool) -> Pick:
        say = self.words.say
        kind, plural = say(f"kind.{name}"), say(f"plural.{name}")
        if wanted:
            noun, predicate = say(f"noun.{name}"), say("predicate.is_", noun=kind)
            return Pick(noun=noun, predicate=predicate, plural=plural, only=say("order.only", plural=plural))
        return self._without(kind, plural)

    def _rank(self, number: int, *, wanted: bool) -> Pick:
        noun, plural = self.words.card_of_rank(number), self.words.cards_of_rank(number)
        if not wanted:
            return self._without(noun, plural)
        only = self.words.say("order.only", plural=plural)
        return Pick(noun=noun, predicate=self.words.say("predicate.is_", noun=noun), only=only)

    def _without(self, kind: str, plural: str) -> Pick:
        """Return the pick of all cards but those of a kind."""
        predicate = self.words.say("predicate.is_not", noun=kind)
        only = self.words.say("order.no", plural=plural)
        return Pick(noun=self.words.say("noun.that", predicate=predicate), predicate=predicate, only=only)

    def _having(self, noun: str, plural: str | None = None, only: str | None = None) -> Pick:
        if plural is not None:
            only = self.words.say("order.only", plural=plural)
        return Pick(noun=noun, predicate=self.words.say("predicate.has", noun=noun), only=only, has=True)

    def _beside(self, relation: str, card: NamedCard, *, brief: bool = False, **slots: str | int) -> Pick:
        words = self.words
        noun = words.say(f"beside.{relation}", card=words.card(card), of=words.of(card), **slots)
        return Pick(
            noun=noun,
            predicate=words.say("predicate.has", noun=noun),
            brief=words.say(f"brief.{relation}") if brief else None,
            beside=card,
            has=True,
        )

    def _compared(self, attribute: str, operator: str, right: Term) -> Pick | None:
        equal = operator in ("==", "in")
        words, say = self.words, self.words.say
        match attribute, operator, right:
            case _, _, Attribute(terms.Candidate() | terms.LineCard() | terms.Variable() as other, same) if (
                same == attribute and attribute in ("rank", "value", "suit", "color", PARITY)
            ):
                return self._beside(f"{attribute} {operator}", other, brief=True)
            case "suit", "==" | "!=", terms.Symbol(name):
                return self._suit(name, wanted=equal)
            case "suit", "==" | "!=", terms.After(
                Attribute(terms.Candidate() | terms.LineCard() | terms.Variable() as other, "suit"), cycle
            ):
                return self._beside("cycle" if equal else "off_cycle", other, list=words.cycle(cycle))
            case "suit", "in", terms.Display(items) if all(isinstance(item, terms.Symbol) for item in items):
                names = [item.name for item in items if isinstance(item, terms.Symbol)]
                kinds = [say(f"kind.{name}") for name in names]
                noun = words.joined([say(f"noun.{names[0]}"), *kinds[1:]], "or")
                predicate = say("predicate.is_", noun=words.joined(kinds, "or"))
                listed = words.joined([say(f"name.{name}") for name in names], "and")
                return Pick(noun=noun, predicate=predicate, only=say("order.only_suits", list=listed))
            case "rank", "in" | "not in", terms.Display(items):
                return self._listed(operator, [number_of(item) for item in items])
            case "rank", "==", terms.Arithmetic(
                "+" | "-" as sign,
                Attribute(terms.Candidate() | terms.LineCard() | terms.Variable() as other, "rank"),
                terms.Number(step),
            ):
                return self._beside("up" if sign == "+" else "down", other, n=step)
            case "rank" | "value", _, _ if (number := number_of(right)) is not None and operator in OPPOSITE:
                return self._numbered(attribute, operator, number)
            case _:
                return None

    def _listed(self, operator: str, numbers: list[int | None]) -> Pick | None:
        ranks = [number for number in numbers if number is not None]
        if len(ranks) < len(numbers):
            return None
        words, say = self.words, self.words.say
        if operator == "in":
            listed = words.joined([words.rank(rank) for rank in ranks], "and")
            only = say("order.only_ranks", list=listed)
            if len(ranks) > _FEW or not all(1 <= rank <= 13 for rank in ranks):
                return self._having(say("rank.in", list=listed), only=only)
            noun = words.joined([words.card_of_rank(rank) for rank in ranks], "or")
            return Pick(noun=noun, predicate=say("predicate.is_", noun=noun), only=only)
        listed = words.joined([words.limit(rank) for rank in ranks], "or")
        return self._having(say("rank.not in", list=listed), say("ranks.not in", list=listed))

    def _numbered(self, attribute: str, operator: str, number: int) -> Pick | None:
        words, say = self.words, self.words.say
        if operator in ("in", "not in"):
            return None
        if attribute == "value":
            return self._having(say(f"value.{operator}", n=number))
        if operator not in ("==", "!="):
            limit = words.limit(number)
            return self._having(say(f"rank.{operator}", n=limit), say(f"ranks.{operator}", n=limit))
        if 1 <= number <= 13:
            return self._rank(number, wanted=operator == "==")
        return self._having(say(f"rank.{operator}", n=number))

    def _range(self, attribute: str, low: Term, high: Term) -> Pick | None:
        least, most = number_of(low), number_of(high)
        if least is None or most is None:
            return None
        if attribute == "value":
            return self._having(self.words.say("value.range", low=least, high=most))
        bounds = {"low": self.words.limit(least), "high": self.words.limit(most)}
        return self._having(self.words.say("rank.range", **bounds), self.words.say("ranks.range", **bounds))

    def _rest(self, by: Term, operator: str, rest: Term) -> Pick | None:
        divisor, left = number_of(by), number_of(rest)
        if divisor is None or left is None or operator not in ("==", "!="):
            return None
        name = ("divisible", "indivisible") if left == 0 else ("rest", "no_rest")
        chosen = name[operator == "!="]
        slots = {"by": divisor, "rest": left}
        return self._having(self.words.say(f"rank.{chosen}", **slots), self.words.say(f"ranks.{chosen}", **slots))

    def _away(self, gap: Term, card: NamedCard, operator: str, right: Term) -> Pick | None:
        other, distance = _across(gap, card), number_of(right)
        if other is None or distance is None or operator in ("in", "not in"):
            return None
        match operator:
            case "<":
                return self._beside("away <=", other, n=distance - 1)
            case ">":
                return self._beside("away >=", other, n=distance + 1)
            case _:
                return self._beside(f"away {operator}", other, n=distance)

    def _away_range(self, gap: Term, card: NamedCard, low: Term, high: Term) -> Pick | None:
        other, least, most = _across(gap, card), number_of(low), number_of(high)
        if other is None or least is None or most is None:
            return None
        return self._beside("away_range", other, low=least, high=most)

    def _seen(self, function: str, body: Term, variable: str, stretch: terms.Stretch) -> Pick | None:
        """Return the pick of a suit or rank that lies somewhere already, or does not yet."""
        match body:
            case Comparison(
                Attribute(terms.Candidate(), "suit" | "rank" as attribute),
                (("==" | "!=" as operator, Attribute(terms.Variable(name), same)),),
            ) if same == attribute and name == variable and (operator == "==") == (function == "any"):
                seen = "seen" if function == "any" else "new"
                among = self.words.among(stretch)
                return self._having(self.words.say(f"beside.{seen} {attribute}", among=among))
            case _:
                return None

    def _joined(self, items: tuple[Term, ...], card: NamedCard, word: str) -> Pick | None:
        found = [self.pick(item, card) for item in items]
        parts = [part for part in found if part is not None]
        if len(parts) < len(found) or (word == "and" and any(part.joins for part in parts)):
            return None
        words = self.words
        joint = "or_else" if any(part.joins for part in parts) else word
        nouns, beside = [part.noun for part in parts], parts[0].beside
        brief = None
        if beside is not None and all(part.beside == beside and part.brief for part in parts):
            shortened = [part.brief or part.noun for part in parts]
            nouns[:-1] = shortened[:-1]
            brief = words.joined(shortened, joint)
        noun = words.joined(nouns, joint)
        has = all(part.has for part in parts)
        predicate = words.joined([part.predicate for part in parts], joint)
        if has:
            predicate = words.say("predicate.has", noun=noun)
        if word == "or":
            return Pick(
                noun=noun, predicate=predicate, brief=brief, beside=beside if brief else None, joins=word, has=has
            )
        head = next((part for part in parts if part.agrees), None)
        if head is None:
            return Pick(noun=words.say("noun.that", predicate=predicate), predicate=predicate, joins=word)
        rest = words.joined([part.predicate for part in parts if part is not head], word)
        return Pick(noun=words.say("noun.who", noun=head.noun, predicate=rest), predicate=predicate, joins=word)


def _across(gap: Term, card: NamedCard) -> NamedCard | None:
    """Return the card whose rank is subtracted from that of ``card``, or the other way round."""
    match gap:
        case terms.Arithmetic(
            "-",
            Attribute(terms.Candidate() | terms.LineCard() | terms.Variable() as one, "rank"),
            Attribute(terms.Candidate() | terms.LineCard() | terms.Variable() as two, "rank"),
        ):
            return two if one == card else one if two == card else None
        case _:
            return None
