"""Encodes MindSpore's LossLandscape, a value of summary files. Source: mindspore summary.proto."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from mindviz.wire.encode import Tag, delimited, tag_bytes, varint_field

_FLOAT32 = 11
"""The number of DT_FLOAT32, which MindSpore writes all coordinates as."""

Coordinates = Sequence[ArrayLike]
"""x, y and z."""


@dataclass(frozen=True, slots=True)
class LandscapePath:
    """Where a training went."""

    intervals: Sequence[int]
    """Its steps or epochs."""
    points: Coordinates
    """As many of each as there are `intervals`."""


def landscape(
    tag: Tag,
    points: Coordinates,
    *,
    path: LandscapePath | None = None,
    convergence_point: tuple[float, float, float] | None = None,
    decomposition: str = "PCA",
    unit: str = "step",
    step_per_epoch: int = 1,
) -> bytes:
    """A Summary.Value: the loss around a path of training, or, without one, around its result.

    `points` are x (n,), y (m,) and z (m, n).
    """
    content = delimited(1, _point(points))
    if path is not None:
        # Not packed: the file is proto2.
        intervals = b"".join([varint_field(1, number) for number in path.intervals])
        content += delimited(2, intervals + delimited(2, _point(path.points)))
    metadata = delimited(1, decomposition.encode()) + delimited(2, unit.encode())
    content += delimited(3, metadata + varint_field(3, step_per_epoch))
    if convergence_point is not None:
        content += delimited(4, _point([[coordinate] for coordinate in convergence_point]))
    return delimited(1, tag_bytes(tag)) + delimited(10, content)


def _point(coordinates: Coordinates) -> bytes:
    x, y, z = (_tensor(np.asarray(axis, np.float32)) for axis in coordinates)
    return delimited(1, x) + delimited(2, y) + delimited(3, z)


def _tensor(array: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> bytes:
    dims = b"".join([varint_field(1, size) for size in array.shape])
    packed = array.astype("<f4").tobytes()
    return dims + varint_field(2, _FLOAT32) + delimited(3, packed)
