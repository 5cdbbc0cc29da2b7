"""A view drawn as text or as pixels, without a library for pictures."""

from __future__ import annotations

from functools import cache
from io import StringIO
from typing import Final

import gymnasium
import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group
from rich.text import Text

from eleusis_ai.cards import RANKS, Card
from eleusis_ai.drawing import LayoutDrawing, draw_hand, draw_view
from eleusis_ai.layout import Cards, Layout, Marker
from eleusis_ai.round import Round
from eleusis_ai.view import View

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

RENDER_FPS: Final = 2
RENDER_MODES: Final = ("ansi", "rgb_array")
WIDTH, HEIGHT = 640, 480
"""Pixels of a picture."""
TEXT_WIDTH = 100
"""Columns of a text."""

CARD_WIDTH, CARD_HEIGHT = 27, 36
STEP = 30
"""Pixels from one column of the layout to the next."""
DROP = 21
"""Pixels from one rejected card to the next below it."""
CLOTH, WHITE, GREY = (22, 84, 62), (250, 250, 246), (178, 186, 180)
RED, BLACK, GOLD, DIM = (198, 30, 40), (24, 24, 28), (240, 192, 48), (150, 180, 166)

# Five columns of seven pixels a letter; the lowest bit is the top.
_FONT = {
    "0": "3E5149453E", "1": "00427F4000", "2": "4261514946", "3": "2141454B31", "4": "1814127F10",
    "5": "2745454539", "6": "3C4A494930", "7": "0171090503", "8": "3649494936", "9": "064949291E",
    "A": "7E1111117E", "B": "7F49494936", "C": "3E41414122", "D": "7F4141221C", "E": "7F49494941",
    "F": "7F09090901", "G": "3E4149497A", "H": "7F0808087F", "I": "00417F4100", "J": "2040413F01",
    "K": "7F08142241", "L": "7F40404040", "M": "7F020C027F", "N": "7F0408107F", "O": "3E4141413E",
    "P": "7F09090906", "Q": "3E4151215E", "R": "7F09192946", "S": "4649494931", "T": "01017F0101",
    "U": "3F4040403F", "V": "1F2040201F", "W": "3F4038403F", "X": "6314081463", "Y": "0708700807",
    "Z": "6151494543", " ": "0000000000", "-": "0808080808", ":": "0036360000", ",": "0050300000",
}  # fmt: skip
_PIPS = {
    0: ("..###..", "..###..", "#######", "#######", "##.#.##", "...#...", "..###.."),
    1: ("...#...", "..###..", ".#####.", "#######", ".#####.", "..###..", "...#..."),
    2: (".##.##.", "#######", "#######", "#######", ".#####.", "..###..", "...#..."),
    3: ("...#...", "..###..", ".#####.", "#######", "#######", "...#...", "..###.."),
}


def check_render_mode(mode: str | None) -> None:
    """Refuse a mode that ``rendered`` does not know.

    Raises:
        ValueError: naming it, and those that there are.
    """
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"there is no render_mode {mode!r}; write 'ansi', 'rgb_array' or None")


def rendered(round_: Round, seat: int, mode: str | None) -> str | Pixels | None:
    """Return the table as ``seat`` sees it: a text, or a picture; without a ``mode`` None, with a warning."""
    if mode is None:
        gymnasium.logger.warn("render() without a render_mode; make the environment with 'ansi' or 'rgb_array'")
        return None
    view = round_.view(seat)
    return ansi(view) if mode == "ansi" else rgb_array(view)


def ansi(view: View) -> str:
    """Return the table as ``view`` shows it, as plain text."""
    page = StringIO()
    Console(file=page, width=TEXT_WIDTH, color_system=None).print(draw_view(view))
    return page.getvalue()


def ansi_layout(layout: Layout, hand: Cards) -> str:
    """Return a layout and a hand as plain text."""
    page = StringIO()
    Console(file=page, width=TEXT_WIDTH, color_system=None).print(
        Group(LayoutDrawing(layout), Text(), draw_hand(hand))
    )
    return page.getvalue()


