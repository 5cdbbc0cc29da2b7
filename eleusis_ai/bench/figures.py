"""Charts of a report, drawn with matplotlib, which not everybody has installed."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from eleusis_ai.bench.benchmark import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 8.0
"""Inches."""
OURS, OTHERS = "#b5473c", "#8a97a8"
"""Colours of this run's bars, and of those it is compared with."""
FEW = 20
"""Points of a line up to which each is marked."""


def can_draw() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(chart: Chart, path: Path) -> None:
    """Draw ``chart`` into a PNG file."""
    from matplotlib.figure import Figure

    height = 1.4 + 0.28 * len(chart.bars) if chart.bars else 5.0
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(chart.title, loc="left", fontsize=11)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.spines[["top", "right"]].set_visible(False)
    _bars(axes, chart) if chart.bars else _lines(axes, chart)
    figure.savefig(path, dpi=120, metadata={"Software": None})


def _bars(axes: Axes, chart: Chart) -> None:
    names = [name for name, _ in chart.bars]
    means = [interval.mean for _, interval in chart.bars]
    reach = [
        [interval.mean - interval.low for _, interval in chart.bars],
        [interval.high - interval.mean for _, interval in chart.bars],
    ]
    colors = [OURS if name in chart.ours else OTHERS for name in names]
    axes.barh(range(len(names)), means, xerr=reach, color=colors, ecolor="#333333", capsize=2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)


def _lines(axes: Axes, chart: Chart) -> None:
    if chart.diagonal:
        axes.plot([0, 1], [0, 1], color="#bbbbbb", linestyle="--", label="perfect")
    for series in chart.lines:
        axes.plot(series.x, series.y, marker="o" if len(series.x) <= FEW else "", markersize=4, label=series.name)
    axes.legend(frameon=False)
