"""The scanner in plain Python: reads whole records, one after the other.

The fallback where `_scan` was not built, and the reference that property tests compare it with.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.scanner.damage import (
    MAX_SEGMENTS,
    NAMED_FINDINGS,
    VERIFIED_SIZE,
    damage,
    further_damage,
)
from mindviz.datavisual.logs.scanner.plain_record import Record
from mindviz.datavisual.logs.scanner.scan_state import ScanState
from mindviz.datavisual.logs.wire_schema import Role, WireSchema
from mindviz.datavisual.series.columns import (
    STATS_DTYPES,
    Batch,
    RecordColumns,
    ScalarColumns,
    ScanResult,
    SeriesHead,
    SeriesStats,
    ValueColumns,
    stats_row,
)
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.wire.crc32c import masked_crc32c
from mindviz.wire.fields import BadMessage, read_varint
from mindviz.wire.framing import Framing

READ_SIZE: Final = 262144
"""Bytes, unless a record is larger."""
MAX_RECORD: Final = 1 << 30
"""Bytes of a record that is read into memory; a larger one is lost."""


PointRow = tuple[int, int, float, float, bool]
"""Series, step, wall time, value, whether that needs a double."""
PlaceRow = tuple[int, int, int, int]
"""Series, row of its record, offset in the record, length."""
RecordRow = tuple[int, float, int, int]
"""Step, wall time, offset, length."""

_POINT = [("series", "i4"), ("step", "i8"), ("wall_time", "f8"), ("value", "f8"), ("wide", "?")]
_PLACE = [("series", "i4"), ("record", "i4"), ("place", "i8"), ("length", "i8")]
_RECORD = [("step", "i8"), ("wall_time", "f8"), ("offset", "i8"), ("length", "i8")]


class _Paused(Exception):
    """Nothing more can be done with the bytes that were fed."""

    def __init__(self, cause: tuple[int, int] | FindingKind) -> None:
        super().__init__()
        self.cause = cause
        """The next read, or why there is none."""


@dataclass(slots=True)
class _Rows:
    points: list[PointRow] = field(default_factory=list)
    places: list[PlaceRow] = field(default_factory=list)
    records: list[RecordRow] = field(default_factory=list)


class Scanner:
    """See `mindviz.datavisual.logs.scanner.scan.Scanner`."""

    def __init__(self, schema: WireSchema, path: str = "", *, verify_all: bool = False) -> None:
        self._schema = schema
        self._checksums = schema.framing is Framing.TFRECORD
        self._path = path
        self._verify_all = verify_all
        self._position = 0
        """Of the current record."""
        self.wanted = (0, READ_SIZE)
        """Offset and size of the next read."""
        self.stopped: Finding | None = None
        """Why reading stopped before the end of the file, if it did."""
        self.findings: tuple[Finding, ...] = ()
        """Records lost so far."""
        self._data = b""
        self._offset = 0
        """Of `_data` in the file."""
        self._file_size = 0
        self._series: dict[tuple[int, bytes], int] = {}
        self._new_series: list[SeriesHead] = []
        self._described: set[int] = set()
        self._metadata: dict[int, bytes] = {}
        self._segments: dict[int, _Rows] = {}
        self._segment = 0
        self._segment_has_data = False
        self._too_many_segments = False
        self._records = 0

    def feed(
        self,
        data: bytes | bytearray | memoryview,
        offset: int,
        file_size: int,
        descriptor: int = -1,  # noqa: ARG002 - the native scanner's
    ) -> bool:
        """Scan `data`, the file's bytes from `offset`; whether more can be done now."""
        wanted, size = self.wanted
        if offset != wanted:
            raise ValueError(f"fed from {offset}, wanted from {wanted}")
        self._data, self._offset = bytes(data), offset
        self._file_size = max(file_size, offset + len(data))
        self.stopped = None
        try:
            while self._position < self._file_size:
                self._scan_record()
        except _Paused as paused:
            cause = paused.cause
            if not isinstance(cause, FindingKind):
                if len(data) >= size or cause[0] != offset:
                    self.wanted = cause
                    return True
                cause = FindingKind.TRUNCATED  # the file has shrunk
            self.stopped = damage(cause, self._path, self._position)
        self._data = b""
        self.wanted = (self._position, READ_SIZE)
        return False

    def take(self) -> ScanResult:
        """Freeze and return what was found since the last call."""
        batches = tuple(
            Batch(segment, scalar_columns(rows.points), value_columns(rows.places, rows.records))
            for segment, rows in self._segments.items()
        )
        result = ScanResult(
            batches, tuple(self._new_series), self._metadata, self._records, self._position
        )
        self._segments, self._new_series, self._metadata, self._records = {}, [], {}, 0
        return result

    @property
    def state(self) -> ScanState:
        """For `resume`."""
        return ScanState(
            offset=self._position,
            segment=self._segment,
            segment_has_data=self._segment_has_data,
            too_many_segments=self._too_many_segments,
            findings=self.findings,
            stopped=self.stopped,
        )

    def resume(
        self, state: ScanState, series: Sequence[SeriesHead], described: Collection[int]
    ) -> None:
        """Continue another scan. Raises ValueError if this one has begun."""
        if self._series or self._position:
            raise ValueError("the scanner is not new")
        self._position = state.offset
        self.wanted = (state.offset, READ_SIZE)
        self._segment = state.segment
        self._segment_has_data = state.segment_has_data
        self._too_many_segments = state.too_many_segments
        self.findings, self.stopped = state.findings, state.stopped
        self._series = {(head.kind, head.tag): number for number, head in enumerate(series)}
        self._described = set(described)

    def _here(self, size: int) -> bytes:
        """The record's first `size` bytes. Raises _Paused: they have to be read first."""
        at = self._position - self._offset
        if at < 0 or len(self._data) - at < size:
            raise _Paused((self._position, max(size, READ_SIZE)))
        return self._data[at : at + size]

    def _scan_record(self) -> None:
        """Scan one record. Raises _Paused."""
        left = self._file_size - self._position
        header_size = 12 if self._checksums else 8
        if left < header_size:
            raise _Paused(FindingKind.TRUNCATED)
        if self._offset > self._position:
            self._skip_zeros()
            return
        header = self._here(min(left, 19))
        length = int.from_bytes(header[:8], "little")
        if not any(header[:header_size]):
            self._skip_zeros()
            return
        if self._checksums:
            is_good = masked_crc32c(header[:8]) == int.from_bytes(header[8:12], "little")
        else:
            is_good = self._value_fills(header[8 : 8 + length], length)
        if not is_good:
            raise _Paused(FindingKind.BAD_LENGTH)
        size = header_size + length + (4 if self._checksums else 0)
        if size > left:
            raise _Paused(FindingKind.TRUNCATED)
        lost = FindingKind.BAD_RECORD if length > MAX_RECORD else self._read_record(size)
        self._records += 1
        if lost is not None:
            self._lose(lost)
        self._position += size

    def _value_fills(self, start: bytes, length: int) -> bool:
        """Whether one value fills a record without checksum, of which `start` is there."""
        if not start:
            return True
        field = self._schema.levels[0].get(start[0])
        if field is None or field.role is not Role.VALUE:
            return False
        try:
            size, inner = read_varint(memoryview(start), 1)
        except BadMessage:
            # Cut off by the end of the file, or no varint at all.
            return len(start) < min(11, length)
        return size == length - inner

    def _skip_zeros(self) -> None:
        """Skip a run of zeros that begins at the record. Raises _Paused."""
        rest = self._data[max(self._position - self._offset, 0) :].lstrip(b"\0")
        end = self._offset + len(self._data) - len(rest)
        if not rest:
            raise _Paused((end, READ_SIZE) if end < self._file_size else FindingKind.ZERO_TAIL)
        if self._checksums:
            raise _Paused(FindingKind.BAD_LENGTH)
        # Without checksums, eight zeros are an empty record.
        empty = (end - self._position) // 8
        self._records += empty
        self._position += 8 * empty
        if self._position < self._offset:
            raise _Paused((self._position, READ_SIZE))

    def _lose(self, kind: FindingKind) -> None:
        named, rest = self.findings[:NAMED_FINDINGS], self.findings[NAMED_FINDINGS:]
        if len(named) < NAMED_FINDINGS:
            finding = damage(kind, self._path, self._position)
        else:
            first = rest[0] if rest else Finding(kind, self._path, self._position)
            count = first.lost_records + 1
            finding = further_damage(first.kind, self._path, first.offset or 0, count)
        self.findings = (*named, finding)

    def _read_record(self, size: int) -> FindingKind | None:
        """Commit a record of `size` bytes; why it was lost, if it was. Raises _Paused."""
        framed = self._here(size)
        start, end = (12, size - 4) if self._checksums else (8, size)
        try:
            record = Record(self._schema, memoryview(framed)[start:end], self._position + start)
        except BadMessage:
            record = None
        needs_checksum = self._checksums and (
            size <= VERIFIED_SIZE or self._verify_all or record is None or record.needs_checksum
        )
        stored = int.from_bytes(framed[end:], "little")
        if needs_checksum and masked_crc32c(framed[start:end]) != stored:
            return FindingKind.BAD_PAYLOAD
        if record is None:
            return FindingKind.BAD_RECORD
        self._commit(record, size)
        return None

    def _commit(self, record: Record, size: int) -> None:
        if record.starts_segment:
            self._begin_segment()
        rows = self._segments.setdefault(self._segment, _Rows()) if record.values else _Rows()
        shared: RecordRow | None = None
        for value in record.values:
            timed = value if self._schema.timed_values else record
            kind, number, wide, from_tensor, subtag, offset, length = value.content
            series = self._series_of(SeriesHead(kind, value.tag + subtag, from_tensor))
            if kind == 0:
                rows.points.append((series, timed.step, timed.wall_time, number, wide))
            else:
                if shared is None or (timed.step, timed.wall_time) != shared[:2]:
                    shared = (timed.step, timed.wall_time, self._position, size)
                    rows.records.append(shared)
                rows.places.append((series, len(rows.records) - 1, offset - self._position, length))
            if value.metadata is not None and series not in self._described:
                self._described.add(series)
                self._metadata[series] = value.metadata
            self._segment_has_data = True

    def _series_of(self, head: SeriesHead) -> int:
        key = (head.kind, head.tag)
        if key not in self._series:
            self._series[key] = len(self._series)
            self._new_series.append(head)
        return self._series[key]

    def _begin_segment(self) -> None:
        if not self._segment_has_data:
            return
        if self._segment + 1 < MAX_SEGMENTS:
            self._segment += 1
            self._segment_has_data = False
        elif not self._too_many_segments:
            self._too_many_segments = True
            self._lose(FindingKind.TOO_MANY_SEGMENTS)


