"""Encodes what all three formats share: records one after the other, numbers, fields.

What the records hold is encoded by `encode_mindspore`, `encode_tensorboard` and `encode_visualdl`.
Everything is a pure function that returns bytes. Scalars and the messages around them are packed by
hand, because they are written millions of times (1.5 us for a TensorBoard scalar event where the
generated classes need 2.3); all other values are messages of `mindviz.wire.proto`.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable

from mindviz.wire.crc32c import masked_crc32c
from mindviz.wire.framing import Framing

Tag = str | bytes
"""`bytes` for tags that are not valid UTF-8, which logs may hold."""

_UINT64 = struct.Struct("<Q")
_UINT32 = struct.Struct("<I")
_FLOAT_FIELD = struct.Struct("<Bf")
_DOUBLE_FIELD = struct.Struct("<Bd")
_SMALL = tuple(number.to_bytes(1) for number in range(0x80))


def frame(payload: bytes, framing: Framing) -> bytes:
    """One record as it stands in a file."""
    length = _UINT64.pack(len(payload))
    if framing is Framing.LENGTH_PREFIXED:
        return length + payload
    length_crc = _UINT32.pack(masked_crc32c(length))
    return length + length_crc + payload + _UINT32.pack(masked_crc32c(payload))


def frames(payloads: Iterable[bytes], framing: Framing) -> bytes:
    """A whole file."""
    return b"".join(frame(payload, framing) for payload in payloads)


def varint(number: int) -> bytes:
    """A protobuf varint; negative numbers as int64."""
    if 0 <= number < 0x80:
        return _SMALL[number]
    number &= 0xFFFF_FFFF_FFFF_FFFF
    encoded = bytearray()
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


# Fields with numbers up to 15, whose keys are a single byte: all that these formats need.


def delimited(number: int, value: bytes) -> bytes:
    """A string, bytes or message field."""
    return b"%b%b%b" % (_SMALL[number << 3 | 2], varint(len(value)), value)


def float_field(number: int, value: float) -> bytes:
    """A float field; what float32 cannot hold becomes infinite."""
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


def tag_bytes(tag: Tag) -> bytes:
    """A tag as it stands in a log."""
    return tag if isinstance(tag, bytes) else tag.encode()
