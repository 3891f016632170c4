"""Statistics over the series of a group of runs, on a common grid.

The grid is the union of all x, or equally spaced if there are too many. Between its first and last
x, each series has the value of its last point at or before the grid's x; `n` counts the series
that have one. Non-finite values are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s, shared_steps
from mindviz.datavisual.series.generic_series import ScalarPoints

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
    points: ScalarPoints, x_axis: str, start: float | None, end: float | None
) -> GroupPoints:
    """A series over `step`, `relative` or `wall`, from `start` to `end`, both included.

    A series that goes on beyond `start` or `end` has its last finite value before it there, so that
    it does not begin or end within the range.
    """
    if x_axis == "step":
        return _within((points.step.astype(np.float64), points.value), start, end)
    # Clocks may go back, so points are sorted by time; points without a time are left out.
    timed = np.flatnonzero(np.isfinite(points.wall_time))
    order = timed[np.argsort(points.wall_time[timed], kind="stable")]
    time = points.wall_time[order]
    with np.errstate(over="ignore"):  # infinite differences are left out
        x = time - time[:1] if x_axis == "relative" else time
    return _within((x, points.value[order]), start, end)


def _within(points: GroupPoints, start: float | None, end: float | None) -> GroupPoints:
    if start is None and end is None:
        return points
    x, value = _finite(points)
    if len(x) and start is not None and start > x[-1]:
        return x[:0], value[:0]
    if end is not None:
        until = int(np.searchsorted(x, end, side="right"))
        goes_on = 0 < until < len(x) and x[until - 1] < end
        x, value = x[:until], value[:until]
        if goes_on:
            x, value = np.append(x, end), np.append(value, value[-1])
    if start is not None and len(x):
        since = max(0, int(np.searchsorted(x, start, side="right")) - 1)
        x, value = x[since:].clip(min=start), value[since:]
    return x, value


def group_statistics(series: Sequence[GroupPoints], most_points: int) -> GroupStatistics:
    """Statistics over `(x, value)` of each series, x ascending, on at most `most_points` (>= 2)."""
    present = _with_shared_x(_finite(points) for points in series)
    grid = _grid([x for x, _ in present], most_points)
    table = np.full((max(1, sum(len(values) for _, values in present)), len(grid)), np.nan)
    rows = iter(table)
    for x, values in present:
        first, end = grid.searchsorted(x[0]), grid.searchsorted(x[-1], side="right")
        last = x.searchsorted(grid[first:end], side="right") - 1
        for value in values:
            next(rows)[first:end] = value[last]
    return _statistics(grid, table)


def _finite(points: GroupPoints) -> GroupPoints:
    x, value = points
    kept = np.isfinite(value)
    # x ascends: its ends tell whether all of it is finite.
    if len(x) and not (isfinite(x[0]) and isfinite(x[-1])):
        kept &= np.isfinite(x)
    return points if kept.all() else (x[kept], value[kept])


def _with_shared_x(series: Iterable[GroupPoints]) -> list[tuple[Float64s, list[Float64s]]]:
    """Those with points; equal x one after another become one array, to be placed once.

    Runs of a group usually log at the same steps.
    """
    present: list[tuple[Float64s, list[Float64s]]] = []
    for x, value in series:
        if present and len(x) == len(present[-1][0]) and (x == present[-1][0]).all():
            present[-1][1].append(value)
        elif len(x):
            present.append((x, [value]))
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
    filled = np.where(there, table, 0.0)
    # Scaled down so that sums and squares do not overflow.
    scale = np.where(np.abs(filled).max(axis=0) > _LARGE, _SCALE, 1.0)
    with np.errstate(invalid="ignore", divide="ignore", under="ignore"):
        mean = (filled / scale).sum(axis=0) / n
        spread = np.where(there, table / scale - mean, 0.0)
        std = np.where(n > 1, np.sqrt((spread**2).sum(axis=0) / (n - 1)), np.nan)
        confidence = std / np.sqrt(n) * _t_95(len(table))[n - 1]
    ordered = np.sort(table / scale, axis=0)  # NaN last
    columns = np.arange(len(grid))
    middle = (ordered[(n - 1) // 2, columns] + ordered[n // 2, columns]) / 2
    largest = ordered[n - 1, columns]
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


@lru_cache(maxsize=16)
def _t_95(count: int) -> Float64s:
    """Quantiles for 0 to `count` - 1 degrees of freedom; those for 0 are never used.

    Beyond the table by a series expansion (error below 1e-4).
    """
    z = 1.959963984540054
    degrees = np.arange(len(T_95) + 1, max(count, len(T_95) + 1))
    far = z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2.0)
    return np.concatenate([[np.nan], T_95, far])
