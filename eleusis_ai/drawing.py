"""The table drawn for a terminal: the mainline with its sidelines, and who sits round it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import astuple
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from eleusis_ai.cards import Card, Suit
from eleusis_ai.events import Event, Scored
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.moves import StateRule, parse_move
from eleusis_ai.record import Record
from eleusis_ai.round import Round
from eleusis_ai.view import Public, View

COLUMN = 5
"""Characters to a column: a bracket, a card of up to three, and a marker or a gap."""
MARKER = "◂"
"""Stands behind the card on which the prophet's marker lies."""


def card_text(card: Card, style: str = "") -> Text:
    """Write a card with its pip; red suits are red as well."""
    return Text(card.symbol, f"{style} red" if card.is_red else style)


def cards_line(cards: Sequence[Card]) -> Text:
    """Write cards in a row."""
    return Text(" ").join(map(card_text, cards))


def draw_hand(cards: Cards, label: str = "Your hand") -> Table:
    """Draw a hand ordered by suit and rank, with a gap between suits and how many cards there are."""
    suits = [[card for card in sorted(cards) if card.suit is suit] for suit in Suit]
    grid = Table.grid(padding=(0, 1, 0, 0))
    line = Text("   ").join(cards_line(suit) for suit in suits if suit)
    grid.add_row(Text(f"{label} ({len(cards)}):", "bold"), line)
    return grid


class LayoutDrawing:
    """A layout as it lies on the table, in as many rows of columns as the terminal's width asks for.

    Each row shows, from above: hands that were shown, each with the number of its column; the numbers of
    the columns (what ``position`` was when the card was judged); the mainline; the sidelines. The cards of
    one string are held together by a bracket.
    """

    def __init__(self, layout: Layout, marker: Marker | None = None) -> None:
        self.layout = layout
        self.marker = marker

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw for the width that there is."""
        columns = max(1, options.max_width // COLUMN)
        for start in range(0, len(self.layout.mainline), columns):
            if start:
                yield Text()
            for line in self._row(range(start, min(start + columns, len(self.layout.mainline))), options.max_width):
                line.no_wrap, line.overflow = True, "ignore"
                yield line

    def _row(self, columns: range, width: int) -> Iterator[Text]:
        for at in columns:
            for hand in self.layout.shown[at]:
                yield from _shown_above(at, hand, indent=(at - columns.start) * COLUMN, width=width)
        yield Text("".join(f" {at:<{COLUMN - 1}}" for at in columns).rstrip(), "dim")
        yield _line([self._accepted(at) for at in columns])
        hanging = [self._sideline(at) for at in columns]
        for depth in range(max(map(len, hanging))):
            yield _line([column[depth] if depth < len(column) else Text() for column in hanging])

    def _accepted(self, at: int) -> Text:
        return _cell(" ", self.layout.mainline[at], marked=self.marker == Marker(at), style="bold")

    def _sideline(self, at: int) -> list[Text]:
        """Return the cells below column ``at``, from above."""
        cells = []
        for branch, cards in enumerate(self.layout.sidelines[at]):
            last = len(cards) - 1
            for index, card in enumerate(cards):
                bracket = " " if not last else "╭" if index == 0 else "╰" if index == last else "│"
                marked = index == last and self.marker == Marker(at, branch)
                cells.append(_cell(bracket, card, marked=marked))
        return cells


def _cell(bracket: str, card: Card, *, marked: bool, style: str = "") -> Text:
    cell = Text.assemble((bracket, "dim"), card_text(card, style))
    return cell.append(MARKER, "bold yellow") if marked else cell


def _line(cells: Sequence[Text]) -> Text:
    line = Text()
    for cell in cells:
        cell.pad_right(COLUMN - cell.cell_len)
        line.append_text(cell)
    line.rstrip()
    return line


def _shown_above(at: int, hand: Cards, *, indent: int, width: int) -> Iterator[Text]:
    """Yield the lines of a shown hand, moved left where it would not fit above its column."""
    lines = Text.assemble((f"above {at}: ", "dim"), cards_line(hand)).wrap(Console(), width)
    for line in lines:
        line.rstrip()
    room = width - max(line.cell_len for line in lines)
    for line in lines:
        line.pad_left(min(indent, room))
        yield line


def draw_table(public: Public, names: Sequence[str] = (), *, you: int | None = None) -> Group:
    """Draw what everyone may know: the counts, the seats, and the layout.

    Args:
        public: The table.
        names: Who sits where, by seat; empty where nobody is named.
        you: The seat for which it is drawn, whose turn is "your turn".
    """
    layout = LayoutDrawing(public.layout, public.marker)
    return Group(
        _counts(public, you), _seats(public, names), *_mistakes(public), Text(), layout, *_statements(public)
    )


def draw_view(view: View, names: Sequence[str] = ()) -> Group:
    """Draw the table as one seat sees it: the dealer's hint, and its own hand below."""
    hint = [] if view.hint is None else [Text(), Text(f"The dealer's hint: {view.hint.text}")]
    table = Group(draw_table(view.public, names, you=view.seat), *hint)
    if view.seat == view.public.dealer:
        return table
    aside = ", laid aside" if view.seat == view.public.prophet else ""
    return Group(table, Text(), draw_hand(view.hand, f"Your hand{aside}"))


def draw_round(round_: Round, names: Sequence[str] = ()) -> Group:
    """Draw a round with everything that was secret: the rule, and where it ended the points."""
    secrets = Table.grid(padding=(0, 2, 0, 0))
    if round_.rule is not None:
        secrets.add_row(Text("rule", "dim"), Text(str(round_.rule), "bold"))
        if round_.rule.starter is not None:
            secrets.add_row(Text("first card", "dim"), Text(str(round_.rule.starter)))
        secrets.add_row(Text("in words", "dim"), Text(round_.rule.text))
    if round_.hint is not None:
        secrets.add_row(Text("hint", "dim"), Text(round_.hint.text))
    return Group(secrets, Text(), draw_table(round_.public(), names))


