from __future__ import annotations

from random import Random

import numpy as np
import pytest

from eleusis_agents.learners.space import holding, space
from eleusis_ai.cards import CARDS
from eleusis_ai.rules.hints import Hint
from eleusis_ai.rules.language import Rule
from tests.agents.stand_ins import same


def test_size() -> None:
    rules = space()
    assert 20_000 <= len(rules) <= 100_000
    assert rules.nbytes < 100e6
    assert rules.prior.sum() == pytest.approx(1)
    assert (np.diff(rules.prior) <= 0).all(), "the most probable rule comes first"


def test_texts_say_what_the_masks_say() -> None:
    rules, rng = space(), Random(1)
    for index in rng.sample(range(len(rules)), 400):
        rule = Rule.parse(rules.text(index))
        for length in (0, 1, 2, 3, 6):
            line = tuple(rng.choices(CARDS, k=length))
            found = rules.masks(line, rules.guard[[index]], rules.branches[[index]])[0]
            assert found == rule.mask(line), (str(rule), line)


def test_every_guard_says_what_its_text_says() -> None:
    rules, rng = space(), Random(2)
    for number in range(len(rules.guards)):
        index = int(rng.choice(np.flatnonzero(rules.guard == number)))
        for length in range(8):
            line = tuple(rng.choices(CARDS, k=length))
            found = rules.masks(line, rules.guard[[index]], rules.branches[[index]])[0]
            assert found == rules.rule(index).mask(line), (rules.text(index), line)


def test_no_two_conditions_say_the_same() -> None:
    masks = space().conditions.masks
    assert len(np.unique(masks, axis=1).T) == masks.shape[1]


@pytest.mark.parametrize(
    "text",
    [
        "card.color != last.color",
        "card.rank > last.rank or card.suit == last.suit",
        "card.is_red != card.is_face",
        "card.rank <= last.rank if last.is_red else card.rank >= last.rank",
        "card.rank <= 7 if card.is_red else card.rank >= 8",
        "card.is_red if position % 2 == 0 else card.is_black",
        "card.color != mainline[-2].color",
    ],
)
def test_space_has(text: str) -> None:
    rules, wanted, rng = space(), Rule.parse(text), Random(3)
    alike = np.ones(len(rules), np.bool_)
    for _ in range(60):
        line = tuple(rng.choices(CARDS, k=rng.randint(2, 7)))
        alike &= rules.masks(line, rules.guard, rules.branches) == np.uint64(wanted.mask(line))
    (index,) = np.flatnonzero(alike)
    assert same(rules.rule(int(index)), wanted)


@pytest.mark.parametrize(
    ("hint", "true", "false"),
    [
        ("only the card", "card.is_red", "card.color == last.color"),
        ("no ranks", "card.suit == last.suit", "card.is_red if last.is_odd else card.is_black"),
        ("no suits", "card.rank >= last.rank", "card.is_red"),
        ("no position", "card.is_face", "card.is_red if position % 2 == 0 else card.is_black"),
        ("lookback 1", "card.is_odd != last.is_odd", "card.color == mainline[-2].color"),
    ],
)
def test_hints_hold_of(hint: str, true: str, false: str) -> None:
    found, texts = holding(Hint.parse(hint)), [space().text(index) for index in range(len(space()))]
    kept = {text.replace("(", "").replace(")", "") for text, held in zip(texts, found, strict=True) if held}
    assert true in kept
    assert false not in kept
    assert false in {text.replace("(", "").replace(")", "") for text in texts}


def test_what_a_hint_keeps_it_holds_of() -> None:
    rng = Random(4)
    for text in ("only the card", "no ranks", "no suits", "only colors of suits", "lookback 1", "no position"):
        hint = Hint.parse(text)
        for index in rng.sample(np.flatnonzero(holding(hint)).tolist(), 20):
            assert hint.holds(space().rule(index)), (text, space().text(index))
