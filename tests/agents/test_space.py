from __future__ import annotations

from random import Random

import numpy as np
import pytest

from eleusis_agents.learners.atoms import cards_needed
from eleusis_agents.learners.mirrors import NONE, turned
from eleusis_agents.learners.predicates import sights
from eleusis_agents.learners.restriction import held_by
from eleusis_agents.learners.situations import FREE
from eleusis_agents.learners.space import coarse, space
from eleusis_ai.cards import ALL_CARDS, CARDS, RANKS, Card, cards_of
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule


def test_size() -> None:
    rules = space()
    assert len(rules.predicates) >= 40_000
    assert rules.predicates.local >= 40_000
    assert rules.size > 10**15
    assert rules.nbytes < 20e6


@pytest.mark.parametrize("name", ["guard_prior", "whole_prior", "local_prior", "back_prior"])
def test_priors_are_chances(name: str) -> None:
    for rules in (space(), coarse(space())):
        prior = getattr(rules, name)
        assert (prior >= 0).all()
        assert prior.sum() == pytest.approx(1)


def test_tied_predicates_are_those_that_turn() -> None:
    rules = space()
    assert rules.tied_prior.sum() == pytest.approx(1)
    np.testing.assert_array_equal(rules.tied_prior > 0, turned(rules.predicates) != NONE)
    assert any(guard.is_tied for guard in rules.guards)
    assert not any(guard.is_tied for guard in coarse(rules).guards)


def test_turned_predicates_judge_turned_cards() -> None:
    """What is legal where the ranks run the other way is legal by the partner, its ranks running as usual."""
    predicates, rng = space().predicates, Random(4)
    partners = turned(predicates)
    around = [Card.parse(f"{RANKS[13 - card.rank]}{str(card)[-1]}") for card in CARDS]
    for index in rng.sample(np.flatnonzero(partners != NONE).tolist(), 60):
        one, other = (Rule.parse(predicates.text(row)) for row in (index, partners[index]))
        for last in rng.sample(CARDS, 6):
            legal = {around[card] for card in cards_of(one.mask((last,)))}
            assert legal == set(cards_of(other.mask((around[last],)))), (str(one), str(other))


@pytest.mark.parametrize(
    ("text", "partner"),
    [
        ("card.rank >= last.rank", "card.rank <= last.rank"),
        ("card.rank <= 7", "card.rank > 6"),
        ("card.is_face", "card.rank <= 3"),
        ("card.is_odd", None),
        ("card.rank == last.rank", None),
        ("card.is_prime", None),
    ],
)
def test_turned_predicates(text: str, partner: str | None) -> None:
    predicates = space().predicates
    texts = [predicates.text(index) for index in range(2_000)]
    found = turned(predicates)[texts.index(text)]
    assert (None if found == NONE else texts[found]) == partner


def test_predicates_say_what_their_texts_say() -> None:
    predicates, rng = space().predicates, Random(1)
    lines = [tuple(rng.choices(CARDS, k=length)) for length in (0, 1, 2, 3, 6, 20)]
    masks = [(predicates.masks(line), predicates.local_masks(line)) for line in lines]
    for index in rng.sample(range(len(predicates)), 300):
        rule = Rule.parse(predicates.text(index))
        for line, (whole, local) in zip(lines, masks, strict=True):
            assert whole[index] == rule.mask(line), (str(rule), line)
            if index < predicates.local:
                assert local[index] == rule.mask(line), (str(rule), line)


def test_some_predicates_say_what_all_of_them_say() -> None:
    predicates = space().predicates
    rows = np.arange(3, len(predicates), 97)
    some = predicates.only(rows)
    assert [some.text(index) for index in range(len(some))] == [predicates.text(int(row)) for row in rows]
    for line in ((), CARDS[:1], *sights()[:5]):
        np.testing.assert_array_equal(some.masks(line), predicates.masks(line)[rows])


