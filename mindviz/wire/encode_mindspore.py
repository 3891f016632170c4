"""Encodes MindSpore summary and lineage files. Source: mindspore summary.proto, lineage.proto.

A file is a `version_event`, then one `event` with all values per step. Functions with a tag return
one Summary.Value; events are payloads for TFRECORD framing.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mindviz.wire.encode import (
    Buffer,
    Tag,
    delimited,
    delimited_head,
    double_field,
    float_field,
    image_value,
    message,
    scalar_values,
    tag_bytes,
    varint,
    varint_field,
)

VERSION = "MindSpore.Event:1"

_BUCKET = struct.Struct("<BdBdB")
"""A Histogram.Bucket without its count: left (1) and width (2) as doubles, key of count (3)."""

DATA_TYPES = {
    "bool": 1,
    "int8": 2,
    "int16": 3,
    "int32": 4,
    "int64": 5,
    "uint8": 6,
    "uint16": 7,
    "uint32": 8,
    "uint64": 9,
    "float16": 10,
    "float32": 11,
    "float64": 12,
    "complex64": 43,
    "complex128": 44,
}
"""numpy's name of a dtype -> MindSpore's number."""

Points = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
"""x, y and z."""

LINEAGE_FIELDS = {
    "TrainLineage": 6,
    "EvaluationLineage": 7,
    "DatasetGraph": 9,
    "UserDefinedInfo": 10,
}
"""Messages of a lineage event -> their field numbers."""


def version_event(wall_time: float, version: str = VERSION) -> bytes:
    """The first record of a summary file; another one starts a new segment."""
    return double_field(1, wall_time) + delimited(3, version.encode())


def event(wall_time: float, step: int, values: Iterable[bytes]) -> bytes:
    """All values of one step."""
    return _event(wall_time, step, *[delimited(1, value) for value in values])


def scalars_event(wall_time: float, step: int, scalars: Mapping[str, float]) -> bytes:
    """All scalars of one step: equals an `event` of `scalar`s, but faster."""
    return _event(wall_time, step, scalar_values(3, scalars))


def _event(wall_time: float, step: int, *summary: bytes) -> bytes:
    head = double_field(1, wall_time) + varint_field(2, step)
    return b"".join((head, message(5, *summary)))


def graph_event(wall_time: float, graph: bytes) -> bytes:
    """A GraphProto; the event has no step."""
    return b"".join((double_field(1, wall_time), delimited(4, graph)))


def scalar(tag: Tag, value: float) -> bytes:
    """A number, stored as float32."""
    return delimited(1, tag_bytes(tag)) + float_field(3, value)


image = image_value


def histogram(
    tag: Tag,
    edges: ArrayLike,
    counts: ArrayLike,
    *,
    nan_count: int = 0,
    positive_infinity_count: int = 0,
    negative_infinity_count: int = 0,
    extent: tuple[float, float] | None = None,
    total: float | None = None,
) -> bytes:
    """A histogram: k counts and k + 1 edges; NaN and infinities are counted separately.

    `extent` is (min, max) and `total` the sum of the finite values; both default to estimates
    from the buckets.
    """
    limits = np.asarray(edges, np.float64)
    per_bucket = np.asarray(counts, np.int64)
    low, high = (float(limits[0]), float(limits[-1])) if extent is None else extent
    if total is None:
        total = float(((limits[:-1] + limits[1:]) / 2 * per_bucket).sum())
    count = int(per_bucket.sum()) + nan_count + positive_infinity_count + negative_infinity_count
    with np.errstate(over="ignore"):
        # Like MindSpore's, in the type of the values.
        widths = np.diff(np.asarray(edges))
    buckets = [
        message(1, _BUCKET.pack(0x09, left, 0x11, width, 0x18), varint(number))
        for left, width, number in zip(
            limits[:-1].tolist(), widths.tolist(), per_bucket.tolist(), strict=True
        )
    ]
    content = message(
        9,
        *buckets,
        varint_field(2, nan_count),
        varint_field(3, positive_infinity_count),
        varint_field(4, negative_infinity_count),
        double_field(5, high),
        double_field(6, low),
        double_field(7, total),
        varint_field(8, count),
    )
    return delimited(1, tag_bytes(tag)) + content


def tensor(tag: Tag, array: NDArray[np.generic]) -> bytes:
    """A tensor. MindSpore stores every dtype as `float_data`, with the real `data_type`."""
    return b"".join((delimited(1, tag_bytes(tag)), message(8, *_tensor(array))))


def _tensor(array: NDArray[np.generic]) -> tuple[Buffer, ...]:
    dims = b"".join([varint_field(1, size) for size in array.shape])
    head = dims + varint_field(2, DATA_TYPES[array.dtype.name])
    if not array.size:
        return (head,)
    with np.errstate(over="ignore"):
        elements = np.ascontiguousarray(array, "<f4")
    return head, delimited_head(3, elements.nbytes), elements.reshape(-1).view(np.uint8).data


def loss_landscape(tag: Tag, content: bytes) -> bytes:
    """A LossLandscape."""
    return b"".join((delimited(1, tag_bytes(tag)), delimited(10, content)))


def loss_landscape_content(
    landscape: Points,
    *,
    intervals: Sequence[int],
    path: Points | None,
    convergence_point: Points | None,
    decomposition: str,
    unit: str,
    step_per_epoch: int,
) -> bytes:
    """A LossLandscape: x (n,), y (m,), z (m, n), and path points of equal length."""
    metadata = (
        delimited(1, decomposition.encode()),
        delimited(2, unit.encode()),
        varint_field(3, step_per_epoch),
    )
    parts = [message(1, *_points(landscape))]
    if path is not None:
        numbers = [varint_field(1, number) for number in intervals]
        parts.append(message(2, *numbers, message(2, *_points(path))))
    parts.append(message(3, *metadata))
    if convergence_point is not None:
        parts.append(message(4, *_points(convergence_point)))
    return b"".join(parts)


def _points(points: Points) -> list[bytes]:
    return [message(number, *_tensor(array)) for number, array in enumerate(points, 1)]


def lineage_fact(wall_time: float, name: str, content: bytes) -> bytes:
    """An encoded lineage message as an event; `name` is the message's, a key of LINEAGE_FIELDS."""
    return double_field(1, wall_time) + delimited(LINEAGE_FIELDS[name], content)
