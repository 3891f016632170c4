"""Protobuf messages for the pure-Python scanner: the wire format, one value, rank-0 tensors.

The twin of what `_scan_message.pxi`, `_scan_tensor.pxi` and `_scan_schema.pxi` do in native code.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np

from mindviz.datavisual.logs.wire_schema import (
    RANK0_TENSOR_LIMIT,
    Field,
    Role,
    WireSchema,
)
from mindviz.wire.fields import (
    FIXED32,
    FIXED64,
    LENGTH_DELIMITED,
    VARINT,
    BadMessage,
    read_fields,
    signed,
)
from mindviz.wire.framing import Framing

_FLOAT = struct.Struct("<f")
_DOUBLE = struct.Struct("<d")
_SECONDS_BELOW = 2_000_000_000


def read_varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """(value modulo 2^64, where it ends). Raises BadMessage: cut off, or over ten bytes."""
    result = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        if byte < 128:
            return (result | byte << shift) & 0xFFFFFFFFFFFFFFFF, at
        result |= (byte & 127) << shift
        shift += 7
    raise BadMessage("a varint is cut off or longer than ten bytes")


def read_key(data: bytes, at: int, end: int) -> tuple[int, int]:
    """(key, where it ends). Raises BadMessage, also for field numbers out of range."""
    key, at = read_varint(data, at, end)
    if key < 8:
        raise BadMessage("there is no field 0")
    return key, at


def read_size(data: bytes, at: int, end: int) -> tuple[int, int]:
    """(start, end) of the length-delimited bytes whose length is at `at`. Raises BadMessage."""
    size, at = read_varint(data, at, end)
    if size > end - at:
        raise BadMessage("a field is cut off")
    return at, at + size


def skip_field(data: bytes, at: int, end: int, key: int) -> int:
    """Where the field ends whose key ends at `at`. Raises BadMessage, also for groups."""
    wire_type = key & 7
    if wire_type == VARINT:
        return read_varint(data, at, end)[1]
    if wire_type == LENGTH_DELIMITED:
        return read_size(data, at, end)[1]
    size = {FIXED64: 8, FIXED32: 4}.get(wire_type, end)
    if wire_type not in (FIXED64, FIXED32) or end - at < size:
        raise BadMessage("a field is cut off, or a group")
    return at + size


def wall_time_of(milliseconds: int) -> float:
    """Seconds, of `Role.WALL_TIME_MILLISECONDS`."""
    number = signed(milliseconds)
    return float(number) if number < _SECONDS_BELOW else number / 1000.0


def read_double(data: bytes, at: int, end: int) -> float:
    """A double. Raises BadMessage."""
    if end - at < 8:
        raise BadMessage("a number is cut off")
    number: float = _DOUBLE.unpack_from(data, at)[0]
    return number


def read_float(data: bytes, at: int, end: int) -> float:
    """A float. Raises BadMessage."""
    if end - at < 4:
        raise BadMessage("a number is cut off")
    number: float = _FLOAT.unpack_from(data, at)[0]
    return number


def session_starts(message: bytes) -> bool:
    """Whether a SessionLog message says START. Raises BadMessage."""
    status: int | memoryview = 0
    for number, wire_type, value in read_fields(message):
        if number == 1 and wire_type == VARINT:
            status = value
    return status == 1


@dataclass(frozen=True, slots=True)
class Use:
    """What to do with a field."""

    role: Role
    kind: int = 0
    tag: bytes = b""


class SchemaTable:
    """A wire schema as the scanner reads it: per level, key (number << 3 | wire type) to use."""

    def __init__(self, schema: WireSchema) -> None:
        kinds = {kind: number for number, kind in enumerate(schema.kinds)}
        self.schema = schema
        self.record = _uses(schema.record, kinds)
        self.summary = _uses(schema.summary, kinds)
        self.value = _uses(schema.value, kinds)
        self.checksums = schema.framing is Framing.TFRECORD
        self.timed_values = any(field.role is Role.STEP for field in schema.value)
        self.tensor_kind = 0
        self.first_key = 0
        for key, use in self.record.items():
            if use.role is Role.VALUE:
                self.first_key = key
        for use in self.value.values():
            if use.role is Role.TF_TENSOR:
                self.tensor_kind = use.kind


def _uses(fields: tuple[Field, ...], kinds: dict[str, int]) -> dict[int, Use]:
    wire_types = {
        Role.WALL_TIME_SECONDS: (FIXED64,),
        Role.WALL_TIME_MILLISECONDS: (VARINT,),
        Role.STEP: (VARINT,),
        Role.FLOAT: (FIXED32,),
        Role.IGNORE: (VARINT, FIXED64, LENGTH_DELIMITED, FIXED32),
    }
    return {
        field.number << 3 | wire_type: Use(field.role, kinds.get(field.kind, 0), field.tag.encode())
        for field in fields
        for wire_type in wire_types.get(field.role, (LENGTH_DELIMITED,))
    }


class Value:
    """One value while it is read; of several contents the last one counts."""

    step = 0
    wall_time = 0.0
    tag = b""
    kind = 0
    number: float | None = None
    """Its content, if that is a scalar."""
    wide = False
    from_tensor = False
    subtag: bytes | None = None
    """Of a tagged number."""
    place: tuple[int, int] | None = None
    """Its content, if that is only indexed: offset in the file and size."""
    marks_segment = False
    metadata: bytes | None = None

    def set_number(self, number: float, *, wide: bool = False, from_tensor: bool = False) -> None:
        """The content is a scalar."""
        self.number = number
        self.wide = wide
        self.from_tensor = from_tensor
        self.subtag = self.place = None
        self.kind = 0
        self.marks_segment = False

    def set_place(self, kind: int, offset: int, size: int) -> None:
        """The content is what lies there."""
        self.number = self.subtag = None
        self.wide = self.from_tensor = False
        self.place = (offset, size)
        self.kind = kind
        self.marks_segment = False

    def set_segment_mark(self) -> None:
        """The content says that a segment begins."""
        self.number = self.subtag = self.place = None
        self.marks_segment = True

    def apply_number(self, role: Role, number: int) -> None:
        """A varint field of the value level."""
        if role is Role.STEP:
            self.step = signed(number)
        else:
            self.wall_time = wall_time_of(number)

    def apply_bytes(self, use: Use, data: bytes, at: int, end: int, offset: int) -> None:
        """A length-delimited field of the value level, `offset` in the file. Raises BadMessage."""
        role = use.role
        if role is Role.TAG:
            self.tag = data[at:end]
        elif role is Role.BLOB:
            self.set_place(use.kind, offset, end - at)
        elif role is Role.METADATA:
            self.metadata = data[at:end]
        elif role is Role.TF_TENSOR:
            small = end - at <= RANK0_TENSOR_LIMIT
            number = read_rank0(memoryview(data[at:end])) if small else None
            if number is None:
                self.set_place(use.kind, offset, end - at)
            else:
                self.set_number(number[0], wide=number[1], from_tensor=True)
        elif role is Role.TAGGED_FLOAT:
            self._apply_tagged_float(data[at:end])
        elif role is Role.VERSION:
            self.set_segment_mark()

    def _apply_tagged_float(self, message: bytes) -> None:
        subtag, number = b"", 0.0
        for field, wire_type, value in read_fields(message):
            if isinstance(value, int):
                continue
            if field == 1 and wire_type == LENGTH_DELIMITED:
                subtag = bytes(value)
            elif field == 2 and wire_type == FIXED32:
                number = read_float(bytes(value), 0, 4)
        self.set_number(number)
        self.subtag = subtag


_NARROW = {1: "<f4", 4: "u1", 5: "<i2", 6: "i1", 10: "?", 17: "<u2", 19: "<f2"}
_WIDE = {2: "<f8", 3: "<i4", 9: "<i8", 22: "<u4", 23: "<u8"}
_BFLOAT16: Final = 14
_DTYPES = {number: np.dtype(name) for number, name in (_NARROW | _WIDE).items()}
_DTYPES[_BFLOAT16] = np.dtype("<u2")
_LISTS = {1: 5, 2: 6, 3: 7, 4: 7, 5: 7, 6: 7, 17: 7, 9: 10, 10: 11, 14: 13, 19: 13, 22: 16, 23: 17}
"""By dtype the field of TensorProto that lists the elements, if `tensor_content` does not."""


def read_rank0(message: memoryview) -> tuple[float, bool] | None:
    """(number, whether it needs a double) of a TensorProto that is one number; else None."""
    dtype, content = 0, b""
    listed: dict[int, list[int]] = {}
    try:
        for number, wire_type, value in read_fields(message):
            if number == 1 and isinstance(value, int):
                dtype = value
            elif number == 2 and wire_type == LENGTH_DELIMITED and isinstance(value, memoryview):
                if _has_dims(value):
                    return None
            elif number == 4 and wire_type == LENGTH_DELIMITED and isinstance(value, memoryview):
                content = bytes(value)
            else:
                listed.setdefault(number, []).extend(_elements(number, wire_type, value))
    except BadMessage:
        return None
    elements = listed.get(_LISTS.get(dtype, 0), [])
    if dtype not in _DTYPES or (not content and len(elements) != 1):
        return None
    return _number(dtype, content, elements)


def _number(dtype: int, content: bytes, elements: list[int]) -> tuple[float, bool] | None:
    """As `read_rank0`, of `tensor_content` or, if that is empty, of a list of one element."""
    stored = _DTYPES[dtype]
    if stored == np.bool_:  # any bits but zeros are true
        content = bytes(byte != 0 for byte in content)
        elements = [int(element != 0) for element in elements]
    content = content or elements[0].to_bytes(8, "little")[: stored.itemsize]
    if len(content) != stored.itemsize:
        return None
    if dtype == _BFLOAT16:
        return float(np.frombuffer(b"\0\0" + content, "<f4")[0]), False
    return float(np.frombuffer(content, stored)[0]), dtype in _WIDE


def _has_dims(shape: memoryview) -> bool:
    """Whether a TensorShapeProto has dimensions or an unknown rank. Raises BadMessage."""
    return any(
        (number == 2 and wire_type == LENGTH_DELIMITED)
        or (number == 3 and wire_type == VARINT and bool(value))
        for number, wire_type, value in read_fields(shape)
    )


def _elements(number: int, wire_type: int, value: int | memoryview) -> list[int]:
    """The bits of the elements in a field of TensorProto that lists some. Raises BadMessage."""
    if number in (5, 6):
        size, alone = (4, FIXED32) if number == 5 else (8, FIXED64)
        if isinstance(value, int) or wire_type not in (alone, LENGTH_DELIMITED):
            return []
        if len(value) % size:
            raise BadMessage("a packed list ends within an element")
        return [int.from_bytes(value[i : i + size], "little") for i in range(0, len(value), size)]
    if number not in (7, 10, 11, 13, 16, 17):
        return []
    if isinstance(value, int):
        return [value]
    if wire_type != LENGTH_DELIMITED:
        return []
    elements, at, packed = [], 0, bytes(value)
    while at < len(packed):
        element, at = read_varint(packed, at, len(packed))
        elements.append(element)
    return elements
