"""A round played by a person in a terminal: what he sees, what he is asked, and what he types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table as Grid
from rich.text import Text

from eleusis_ai.drawing import LayoutDrawing, cards_line, draw_hand, draw_ranking, draw_view
from eleusis_ai.events import TurnBegan
from eleusis_ai.layout import Cards
from eleusis_ai.moves import DecisionKind
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.answers import BadAnswer, read_answer
from eleusis_ai.seats.guidance import COMMANDS, LETTERS, answers, gist, question, reasons, warning
from eleusis_ai.seats.table import Table, write_record
from eleusis_ai.seats.talk import Talk
from eleusis_ai.seats.telling import told

LEFT = 0
"""The exit code of a round that was played to its end, or left to be gone on with."""
SHOWN = 14
"""Cards of the mainline that a judge is reminded of."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""


class Terminal:
    """Plays one round with the person, and keeps it in a file after every move."""

    def __init__(self, talk: Talk, table: Table, path: Path, adviser: Adviser | None = None) -> None:
        self._talk = talk
        self._table = table
        self._path = path
        self._adviser = adviser
        self._turns = 0
        """Turns begun since the person was last asked for something."""
        self._to_the_end = False
        """Whether one who only looks on wants to be stopped no more."""
        self._explained = False
        """Whether the gist of the game was told."""

    def play(self) -> int:
        """Play to the end, or until the person leaves; return the exit code."""
        self._keep()
        try:
            while not self._table.over:
                if self._table.asked:
                    self._decide()
                elif self._turns >= len(self._table.view.public.scientists) and not self._to_the_end:
                    self._look_on()
                else:
                    self._table.step()
                    self._keep()
                    self._tell()
        except EOFError:
            self._leave()
            return LEFT
        except KeyboardInterrupt:
            self._leave()
            return INTERRUPTED
        self._end()
        return LEFT

    def _decide(self) -> None:
        """Ask for a move until one is made."""
        self._tell()
        self._turns = 0
        view, moves = self._table.view, self._table.legal_moves()
        if moves.kind is DecisionKind.PLAY:
            self._talk.say("", draw_view(view, self._table.names), "")
        elif moves.kind is DecisionKind.CALL:
            self._talk.say(_mainline(view.layout.mainline))
        danger = warning(view)
        if danger is not None:
            self._talk.say(Text(danger, "bold"))
        asked = question(view, moves, self._table.names)
        self._talk.say(asked)
        while True:
            typed = self._talk.ask()
            if self._command(typed):
                self._talk.say(asked)
                continue
            try:
                self._table.answer(read_answer(typed, view, moves))
            except BadAnswer as error:
                self._talk.say(str(error))
                continue
            self._keep()
            self._tell()
            return

    def _look_on(self) -> None:
        """Stop once a lap where the person has nothing to decide, as a dealer or when he is expelled."""
        self._turns = 0
        self._talk.say("", draw_view(self._table.view, self._table.names), "")
        asked = "You look on. Press Enter to go on for a lap, or type 'end' to go on to the end."
        self._talk.say(asked)
        while True:
            typed = self._talk.ask()
            if typed.lower() in ("", "end"):
                self._to_the_end = typed != ""
                return
            self._talk.say(asked if self._command(typed) else f"{typed[:40]!r} is no answer here. {asked}")

    def _tell(self) -> None:
        """Tell what is new."""
        news = self._table.take_news()
        self._turns += sum(isinstance(event, TurnBegan) for event in news)
        fault = self._table.take_fault()
        self._talk.say(*([] if fault is None else [fault]), *told(news, self._table.names, self._table.seat))

    def _command(self, typed: str) -> bool:
        """Do what may be asked for at any time; return whether ``typed`` was that."""
        match typed.lower():
            case "?" | "help":
                self._explain()
            case "hand":
                hand = self._table.view.hand
                self._talk.say("You deal: you hold no hand." if self._deals else draw_hand(hand))
            case "table":
                self._talk.say(draw_view(self._table.view, self._table.names))
            case "rule":
                self._tell_rule(secret="The rule is the dealer's secret until the round is over.")
            case "hint":
                self._talk.say(*self._advice())
            case "save":
                self._talk.say(f"Kept in {self._path}. To go on with it later:")
                self._talk.say_command(f"eleusis play --resume {self._path}")
            case "quit":
                raise EOFError  # the end of what is typed, said in a word
            case _:
                return False
        return True

    def _explain(self) -> None:
        """Say what may be done, what not and why; the first time, what the game is about."""
        view = self._table.view
        if not self._explained:
            self._talk.say("The game:", _rows([("-", line) for line in gist(view.profile)]), "")
            self._explained = True
        if self._table.asked:
            rows = answers(view, self._table.legal_moves())
        else:
            rows = [("Enter", "go on for a lap"), ("end", "go on to the end without a stop")]
        self._talk.say("You may type:", _rows(rows), LETTERS, "", "At any time:", _rows(COMMANDS))
        self._talk.say("", "As things are:", _rows([("-", reason) for reason in reasons(view)]))

    def _advice(self) -> list[str]:
        if self._adviser is None:
            return ["Nobody advises you; start with --hint NAME, as in --hint elimination."]
        if self._deals or not self._table.asked:
            return ["There is nothing to advise: it is for a scientist's or a prophet's decisions."]
        return list(self._adviser.advice(self._table.view))

    @property
    def _deals(self) -> bool:
        return self._table.setting.deals

    def _keep(self) -> None:
        write_record(self._path, self._table.record())

    def _leave(self) -> None:
        self._talk.say("", f"You leave. The round is kept in {self._path}; to go on with it:")
        self._talk.say_command(f"eleusis play --resume {self._path}")

    def _end(self) -> None:
        public = self._table.view.public
        self._tell()
        self._talk.say("", LayoutDrawing(public.layout, public.marker), "")
        self._tell_rule()
        self._talk.say("", draw_ranking(public, self._table.names), "")
        self._talk.say(f"The round is kept in {self._path}. To look at it, and to play it again:")
        self._talk.say_command(f"eleusis replay {self._path}")
        self._talk.say_command(str(self._table.setting))

    def _tell_rule(self, secret: str = "") -> None:
        rule = self._table.rule
        if rule is not None:
            self._talk.say(f"The rule: {rule_words(rule)}", f"In the rule language: {rule}")
            if rule.starter is not None:
                self._talk.say(f"First card: {rule.starter}")
        elif self._table.view.public.by_hand:
            self._talk.say("The rule is on your paper.")
        else:
            self._talk.say(secret)


def _mainline(cards: Cards) -> Text:
    """Write the end of the mainline in a row: all that most rules look at."""
    more = "... " if len(cards) > SHOWN else ""
    return Text(f"Mainline ({len(cards)}): {more}").append_text(cards_line(cards[-SHOWN:]))


def _rows(rows: Sequence[tuple[str, str]]) -> Grid:
    """Lay short words beside what they mean."""
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    for typed, meaning in rows:
        grid.add_row(Text(f"  {typed}"), Text(meaning))
    return grid


def rule_words(rule: Rule) -> str:
    """Return the rule as a sentence, as the catalogue words it if it has the rule."""
    return next((entry.text for entry in load().values() if entry.rule == rule), rule.text)
