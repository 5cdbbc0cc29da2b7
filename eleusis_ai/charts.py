"""Charts of a report, drawn with matplotlib, which not everybody has installed."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NO_PLOTS = "no charts: matplotlib is not installed; pip install 'eleusis-ai[plots]' brings it"
"""What is said where no charts can be drawn."""
WIDTH = 8.0
"""Inches."""
OURS, OTHERS = "#b5473c", "#8a97a8"
"""Colours of this run's bars, and of those it is compared with."""
FEW = 20
"""Points of a line up to which each is marked."""
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f")
"""Colours that the colour-blind can tell apart (M. Okabe and K. Ito, "Color Universal Design", 2008), and a grey."""
MARKERS = "osD^vP*X<>"
"""So that nothing is told by colour alone."""
STYLES = ("-", "--", "-.", ":")
"""How lines are drawn, in turn, for the same reason."""
INK = "#010203"
"""Stands for the colour of text, which in a page is that of the page."""


class Interval(msgspec.Struct, frozen=True):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"


class Series(msgspec.Struct, frozen=True, kw_only=True):
    """Points of one colour in a chart, joined by a line."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    band: tuple[tuple[float, float], ...] = ()
    """For each point, from where to where it may be, not drawn where that is infinite; empty: it is not known."""
    link: str = ""
    """Where the line leads in a page; empty: nowhere."""


class Dot(msgspec.Struct, frozen=True, kw_only=True):
    """One mean in a chart of dots."""

    row: str
    """In which row it lies."""
    value: Interval
    """Bounds that are infinite are not drawn."""
    link: str = ""
    """Where it leads in a page; empty: nowhere."""


class Dots(msgspec.Struct, frozen=True, kw_only=True):
    """Dots of one colour and shape."""

    name: str
    dots: tuple[Dot, ...]


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """What is drawn of a report: bars with intervals, lines, or rows of dots with intervals."""

    title: str
    x_label: str
    y_label: str = ""
    bars: tuple[tuple[str, Interval], ...] = ()
    """Each with its name, from the top down; those of this run are marked by ``ours``."""
    ours: tuple[str, ...] = ()
    lines: tuple[Series, ...] = ()
    diagonal: bool = False
    """Whether the line on which x equals y is drawn, for comparison."""
    dots: tuple[Dots, ...] = ()
    """From the top down, in the order in which the rows first come."""
    zero: bool = False
    """Whether the line is drawn on which x is 0."""
    logarithmic: bool = False
    """Whether steps to the right multiply."""


def can_draw() -> bool:
    """Tell whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def draw(chart: Chart, path: Path) -> None:
    """Draw ``chart`` into a PNG file."""
    with _as_written():
        _figure(chart).savefig(path, dpi=120, metadata={"Software": None})


def draw_svg(chart: Chart) -> str:
    """Draw ``chart`` as an SVG element for a page, in the page's own font and colour of text, and with links."""
    from matplotlib import rc_context

    inked = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    settings: dict[Any, Any] = {"svg.fonttype": "none", "svg.hashsalt": chart.title} | dict.fromkeys(inked, INK)
    page = io.StringIO()
    with _as_written(), rc_context(settings):
        figure = _figure(chart)
        figure.patch.set_alpha(0)
        figure.axes[0].patch.set_alpha(0)
        figure.savefig(page, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    _, tag, rest = page.getvalue().replace(INK, "currentColor").partition("<svg")
    # Of its names only those of markers are meant to be found. Styles would hold for the whole page, or be refused by
    # one that lets no styles in but its own.
    drawn = re.sub(r'<g id="[^"]*">', "<g>", tag + re.sub(r"<style.*?</style>", "", rest, flags=re.DOTALL))
    drawn = re.sub(r'(<[^<>]*) style="([^"]*)"', lambda found: found[1] + _attributes(found[2]), drawn)
    return drawn.replace(' target="_blank"', "")


def _attributes(style: str) -> str:
    """Write a style as attributes of SVG; of a font only the size is kept, the rest is up to the page."""
    said = (each.partition(":") for each in style.split(";") if each.strip())
    found = {name.strip(): value.strip() for name, _, value in said}
    found.pop("font-family", None)
    if size := re.search(r"[\d.]+px", found.pop("font", "")):
        found["font-size"] = size[0]
    return "".join(f' {name}="{value}"' for name, value in found.items())


@contextmanager
def _as_written() -> Iterator[None]:
    """Draw names as they are, be there a dollar in them, or a letter that the font does not have."""
    from matplotlib import rc_context

    with warnings.catch_warnings(), rc_context({"text.parse_math": False}):
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font", UserWarning)
        yield


def _figure(chart: Chart) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, _height(chart)), layout="constrained")
    axes = figure.subplots()
    axes.set_title(chart.title, loc="left", fontsize=11)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.spines[["top", "right"]].set_visible(False)
    if chart.bars:
        _bars(axes, chart)
    elif chart.dots:
        _dots(axes, chart)
    else:
        _lines(axes, chart)
    return figure


