"""A run on paper: result.json, a Markdown page, and charts where matplotlib is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from eleusis_ai.bench.benchmark import Cell, Table
from eleusis_ai.bench.runs import Run
from eleusis_ai.charts import NO_PLOTS, can_draw, draw


def write(run: Run, folder: Path) -> list[str]:
    """Write a run into ``folder``, which is made; what is of that name there is replaced. Return remarks."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "result.json").write_bytes(run.result.encoded)
    charts = run.summary.charts if can_draw() else ()
    names = [f"chart-{number}.png" if number > 1 else "chart.png" for number in range(1, len(charts) + 1)]
    for chart, name in zip(charts, names, strict=True):
        draw(chart, folder / name)
    (folder / "result.md").write_text(markdown(run, names), encoding="utf-8")
    return [NO_PLOTS] if run.summary.charts and not charts else []


def markdown(run: Run, charts: list[str]) -> str:
    """Write a run as a page, with the charts that lie beside it."""
    return "\n".join(_lines(run, charts)) + "\n"


def on_screen(run: Run) -> Iterator[RichTable]:
    """Yield the tables of a run for the terminal."""
    for table in (*run.result.tables[:1], *run.summary.times[:1]):
        shown = RichTable(
            title=table.title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
        )
        for column, head in enumerate(table.head):
            shown.add_column(head, justify="right" if column else "left", no_wrap=not column)
        for row in table.rows:
            shown.add_row(*(cell_text(cell).strip("*") for cell in row))
        yield shown


def _lines(run: Run, charts: list[str]) -> Iterator[str]:
    result = run.result
    yield f"# {result.question}"
    yield ""
    at = f"Commit {result.commit}." if result.commit else "Not run from a checkout."
    settings = ", ".join(f"{key} {_setting(value)}" for key, value in result.settings.items())
    versions = ", ".join(f"{name} {number}" for name, number in result.versions.items())
    yield f"Benchmark {result.benchmark}: {settings}. {at} {versions}."
    yield ""
    for learner in result.learners:
        options = f" {msgspec.json.encode(learner.options).decode()}" if learner.options else ""
        provenance = f": {learner.provenance}" if learner.provenance else ""
        yield f"- **{learner.name}** (`{learner.use}`{options}){provenance}"
    yield ""
    for table in result.tables:
        yield from _table(table)
    for remark in result.remarks:
        yield f"- {remark}"
    yield ""
    for chart, name in zip(run.summary.charts, charts, strict=False):
        yield f"![{chart.title}]({name})"
        yield ""
    for table in run.summary.times:
        yield from _table(table)
        yield "Times differ from run to run, and are no part of result.json."


def _table(table: Table) -> Iterator[str]:
    yield f"## {table.title}"
    yield ""
    yield f"| {' | '.join(table.head)} |"
    yield f"|{'---|' * len(table.head)}"
    for row in table.rows:
        yield f"| {' | '.join(cell_text(cell).replace('|', '&#124;') for cell in row)} |"
    yield ""


def cell_text(cell: Cell) -> str:
    """Write what stands in a table; fractions with two digits."""
    if cell is None:
        return "-"
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _setting(value: object) -> str:
    return "all" if value is None else msgspec.json.encode(value).decode().strip('"')
