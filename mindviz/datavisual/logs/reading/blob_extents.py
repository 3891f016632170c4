"""Blob extents: where the blobs of a value lie in a log file, found without reading the blobs.

A message is walked from the head of one field to the head of the next, so that what is between may
be gigabytes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from mindviz.errors import BrokenDataClass
from mindviz.wire.fields import (
    FIXED32,
    FIXED64,
    LENGTH_DELIMITED,
    VARINT,
    BadMessage,
    Message,
    read_varint,
)

Read = Callable[[int, int], bytes | memoryview]
"""(offset, length) -> the file's bytes, fewer at its end. Raises OSError."""

_WINDOW = 4096
"""Bytes read at once."""
_LONGEST_HEAD = 20
"""Bytes of a field's key and length, or key and number."""
_STRING = 7
"""TensorFlow's DT_STRING."""


@dataclass(frozen=True, slots=True)
class BlobExtent:
    """One blob: a part of a log file, or made from a value on demand."""

    offset: int = 0
    """In the file."""
    length: int = 0
    make: Callable[[], bytes] | None = None
    """Makes a blob that no log holds: an image's width, another form of a graph.

    Raises DamagedValue.
    """


class FieldExtent(NamedTuple):
    """A field of a message: its number, and either a varint's value or where its bytes lie."""

    number: int
    value: int
    """Of a varint; else 0."""
    offset: int
    """Of all others: in the file; -1 for a varint."""
    length: int


def field_extents(read: Read, offset: int, length: int) -> Iterator[FieldExtent]:
    """The fields of the message that lies there. Raises BadMessage, OSError."""
    at, end = offset, offset + length
    window, start = memoryview(b""), offset
    while at < end:
        if at + _LONGEST_HEAD > start + len(window) and start + len(window) < end:
            window, start = memoryview(bytes(read(at, min(_WINDOW, end - at)))), at
        key, behind = read_varint(window, at - start)
        wire_type = key & 7
        if wire_type == VARINT:
            value, behind = read_varint(window, behind)
            yield FieldExtent(key >> 3, value, -1, 0)
            at = start + behind
            continue
        size = {FIXED64: 8, FIXED32: 4}.get(wire_type, -1)
        if wire_type == LENGTH_DELIMITED:
            size, behind = read_varint(window, behind)
        at = start + behind
        if not 0 <= size <= end - at:
            raise BadMessage(f"field {key >> 3} is cut off")
        yield FieldExtent(key >> 3, 0, at, size)
        at += size


def blob_extent(read: Read, offset: int, length: int, number: int) -> BlobExtent:
    """The last field of this number in the message; an empty blob if there is none.

    Raises BadMessage, OSError.
    """
    blob = BlobExtent(offset, 0)
    for field in field_extents(read, offset, length):
        if field.number == number and field.offset >= 0:
            blob = BlobExtent(field.offset, field.length)
    return blob


def tensor_extents(
    read: Read, offset: int, length: int, ranks: range = range(1, 2)
) -> list[BlobExtent]:
    """The strings of a TensorProto with one of these ranks, in order.

    Above rank 1, only the first string of each row counts.
    Raises BrokenDataClass, BadMessage, OSError.
    """
    dtype, dims = 0, list[int]()
    strings: list[BlobExtent] = []
    for field in field_extents(read, offset, length):
        if field.number == 1 and field.offset < 0:
            dtype = field.value % 100  # references to a dtype are 100 above it
        elif field.number == 2 and field.offset >= 0:
            shape = Message(bytes(read(field.offset, field.length)))
            dims = [Message(dim).integer(1) for dim in shape.all_bytes(2)]
        elif field.number == 8 and field.offset >= 0:
            strings.append(BlobExtent(field.offset, field.length))
    count = math.prod(dims)
    if dtype != _STRING or len(dims) not in ranks or min(dims, default=0) < 0:
        raise BrokenDataClass(
            f"A tensor of shape {dims[:8]} and TensorFlow's dtype {dtype} is no sequence of blobs."
        )
    if len(strings) == 1 < count <= length:  # one element repeats
        strings *= count
    if len(strings) != count:
        raise BrokenDataClass(f"A tensor of shape {dims[:8]} holds {len(strings)} strings.")
    return strings[:: max(1, count // dims[0])] if len(dims) > 1 and dims[0] else strings
