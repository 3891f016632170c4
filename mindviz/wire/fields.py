"""Reads protobuf messages field by field, without generated classes.

For tensors that should become numpy arrays without an object per element, for incomplete messages,
and for code that runs at startup, where importing protobuf would take longer than reading.
Source: protobuf's encoding guide.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
from numpy.typing import DTypeLike, NDArray

from mindviz.errors import DamagedValue

VARINT = 0
FIXED64 = 1
LENGTH_DELIMITED = 2
FIXED32 = 5

MAX_FIELDS = 500_000
"""Per message: a two-byte field takes 250 bytes of memory and 2 us."""

_DOUBLE = struct.Struct("<d")
_WIDTH = {FIXED64: 8, FIXED32: 4}


class BadMessage(DamagedValue, ValueError):
    """The bytes are not a protobuf message; `reason` is a clause without a period."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The value cannot be decoded: {reason}.")
        self.reason = reason


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """(the varint at `at` as an unsigned 64-bit number, the position after it)."""
    if at < len(data) and data[at] < 0x80:
        return data[at], at + 1
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise BadMessage("a varint is cut off")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
    raise BadMessage("a varint is longer than ten bytes")


def signed(value: int) -> int:
    """A varint's value as int64."""
    return value - (1 << 64) if value >= 1 << 63 else value


def read_fields(
    data: bytes | memoryview, *, cut_off: bool = False
) -> Iterator[tuple[int, int, int | memoryview]]:
    """Yield (field number, wire type, value): an unsigned int for varints, else the bytes.

    With `cut_off`, `data` may be a prefix of the message: the last field's bytes may be incomplete,
    and an incomplete key or number ends the iteration.
    """
    view = memoryview(data)
    at, end = 0, len(view)
    while at < end:
        try:
            key, at = read_varint(view, at)
            wire_type = key & 7
            if wire_type == VARINT and key >= 8:  # field numbers start at 1
                number, at = read_varint(view, at)
                yield key >> 3, wire_type, number
                continue
            if wire_type == LENGTH_DELIMITED:
                length, at = read_varint(view, at)
            else:
                length = _WIDTH.get(wire_type, -1)
        except BadMessage:
            if cut_off and at + 10 >= end:
                return
            raise
        if length < 0 or key < 8:
            raise BadMessage(f"field {key >> 3} has wire type {wire_type}")
        if at + length > end:
            if not cut_off:
                raise BadMessage(f"field {key >> 3} is cut off")
            if wire_type != LENGTH_DELIMITED:
                return
        yield key >> 3, wire_type, view[at : at + length]
        at += length


class Message:
    """The fields of one message by number.

    As in protobuf, a field of another wire type counts as absent, and the last occurrence of a
    non-repeated field wins.
    """

    __slots__ = ("_fields",)

    def __init__(self, data: bytes | memoryview, *, cut_off: bool = False) -> None:
        """`cut_off`: see `read_fields`. Raises BadMessage."""
        self._fields: dict[int, list[tuple[int, int | memoryview]]] = {}
        remaining = MAX_FIELDS
        for number, wire_type, value in read_fields(data, cut_off=cut_off):
            if not remaining:
                raise BadMessage(f"it has more than {MAX_FIELDS} fields")
            remaining -= 1
            self._fields.setdefault(number, []).append((wire_type, value))

    def __contains__(self, number: int) -> bool:
        return number in self._fields

    def integer(self, number: int, default: int = 0) -> int:
        """A varint field as int64."""
        for _wire_type, value in reversed(self._fields.get(number, ())):
            if isinstance(value, int):
                return signed(value)
        return default

    def double(self, number: int, default: float = 0.0) -> float:
        """A double field."""
        for wire_type, value in reversed(self._fields.get(number, ())):
            if wire_type == FIXED64 and not isinstance(value, int):
                return float(_DOUBLE.unpack(value)[0])
        return default

    def all_bytes(self, number: int) -> list[memoryview]:
        """All occurrences of a string, bytes or message field."""
        return [
            value
            for wire_type, value in self._fields.get(number, ())
            if wire_type == LENGTH_DELIMITED and not isinstance(value, int)
        ]

    def bytes(self, number: int) -> memoryview:
        """A string, bytes or message field; empty if absent."""
        found = self.all_bytes(number)
        return found[-1] if found else memoryview(b"")

    def text(self, number: int) -> str:
        """A string field; invalid UTF-8 is replaced."""
        return str(self.bytes(number), "utf-8", "replace")

    def texts(self, number: int) -> tuple[str, ...]:
        """All occurrences of a string field."""
        return tuple(str(text, "utf-8", "replace") for text in self.all_bytes(number))

    def message(self, number: int) -> Message:
        """A message field; empty if absent. Raises BadMessage."""
        return Message(self.bytes(number))

    def messages(self, number: int) -> list[Message]:
        """All occurrences of a message field. Raises BadMessage."""
        return [Message(content) for content in self.all_bytes(number)]

    def fixed(self, number: int, dtype: DTypeLike) -> NDArray[np.generic]:
        """A repeated fixed-width field, packed or not; the array may be read-only."""
        element = np.dtype(dtype).newbyteorder("<")
        single = FIXED64 if element.itemsize == 8 else FIXED32
        pieces = [
            value
            for wire_type, value in self._fields.get(number, ())
            if wire_type in (LENGTH_DELIMITED, single) and not isinstance(value, int)
        ]
        if any(len(piece) % element.itemsize for piece in pieces):
            raise BadMessage(f"the packed field {number} ends within an element")
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        return np.frombuffer(data, element)

    def varints(self, number: int) -> NDArray[np.uint64]:
        """A repeated varint field, packed or not; negative numbers in two's complement."""
        arrays = [
            np.array([value], np.uint64) if isinstance(value, int) else unpack_varints(value)
            for wire_type, value in self._fields.get(number, ())
            if wire_type in (VARINT, LENGTH_DELIMITED)
        ]
        if len(arrays) == 1:
            return arrays[0]
        return np.concatenate([np.empty(0, np.uint64), *arrays])


def unpack_varints(packed: memoryview) -> NDArray[np.uint64]:
    """All varints of a packed field."""
    raw = np.frombuffer(packed, np.uint8)
    last = np.flatnonzero(raw < 0x80)
    if len(last) == len(raw):
        return raw.astype(np.uint64)
    if not len(last) or last[-1] != len(raw) - 1:
        raise BadMessage("a packed varint is cut off")
    first = np.concatenate([[0], last[:-1] + 1])
    length = last - first + 1
    if length.max() > 10:
        raise BadMessage("a varint is longer than ten bytes")
    numbers = np.zeros(len(last), np.uint64)
    for position in range(int(length.max())):
        present = length > position
        septets = (raw[first[present] + position] & 0x7F).astype(np.uint64)
        numbers[present] |= septets << np.uint64(7 * position)
    return numbers
