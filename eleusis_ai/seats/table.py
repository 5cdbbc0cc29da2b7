"""A table with a person in one chair and programs in the others, and the file that keeps it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

import msgspec

from eleusis_ai.agent import Agent, Attends, Dealer
from eleusis_ai.events import Event
from eleusis_ai.layout import Cards
from eleusis_ai.legal import IllegalMove, LegalMoves
from eleusis_ai.logs import read_log
from eleusis_ai.moves import Decision, DecisionKind, Move, Pick, parse_move
from eleusis_ai.profiles import Profile
from eleusis_ai.record import InvalidRecord, Record, substitute
from eleusis_ai.registry import make_agent, make_dealer
from eleusis_ai.round import Round
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.setting import YOU, InvalidSetting, Setting
from eleusis_ai.seeds import generator
from eleusis_ai.view import View


class Table:
    """A round in play. While it is not the person's turn, ``step``; when it is, ``answer``.

    Programs get a view and answer with a move, and so does the person.
    """

    def __init__(self, round_: Round, setting: Setting) -> None:
        """Seat the programs that ``setting`` names at a round that was dealt for it.

        Raises:
            UnknownPart: if there is no such agent or dealer.
            InvalidOptions: if the dealer does not take its options.
        """
        self.setting = setting
        self.names = seated(setting, round_.seats)
        """Who sits where, by seat."""
        self.seat = self.names.index(YOU)
        """The person's seat."""
        self._fault: str | None = None
        self._round = round_
        self._judge = make_judge(setting)
        self._agents: dict[int, Agent] = {
            seat: make_agent(self.names[seat], seat=seat, seed=f"{deal_name(setting)}/agent/{seat}")
            for seat in range(round_.seats)
            if seat not in (self.seat, round_.dealer)
        }
        self._substitutes: dict[int, str] = {}
        self._news: list[Event] = [event.seen_by(self.seat) for event in round_.events]

    @classmethod
    def resume(cls, record: Record) -> Table:
        """Seat everybody again at a round that was kept.

        The programs are asked again what they were asked, so that they go on as if nothing had happened.

        Raises:
            InvalidRecord: if the record cannot be replayed, is over, or was not made by a `Table`.
        """
        if record.replay().over:
            raise InvalidRecord("the round is over, and cannot be gone on with; `eleusis replay` shows it")
        try:
            setting = Setting.parse(record.key)
        except InvalidSetting:
            raise InvalidRecord(f"{record.key!r} was not played with `eleusis play`, which alone resumes") from None
        table = cls(record.deal(), setting)
        table._substitutes = record.substitutes.copy()
        if table.names != record.agents:
            raise InvalidRecord(f"the record seats {record.agents}, its setting {table.names}: one was changed")
        for move in map(parse_move, record.moves):
            if table.asked:
                table._news.clear()
            else:
                with suppress(Exception):  # it failed the first time too, and a move was made in its place
                    table._choice()
            table._apply(move)
        return table

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self._round.over

    @property
    def decision(self) -> Decision:
        """Whose move it is, and of which kind."""
        assert self._round.decision is not None, "whoever asks has seen that the round is not over"
        return self._round.decision

    @property
    def asked(self) -> bool:
        """Whether the person has to decide."""
        return self._round.decision is not None and self._round.decision.seat == self.seat

    @property
    def view(self) -> View:
        """What the person may know."""
        return self._round.view(self.seat)

    def legal_moves(self) -> LegalMoves:
        """Return what the person may answer; a dealer knows his rule, and which cards it allows."""
        return self._round.legal_moves()

    @property
    def rule(self) -> Rule | None:
        """The secret rule, once the person may know it: as the dealer, or when the round is over."""
        return self._round.rule if self.over or self.seat == self._round.dealer else None

    def answer(self, move: Move) -> None:
        """Make the person's move.

        Raises:
            IllegalMove: if it may not be made.
        """
        self._round.check(move)
        self._apply(move)

    def step(self) -> None:
        """Let the program whose turn it is move; where it fails, the first legal move is made in its place."""
        try:
            move = self._choice()
            self._round.check(move)
        except Exception as error:
            move = substitute(self._round)
            illegal = isinstance(error, IllegalMove)
            self._substitutes[len(self._round.moves) + 1] = "illegal" if illegal else f"raised {type(error).__name__}"
            name = f"Seat {self.decision.seat} ({self.names[self.decision.seat]})"
            self._fault = f"{name} failed, and '{move}' is made for it. ({type(error).__name__}: {error!s:.200})"
        self._apply(move)

    def take_news(self) -> tuple[Event, ...]:
        """Return what has happened since this was last asked, as the person may know it."""
        news = tuple(self._news)
        self._news.clear()
        return news

    def take_fault(self) -> str | None:
        """Return what a program did wrong since this was last asked, in a sentence; None: nothing."""
        fault, self._fault = self._fault, None
        return fault

    def record(self) -> Record:
        """Return the log of the round as far as it has come; the key tells how the table was laid."""
        return msgspec.structs.replace(
            self._round.record(), key=str(self.setting), agents=self.names, substitutes=self._substitutes.copy()
        )

    def _choice(self) -> Move:
        decision = self.decision
        if decision.kind is DecisionKind.PICK:
            assert self._judge is not None, "a person who deals picks himself"
            legal: Cards = self._round.legal_moves().hand
            return Pick(
                self._judge.pick(legal, generator(f"{deal_name(self.setting)}/pick/{len(self._round.moves)}"))
            )
        return self._agents[decision.seat].act(self._round.view(decision.seat))

    def _apply(self, move: Move) -> None:
        self._news += [event.seen_by(self.seat) for event in self._round.apply(move)]
        if self.over:
            for seat, agent in self._agents.items():
                if isinstance(agent, Attends):
                    with suppress(Exception):  # its faults count no more
                        agent.ended(self._round.view(seat))


