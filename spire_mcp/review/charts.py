"""Charts as inline SVG by pygal: nothing is loaded from anywhere, and each has its numbers beside it as a table."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final, Literal

from markupsafe import Markup

_MOST_POINTS: Final = 150
"""Points of one series: more cannot be told apart on a phone, and each is several elements of a page."""
_MOST_LABELS: Final = 8
_WIDTH: Final = 480
_HEIGHT: Final = 320


@dataclass(frozen=True, slots=True)
class Point:
    """One place on the horizontal axis: its label, a value for each series, and the anchor that it leads to."""

    label: str
    values: tuple[float | None, ...]
    anchor: str | None = None
    intervals: tuple[tuple[float, float] | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart as a page holds it: the drawing, what it shows in a sentence, and its numbers."""

    title: str
    x: str
    y: str
    series: tuple[str, ...]
    points: tuple[Point, ...]
    svg: Markup
    thinned: bool


def draw(
    title: str,
    *,
    x: str,
    y: str,
    series: Sequence[str],
    points: Sequence[Point],
    kind: Literal["line", "bar"] = "line",
    color: str = "currentColor",
) -> Chart | None:
    """Draw a chart; None when there is nothing to draw."""
    if not any(value is not None for point in points for value in point.values):
        return None
    shown = thin(points)
    pygal = _pygal()
    make = pygal.Line if kind == "line" else pygal.Bar
    chart = make(
        js=[],  # no script of pygal's: the page's policy allows none
        style=_style(color),
        width=_WIDTH,
        height=_HEIGHT,
        x_title=x,
        y_title=y,
        title=None,
        show_legend=len(series) > 1,
        legend_at_bottom=True,
        legend_at_bottom_columns=2,
        truncate_legend=-1,
        truncate_label=16,
        dots_size=3,
        show_minor_x_labels=False,
        x_label_rotation=30 if max(len(point.label) for point in shown) > 5 else 0,
        range=None if min(_values(shown)) < 0 else (0, max(1.0, *_values(shown))),
        include_x_axis=True,
    )
    every = max(1, -(-len(shown) // _MOST_LABELS)) if kind == "line" else 1
    chart.x_labels = [point.label for point in shown]
    chart.x_labels_major = [point.label for point in shown[::every]]
    for position, name in enumerate(series):
        chart.add(name, [_dot(point, position) for point in shown])
    return Chart(
        title=title,
        x=x,
        y=y,
        series=tuple(series),
        points=tuple(shown),
        svg=_markup(chart.render_tree(), f"{title}: {y} by {x}"),
        thinned=len(shown) < len(points),
    )


def thin(points: Sequence[Point]) -> list[Point]:
    """At most `_MOST_POINTS` of them, evenly, always with the first and the last."""
    if len(points) <= _MOST_POINTS:
        return list(points)
    step = (len(points) - 1) / (_MOST_POINTS - 1)
    return [points[round(position * step)] for position in range(_MOST_POINTS)]


@cache
def _pygal() -> Any:
    """The library, without the import hook of its plugins: it is of a kind that Python no longer knows."""
    pygal: Any = import_module("pygal")
    sys.meta_path[:] = [finder for finder in sys.meta_path if type(finder).__name__ != "PluginImportFixer"]
    return pygal


def _values(points: Sequence[Point]) -> list[float]:
    found = [value for point in points for value in point.values if value is not None]
    return found + [edge for point in points for interval in point.intervals if interval for edge in interval]


def _dot(point: Point, position: int) -> Mapping[str, object] | None:
    value = point.values[position]
    if value is None:
        return None
    dot: dict[str, object] = {"value": value, "label": point.label}
    interval = point.intervals[position] if point.intervals else None
    if interval is not None:
        dot["ci"] = {"low": interval[0], "high": interval[1]}
    if point.anchor:
        dot["xlink"] = {"href": f"#{point.anchor}", "target": "_self"}
    return dot


def _style(color: str) -> object:
    styles: Any = import_module("pygal.style")
    return styles.Style(
        background="transparent",
        plot_background="transparent",
        foreground=color,
        foreground_strong=color,
        foreground_subtle=color,
        guide_stroke_color=color,
        major_guide_stroke_color=color,
        colors=("#2f7fd1", "#d9772b", "#2f9e62", "#b0479e", "#8a8a20", "#c94444"),
        font_family="system-ui, sans-serif",
        label_font_size=14,
        major_label_font_size=14,
        title_font_size=15,
        legend_font_size=14,
        opacity=".8",
    )


def _markup(root: Any, label: str) -> Markup:
    """The drawing without scripts. What pygal writes is XML that it has escaped itself."""
    etree: Any = import_module("pygal.etree").etree
    for parent in list(root.iter()):
        for child in list(parent):
            if str(child.tag).rsplit("}", 1)[-1] == "script" or not isinstance(child.tag, str):
                parent.remove(child)
    root.set("role", "group")
    root.set("aria-label", label)
    return Markup(etree.tostring(root, encoding="unicode"))  # noqa: S704 - see above