def _height(chart: Chart) -> float:
    if chart.bars:
        return 1.4 + 0.28 * len(chart.bars)
    if chart.dots:
        return 1.4 + len(_rows(chart)) * (0.16 + 0.14 * len(chart.dots))
    return 5.0


def _bars(axes: Axes, chart: Chart) -> None:
    names = [name for name, _ in chart.bars]
    means = [interval.mean for _, interval in chart.bars]
    reach = _reach([interval for _, interval in chart.bars])
    colors = [OURS if name in chart.ours else OTHERS for name in names]
    axes.barh(range(len(names)), means, xerr=reach, color=colors, ecolor="#333333", capsize=2)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)


def _reach(intervals: Sequence[Interval]) -> list[list[float]]:
    """Return how far the intervals go to the left and to the right; 0 where they have no bounds."""
    sides = [[each.mean - each.low for each in intervals], [each.high - each.mean for each in intervals]]
    return [[reach if math.isfinite(reach) else 0.0 for reach in side] for side in sides]


def _rows(chart: Chart) -> list[str]:
    return list(dict.fromkeys(dot.row for dots in chart.dots for dot in dots.dots))


def _dots(axes: Axes, chart: Chart) -> None:
    rows = _rows(chart)
    if chart.logarithmic:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_formatter("")
    if chart.zero:
        axes.axvline(0, color="#8888", linewidth=1)
    for number, dots in enumerate(chart.dots):
        aside = (number - (len(chart.dots) - 1) / 2) * 0.7 / len(chart.dots)
        color, marker = COLORS[number % len(COLORS)], MARKERS[number % len(MARKERS)]
        for place, dot in enumerate(dots.dots):
            drawn = axes.errorbar(
                [dot.value.mean],
                [rows.index(dot.row) + aside],
                xerr=_reach([dot.value]),
                fmt=marker,
                color=color,
                capsize=2.5,
                markersize=5,
                label=dots.name if not place else None,
            )
            for artist in drawn.get_children() if dot.link else ():
                artist.set_url(dot.link)
    axes.set_yticks(range(len(rows)), rows)
    if len(chart.dots) == 1:
        for label, dot in zip(axes.get_yticklabels(), chart.dots[0].dots, strict=True):
            label.set_url(dot.link)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="y", color="#8883", linewidth=0.6)
    axes.tick_params(axis="y", length=0)
    if len(chart.dots) > 1:
        axes.figure.legend(loc="outside lower left", ncols=4, frameon=False)


def _lines(axes: Axes, chart: Chart) -> None:
    if chart.diagonal:
        axes.plot([0, 1], [0, 1], color="#bbbbbb", linestyle="--", label="perfect")
    for number, series in enumerate(chart.lines):
        color, style = COLORS[number % len(COLORS)], STYLES[number % len(STYLES)]
        marker = MARKERS[number % len(MARKERS)] if len(series.x) <= FEW else ""
        (line,) = axes.plot(
            series.x, series.y, color=color, linestyle=style, marker=marker, markersize=4, label=series.name
        )
        if series.band:
            low, high = zip(*(map(_finite, bounds) for bounds in series.band), strict=True)
            axes.fill_between(series.x, low, high, color=color, alpha=0.15, linewidth=0)
        if series.link:
            line.set_url(series.link)
    axes.legend(frameon=False)


def _finite(number: float) -> float:
    return number if math.isfinite(number) else math.nan
