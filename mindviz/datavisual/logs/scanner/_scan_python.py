"""The pure-Python scanner, for machines on which `_scan` was not built. Its twin in all answers.

It reads as one generator that yields the reads it wants; `feed` runs it to the next one.
"""

from __future__ import annotations

import struct
from collections.abc import Generator
from functools import cache, lru_cache
from typing import Final

from mindviz.datavisual.logs.scanner._scan_python_records import (
    FIRST_READ,
    LARGEST_READ,
    Reads,
    Record,
    Window,
)
from mindviz.datavisual.logs.scanner._scan_python_rows import (
    PlaceRows,
    PointRows,
    no_places,
    no_points,
)
from mindviz.datavisual.logs.scanner._scan_python_values import (
    SchemaTable,
    Value,
    read_varint,
)
from mindviz.datavisual.logs.scanner.damage import (
    MAX_SEGMENTS,
    NAMED_FINDINGS,
    damage,
    further_damage,
)
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.series.columns import Batch, ScanResult, SeriesHead
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.wire.crc32c import crc32c_function, masked_crc32c
from mindviz.wire.fields import BadMessage

SMALL_RECORD: Final = 65536
"""Bytes, framing included. Up to here a record is verified before it is parsed."""

_HEADER = struct.Struct("<QI")
_UINT64 = struct.Struct("<Q")
_UINT32 = struct.Struct("<I")
_NO_HEADER = bytes(12)
_VALUE_START: Final = 11
"""A key of one byte and a varint fit in so many bytes."""


@cache
def _table_of(schema: WireSchema) -> SchemaTable:
    return SchemaTable(schema)


@lru_cache(maxsize=4096)
def _good_header(header: bytes) -> bool:
    stored: int = _UINT32.unpack_from(header, 8)[0]
    return masked_crc32c(header[:8]) == stored


