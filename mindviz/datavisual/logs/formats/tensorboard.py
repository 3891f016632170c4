"""TensorBoard event files. Source: tensorboard/compat/proto/{event,summary,tensor}.proto."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

import numpy as np

from mindviz.datavisual.logs.formats import (
    FileKind,
    LineageRule,
    LogFormat,
    SeriesClass,
    time_in_name,
)
from mindviz.datavisual.logs.wire_schema import SCALAR_KIND, Field, Role, WireSchema
from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.payloads.graph_message import (
    TENSORBOARD_GRAPHS,
    tensorboard_graph,
)
from mindviz.datavisual.payloads.hparams_message import SESSION_START
from mindviz.datavisual.payloads.image_message import message_image, message_image_size
from mindviz.datavisual.payloads.layout_message import chart_layout
from mindviz.datavisual.payloads.lineage_message import tensorboard_hparams
from mindviz.datavisual.payloads.tensor_message import (
    tensorflow_strings,
    tensorflow_tensor,
)
from mindviz.datavisual.series.time_series import (
    Audio,
    ChartLayout,
    DataClass,
    Embedding,
    Histogram,
    Image,
    Tensor,
    Value,
)
from mindviz.errors import DamagedValue
from mindviz.wire.fields import BadMessage, Message, signed
from mindviz.wire.framing import FOOTER_SIZE, HEADER_SIZE, Framing, unpack_record

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
        # TaggedRunMetadata {1: tag, 2: run metadata} has the shape of a value.
        Field(8, Role.VALUE),
        Field(9, Role.BLOB, "meta_graph_def", tag="__meta_graph__"),
    ),
    summary=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.TAG),
        Field(2, Role.FLOAT),
        # In TaggedRunMetadata, field 2 is bytes.
        Field(2, Role.BLOB, "tagged_run_metadata"),
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
"""Kind -> plugin and data class, except for tensors."""

_TENSOR_SERIES = {
    "images": ("image", DataClass.BLOB_SEQUENCE),
    "histograms": ("histogram", DataClass.TENSOR),
    "audio": ("audio", DataClass.BLOB_SEQUENCE),
    "text": ("text", DataClass.TENSOR),
    "pr_curves": ("pr_curve", DataClass.TENSOR),
    "mesh": ("mesh", DataClass.TENSOR),
    "hparams": ("hparams", DataClass.TENSOR),
    "custom_scalars": ("custom_scalars", DataClass.TENSOR),
    "embedding": ("embedding", DataClass.TENSOR),
    "graph_run_metadata": ("run_metadata", DataClass.BLOB_SEQUENCE),
    "graph_run_metadata_graph": ("graph", DataClass.BLOB_SEQUENCE),
    "graph_keras_model": ("graph", DataClass.BLOB_SEQUENCE),
}
"""For tensors: `SummaryMetadata.plugin_data.plugin_name` -> plugin and data class."""

_SESSION_START = 1
"""`SessionLog.SessionStatus.START`."""

MAX_BUCKETS = 1_000_000
"""Per histogram."""
MAX_CLAIMED_BUCKETS = 1_000
"""Per histogram that repeats one number: a few bytes may claim any shape."""

_OF_UNKNOWN_PLUGINS = {2: DataClass.TENSOR, 3: DataClass.BLOB_SEQUENCE}
"""By `SummaryMetadata.data_class`."""


def plugin_of(metadata: bytes) -> tuple[str, int]:
    """(plugin_data.plugin_name, data_class) of a SummaryMetadata; ("", 0) if it is damaged."""
    # Jobs with many series have few distinct metadata; long ones are not worth caching.
    return _parsed_once(metadata) if len(metadata) <= 1024 else _parsed(metadata)


def _parsed(metadata: bytes) -> tuple[str, int]:
    try:
        message = Message(metadata)
        plugin_data = Message(message.bytes(1))
    except BadMessage:
        return "", 0
    return str(plugin_data.bytes(1), "utf-8", "replace"), message.integer(4)


_parsed_once = lru_cache(maxsize=256)(_parsed)


def _classify(kind: str, tag: str, metadata: bytes, file_name: str) -> SeriesClass | None:
    # Scalars are curves, whatever plugin the metadata names.
    if kind in _SERIES:
        plugin_name, data_class = _SERIES[kind]
        return SeriesClass(plugin_name, tag, data_class, TENSORBOARD_GRAPHS.get(kind, ""))
    logged_for, logged_class = plugin_of(metadata)
    if logged_for in _TENSOR_SERIES:
        plugin_name, data_class = _TENSOR_SERIES[logged_for]
        return SeriesClass(plugin_name, tag, data_class, TENSORBOARD_GRAPHS.get(logged_for, ""))
    # For unknown plugins, use the data class that they declare.
    if logged_class in _OF_UNKNOWN_PLUGINS and logged_for:
        return SeriesClass(logged_for, tag, _OF_UNKNOWN_PLUGINS[logged_class])
    return SeriesClass("tensor", tag, DataClass.TENSOR)


_SUMMARY = FileKind("summary", EVENT)


def _decode(kind: str, metadata: bytes, value: bytes) -> Value:
    if kind == "tensor":
        return _decode_tensor(plugin_of(metadata)[0], value)
    if kind in TENSORBOARD_GRAPHS:
        return tensorboard_graph(kind, value)
    return _DECODERS.get(kind, bytes)(value)


def _decode_tensor(logged_for: str, value: bytes) -> Value:
    if logged_for in TENSORBOARD_GRAPHS:
        strings = tensorflow_strings(value)
        return tensorboard_graph(logged_for, strings[0] if strings else b"")
    return _TENSOR_DECODERS.get(logged_for, tensorflow_tensor)(value)


def _tensor_image(value: bytes) -> Image:
    strings = tensorflow_strings(value)
    return Image(*string_image_size(strings), tuple(strings[2:]))


def _tensor_audio(value: bytes) -> Audio:
    """Clips as strings of shape (n,), or clips and labels of shape (n, 2)."""
    tensor = tensorflow_tensor(value)
    if tensor.dtype_name != "DT_STRING" or not 1 <= tensor.data.ndim <= 2:
        raise DamagedValue(
            f"Audio cannot have the shape {list(tensor.data.shape)} and type {tensor.dtype_name}."
        )
    if tensor.data.size > len(value):
        raise DamagedValue(f"A tensor claims to hold {tensor.data.size} clips.")
    if tensor.data.ndim == 1:
        return Audio(tuple(tensor.data.tolist()))
    rows = tensor.data.tolist()
    labels = tuple(str(row[1], "utf-8", "replace") if len(row) > 1 else "" for row in rows)
    return Audio(tuple(row[0] for row in rows if row), labels if any(labels) else ())


def _tensor_embedding(value: bytes) -> Embedding:
    """The kind that mindviz writes: JSON (dims, header), coordinates as float32, labels."""
    strings = tensorflow_strings(value)
    try:
        facts = json.loads(strings[0])
        header = tuple(str(name) for name in facts["header"])
        vectors = np.frombuffer(strings[1], "<f4").reshape(facts["dims"])
        texts = [str(text, "utf-8", "replace") for text in strings[2:]]
        width = len(texts) // len(vectors) if len(vectors) else 0
        empty = len(vectors) > 0 and not vectors.size
        if vectors.ndim != 2 or empty or width * len(vectors) != len(texts):
            raise ValueError("its parts don't fit together")  # noqa: TRY301 - as the others
    except (IndexError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise DamagedValue(f"An embedding cannot be decoded: {error}.") from error
    rows = range(0, len(texts), width) if width else ()
    return Embedding(vectors, tuple(tuple(texts[at : at + width]) for at in rows), header)


def _image_size(kind: str, head: bytes) -> tuple[int, int]:
    if kind == "image":
        return message_image_size(head)
    # string_val is field 8 of TensorProto.
    strings = Message(head, cut_off=True).all_bytes(8)
    return string_image_size([bytes(string) for string in strings])


def _own_field_histogram(value: bytes) -> Histogram:
    """HistogramProto (min 1, max 2, bucket_limit 6, bucket 7).

    Drops empty buckets at both ends, as TensorBoard does: writers spread fixed buckets over all of
    float64. The outermost edges become the smallest and largest value, unless the log has NaN for
    these, as it has if a value is NaN.
    """
    message = Message(value)
    limits = message.fixed(6, np.float64).astype(np.float64)
    counts = message.fixed(7, np.float64).astype(np.float64)
    if len(limits) != len(counts):
        raise DamagedValue(f"A histogram has {len(counts)} buckets, but {len(limits)} limits.")
    filled = np.flatnonzero(counts)
    if not len(filled):
        return Histogram(np.empty((0, 3)))
    start, end = filled[0], filled[-1] + 1
    edges = limits[[max(start - 1, 0), *range(start, end)]]
    for at, extreme in ((0, message.double(1)), (-1, message.double(2))):
        if not np.isnan(extreme):
            edges[at] = extreme
    return Histogram(np.stack([edges[:-1], edges[1:], counts[start:end]], axis=1))


def _tensor_histogram(value: bytes) -> Histogram:
    buckets = tensorflow_tensor(value).data
    rows = buckets.ndim == 2 and buckets.shape[1] == 3
    most = MAX_CLAIMED_BUCKETS if 0 in buckets.strides else MAX_BUCKETS
    if not rows or len(buckets) > most or not np.issubdtype(buckets.dtype, np.floating):
        raise DamagedValue(
            f"A histogram cannot have the shape {list(buckets.shape)} and type {buckets.dtype}."
        )
    return Histogram(buckets.astype(np.float64))


def _tensor_layout(value: bytes) -> ChartLayout:
    strings = tensorflow_strings(value)
    if len(strings) != 1:
        raise DamagedValue(f"A layout cannot be {len(strings)} strings.")
    return chart_layout(strings[0])


_DECODERS: Mapping[str, Callable[[bytes], Value]] = {
    "image": message_image,
    "histo": _own_field_histogram,
    "audio": lambda value: Audio((bytes(Message(value).bytes(4)),)),
}
"""By kind, for values with a field of their kind; values of other kinds stay bytes."""

_TENSOR_DECODERS: Mapping[str, Callable[[bytes], Value]] = {
    "images": _tensor_image,
    "histograms": _tensor_histogram,
    "audio": _tensor_audio,
    "embedding": _tensor_embedding,
    "custom_scalars": _tensor_layout,
    # Everything is in the metadata.
    "hparams": lambda value: Tensor(np.empty(0, np.float32), "DT_FLOAT32"),
}


def _first_events(head: bytes) -> Iterator[Message]:
    """The first events of a file, up to one that is damaged or cut off."""
    while head:
        size = HEADER_SIZE + int.from_bytes(head[:8], "little") + FOOTER_SIZE
        try:
            yield Message(unpack_record(Framing.TFRECORD, head[:size]))
        except DamagedValue:
            return
        head = head[size:]


def _begun(head: bytes) -> float | None:
    """The time of the first event, which has no value; TensorBoard uses it as the run's."""
    first = next(_first_events(head), None)
    try:
        time = math.nan if first is None else first.double(1, math.nan)
    except BadMessage:
        return None
    return time if math.isfinite(time) else None


