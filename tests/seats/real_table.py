"""A real table that stands in for people: a true round is played, and what is seen of it is typed to a companion."""

from __future__ import annotations

from pathlib import Path
from random import Random

from eleusis_ai.cards import cards_text
from eleusis_ai.layout import Cards
from eleusis_ai.moves import DecisionKind, Move, Pass, Pick, parse_move
from eleusis_ai.profiles import profile_overrides
from eleusis_ai.round import Round
from eleusis_ai.seats.companion import Companion
from eleusis_ai.seats.diary import read_diary
from eleusis_ai.seats.evening import Ask, Entry, Evening, Party
from eleusis_ai.seats.revision import own
from tests.properties.rounds import Table, knowing_answer, on_paper, true_call
from tests.seats.sitters import Script

JUNK = (
    *("", " ", "11h", "7h 7x", "right wrong", "wrong 99", "no", "no play right 7h", "prophet prophet", "pick"),
    *("state", "state card.is_purple", "fix", "fix 0 right", "fix 99999 right", "fix 1", "fix x y", "undo x"),
    *("count", "count nobody 4", "count me 3", "count stock -1", "hand", "table", "beliefs", "why", "?", "\x00"),
    *("?" * 90, "7h " * 60, "unknown", "no play unknown", "wrong 7h", "ok", "again again", "\ufffd", "quit now"),
    *("undo 0", "undo -1"),
)
"""What people type when they err; none of it answers a question, or else it is undone at once."""


class People(Script):
    """Types to a companion what happens at a true round, with slips now and then."""

    def __init__(self, table: Table, path: Path, *, slips: float = 0.0) -> None:
        super().__init__()
        self.table = table
        self.true = on_paper(table.deal())
        self.seat = self.true.scientists[table.seed % (self.true.seats - 1)]
        self.path = path
        self.slips = slips
        self.companion = Companion(self, Evening(self.party()), path)
        self._rng = Random(table.seed)
        self._told = 0
        self._marks: dict[int, Round] = {}
        self._before: list[Entry] = []
        self._slipped = False

    def party(self) -> Party:
        letters = "ABCDEFGH"
        names = tuple("me" if seat == self.seat else f"{letters[seat]}nn" for seat in range(self.true.seats))
        return Party(
            profile=profile_overrides(self.true.profile),
            names=names,
            seat=self.seat,
            dealer=self.true.dealer,
            agent="random",
            seed=self.table.seed,
        )

    def play(self) -> None:
        """Play until the round is over."""
        self.companion.sit()
        while not self.true.over:
            self.companion = Companion(self, read_diary(self.path), self.path)
            assert self.companion.evening.entries == self._before
            self.companion.sit()

    def ask(self) -> str:
        """Return what is typed next."""
        typed = self._next()
        self.say(f"> {typed}")
        return typed

    def _next(self) -> str:
        evening = self.companion.evening
        if self._slipped and len(evening.entries) > len(self._before):
            self._slipped = False
            return f"undo {sum(not own(entry, evening) for entry in evening.entries[len(self._before) :])}"
        if self._slipped:
            assert evening.entries == self._before or len(evening.entries) < len(self._before)
            self._slipped = False
        if len(evening.entries) < self._told:
            self._told = len(evening.entries)
            self.true = self._marks[self._told].copy()
        for entry in evening.entries[self._told :]:
            if own(entry, evening):
                self.true.apply(parse_move(entry.said))
        self._told = len(evening.entries)
        self._marks[self._told] = self.true.copy()
        self._before = evening.entries.copy()
        if self._rng.random() < self.slips:
            return self._slip()
        return self._answer(evening)

    def _slip(self) -> str:
        chance = self._rng.random()
        if chance < 0.1:
            raise EOFError
        if chance < 0.2:
            return f"undo {self._rng.randint(1, 3)}"
        self._slipped = True
        return self._rng.choice(JUNK)

    def _answer(self, evening: Evening) -> str:
        asked, true = evening.question, self.true
        match asked.ask:
            case Ask.HINT:
                return "" if true.hint is None else str(true.hint)
            case Ask.STARTERS:
                return cards_text(true.layout.mainline)
            case Ask.FIRST:
                return evening.party.names[true.turn]
            case Ask.CARDS:
                assert evening.round is not None
                owed = true.hands[self.seat][-evening.round.owed :]
                return cards_text(owed[: self._rng.randint(1, len(owed))])
            case Ask.SHOWN:
                return cards_text(true.shown)
            case Ask.AGAIN:
                raise EOFError
        assert true.decision is not None
        assert (true.decision.seat, true.stage) == (asked.seat, evening.round.stage if evening.round else 0)
        move, stage_two = self._move(), true.stage == 2
        true.apply(move)
        if asked.ask is Ask.CALL and stage_two:
            return "no" if str(move) == "right" else "yes"
        return "" if isinstance(move, Pass) else str(move)

    def _move(self) -> Move:
        """Return what the seat does that has to decide."""
        true, rule = self.true, self.table.rule
        assert true.decision is not None
        if true.decision.kind is DecisionKind.PICK:
            rejected = true.layout.rejected
            legal: Cards = true.legal_moves().hand
            return Pick(
                self._rng.choice([card for card in legal if rule.allows(true.layout.mainline, card, rejected)])
            )
        if true.decision.seat == true.dealer:
            return true_call(true, rule)
        if self._rng.random() < self.table.wisdom:
            return knowing_answer(true, rule, self._rng)
        return true.legal_moves().sample(self._rng)
