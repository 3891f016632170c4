"""Another scalar as the x axis: which points of a series have a place on it, and in which order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s


@dataclass(frozen=True, slots=True)
class ScalarAxis:
    """The scalar whose values are the x axis, and the part of it that is looked at."""

    tag: str
    """Of the same train job."""
    start: float | None = None
    end: float | None = None
    """Included, as the start."""


@dataclass(frozen=True, slots=True, eq=False)
class PlacedPoints:
    """The points of a series that have a place on the axis, from left to right."""

    rows: Int64s
    """Which points they are; equal places in the order of their steps."""
    x: Float64s
    """Where each of them is."""

    def within(self, axis: ScalarAxis) -> PlacedPoints:
        """Those in the part of the axis that is looked at."""
        first, last = 0, len(self.x)
        if axis.start is not None:
            first = int(np.searchsorted(self.x, axis.start, side="left"))
        if axis.end is not None:
            last = int(np.searchsorted(self.x, axis.end, side="right"))
        chosen = slice(first, max(first, last))
        return PlacedPoints(self.rows[chosen], self.x[chosen])


def placed(step: Int64s, x_step: Int64s, x_value: Float64s) -> PlacedPoints:
    """Each step's value of the other series, whose steps increase strictly.

    A point has no place where the other series has no such step, or no finite value there.
    """
    if not len(x_step):
        return PlacedPoints(np.empty(0, np.int64), np.empty(0))
    places = np.searchsorted(x_step, step).clip(max=len(x_step) - 1)
    x = x_value[places]
    rows = np.flatnonzero((x_step[places] == step) & np.isfinite(x))
    order = rows[np.argsort(x[rows], kind="stable")]
    return PlacedPoints(order, x[order])
