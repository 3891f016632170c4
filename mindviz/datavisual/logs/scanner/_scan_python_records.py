"""Records of the pure-Python scanner: parsed whole, or walked field by field where they are large.

The twin of `_scan_small.pxi` and `_scan_large.pxi`. Whatever reads on is a generator that yields
the reads it wants (offset, size) and goes on once the window holds them.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from mindviz.datavisual.logs.scanner._scan_python_values import (
    SchemaTable,
    Use,
    Value,
    read_double,
    read_float,
    read_key,
    read_size,
    read_varint,
    session_starts,
    skip_field,
    wall_time_of,
)
from mindviz.datavisual.logs.scanner.damage import MAX_VALUES
from mindviz.datavisual.logs.wire_schema import RANK0_TENSOR_LIMIT, Role
from mindviz.wire.fields import LENGTH_DELIMITED, BadMessage, signed

HEADING_LIMIT: Final = 65536
"""Bytes of a tag and of other fields that the walk through a large record must hold."""
METADATA_LIMIT: Final = 1 << 24
HELD_LIMIT: Final = 1 << 27
"""Bytes of all of these in one record: they are in memory until all of it is known to be good."""
FIRST_READ: Final = 512
"""Bytes read behind something skipped; doubled while nothing is skipped."""
LARGEST_READ: Final = 262144
_FIELD_START: Final = 20
"""A key and a varint, or a key and eight bytes, fit in so many bytes."""

Reads = Generator[tuple[int, int], None, None]

_NUMBERS = frozenset({Role.STEP, Role.WALL_TIME_MILLISECONDS})
_SKIPPED = frozenset({Role.BLOB, Role.VERSION, Role.IGNORE})


class Window:
    """The bytes of the file that are being fed."""

    __slots__ = ("data", "end", "offset", "read_size")

    def __init__(self) -> None:
        self.data = b""
        self.offset = 0
        self.end = 0
        self.read_size = LARGEST_READ

    def show(self, data: bytes, offset: int) -> None:
        """From now on it is these bytes."""
        self.data = data
        self.offset = offset
        self.end = offset + len(data)

    def want(self, offset: int, size: int) -> tuple[int, int]:
        """The read that brings `size` bytes from `offset`, and more unless much is skipped."""
        if offset > self.end:
            self.read_size = FIRST_READ
        else:
            self.read_size = min(2 * self.read_size, LARGEST_READ)
        return offset, max(size, self.read_size)

    def need(self, offset: int, size: int) -> Reads:
        """Read until `size` bytes from `offset` are there."""
        while offset < self.offset or self.end - offset < size:
            yield self.want(offset, size)

    def pieces(self, offset: int, end: int) -> Generator[tuple[int, int], None, bytes]:
        """All bytes of a stretch, in bounded reads."""
        gathered = bytearray()
        while True:
            if offset >= self.offset:
                piece = self.data[offset - self.offset : end - self.offset]
                gathered += piece
                offset += len(piece)
            if offset >= end:
                return bytes(gathered)
            yield offset, min(end - offset + FIRST_READ, LARGEST_READ)


class Record:
    """What a record holds so far: it becomes data if all of it is good."""

    def __init__(self, table: SchemaTable) -> None:
        self.table = table
        self.wall_time = 0.0
        self.step = 0
        self.values: list[Value] = []
        self.starts_segment = False
        self.needs_checksum = False
        self._held = 0

    def _number(self, role: Role, number: int) -> None:
        if role is Role.STEP:
            self.step = signed(number)
        else:
            self.wall_time = wall_time_of(number)

    def _blob(self, use: Use, offset: int, size: int) -> None:
        self._check_room()
        value = Value()
        value.tag = use.tag
        value.set_place(use.kind, offset, size)
        self.values.append(value)

    def _end_value(self, value: Value, start: int) -> None:
        if value.marks_segment:
            self.starts_segment = True
            return
        if value.number is None and value.place is None:
            if value.metadata is None or not self.table.tensor_kind:
                return
            value.set_place(self.table.tensor_kind, start, 0)
            self.needs_checksum = True  # nobody will read this record again
        self.values.append(value)

    # ---- whole

    def parse(self, data: bytes, at: int, end: int, base: int) -> None:
        """Read all of a record; `base` is the file's offset of `data`. Raises BadMessage."""
        uses = self.table.record
        while at < end:
            key, at = read_key(data, at, end)
            use = uses.get(key)
            if use is None or use.role is Role.IGNORE:
                at = skip_field(data, at, end, key)
            elif use.role is Role.WALL_TIME_SECONDS:
                self.wall_time = read_double(data, at, end)
                at += 8
            elif use.role in _NUMBERS:
                number, at = read_varint(data, at, end)
                self._number(use.role, number)
            else:
                start, at = read_size(data, at, end)
                if use.role is Role.SUMMARY:
                    self._parse_summary(data, start, at, base)
                elif use.role is Role.VALUE:
                    self._parse_value(data, start, at, base)
                elif use.role is Role.BLOB:
                    self._blob(use, base + start, at - start)
                elif use.role is Role.VERSION or session_starts(data[start:at]):
                    self.starts_segment = True

    def _parse_summary(self, data: bytes, at: int, end: int, base: int) -> None:
        uses = self.table.summary
        while at < end:
            key, at = read_key(data, at, end)
            use = uses.get(key)
            if use is not None and use.role is Role.VALUE:
                start, at = read_size(data, at, end)
                self._parse_value(data, start, at, base)
            else:
                at = skip_field(data, at, end, key)

    def _parse_value(self, data: bytes, at: int, end: int, base: int) -> None:
        uses = self.table.value
        value = Value()
        begin = at
        while at < end:
            key, at = read_key(data, at, end)
            use = uses.get(key)
            if use is None or use.role is Role.IGNORE:
                at = skip_field(data, at, end, key)
            elif use.role is Role.FLOAT:
                value.set_number(read_float(data, at, end))
                at += 4
            elif use.role is Role.WALL_TIME_SECONDS:
                value.wall_time = read_double(data, at, end)
                at += 8
            elif use.role in _NUMBERS:
                number, at = read_varint(data, at, end)
                value.apply_number(use.role, number)
            else:
                start, at = read_size(data, at, end)
                value.apply_bytes(use, data, start, at, base + start)
        self._end_value(value, base + begin)

    # ---- field by field

    def walk(self, window: Window, at: int, end: int) -> Reads:
        """Read a record from `at` to `end` in the file, skipping what is only indexed.

        Raises BadMessage, perhaps after many reads.
        """
        uses = self.table.record
        while at < end:
            yield from window.need(at, min(end - at, _FIELD_START))
            key, data, inner, stop = _field(window, at, end)
            use = uses.get(key)
            if key & 7 != LENGTH_DELIMITED:
                at += skip_field(data, inner, stop, key) - (at - window.offset)
                self._apply_number(key, data, inner, stop)
                continue
            start, at = _extent(window, data, inner, stop, end)
            role = None if use is None else use.role
            if role is Role.SUMMARY:
                yield from self._walk_summary(window, start, at)
            elif role is Role.VALUE:
                yield from self._walk_value(window, start, at)
            elif role is Role.BLOB and use is not None:
                self._blob(use, start, at - start)
            elif role is Role.SESSION_LOG:
                session = yield from self._gathered(window, start, at, HEADING_LIMIT)
                self.needs_checksum = True
                if session_starts(session):
                    self.starts_segment = True
            elif role is not Role.IGNORE:
                self.needs_checksum = True
                if role is Role.VERSION:
                    self.starts_segment = True

    def _apply_number(self, key: int, data: bytes, inner: int, stop: int) -> None:
        use = self.table.record.get(key)
        if use is None:
            self.needs_checksum = True
        elif use.role is Role.WALL_TIME_SECONDS:
            self.wall_time = read_double(data, inner, stop)
        elif use.role in _NUMBERS:
            self._number(use.role, read_varint(data, inner, stop)[0])

    def _walk_summary(self, window: Window, at: int, end: int) -> Reads:
        while at < end:
            yield from window.need(at, min(end - at, _FIELD_START))
            key, data, inner, stop = _field(window, at, end)
            use = self.table.summary.get(key)
            if key & 7 != LENGTH_DELIMITED:
                at += skip_field(data, inner, stop, key) - (at - window.offset)
                self.needs_checksum |= use is None
                continue
            start, at = _extent(window, data, inner, stop, end)
            if use is None:
                self.needs_checksum = True
            elif use.role is Role.VALUE:
                yield from self._walk_value(window, start, at)

    def _check_room(self) -> None:
        """Raise BadMessage if there are as many values as one record may hold."""
        if len(self.values) >= MAX_VALUES:
            raise BadMessage("there are too many values")

    def _walk_value(self, window: Window, at: int, end: int) -> Reads:
        self._check_room()
        value = Value()
        begin = at
        while at < end:
            yield from window.need(at, min(end - at, _FIELD_START))
            key, data, inner, stop = _field(window, at, end)
            use = self.table.value.get(key)
            if key & 7 != LENGTH_DELIMITED:
                at += skip_field(data, inner, stop, key) - (at - window.offset)
                self._apply_value_number(value, use, data, inner, stop)
                continue
            start, at = _extent(window, data, inner, stop, end)
            if use is None:
                self.needs_checksum = True
            elif use.role in _SKIPPED or (
                use.role is Role.TF_TENSOR and at - start > RANK0_TENSOR_LIMIT
            ):
                if use.role is Role.VERSION:
                    self.needs_checksum = True
                    value.set_segment_mark()
                elif use.role is not Role.IGNORE:
                    value.set_place(use.kind, start, at - start)
            else:
                limit = METADATA_LIMIT if use.role is Role.METADATA else HEADING_LIMIT
                field = yield from self._gathered(window, start, at, limit)
                value.apply_bytes(use, field, 0, len(field), start)
                self.needs_checksum |= value.number is not None
        self._end_value(value, begin)

    def _gathered(
        self, window: Window, start: int, end: int, limit: int
    ) -> Generator[tuple[int, int], None, bytes]:
        """The bytes of a field that is needed whole.

        Raises BadMessage: longer than `limit`, or too many such bytes in one record.
        """
        self._held += end - start
        if end - start > limit or self._held > HELD_LIMIT:
            raise BadMessage("a tag or the like is too long")
        return (yield from window.pieces(start, end))

    def _apply_value_number(
        self, value: Value, use: Use | None, data: bytes, inner: int, stop: int
    ) -> None:
        if use is None:
            self.needs_checksum = True
        elif use.role is Role.FLOAT:
            value.set_number(read_float(data, inner, stop))
            self.needs_checksum = True
        elif use.role is Role.WALL_TIME_SECONDS:
            value.wall_time = read_double(data, inner, stop)
        elif use.role in _NUMBERS:
            value.apply_number(use.role, read_varint(data, inner, stop)[0])


def _field(window: Window, at: int, end: int) -> tuple[int, bytes, int, int]:
    """(key, window's bytes, where the key ends in them, where the message or they end)."""
    data = window.data
    stop = min(len(data), end - window.offset)
    key, inner = read_key(data, at - window.offset, stop)
    return key, data, inner, stop


def _extent(window: Window, data: bytes, inner: int, stop: int, end: int) -> tuple[int, int]:
    """Where in the file a length-delimited field's bytes are. Raises BadMessage: too long."""
    size, inner = read_varint(data, inner, stop)
    start = window.offset + inner
    if size > end - start:
        raise BadMessage("a field is cut off")
    return start, start + size
