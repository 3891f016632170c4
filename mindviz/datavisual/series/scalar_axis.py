"""Another scalar as the x axis: the positions of a series' points on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s


@dataclass(frozen=True, slots=True)
class ScalarAxis:
    """The scalar whose values are the x axis, and the visible range."""

    tag: str
    """A scalar of the same train job."""
    start: float | None = None
    end: float | None = None
    """Inclusive."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedPoints:
    """The points of a series that have a position on the axis, from left to right."""

    rows: Int64s
    """Indices of the points; equal positions in the order of steps."""
    x: Float64s
    """Positions."""

    def within(self, axis: ScalarAxis) -> PlacedPoints:
        """The points in the visible range."""
        first, last = 0, len(self.x)
        if axis.start is not None:
            first = int(np.searchsorted(self.x, axis.start, side="left"))
        if axis.end is not None:
            last = int(np.searchsorted(self.x, axis.end, side="right"))
        chosen = slice(first, max(first, last))
        return PlacedPoints(self.rows[chosen], self.x[chosen])


def placed(step: Int64s, x_step: Int64s, x_value: Float64s) -> PlacedPoints:
    """The value of the other series at each step; its steps increase strictly.

    A point has no position if the other series has no finite value at its step.
    """
    if not len(x_step):
        return PlacedPoints(np.empty(0, np.int64), np.empty(0))
    places = np.searchsorted(x_step, step).clip(max=len(x_step) - 1)
    x = x_value[places]
    rows = np.flatnonzero((x_step[places] == step) & np.isfinite(x))
    order = rows[np.argsort(x[rows], kind="stable")]
    return PlacedPoints(order, x[order])
