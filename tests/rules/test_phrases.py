"""The table of phrases: four columns, the same slots in each, and no phrase that no rule needs."""

from __future__ import annotations

from string import Formatter

import pytest

from eleusis_ai.rules import sentence
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.rules.phrases import LANGUAGES, Phrases, table
from tests.rules.sentences import SENTENCES, UNUSUAL
from tests.rules.test_sentences import ENGLISH

EITHER = {"card", "of", "ordinal", "n"}
"""Slots of which a language takes the one that its grammar wants."""


def slots(phrase: str) -> set[str]:
    return {slot for _, slot, _, _ in Formatter().parse(phrase) if slot is not None}


@pytest.mark.parametrize("name", table())
def test_every_language_has_the_phrase_with_its_slots(name: str) -> None:
    columns = table()[name]
    assert len(columns) == len(LANGUAGES)
    assert all(phrase == phrase.strip() and phrase for phrase in columns)
    assert len({frozenset(slots(phrase) - EITHER) for phrase in columns}) == 1
    assert len({bool(slots(phrase) & EITHER) for phrase in columns}) == 1


def test_every_phrase_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: set[str] = set()
    say = Phrases.say

    def noted(self: Phrases, phrase: str, /, **slots: str | int) -> str:
        said.add(phrase)
        return say(self, phrase, **slots)

    monkeypatch.setattr(Phrases, "say", noted)
    # A wording keeps the phrases it was made with, so that a new one is needed.
    sentence._sentences.cache_clear()
    for text in (*dict(ENGLISH), *SENTENCES, *UNUSUAL, *(entry.expression for entry in load().values())):
        Rule.parse(text, starter="card.is_red").sentence()
    sentence._sentences.cache_clear()
    assert set(table()) == said
