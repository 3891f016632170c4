"""Encodes TensorBoard event files. Source: tensorboard/compat/proto, tensorboard/plugins.

A file is a `version_event`, then events. Functions with a tag return one Summary.Value; events are
payloads for TFRECORD framing. TensorFlow 1 and PyTorch use a field per kind (`scalar`, `image_v1`,
`histogram_raw`, `audio_v1`); TensorFlow 2 uses tensors whose metadata names the plugin
(`scalar_tensor`, `image`, `histogram`, `audio`, `text`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mindviz.wire.encode import (
    Tag,
    delimited,
    double_field,
    float_field,
    scalar_values,
    tag_bytes,
    varint_field,
)
from mindviz.wire.proto import tensorboard_pb2 as proto

VERSION = "brain.Event:2"

DATA_TYPES = {
    "float32": (proto.DT_FLOAT, "float_val"),
    "float64": (proto.DT_DOUBLE, "double_val"),
    "int32": (proto.DT_INT32, "int_val"),
    "uint8": (proto.DT_UINT8, "int_val"),
    "int16": (proto.DT_INT16, "int_val"),
    "int8": (proto.DT_INT8, "int_val"),
    "complex64": (proto.DT_COMPLEX64, "scomplex_val"),
    "int64": (proto.DT_INT64, "int64_val"),
    "bool": (proto.DT_BOOL, "bool_val"),
    "uint16": (proto.DT_UINT16, "int_val"),
    "complex128": (proto.DT_COMPLEX128, "dcomplex_val"),
    "float16": (proto.DT_HALF, "half_val"),
    "uint32": (proto.DT_UINT32, "uint32_val"),
    "uint64": (proto.DT_UINT64, "uint64_val"),
}
"""numpy's name of a dtype -> TensorFlow's number, and its element field in TensorProto."""


def _event(wall_time: float, step: int, number: int, content: bytes) -> bytes:
    # proto3 omits 0.
    at_step = varint_field(2, step) if step else b""
    return b"".join((double_field(1, wall_time), at_step, delimited(number, content)))


def version_event(wall_time: float, version: str = VERSION) -> bytes:
    """The first record of a file; another one starts a new segment."""
    return _event(wall_time, 0, 3, version.encode())


def event(wall_time: float, step: int, values: Iterable[bytes]) -> bytes:
    """Values of one step."""
    return summary_event(wall_time, step, b"".join([delimited(1, value) for value in values]))


def summary_event(wall_time: float, step: int, summary: bytes) -> bytes:
    """An encoded Summary."""
    return _event(wall_time, step, 5, summary)


def scalars_event(wall_time: float, step: int, scalars: Mapping[str, float]) -> bytes:
    """All scalars of one step: equals an `event` of `scalar`s, but faster."""
    return _event(wall_time, step, 5, scalar_values(2, scalars))


def graph_event(wall_time: float, graph_def: bytes, step: int = 0) -> bytes:
    """An encoded GraphDef."""
    return _event(wall_time, step, 4, graph_def)


def session_event(wall_time: float, step: int) -> bytes:
    """A session log with status START, which starts a new segment."""
    status = proto.SessionLog.START
    return _event(wall_time, step, 7, proto.SessionLog(status=status).SerializeToString())


def scalar(tag: Tag, value: float) -> bytes:
    """A number as `simple_value`, a float32."""
    return delimited(1, tag_bytes(tag)) + float_field(2, value)


def scalar_tensor(
    tag: Tag, value: np.generic, *, plugin_name: str = "scalars", listed: bool = False
) -> bytes:
    """A number of any dtype as a tensor of rank 0."""
    return tensor(tag, np.asarray(value), plugin_name=plugin_name, listed=listed)


def image_v1(tag: Tag, encoded: bytes, width: int, height: int, channels: int = 3) -> bytes:
    """An encoded image in the field `image`."""
    content = proto.Summary.Image(
        height=height, width=width, colorspace=channels, encoded_image_string=encoded
    )
    return proto.Summary.Value(tag=tag_bytes(tag), image=content).SerializeToString()


def image(tag: Tag, encoded: Sequence[bytes], width: int, height: int) -> bytes:
    """Encoded images of one size as a string tensor: width, height, images."""
    strings = [b"%d" % width, b"%d" % height, *encoded]
    return strings_tensor(tag, strings, (len(strings),), plugin_name="images")


def histogram_raw(
    tag: Tag,
    limits: ArrayLike,
    counts: ArrayLike,
    *,
    extent: tuple[float, float],
    count: float,
    total: float,
    total_of_squares: float,
) -> bytes:
    """A histogram in the field `histo`: counts and upper limits of buckets."""
    content = proto.HistogramProto(
        min=extent[0],
        max=extent[1],
        num=count,
        sum=total,
        sum_squares=total_of_squares,
        bucket_limit=np.asarray(limits, np.float64).tolist(),
        bucket=np.asarray(counts, np.float64).tolist(),
    )
    return proto.Summary.Value(tag=tag_bytes(tag), histo=content).SerializeToString()


def histogram(tag: Tag, edges: ArrayLike, counts: ArrayLike) -> bytes:
    """A histogram as a double tensor with rows (left edge, right edge, count)."""
    limits = np.asarray(edges, np.float64)
    rows = np.stack([limits[:-1], limits[1:], np.asarray(counts, np.float64)], axis=1)
    return tensor(tag, rows, plugin_name="histograms")


def audio_v1(tag: Tag, wav: bytes, sample_rate: float, channels: int, frames: int) -> bytes:
    """An audio clip in the field `audio`."""
    content = proto.Summary.Audio(
        sample_rate=sample_rate,
        num_channels=channels,
        length_frames=frames,
        encoded_audio_string=wav,
        content_type="audio/wav",
    )
    return proto.Summary.Value(tag=tag_bytes(tag), audio=content).SerializeToString()


def audio(tag: Tag, clips: Sequence[bytes]) -> bytes:
    """Audio clips as a string tensor with rows (clip, label)."""
    strings = [string for clip in clips for string in (clip, b"")]
    content = proto.AudioPluginData(encoding=proto.AudioPluginData.WAV).SerializeToString()
    shape = (len(clips), 2)
    return strings_tensor(tag, strings, shape, plugin_name="audio", content=content)


def text(tag: Tag, markdown: str) -> bytes:
    """A text as a string tensor of rank 0."""
    return strings_tensor(tag, [markdown.encode(errors="replace")], (), plugin_name="text")


def tensor(
    tag: Tag,
    array: NDArray[np.generic],
    *,
    plugin_name: str = "",
    content: bytes = b"",
    data_class: proto.DataClass = proto.DATA_CLASS_UNKNOWN,
    listed: bool = False,
) -> bytes:
    """A numeric tensor, as `tensor_content` or, with `listed`, in an element field."""
    dtype, list_field = DATA_TYPES[array.dtype.name]
    message = proto.TensorProto(dtype=dtype, tensor_shape=_shape(array.shape))
    if not listed:
        little_endian = array.astype(array.dtype.newbyteorder("<"), copy=False)
        message.tensor_content = little_endian.tobytes()
    else:
        flat = array.ravel()
        if flat.dtype.name == "float16":
            flat = flat.view(np.uint16)
        elif np.issubdtype(flat.dtype, np.complexfloating):
            flat = flat.view(flat.real.dtype)
        getattr(message, list_field).extend(flat.tolist())
    return _tensor_value(tag, message, plugin_name, content, data_class)


def strings_tensor(
    tag: Tag,
    strings: Sequence[bytes],
    shape: tuple[int, ...],
    *,
    plugin_name: str = "",
    content: bytes = b"",
    data_class: proto.DataClass = proto.DATA_CLASS_UNKNOWN,
) -> bytes:
    """A tensor of byte strings, in row-major order."""
    message = proto.TensorProto(
        dtype=proto.DT_STRING, tensor_shape=_shape(shape), string_val=strings
    )
    return _tensor_value(tag, message, plugin_name, content, data_class)


def _shape(shape: tuple[int, ...]) -> proto.TensorShapeProto:
    return proto.TensorShapeProto(dim=[proto.TensorShapeProto.Dim(size=size) for size in shape])


def _tensor_value(
    tag: Tag,
    message: proto.TensorProto,
    plugin_name: str,
    content: bytes,
    data_class: proto.DataClass,
) -> bytes:
    value = proto.Summary.Value(tag=tag_bytes(tag), tensor=message)
    if plugin_name or data_class:
        value.metadata.plugin_data.plugin_name = plugin_name
        value.metadata.plugin_data.content = content
        value.metadata.data_class = data_class
    return value.SerializeToString()
