"""What a report has to say, in tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from eleusis_ai.arena.report.figures import Figure, Finding

WIDE = 20
"""Letters of a name that are not parted."""
LONG = 24
"""Rows of a table beyond which a terminal is not the place for it."""


def brief_tables(findings: Iterable[Finding]) -> Iterator[Table | Text]:
    """Yield tables of findings; those that are long are left to the page."""
    for finding in findings:
        if len(finding.rows) > LONG:
            yield Text(f"{finding.title}: {len(finding.rows)} rows, on the page", "dim")
            continue
        table = Table(
            title=finding.title,
            title_justify="left",
            box=SIMPLE_HEAD,
            show_edge=False,
            pad_edge=False,
            padding=(0, 1, 0, 0),
        )
        names = max(len(row[0].text) for row in finding.rows)
        table.add_column(finding.head[0], overflow="fold", min_width=min(names, WIDE))
        for name in finding.head[1:]:
            table.add_column(name.replace(" ", "\n"), justify="right", overflow="fold")
        for row in finding.rows:
            table.add_row(*map(_cell, row))
        yield table


def _cell(figure: Figure) -> str:
    return figure.text
