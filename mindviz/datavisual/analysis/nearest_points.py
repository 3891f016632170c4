"""Exact nearest neighbors of a point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import Float64s, Int64s

COSINE, EUCLIDEAN = "cosine", "euclidean"
DISTANCES = (COSINE, EUCLIDEAN)
_BLOCK = 1 << 20
"""Coordinates converted to float64 at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class NearestPoints:
    """Points by distance, ties by index."""

    index: Int64s
    distance: Float64s


def nearest_points(
    vectors: NDArray[np.float32], point: int, distance: str, limit: int
) -> NearestPoints:
    """The `most` points nearest to row `point` of `vectors`, shape (n, dimensions).

    `cosine` is 1 minus the cosine of the angle, undefined for zero vectors. Points whose distance
    is undefined are left out. Raises IndexError.
    """
    apart = _distances(vectors, vectors[point].astype(np.float64), distance)
    apart[point] = np.nan
    (candidates,) = np.nonzero(~np.isnan(apart))
    if len(candidates) > limit:
        # Includes all ties with the last one, so that ties are broken by index.
        last = np.partition(apart[candidates], limit - 1)[limit - 1]
        candidates = candidates[apart[candidates] <= last]
    ranked = candidates[np.argsort(apart[candidates], kind="stable")][:limit]
    return NearestPoints(ranked, apart[ranked])


def _distances(vectors: NDArray[np.float32], origin: Float64s, distance: str) -> Float64s:
    """Shape (n,); NaN where undefined."""
    apart = np.empty(len(vectors))
    rows = max(1, _BLOCK // max(1, vectors.shape[1]))
    for start in range(0, len(vectors), rows):
        block = vectors[start : start + rows].astype(np.float64)
        # Non-finite and zero vectors produce NaN, as intended.
        with np.errstate(invalid="ignore", divide="ignore"):
            if distance == COSINE:
                lengths = np.sqrt(np.einsum("ij,ij->i", block, block) * (origin @ origin))
                distances = 1 - block @ origin / lengths
            else:
                distances = np.linalg.norm(block - origin, axis=1)
        apart[start : start + rows] = np.where(np.isfinite(distances), distances, np.nan)
    return apart
