"""Hints: true by construction, and read back from their texts."""

from __future__ import annotations

from random import Random

import pytest

from eleusis_ai.cards import CARDS, Card
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.hints import Hint, HintKind, InvalidHint, hints_for
from eleusis_ai.rules.language import Rule

ENTRIES = list(load().values())
HINTS = [Hint(kind) for kind in HintKind if kind is not HintKind.LOOKBACK]
HINTS += [Hint(HintKind.LOOKBACK, cards) for cards in (0, 1, 2, 52)]


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_a_hint_reads_back(hint: Hint) -> None:
    assert Hint.parse(str(hint)) == hint
    assert hint.text.endswith(".")


def test_hints_say_different_things() -> None:
    assert len({hint.text for hint in HINTS}) == len({str(hint) for hint in HINTS}) == len(HINTS)


@pytest.mark.parametrize(
    "text", ["", "no jokers", "lookback", "lookback -1", "lookback 53", "lookback x", "no suits 1"]
)
def test_what_is_not_a_hint_is_refused(text: str) -> None:
    with pytest.raises(InvalidHint, match="is not a hint; write one of only the card, no ranks"):
        Hint.parse(text)


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("card.is_red", "only the card; no ranks; only colors of suits; lookback 0; no position"),
        ("card.rank > 6", "only the card; no suits; only colors of suits; lookback 0; no position"),
        ("card.suit == S", "only the card; no ranks; lookback 0; no position"),
        ("card.color != last.color", "no ranks; only colors of suits; lookback 1; no position"),
        ("card.rank == last.rank", "no suits; only colors of suits; lookback 1; no position"),
        ("card == last or card.is_red", "lookback 1; no position"),
        # Verdicts decide, not spellings.
        ("card.is_red and (last.rank > 3 or last.rank <= 3)",
         "only the card; no ranks; only colors of suits; lookback 0; no position"),
        ("{C: 0, S: 0, D: 1, H: 1}[card.suit] == 1",
         "only the card; no ranks; only colors of suits; lookback 0; no position"),
        ("position % 2 == 0 or card.suit == H", "no ranks; lookback 0"),
        ("mainline[-2].is_red == card.is_odd", "only colors of suits; lookback 2; no position"),
        ("mainline[-2].is_red == card.is_odd if position > 1 else True", "only colors of suits; lookback 2"),
        ("count(x.suit == card.suit for x in mainline) < 3", "no ranks"),
        ("card not in mainline", ""),
        ("run(mainline) < 3", ""),
        ("len(rejected) % 2 == 0 or card.is_red", "no ranks; only colors of suits"),
    ],
)  # fmt: skip
def test_hints_for(text: str, hints: str) -> None:
    assert "; ".join(map(str, hints_for(Rule.parse(text)))) == hints


def twin(card: Card, kind: HintKind, rng: Random) -> Card:
    """Return a card that a rule cannot tell from ``card`` if the hint is true."""
    match kind:
        case HintKind.NO_RANKS:
            return rng.choice([other for other in CARDS if other.suit == card.suit])
        case HintKind.NO_SUITS:
            return rng.choice([other for other in CARDS if other.rank == card.rank])
        case _:
            return rng.choice([other for other in CARDS if (other.rank, other.color) == (card.rank, card.color)])


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_hints_for_published_rules_are_true(entry: CatalogEntry) -> None:
    """Change what a hint says does not matter, at random, and look for another verdict."""
    rng, rule = Random(entry.id), entry.rule
    for hint in hints_for(rule):
        assert hint.holds(rule)
        for _ in range(20):
            line, card = rng.choices(CARDS, k=rng.randrange(3, 9)), rng.choice(CARDS)
            match hint.kind:
                case HintKind.CARD_ONLY:
                    other = rng.choices(CARDS, k=rng.randrange(1, 9))
                case HintKind.LOOKBACK:
                    other = rng.choices(CARDS, k=len(line) - hint.cards) + line[len(line) - hint.cards :]
                case HintKind.NO_POSITION:
                    other = rng.choices(CARDS, k=rng.randrange(9)) + line
                case kind:
                    other = [twin(old, kind, rng) for old in line]
                    assert rule.allows(line, card) == rule.allows(line, twin(card, kind, rng)), (hint, line)
            assert rule.mask(line) == rule.mask(other), (hint, line, other)
