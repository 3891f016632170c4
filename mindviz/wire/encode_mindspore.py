"""Encodes MindSpore summary and lineage files. Source: mindspore summary.proto, lineage.proto.

A file is `version_event`, then one `event` per step that holds all values of that step. Every
function that takes a tag returns one Summary.Value; events are payloads, to be framed as TFRECORD.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mindviz.wire.encode import Tag, delimited, double_field, float_field, tag_bytes, varint_field
from mindviz.wire.proto import mindspore_pb2 as proto

VERSION = "MindSpore.Event:1"

DATA_TYPES = {
    "bool": proto.DT_BOOL,
    "int8": proto.DT_INT8,
    "int16": proto.DT_INT16,
    "int32": proto.DT_INT32,
    "int64": proto.DT_INT64,
    "uint8": proto.DT_UINT8,
    "uint16": proto.DT_UINT16,
    "uint32": proto.DT_UINT32,
    "uint64": proto.DT_UINT64,
    "float16": proto.DT_FLOAT16,
    "float32": proto.DT_FLOAT32,
    "float64": proto.DT_FLOAT64,
    "complex64": proto.DT_COMPLEX64,
    "complex128": proto.DT_COMPLEX128,
}
"""numpy's name of a dtype -> MindSpore's number."""

LIST_FIELDS = {
    "float_data": np.float32,
    "int32_data": np.int32,
    "int64_data": np.int64,
    "double_data": np.float64,
    "uint64_data": np.uint64,
}
"""The fields of TensorProto that list elements -> what they can hold."""


def version_event(wall_time: float, version: str = VERSION) -> bytes:
    """The first record of a summary file; a further one begins a new segment."""
    return double_field(1, wall_time) + delimited(3, version.encode())


def event(wall_time: float, step: int, values: Iterable[bytes]) -> bytes:
    """All values of one step."""
    summary = b"".join([delimited(1, value) for value in values])
    return double_field(1, wall_time) + varint_field(2, step) + delimited(5, summary)


def graph_event(wall_time: float, graph: proto.GraphProto) -> bytes:
    """The graph of a network; such an event has no step."""
    return double_field(1, wall_time) + delimited(4, graph.SerializeToString())


def scalar(tag: Tag, value: float) -> bytes:
    """A number, stored as float32."""
    return delimited(1, tag_bytes(tag)) + float_field(3, value)


def image(tag: Tag, encoded: bytes, width: int, height: int) -> bytes:
    """An encoded image, usually PNG."""
    content = proto.Summary.Image(height=height, width=width, colorspace=3, encoded_image=encoded)
    return proto.Summary.Value(tag=tag_bytes(tag), image=content).SerializeToString()


def histogram(
    tag: Tag,
    edges: ArrayLike,
    counts: ArrayLike,
    *,
    nan_count: int = 0,
    positive_infinity_count: int = 0,
    negative_infinity_count: int = 0,
) -> bytes:
    """A histogram: k counts and k + 1 edges; NaN and infinite values are counted apart."""
    limits = np.asarray(edges, np.float64)
    per_bucket = np.asarray(counts, np.int64)
    content = proto.Summary.Histogram(
        buckets=[
            proto.Summary.Histogram.Bucket(left=left, width=width, count=count)
            for left, width, count in zip(
                limits[:-1].tolist(), np.diff(limits).tolist(), per_bucket.tolist(), strict=True
            )
        ],
        nan_count=nan_count,
        pos_inf_count=positive_infinity_count,
        neg_inf_count=negative_infinity_count,
        min=float(limits[0]),
        max=float(limits[-1]),
        sum=float(((limits[:-1] + limits[1:]) / 2 * per_bucket).sum()),
        count=int(per_bucket.sum()) + nan_count + positive_infinity_count + negative_infinity_count,
    )
    return proto.Summary.Value(tag=tag_bytes(tag), histogram=content).SerializeToString()


def tensor(
    tag: Tag,
    array: NDArray[np.generic],
    *,
    data_type: proto.DataType | None = None,
    field: str = "float_data",
) -> bytes:
    """A tensor. MindSpore itself writes every dtype as `float_data`, beside the real `data_type`.

    `field` may be another field of TensorProto, for exact integers and doubles; with `raw_data` and
    DT_BFLOAT16, `array` holds the bit patterns as uint16.
    """
    content = proto.TensorProto(
        dims=array.shape,
        data_type=DATA_TYPES[array.dtype.name] if data_type is None else data_type,
    )
    if field == "raw_data":
        little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
        content.raw_data = little_endian.tobytes()
    else:
        with np.errstate(over="ignore"):
            listed = array.ravel().astype(LIST_FIELDS[field])
        getattr(content, field).extend(listed.tolist())
    return proto.Summary.Value(tag=tag_bytes(tag), tensor=content).SerializeToString()


def lineage_event(
    wall_time: float,
    fact: proto.TrainLineage | proto.EvaluationLineage | proto.DatasetGraph | proto.UserDefinedInfo,
) -> bytes:
    """One fact of a job, for a `_lineage` file."""
    number = {
        proto.TrainLineage: 6,
        proto.EvaluationLineage: 7,
        proto.DatasetGraph: 9,
        proto.UserDefinedInfo: 10,
    }[type(fact)]
    return double_field(1, wall_time) + delimited(number, fact.SerializeToString())
