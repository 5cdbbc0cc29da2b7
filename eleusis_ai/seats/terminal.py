"""A round played by a person in a terminal: what he sees, what he is asked, and what he types."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from shlex import quote

from rich.text import Text

from eleusis_ai.drawing import LayoutDrawing, cards_line, draw_hand, draw_ranking, draw_view
from eleusis_ai.events import TurnBegan
from eleusis_ai.layout import Cards
from eleusis_ai.moves import DecisionKind, Pass
from eleusis_ai.registry import AgentSpec
from eleusis_ai.rules.catalog import load
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.advice import Adviser
from eleusis_ai.seats.answers import BadAnswer, read_answer
from eleusis_ai.seats.guidance import COMMANDS, LETTERS, answers, gist, question, reasons, warning
from eleusis_ai.seats.hindsight import Explained, Hindsight
from eleusis_ai.seats.setting import COMMAND
from eleusis_ai.seats.table import Table, write_record
from eleusis_ai.seats.talk import Talk, side_by_side
from eleusis_ai.seats.telling import told

LEFT = 0
"""The exit code of a round that was played to its end, or left to be gone on with."""
INTERRUPTED = 130
"""The exit code after Ctrl-C."""
SHOWN = 14
"""Cards of the mainline that a judge is reminded of."""


class Terminal:
    """Plays one round with the person, and keeps it in a file after every move."""

    def __init__(self, talk: Talk, table: Table, path: Path, adviser: Adviser | None = None) -> None:
        self._talk = talk
        self._table = table
        self._path = path
        self._adviser = adviser
        self._turns = 0
        """Turns begun since the person last decided something, or was last stopped to look on."""
        self._to_the_end = False
        """Whether one who only looks on wants to be stopped no more."""
        self._explained = False
        """Whether the gist of the game was told."""

    def play(self) -> int:
        """Play to the end, or until the person leaves; return the exit code."""
        try:
            self._keep()
            while not self._table.over:
                if self._table.asked:
                    self._decide()
                elif self._looks_on and self._turns >= self._lap and not self._to_the_end:
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
            case "?":
                self._explain()
            case "hand":
                hand = self._table.view.hand
                self._talk.say("You deal: you hold no hand." if self._deals else draw_hand(hand))
            case "table":
                self._talk.say(draw_view(self._table.view, self._table.names))
            case "rule":
                self._tell_rule(secret="The rule is the dealer's secret until the round is over.")
            case "hint":
                self._advise()
            case "why":
                self._give_reason()
            case "save":
                self._tell_where("The round")
            case "quit":
                raise EOFError  # the end of what is typed, said in a word
            case _:
                return False
        return True

    def _explain(self) -> None:
        """Say what may be done, what not and why; the first time, what the game is about."""
        view = self._table.view
        if not self._explained:
            self._talk.say("The game:", side_by_side([("-", line) for line in gist(view.profile)]), "")
            self._explained = True
        if self._table.asked:
            rows = answers(view, self._table.legal_moves())
        else:
            rows = [("Enter", "go on for a lap"), ("end", "go on to the end without a stop")]
        self._talk.say("You may type:", side_by_side(rows), LETTERS, "", "At any time:", side_by_side(COMMANDS))
        if found := reasons(view):
            self._talk.say("", "As things are:", side_by_side([("-", reason) for reason in found]))

    def _advise(self) -> None:
        adviser = self._asked_adviser()
        if adviser is not None:
            answer, rules = adviser.advice(self._table.view)
            self._talk.say(answer, adviser.reason(self._table.view))
            if rules:
                self._talk.say("It thinks likeliest:", side_by_side(rules))

    def _give_reason(self) -> None:
        """Say why the adviser would answer as it would; why others moved as they did would tell of their hands."""
        adviser = self._asked_adviser()
        if adviser is not None:
            self._talk.say(adviser.reason(self._table.view))
        self._talk.say("Why a program moved as it did is told when the round is over.")

    def _asked_adviser(self) -> Adviser | None:
        """Return who advises on the decision that is pending; None: nobody does, and it is said why."""
        if self._adviser is None:
            self._talk.say("Nobody advises you; start with --hint NAME, as in --hint elimination.")
            return None
        if self._looks_on:
            self._talk.say("There is nothing to advise: advice is for a scientist's or a prophet's decisions.")
            return None
        return self._adviser

    @property
    def _deals(self) -> bool:
        return self._table.setting.deals

    @property
    def _looks_on(self) -> bool:
        """Whether the person has no turns: a dealer, or one who was expelled."""
        return self._deals or self._table.seat in self._table.view.public.expelled

    @property
    def _lap(self) -> int:
        """How many seats still play."""
        public = self._table.view.public
        return sum(seat != public.prophet and seat not in public.expelled for seat in public.scientists)

    def _keep(self) -> None:
        write_record(self._path, self._table.record())

    def _leave(self) -> None:
        self._talk.say("")
        self._tell_where("You leave. The round")

    def _tell_where(self, what: str) -> None:
        self._talk.say_kept(what, self._path, COMMAND)

    def _end(self) -> None:
        public = self._table.view.public
        self._tell()
        self._talk.say("", LayoutDrawing(public.layout, public.marker), "")
        self._tell_rule()
        self._talk.say("", draw_ranking(public, self._table.names), "")
        self._talk.say(f"The round is kept in {self._path}. To look at it, and to play it again:")
        self._talk.say_command(f"eleusis replay {quote(str(self._path))}")
        self._talk.say_command(str(self._table.setting))
        with suppress(EOFError, KeyboardInterrupt):
            self._look_back()

    def _look_back(self) -> None:
        """Tell why programs moved as they did, as long as the person asks."""
        record = self._table.record()
        seated = {seat: AgentSpec(name, name) for seat, name in enumerate(record.agents) if seat != record.dealer}
        hindsight = Hindsight(record, seated)
        if not hindsight.seats:
            return
        asked = "Type 'why' to hear why the last program moved as it did, 'why 7' for move 7, or Enter to leave."
        self._talk.say("", asked)
        explained: dict[int, Explained] = {}
        while typed := self._talk.ask().lower():
            word, _, number = typed.partition(" ")
            if word != "why" or (number and not number.isdecimal()):
                self._talk.say(f"{typed[:40]!r} is no answer here. {asked}")
                continue
            explained = explained or {found.number: found for found in hindsight.explained()}
            if not explained:
                self._talk.say("None of them came to move.")
                return
            wanted = int(number[:9]) if number else _last(explained)
            if wanted in explained:
                self._talk.say(explained[wanted].drawn(record.agents))
                continue
            nearest = min(explained, key=lambda each: abs(each - wanted))
            self._talk.say(f"Of move {wanted} there is no reason to tell; the nearest is 'why {nearest}'.")
            self._talk.say(*hindsight.remarks)

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


def _last(explained: Mapping[int, Explained]) -> int:
    """Return the last move with which something was done."""
    return max((number for number, each in explained.items() if each.move != Pass()), default=max(explained))


def rule_words(rule: Rule) -> str:
    """Return the rule as a sentence, as the catalogue words it if it has the rule."""
    return next((entry.text for entry in load().values() if entry.rule == rule), rule.text)
