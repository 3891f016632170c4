"""Chooses which points of a long series to show. Pure functions of numpy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.columns import Float64s, Int64s

POINTS_PER_BUCKET = 4
"""First, minimum, maximum and last."""


def minmax(value: Float64s, max_points: int) -> Int64s:
    """Indices, ascending, of at most `max_points` (>= 1) points that show where the series goes.

    With no more points than that, all of them. Otherwise:

    - The points that are not NaN are cut into `max_points // 4` ranges of equally many points (they
      differ by one at most), and of each the first, the smallest, the largest and the last are
      kept: a spike of a single point survives if it is the highest or lowest of its range.
    - Each run of NaN is kept as its first point, which leaves a gap in the line, and takes one
      point from the ranges. Runs may take half of the points and never one of the first four; if
      there are more, they are thinned evenly.
    - Below four points one range remains, of which the last point, the first, and the largest are
      kept, in this order of preference.

    `value` has the shape (n,). The same input always gives the same indices.
    """
    if len(value) <= max_points:
        return np.arange(len(value))
    extremes = _extremes(value, max_points)
    if extremes is not None:
        return extremes
    missing = np.isnan(value)
    gaps = np.flatnonzero(missing)
    runs: Int64s = gaps[np.concatenate([[True], np.diff(gaps) > 1])]
    if len(gaps) == len(value):
        return runs
    room_for_runs = min(max_points // 2, max(0, max_points - POINTS_PER_BUCKET))
    runs = _evenly(runs, room_for_runs)
    present = value[~missing]
    kept = minmax(present, max_points - len(runs))
    # Back to indices of `value`: each is behind as many gaps as begin before it.
    kept += np.searchsorted(gaps - np.arange(len(gaps)), kept, side="right")
    return np.sort(np.concatenate([kept, runs]))


def _extremes(value: Float64s, max_points: int) -> Int64s | None:
    """The rule without NaN; None if there is a NaN."""
    if max_points < POINTS_PER_BUCKET:
        lowest, highest = np.argmin(value), np.argmax(value)
        if np.isnan(value[lowest]):
            return None
        chosen = np.array([len(value) - 1, 0, highest], np.int64)
        return np.unique(chosen[:max_points])
    buckets = max_points // POINTS_PER_BUCKET
    size, longer = divmod(len(value), buckets)
    # The first `longer` buckets have one point more than the others.
    border = longer * (size + 1)
    indices = np.concatenate(
        [
            _bucket_extremes(value[:border], longer, size + 1, 0),
            _bucket_extremes(value[border:], buckets - longer, size, border),
        ]
    )
    # A NaN is both argmin and argmax of its bucket, so the choice itself tells.
    if np.isnan(value[indices[:, 1:3]]).any():
        return None
    flat = indices.ravel()
    distinct: Int64s = flat[np.concatenate([[True], flat[1:] > flat[:-1]])]
    return distinct


def _bucket_extremes(value: Float64s, buckets: int, size: int, offset: int) -> NDArray[np.int64]:
    """Shape (buckets, 4): of each bucket of `size` points the indices of the four, ascending."""
    indices = np.empty((buckets, POINTS_PER_BUCKET), np.int64)
    if not buckets:
        return indices
    table = value.reshape(buckets, size)
    lowest, highest = table.argmin(axis=1), table.argmax(axis=1)
    indices[:, 0] = 0
    np.minimum(lowest, highest, out=indices[:, 1])
    np.maximum(lowest, highest, out=indices[:, 2])
    indices[:, 3] = size - 1
    indices += (np.arange(buckets) * size + offset)[:, np.newaxis]
    return indices


def _evenly(indices: Int64s, count: int) -> Int64s:
    """At most `count` of them, evenly spread, the last among them."""
    if len(indices) <= count:
        return indices
    thinned: Int64s = indices[np.arange(1, count + 1) * len(indices) // max(count, 1) - 1]
    return thinned
