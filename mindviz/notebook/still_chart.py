"""A chart as a static SVG picture, for notebooks that are saved, exported or shown elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape

import numpy as np

from mindviz.client.series_selection import CONTEXT, EXPERIMENT_ID
from mindviz.datavisual.analysis.group_statistics import group_points, group_statistics
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.series.number_text import number_text
from mindviz.datavisual.series.sampling import minmax
from mindviz.datavisual.series.series_query import RunTagFilter, SeriesQuery
from mindviz.datavisual.series.smoothing import parse_smoothing
from mindviz.datavisual.series.time_series import DataClass

MOST_LINES = 20
MOST_POINTS = 400
"""Per line: minima and maxima."""
_WIDTH, _HEIGHT = 640, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 12, 12, 32
_ROW = 16
"""Height of a line of the legend."""
_LONGEST_NAME = 80
_COLORS = ("#4c5fd7", "#d9822b", "#2e9e5b", "#c23b4e", "#8250c4", "#1b9aaa", "#8a6d3b", "#d6409f")


@dataclass(frozen=True, slots=True)
class ChartTraits:
    """What a chart shows."""

    train_ids: Sequence[str]
    tags: Sequence[str]
    smoothing: str
    x: str
    log_x: bool
    log_y: bool
    groups: Mapping[str, Sequence[str]]
    """Name of each group -> its train_ids; empty: each run is a line."""


@dataclass(frozen=True, slots=True)
class _Line:
    name: str
    x: Float64s
    y: Float64s


def still_chart(provider: DataProvider, chart: ChartTraits) -> str:
    """The picture, as SVG; raises as the provider. Of many lines only the first `MOST_LINES`."""
    lines, left_out = _lines(provider, chart)
    shown = [line for line in lines if len(line.x)]
    height = _HEIGHT + _ROW * (len(shown) + bool(left_out))
    size = f'width="{_WIDTH}" height="{height}"'
    box = f'viewBox="0 0 {_WIDTH} {height}"'
    font = 'font-family="sans-serif" font-size="11"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} {font}>',
        f'<rect {size} fill="#ffffff"/>',
        *(_plot(shown, chart) if shown else [_text(_LEFT, _HEIGHT // 2, "No points")]),
    ]
    for row, line in enumerate(shown):
        y = _HEIGHT + _ROW * row
        color = _COLORS[row % len(_COLORS)]
        parts.append(f'<rect x="{_LEFT}" y="{y}" width="10" height="10" fill="{color}"/>')
        parts.append(_text(_LEFT + 16, y + 9, line.name))
    if left_out:
        parts.append(_text(_LEFT, _HEIGHT + _ROW * len(shown) + 9, f"{left_out:,} more lines"))
    return "".join([*parts, "</svg>"])


def _lines(provider: DataProvider, chart: ChartTraits) -> tuple[list[_Line], int]:
    """The first lines, and how many there are besides."""
    owners = list(chart.groups or chart.train_ids)
    pairs = [(owner, tag) for tag in chart.tags for owner in owners]
    shown = pairs[:MOST_LINES]
    members = {owner: chart.groups.get(owner, [owner]) for owner, _ in shown}
    runs = frozenset(run for of_owner in members.values() for run in of_owner)
    query = SeriesQuery(
        "scalars", DataClass.SCALAR, RunTagFilter(runs, frozenset(tag for _, tag in shown))
    )
    answer = provider.scalars(CONTEXT, EXPERIMENT_ID, query)
    lines = []
    for owner, tag in shown:
        series = [answer[run][tag] for run in members[owner] if tag in answer.get(run, {})]
        if not series:
            continue
        series = [_smoothed(points, chart.smoothing) for points in series]
        x, y = _mean(series, chart.x) if chart.groups else _curve(series[0], chart.x)
        drawn = np.isfinite(y) & np.isfinite(x)
        drawn &= (y > 0) | (not chart.log_y)
        drawn &= (x > 0) | (not chart.log_x)
        x, y = x[drawn], y[drawn]
        if len(x) > MOST_POINTS:
            kept = minmax(y, MOST_POINTS)
            x, y = x[kept], y[kept]
        name = owner.removeprefix("./") if len(owners) > 1 or len(chart.tags) == 1 else ""
        lines.append(_Line(" ".join([name, *([tag] if len(chart.tags) > 1 else [])]).strip(), x, y))
    return lines, len(pairs) - len(shown)


def _smoothed(points: ScalarPoints, smoothing: str) -> ScalarPoints:
    if not smoothing:
        return points
    return replace(points, value=parse_smoothing(smoothing).of(points.step, points.value))


def _curve(points: ScalarPoints, x_axis: str) -> tuple[Float64s, Float64s]:
    x = points.step.astype(np.float64)
    if x_axis != "step" and len(x):
        x = points.wall_time - (points.wall_time[0] if x_axis == "relative" else 0)
    return x, points.value


def _mean(series: Sequence[ScalarPoints], x_axis: str) -> tuple[Float64s, Float64s]:
    """The mean of the runs of a group."""
    curves = [group_points(points, x_axis, None, None) for points in series]
    statistics = group_statistics(curves, MOST_POINTS)
    return statistics.x, statistics.mean


def _plot(lines: Sequence[_Line], chart: ChartTraits) -> list[str]:
    x_low, x_high = _extent([line.x for line in lines])
    y_low, y_high = _extent([line.y for line in lines])
    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [
        f'<path d="M{_LEFT} {_TOP}V{bottom}H{right}" fill="none" stroke="#8a8f98"/>',
        _text(_LEFT - 6, _TOP + 8, number_text(y_high, 4), "end"),
        _text(_LEFT - 6, bottom, number_text(y_low, 4), "end"),
    ]
    unit = {"step": "", "relative": " s", "wall": ""}[chart.x]
    if chart.x != "wall":
        parts.append(_text(_LEFT, bottom + 16, number_text(x_low, 6) + unit))
        parts.append(_text(right, bottom + 16, number_text(x_high, 6) + unit, "end"))
    middle = (_LEFT + right) // 2
    title = ", ".join(chart.tags) + (f", {chart.smoothing}" if chart.smoothing else "")
    parts.append(_text(middle, bottom + 16, title, "middle"))
    for row, line in enumerate(lines):
        across = _LEFT + (right - _LEFT) * _shares(line.x, x_low, x_high, log=chart.log_x)
        down = bottom - (bottom - _TOP) * _shares(line.y, y_low, y_high, log=chart.log_y)
        points = " ".join(
            f"{x:.1f},{y:.1f}" for x, y in zip(across.tolist(), down.tolist(), strict=True)
        )
        color = _COLORS[row % len(_COLORS)]
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>'
        )
    return parts


def _extent(columns: Sequence[Float64s]) -> tuple[float, float]:
    return min(float(column.min()) for column in columns), max(
        float(column.max()) for column in columns
    )


def _shares(values: Float64s, low: float, high: float, *, log: bool) -> Float64s:
    """From 0 for `low` to 1 for `high`."""
    if log:
        values, low, high = np.log(values), float(np.log(low)), float(np.log(high))
    # Halves, because the range of float64 itself is no float64.
    width = high / 2 - low / 2
    shares: Float64s = (values / 2 - low / 2) / width if width > 0 else np.full(len(values), 0.5)
    return shares


def _text(x: int, y: int, text: str, anchor: str = "start") -> str:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    if len(shown) > _LONGEST_NAME:
        shown = shown[: _LONGEST_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return f'<text x="{x}" y="{y}" fill="#3a3f47" text-anchor="{anchor}">{escape(shown)}</text>'