# Columns of the rows ----------------------------------------------------------------------------


def scalar_columns(rows: Sequence[PointRow]) -> ScalarColumns:
    """The points by series, each in file order; nothing is shared."""
    table = np.array(rows, _POINT)
    table = table[np.argsort(table["series"], kind="stable")]
    series, start, count = np.unique(table["series"], return_index=True, return_counts=True)
    parts = np.split(table, start[1:]) if len(series) else []
    stats = [stats_row(part["step"], part["wall_time"], part["value"]) for part in parts]
    wide = bool(table["wide"].any())
    with np.errstate(over="ignore"):
        values32 = table["value"][: 0 if wide else None].astype(np.float32)
    return ScalarColumns(
        series=_frozen(series),
        count=_frozen(count),
        step_start=_frozen(start),
        wall_start=start,
        value_start=start,
        wide=_frozen(np.full(len(series), wide)),
        steps=_frozen(table["step"].copy()),
        wall_times=_frozen(table["wall_time"].copy()),
        values32=_frozen(values32),
        values64=_frozen(table["value"][: None if wide else 0].copy()),
        stats=SeriesStats(**_columns(np.array(stats, list(STATS_DTYPES.items())))),
    )


def value_columns(rows: Sequence[PlaceRow], records: Sequence[RecordRow]) -> ValueColumns:
    """The values in file order."""
    columns = _columns(np.array(rows, _PLACE))
    largest = max(columns[name].max(initial=0) for name in ("place", "length"))
    for name in ("place", "length"):
        if largest < 1 << 32:
            columns[name] = _frozen(columns[name].astype(np.uint32))
    return ValueColumns(**columns, records=RecordColumns(**_columns(np.array(records, _RECORD))))


def _columns(table: NDArray[Any]) -> dict[str, Any]:
    return {name: _frozen(table[name].copy()) for name in table.dtype.names or ()}


def _frozen(column: NDArray[Any]) -> NDArray[Any]:
    column.setflags(write=False)
    return column
