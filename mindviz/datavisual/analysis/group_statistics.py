"""Statistics over the series of a group of runs, on a common grid.

The grid is the union of all x, or equally spaced if there are too many. Between its first and last
x, each series has the value of its last point at or before the grid's x; `n` counts the series
that have one. Non-finite values are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s, shared_steps
from mindviz.datavisual.series.selection import SelectedScalars

T_95 = (
    12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252,
    2.306004135, 2.262157163, 2.228138852, 2.20098516, 2.17881283, 2.160368656, 2.144786688,
    2.131449546, 2.119905299, 2.109815578, 2.10092204, 2.093024054, 2.085963447, 2.079613845,
    2.073873068, 2.06865761, 2.063898562, 2.059538553, 2.055529439, 2.051830516, 2.048407142,
    2.045229642, 2.042272456,
)  # fmt: skip
"""Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom."""


GroupPoints = tuple[Float64s, Float64s]
"""x, ascending, and value."""


@dataclass(frozen=True, slots=True, eq=False)
class GroupStatistics:
    """Columns of shape (grid,); NaN where undefined."""

    x: Float64s
    n: Int64s
    """Number of series with a value."""
    mean: Float64s
    median: Float64s
    min: Float64s
    max: Float64s
    std: Float64s
    """Sample standard deviation (divided by n - 1); NaN where n is 1."""
    confidence: Float64s
    """Half-width of the 95 % confidence interval of the mean, for normal values."""


_LARGE = 1e150
_SCALE = 2.0**600
"""A power of two, so that dividing by it is exact."""


def group_points(
    selected: SelectedScalars, x_axis: str, start: float | None, end: float | None
) -> GroupPoints:
    """A series over `step`, `relative` or `wall`, from `start` to `end`, both included.

    If no point is at `start`, the last one before it is moved there.
    """
    series = selected.points
    value = series.value if selected.smoothed is None else selected.smoothed
    if x_axis == "step":
        return _within((series.step.astype(np.float64), value), start, end)
    # Clocks may go back, so points are sorted by time; points without a time are left out.
    timed = np.flatnonzero(np.isfinite(series.wall_time))
    order = timed[np.argsort(series.wall_time[timed], kind="stable")]
    time = series.wall_time[order]
    with np.errstate(over="ignore"):  # infinite differences are left out
        x = time - time[:1] if x_axis == "relative" else time
    return _within((x, value[order]), start, end)


def _within(points: GroupPoints, start: float | None, end: float | None) -> GroupPoints:
    x, value = points
    if end is not None:
        until = int(np.searchsorted(x, end, side="right"))
        x, value = x[:until], value[:until]
    if start is not None and len(x):
        since = max(0, int(np.searchsorted(x, start, side="right")) - 1)
        x, value = x[since:].clip(min=start), value[since:]
    return x, value


def group_statistics(series: Sequence[GroupPoints], most_points: int) -> GroupStatistics:
    """Statistics over `(x, value)` of each series, x ascending, on at most `most_points` (>= 2)."""
    present = _with_shared_x(_finite(points) for points in series)
    grid = _grid(list({id(x): x for x, _ in present}.values()), most_points)
    table = np.full((max(1, len(present)), len(grid)), np.nan)
    placed: Float64s | None = None
    for row, (x, value) in zip(table, present, strict=False):
        if x is not placed:
            placed = x
            first, end = np.searchsorted(grid, x[0]), np.searchsorted(grid, x[-1], side="right")
            last = np.searchsorted(x, grid[first:end], side="right") - 1
        row[first:end] = value[last]
    return _statistics(grid, table)


def _finite(points: GroupPoints) -> GroupPoints:
    x, value = points
    kept = np.isfinite(x) & np.isfinite(value)
    return points if kept.all() else (x[kept], value[kept])


def _with_shared_x(series: Iterable[GroupPoints]) -> list[GroupPoints]:
    """Those with points; equal x one after another become one array, to be placed once.

    Runs of a group usually log at the same steps.
    """
    present: list[GroupPoints] = []
    for x, value in series:
        if not len(x):
            continue
        before = present[-1][0] if present else x
        is_same = len(x) == len(before) and bool((x == before).all())
        present.append((before if is_same else x, value))
    return present


def _grid(columns: Sequence[Float64s], most_points: int) -> Float64s:
    if not columns:
        return np.empty(0)
    every = shared_steps(columns)
    if len(every) <= most_points:
        return every
    # Halved: the difference of the ends may overflow.
    return 2.0 * np.linspace(every[0] / 2.0, every[-1] / 2.0, most_points)


def _statistics(grid: Float64s, table: NDArray[np.float64]) -> GroupStatistics:
    """`table` has the shape (series, grid), NaN where a series has no value."""
    there = ~np.isnan(table)
    n = there.sum(axis=0)
    # Scaled down so that sums and squares do not overflow.
    scale = np.where(np.abs(np.where(there, table, 0.0)).max(axis=0) > _LARGE, _SCALE, 1.0)
    table = table / scale
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        mean = np.where(there, table, 0.0).sum(axis=0) / n
        spread = np.where(there, table - mean, 0.0)
        std = np.where(n > 1, np.sqrt((spread**2).sum(axis=0) / (n - 1)), np.nan)
        confidence = std / np.sqrt(n) * _t_95(n - 1)
    ordered = np.sort(table, axis=0)  # NaN last
    rows = len(ordered) - 1
    columns = np.arange(len(grid))
    middle = (
        ordered[np.clip((n - 1) // 2, 0, rows), columns]
        + ordered[np.clip(n // 2, 0, rows), columns]
    ) / 2
    largest = ordered[np.clip(n - 1, 0, rows), columns]
    with np.errstate(over="ignore"):  # the deviation of huge values may overflow
        return GroupStatistics(
            x=grid,
            n=n,
            mean=mean * scale,
            median=middle * scale,
            min=ordered[0] * scale,
            max=largest * scale,
            std=std * scale,
            confidence=confidence * scale,
        )


def _t_95(degrees: Int64s) -> Float64s:
    """Quantiles; beyond the table by a series expansion (error below 1e-4)."""
    many = np.maximum(degrees, 1)
    z = 1.959963984540054
    far = z + (z**3 + z) / (4 * many) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * many**2.0)
    known = np.array(T_95)[np.clip(degrees, 1, len(T_95)) - 1]
    return np.where(degrees <= len(T_95), known, far)
