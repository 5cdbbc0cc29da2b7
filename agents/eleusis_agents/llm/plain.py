"""Text from elsewhere, made fit to stand in a line of a terminal."""

from __future__ import annotations


def in_a_line(text: str, longest: int) -> str:
    """Return ``text`` without what moves a cursor or breaks a line, cut to ``longest`` characters."""
    shown = "".join(each if each.isprintable() else " " for each in text[: 10 * longest])
    return " ".join(shown.split())[:longest]
