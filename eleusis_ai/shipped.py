"""The configurations that travel with the package, found by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).parent


class UnknownConfig(LookupError):
    """Neither a file nor the name of a shipped configuration."""


def config_root() -> Path:
    """Return the folder of the shipped configurations: the installed one, else the repository's."""
    installed = PACKAGE / "configs"
    return installed if installed.is_dir() else PACKAGE.parent / "configs"


def config_names(kind: str) -> list[str]:
    """Return the names of the shipped configurations of ``kind``, such as ``tournaments``."""
    return sorted(path.stem for path in (config_root() / kind).glob("*.toml"))


def find_config(kind: str, name: str | Path, *, others: Iterable[str] = ()) -> Path:
    """Return the file that ``name`` means: a path as given, or a shipped name of ``kind``.

    Args:
        kind: A folder of configurations.
        name: The path, or the shipped name.
        others: Names of ``kind`` that need no file, for the message.

    Raises:
        UnknownConfig: if there is neither; the message guesses, or lists the names.
    """
    path = Path(name)
    if path.is_file():
        return path
    names = config_names(kind)
    if str(name) in names:
        return config_root() / kind / f"{name}.toml"
    names = [*others, *names]
    close = difflib.get_close_matches(str(name), names, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"shipped names are {', '.join(names) or 'none'}"
    raise UnknownConfig(f"{str(name)!r} is neither a file nor one of the shipped {kind}; {hint}")
