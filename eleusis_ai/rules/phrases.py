"""The table of phrases that sentences about rules are made of, a column for each language."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

import msgspec

LANGUAGES = ("en", "fr", "pt", "it")
"""English, French, Portuguese and Italian: the columns of the table."""


class UnknownLanguage(LookupError):
    """A language that the table has no column for."""


class Phrases:
    """The phrases of one language.

    >>> phrases("fr").say("guard.after", noun="une carte rouge")
    'après une carte rouge'
    """

    def __init__(self, language: str, rows: Mapping[str, str]) -> None:
        self.language = language
        """One of ``LANGUAGES``."""
        self.rows = MappingProxyType(dict(rows))
        """The phrases by name, as in ``guard.after``; slots stand in braces."""

    def say(self, phrase: str, /, **slots: str | int) -> str:
        """Return a phrase with its slots filled."""
        return self.rows[phrase].format_map(slots)


@cache
def table() -> Mapping[str, tuple[str, ...]]:
    """Return every phrase by name, in the order of ``LANGUAGES``; the file is read at the first call."""
    text = files("eleusis_ai.rules").joinpath("phrases.toml").read_bytes()
    groups = msgspec.toml.decode(text, type=dict[str, dict[str, tuple[str, ...]] | tuple[str, ...]])
    assert groups.pop("columns") == LANGUAGES, "the table names its columns"
    rows: dict[str, tuple[str, ...]] = {}
    for group, phrases_ in groups.items():
        assert isinstance(phrases_, dict), "everything below the columns is a group of phrases"
        rows |= {f"{group}.{name}": columns for name, columns in phrases_.items()}
    return MappingProxyType(rows)


@cache
def phrases(language: str) -> Phrases:
    """Return the phrases of ``language``, such as ``fr``.

    Raises:
        UnknownLanguage: if it is not one of ``LANGUAGES``.
    """
    if language not in LANGUAGES:
        raise UnknownLanguage(f"rules are not said in {language!r}; write one of {', '.join(LANGUAGES)}")
    column = LANGUAGES.index(language)
    return Phrases(language, {name: columns[column] for name, columns in table().items()})
