"""Reads the message of one record, for the Python scanner."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from mindviz.datavisual.logs.scanner.damage import MAX_VALUES
from mindviz.datavisual.logs.wire_schema import RANK0_TENSOR_LIMIT, TIMES, Field, Role, WireSchema
from mindviz.datavisual.payloads.tensor_message import tensorflow_number
from mindviz.wire.fields import (
    FIXED32,
    FIXED64,
    LENGTH_DELIMITED,
    VARINT,
    BadMessage,
    Message,
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
_WIDTHS = {FIXED64: 8, FIXED32: 4}
_RECORD, _SUMMARY, _VALUE = range(3)


class Content(NamedTuple):
    """A number (kind 0), or bytes that are only indexed."""

    kind: int
    number: float = 0.0
    wide: bool = False
    """Whether the number needs a double."""
    from_tensor: bool = False
    subtag: bytes = b""
    """With its slash."""
    offset: int = 0
    """In the file."""
    size: int = 0


_NOTHING = Content(-1)
_SEGMENT_MARK = Content(-2)


@dataclass(slots=True)
class Value:
    """One value; of several contents the last one counts, as in protobuf's oneof."""

    tag: bytes = b""
    content: Content = _NOTHING
    metadata: bytes | None = None
    step: int = 0
    wall_time: float = 0.0


class Record:
    """What a record holds; it becomes data if all of it is good."""

    def __init__(self, schema: WireSchema, payload: memoryview, offset: int) -> None:
        """Read the payload at `offset` in the file. Raises BadMessage."""
        self._schema = schema
        self._held = 0
        self.values: list[Value] = []
        self.starts_segment = False
        self.needs_checksum = False
        """Whether it holds more than indexed values, which are verified when they are read."""
        own = Value()  # only its times are used
        self._read(_RECORD, payload, offset, own)
        self.step, self.wall_time = own.step, own.wall_time

    def _read(self, level: int, message: memoryview, offset: int, value: Value) -> None:
        for field, at, content in self._fields(self._schema.levels[level], message, offset):
            role = field.role
            if role in TIMES:
                _set_time(value, role, content)
            elif role is Role.SUMMARY:
                self._read(_SUMMARY, content, at, value)
            elif role is Role.VALUE:
                self._read_value(content, at)
            elif role is Role.TAG:
                value.tag = self._hold(content)
            elif role is Role.METADATA:
                value.metadata = self._hold(content, MAX_METADATA)
            elif level == _VALUE:
                value.content = self._content(field, content, at)
            elif role is Role.BLOB:
                self._add(Value(field.tag.encode(), self._content(field, content, at)))
            else:
                self.needs_checksum = True
                if role is Role.VERSION or Message(self._hold(content)).integer(1) == 1:
                    self.starts_segment = True

    def _read_value(self, message: memoryview, offset: int) -> None:
        value = Value()
        self._read(_VALUE, message, offset, value)
        if value.content is _NOTHING and value.metadata is not None and self._schema.tensor_kind:
            value.content = Content(self._schema.tensor_kind, offset=offset)
            self.needs_checksum = True  # nothing of it is read again
        if value.content is _SEGMENT_MARK:
            self.starts_segment = True
        elif value.content is not _NOTHING:
            self._add(value)

    def _content(self, field: Field, content: memoryview, offset: int) -> Content:
        if field.role is Role.TF_TENSOR and len(content) <= RANK0_TENSOR_LIMIT:
            found = tensorflow_number(self._hold(content))
            if found is not None:
                self.needs_checksum = True
                return Content(0, *found, from_tensor=True)
        if field.role in (Role.BLOB, Role.TF_TENSOR):
            kind = self._schema.kinds.index(field.kind)
            return Content(kind, offset=offset, size=len(content))
        self.needs_checksum = True
        if field.role is Role.FLOAT:
            return Content(0, _FLOAT.unpack(content)[0])
        if field.role is Role.TAGGED_FLOAT:
            return _tagged_number(self._hold(content))
        return _SEGMENT_MARK

    def _add(self, value: Value) -> None:
        if len(self.values) >= MAX_VALUES:
            raise BadMessage("there are too many values")
        self.values.append(value)

    def _hold(self, content: memoryview, limit: int = MAX_HEADING) -> bytes:
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


def _set_time(value: Value, role: Role, content: memoryview) -> None:
    if role is Role.WALL_TIME_SECONDS:
        value.wall_time = _DOUBLE.unpack(content)[0]
        return
    number = signed(read_varint(content, 0)[0])
    if role is Role.STEP:
        value.step = number
    else:
        value.wall_time = float(number) if number < _SECONDS_BELOW else number / 1000.0


def _tagged_number(message: bytes) -> Content:
    """The message {1: sub-tag, 2: float}. Raises BadMessage."""
    subtag, number = b"", 0.0
    for field, wire_type, value in read_fields(message):
        if field == 1 and wire_type == LENGTH_DELIMITED:
            subtag = bytes(value)
        elif field == 2 and wire_type == FIXED32 and not isinstance(value, int):
            number = _FLOAT.unpack(value)[0]
    return Content(0, number, subtag=b"/" + subtag)