def test_rules_say_what_their_parts_say() -> None:
    """Each guard's rules, made of texts, against branches and predicates put together."""
    rules, rng = space(), Random(2)
    predicates = rules.predicates
    for number, guard in enumerate(rules.guards):
        chosen = rng.choices(range(1, predicates.local), k=guard.slots)
        if guard.is_tied:
            chosen = [int(rng.choice(np.flatnonzero(rules.tied_prior)))]
        if guard.anchor == 2 and guard.branches == 1:
            chosen = [int(rng.choice(np.flatnonzero(rules.back_prior)))]
        rule = rules.rule(number, chosen)
        for length in range(8):
            line = tuple(rng.choices(CARDS, k=length))
            branch = rules.situations.branches(line)[number]
            slot, reading = guard.readings[branch]
            found = ALL_CARDS if branch == FREE else int(rules.masks(line)[reading][chosen[slot]])
            assert found == rule.mask(line), (str(rule), line)


def test_glances_see_all_that_matters() -> None:
    """Mainlines that look the same at a glance are the same to the rules that take it."""
    rules, rng = space(), Random(3)
    lines = [tuple(rng.choices(CARDS, k=rng.randint(0, 20))) for _ in range(150)]
    for line in lines:
        for guard, branch, tests in zip(
            rules.guards, rules.situations.branches(line), rules.situations.tests, strict=True
        ):
            if all(cards_needed(test) <= len(line) for test in tests):
                holding = [number for number, test in enumerate(tests) if test.mask(line)]
                assert branch == (holding or [len(tests)])[0], (guard.tests, line)
        atoms = rules.predicates.atoms
        for rule, mask in zip(atoms.rules, atoms.answers.after(line), strict=True):
            assert mask == rule.mask(line), (str(rule), line)


def test_no_two_predicates_say_the_same() -> None:
    predicates = space().predicates
    masks = np.stack([predicates.masks(line) for line in sights()])
    assert len(np.unique(masks, axis=1).T) == len(predicates)


@pytest.mark.parametrize(
    "text",
    [
        "card.color != last.color",
        "card.rank > last.rank or card.suit == last.suit",
        "card.is_red == card.is_face",
        "card.rank <= 7 if card.is_red else card.rank >= 8",
        "card.rank <= last.rank if card.is_black else card.rank >= last.rank",
        "card.is_face == last.is_red",
        "card.color != mainline[-2].color",
        "card.suit != last.suit and card.color == last.color",
        "any(x.suit == card.suit for x in mainline[-3:])",
    ],
)
def test_predicates_hold(text: str) -> None:
    predicates, wanted = space().predicates, Rule.parse(text)
    alike = np.ones(len(predicates), np.bool_)
    for line in sights():
        alike &= predicates.masks(line) == np.uint64(wanted.mask(line))
    assert alike.sum() == 1


@pytest.mark.parametrize(
    ("hint", "true", "false"),
    [
        ("only the card", "card.is_red", "card.color == last.color"),
        ("no ranks", "card.suit == last.suit", "card.is_odd"),
        ("no suits", "card.rank >= last.rank", "card.is_red"),
        ("no position", "card.is_face", "card.rank > position"),
        ("lookback 1", "card.is_odd != last.is_odd", "card.color == mainline[-2].color"),
        ("attributes parity color", "card.color != last.color", "card.rank <= 7"),
        ("attributes value", "card.rank <= 7", "card.is_face"),
    ],
)
def test_hints_hold_of_predicates(hint: str, true: str, false: str) -> None:
    _, held, _ = held_by(space(), Hint.parse(hint))
    texts = {space().predicates.text(index): bool(held[index]) for index in range(len(held))}
    assert texts[true]
    assert not texts[false]


def test_what_a_hint_keeps_it_holds_of() -> None:
    rules, rng = space(), Random(4)
    usual = rules.predicates.acceptance[: rules.predicates.local] > 0.3
    for text in ("only the card", "no ranks", "no suits", "only colors of suits", "lookback 1", "attributes parity"):
        hint = Hint.parse(text)
        held = held_by(rules, hint)
        for guard, kept in ((0, held.predicates[: len(usual)] & usual), (1, held.back & usual)):
            for chosen in rng.sample(np.flatnonzero(kept).tolist(), min(2, int(kept.sum()))):
                assert hint.holds(rules.rule(guard, [chosen])), (text, rules.text(guard, [chosen]))
