"""TensorBoard event files. Source: tensorboard/compat/proto/{event,summary,tensor}.proto."""

from __future__ import annotations

import re

from mindviz.datavisual.data_transform.formats import (
    FileKind,
    LogFormat,
    SeriesClass,
    time_in_name,
)
from mindviz.datavisual.data_transform.time_series import DataClass, Value
from mindviz.datavisual.data_transform.wire_schema import SCALAR_KIND, Field, Role, WireSchema
from mindviz.wire.fields import BadMessage, Message
from mindviz.wire.framing import Framing

EVENT = WireSchema(
    name="tensorboard",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(3, Role.VERSION),
        Field(4, Role.BLOB, "graph_def", tag="__run_graph__"),
        Field(5, Role.SUMMARY),
        Field(7, Role.SESSION_LOG),
        Field(8, Role.BLOB, "tagged_run_metadata", tag="__run_metadata__"),
        Field(9, Role.BLOB, "meta_graph_def", tag="__meta_graph__"),
    ),
    summary=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.TAG),
        Field(2, Role.FLOAT),
        Field(3, Role.IGNORE),
        Field(4, Role.BLOB, "image"),
        Field(5, Role.BLOB, "histo"),
        Field(6, Role.BLOB, "audio"),
        Field(8, Role.TF_TENSOR, "tensor"),
        Field(9, Role.METADATA),
    ),
)

_TIME = re.compile(r"tfevents\.(\d+)")

_SERIES = {
    SCALAR_KIND: ("scalar", DataClass.SCALAR),
    "image": ("image", DataClass.BLOB_SEQUENCE),
    "histo": ("histogram", DataClass.TENSOR),
    "audio": ("audio", DataClass.BLOB_SEQUENCE),
    "graph_def": ("graph", DataClass.BLOB_SEQUENCE),
    "meta_graph_def": ("graph", DataClass.BLOB_SEQUENCE),
    "tagged_run_metadata": ("run_metadata", DataClass.BLOB_SEQUENCE),
}
"""What a series is by its kind, tensors apart."""

_TENSOR_SERIES = {
    "images": ("image", DataClass.BLOB_SEQUENCE),
    "histograms": ("histogram", DataClass.TENSOR),
    "audio": ("audio", DataClass.BLOB_SEQUENCE),
    "text": ("text", DataClass.TENSOR),
    "pr_curves": ("pr_curve", DataClass.TENSOR),
    "mesh": ("mesh", DataClass.TENSOR),
    "hparams": ("hparams", DataClass.TENSOR),
    "custom_scalars": ("custom_scalars", DataClass.TENSOR),
    "graph_run_metadata": ("run_metadata", DataClass.BLOB_SEQUENCE),
    "graph_run_metadata_graph": ("graph", DataClass.BLOB_SEQUENCE),
    "graph_keras_model": ("graph", DataClass.BLOB_SEQUENCE),
}
"""What a series of tensors is by `SummaryMetadata.plugin_data.plugin_name`."""

_BLOB_SEQUENCE = 3
"""In `SummaryMetadata.data_class`."""


def plugin_of(metadata: bytes) -> tuple[str, int]:
    """(plugin_data.plugin_name, data_class) of a SummaryMetadata; ("", 0) if it is damaged."""
    try:
        message = Message(metadata)
        plugin_data = Message(message.bytes(1))
    except BadMessage:
        return "", 0
    return str(plugin_data.bytes(1), "utf-8", "replace"), message.integer(4)


def _classify(kind: str, tag: str, metadata: bytes, file_name: str) -> SeriesClass | None:
    # A number per step is a curve, whichever plugin it was meant for.
    if kind in _SERIES:
        plugin_name, data_class = _SERIES[kind]
        return SeriesClass(plugin_name, tag, data_class)
    logged_for, logged_class = plugin_of(metadata)
    if logged_for in _TENSOR_SERIES:
        plugin_name, data_class = _TENSOR_SERIES[logged_for]
        return SeriesClass(plugin_name, tag, data_class)
    # Blobs of a plugin we don't know are no tensors: they wait under its own name.
    if logged_class == _BLOB_SEQUENCE and logged_for:
        return SeriesClass(logged_for, tag, DataClass.BLOB_SEQUENCE)
    return SeriesClass("tensor", tag, DataClass.TENSOR)


_SUMMARY = FileKind("summary", EVENT)


def _decode(kind: str, metadata: bytes, value: bytes) -> Value:
    return value


FORMAT = LogFormat(
    name="tensorboard",
    file_kind=lambda name: _SUMMARY if "tfevents" in name else None,
    classify=_classify,
    decode=_decode,
    creation_time=lambda name: time_in_name(_TIME, name),
)
