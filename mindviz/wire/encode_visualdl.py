"""Encodes VisualDL record files. Source: visualdl/proto/record.proto.

A file is a `meta` record, then one record per value. Functions return payloads for LENGTH_PREFIXED
framing. Wall times are in seconds; the format stores milliseconds.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mindviz.wire.encode import (
    Tag,
    delimited,
    float_field,
    message,
    tag_bytes,
    text_field,
    varint_field,
)
from mindviz.wire.packed import packed_doubles

META_TAG = "meta_data_tag"


def _record(wall_time: float, step: int, tag: Tag, content: bytes) -> bytes:
    # proto3 omits zeros.
    milliseconds = round(wall_time * 1000)
    value = delimited(2, tag_bytes(tag))
    if step:
        value = varint_field(1, step) + value
    if milliseconds:
        value += varint_field(3, milliseconds)
    return delimited(1, value + content)


def meta(wall_time: float, display_name: str = "") -> bytes:
    """The first record of a file; another one starts a new segment."""
    content = text_field(1, display_name) if display_name else b""
    return _record(wall_time, 0, META_TAG, delimited(10, content))


def scalar(wall_time: float, step: int, tag: Tag, value: float) -> bytes:
    """A number, stored as float32."""
    return _record(wall_time, step, tag, float_field(4, value))


def sub_scalar(wall_time: float, step: int, tag: Tag, sub_tag: Tag, value: float) -> bytes:
    """One number of `add_scalars`, which groups several under a common tag."""
    content = delimited(1, tag_bytes(sub_tag)) + float_field(2, value)
    return _record(wall_time, step, tag, delimited(14, content))


def image(wall_time: float, step: int, tag: Tag, encoded: bytes) -> bytes:
    """An encoded image, usually PNG."""
    return _record(wall_time, step, tag, message(5, delimited(4, encoded)))


def histogram(wall_time: float, step: int, tag: Tag, edges: ArrayLike, counts: ArrayLike) -> bytes:
    """A histogram: k counts and k + 1 edges."""
    hist = message(1, packed_doubles(np.asarray(counts, np.float64)))
    bin_edges = message(2, packed_doubles(np.asarray(edges, np.float64)))
    return _record(wall_time, step, tag, message(8, hist, bin_edges))
