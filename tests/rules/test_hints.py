"""Hints: true by construction, and read back from their texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

import pytest

from eleusis_ai.cards import CARDS, Card, cards_of, mask_of
from eleusis_ai.rules.catalog import CatalogEntry, load
from eleusis_ai.rules.hints import BANDS, PLAIN_HINTS, Hint, HintKind, InvalidHint, hints_for
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.likeness import ATTRIBUTES, alike_in, likenesses
from eleusis_ai.rules.review import review
from eleusis_ai.rules.sight import sight

ENTRIES = list(load().values())
HINTS = [*PLAIN_HINTS, Hint(HintKind.LOOKBACK, 52)]
HINTS += [Hint(HintKind.ATTRIBUTES, attributes=words) for words in likenesses() if words]
HINTS += [Hint(HintKind.ACCEPTANCE, band=band) for band in (*BANDS, (10, 33), (0, 100))]


@pytest.mark.parametrize("hint", HINTS, ids=str)
def test_a_hint_reads_back(hint: Hint) -> None:
    assert Hint.parse(str(hint)) == hint
    assert hint.text.endswith(".")


def test_hints_say_different_things() -> None:
    assert len({hint.text for hint in HINTS}) == len({str(hint) for hint in HINTS}) == len(HINTS)


@pytest.mark.parametrize(
    "text",
    ["", "no jokers", "no suits 1", "lookback", "lookback -1", "lookback 53", "lookback x", "lookback ²",
     "lookback 1 2", "attributes", "attributes colour", "attributes color 1", "acceptance", "acceptance 25",
     "acceptance 50 25", "acceptance 30 30", "acceptance 50 101", "acceptance 0.2 0.5", "acceptance a 50",
     "acceptance 25 50 75"],
)  # fmt: skip
def test_what_is_not_a_hint_is_refused(text: str) -> None:
    with pytest.raises(InvalidHint, match="is not a hint; write one of only the card, no ranks"):
        Hint.parse(text)


@pytest.mark.parametrize("words", [(), ("colour",), ("color", "parity"), ("color", "color")])
def test_attributes_stand_in_their_order(words: tuple[str, ...]) -> None:
    with pytest.raises(InvalidHint, match="are no attributes of a hint; some of rank, value, parity"):
        Hint(HintKind.ATTRIBUTES, attributes=words)


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("card.is_red", "only the card; no ranks; only colors of suits; lookback 0; no position; attributes color; "
         "acceptance 25 50"),
        ("card.rank > 6", "only the card; no suits; only colors of suits; lookback 0; no position; acceptance 50 75"),
        ("card.suit == S", "only the card; no ranks; lookback 0; no position; acceptance 0 25"),
        ("card.color != last.color", "no ranks; only colors of suits; lookback 1; no position; attributes color; "
         "acceptance 25 50"),
        ("card.rank == last.rank", "no suits; only colors of suits; lookback 1; no position; acceptance 0 25"),
        ("card == last or card.is_red", "lookback 1; no position; acceptance 50 75"),
        # Verdicts decide, not spellings.
        ("card.is_red and (last.rank > 3 or last.rank <= 3)",
         "only the card; no ranks; only colors of suits; lookback 0; no position; attributes color; "
         "acceptance 25 50"),
        ("{C: 0, S: 0, D: 1, H: 1}[card.suit] == 1",
         "only the card; no ranks; only colors of suits; lookback 0; no position; attributes color; "
         "acceptance 25 50"),
        ("position % 2 == 0 or card.suit == H", "no ranks; lookback 0; acceptance 50 75"),
        ("mainline[-2].is_red == card.is_odd",
         "only colors of suits; lookback 2; no position; attributes parity color; acceptance 50 75"),
        ("mainline[-2].is_red == card.is_odd if position > 1 else True",
         "only colors of suits; lookback 2; no position; attributes parity color; acceptance 50 75"),
        ("run(x.color for x in mainline) % 3 == 0 if card.is_red else card.is_prime",
         "only colors of suits; attributes prime color; acceptance 25 50"),
        # What cannot be worked out from verdicts is taken from the terms.
        ("count(x.suit == card.suit for x in mainline) < 3", "no ranks; acceptance 50 75"),
        ("card not in mainline", ""),
        ("run(mainline) < 3", "acceptance 75 100"),
        ("len(rejected) % 2 == 0 or card.is_red", "no ranks; only colors of suits; attributes color"),
    ],
)  # fmt: skip
def test_hints_for(text: str, hints: str) -> None:
    assert "; ".join(map(str, hints_for(Rule.parse(text)))) == hints


@pytest.mark.parametrize(
    ("hint", "sentence"),
    [
        ("attributes color", "Of each card at most its colour matters."),
        ("attributes color parity", "Of each card at most whether it is odd or even and its colour matters."),
        ("acceptance 25 50", "On average between a quarter and half of the cards are right."),
        ("acceptance 10 33", "On average between 10% and 33% of the cards are right."),
        ("lookback 0", "No card of the mainline matters."),
        ("lookback 2", "Of the mainline at most the last 2 cards matter."),
    ],
)
def test_a_hint_is_told_in_a_sentence(hint: str, sentence: str) -> None:
    assert Hint.parse(hint).text == sentence


@pytest.mark.parametrize(
    ("hint", "text", "is_true"),
    [
        ("acceptance 25 50", "card.color != last.color", True),
        ("acceptance 50 75", "card.color != last.color", True),
        ("acceptance 51 75", "card.color != last.color", False),
        ("acceptance 70 80", "card.is_red or card.is_odd", True),
        # Nothing is proved by random lines.
        ("acceptance 0 100", "len(rejected) % 2 == 0 or card.is_red", False),
        ("attributes color", "card.is_red", True),
        ("attributes parity suit", "card.is_red == last.is_even", True),
        ("attributes parity", "card.is_red == last.is_even", False),
        ("attributes rank color", "card not in mainline", False),
        ("attributes value", "card.value > 3 or last.rank == 10", False),
        ("attributes value", "card.value > 3", True),
        # A dead end hides verdicts: what the terms name decides.
        ("attributes rank", "count(x.suit == card.suit for x in mainline) < 3", False),
        ("attributes suit", "count(x.suit == card.suit for x in mainline) < 3", True),
        ("no position", "position % 2 == 1", False),
    ],
)
def test_a_hint_of_the_dealer_is_checked(hint: str, text: str, is_true: bool) -> None:
    assert Hint.parse(hint).holds(Rule.parse(text)) == is_true


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("run(x.color for x in mainline) < 3 or card.color != last.color", (3, False)),
        ("count(x.is_red for x in mainline) % 2 == card.rank % 2", (1, True)),
        ("position % 12 != 3 or card.is_red", (0, True)),
        ("card.is_red if position > 1 else True", (0, True)),
        ("mainline[-2].is_red == card.is_odd", (2, False)),
        # Where the first card cannot be seen, the parity of the last one shows its colour.
        ("mainline[0].is_red == card.is_odd", (1, True)),
        ("mainline[0].is_red == card.is_odd or card.rank == 7", (None, True)),
        ("mainline[0].is_red == card.is_odd or True", (0, False)),
    ],
)
def test_how_far_back_a_rule_sees_is_decided_by_its_verdicts(text: str, seen: tuple[int | None, bool]) -> None:
    found = sight(Rule.parse(text))
    assert found is not None
    assert found.is_whole
    assert (found.lookback, found.position) == seen


@pytest.mark.parametrize("text", ["position < 7", "len(rejected) < 3", "card not in mainline", "mainline[-2].is_red"])
def test_verdicts_that_play_never_shows_decide_nothing(text: str) -> None:
    assert sight(Rule.parse(text)) is None


Masks = Mapping[tuple[Card, ...], int]


def masks_of(rule: Rule, length: int) -> Masks:
    """Return the verdicts after all lines of at most ``length`` cards that can be reached."""
    found: dict[tuple[Card, ...], int] = {(card,): rule.mask((card,)) for card in CARDS}
    last = dict(found)
    for _ in range(length - 1):
        last = {(*line, card): 0 for line, mask in last.items() for card in cards_of(mask)}
        last = {line: rule.mask(line) for line in last}
        found |= last
    return found


def is_blind(masks: Masks, words: tuple[str, ...]) -> bool:
    """Tell whether each card may be taken for the first that is like it, on the line and in the hand."""
    first: dict[int, Card] = {}
    stand_in = [first.setdefault(number, card) for card, number in zip(CARDS, alike_in(words), strict=True)]
    return all(
        masks.get(tuple(stand_in[card] for card in line)) == mask
        and mask == mask_of(card for card in CARDS if mask >> stand_in[card] & 1)
        for line, mask in masks.items()
    )


def is_decided(masks: Masks, cards: int, *, by_length: bool) -> bool:
    """Tell whether lines with the same last ``cards`` cards have the same verdicts."""
    found: dict[object, int] = {}
    for line, mask in masks.items():
        if len(line) >= cards:
            key = (line[len(line) - cards :], len(line) if by_length else 0)
            if found.setdefault(key, mask) != mask:
                return False
    return True


WORDS = [*((word,) for word in ATTRIBUTES), ("parity", "color"), ("face", "color"), ("rank", "color")]
NEAR = [entry for entry in ENTRIES if entry.rule.lookback in (0, 1) and not entry.rule.uses_position]
FAR = [entry for entry in ENTRIES if entry.rule.lookback == 2]


@pytest.mark.parametrize("entry", NEAR, ids=[entry.id for entry in NEAR])
def test_hints_agree_with_all_lines(entry: CatalogEntry) -> None:
    check_hints(entry.rule, masks_of(entry.rule, 2), WORDS)


@pytest.mark.long
@pytest.mark.parametrize("entry", FAR, ids=[entry.id for entry in FAR])
def test_hints_agree_with_all_lines_of_three_cards(entry: CatalogEntry) -> None:
    check_hints(entry.rule, masks_of(entry.rule, 3), likenesses()[1:])


def check_hints(rule: Rule, masks: Masks, words: Iterable[tuple[str, ...]]) -> None:
    for several in words:
        assert Hint(HintKind.ATTRIBUTES, attributes=several).holds(rule) == is_blind(masks, several), several
    assert Hint.parse("no ranks").holds(rule) == is_blind(masks, ("suit",))
    assert Hint.parse("no suits").holds(rule) == is_blind(masks, ("rank",))
    assert Hint.parse("only colors of suits").holds(rule) == is_blind(masks, ("rank", "color"))
    least = next(cards for cards in range(3) if is_decided(masks, cards, by_length=True))
    for cards in range(3):
        assert Hint(HintKind.LOOKBACK, cards).holds(rule) == (cards >= least)
    assert Hint.parse("no position").holds(rule) == is_decided(masks, least, by_length=False)
    assert Hint.parse("only the card").holds(rule) == (len(set(masks.values())) == 1)


def legal_line(rule: Rule, length: int, rng: Random) -> tuple[Card, ...]:
    """Return a random line that can be reached, of ``length`` cards unless it gets stuck."""
    line: tuple[Card, ...] = (rng.choice(CARDS),)
    while len(line) < length and (legal := cards_of(rule.mask(line))):
        line = (*line, rng.choice(legal))
    return line


def is_reached(rule: Rule, line: tuple[Card, ...]) -> bool:
    return all(rule.allows(line[:place], line[place]) for place in range(1, len(line)))


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_hints_for_published_rules_are_true(entry: CatalogEntry) -> None:
    """Change what a hint says does not matter, at random, and look for another verdict."""
    rng, rule = Random(entry.id), entry.rule
    assert hints_for(rule)
    for hint in hints_for(rule):
        assert hint.holds(rule)
        for _ in range(30):
            line = legal_line(rule, rng.randrange(3, 9), rng)
            match hint.kind:
                case HintKind.CARD_ONLY:
                    other = legal_line(rule, rng.randrange(1, 9), rng)
                case HintKind.LOOKBACK:
                    end = line[len(line) - hint.cards :]
                    other = legal_line(rule, len(line) - hint.cards, rng) if len(end) < len(line) else ()
                    other = (*other, *end)
                case HintKind.NO_POSITION:
                    other = (*legal_line(rule, rng.randrange(9), rng), *line)
                case HintKind.ACCEPTANCE:
                    continue
                case _:
                    words = {"no ranks": ("suit",), "no suits": ("rank",), "only colors of suits": ("rank", "color")}
                    classes = alike_in(words.get(str(hint), hint.attributes))
                    other = tuple(rng.choice([c for c in CARDS if classes[c] == classes[card]]) for card in line)
                    assert is_reached(rule, other)
            if len(other) == len(line) or hint.kind in (HintKind.CARD_ONLY, HintKind.NO_POSITION):
                assert not is_reached(rule, other) or rule.mask(line) == rule.mask(other), (hint, line, other)


def test_a_rule_in_a_band_has_its_acceptance() -> None:
    for entry in ENTRIES:
        for hint in hints_for(entry.rule):
            if hint.kind is HintKind.ACCEPTANCE:
                assert hint.band[0] <= 100 * review(entry.rule).acceptance <= hint.band[1]
