"""MindSpore summary and lineage files. Source: mindspore summary.proto, lineage.proto."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np

from mindviz.datavisual.logs.formats import FileKind, LineageRule, LogFormat, time_in_name
from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.datavisual.payloads.graph_message import mindspore_graph
from mindviz.datavisual.payloads.image_message import message_image, message_image_size
from mindviz.datavisual.payloads.landscape_message import mindspore_landscape
from mindviz.datavisual.payloads.lineage_message import mindspore_lineage
from mindviz.datavisual.payloads.tensor_message import mindspore_tensor
from mindviz.datavisual.series.time_series import Histogram, ImageSize, Value
from mindviz.errors import DamagedValue
from mindviz.wire.fields import LENGTH_DELIMITED, BadMessage, read_fields
from mindviz.wire.framing import Framing

EVENT = WireSchema(
    name="mindspore",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(3, Role.VERSION),
        Field(4, Role.BLOB, "graph", tag="graph"),
        Field(5, Role.SUMMARY),
    ),
    summary=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.TAG),
        Field(3, Role.FLOAT),
        Field(4, Role.BLOB, "image"),
        Field(8, Role.BLOB, "tensor"),
        Field(9, Role.BLOB, "histogram"),
        Field(10, Role.BLOB, "loss_landscape"),
    ),
)

LINEAGE_EVENT = WireSchema(
    name="mindspore_lineage",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(6, Role.BLOB, "train_lineage", tag="train_lineage"),
        Field(7, Role.BLOB, "evaluation_lineage", tag="evaluation_lineage"),
        Field(9, Role.BLOB, "dataset_graph", tag="dataset_graph"),
        Field(10, Role.BLOB, "user_defined_info", tag="user_defined_info"),
    ),
)

_TIME = re.compile(r"summary\.(\d+)")


def holds_graph(head: bytes) -> bool:
    """Whether a `.pb` file that starts with `head` is a ModelProto whose graph has nodes.

    Its fields: ir_version 1 (varint), domain 2, model_version 3 (varint), graph 4; of GraphProto,
    node 1. TensorFlow's saved_model.pb, frozen graphs and Caffe2 nets differ in field 1 or lack 4.
    """
    try:
        for number, wire_type, value in read_fields(head, cut_off=True):
            if number == 4 and wire_type == LENGTH_DELIMITED and not isinstance(value, int):
                inner = next(read_fields(value, cut_off=True), None)
                return inner is not None and inner[:2] == (1, LENGTH_DELIMITED)
            if number > 4 or (wire_type == LENGTH_DELIMITED) != (number == 2):
                return False
    except BadMessage:
        pass
    return False


_SUMMARY = FileKind("summary", EVENT)
_LINEAGE = FileKind("lineage", LINEAGE_EVENT)
_GRAPH = FileKind("graph", None)
_PERHAPS_GRAPH = FileKind("graph", None, is_wanted=holds_graph)


def _file_kind(name: str) -> FileKind | None:
    if _TIME.search(name):
        if name.endswith("_explain"):
            return None
        return _LINEAGE if name.endswith("_lineage") else _SUMMARY
    if not name.endswith(".pb") or re.match(r"memory_usage_\d+\.pb$", name):
        return None
    return _GRAPH if name.startswith("ms_output") else _PERHAPS_GRAPH


def _histogram(value: bytes) -> Histogram:
    # One message per bucket: generated classes are ten times faster. Imported late, since
    # `mindviz start` must not wait for protobuf.
    from google.protobuf.message import DecodeError  # noqa: PLC0415

    from mindviz.wire.proto.mindspore_pb2 import Summary  # noqa: PLC0415

    try:
        message = Summary.Histogram.FromString(value)
    except DecodeError as error:
        raise DamagedValue(f"A histogram cannot be decoded: {error}.") from error
    rows = [(bucket.left, bucket.width, bucket.count) for bucket in message.buckets]
    buckets = np.array(rows, np.float64).reshape(-1, 3)
    with np.errstate(invalid="ignore", over="ignore"):
        buckets[:, 1] += buckets[:, 0]
    return Histogram(
        buckets,
        nan_count=message.nan_count,
        positive_infinity_count=message.pos_inf_count,
        negative_infinity_count=message.neg_inf_count,
    )


_DECODERS: Mapping[str, Callable[[bytes], Value]] = {
    "image": message_image,
    "tensor": mindspore_tensor,
    "histogram": _histogram,
    "graph": mindspore_graph,
    "loss_landscape": mindspore_landscape,
}


FORMAT = LogFormat(
    name="mindspore",
    file_kind=_file_kind,
    usual_names="*summary.[0-9]*",
    kinds_named_by_file=frozenset({"graph"}),
    decode=lambda kind, metadata, value: _DECODERS.get(kind, bytes)(value),
    image_size=lambda kind, head: ImageSize(*message_image_size(head)),
    blob_fields={"image": 4},
    creation_time=lambda name: time_in_name(_TIME, name),
    lineage=LineageRule(
        kinds=("train_lineage", "evaluation_lineage", "dataset_graph", "user_defined_info"),
        decode=lambda kind, metadata, value: mindspore_lineage(kind, value),
        merged_kinds=frozenset({"user_defined_info"}),
    ),
)
