"""Chooses which points of a long series to show. Pure functions of numpy arrays."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s

POINTS_PER_BUCKET = 4
"""First, minimum, maximum and last."""


def minmax(value: Float64s, max_points: int) -> Int64s:
    """Indices, ascending, of at most `max_points` (>= 1) points that show the course of a series.

    Keeps all points if there are no more. Otherwise:

    - The series is cut into `max_points // 4` buckets of equal size (plus or minus one). Each keeps
      its first, smallest, largest and last point, so a spike of one point survives if it is the
      extreme of its bucket.
    - NaN is none of these. Each run of NaN keeps its first point, which leaves a gap in the line
      and takes a point from the buckets. Runs take at most half of the points and never one of the
      last four; more runs are thinned evenly.
    - Below four points there is one bucket, which keeps the last, the first and the largest point,
      in this order of preference.

    `value` has the shape (n,). The same input always gives the same indices.
    """
    if len(value) <= max_points:
        return np.arange(len(value))
    if max_points < POINTS_PER_BUCKET:
        return _very_few(value, max_points)
    if np.isnan(value.min()):
        return _around_gaps(value, max_points)
    return _distinct(_extremes(value, max_points // POINTS_PER_BUCKET).ravel())


def _around_gaps(value: Float64s, max_points: int) -> Int64s:
    missing = np.isnan(value)
    gaps = np.flatnonzero(missing)
    if len(gaps) == len(value):
        return np.zeros(1, np.int64)
    runs: Int64s = gaps[np.concatenate([[True], np.diff(gaps) > 1])]
    runs = _evenly(runs, min(max_points // 2, max_points - POINTS_PER_BUCKET))
    room = max_points - len(runs)
    if len(value) - len(gaps) <= room:
        return np.sort(np.concatenate([np.flatnonzero(~missing), runs]))
    extremes = _extremes(value, room // POINTS_PER_BUCKET)
    extremes = extremes[~np.isnan(value[extremes[:, 1]])]  # else it contains only NaN
    # A stable sort merges two ascending parts fastest.
    return _distinct(np.sort(np.concatenate([extremes.ravel(), runs]), kind="stable"))


def _very_few(value: Float64s, max_points: int) -> Int64s:
    present = np.flatnonzero(~np.isnan(value))
    if not len(present):
        return np.zeros(1, np.int64)
    highest = present[np.argmax(value[present])]
    return np.unique(np.array([present[-1], present[0], highest], np.int64)[:max_points])


def _extremes(value: Float64s, buckets: int) -> NDArray[np.int64]:
    """Shape (buckets, 4): the indices of each bucket's four points, ascending."""
    size, longer = divmod(len(value), buckets)
    # The first `longer` buckets have one more point.
    border = longer * (size + 1)
    return np.concatenate(
        [
            _bucket_extremes(value[:border].reshape(longer, size + 1)),
            _bucket_extremes(value[border:].reshape(buckets - longer, size)) + border,
        ]
    )


def _bucket_extremes(table: NDArray[np.float64]) -> NDArray[np.int64]:
    """The four points of each row, as flat indices; NaN only in rows without numbers."""
    rows, size = table.shape
    chosen = np.empty((rows, POINTS_PER_BUCKET), np.int64)
    if not rows:
        return chosen
    chosen[:, 0], chosen[:, 3] = 0, size - 1
    lowest, highest = table.argmin(axis=1), table.argmax(axis=1)
    # In a row with NaN, argmin and argmax return a NaN.
    holed = np.flatnonzero(np.isnan(table[np.arange(rows), lowest]))
    if len(holed):
        part = table[holed]
        missing = np.isnan(part)
        every = np.arange(len(holed))
        first = missing.argmin(axis=1)
        chosen[holed, 0] = first
        chosen[holed, 3] = size - 1 - missing[:, ::-1].argmin(axis=1)
        low = np.where(missing, np.inf, part).argmin(axis=1)
        high = np.where(missing, -np.inf, part).argmax(axis=1)
        # If all numbers are infinite, the choice may be a NaN.
        lowest[holed] = np.where(missing[every, low], first, low)
        highest[holed] = np.where(missing[every, high], first, high)
    np.minimum(lowest, highest, out=chosen[:, 1])
    np.maximum(lowest, highest, out=chosen[:, 2])
    chosen += (np.arange(rows) * size)[:, np.newaxis]
    return chosen


def _distinct(ascending: Int64s) -> Int64s:
    distinct: Int64s = ascending[np.concatenate([[True], ascending[1:] > ascending[:-1]])]
    return distinct


def _evenly(indices: Int64s, count: int) -> Int64s:
    """At most `count` of them, evenly spread, including the last."""
    if len(indices) <= count:
        return indices
    if not count:
        return indices[:0]
    thinned: Int64s = indices[np.arange(1, count + 1) * len(indices) // count - 1]
    return thinned


@lru_cache(maxsize=256)
def uniform(total: int, count: int) -> Int64s:
    """Ranks, ascending, of at most `count` (>= 0) of `total` points: the last, and a random choice.

    Depends only on the two numbers, so series with equal steps keep equal steps in every store.
    Equals the choice of TensorBoard's reader. Read-only.
    """
    if count >= total:
        kept = np.arange(total)
    elif count == 0:
        kept = np.empty(0, np.int64)
    else:
        chosen = Random(0).sample(range(total - 1), count - 1)  # noqa: S311 - not for secrets
        kept = np.sort(np.array([*chosen, total - 1], np.int64))
    kept.flags.writeable = False
    return kept


@lru_cache(maxsize=256)
def reservoir(total: int, count: int, seed: int) -> Int64s:
    """Ranks, ascending, in a reservoir of `count` (>= 0) points after seeing `total` points.

    A new point replaces a random one with the right probability, else the newest one. So the newest
    point is always kept, and the sample changes little as a series grows. Read-only. Source:
    Vitter's algorithm R, with TensorBoard's last rule.
    """
    if count >= total or not count:
        return uniform(total, count)
    # The place of each point from `count` on; a prefix of the stream never changes.
    arrived = np.arange(count, total)
    place = (np.random.default_rng(seed).random(total - count) * (arrived + 1)).astype(np.int64)
    hits = np.flatnonzero(place < count)
    held = list(range(count))
    for rank, at in zip(arrived[hits].tolist(), place[hits].tolist(), strict=True):
        held[-1] = rank - 1
        del held[at]
        held.append(rank)
    held[-1] = total - 1
    kept = np.array(held, np.int64)
    kept.flags.writeable = False
    return kept
