"""BucketGrid: histogram buckets that merge exactly.

Bucket widths are powers of two and edges are multiples of the width, so every bucket of a fine grid
lies within one bucket of any coarser grid. Counts on different grids add up without rereading data.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.time_series import Histogram

MAX_BUCKETS = 64
"""Buckets across the range of the data, plus one at either end."""
_SNAP = 8
"""A grid's ends are multiples of this many buckets, so slowly growing data rarely leaves it."""
_EXACT = 50
"""Bits of a bucket number that float64 represents exactly."""
_FINEST = -1000
"""Exponent of the narrowest bucket."""


@dataclass(frozen=True, slots=True)
class BucketGrid:
    """Buckets `first` to `first + count - 1`; bucket i begins at i * 2**exponent."""

    exponent: int
    first: int
    count: int

    @property
    def edges(self) -> Float64s:
        """Shape (count + 1,)."""
        numbers = np.arange(self.first, self.first + self.count + 1, dtype=np.float64)
        with np.errstate(over="ignore"):
            edges = np.ldexp(numbers, self.exponent)
        # The outermost edges may overflow.
        limit = np.finfo(np.float64).max
        return np.clip(edges, -limit, limit)

    @property
    def token(self) -> str:
        """A token that encodes the grid."""
        return f"{self.exponent},{self.first},{self.count}" if self.count else ""

    @staticmethod
    def of(token: str) -> BucketGrid:
        """Decode a token; an invalid one gives a grid without buckets."""
        try:
            exponent, first, count = map(int, token.split(","))
        except ValueError:
            return EMPTY
        sensible = -1100 < exponent < 1100 and 0 < count <= 2 * MAX_BUCKETS
        return BucketGrid(exponent, first, count) if sensible else EMPTY

    def coarser(self, exponent: int) -> BucketGrid:
        """The grid of this or a larger exponent that covers this grid."""
        if not self.count:
            return self
        shift = exponent - self.exponent
        first, last = self.first >> shift, (self.first + self.count - 1) >> shift
        return BucketGrid(exponent, first, last - first + 1)


EMPTY = BucketGrid(0, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class GridCounts:
    """Number of values per bucket of a grid."""

    grid: BucketGrid
    count: Float64s
    nan_count: int = 0
    positive_infinity_count: int = 0
    negative_infinity_count: int = 0

    @property
    def buckets(self) -> Float64s:
        """Shape (k, 3): left edge, right edge, count."""
        edges = self.grid.edges
        return np.stack([edges[:-1], edges[1:], self.count], axis=1)

    def on(self, grid: BucketGrid) -> Float64s:
        """Shape (grid.count,): counts on a grid that covers this one."""
        counts = np.zeros(grid.count)
        numbers = (np.arange(self.grid.count) + self.grid.first) >> (
            grid.exponent - self.grid.exponent
        )
        np.add.at(counts, numbers - grid.first, self.count)
        return counts


def common_grid(grids: Iterable[BucketGrid]) -> BucketGrid:
    """The finest grid that covers all of these."""
    filled = [grid for grid in grids if grid.count]
    if not filled:
        return EMPTY
    exponent = max(grid.exponent for grid in filled)
    while True:
        coarse = [grid.coarser(exponent) for grid in filled]
        first = min(grid.first for grid in coarse) // _SNAP * _SNAP
        end = -(-max(grid.first + grid.count for grid in coarse) // _SNAP) * _SNAP
        if end - first <= MAX_BUCKETS + 2 * _SNAP:
            return BucketGrid(exponent, first, end - first)
        exponent += 1


def counts_of_values(data: NDArray[Any]) -> GridCounts:
    """Count real numbers or booleans of any shape; non-finite values are counted separately."""
    values = data.astype(np.float64, copy=False).ravel()
    finite = values[np.isfinite(values)]
    infinite = values[np.isinf(values)]
    positive = int(np.count_nonzero(infinite > 0))
    others = (len(values) - len(finite) - len(infinite), positive, len(infinite) - positive)
    if not len(finite):
        return GridCounts(EMPTY, np.empty(0), *others)
    grid = _grid_between(float(finite.min()), float(finite.max()))
    numbers = _bucket_numbers(finite, grid.exponent) - grid.first
    counts = np.bincount(numbers, minlength=grid.count)
    return GridCounts(grid, counts.astype(np.float64), *others)


def counts_of_buckets(histogram: Histogram) -> GridCounts:
    """Distribute the counts of a logged histogram in proportion to the overlap of buckets."""
    others = (
        histogram.nan_count,
        histogram.positive_infinity_count,
        histogram.negative_infinity_count,
    )
    buckets = sensible_buckets(histogram.buckets)
    filled = buckets[buckets[:, 2] > 0]
    if not len(filled):
        return GridCounts(EMPTY, np.empty(0), *others)
    grid = _grid_between(float(filled[:, :2].min()), float(filled[:, :2].max()))
    return GridCounts(grid, split_counts(filled, grid.edges), *others)


def _grid_between(low: float, high: float) -> BucketGrid:
    half_range, half_size = high / 2 - low / 2, max(abs(low), abs(high)) / 2
    # As frexp: x < 2**exponent.
    size = math.frexp(half_size)[1] + 1
    if half_range:
        exponent = math.frexp(half_range / MAX_BUCKETS)[1] + 1
    else:
        exponent = size - 10 if half_size else 0
    exponent = max(exponent, size - _EXACT, _FINEST)
    first, last = _bucket_numbers(np.array([low, high]), exponent).tolist()
    return BucketGrid(exponent, first, last - first + 1)


def _bucket_numbers(values: Float64s, exponent: int) -> Int64s:
    # Dividing by a power of two is exact unless the result underflows.
    scaled = np.ldexp(values, -exponent)
    numbers = np.where((scaled == 0) & (values < 0), -1.0, np.floor(scaled))
    return numbers.astype(np.int64)


MAX_COUNT = 1 << 53
"""Maximum count per bucket: the largest integer up to which float64 is exact."""


def sensible_buckets(buckets: Float64s) -> Float64s:
    """Replace NaN edges by 0 and clip counts to `MAX_COUNT`."""
    sensible = np.nan_to_num(buckets, nan=0.0, posinf=0.0, neginf=0.0)
    np.clip(sensible[:, 2], 0, MAX_COUNT, out=sensible[:, 2])
    return sensible


def split_counts(buckets: Float64s, limits: Float64s) -> Float64s:
    """Shape (k - 1,): the counts of `buckets` (m, 3), distributed between `limits` (k,)."""
    left, right, count = buckets.T
    shared = np.zeros(len(limits) - 1)
    half_width = right / 2 - left / 2
    point = half_width <= 0
    at = np.searchsorted(limits, left[point], side="right") - 1
    np.add.at(shared, np.clip(at, 0, len(shared) - 1), count[point])
    wide = ~point
    if wide.any():
        # Part of each bucket below each limit; differences are the parts in between.
        with np.errstate(over="ignore"):
            before = (limits / 2 - left[wide, np.newaxis] / 2) / half_width[wide, np.newaxis]
        shared += count[wide] @ np.diff(np.clip(before, 0.0, 1.0), axis=1)
    return shared


def bucket_count(values: float) -> int:
    """Number of buckets that MindInsight uses for this many values."""
    if values <= 0:
        return 1
    for limit, buckets in ((5, 2), (10, 3)):
        if values <= limit:
            return buckets
    return math.ceil(values / 10) + 1 if values <= 280 else 30
