"""What made a result: the commit of the code, and the versions of what it stands on."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from eleusis_ai.shipped import PACKAGE


def versions(packages: Iterable[str]) -> dict[str, str]:
    """Return the versions of Python and of ``packages``."""
    return {"python": platform.python_version()} | {name: version(name) for name in packages}


def commit() -> str | None:
    """Return the commit of the checkout that holds the package, marked if the code on disk differs from it."""
    root = PACKAGE.parent
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--", "eleusis_ai", "agents", "configs")
    except (OSError, subprocess.CalledProcessError):
        return None
    return head.strip() + ("-dirty" if changed else "")


def _git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout
