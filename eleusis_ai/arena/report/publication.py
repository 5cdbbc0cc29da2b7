"""A report in files: the page, and its charts as pictures."""

from __future__ import annotations

from pathlib import Path

from eleusis_ai.arena.report.figures import Finding
from eleusis_ai.arena.report.page import page
from eleusis_ai.arena.report.study import Study
from eleusis_ai.charts import NO_PLOTS, can_draw, draw, draw_svg

PAGE = "report.html"
"""What the page is called."""


def publish(study: Study, out: Path) -> tuple[str, ...]:
    """Write a report into the folder ``out``, replacing an earlier one; return what a reader must know."""
    out.mkdir(parents=True, exist_ok=True)
    drawn = can_draw()
    charts: dict[str, list[str]] = {}
    for finding in study.findings if drawn else ():
        charts[finding.name] = [draw_svg(chart) for chart in finding.charts]
        for name, chart in zip(_pictures(finding), finding.charts, strict=True):
            draw(chart, out / name)
    notes = () if drawn else (NO_PLOTS,)
    (out / PAGE).write_text(page(study, charts, notes), encoding="utf-8")
    return (*study.remarks, *notes)


def _pictures(finding: Finding) -> list[str]:
    return [
        f"{finding.name}-{number}.png" if number > 1 else f"{finding.name}.png"
        for number in range(1, len(finding.charts) + 1)
    ]
