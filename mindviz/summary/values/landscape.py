"""Loss landscapes: the loss around the path or the result of a training."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from mindviz.errors import InvalidValue
from mindviz.summary.values.arrays import Array, snapshot
from mindviz.summary.values.protobuf_bytes import serialized
from mindviz.summary.writing.recorded_step import Log, PooledValue
from mindviz.wire import encode_mindspore

Points = tuple[object, object, object]
"""x, y, z: arrays of equal length."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Landscape:
    """The loss over a plane in parameter space."""

    x: object
    """Shape (n,)."""
    y: object
    """Shape (m,)."""
    z: object
    """Shape (m, n): the loss."""
    intervals: Sequence[int] = ()
    """Steps or epochs of the points of `path`; empty for the landscape around the result."""
    path: Points | None = None
    convergence_point: Points | None = None
    decomposition: str = "PCA"
    unit: Literal["step", "epoch"] = "step"
    step_per_epoch: int = 1


def landscape(name: str, value: object) -> Iterator[PooledValue]:
    """A `Landscape`, or MindSpore's LossLandscape as a message or serialized."""
    what = f"landscape {name!r}"
    if isinstance(value, Landscape):
        content = _encode(value, what)
    else:
        content = serialized(value, what, "LossLandscape")
    encoded = encode_mindspore.loss_landscape(name, content)
    yield PooledValue(
        Log.SUMMARY,
        what,
        lambda wall_time, step: encode_mindspore.event(wall_time, step, [encoded]),
        len(encoded),
    )


def _encode(value: Landscape, what: str) -> bytes:
    x, y, z = (snapshot(axis, what) for axis in (value.x, value.y, value.z))
    if z.shape != (y.size, x.size):
        raise InvalidValue(
            f"{what} has z of shape {list(z.shape)} for {x.size} values of x and {y.size} of y; "
            f"it must be [{y.size}, {x.size}]."
        )
    return encode_mindspore.loss_landscape_content(
        (x.ravel(), y.ravel(), z),
        intervals=value.intervals,
        path=_points(value.path, what),
        convergence_point=_points(value.convergence_point, what),
        decomposition=value.decomposition,
        unit=value.unit,
        step_per_epoch=value.step_per_epoch,
    )


def _points(points: Points | None, what: str) -> tuple[Array, Array, Array] | None:
    if points is None:
        return None
    x, y, z = (np.atleast_1d(snapshot(axis, what)) for axis in points)
    if not x.shape == y.shape == z.shape:
        raise InvalidValue(f"{what} has points of shapes {[list(row.shape) for row in (x, y, z)]}.")
    return x, y, z