def draw_stand_ins(record: Record) -> Group:
    """Tell which moves of a round were made for seats that gave no legal answer, and what these did instead."""
    moves: dict[tuple[int, str], list[str]] = {}
    for number, seat, fault in record.stand_ins():
        moves.setdefault((seat, fault), []).append(str(number))
    told = "seat {} {}; the first legal move was made for it: move {}"
    return Group(*(Text(told.format(*key, ", ".join(numbers))) for key, numbers in moves.items()))


def draw_steps(record: Record) -> Iterator[Group]:
    """Replay a round and draw the table as it was dealt, then after each move, with what happened.

    Raises:
        InvalidRecord: if the record cannot be replayed.
    """
    record.replay()  # a record that does not hold is refused before anything is drawn
    round_ = record.deal()
    yield Group(*_told(round_.events), draw_round(round_, record.agents))
    for number, text in enumerate(record.moves, start=1):
        events = round_.apply(parse_move(text))
        instead = (
            f", made for a seat that gave no answer: {fault}" if (fault := record.substitutes.get(number)) else ""
        )
        yield Group(
            Text(f"\nmove {number}: {text}{instead}", "bold"),
            *_told(events),
            draw_table(round_.public(), record.agents),
        )


def draw_ranking(public: Public, names: Sequence[str]) -> Table:
    """Draw the seats of a round that is over, the best first; equal points share a rank."""
    points = next(event.points for event in reversed(public.events) if isinstance(event, Scored))
    grid = Table.grid(padding=(0, 2, 0, 0))
    for seat in sorted(range(public.seats), key=lambda seat: -points[seat]):
        rank = 1 + sum(more > points[seat] for more in points)
        result = (_number(points[seat], "point"), _held(public, seat), ", ".join(_marks(public, seat)))
        grid.add_row(*map(Text, (f"{rank:>2}.", f"seat {seat}", names[seat], *result)))
    return grid


def _held(public: Public, seat: int) -> str:
    if seat == public.dealer:
        return "dealer"
    mistakes = f", {_number(len(public.mistakes[seat]), 'mistake').strip()}" if public.profile.mistake_cards else ""
    return f"{_number(public.hand_sizes[seat], 'card')}{mistakes}"


def _told(events: Iterable[Event]) -> Iterator[Text]:
    for event in events:
        yield Text(f"  {event}")


def _counts(public: Public, you: int | None) -> Text:
    if public.decision is None:
        doing = f"ended: {public.end_reason}"
    else:
        asked = "your turn" if public.decision.seat == you else str(public.decision)
        doing = f"{asked}{', and a wrong play expels' if public.danger else ''}"
    rejected = len(public.layout.rejected) + sum(map(len, public.mistakes))
    stage = f"stage {public.stage}; " if public.profile.mistake_cards else ""
    left = "" if public.turns_left is None else f", {_number(public.turns_left, 'turn').strip()} left"
    return Text(
        f"{public.profile.name}, {public.seats} seats; {stage}{doing}\n"
        f"stock {public.stock_size}, {len(public.layout.mainline)} accepted, {rejected} rejected, "
        f"{public.played} played{left}"
    )


def _mistakes(public: Public) -> Iterator[RenderableType]:
    """Yield the mistake cards as they lie before their players."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for seat, cards in enumerate(public.mistakes):
        if cards:
            grid.add_row(Text(f"before seat {seat}", "dim"), cards_line(cards))
    if grid.row_count:
        yield Text()
        yield grid


def _statements(public: Public) -> Iterator[RenderableType]:
    """Yield the rules that were stated."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    statements = public.statements
    for index, (seat, rule) in enumerate(map(astuple, statements)):
        last = index == len(statements) - 1
        open_ = last and isinstance(public.attempt, StateRule)
        verdict = "?" if open_ else "right" if last and public.stated is not None else "wrong"
        grid.add_row(Text(f"seat {seat} stated", "dim"), Text(verdict), Text(rule))
    if statements:
        yield Text()
        yield grid


def _seats(public: Public, names: Sequence[str]) -> Table:
    points = next((event.points for event in reversed(public.events) if isinstance(event, Scored)), None)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ellipsis", max_width=20)
    for seat in range(public.seats):
        asked = public.decision is not None and seat == public.decision.seat
        name = names[seat] if seat < len(names) else ""
        result = [] if points is None else [_number(points[seat], "point")]
        marks = ", ".join(_marks(public, seat))
        grid.add_row(*map(Text, (f"{'▸' if asked else ' '} seat {seat}", name, _held(public, seat), *result, marks)))
    return grid


def standing(public: Public, seat: int) -> Iterator[str]:
    """Yield in words what a seat has become in the round: prophet, expelled, and the like."""
    if seat == public.prophet:
        yield "prophet"
    if seat in public.former_prophets:
        yield "was prophet"
    if seat in public.expelled:
        yield "expelled"
    if seat == public.emptied:
        yield "no card left" if public.profile.mistake_cards else "emptied the hand"
    if seat == public.stated:
        yield "stated the rule"


def _marks(public: Public, seat: int) -> Iterator[str]:
    for mark in standing(public, seat):
        since = f" {MARKER} {public.accepted_since} right, {public.rejected_since} wrong since"
        yield mark + (since if seat == public.prophet and mark == "prophet" else "")


def _number(count: int, noun: str) -> str:
    return f"{count:>2} {noun}{'' if count == 1 else 's'}"
