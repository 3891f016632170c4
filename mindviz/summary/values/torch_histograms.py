"""Histograms as torch's SummaryWriter makes them. Source: torch.utils.tensorboard.summary."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.values.tensorboard_values import pooled
from mindviz.summary.writing.log_names import named
from mindviz.summary.writing.recorded_step import PooledValue

Bins = str | int | Array
"""A method of numpy's or `tensorflow`, how many of equal width, or their edges."""

_LEAST, _MOST, _GROWTH = 1e-12, 1e20, 1.1
"""TensorFlow's buckets: from here, up to there, each so many times as wide as the one before."""


def histogram(
    tag: str, values: object, bins: str | int | Sequence[float], max_bins: int | None = None
) -> PooledValue:
    """How the elements of an array are distributed, over buckets as `numpy.histogram` takes them.

    `tensorflow` are exponential ones. NaN and infinities are left out; what is beyond those buckets
    gets one of its own. Raises InvalidValue for an empty array.
    """
    what = named("histogram", tag)
    array = snapshot(values, what)
    if not array.size:
        raise InvalidValue(f"{what} is empty: its shape is {list(array.shape)}.")
    if max_bins is not None and max_bins < 1:
        raise InvalidValue(f"{what} has max_bins {max_bins!r}: at least one is needed.")
    chosen = _checked(bins, what)
    return pooled(what, lambda: [_encoded(tag, array, chosen, max_bins)], array.nbytes)


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
    """A histogram that has been counted already: upper limits of buckets, and what is in them."""
    what = named("histogram", tag)
    upper, inside = snapshot(limits, what), snapshot(counts, what)
    if upper.ndim != 1 or upper.shape != inside.shape:
        raise InvalidValue(
            f"{what} has limits of shape {list(upper.shape)} and counts of shape "
            f"{list(inside.shape)}."
        )
    facts = {"count": float(count), "total": float(total)}
    facts["total_of_squares"] = float(total_of_squares)
    ends = float(extent[0]), float(extent[1])

    def encode() -> list[bytes]:
        return [_encoder().histogram_raw(tag, upper, inside, extent=ends, **facts)]

    return pooled(what, encode, upper.nbytes + inside.nbytes)


def _checked(bins: Any, what: str) -> Bins:
    """What `numpy.histogram` takes, or `tensorflow`; edges are copied. Raises InvalidValue."""
    if isinstance(bins, str) and bins == "tensorflow":
        return bins
    try:
        chosen: Bins = bins if isinstance(bins, str) else _number_or_edges(bins)
        np.histogram_bin_edges(np.zeros(2), chosen)
    except (TypeError, ValueError, MemoryError) as error:
        raise InvalidValue(
            f"{what} has bins {bins!r:.100}: they are 'tensorflow', or what numpy.histogram takes "
            f"({error})."
        ) from error
    return chosen


def _number_or_edges(bins: Any) -> int | Array:
    return operator.index(bins) if np.ndim(bins) == 0 else np.array(bins)


def _encoded(tag: str, array: Array, bins: Bins, max_bins: int | None) -> bytes:
    flat = array.reshape(-1).astype(np.float64, copy=False)
    is_finite = np.isfinite(flat)
    finite = flat if is_finite.all() else flat[is_finite]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    limits, counts = np.zeros(1), np.zeros(1)
    if finite.size:
        limits, counts = _counted(finite, (low, high), bins, max_bins)
    with np.errstate(over="ignore"):
        total, total_of_squares = float(finite.sum()), float(finite.dot(finite))
    encoded: bytes = _encoder().histogram_raw(
        tag,
        limits,
        counts,
        extent=(low, high),
        count=float(finite.size),
        total=total,
        total_of_squares=total_of_squares,
    )
    return encoded


def _counted(
    finite: Array,
    extent: tuple[float, float],
    bins: Bins,
    max_bins: int | None,
) -> tuple[Array, Array]:
    """(upper limits, counts) of the buckets between the first and the last that hold something."""
    is_tensorflow = isinstance(bins, str) and bins == "tensorflow"
    counts, edges = np.histogram(finite, _tensorflow_edges(*extent) if is_tensorflow else bins)
    if max_bins is not None and len(counts) > max_bins:
        counts, edges = _merged(counts, edges, len(counts) // max_bins)
    (taken,) = np.nonzero(counts)
    # If none is, all of it is beyond the buckets that were asked for.
    first, last = (int(taken[0]), int(taken[-1])) if taken.size else (0, len(counts) - 1)
    # An empty bucket in front, because of each bucket only the upper limit is written.
    return edges[first : last + 2], np.concatenate([[0], counts[first : last + 1]])


def _tensorflow_edges(low: float, high: float) -> NDArray[np.float64]:
    edges = _exponential_edges()
    below = [low] if low < edges[0] else []
    above = [high] if high > edges[-1] else []
    return np.concatenate([below, edges, above])


@cache
def _exponential_edges() -> NDArray[np.float64]:
    positive = []
    edge = _LEAST
    while edge < _MOST:  # one after the other: a power would be rounded otherwise
        positive.append(edge)
        edge *= _GROWTH
    return np.array([*(-one for one in reversed(positive)), 0.0, *positive])


def _merged(counts: Array, edges: Array, together: int) -> tuple[Array, Array]:
    """Several buckets made one."""
    starts = np.arange(0, len(counts), together)
    return np.add.reduceat(counts, starts), np.append(edges[starts], edges[-1])


def _encoder() -> Any:
    return import_module("mindviz.wire.encode_tensorboard")
