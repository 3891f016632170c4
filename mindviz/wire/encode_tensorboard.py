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
    text_field,
    varint_field,
)
from mindviz.wire.packed import packed_doubles

VERSION = "brain.Event:2"

DATA_TYPES = {
    "float32": 1,
    "float64": 2,
    "int32": 3,
    "uint8": 4,
    "int16": 5,
    "int8": 6,
    "complex64": 8,
    "int64": 9,
    "bool": 10,
    "uint16": 17,
    "complex128": 18,
    "float16": 19,
    "uint32": 22,
    "uint64": 23,
}
"""numpy's name of a dtype -> TensorFlow's number."""
DATA_CLASS_TENSOR = 2
"""SummaryMetadata.data_class."""

_STRING = 7
_CONTENT = 4
_LISTS = {"float32": 5, "float64": 6}
"""Fields of TensorProto: all elements as bytes, or a list."""


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
    return _event(wall_time, step, 7, varint_field(1, 1))


def scalar(tag: Tag, value: float) -> bytes:
    """A number as `simple_value`, a float32."""
    return delimited(1, tag_bytes(tag)) + float_field(2, value)


def scalar_tensor(
    tag: Tag, value: np.generic, *, plugin_name: str = "scalars", listed: bool = False
) -> bytes:
    """A number of any dtype as a tensor of rank 0.

    With `listed`, a float32 or float64 is in the list of its type, as in torch.
    """
    array = np.asarray(value)
    field = _LISTS[array.dtype.name] if listed else _CONTENT
    return _tensor_value(tag, _numbers(array, field), plugin_name)


image_v1 = image_value
"""An encoded image in the field `image`."""


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
    content = message(
        5,
        double_field(1, extent[0]),
        double_field(2, extent[1]),
        double_field(3, count),
        double_field(4, total),
        double_field(5, total_of_squares),
        message(6, packed_doubles(np.asarray(limits, np.float64))),
        message(7, packed_doubles(np.asarray(counts, np.float64))),
    )
    return delimited(1, tag_bytes(tag)) + content


def histogram(tag: Tag, edges: ArrayLike, counts: ArrayLike) -> bytes:
    """A histogram as a double tensor with rows (left edge, right edge, count)."""
    limits = np.asarray(edges, np.float64)
    rows = np.stack([limits[:-1], limits[1:], np.asarray(counts, np.float64)], axis=1)
    return tensor(tag, rows, plugin_name="histograms")


def audio_v1(tag: Tag, wav: bytes, sample_rate: float, channels: int, frames: int) -> bytes:
    """An audio clip in the field `audio`."""
    content = message(
        6,
        float_field(1, sample_rate),
        varint_field(2, channels),
        varint_field(3, frames),
        delimited(4, wav),
        text_field(5, "audio/wav"),
    )
    return delimited(1, tag_bytes(tag)) + content


def audio(tag: Tag, clips: Sequence[bytes]) -> bytes:
    """Audio clips as a string tensor with rows (clip, label)."""
    strings = [string for clip in clips for string in (clip, b"")]
    encoding = varint_field(2, 11)  # WAV
    shape = (len(clips), 2)
    return strings_tensor(tag, strings, shape, plugin_name="audio", content=encoding)


def text(tag: Tag, markdown: str) -> bytes:
    """A text as a string tensor of rank 0."""
    return strings_tensor(tag, [markdown.encode(errors="replace")], (), plugin_name="text")


def tensor(
    tag: Tag,
    array: NDArray[np.generic],
    *,
    plugin_name: str = "",
    content: bytes = b"",
    data_class: int = 0,
) -> bytes:
    """A numeric tensor; `content` is the plugin's."""
    return _tensor_value(tag, _numbers(array), plugin_name, content, data_class)


def strings_tensor(
    tag: Tag,
    strings: Sequence[bytes],
    shape: tuple[int, ...],
    *,
    plugin_name: str = "",
    content: bytes = b"",
    data_class: int = 0,
) -> bytes:
    """A tensor of byte strings, in row-major order."""
    encoded = (strings_message(strings, shape),)
    return _tensor_value(tag, encoded, plugin_name, content, data_class)


def numbers_message(array: NDArray[np.generic]) -> bytes:
    """The TensorProto of numbers; the array's dtype is in DATA_TYPES."""
    return b"".join(_numbers(array))


def strings_message(strings: Iterable[bytes], shape: tuple[int, ...]) -> bytes:
    """The TensorProto of byte strings, in row-major order."""
    return b"".join((_tensor_head(_STRING, shape), *[delimited(8, string) for string in strings]))


def _numbers(array: NDArray[np.generic], field: int = _CONTENT) -> tuple[Buffer, ...]:
    head = _tensor_head(DATA_TYPES[array.dtype.name], array.shape)
    if not array.size:
        return (head,)
    elements = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    return head, delimited_head(field, elements.nbytes), elements.reshape(-1).view(np.uint8).data


def _tensor_head(data_type: int, shape: tuple[int, ...]) -> bytes:
    dims = [message(2, varint_field(1, size)) for size in shape]
    return varint_field(1, data_type) + message(2, *dims)


def _tensor_value(
    tag: Tag,
    tensor_message: Sequence[Buffer],
    plugin_name: str,
    content: bytes = b"",
    data_class: int = 0,
) -> bytes:
    # proto3 omits what is empty or 0.
    plugin_data = text_field(1, plugin_name) + (delimited(2, content) if content else b"")
    metadata = delimited(1, plugin_data) + (varint_field(4, data_class) if data_class else b"")
    encoded = (delimited(1, tag_bytes(tag)), message(8, *tensor_message))
    return b"".join((*encoded, delimited(9, metadata) if plugin_name or data_class else b""))