def rgb_array(view: View) -> Pixels:
    """Return the table as ``view`` shows it: shape (HEIGHT, WIDTH, 3), uint8.

    From above: who sits where, the end of the mainline with the sidelines below it, and the seat's hand.
    """
    canvas = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    canvas[:] = CLOTH
    _write(canvas, 8, 8, _caption(view), WHITE)
    for place, line in enumerate(_seat_lines(view)):
        colour = GOLD if view.decision is not None and view.decision.seat == place else DIM
        _write(canvas, 8 + 316 * (place % 2), 24 + 14 * (place // 2), line, colour)
    _layout(canvas, view, top=92)
    _hand(canvas, view.hand, top=HEIGHT - CARD_HEIGHT - 10)
    return canvas


def _caption(view: View) -> str:
    public = view.public
    asked = (
        f"{public.end_reason}"
        if public.decision is None
        else f"seat {public.decision.seat} {public.decision.kind.value}"
    )
    expelling = ", a wrong play expels" if public.danger else ""
    return f"{public.profile.name}  stock {public.stock_size}  {asked}{expelling}".replace("_", " ")


def _seat_lines(view: View) -> list[str]:
    public = view.public
    lines = []
    for seat in range(public.seats):
        marks = [
            "dealer" if seat == public.dealer else f"{public.hand_sizes[seat]} cards",
            *(["you"] if seat == view.seat else []),
            *(["prophet"] if seat == public.prophet else []),
            *(["was prophet"] if seat in public.former_prophets else []),
            *(["expelled"] if seat in public.expelled else []),
        ]
        lines.append(f"seat {seat}: {', '.join(marks)}")
    return lines


def _layout(canvas: Pixels, view: View, *, top: int) -> None:
    """Draw the last columns of the layout."""
    layout, marker = view.layout, view.public.marker
    shown = (WIDTH - 16) // STEP
    start = max(0, len(layout.mainline) - shown)
    bottom = HEIGHT - CARD_HEIGHT - 26
    for place, at in enumerate(range(start, len(layout.mainline))):
        left = 8 + STEP * place
        _card(canvas, left, top, layout.mainline[at], WHITE, marked=marker == Marker(at))
        below = top + CARD_HEIGHT + 6
        for branch, cards in enumerate(layout.sidelines[at]):
            for card in cards:
                if below + CARD_HEIGHT <= bottom:
                    last = card is cards[-1]
                    _card(canvas, left, below, card, GREY, marked=last and marker == Marker(at, branch))
                below += DROP
            below += 3


def _hand(canvas: Pixels, hand: Cards, *, top: int) -> None:
    """Draw a hand in order, close together if there is no room."""
    step = min(STEP, (WIDTH - 16 - CARD_WIDTH) / max(1, len(hand) - 1))
    for place, card in enumerate(sorted(hand)):
        _card(canvas, round(8 + step * place), top, card, WHITE)


def _card(canvas: Pixels, left: int, top: int, card: Card, paper: Colour, *, marked: bool = False) -> None:
    """Draw a card: its rank above its pip."""
    canvas[top : top + CARD_HEIGHT, left : left + CARD_WIDTH] = GOLD if marked else BLACK
    edge = 2 if marked else 1
    canvas[top + edge : top + CARD_HEIGHT - edge, left + edge : left + CARD_WIDTH - edge] = paper
    ink = RED if card.is_red else BLACK
    rank = RANKS[card.rank - 1]
    _write(canvas, left + (14 - 6 * len(rank)) // 2 + 1, top + 4, rank, ink)
    pip = _pip(card.suit)
    _stamp(canvas, left + CARD_WIDTH - 10, top + 4, pip, ink)
    _stamp(canvas, left + 7, top + 17, np.kron(pip, np.ones((2, 2), bool)), ink)


def _write(canvas: Pixels, left: int, top: int, text: str, colour: Colour) -> None:
    for place, letter in enumerate(text.upper()):
        _stamp(canvas, left + 6 * place, top, _letter(letter), colour)


def _stamp(canvas: Pixels, left: int, top: int, marks: NDArray[np.bool_], colour: Colour) -> None:
    """Colour the pixels that ``marks`` has, as far as they are on the canvas."""
    part = canvas[top : top + marks.shape[0], left : left + marks.shape[1]]
    part[marks[: part.shape[0], : part.shape[1]]] = colour


@cache
def _letter(letter: str) -> NDArray[np.bool_]:
    """Return a letter: shape (7, 5), bool."""
    columns = np.frombuffer(bytes.fromhex(_FONT.get(letter, _FONT["-"])), np.uint8)
    return (columns[None, :] >> np.arange(7)[:, None] & 1).astype(bool)


@cache
def _pip(suit: int) -> NDArray[np.bool_]:
    """Return a pip: shape (7, 7), bool."""
    return np.array([[mark == "#" for mark in row] for row in _PIPS[suit]])
