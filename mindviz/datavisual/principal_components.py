"""Principal components: where points of many dimensions lie in the few that they spread most in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.data_transform.columns import Float64s

EXACT_DIMENSIONS = 512
"""Up to so many dimensions or points the decomposition is exact; beyond it is iterated."""
_EXTRA, _ITERATIONS = 8, 6


class Projection(NamedTuple):
    """Points, projected."""

    points: NDArray[np.float32]
    """Shape (n, components); NaN for points that have a coordinate that is no finite number."""
    explained: tuple[float, ...]
    """Of each component its share of the variance."""


def principal_components(vectors: NDArray[np.float32], components: int = 3) -> Projection:
    """Project points of shape (n, dimensions) onto their first principal components.

    The same points always give the same answer: the largest coordinate of an axis is positive.
    Where there are fewer components than asked for, the others are zero.
    """
    finite = np.isfinite(vectors).all(axis=1)
    known = vectors[finite].astype(np.float64)
    centred = known - known.mean(axis=0) if len(known) else known
    variance = float(np.square(centred).sum())
    points = np.full((len(vectors), components), np.nan, np.float32)
    if not variance or not np.isfinite(variance):
        points[finite] = 0
        return Projection(points, (0.0,) * components)
    axes = _axes(centred, min(components, *centred.shape))
    projected = np.zeros((len(known), components))
    projected[:, : len(axes)] = centred @ axes.T
    points[finite] = projected
    return Projection(points, tuple((np.square(projected).sum(axis=0) / variance).tolist()))


def _axes(centred: Float64s, components: int) -> Float64s:
    """Shape (components, dimensions)."""
    if min(centred.shape) <= EXACT_DIMENSIONS:
        axes = _leading(centred, components)
    else:
        # Halko, Martinsson, Tropp (2011), algorithm 4.4: the range of a few random combinations,
        # multiplied until the largest components stand out.
        start = np.random.default_rng(0).normal(size=(centred.shape[1], components + _EXTRA))
        basis = np.linalg.qr(centred @ start)[0]
        for _ in range(_ITERATIONS):
            basis = np.linalg.qr(centred.T @ basis)[0]
            basis = np.linalg.qr(centred @ basis)[0]
        axes = _leading(basis.T @ centred, components)
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    signed: Float64s = axes * np.where(largest < 0, -1.0, 1.0)[:, np.newaxis]
    return signed


def _leading(matrix: Float64s, components: int) -> Float64s:
    """The first right singular vectors, by the smaller of the two Gram matrices."""
    rows, dimensions = matrix.shape
    if dimensions <= rows:
        _, vectors = np.linalg.eigh(matrix.T @ matrix)
        axes: Float64s = vectors[:, ::-1][:, :components].T
        return axes
    _, vectors = np.linalg.eigh(matrix @ matrix.T)
    left = vectors[:, ::-1][:, :components]
    along: Float64s = left.T @ matrix
    length = np.linalg.norm(along, axis=1, keepdims=True)
    np.divide(along, length, out=along, where=length > 0)
    return along
