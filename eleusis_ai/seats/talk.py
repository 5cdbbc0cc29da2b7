"""Questions and answers in a terminal, or through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

with suppress(ImportError):  # where it is missing, a line cannot be edited but by its end
    import readline  # noqa: F401 - to be imported is all that `input` needs for a line that can be edited

PROMPT = "> "
"""Stands where an answer is awaited."""


class Talk:
    """Says things, and asks for a line."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, *things: RenderableType) -> None:
        """Show texts and drawings, each on lines of its own."""
        for thing in things:
            self._console.print(thing)

    def say_command(self, command: str) -> None:
        """Show a command, on one line however long it is, so that it can be copied."""
        self._console.print(f"  {command}", soft_wrap=True)

    def say_kept(self, what: str, path: Path, command: str) -> None:
        """Say in which file something is kept, and how ``command`` goes on with it."""
        self.say(f"{what} is kept in {path}; to go on with it:")
        self.say_command(f"{command} --resume {quote(str(path))}")

    def ask(self) -> str:
        """Return the next line that is typed, without the spaces around it.

        Raises:
            EOFError: if there is none.
            KeyboardInterrupt: if Ctrl-C was typed in place of it.
        """
        try:
            typed = input(PROMPT)
        except UnicodeDecodeError:
            return "\ufffd"
        if not sys.stdin.isatty():
            self.say(typed)  # a terminal shows what is typed; whoever reads a pipe wants to see it too
        return typed.encode(errors="replace").decode().strip()


def side_by_side(rows: Sequence[tuple[str, str]]) -> Table:
    """Lay short words beside what they mean."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for typed, meaning in rows:
        grid.add_row(Text(f"  {typed}"), Text(meaning))
    return grid
