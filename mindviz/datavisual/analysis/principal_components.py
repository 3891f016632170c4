"""Principal component analysis, deterministic and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s

EXACT_DIMENSIONS = 512
"""Up to this many dimensions or points the decomposition is exact, beyond it is iterative."""
_EXTRA, _ITERATIONS = 8, 6
_BLOCK = 1 << 22
"""Coordinates converted to float64 at a time."""


class Projection(NamedTuple):
    """Projected points."""

    points: NDArray[np.float32]
    """Shape (n, components); NaN for points with non-finite coordinates."""
    explained: tuple[float, ...]
    """Share of the variance per component."""


def principal_components(vectors: NDArray[np.float32], components: int = 3) -> Projection:
    """Project points of shape (n, dimensions) onto their first principal components.

    Deterministic: the largest coordinate of each axis is positive. Missing components are zero.
    """
    finite = np.concatenate(
        [np.isfinite(block).all(axis=1) for block in _blocks(vectors)] or [np.empty(0, np.bool_)]
    )
    known = vectors if finite.all() else vectors[finite]
    middle = sum(block.sum(axis=0, dtype=np.float64) for block in _blocks(known)) / max(
        1, len(known)
    )
    variance = float(sum(np.square(block - middle).sum() for block in _blocks(known)))
    points = np.full((len(vectors), components), np.nan, np.float32)
    if not variance or not np.isfinite(variance):
        points[finite] = 0
        return Projection(points, (0.0,) * components)
    axes = _axes(known, middle, min(components, *known.shape))
    projected = np.zeros((len(known), components))
    placed = np.concatenate([(block - middle) @ axes.T for block in _blocks(known)])
    projected[:, : len(axes)] = placed
    points[finite] = projected
    return Projection(points, tuple((np.square(projected).sum(axis=0) / variance).tolist()))


def _blocks(vectors: NDArray[np.float32]) -> Iterator[Float64s]:
    """The points in blocks, to bound the memory of float64 copies."""
    rows = max(1, _BLOCK // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), rows):
        yield vectors[start : start + rows].astype(np.float64)


def _axes(known: NDArray[np.float32], middle: Float64s, components: int) -> Float64s:
    """Shape (components, dimensions)."""
    rows, dimensions = known.shape
    if dimensions <= min(rows, EXACT_DIMENSIONS):
        gram = np.zeros((dimensions, dimensions))
        for block in _blocks(known):
            gram += (block - middle).T @ (block - middle)
        axes = _largest(gram, components).T
    elif rows <= EXACT_DIMENSIONS:
        axes = _leading(known - middle, components)
    else:
        centred = known - middle
        # Halko, Martinsson, Tropp (2011), algorithm 4.4: randomized range finder with power
        # iterations.
        start = np.random.default_rng(0).normal(size=(centred.shape[1], components + _EXTRA))
        basis = np.linalg.qr(centred @ start)[0]
        for _ in range(_ITERATIONS):
            basis = np.linalg.qr(centred.T @ basis)[0]
            basis = np.linalg.qr(centred @ basis)[0]
        axes = _leading(basis.T @ centred, components)
    largest = axes[np.arange(len(axes)), np.abs(axes).argmax(axis=1)]
    signed: Float64s = axes * np.where(largest < 0, -1.0, 1.0)[:, np.newaxis]
    return signed


def _largest(gram: Float64s, components: int) -> Float64s:
    """Eigenvectors of the largest eigenvalues, as columns."""
    _, vectors = np.linalg.eigh(gram)
    largest: Float64s = vectors[:, ::-1][:, :components]
    return largest


def _leading(matrix: Float64s, components: int) -> Float64s:
    """The first right singular vectors of a matrix with fewer rows than columns."""
    along: Float64s = _largest(matrix @ matrix.T, components).T @ matrix
    length = np.linalg.norm(along, axis=1, keepdims=True)
    np.divide(along, length, out=along, where=length > 0)
    return along
