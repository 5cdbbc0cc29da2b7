"""Who stands in at the tests' tables: a person whose lines are written down, and agents that fail."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

from rich.console import Console

from eleusis_ai.agent import Beliefs
from eleusis_ai.moves import Call, Move
from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.opening import lay_table
from eleusis_ai.seats.setting import Setting
from eleusis_ai.seats.table import Table
from eleusis_ai.seats.talk import Talk
from eleusis_ai.seats.terminal import Terminal
from eleusis_ai.view import View


class Script(Talk):
    """Types what is written down, then leaves; what was said is in ``said``."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self._file = io.StringIO()
        super().__init__(Console(file=self._file, width=80, markup=False, highlight=False, emoji=False))
        self._lines = iter(lines)

    @property
    def said(self) -> str:
        return "\n".join(line.rstrip() for line in self._file.getvalue().splitlines())

    def ask(self) -> str:
        for line in self._lines:
            self.say(f"> {line}")
            return line
        raise EOFError


def played(table: Table, lines: Iterable[str], path: Path, adviser: Adviser | None = None) -> tuple[int, str]:
    """Play at ``table`` with the lines that a person types; return the exit code and what was said."""
    script = Script(lines)
    return Terminal(script, table, path, adviser).play(), script.said


def table(person: Callable[[Table], bool] = lambda table: table.asked, /, **options: object) -> Table:
    """Lay a table with random agents, and play on until ``person`` says so."""
    setting = Setting(**({"profile": "short", "agents": ("random",), "seed": 5} | options))  # type: ignore[arg-type]
    laid = lay_table(setting, Script(["right"]))
    while not person(laid):
        if laid.asked:
            laid.answer(next(iter(laid.legal_moves())))
        else:
            laid.step()
    return laid


class Fails:
    """Raises whenever it is asked."""

    def __init__(self, *, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        raise ZeroDivisionError("an agent's own defect")

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs((), ())


class Cheats:
    """Judges, though nobody asks for it."""

    def __init__(self, *, seat: int, seed: str) -> None:
        pass

    def act(self, view: View) -> Move:
        return Call(right=True)


class Thinks(Cheats):
    """Can say what it thinks."""

    def beliefs(self, view: View) -> Beliefs:
        return Beliefs(
            (), (("card.is_red", 0.5), ("no rule at all", 0.25), ("card.is_odd", 0.2), ("card.is_face", 0.05))
        )


class Wordy(Cheats):
    """Gives reasons, and plays the first legal move."""

    def act(self, view: View) -> Move:
        return next(iter(view.legal_moves()))

    def reason(self, view: View, move: Move) -> str:
        return f"I answer {move} with {len(view.hand)} cards\nin my hand."


class Rambling(Wordy):
    """Has too much to say."""

    def reason(self, view: View, move: Move) -> str:
        return "because " * 500


class Speechless(Wordy):
    """Fails when it is asked why."""

    def reason(self, view: View, move: Move) -> str:
        raise ZeroDivisionError("an agent's own defect")


class Stuck(Fails, Wordy):
    """Has reasons, and no move."""
