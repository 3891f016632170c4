"""Reads the message of one record, for the Python scanner."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from mindviz.datavisual.logs.scanner.damage import MAX_VALUES
from mindviz.datavisual.logs.scanner.rank0_tensor import read_rank0
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
    read_varint,
    signed,
)

MAX_HEADING: Final = 65536
"""Bytes of a tag, a session log or a tagged number."""
MAX_METADATA: Final = 1 << 24
MAX_HELD: Final = 1 << 27
"""Bytes of these fields in one record: the native scanner holds them until the record's end."""
_SECONDS_BELOW: Final = 2_000_000_000

_FLOAT = struct.Struct("<f")
_DOUBLE = struct.Struct("<d")


class Number(NamedTuple):
    """A value's content: a scalar."""

    value: float
    wide: bool = False
    """Whether it needs a double."""
    from_tensor: bool = False
    subtag: bytes | None = None


class Span(NamedTuple):
    """A value's content: bytes that are only indexed."""

    kind: int
    offset: int
    """In the file."""
    size: int


class SegmentMark(NamedTuple):
    """A value's content: a new segment begins."""


Content = Number | Span | SegmentMark


@dataclass(slots=True)
class Value:
    """One value; of several contents the last one counts, as in protobuf's oneof."""

    tag: bytes = b""
    content: Content | None = None
    metadata: bytes | None = None
    step: int = 0
    wall_time: float = 0.0


_WIRE_TYPES = {
    Role.WALL_TIME_SECONDS: (FIXED64,),
    Role.WALL_TIME_MILLISECONDS: (VARINT,),
    Role.STEP: (VARINT,),
    Role.FLOAT: (FIXED32,),
    Role.IGNORE: (VARINT, FIXED64, LENGTH_DELIMITED, FIXED32),
}


class FieldTable:
    """The fields of a schema, per level by key (number << 3 | wire type)."""

    def __init__(self, schema: WireSchema) -> None:
        self.schema = schema
        self.record, self.summary, self.value = (
            {
                field.number << 3 | wire_type: field
                for field in level
                for wire_type in _WIRE_TYPES.get(field.role, (LENGTH_DELIMITED,))
            }
            for level in (schema.record, schema.summary, schema.value)
        )
        self.timed_values = any(field.role is Role.STEP for field in schema.value)


class Record:
    """What a record holds; it becomes data if all of it is good."""

    def __init__(self, table: FieldTable, payload: memoryview, offset: int) -> None:
        """Read the payload at `offset` in the file. Raises BadMessage."""
        self._table = table
        self._held = 0
        self.step = 0
        self.wall_time = 0.0
        self.values: list[Value] = []
        self.starts_segment = False
        self.needs_checksum = False
        """Whether it holds more than indexed values, which are verified when they are read."""
        for field, at, value in self._fields(table.record, payload, offset):
            if field.role is Role.BLOB:
                self._check_room()
                self.values.append(Value(field.tag.encode(), self._content(field, value, at)))
            elif field.role is Role.SUMMARY:
                for inner, inner_at, message in self._fields(table.summary, value, at):
                    if inner.role is Role.VALUE:
                        self._read_value(message, inner_at)
            elif field.role is Role.VALUE:
                self._read_value(value, at)
            elif field.role in (Role.VERSION, Role.SESSION_LOG):
                self.needs_checksum = True
                if field.role is Role.VERSION or _session_starts(self._hold(value)):
                    self.starts_segment = True
            else:
                _set_time(self, field.role, value)

    def _read_value(self, message: memoryview, offset: int) -> None:
        self._check_room()
        value = Value()
        for field, at, content in self._fields(self._table.value, message, offset):
            if field.role is Role.TAG:
                value.tag = self._hold(content)
            elif field.role is Role.METADATA:
                value.metadata = self._hold(content, MAX_METADATA)
            elif not _set_time(value, field.role, content):
                value.content = self._content(field, content, at)
        if value.content is None and value.metadata is not None and self._table.schema.tensor_kind:
            value.content = Span(self._table.schema.tensor_kind, offset, 0)
            self.needs_checksum = True  # nothing of it is read again
        if isinstance(value.content, SegmentMark):
            self.starts_segment = True
        elif value.content is not None:
            self.values.append(value)

    def _content(self, field: Field, content: memoryview, offset: int) -> Content:
        if field.role is Role.TF_TENSOR and len(content) <= RANK0_TENSOR_LIMIT:
            number = read_rank0(self._hold(content))
            if number is not None:
                self.needs_checksum = True
                return Number(*number, from_tensor=True)
        if field.role in (Role.BLOB, Role.TF_TENSOR):
            return Span(self._table.schema.kinds.index(field.kind), offset, len(content))
        self.needs_checksum = True
        if field.role is Role.FLOAT:
            return Number(_FLOAT.unpack(content)[0])
        if field.role is Role.TAGGED_FLOAT:
            return _tagged_number(self._hold(content))
        return SegmentMark()

    def _check_room(self) -> None:
        if len(self.values) >= MAX_VALUES:
            raise BadMessage("there are too many values")

    def _hold(self, content: memoryview, limit: int = MAX_HEADING) -> bytes:
        """A copy. Raises BadMessage: the native scanner does not hold so much."""
        self._held += len(content)
        if len(content) > limit or self._held > MAX_HELD:
            raise BadMessage("a tag or the like is too long")
        return bytes(content)

    def _fields(
        self, known: Mapping[int, Field], message: memoryview, offset: int
    ) -> Iterator[tuple[Field, int, memoryview]]:
        """(field, offset in the file, content) of all fields that are known. Raises BadMessage."""
        at, end = 0, len(message)
        while at < end:
            key, start = message[at], at + 1
            if key >= 128:
                key, start = read_varint(message, at)
            if key & 7 == VARINT:
                _, at = read_varint(message, start)
            elif key & 7 == LENGTH_DELIMITED:
                size, start = read_varint(message, start)
                at = start + size
            else:
                at = start + _WIDTHS.get(key & 7, end)
            if key < 8 or at > end:
                raise BadMessage("a field has number 0, is cut off, or is a group")
            field = known.get(key)
            if field is None:
                self.needs_checksum = True
            elif field.role is not Role.IGNORE:
                yield field, offset + start, message[start:at]


_WIDTHS = {FIXED64: 8, FIXED32: 4}


def _set_time(target: Record | Value, role: Role, content: memoryview) -> bool:
    """Set step or wall time; False if the field is neither."""
    if role is Role.WALL_TIME_SECONDS:
        target.wall_time = _DOUBLE.unpack(content)[0]
    elif role is Role.STEP:
        target.step = signed(read_varint(content, 0)[0])
    elif role is Role.WALL_TIME_MILLISECONDS:
        number = signed(read_varint(content, 0)[0])
        target.wall_time = float(number) if number < _SECONDS_BELOW else number / 1000.0
    else:
        return False
    return True


def _session_starts(message: bytes) -> bool:
    """Whether a SessionLog message says START. Raises BadMessage."""
    status: int | memoryview = 0
    for number, wire_type, value in read_fields(message):
        if number == 1 and wire_type == VARINT:
            status = value
    return status == 1


def _tagged_number(message: bytes) -> Number:
    """The message {1: sub-tag, 2: float}. Raises BadMessage."""
    subtag, number = b"", 0.0
    for field, wire_type, value in read_fields(message):
        if isinstance(value, int):
            continue
        if field == 1 and wire_type == LENGTH_DELIMITED:
            subtag = bytes(value)
        elif field == 2 and wire_type == FIXED32:
            number = _FLOAT.unpack(value)[0]
    return Number(number, subtag=subtag)
