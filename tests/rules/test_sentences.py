"""Rules in four languages: as a dealer would say them, and never less than the rule names."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from eleusis_ai.rules import terms
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.phrases import LANGUAGES, UnknownLanguage
from tests.rules.rule_texts import rule_texts
from tests.rules.sentences import NAMED, SENTENCES, UNUSUAL

ENGLISH = [
    # One card
    ("True", "Play any card."),
    ("False", "No card is legal."),
    ("card.is_red", "Only red cards."),
    ("not card.is_red", "Only black cards."),
    ("card.color == red", "Only red cards."),
    ("card.color != red", "Only black cards."),
    ("card.is_face", "Only face cards."),
    ("not card.is_face", "No face cards."),
    ("not not not card.is_prime", "No prime ranks."),
    ("card.rank == A", "Only aces."),
    ("card.rank == 1", "Only aces."),
    ("card.rank == 8", "Only 8s."),
    ("card.rank != 8", "No 8s."),
    ("card.suit == H", "Only hearts."),
    ("card.suit != H", "No hearts."),
    ("card.suit not in {C, D}", "Only hearts and spades."),
    ("card.suit not in {C}", "No clubs."),
    ("card.rank in {2, 3, Q}", "Only the ranks 2, 3 and queen."),
    ("card.rank not in (A, 4)", "Only ranks other than 1 (ace) or 4."),
    ("5 <= card.rank <= 9", "Only ranks from 5 to 9."),
    ("9 > card.rank > 5", "Only ranks from 6 to 8."),
    ("not 5 <= card.rank <= 9", "Play a rank below 5 or a rank above 9."),
    ("card.rank >= J", "Only ranks of at least jack."),
    ("card.rank % 3 == 1", "Only ranks that leave 1 when divided by 3."),
    ("card.rank % 4 != 0", "Only ranks not divisible by 4."),
    ("card.value < 5", "Play a value below 5."),
    ("card.is_red or card.is_odd", "Play a red card or an odd card."),
    ("card.is_face and card.is_black", "Play a face card that is black."),
    ("card.suit == H or card.suit == C and card.is_even", "Play a heart, or an even card that is a club."),
    (
        "card.is_red == card.is_face",
        "A red card is legal if it is a face card; a black card, if it is not a face card.",
    ),
    (
        "card.rank <= 7 if card.is_red else card.rank >= 8",
        "A red card is legal if it has a rank of at most 7; a black card, if it has a rank of at least 8.",
    ),
    # The last card
    ("card.color != last.color", "Play the other colour than the last card."),
    ("card.is_red == last.is_black", "Play the other colour than the last card."),
    ("card.is_odd == last.is_odd", "Play the same parity as the last card."),
    ("last.rank < card.rank", "Play a higher rank than the last card."),
    ("card.rank > mainline[-2].rank", "Play a higher rank than the card before the last."),
    ("card.rank == last.rank + 1", "Play a rank exactly 1 above the rank of the last card."),
    ("card.suit == last.suit or card.rank == last.rank", "Play the same suit or the same rank as the last card."),
    (
        "card.suit != last.suit and card.rank > last.rank",
        "Play a card that has a different suit and a higher rank than the last card.",
    ),
    ("abs(card.rank - last.rank) < 4", "Play a rank at most 3 away from the rank of the last card."),
    ("1 <= abs(card.rank - last.rank) <= 3", "Play a rank 1 to 3 away from the rank of the last card."),
    (
        'card.suit == after(last.suit, "HSCD")',
        "Play the suit that follows the suit of the last card in the order hearts, spades, clubs, diamonds.",
    ),
    ("(card.rank + last.rank) % 2 == 0", "The rank of the card plus the rank of the last card is even."),
    (
        "card.rank >= last.rank if last.is_red else card.rank <= last.rank",
        "After a red card play a rank at least as high; after a black card, a rank at most as high.",
    ),
    (
        "card.is_black if last.is_odd else card.is_red",
        "After an odd card play a black card; after an even card, a red card.",
    ),
    ("card.is_black == last.is_odd", "After an odd card play a black card; after an even card, a red card."),
    ("not (card.is_red and last.is_red)", "After a red card play a black card; after a black card, any card."),
    ("not last.is_face or card.is_red", "After a face card play a red card; after any other card, any card."),
    ("card.is_red if last.suit != H else True", "After a heart play any card; after any other card, a red card."),
    ("last.is_red", "After a red card play any card; after a black card, no card is legal."),
    # Tables
    (
        "{D: card.suit != D, C: card.is_red, S: card.is_black, H: card.rank == last.rank}[last.suit]",
        "After a diamond play a card that is not a diamond; after a club, a red card; after a spade, a black card; "
        "after a heart, the same rank.",
    ),
    (
        "card.rank == {1: 2, 2: 3}.get(last.rank, 0)",
        "After an ace play a 2; after a 2, a 3; otherwise, no card is legal.",
    ),
    (
        "(card.is_red, card.is_black, card.is_face)[position % 3]",
        "As the 1st, 4th, 7th … card play a red card; as the 2nd, 5th, 8th … card, a black card; "
        "as the 3rd, 6th, 9th … card, a face card.",
    ),
    # The position
    (
        "position % 3 == 2 or card.is_red",
        "As the 3rd, 6th, 9th … card play any card; as any other card, a red card.",
    ),
    (
        "card.is_red if position % 2 == 0 else card.is_black",
        "As the 1st, 3rd, 5th … card play a red card; as the 2nd, 4th, 6th … card, a black card.",
    ),
    ("position < 7", "Up to the 7th card play any card; after that, no card is legal."),
    (
        "card.is_red != mainline[-2].is_red if position >= 2 else True",
        "From the 3rd card on play the other colour than the card before the last; before that, any card.",
    ),
    (
        "card.is_red if mainline[-2].is_odd else card.is_even",
        "If the card before the last is odd, play a red card; otherwise, an even card.",
    ),
    # Many cards
    ("any(x.suit == card.suit for x in mainline)", "Play a suit that is already on the mainline."),
    ("not any(x.rank == card.rank for x in mainline)", "Play a rank that is not yet on the mainline."),
    (
        "card.is_black if count(c.is_red for c in mainline[-3:]) <= 1 else card.is_red",
        "If at most one of the last three cards is red, play a black card; otherwise, a red card.",
    ),
    (
        "count(c.is_red for c in mainline[-4:]) < 3 or card.is_black",
        "If there are at least three red cards among the last four cards, play a black card; otherwise, any card.",
    ),
    (
        "sum(x.rank for x in mainline) + card.rank < 43",
        "The sum of the ranks on the mainline plus the rank of the card is below 43.",
    ),
    (
        "run(x.color for x in mainline) < 3 or card.color != last.color",
        "If the length of the final run of the same colour on the mainline is at least 3, play the other colour than "
        "the last card; otherwise, any card.",
    ),
    (
        "any(x.color == card.color or x.suit == card.suit for x in rejected[-2:])",
        "At least one of the last two rejected cards has the same colour or the same suit as the card.",
    ),
]


@pytest.mark.parametrize(("text", "sentence"), ENGLISH)
def test_english(text: str, sentence: str) -> None:
    assert Rule.parse(text).text == sentence


@pytest.mark.parametrize("text", SENTENCES)
def test_the_other_languages(text: str) -> None:
    rule = Rule.parse(text)
    assert tuple(map(rule.sentence, LANGUAGES[1:])) == SENTENCES[text]


def test_the_starter_condition_is_said_too() -> None:
    rule = Rule.parse("card.rank >= last.rank", starter="card.rank == A or card.is_red == card.is_face")
    assert rule.text == (
        "Play a rank at least as high as the last card. "
        "At the start the card is an ace or (the card is red exactly when the card is a face card)."
    )
    rule = Rule.parse("card.rank >= last.rank", starter="card.rank == A")
    assert rule.sentence("fr").endswith(" Au début, jouez un as.")


def test_a_sentence_that_was_given_is_the_text() -> None:
    rule = Rule.parse("card.is_red", sentence="Blood.")
    assert (rule.text, rule.sentence()) == ("Blood.", "Only red cards.")


def test_other_languages_are_refused() -> None:
    with pytest.raises(UnknownLanguage, match="'de'; write one of en, fr, pt, it"):
        Rule.parse("card.is_red").sentence("de")


def attributes(rule: Rule) -> Iterator[str]:
    for term in terms.walk(rule.term):
        if isinstance(term, terms.Attribute):
            yield term.name


def check_sentence(rule: Rule, language: str) -> None:
    sentence = rule.sentence(language)
    assert sentence.endswith(".")
    first = sentence.lstrip("(")[0]
    assert first.isupper() or first.isdigit()
    assert sentence.count("(") == sentence.count(")")
    for raw in (" and or ", "None", "  ", "_", "=", "{", " ,", " ."):
        assert raw not in sentence
    for name in attributes(rule):
        assert re.search(NAMED[language][name], sentence), (name, sentence)
    assert Rule.parse(f"not ({rule})").sentence(language) != sentence


def check_french(sentence: str) -> None:
    """Check that no vowel follows a word that would lose its own before it, nor a space the marks ; and :."""
    assert not re.search(r"\b(?:de|que|le|la|si il|ne|je) ?(?<= )[aeiouyéèêâà]", sentence), sentence
    assert not re.search(r"[^\u00a0][;:]", sentence), sentence


CONTRACTED = {
    "pt": re.compile(r"\b(?:de|em|por|a) (?:o|a|os|as)\b(?! [0-9])"),
    "it": re.compile(r"\b(?:di|a|da|in|su) (?:il|lo|la|l'|i|gli|le)\b"),
}
"""Prepositions that would have to melt into the article after them."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("id_", load())
def test_published_rules_are_said_in_full(id_: str, language: str) -> None:
    check_sentence(Rule.parse(load()[id_].expression), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", UNUSUAL)
def test_unusual_rules_are_said_in_full(text: str, language: str) -> None:
    check_sentence(Rule.parse(text), language)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(rule_texts())
def test_any_rule_has_a_sentence(text: str) -> None:
    for language in LANGUAGES:
        check_sentence(Rule.parse(text), language)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(rule_texts())
def test_words_that_elide_or_melt_do(text: str) -> None:
    rule = Rule.parse(text)
    check_french(rule.sentence("fr"))
    for language, unmelted in CONTRACTED.items():
        assert not unmelted.search(rule.sentence(language)), rule.sentence(language)
