"""The evening of `docs/how-to/companion.md` is what happens.

``python -m tests.seats.test_companion_page`` spends it again and rewrites what the companion says; what is typed
stays. Read the diff before you commit it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.seats.test_companion import typed_in

PAGE = Path(__file__).parent.parent.parent / "docs" / "how-to" / "companion.md"
SESSION = re.compile(r"^```text\n\$ eleusis (companion [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANCE = re.compile(r" *\d+%")
"""What an agent computes with floats may differ a little from one processor to the other."""


def spent(page: str, folder: Path) -> str:
    """Return ``page`` with its sessions held again, one after the other in one folder."""

    def again(session: re.Match[str]) -> str:
        command, text = session.groups()
        done = subprocess.run(
            [Path(sys.executable).with_name("eleusis"), *shlex.split(command)],
            cwd=folder,
            env=os.environ | {"COLUMNS": "80"},
            input="".join(f"{line}\n" for line in typed_in(text)),
            capture_output=True,
            text=True,
            check=True,
        )
        said = "\n".join(line.rstrip() for line in done.stdout.splitlines())
        return f"```text\n$ eleusis {command}\n{said}\n```"

    return SESSION.sub(again, page)


def test_the_page_shows_what_happens(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(SESSION.findall(page)) > 1
    again = spent(page, tmp_path)
    assert CHANCE.sub("%", again) == CHANCE.sub("%", page), "python -m tests.seats.test_companion_page rewrites it"


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        text = spent(PAGE.read_text(encoding="utf-8"), Path(folder))
    PAGE.write_text(text, encoding="utf-8")