class Scanner:
    """See `mindviz.datavisual.logs.scanner.scan.Scanner`."""

    def __init__(self, schema: WireSchema, path: str = "", *, verify_all: bool = False) -> None:
        self._table = _table_of(schema)
        self._path = path
        self._verify_all = verify_all
        self._framing = 16 if self._table.checksums else 8
        self._position = 0
        self._wanted = (0, LARGEST_READ)
        self._window = Window()
        self._file_size = 0
        self._large_end = 0
        self._stop_kind: FindingKind | None = None
        self._reads: Reads | None = None
        self._series: dict[tuple[int, bytes], int] = {}
        self._heads: list[SeriesHead] = []
        self._described: set[int] = set()
        self._metadata: dict[int, bytes] = {}
        self._points: dict[int, PointRows] = {}
        self._places: dict[int, PlaceRows] = {}
        self._segment = 0
        self._segment_has_data = False
        self._too_many_segments = False
        self._records = 0
        self._named: list[Finding] = []
        self._unnamed: tuple[FindingKind, int, int] | None = None

    @property
    def wanted(self) -> tuple[int, int]:
        """Offset and size of the next read."""
        return self._wanted

    def feed(self, data: bytes | bytearray | memoryview, offset: int, file_size: int) -> bool:
        """Scan `data`, the file's bytes from `offset`; whether more can be done now."""
        asked = self._wanted[1]
        if offset != self._wanted[0]:
            raise ValueError(f"fed from {offset}, wanted from {self._wanted[0]}")
        self._window.show(bytes(data), offset)
        self._file_size = max(file_size, self._window.end)
        self._stop_kind = None
        if self._large_end > self._file_size:
            return self._stand_still(FindingKind.TRUNCATED)
        if self._reads is None:
            self._reads = self._read()
        try:
            self._wanted = next(self._reads)
        except StopIteration:
            return self._stand_still(self._stop_kind)
        if len(data) < asked and self._wanted[0] == offset:
            # Less came than was asked for, and it was not enough: the file has shrunk.
            return self._stand_still(FindingKind.TRUNCATED)
        return True

    @property
    def stopped(self) -> Finding | None:
        """Why reading stands still before the end of the file, if it does."""
        if self._stop_kind is None:
            return None
        return damage(self._stop_kind, self._path, self._position)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Records lost so far."""
        if self._unnamed is None:
            return tuple(self._named)
        kind, offset, count = self._unnamed
        return (*self._named, further_damage(kind, self._path, offset, count))

    def take(self) -> ScanResult:
        """Freeze and hand over what was found since the last call."""
        batches = []
        for segment in sorted({*self._points, *self._places}):
            points, places = self._points.get(segment), self._places.get(segment)
            scalars = no_points() if points is None else points.freeze()
            values = no_places() if places is None else places.freeze()
            batches.append(Batch(segment, scalars, values))
        heads, metadata, records = tuple(self._heads), self._metadata, self._records
        self._points, self._places = {}, {}
        self._heads, self._metadata, self._records = [], {}, 0
        return ScanResult(tuple(batches), heads, metadata, records, self._position)

    def _stand_still(self, why: FindingKind | None) -> bool:
        """Nothing more can be done; begin with the record in hand when there is more."""
        self._stop_kind = why
        self._reads = None
        self._large_end = 0
        self._window.read_size = LARGEST_READ
        self._wanted = (self._position, LARGEST_READ)
        return False

    def _lose(self, kind: FindingKind) -> None:
        """Report the record in hand."""
        if len(self._named) < NAMED_FINDINGS:
            self._named.append(damage(kind, self._path, self._position))
        elif self._unnamed is None:
            self._unnamed = (kind, self._position, 1)
        else:
            self._unnamed = (*self._unnamed[:2], self._unnamed[2] + 1)

    # ---- records

    def _read(self) -> Reads:
        """Read until nothing more can be done; `_stop_kind` says why, None at the file's end."""
        window = self._window
        while self._position < self._file_size:
            length = yield from self._length()
            if length is None:
                return
            if length == 0 and not self._table.checksums:
                zeros = yield from self._zeros_from(self._position)
                if self._stop_kind is not None:
                    return
                # Without checksums, eight zeros are an empty record.
                self._records += zeros // 8
                self._position += zeros // 8 * 8
                continue
            end = self._position + self._framing + length
            if end > self._file_size:
                self._stop_kind = FindingKind.TRUNCATED
                return
            if end - self._position > SMALL_RECORD:
                self._large_end = end
                lost = yield from self._read_large(length)
                self._large_end = 0
            else:
                if window.end < end or self._position < window.offset:
                    yield from window.need(self._position, end - self._position)
                lost = self._read_small(length)
            self._records += 1
            if lost is not None:
                self._lose(lost)
            self._position = end

    def _length(self) -> Generator[tuple[int, int], None, int | None]:
        """The next record's length, checked as far as can be; None with a `_stop_kind`."""
        window, left = self._window, self._file_size - self._position
        if left < (12 if self._table.checksums else 8):
            self._stop_kind = FindingKind.TRUNCATED
            return None
        if self._position < window.offset or window.end - self._position < min(left, 12):
            yield from window.need(self._position, min(left, 12))
        at = self._position - window.offset
        length: int
        if self._table.checksums:
            header = window.data[at : at + 12]
            if _good_header(header):
                length = _HEADER.unpack(header)[0]
                return length
            if header == _NO_HEADER:
                yield from self._zeros_from(self._position)
            self._stop_kind = self._stop_kind or FindingKind.BAD_LENGTH
            return None
        length = _UINT64.unpack_from(window.data, at)[0]
        if length and not (yield from self._value_fills(length, left)):
            self._stop_kind = FindingKind.BAD_LENGTH
            return None
        return length

    def _value_fills(self, length: int, left: int) -> Generator[tuple[int, int], None, bool]:
        """Whether one value fills a record without checksum, as far as its start is there."""
        there = min(left - 8, _VALUE_START, length)
        yield from self._window.need(self._position, min(left, 8 + _VALUE_START))
        at = self._position - self._window.offset + 8
        start = self._window.data[at : at + there]
        if not start:
            return True
        if start[0] != self._table.first_key:
            return False
        try:
            size, inner = read_varint(start, 1, there)
        except BadMessage:
            # Cut off by the end of the file, or no varint at all.
            return there < _VALUE_START and there < length
        return size == length - inner

    def _zeros_from(self, offset: int) -> Generator[tuple[int, int], None, int]:
        """How many zeros there are; ZERO_TAIL if they reach the end of the file."""
        window, at = self._window, offset
        while at < self._file_size:
            if at >= window.end:
                yield at, min(self._file_size - at, LARGEST_READ)
            rest = window.data[at - window.offset :]
            zeros = len(rest) - len(rest.lstrip(b"\0"))
            at += zeros
            if zeros < len(rest):
                return at - offset
        self._stop_kind = FindingKind.ZERO_TAIL
        return at - offset

    def _read_small(self, length: int) -> FindingKind | None:
        """A record that is all there; why it was lost, if it was."""
        data = self._window.data
        at = self._position - self._window.offset + self._framing
        if self._table.checksums:
            at -= 4
            payload = data[at : at + length]
            if masked_crc32c(payload) != _UINT32.unpack_from(data, at + length)[0]:
                return FindingKind.BAD_PAYLOAD
        record = Record(self._table)
        try:
            record.parse(data, at, at + length, self._window.offset)
        except BadMessage:
            return FindingKind.BAD_RECORD
        self._commit(record, length)
        return None

    def _read_large(self, length: int) -> Generator[tuple[int, int], None, FindingKind | None]:
        """A record that is walked; why it was lost, if it was."""
        record = Record(self._table)
        record.needs_checksum = self._verify_all
        start = self._position + (12 if self._table.checksums else 8)
        malformed = False
        try:
            yield from record.walk(self._window, start, start + length)
        except BadMessage:
            malformed = True
        if self._table.checksums and (malformed or record.needs_checksum):
            good = yield from self._verify(start, start + length)
            if not good:
                return FindingKind.BAD_PAYLOAD
        if malformed:
            return FindingKind.BAD_RECORD
        self._commit(record, length)
        return None

    def _verify(self, at: int, end: int) -> Generator[tuple[int, int], None, bool]:
        """Whether the checksum behind `end` is that of the bytes before, in bounded reads."""
        window, extend, crc = self._window, crc32c_function(), 0
        while at < end or window.end - at < 4:
            if window.offset <= at < window.end and at < end:
                piece = window.data[at - window.offset : end - window.offset]
                crc = extend(piece, crc)
                at += len(piece)
            else:
                yield at, min(end + 4 - at + FIRST_READ, LARGEST_READ)
        masked = (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF
        return bool(masked == _UINT32.unpack_from(window.data, end - window.offset)[0])

    # ---- committing

    def _commit(self, record: Record, length: int) -> None:
        """What the record holds becomes data."""
        if record.starts_segment:
            self._begin_segment()
        for value in record.values:
            if not self._table.timed_values:
                value.step, value.wall_time = record.step, record.wall_time
            series = self._series_of(value)
            if value.place is None:
                points = self._points.get(self._segment)
                if points is None:
                    points = self._points[self._segment] = PointRows()
                points.append(series, value)
            else:
                places = self._places.get(self._segment)
                if places is None:
                    places = self._places[self._segment] = PlaceRows()
                places.append(series, value, self._position, self._framing + length)
            if value.metadata is not None and series not in self._described:
                self._described.add(series)
                self._metadata[series] = value.metadata
            self._segment_has_data = True

    def _series_of(self, value: Value) -> int:
        tag = value.tag if value.subtag is None else value.tag + b"/" + value.subtag
        key = (value.kind, tag)
        series = self._series.get(key)
        if series is None:
            series = self._series[key] = len(self._series)
            self._heads.append(SeriesHead(value.kind, tag, value.from_tensor))
        return series

    def _begin_segment(self) -> None:
        if not self._segment_has_data:
            return
        if self._segment + 1 < MAX_SEGMENTS:
            self._segment += 1
            self._segment_has_data = False
        elif not self._too_many_segments:
            self._too_many_segments = True
            self._lose(FindingKind.TOO_MANY_SEGMENTS)
