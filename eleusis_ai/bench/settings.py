"""The settings of a benchmark: read from TOML, checked before anything is run; and learners' options as typed."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from eleusis_ai.bench.benchmark import Settings
from eleusis_ai.registry import InvalidOptions
from eleusis_ai.shipped import find_config

S = TypeVar("S", bound=Settings)

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_./:-]*")
_AS_IN = "options are as in depth=3 or estimator=RandomForestClassifier"


class InvalidSettings(ValueError):
    """A text that is not the settings of a benchmark, or settings that cannot be."""


def load_settings(kind: type[S], name: str | Path, changes: Mapping[str, Any]) -> S:
    """Read settings: a TOML file, or the name of shipped ones.

    Args:
        kind: What the benchmark takes.
        name: A path or a shipped name.
        changes: Values in place of those of the file; those that are None are left as they are.

    Raises:
        UnknownConfig: if there is no such file or name.
        InvalidSettings: if it is not of that kind; the message names the file.
    """
    path = find_config("benchmarks", name)
    try:
        fields = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InvalidSettings(f"{path} is not TOML: {error}") from None
    try:
        return settings_from(kind, fields | {key: value for key, value in changes.items() if value is not None})
    except InvalidSettings as error:
        raise InvalidSettings(f"{path}: {error}") from None


def settings_from(kind: type[S], fields: Mapping[str, Any]) -> S:
    """Make settings from their keys and values.

    Raises:
        InvalidSettings: if a key is unknown or a value does not do.
    """
    known = kind.__struct_fields__
    for key in fields:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"keys are {', '.join(known)}"
            raise InvalidSettings(f"{key} is not a key of these settings; {hint}")
    try:
        return msgspec.convert(dict(fields), kind)
    except msgspec.ValidationError as error:
        problem, _, where = str(error).replace("`", "").partition(" - at $.")
        raise InvalidSettings(f"{where or 'settings'}: {problem[0].lower()}{problem[1:]}") from None


def options_of(texts: Iterable[str]) -> dict[str, Any]:
    """Read a learner's options, each as in ``depth=3``; the value is TOML's, or one word.

    >>> options_of(["estimator=RandomForestClassifier", "parameters={ n_estimators = 50 }"])
    {'estimator': 'RandomForestClassifier', 'parameters': {'n_estimators': 50}}

    Raises:
        InvalidOptions: if a text is not of that form, or names an option again.
    """
    options: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key.isidentifier():
            raise InvalidOptions(f"{text!r} is not an option; {_AS_IN}")
        if key in options:
            raise InvalidOptions(f"option {key!r} is given twice; give it once")
        options[key] = _value(text, value)
    return options


def _value(text: str, value: str) -> object:
    try:
        read = tomllib.loads(f"value = {value}")
    except tomllib.TOMLDecodeError:
        read = {}
    if list(read) == ["value"]:
        return read["value"]
    if _WORD.fullmatch(value):
        return value
    raise InvalidOptions(f"{text!r}: the value is neither TOML nor one word; {_AS_IN}")
