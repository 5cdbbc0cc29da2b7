"""The pages as HTML: templates, the words they are written in, and the files that go with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from eleusis_ai.rules.phrases import LANGUAGES

TABLETOP = "eleusis_ai.tabletop"
PAGE = "eleusis_ai.seats.web.page"
SHARED = ("table.css", "table.js", "viewer.css", "viewer.js")
"""Assets that the pages have in common with those that need no server."""
_MEDIA = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
_COUNTED = msgspec.json.Decoder(dict[str, str | dict[str, str]])


class UnknownAsset(LookupError):
    """No file that goes with the pages."""


def render(template: str, language: str, **values: object) -> str:
    """Write a page in a language; without JavaScript it stays so, with it the language may be changed in place.

    Args:
        template: A file of the page's folder, such as ``start.html``.
        language: One of `LANGUAGES`.
        values: What the template asks for.
    """
    return _templates().get_template(template).render(language=language, say=_say(language), **values)


def asset(name: str) -> tuple[bytes, str]:
    """Return a file that goes with the pages, and its media type.

    Raises:
        UnknownAsset: if there is none of that name.
    """
    found = _assets().get(name)
    if found is None:
        raise UnknownAsset(f"no asset is called {name!r}; one that there is: page.css")
    return found


def words_json(language: str) -> bytes:
    """Return the words of a language as JSON: texts by key, or forms of a text by how the language counts.

    Raises:
        LookupError: if it is not one of `LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise LookupError(f"there are no words in {language!r}; languages are {', '.join(LANGUAGES)}")
    return (files(PAGE) / "words" / f"{language}.json").read_bytes()


@cache
def words(language: str) -> Mapping[str, str | dict[str, str]]:
    """Return what `words_json` holds."""
    return _COUNTED.decode(words_json(language))


def language_of(chosen: str | None, accepted: str) -> str:
    """Return the language of a page.

    Args:
        chosen: What the visitor has chosen before, if anything.
        accepted: The header Accept-Language of the request.

    >>> language_of(None, "de-CH, pt-BR;q=0.5, it;q=0.7")
    'it'
    """
    if chosen in LANGUAGES:
        return chosen
    ranges = [each.strip().partition(";q=") for each in accepted.split(",")[:20]]
    by_weight = sorted(ranges, key=lambda each: -_weight(each[2]))
    named = (tag.strip().lower().partition("-")[0] for tag, _, _ in by_weight)
    return next((tag for tag in named if tag in LANGUAGES), LANGUAGES[0])


def _weight(text: str) -> float:
    try:
        return float(text) if text else 1.0
    except ValueError:
        return 0.0


@cache
def _templates() -> Environment:
    return Environment(
        loader=ChoiceLoader([PackageLoader("eleusis_ai.seats.web", "page"), PackageLoader("eleusis_ai", "tabletop")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _say(language: str) -> Callable[[str], str]:
    texts = words(language)

    def say(key: str) -> str:
        text = texts[key]
        assert isinstance(text, str), f"{key} needs a number, which pages put in by themselves"
        return text

    return say


@cache
def _assets() -> Mapping[str, tuple[bytes, str]]:
    """Return all assets by name, with their media types."""
    own = (files(PAGE) / "assets").iterdir()
    shared = (files(TABLETOP) / name for name in SHARED)
    return {file.name: (file.read_bytes(), _MEDIA[file.name.rpartition(".")[2]]) for file in (*own, *shared)}