def deal_name(setting: Setting) -> str:
    """Return the name under which all that is drawn by chance has its generators."""
    return f"{setting.seed}/deal/0"


def make_judge(setting: Setting) -> Dealer | None:
    """Make the program that deals; None: the person does.

    Raises:
        UnknownPart: if there is no such dealer.
        InvalidOptions: if it does not take what was asked for.
    """
    if setting.deals:
        return None
    options: dict[str, object] = {}
    if setting.family is not None:
        options["families"] = [setting.family]
    if setting.rule is not None:
        rule = setting.given_rule()
        options["rule"] = str(rule)
        options["starter"] = None if rule.starter is None else str(rule.starter)
        options["hint"] = setting.give_hint
    return make_dealer(setting.dealer, options)


def table_size(setting: Setting, profile: Profile) -> int:
    """Return the number of players, the dealer included.

    Raises:
        InvalidSetting: if the profile is not played by so many.
    """
    named = len(setting.agents) + (1 if setting.deals else 2)
    seats = max(named, profile.min_seats) if setting.seats is None else setting.seats
    if not profile.min_seats <= seats <= profile.max_seats:
        raise InvalidSetting(
            f"{profile} is played by {profile.min_seats} to {profile.max_seats}, the dealer included, and not by "
            f"{seats}; write --seats {min(max(seats, profile.min_seats), profile.max_seats)}"
        )
    return seats


def seated(setting: Setting, seats: int) -> tuple[str, ...]:
    """Return who sits where: the dealer at seat 0, the person there or at the dealer's left, then the agents."""
    first: Sequence[str] = (YOU,) if setting.deals else (setting.dealer, YOU)
    return (*first, *islice(cycle(setting.agents), seats - len(first)))


def write_record(path: Path, record: Record) -> None:
    """Write a record to its own file, so that at any moment the old file or the new one is there.

    Raises:
        OSError: if it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_text(f"{record}\n", encoding="utf-8")
    os.replace(part, path)


def read_record(path: Path) -> Record:
    """Read the record of a file that holds one round.

    Raises:
        InvalidRecord: if it holds none, or several.
        OSError: if it cannot be read.
    """
    records = list(islice(read_log(path), 2))
    if len(records) != 1:
        raise InvalidRecord(
            f"{path} holds {'several rounds' if records else 'no round'}; `--save` makes a file of one"
        )
    return records[0]
