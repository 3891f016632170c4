"""TensorBoard event files. Source: tensorboard/compat/proto/{event,summary,tensor}.proto."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from mindviz.datavisual.logs.formats import (
    FileKind,
    LineageRule,
    LogFormat,
    logged_metadata,
    time_in_name,
)
from mindviz.datavisual.logs.wire_schema import Field, Role, WireSchema
from mindviz.datavisual.payloads.config_text import config_facts, is_config_tag
from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.payloads.graph_message import graph_def, meta_graph_def, run_metadata
from mindviz.datavisual.payloads.hparams_message import SESSION_START
from mindviz.datavisual.payloads.image_message import message_image, message_image_size
from mindviz.datavisual.payloads.tensor_message import tensorflow_strings, tensorflow_tensor
from mindviz.datavisual.plugins import generic_names
from mindviz.datavisual.series.generic_name import NO_COMPANIONS, decoding
from mindviz.datavisual.series.lineage_facts import CutFacts, LineageFacts
from mindviz.datavisual.series.time_series import Audio, Histogram, ImageSize, Value
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

_SESSION_START = 1
"""`SessionLog.SessionStatus.START`."""

_SUMMARY = FileKind("summary", EVENT)

_TEXT = "text"
"""The plugin that TensorBoard's metadata names for texts."""


def _decode(kind: str, metadata: bytes, value: bytes) -> Value:
    if kind == "tensor":
        return _decode_tensor(metadata, value)
    return _DECODERS.get(kind, bytes)(value)


def _decode_tensor(metadata: bytes, value: bytes) -> Value:
    name = generic_names().get(logged_metadata(metadata).plugin_name)
    if name is None:
        return tensorflow_tensor(value)
    with decoding():
        if name.from_proto is not None:
            return name.from_proto(value)
        if name.from_blobs is not None:
            return name.from_blobs(tensorflow_strings(value), NO_COMPANIONS)
        return name.decoded(tensorflow_tensor(value))


def _image_size(kind: str, head: bytes) -> ImageSize:
    if kind == "image":
        return ImageSize(*message_image_size(head))
    # TensorProto: shape 2, string_val 8. The strings are width, height and the images.
    tensor = Message(head, cut_off=True)
    width, height = string_image_size([bytes(string) for string in tensor.all_bytes(8)])
    dims = [dim.integer(1) for dim in tensor.message(2).messages(2)]
    return ImageSize(width, height, max(0, dims[0] - 2) if len(dims) == 1 else 1)


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


_DECODERS: Mapping[str, Callable[[bytes], Value]] = {
    "image": message_image,
    "histo": _own_field_histogram,
    "audio": lambda value: Audio((bytes(Message(value).bytes(4)),)),
    "graph_def": graph_def,
    "meta_graph_def": meta_graph_def,
    "tagged_run_metadata": run_metadata,
}
"""By kind, for values with a field of their kind; values of other kinds stay bytes."""


def _first_events(head: bytes) -> Iterator[bytes]:
    """The first events of a file, up to one that is damaged or cut off."""
    while head:
        size = HEADER_SIZE + int.from_bytes(head[:8], "little") + FOOTER_SIZE
        try:
            yield unpack_record(Framing.TFRECORD, head[:size])
        except DamagedValue:
            return
        head = head[size:]


_OPENING = re.compile(rb"\x09(.{8})\x1a\x0dbrain\.Event:2", re.DOTALL)
"""The usual first event: wall time (field 1) and version (field 3)."""


def _begun(head: bytes) -> float | None:
    """The time of the first event, which has no value; TensorBoard uses it as the run's."""
    event = next(_first_events(head), b"")
    opening = _OPENING.fullmatch(event)
    try:  # parsing takes four times as long
        time = struct.unpack("<d", opening[1])[0] if opening else Message(event).double(1, math.nan)
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
        for event in map(Message, _first_events(head)):
            if 5 in event:
                return None
            if 7 in event and event.message(7).integer(1) == _SESSION_START:
                return signed(event.integer(2))
    except BadMessage:
        pass
    return None


def _lineage(metadata: bytes, value: bytes) -> LineageFacts | CutFacts | None:
    Message(metadata).message(1)  # raises BadMessage, which `logged_metadata` does not
    logged = logged_metadata(metadata)
    if logged.plugin_name == _TEXT:
        return config_facts(b"\n".join(tensorflow_strings(value)))
    name = generic_names().get(logged.plugin_name)
    return None if name is None or name.lineage is None else name.lineage(logged.plugin_content)


FORMAT = LogFormat(
    name="tensorboard",
    file_kind=lambda name: _SUMMARY if "tfevents" in name else None,
    usual_names="*tfevents*",
    decode=_decode,
    tensor_kind="tensor",
    image_size=_image_size,
    blob_fields={"image": 4, "audio": 4, "meta_graph_def": 2},
    creation_time=lambda name: time_in_name(_TIME, name),
    begun=_begun,
    restart_step=_restart_step,
    session_tag=SESSION_START.encode(),
    lineage=LineageRule(
        kinds=("tensor",),
        decode=lambda kind, metadata, value: _lineage(metadata, value),
        has_facts=lambda kind, tag: tag.startswith(b"_hparams_/") or is_config_tag(tag),
    ),
)
