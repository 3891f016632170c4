"""Encodes what the three formats share: framed records and protobuf fields.

`encode_mindspore`, `encode_tensorboard` and `encode_visualdl` encode their content. All functions
are pure and return bytes. Messages are packed by hand: a scalar takes 0.2 us instead of 2 us with
generated classes, an array needs no object per element, and recorders need not import protobuf.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping
from functools import lru_cache

from mindviz.wire.crc32c import masked_crc32c
from mindviz.wire.framing import Framing

Buffer = bytes | bytearray | memoryview

Tag = str | bytes
"""`bytes` for tags that are not valid UTF-8, which logs may contain."""

_UINT64 = struct.Struct("<Q")
_UINT32 = struct.Struct("<I")
_FLOAT = struct.Struct("<f")
_FLOAT_FIELD = struct.Struct("<Bf")
_DOUBLE_FIELD = struct.Struct("<Bd")
_SMALL = tuple(number.to_bytes(1) for number in range(0x80))


def frame(payload: bytes, framing: Framing) -> bytes:
    """One record with its framing."""
    length = _UINT64.pack(len(payload))
    if framing is Framing.LENGTH_PREFIXED:
        return length + payload
    crcs = _UINT32.pack(masked_crc32c(length)), _UINT32.pack(masked_crc32c(payload))
    # Joining copies a large payload once, and without the GIL.
    return b"".join((length, crcs[0], payload, crcs[1]))


def frames(payloads: Iterable[bytes], framing: Framing) -> bytes:
    """The content of a log file."""
    return b"".join(frame(payload, framing) for payload in payloads)


def varint(number: int) -> bytes:
    """A protobuf varint; negative numbers as int64."""
    if 0 <= number < 0x80:
        return _SMALL[number]
    if 0 < number < 0x4000:  # most lengths
        return bytes((number & 0x7F | 0x80, number >> 7))
    number &= 0xFFFF_FFFF_FFFF_FFFF
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


# All field numbers are below 16, so every key is a single byte.


def delimited(number: int, value: Buffer) -> bytes:
    """A string, bytes or message field."""
    return b"".join((_SMALL[number << 3 | 2], varint(len(value)), value))


def delimited_head(number: int, length: int) -> bytes:
    """The header of a `delimited` field, for callers that append the content."""
    return _SMALL[number << 3 | 2] + varint(length)


def message(number: int, *parts: Buffer) -> bytes:
    """A message field with the parts as content; copies each part once."""
    head = _SMALL[number << 3 | 2] + varint(sum(map(len, parts)))
    return b"".join((head, *parts))


def float_field(number: int, value: float) -> bytes:
    """A float field; infinite beyond float32's range."""
    try:
        return _FLOAT_FIELD.pack(number << 3 | 5, value)
    except OverflowError:
        return _FLOAT_FIELD.pack(number << 3 | 5, math.copysign(math.inf, value))


def double_field(number: int, value: float) -> bytes:
    """A double field."""
    return _DOUBLE_FIELD.pack(number << 3 | 1, value)


def varint_field(number: int, value: int) -> bytes:
    """An int64 field."""
    return _SMALL[number << 3] + varint(value)


def text_field(number: int, text: str) -> bytes:
    """A string field; lone surrogates become `?`."""
    return delimited(number, text.encode(errors="replace"))


def tag_bytes(tag: Tag) -> bytes:
    """A tag as UTF-8; lone surrogates become `?`."""
    return tag if isinstance(tag, bytes) else tag.encode(errors="replace")


def image_value(tag: Tag, encoded: bytes, width: int, height: int, colorspace: int = 3) -> bytes:
    """A Summary.Value with an encoded image, usually PNG; equal for MindSpore and TensorBoard.

    `colorspace`: 1 gray, 2 gray and alpha, 3 RGB, 4 RGBA.
    """
    sizes = varint_field(1, height) + varint_field(2, width) + varint_field(3, colorspace)
    content = message(4, sizes, delimited(4, encoded))
    return b"".join((delimited(1, tag_bytes(tag)), content))


def scalar_values(number: int, scalars: Mapping[str, float]) -> bytes:
    """The content of a Summary: a value per tag, with a float32 in field `number`.

    Six times faster than packing each value separately.
    """
    pack = _FLOAT.pack
    try:
        return b"".join([_scalar_head(number, tag) + pack(value) for tag, value in scalars.items()])
    except OverflowError:
        return b"".join(
            [
                _scalar_head(number, tag) + float_field(1, value)[1:]
                for tag, value in scalars.items()
            ]
        )


@lru_cache(maxsize=16_384)
def _scalar_head(number: int, tag: str) -> bytes:
    """A scalar's Summary.value without the four bytes of its number."""
    value = delimited(1, tag_bytes(tag)) + float_field(number, 0.0)
    return delimited(1, value)[:-4]
