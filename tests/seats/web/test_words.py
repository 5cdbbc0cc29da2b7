"""The words of the page: the four languages have the same texts, and whatever may happen at a table has some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from eleusis_ai.events import Dealt, Drew, EndReason, Event
from eleusis_ai.moves import DecisionKind
from eleusis_ai.profiles import OVERLAYS, PROFILES
from eleusis_ai.rules.catalog import known_families
from eleusis_ai.rules.hints import PLAIN_HINTS
from eleusis_ai.rules.likeness import ATTRIBUTES
from eleusis_ai.rules.phrases import LANGUAGES
from eleusis_ai.seats.starters import WORDS as STARTER_WORDS
from eleusis_ai.seats.web import pages
from eleusis_ai.seats.web.setting import DEALERS

PAGE = Path(pages.__file__).parent / "page"
SOURCES = "\n".join(
    file.read_text(encoding="utf-8")
    for folder in (PAGE, PAGE / "assets", PAGE.parents[2] / "tabletop")
    for file in sorted(folder.iterdir())
    if file.suffix in (".js", ".html")
)
UNTOLD = {"TurnBegan", "Scored", "RuleShown"}
"""Events that the page shows and does not tell."""
MARKS = "prophet", "was prophet", "expelled", "emptied the hand", "no card left", "stated the rule"
KINDS = [kind.value for kind in DecisionKind]


def forms(text: str | dict[str, str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def places(text: str | dict[str, str]) -> set[str]:
    return {place for form in forms(text) for place in re.findall(r"{(\w+)}", form)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages_have_the_same_texts_with_the_same_places(language: str) -> None:
    english, other = pages.words("en"), pages.words(language)
    assert list(other) == list(english)
    assert {key: places(text) for key, text in other.items()} == {key: places(text) for key, text in english.items()}
    kinds = {key: text if isinstance(text, str) else set(text) for key, text in other.items()}
    assert {key for key, kind in kinds.items() if kind != {"one", "other"}} == {
        key for key, text in english.items() if isinstance(text, str)
    }
    assert all(form.strip() == form != "" for text in other.values() for form in forms(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_form_has_the_same_places(language: str) -> None:
    for key, text in pages.words(language).items():
        assert {frozenset(re.findall(r"{(\w+)}", form)) for form in forms(text)} <= {
            frozenset(places(text)),
            frozenset(places(text) - {"n"}),
        }, key


def test_french_puts_a_space_that_does_not_break_before_double_signs() -> None:
    for key, text in pages.words("fr").items():
        for form in forms(text):
            assert not re.search(r"[^\u00a0][:;?!](?=\s|$)", form), key


def wanted() -> Iterator[str]:
    kinds: list[type[Event]] = [*Event.__subclasses__(), Dealt, Drew]
    told = {kind.__name__ for kind in kinds if not kind.__name__.startswith("_")} - UNTOLD
    yield from (f"news.{name}" for name in told)
    yield from (f"mark.{mark}" for mark in ("dealer", *MARKS))
    yield from (f"reason.{reason}" for reason in (*EndReason, "void"))
    yield from (f"{key}.{kind}" for kind in KINDS for key in ("asked", "ask.wait"))
    yield from (f"viewer.asked.{kind}" for kind in KINDS)
    yield from (f"profile.{name}" for name in PROFILES)
    yield from (f"variant.{name}" for name in OVERLAYS)
    yield from (f"dealer.{name}" for name in DEALERS)
    yield from (f"family.{name}" for name in known_families())
    yield from (f"hint.{str(hint).partition(' 1')[0]}" for hint in PLAIN_HINTS if str(hint)[-1] not in "02")
    yield from (f"attribute.{word}" for word in ATTRIBUTES)
    yield from (f"starter.{word}" for word in STARTER_WORDS)


@pytest.mark.parametrize("key", sorted(set(wanted())))
def test_whatever_may_happen_has_words(key: str) -> None:
    assert any(each == key or each.startswith(f"{key}.") for each in pages.words("en"))


def test_no_text_is_missing_and_none_is_idle() -> None:
    english = pages.words("en")
    named = set(re.findall(r"""(?:data-say(?:-\w+)?="|\b(?:say|parts|t)\(['"])([\w.][\w. -]*)["']""", SOURCES))
    assert {name for name in named if not name.endswith(".")} <= english.keys()
    stems = set(re.findall(r"[`\"']([a-z][\w.]*)\.\$\{", SOURCES)) | {"profile", "dealer", "family", "pace"}
    quoted = set(re.findall(r"[\"'`]([\w.][\w. -]*)[\"'`]", SOURCES))
    used = {key for key in english if any(key.startswith(f"{stem}.") for stem in stems)}
    used |= {key for key in english for at in range(2, key.count(".") + 2) if ".".join(key.split(".")[:at]) in quoted}
    assert english.keys() - used == set()
