"""Histograms as torch's SummaryWriter makes them. Source: torch.utils.tensorboard.summary."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.writing.recorded_step import PooledValue, describe
from mindviz.wire import encode_tensorboard as tensorboard

Bins = str | int | Array
"""A method of numpy or `tensorflow`, the number of equal-width buckets, or their edges."""

_FIRST_EDGE, _LAST_EDGE, _GROWTH = 1e-12, 1e20, 1.1
"""TensorFlow's exponential buckets: range of positive edges, and the ratio of neighbors."""


def histogram(
    tag: str, values: object, bins: str | int | Sequence[float], max_bins: int | None = None
) -> PooledValue:
    """The distribution of an array's elements over `bins` as `numpy.histogram` takes them.

    `tensorflow` selects exponential buckets, extended to the array's range. NaN and infinities are
    omitted. Raises InvalidValue for an empty array or invalid bins.
    """
    what = describe("histogram", tag)
    array = snapshot(values, what)
    if not array.size:
        raise InvalidValue(f"{what} is empty: its shape is {list(array.shape)}.")
    if max_bins is not None and max_bins < 1:
        raise InvalidValue(f"{what} has max_bins {max_bins!r}; it must be at least 1.")
    checked = _checked(bins, what)
    return pooled(what, lambda: [_encode(tag, array, checked, max_bins)], array.nbytes)


def histogram_raw(
    tag: str,
    limits: object,
    counts: object,
    *,
    extent: tuple[float, float],
    count: float,
    total: float,
    total_of_squares: float,
) -> PooledValue:
    """A histogram that is already counted, with the upper limit and count of each bucket."""
    what = describe("histogram", tag)
    upper, sizes = snapshot(limits, what), snapshot(counts, what)
    if upper.ndim != 1 or upper.shape != sizes.shape:
        raise InvalidValue(
            f"{what} has limits of shape {list(upper.shape)} and counts of shape "
            f"{list(sizes.shape)}."
        )
    encode = partial(
        tensorboard.histogram_raw,
        tag,
        upper,
        sizes,
        extent=(float(extent[0]), float(extent[1])),
        count=float(count),
        total=float(total),
        total_of_squares=float(total_of_squares),
    )
    return pooled(what, lambda: [encode()], upper.nbytes + sizes.nbytes)


def _checked(bins: Any, what: str) -> Bins:
    if isinstance(bins, str) and bins == "tensorflow":
        return bins
    try:
        checked: Bins = bins if isinstance(bins, str) else _number_or_edges(bins)
        np.histogram_bin_edges(np.zeros(2), checked)
    except (TypeError, ValueError, MemoryError) as error:
        raise InvalidValue(
            f"{what} has invalid bins {bins!r:.100}: {error}. Use 'tensorflow' or bins that "
            "numpy.histogram accepts."
        ) from error
    return checked


def _number_or_edges(bins: Any) -> int | Array:
    return operator.index(bins) if np.ndim(bins) == 0 else np.array(bins)


def _encode(tag: str, array: Array, bins: Bins, max_bins: int | None) -> bytes:
    flat = array.reshape(-1).astype(np.float64, copy=False)
    is_finite = np.isfinite(flat)
    finite = flat if is_finite.all() else flat[is_finite]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    limits, counts = np.zeros(1), np.zeros(1)
    if finite.size:
        limits, counts = _count(finite, (low, high), bins, max_bins)
    with np.errstate(over="ignore"):
        total, total_of_squares = float(finite.sum()), float(finite.dot(finite))
    return tensorboard.histogram_raw(
        tag,
        limits,
        counts,
        extent=(low, high),
        count=float(finite.size),
        total=total,
        total_of_squares=total_of_squares,
    )


def _count(
    finite: Array,
    extent: tuple[float, float],
    bins: Bins,
    max_bins: int | None,
) -> tuple[Array, Array]:
    """(upper limits, counts) of the buckets from the first to the last that is not empty."""
    is_tensorflow = isinstance(bins, str) and bins == "tensorflow"
    counts, edges = np.histogram(finite, _tensorflow_edges(*extent) if is_tensorflow else bins)
    if max_bins is not None and len(counts) > max_bins:
        counts, edges = _merge(counts, edges, len(counts) // max_bins)
    (filled,) = np.nonzero(counts)
    # None is filled if all elements are outside the given edges.
    first, last = (int(filled[0]), int(filled[-1])) if filled.size else (0, len(counts) - 1)
    # The format stores upper limits only; an empty first bucket holds the lower one.
    return edges[first : last + 2], np.concatenate([[0], counts[first : last + 1]])


def _tensorflow_edges(low: float, high: float) -> NDArray[np.float64]:
    edges = _exponential_edges()
    below = [low] if low < edges[0] else []
    above = [high] if high > edges[-1] else []
    return np.concatenate([below, edges, above])


@cache
def _exponential_edges() -> NDArray[np.float64]:
    positive = []
    edge = _FIRST_EDGE
    while edge < _LAST_EDGE:  # repeated products, as in TensorFlow: powers round differently
        positive.append(edge)
        edge *= _GROWTH
    return np.array([*(-edge for edge in reversed(positive)), 0.0, *positive])


def _merge(counts: Array, edges: Array, factor: int) -> tuple[Array, Array]:
    """Merge each `factor` neighboring buckets."""
    starts = np.arange(0, len(counts), factor)
    return np.add.reduceat(counts, starts), np.append(edges[starts], edges[-1])
