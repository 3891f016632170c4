"""VisualDL record files. Source: visualdl/proto/record.proto."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.formats import FileKind, LineageRule, LogFormat, time_in_name
from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.datavisual.payloads.config_text import config_facts, is_config_tag
from mindviz.datavisual.payloads.graph_message import visualdl_graph
from mindviz.datavisual.payloads.image_message import message_image, message_image_size
from mindviz.datavisual.payloads.lineage_message import visualdl_hparams
from mindviz.datavisual.payloads.paddle_program import holds_pir
from mindviz.datavisual.series.columns import Float64s
from mindviz.datavisual.series.lineage_facts import CutFacts, LineageFacts
from mindviz.datavisual.series.time_series import (
    Audio,
    Embedding,
    Histogram,
    ImageSize,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue
from mindviz.wire.fields import BadMessage, Message
from mindviz.wire.framing import Framing

RECORD = WireSchema(
    name="visualdl",
    framing=Framing.LENGTH_PREFIXED,
    record=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.STEP),
        Field(2, Role.TAG),
        Field(3, Role.WALL_TIME_MILLISECONDS),
        Field(4, Role.FLOAT),
        Field(5, Role.BLOB, "image"),
        Field(6, Role.BLOB, "audio"),
        Field(7, Role.BLOB, "embeddings"),
        Field(8, Role.BLOB, "histogram"),
        Field(9, Role.BLOB, "pr_curve"),
        Field(10, Role.VERSION),
        Field(11, Role.BLOB, "roc_curve"),
        Field(12, Role.BLOB, "text"),
        Field(13, Role.BLOB, "hparam"),
        Field(14, Role.TAGGED_FLOAT),
    ),
)

_TIME = re.compile(r"vdl(?:records|graph)\.(\d+)")

_SUMMARY = FileKind("summary", RECORD)
_GRAPH = FileKind("graph", None)
_PERHAPS_PROGRAM = FileKind("graph", None, is_wanted=holds_pir, may_be_anything=True)


def _file_kind(name: str) -> FileKind | None:
    if "vdlrecords" in name:
        return _SUMMARY
    if "vdlgraph" in name or "pdmodel" in name:
        return _GRAPH
    return _PERHAPS_PROGRAM if name.endswith(".json") else None


def _display_name(head: bytes) -> str:
    # In the first record: Record.values[0].meta_data.display_name.
    try:
        record = head[8:][: int.from_bytes(head[:8], "little")]
        value = Message(record).message(1)
        return value.message(10).text(1)
    except BadMessage:
        return ""


def _text(value: bytes) -> Tensor:
    """Record.Text: encoded_text_string 1."""
    text = np.empty((), object)
    text[()] = bytes(Message(value).bytes(1))
    return Tensor(text, "DT_STRING")


def _pr_curve(value: bytes) -> Tensor:
    """Record.PRCurve: TP 1, FP 2, TN 3, FN 4, precision 5, recall 6."""
    message = Message(value)
    rates = [message.fixed(number, np.float64) for number in (5, 6)]
    return _curve([*_counts(message), *rates])


def _roc_curve(value: bytes) -> Tensor:
    """Record.ROC_Curve: as PRCurve, then tpr and fpr.

    The rates are computed here, because VisualDL divides the true positives by the negatives.
    """
    counts = [column.astype(np.float64) for column in _counts(Message(value))]
    if len({len(column) for column in counts}) == 1:
        hit, false_alarm, correct_rejection, miss = counts
        counts += [_rate(hit, miss), _rate(false_alarm, correct_rejection)]
    return _curve(counts)


def _rate(part: Float64s, rest: Float64s) -> Float64s:
    """`part` / (`part` + `rest`); 0 where both are 0."""
    whole = part + rest
    rate: Float64s = np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)
    return rate


def _counts(message: Message) -> list[NDArray[np.generic]]:
    return [message.varints(number).astype(np.int64) for number in (1, 2, 3, 4)]


def _curve(rows: Sequence[NDArray[np.generic]]) -> Tensor:
    if len({len(row) for row in rows}) != 1:
        raise DamagedValue("The columns of a curve are not equally long.")
    return Tensor(np.array(rows, np.float64), "DT_FLOAT64")


def _embedding(value: bytes) -> Embedding:
    """Record.Embeddings: embeddings 1 (label 1, vectors 2), label_meta 2."""
    message = Message(value)
    points = message.messages(1)
    vectors = [point.fixed(2, np.float32) for point in points]
    if len({len(vector) for vector in vectors}) > 1:
        raise DamagedValue("The vectors of an embedding are not equally long.")
    labels = tuple(point.texts(1) for point in points)
    return Embedding(
        np.array(vectors, np.float32).reshape(len(vectors), -1 if vectors else 0),
        labels if any(labels) and len({len(label) for label in labels}) == 1 else (),
        message.texts(2),
    )


def _histogram(value: bytes) -> Histogram:
    """Record.Histogram: hist 1, bin_edges 2."""
    message = Message(value)
    counts = message.fixed(1, np.float64)
    edges = message.fixed(2, np.float64)
    if not len(counts):
        return Histogram(np.empty((0, 3)))
    if len(edges) != len(counts) + 1:
        raise DamagedValue(f"A histogram has {len(counts)} buckets, but {len(edges)} edges.")
    return Histogram(np.stack([edges[:-1], edges[1:], counts], axis=1, dtype=np.float64))


_DECODERS: Mapping[str, Callable[[bytes], Value]] = {
    "image": message_image,
    "histogram": _histogram,
    "audio": lambda value: Audio((bytes(Message(value).bytes(4)),)),
    "text": _text,
    "pr_curve": _pr_curve,
    "roc_curve": _roc_curve,
    "embeddings": _embedding,
    "graph": visualdl_graph,
}
"""Kind -> decoder; values of other kinds stay bytes."""


def _lineage(kind: str, value: bytes) -> LineageFacts | CutFacts | None:
    if kind == "text":
        return config_facts(bytes(Message(value).bytes(1)))
    return visualdl_hparams(value)


FORMAT = LogFormat(
    name="visualdl",
    file_kind=_file_kind,
    usual_names="*vdlrecords*",
    kinds_named_by_file=frozenset({"graph"}),
    decode=lambda kind, metadata, value: _DECODERS.get(kind, bytes)(value),
    image_size=lambda kind, head: ImageSize(*message_image_size(head)),
    blob_fields={"image": 4, "audio": 4},
    creation_time=lambda name: time_in_name(_TIME, name),
    display_name=_display_name,
    # VisualDL reopens a file for each writer, even to add a single value.
    segments_are_restarts=False,
    lineage=LineageRule(
        kinds=("hparam", "text"),
        decode=lambda kind, metadata, value: _lineage(kind, value),
        has_facts=lambda kind, tag: kind != "text" or is_config_tag(tag),
    ),
)