_START = re.compile(rb"\x3a(?:[\x02-\x7f]|[\x80-\xff]+[\x01-\x7f])\x08\x01", re.DOTALL)
"""Event.session_log (field 7) that starts with status START."""


def _restart_step(head: bytes) -> int | None:
    """The step of a SessionLog START before the first summary: torch's `purge_step`."""
    if _START.search(head) is None:  # in nearly all logs; parsing events is much slower
        return None
    try:
        for event in _first_events(head):
            if 5 in event:
                return None
            if 7 in event and Message(event.bytes(7)).integer(1) == _SESSION_START:
                return signed(event.integer(2))
    except BadMessage:
        pass
    return None


FORMAT = LogFormat(
    name="tensorboard",
    file_kind=lambda name: _SUMMARY if "tfevents" in name else None,
    usual_names="*tfevents*",
    classify=_classify,
    decode=_decode,
    image_size=_image_size,
    blob_fields={"image": 4, "audio": 4, "meta_graph_def": 2},
    creation_time=lambda name: time_in_name(_TIME, name),
    begun=_begun,
    restart_step=_restart_step,
    session_tag=SESSION_START.encode(),
    lineage=LineageRule(
        kinds=("tensor",),
        decode=lambda kind, metadata, value: tensorboard_hparams(metadata),
        tag_prefix=b"_hparams_/",
    ),
)
