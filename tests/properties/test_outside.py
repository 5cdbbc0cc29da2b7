"""What is told outside is the view: it can be read back from the lines, and there is nothing else in them."""

from __future__ import annotations

from itertools import islice

import msgspec
from hypothesis import given, settings

from eleusis_ai.legal import LegalMoves
from eleusis_ai.moves import DecisionKind, StateRule, parse_move
from eleusis_ai.rules.language import Rule
from eleusis_ai.seats.protocol import (
    DecisionMessage,
    EventsMessage,
    ProfileMessage,
    SeatMessage,
    ViewMessage,
    read_from_table,
    write,
)
from eleusis_ai.seats.transcript import Reading, Telling, question, result
from eleusis_ai.view import Public, View
from tests.properties.rounds import STEADY, Table, on_paper, tables

IN_DECISION = {"decision", "events", "profile", "seats", "dealer", "hint", "by_hand"}
"""Fields of a view's public part that other messages than the view's hold."""


class Outside:
    """A seat outside: what it knows comes from lines alone."""

    def __init__(self) -> None:
        self.telling, self.reading = Telling(seed=7, time_limit=2.5), Reading()

    def looks(self, view: View) -> View:
        for line in map(write, self.telling.situation(view)):
            message = read_from_table(line)
            assert isinstance(message, ProfileMessage | SeatMessage | EventsMessage | ViewMessage)
            self.reading.take(message)
        asked = view.decision is not None and view.decision.seat == view.seat
        return self.reading.view(view.decision.kind.value if asked and view.decision else None)


@settings(STEADY, max_examples=30)
@given(tables())
def test_a_view_is_read_back(table: Table) -> None:
    for round_ in (table.deal(), on_paper(table.deal())):
        rng, seats = table.rng, [Outside() for _ in range(round_.seats)]
        for _ in range(60):
            if (decision := round_.decision) is None:
                break
            view = round_.view(decision.seat)
            assert seats[decision.seat].looks(view) == view
            assert_told(question(view.legal_moves(), 1), view.legal_moves())
            round_.apply(table.answer(round_, rng))
        view = round_.view(1)
        if round_.over:
            assert seats[1].looks(view) == view
            told = result(view)
            assert told.points == round_.scores()
            assert (told.rule is None) == (round_.rule is None)


def assert_told(told: DecisionMessage, moves: LegalMoves) -> None:
    """Check that the moves told are those that there are."""
    listed = [parse_move(text) for text in told.legal]
    assert all(move in moves for move in listed)
    assert len(set(told.legal)) == len(told.legal)
    assert listed == list(islice(moves, len(listed) - (moves.kind is DecisionKind.PLAY and moves.no_play))) + (
        [listed[-1]] if moves.kind is DecisionKind.PLAY and moves.no_play else []
    )
    if told.strings is None:
        assert moves.count == len(listed)
    else:
        assert parse_move(told.strings.cards).cards == moves.hand  # type: ignore[union-attr]  # cards are an attempt
        assert told.strings.longest == moves.longest
    assert (told.statements is not None) == (StateRule(Rule.parse("card.is_red")) in moves)


def test_every_field_of_a_view_is_told() -> None:
    assert set(ViewMessage.__struct_fields__) == {*Public.__struct_fields__, "hand"} - IN_DECISION
    assert set(View.__struct_fields__) == {"seat", "hand", "public"}
    assert msgspec.structs.fields(DecisionMessage)[0].name == "number"
