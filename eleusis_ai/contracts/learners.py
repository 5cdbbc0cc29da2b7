"""What every learner keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from eleusis_ai.agent import Learner
from eleusis_ai.cards import CARDS, cards_text, parse_cards
from eleusis_ai.contracts.broken import ContractBroken, best_first, quiet, told
from eleusis_ai.contracts.tour import RULES, WAYS, tour
from eleusis_ai.evidence import Evidence, HintGiven, NotTheRule, SomeIllegal, SomeLegal, Verdict, evidence
from eleusis_ai.layout import Cards
from eleusis_ai.profiles import Profile
from eleusis_ai.rules.hints import hints_for
from eleusis_ai.rules.language import Rule

DIGITS = 9
"""Digits to which what a learner predicts must agree."""

_LINES: tuple[Cards, ...] = tuple(
    parse_cards(text) for text in ("", "7H", "7H QC", "AS 2D KD KD 10C", "3C 3D 4H QS JS 2D 2H 9C 8D AC AD KS 5S 6H")
)
"""Mainlines after which a learner is asked."""


class LearnerContract:
    """What every learner keeps; a subclass says how to ``make`` it."""

    profiles: Sequence[Profile] = WAYS
    """The ways to play whose evidence the learner is shown."""

    def make(self) -> Learner:
        """Make the learner that is checked."""
        raise NotImplementedError("`make(self)` returns the learner that is to be checked")

    def test_is_made(self) -> None:
        """It is made, with `observe`, `predict`, `sample` and `explain`."""
        with told("made"):
            learner: object = self.make()
        if not isinstance(learner, Learner):
            raise ContractBroken(f"it is {learner!r:.80}, which lacks `observe`, `predict`, `sample` or `explain`")

    def test_predicts_probabilities(self) -> None:
        """It predicts 52 probabilities after any mainline, whatever it was shown."""
        for where, items in self._lessons():
            learner = self.make()
            for part in ([], *_parts(items)):
                _observe(learner, part, where)
                for line in _LINES:
                    _predict(learner, line, where)

    def test_understands_all_evidence(self) -> None:
        """It understands every kind of evidence, by itself."""
        for rule in map(Rule.parse, ("card.is_red", "card.is_odd", RULES[0])):
            for item in _every_kind(rule):
                learner = self.make()
                where = f"shown {_named_item(item)} alone"
                _observe(learner, [item], where)
                for line in _LINES:
                    _predict(learner, line, where)

    def test_bears_contradictions(self) -> None:
        """It bears evidence that no rule explains: a dealer by hand may err."""
        learner = self.make()
        where = "shown a card that was right and then wrong in the same place"
        for card in CARDS[::5]:
            _observe(learner, [Verdict((card,), card, legal=True), Verdict((card,), card, legal=False)], where)
            for line in _LINES:
                _predict(learner, line, where)

    def test_pieces_make_the_whole(self) -> None:
        """It learns the same from evidence item by item and all at once."""
        for where, items in self._lessons():
            one, other = self.make(), self.make()
            _observe(one, items, where)
            for item in items:
                _observe(other, [item], where)
            _same_predictions(one, other, f"{where}: shown all evidence at once, and item by item")

    def test_asking_changes_nothing(self) -> None:
        """It answers the same whatever it was asked before."""
        for where, items in self._lessons():
            asked, unasked = self.make(), self.make()
            for part in _parts(items):
                _observe(asked, part, where)
                _observe(unasked, part, where)
                for line in reversed(_LINES):
                    answer = _predict(asked, line, where)
                    if answer.flags.writeable:
                        answer.fill(0.5)
                with told(where):
                    asked.sample(3)
                    asked.explain()
            _same_predictions(unasked, asked, f"{where}: not asked before, and asked (and the answers written over)")

    def test_same_evidence_same_answers(self) -> None:
        """It answers the same, to 9 digits, as another that was shown the same."""
        for where, items in self._lessons():
            one, other = self.make(), self.make()
            for learner in (one, other):
                _observe(learner, items, where)
            who = f"{where}: two that were shown the same evidence"
            _same_predictions(one, other, who)
            with told(f"{where}, at `sample(7)` and `explain()`"):
                first, again = ((_texts(learner.sample(7)), _texts(learner.explain())) for learner in (one, other))
            for what, texts, others in zip(("sample", "explain"), first, again, strict=True):
                if texts != others:
                    raise ContractBroken(f"{who} {what} {texts:.80} and {others:.80}")

    def test_does_not_lean_on_others(self) -> None:
        """It answers the same whatever others of its class are shown."""
        lessons = list(self._lessons())
        (where, items), (_, others) = lessons[0], lessons[-1]
        alone = self.make()
        _observe(alone, items, where)
        expected = [_predict(alone, line, where) for line in _LINES]
        beside, other = self.make(), self.make()
        for item, elsewhere in zip_longest(items, others):
            for learner, shown in ((beside, item), (other, elsewhere)):
                if shown is not None:
                    _observe(learner, [shown], where)
                    _predict(learner, _LINES[-1], where)
        for line, first in zip(_LINES, expected, strict=True):
            _same_chances(line, first, _predict(beside, line, where), f"{where}: alone, and beside another one")

    def test_samples_rules(self) -> None:
        """It samples as many rules as it is asked for, or None if it has none."""
        for where, items in self._lessons():
            learner = self.make()
            for part in ([], *_parts(items)):
                _observe(learner, part, where)
                for n in (1, 7):
                    with told(f"{where}, at `sample({n})`"):
                        rules: object = learner.sample(n)
                    if rules is None:
                        continue
                    if not isinstance(rules, list) or not all(isinstance(rule, Rule) for rule in rules):
                        raise ContractBroken(
                            f"{where}: `sample({n})` returns {rules!r:.80}; it returns a list of `Rule`, or None"
                        )
                    if len(rules) != n:
                        raise ContractBroken(f"{where}: `sample({n})` returns {len(rules)} rules")

    def test_explains_best_first(self) -> None:
        """It explains what it believes, with weights, best first."""
        for where, items in self._lessons():
            learner = self.make()
            for part in ([], *_parts(items)):
                _observe(learner, part, where)
                with told(f"{where}, at `explain()`"):
                    found: object = learner.explain()
                best_first(found, f"{where}: `explain()`", (Rule, str))

    def test_prints_nothing(self) -> None:
        """It prints nothing: the terminal belongs to the table."""
        with quiet():
            for where, items in self._lessons():
                learner = self.make()
                _observe(learner, items, where)
                _predict(learner, _LINES[-1], where)
                learner.explain()

    def _lessons(self) -> Iterator[tuple[str, list[Evidence]]]:
        """Yield the evidence of whole rounds, each with where it comes from."""
        for profile in self.profiles:
            for text, views in zip(RULES, tour(profile), strict=True):
                yield f"in {profile}, rule {text}", list(evidence(views[-1]))


def _parts(items: list[Evidence]) -> list[list[Evidence]]:
    """Cut evidence into four parts."""
    size = len(items) // 4
    return [items[:size], items[size : 2 * size], items[2 * size : 3 * size], items[3 * size :]]


def _every_kind(rule: Rule) -> Iterator[Evidence]:
    """Yield one item of each kind that is true of ``rule``."""
    line = parse_cards("7H QC")
    right = next(card for card in CARDS if rule.allows(line, card))
    wrong = next(card for card in CARDS if not rule.allows(line, card))
    yield Verdict((), line[0], legal=True)
    yield Verdict(line, right, legal=True)
    yield Verdict(line, wrong, legal=False)
    yield SomeIllegal(((line, wrong), ((*line, wrong), right)))
    yield SomeLegal(line, (wrong, right, wrong))
    yield from map(HintGiven, hints_for(rule))
    yield NotTheRule(Rule.parse("card.is_face"), line)


def _named_item(item: Evidence) -> str:
    return f"the hint {str(item.hint)!r}" if isinstance(item, HintGiven) else f"a {type(item).__name__}"


def _texts(found: list[Rule] | list[tuple[Rule | str, float]] | None) -> str:
    """Write what is sampled or explained, weights to the digits that must agree."""
    pairs = (item if isinstance(item, tuple) else (item, 1.0) for item in found or ())
    return "; ".join(f"{text} ({weight:.{DIGITS}g})" for text, weight in pairs)


def _observe(learner: Learner, items: Iterable[Evidence], where: str) -> None:
    __tracebackhide__ = True
    with told(f"{where}, at `observe`"):
        learner.observe(iter(items))


def _predict(learner: Learner, mainline: Cards, where: str) -> NDArray[np.float64]:
    """Return what a learner predicts, which must be 52 probabilities."""
    __tracebackhide__ = True
    asked = f"{where}, at `predict` after {cards_text(mainline) or 'no card'}"
    with told(asked):
        found: object = learner.predict(mainline)
    if not isinstance(found, np.ndarray):
        raise ContractBroken(f"{asked}: it returns a {type(found).__name__}, not a NumPy array")
    if found.shape != (52,) or found.dtype != np.float64:
        raise ContractBroken(f"{asked}: it returns {found.dtype} of shape {found.shape}, not float64 of shape (52,)")
    for card, chance in zip(CARDS, found.tolist(), strict=True):
        if not 0 <= chance <= 1:
            raise ContractBroken(f"{asked}: it gives {card} the probability {chance}, which is not 0 to 1")
    return found


def _same_predictions(one: Learner, other: Learner, who: str) -> None:
    __tracebackhide__ = True
    for line in _LINES:
        _same_chances(line, _predict(one, line, who), _predict(other, line, who), who)


def _same_chances(line: Cards, first: NDArray[np.float64], again: NDArray[np.float64], who: str) -> None:
    __tracebackhide__ = True
    tolerance = 10.0**-DIGITS
    for card, chance, other in zip(CARDS, first.tolist(), again.tolist(), strict=True):
        if abs(chance - other) > tolerance * max(chance, other, tolerance):
            after = cards_text(line) or "no card"
            raise ContractBroken(f"{who}, after {after}, it predicts {chance:.9g} and {other:.9g} for {card}")
