"""What stands in the tables and charts of a report: numbers, each with the rounds behind it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec

from eleusis_ai.arena.report.digest import Digest, Subject
from eleusis_ai.charts import Chart, Dot, Dots, Interval

MINUS = "−"  # noqa: RUF001 - numbers below 0 are typeset with the sign that is as wide as a plus

POINTS = "points, mean and 95 % interval"
"""What the axis of most charts shows."""


class Figure(msgspec.Struct, frozen=True):
    """What stands in a cell of a table."""

    text: str
    note: str = ""
    """What stands small beside it, such as its interval."""
    behind: Subject | None = None
    """What the rounds behind it are about; None: there are none."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One table of a report, with its charts."""

    name: str
    """A short name, such as ``families``; the charts' files are called after it."""
    title: str
    said: tuple[str, ...]
    """How it is to be read, a sentence each."""
    head: tuple[str, ...]
    rows: tuple[tuple[Figure, ...], ...]
    charts: tuple[Chart, ...] = ()


NOTHING = Figure("–")  # noqa: RUF001 - a dash in place of a number


def chart_of(title: str, x_label: str, digest: Digest, rows: Mapping[str, Sequence[tuple[str, Subject]]]) -> Chart:
    """Return a chart of means, by series and row."""
    return Chart(
        title=title,
        x_label=x_label,
        dots=tuple(
            Dots(
                name=name,
                dots=tuple(
                    Dot(row=row, value=digest.means[subject].interval(), link=link(digest, subject))
                    for row, subject in own
                    if subject in digest.means
                ),
            )
            for name, own in rows.items()
        ),
    )


def mean(digest: Digest, subject: Subject) -> Figure:
    """Return the mean points that ``subject`` is about, with their interval."""
    if subject not in digest.means:
        return NOTHING
    found = digest.means[subject].interval()
    return Figure(f"{found.mean:.2f}", bounds(found), subject)


def bounds(interval: Interval, write: Callable[[float], str] = "{:.2f}".format) -> str:
    """Write from where to where an interval goes, each number by ``write``."""
    if not math.isfinite(interval.low):
        return "one deal"
    return f"{write(interval.low)} to {write(interval.high)}".replace("-", MINUS)


def signed(number: float, digits: int = 2) -> str:
    """Write a difference with its sign."""
    return f"{number:+.{digits}f}".replace("-", MINUS)


def if_there(digest: Digest, subject: Subject) -> Subject | None:
    """Return ``subject`` if there are rounds behind it."""
    return subject if subject in digest.examples else None


def link(digest: Digest, subject: Subject) -> str:
    """Return where a page has the rounds behind a number; empty: there are none."""
    return f"#{digest.anchor(subject)}" if subject in digest.examples else ""
