"""The companion at a real table: it asks what happens, plays its own cards, and shows what it believes."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from pathlib import Path

from rich.text import Text

from eleusis_ai.agent import Agent, Beliefs, Explains
from eleusis_ai.events import AttemptJudged, Event, Picked, RoundEnded, SeatPassed, StatementJudged
from eleusis_ai.moves import Move, Pass
from eleusis_ai.registry import AgentSpec, make_agent
from eleusis_ai.seats.answers import BadAnswer
from eleusis_ai.seats.asking import question_text, wanted
from eleusis_ai.seats.diary import write_diary
from eleusis_ai.seats.evening import OF_DECISION, Ask, Entry, Evening, Misfit
from eleusis_ai.seats.guidance import LETTERS, gist
from eleusis_ai.seats.hearing import RIGHT, WRONG, hear, hear_count
from eleusis_ai.seats.revision import NoLongerFits, own, revised, undone
from eleusis_ai.seats.saying import beliefs_rows, chances_words, entry_words, move_words, reason, thought
from eleusis_ai.seats.showing import hand_drawing, points_drawing, table_drawing
from eleusis_ai.seats.talk import Talk, side_by_side
from eleusis_ai.seats.telling import capital, told_by
from eleusis_ai.seats.terminal import INTERRUPTED, LEFT
from eleusis_ai.view import View

NOISE = 0.05
"""The chance that a verdict is false, in the eyes of one who knows that dealers err."""
COMMAND = "eleusis companion"
LISTED = 12
"""Answers that are listed to choose one from."""
COMMANDS = (
    ("?", "how to answer what is asked now"),
    ("hand, table", "my hand; all that lies on the table"),
    ("beliefs", "the rules that I think likeliest, and how likely my cards are right"),
    ("why", "why I did what I did last"),
    ("undo, undo 3", "take the last answer back, or several, with all that I did since"),
    ("fix", "put an earlier answer right, as in 'fix 12 right' where the dealer erred; alone it lists them"),
    ("count Ann 12", "how many cards somebody holds if I am wrong; 'count stock 30' for the stock"),
    ("save", "where the evening is kept; it is kept after every answer"),
    ("quit", "leave; --resume goes on later. Ctrl-D and Ctrl-C do the same"),
)
JUDGED = (AttemptJudged, Picked, SeatPassed, StatementJudged)
"""After these the companion says what it thinks."""


class Companion:
    """Follows an evening by what people type, and plays one seat of it."""

    def __init__(self, talk: Talk, evening: Evening, path: Path) -> None:
        """Sit down at ``evening``, which is kept in ``path``.

        Raises:
            UnknownPart: if there is no agent of that name.
            InvalidOptions: if it does not take what it is made with.
        """
        self._talk = talk
        self.evening = evening
        """What was told so far."""
        self._path = path
        self._later = ""
        """What was typed already for a question that comes after the one that is asked."""
        self._did: tuple[View, Move] | None = None
        """What the companion did last, and what it saw."""
        self._agent = make_player(evening)

    def sit(self) -> int:
        """Follow the evening until the people leave; return the exit code."""
        try:
            self._keep()
            if self.evening.entries:
                self._talk.say(f"Round {self.evening.rounds} goes on.")
            while True:
                if self.evening.my_turn:
                    self._act()
                    continue
                self._talk.say(question_text(self.evening))
                typed = self._talk.ask()
                if not self._command(typed):
                    self._hear(typed)
        except EOFError:
            self._leave()
            return LEFT
        except KeyboardInterrupt:
            self._leave()
            return INTERRUPTED

    def _hear(self, typed: str) -> None:
        """Take in a line that answers one question or several; all of it, or nothing."""
        evening, before = self.evening, self.evening.entries.copy()
        words = f"{typed} {self._later}".strip() if typed else ""
        later, news, said = "", list[Event](), list[str]()
        try:
            while words or evening.entries == before:
                if evening.my_turn:
                    raise BadAnswer("I come before that; type what comes after it when it is asked.")
                if evening.entries != before and evening.question.ask is Ask.SHOWN and _is_verdict(words):
                    later = words
                    break
                entry, words = hear(words, evening)
                events = evening.take(entry)
                news += events
                if entry.ask is Ask.AGAIN:
                    said += ["", f"Round {evening.rounds}: {self._names[evening.dealer]} deals."]
                elif not events and entry.ask is not Ask.PLAY and entry.said != str(Pass()):
                    said.append(f"{capital(self._words(entry))}.")
        except (BadAnswer, Misfit) as error:
            problem = str(error) if isinstance(error, BadAnswer) else f"No: {self._plainly(error)} {wanted(evening)}"
            if evening.entries != before:
                self.evening = Evening(evening.party, before)
            self._talk.say(problem)
            return
        self._later = later
        self._keep()
        self._talk.say(*said, *told_by(news, self._names, self.evening.party.seat))
        self._react(news, {entry.ask for entry in evening.entries[len(before) :]})

    def _react(self, news: Sequence[Event], told: Set[Ask]) -> None:
        """Say what comes of the news: who begins, what is thought of the rule, and the points."""
        evening = self.evening
        if Ask.AGAIN in told:
            self._agent = make_player(evening)
            self._did = None
        if told & {Ask.STARTERS, Ask.FIRST} and evening.round is not None:
            self._talk.say(f"{self._name(evening.round.turn)} {'begin' if self._begins else 'begins'}.")
        if evening.round is not None and evening.round.over:
            self._talk.say(points_drawing(self.evening))
        elif any(isinstance(event, JUDGED) for event in news) and (beliefs := self._beliefs()) is not None:
            self._talk.say(Text(thought(beliefs), "dim"))

    def _act(self) -> None:
        """Play, call or declare; where the agent fails, the first legal move is made in its place."""
        round_ = self.evening.round
        assert round_ is not None, "only a round gives the companion a turn"
        view = round_.view(self.evening.party.seat)
        try:
            move = self._agent.act(view)
            round_.check(move)
        except Exception as error:
            move = next(iter(view.legal_moves()))
            self._talk.say(
                f"{self.evening.party.agent} failed ({type(error).__name__}: {error!s:.200}); I do the first thing "
                "that is allowed."
            )
        assert view.decision is not None, "the companion is asked for something"
        entry = Entry(OF_DECISION[view.decision.kind], view.seat, str(move))
        news = self.evening.take(entry)
        self._keep()
        if (words := move_words(move, view)) is not None:
            self._did = view, move
            self._talk.say(Text(words, "bold"))
        if round_.over:
            ended = [event for event in news if isinstance(event, RoundEnded)]
            self._talk.say(*told_by(ended, self._names, view.seat), points_drawing(self.evening))

    # What may be asked for at any time.

    def _command(self, typed: str) -> bool:
        """Do what may be asked for at any time; return whether ``typed`` was that."""
        word, _, rest = typed.partition(" ")
        match word.lower():
            case "?" | "help" if not rest:
                self._explain()
            case "hand" if not rest:
                self._talk.say(hand_drawing(self.evening))
            case "table" if not rest:
                self._talk.say(table_drawing(self.evening))
            case "beliefs" if not rest:
                self._tell_beliefs()
            case "why" if not rest:
                self._talk.say(self._reason())
            case "undo":
                self._undo(rest)
            case "fix":
                self._fix(rest)
            case "count":
                self._count(rest)
            case "save" if not rest:
                self._tell_where("The evening")
            case "quit" if not rest:
                raise EOFError  # the end of what is typed, said in a word
            case _:
                return False
        return True

    def _explain(self) -> None:
        if not self.evening.entries:
            lines = gist(self.evening.profile)
            self._talk.say("The game:", side_by_side([("-", line) for line in lines]), "")
        self._talk.say(question_text(self.evening), wanted(self.evening), LETTERS, "", "At any time:")
        self._talk.say(side_by_side(COMMANDS))

    def _undo(self, words: str) -> None:
        if words and not re.fullmatch(r"[1-9][0-9]{0,3}", words):
            self._talk.say(f"{words[:40]!r} is no number of answers; type 'undo', or as in 'undo 3'.")
            return
        entries = self.evening.entries
        other = undone(self.evening, int(words or 1))
        if len(other.entries) == len(entries):
            self._talk.say("There is nothing to undo.")
            return
        self._change_to(other)
        for entry in reversed(entries[len(other.entries) :]):
            if not own(entry, other) or entry.said != str(Pass()):
                self._talk.say(f"Undone: {self._words(entry)}.")

    def _fix(self, words: str) -> None:
        number, _, text = words.partition(" ")
        entries = self.evening.entries
        if not text:
            self._list()
            return
        if not re.fullmatch(r"[0-9]{1,6}", number) or not 1 <= int(number) <= len(entries):
            self._talk.say(f"{number[:40]!r} is no number of an answer; 'fix' alone lists them.")
            return
        at = int(number)
        old = entries[at - 1]
        if own(old, self.evening):
            self._talk.say(f"{self._words(old)}: that was my own doing; 'undo' takes it back.")
            return
        before = Evening(self.evening.party, entries[: at - 1])
        try:
            new, rest = (hear_count(text, before), "") if old.ask is Ask.COUNT else hear(text, before)
            if rest:
                raise BadAnswer(f"{rest[:40]!r} is more than that answer. {wanted(before)}")
            other, given_back = revised(self.evening, at, new, self._ask_cards)
        except BadAnswer as error:
            self._talk.say(str(error))
            return
        except NoLongerFits as error:
            where = "It" if error.number == at else f"Then answer {error.number} ({self._words(error.entry)})"
            self._talk.say(f"{where} does not fit: {self._plainly(error)} Nothing was changed.")
            return
        self._change_to(other)
        self._talk.say(f"Answer {at} was: {self._words(old)}. Now it is: {self._words(new)}.")
        self._talk.say(*(f"{self._words(entry)}: I give that back." for entry in given_back))
        self._talk.say(table_drawing(other))
        if (beliefs := self._beliefs()) is not None:
            self._talk.say(Text(thought(beliefs), "dim"))

    def _ask_cards(self, evening: Evening) -> Entry:
        """Ask which cards the companion gets where, after a correction, it gets some.

        Raises:
            BadAnswer: if the people would rather leave everything as it was.
        """
        self._talk.say(f"{question_text(evening)} I am owed them now. 'cancel' leaves everything as it was.")
        while True:
            typed = self._talk.ask()
            if typed.lower() == "cancel":
                raise BadAnswer("Nothing was changed.")
            try:
                entry, rest = hear(typed, evening)
                if rest:
                    raise BadAnswer(f"{rest[:40]!r} is too much. {wanted(evening)}")
                Evening(evening.party, [*evening.entries, entry])
            except (BadAnswer, Misfit) as error:
                self._talk.say(str(error))
                continue
            return entry

    def _list(self) -> None:
        numbered = [
            (f"{number}", self._words(entry))
            for number, entry in enumerate(self.evening.entries, start=1)
            if not own(entry, self.evening) and entry.said != str(Pass())
        ]
        self._talk.say(side_by_side(numbered[-LISTED:]), "Type 'fix', a number and what is right: 'fix 12 right'.")

    def _count(self, words: str) -> None:
        try:
            entry = hear_count(words, self.evening)
            self.evening.take(entry)
        except (BadAnswer, Misfit) as error:
            self._talk.say(str(error) if isinstance(error, BadAnswer) else f"No: {self._plainly(error)}")
            return
        self._keep()
        self._talk.say(f"{capital(self._words(entry))}.")

    # What is said.

    def _tell_beliefs(self) -> None:
        round_ = self.evening.round
        beliefs = self._beliefs()
        if round_ is None or beliefs is None:
            self._talk.say("I believe nothing yet." if round_ is None else "I cannot tell what I believe.")
            return
        self._talk.say("I think likeliest:", side_by_side(beliefs_rows(beliefs)))
        if chances := chances_words(beliefs, round_.hands[self.evening.party.seat]):
            self._talk.say("My cards, by their chance of being right:", f"  {chances}")

    def _beliefs(self) -> Beliefs | None:
        """Return what the agent believes; None: it does not tell, or fails at it."""
        round_ = self.evening.round
        if round_ is None or not isinstance(self._agent, Explains):
            return None
        try:
            return self._agent.beliefs(round_.view(self.evening.party.seat))
        except Exception:
            return None

    def _reason(self) -> str:
        if self._did is None:
            return "I have done nothing yet that I remember."
        view, move = self._did
        words = move_words(move, view)
        try:
            return f"{words}\n{reason(make_player(self.evening), view, move)}"
        except Exception as error:
            return f"{words}\nI cannot tell why ({type(error).__name__}: {error!s:.200})."

    def _words(self, entry: Entry) -> str:
        return entry_words(entry, self.evening.party)

    def _plainly(self, error: ValueError) -> str:
        """Say what does not fit, with names in place of seats."""
        words = re.sub(r"^seat \d+: [a-z ]+: ", "", str(error))
        words = re.sub(r"\bseat (\d+)\b", lambda found: self._name(int(found[1])), words)
        return f"{words}{'' if words.endswith('.') else '.'}"

    def _name(self, seat: int) -> str:
        if seat == self.evening.party.seat:
            return "I"
        return self._names[seat] if seat < len(self._names) else f"seat {seat}"

    @property
    def _begins(self) -> bool:
        return self.evening.round is not None and self.evening.round.turn == self.evening.party.seat

    @property
    def _names(self) -> tuple[str, ...]:
        return self.evening.party.names

    # What is kept.

    def _change_to(self, evening: Evening) -> None:
        """Go on with another evening, as an agent that knows nothing of the former one."""
        self.evening = evening
        self._agent = make_player(evening)
        self._did = None
        self._later = ""
        self._keep()

    def _keep(self) -> None:
        write_diary(self._path, self.evening.party, self.evening.entries)

    def _leave(self) -> None:
        self._talk.say("")
        self._tell_where("You leave. The evening")

    def _tell_where(self, what: str) -> None:
        self._talk.say_kept(what, self._path, COMMAND)


def make_player(evening: Evening) -> Agent:
    """Make the agent that plays for the companion in this round.

    Raises:
        UnknownPart: if there is none of that name.
        InvalidOptions: if it does not take what it is made with.
    """
    party = evening.party
    spec = AgentSpec(party.agent, party.agent, party.options | ({"noise": NOISE} if party.noise else {}))
    return make_agent(spec, seat=party.seat, seed=f"{party.seed}/deal/{evening.rounds - 1}/agent/{party.seat}")


def _is_verdict(words: str) -> bool:
    return words.partition(" ")[0].lower() in (*RIGHT, *WRONG)
