"""FileSnapshot: what has been read of one log file, frozen."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mindviz.datavisual.logs.directories.discovery import FoundFile
from mindviz.datavisual.logs.snapshots.series_totals import SeriesTotals
from mindviz.datavisual.series.columns import (
    Batch,
    Float64s,
    Int32s,
    Int64s,
    SeriesHead,
    ValueIndex,
    concatenated,
)
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts
from mindviz.datavisual.store import LogFileInfo

WHOLE_FILE = -1
"""In place of a series id: the file as a whole is one value, such as a graph."""


_FEW = 200
"""Ids and values of a typical batch."""


@dataclass(frozen=True, slots=True)
class SegmentSpan:
    """The time span of one segment: smallest and largest finite wall time, or NaN."""

    segment: int
    first_wall_time: float
    last_wall_time: float


def extended_span(batch: Batch, known: SegmentSpan | None) -> SegmentSpan:
    """The span of a segment with one more batch."""
    first, last = batch.scalars.stats.first_wall_time, batch.scalars.stats.last_wall_time
    if len(batch.values):
        times = batch.values.records.wall_time
        finite = times[np.isfinite(times)]
        first, last = np.concatenate([first, finite]), np.concatenate([last, finite])
    if known is None:
        known = SegmentSpan(batch.segment, math.nan, math.nan)
    return SegmentSpan(  # fmin and fmax ignore NaN
        batch.segment,
        float(np.fmin.reduce(first, initial=known.first_wall_time)),
        float(np.fmax.reduce(last, initial=known.last_wall_time)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class SegmentSeries:
    """The series in a segment of a file; never evicted."""

    series: Int32s
    """Ids in the file's series table, ascending."""
    values: Int64s
    """Number of non-scalar values of each."""

    def extended(self, batch: Batch) -> SegmentSeries:
        """With one more batch of the segment."""
        ids, values = batch.scalars.series, batch.values.series
        if not len(values):  # most files have only scalars, the same in each batch
            if not len(self.series):
                return SegmentSeries(ids, _no_values(len(ids)))
            if np.array_equal(ids, self.series):
                return self
        if len(values) + len(ids) + len(self.series) < _FEW:
            return self._extended_by_few(ids.tolist(), values.tolist())
        counted, counts = _counts(values)
        # Without counts, `unique` imports numpy.ma: as long as reading 250 MB of images.
        series, _ = np.unique(np.concatenate([self.series, ids, counted]), return_counts=True)
        totals = np.zeros(len(series), dtype=np.int64)
        totals[series.searchsorted(self.series)] = self.values
        totals[series.searchsorted(counted)] += counts
        return SegmentSeries(series, totals)

    def _extended_by_few(self, ids: list[int], values: list[int]) -> SegmentSeries:
        """In Python, which is faster for a few items."""
        totals = dict(zip(self.series.tolist(), self.values.tolist(), strict=True))
        for series in ids:
            totals.setdefault(series, 0)
        for series in values:
            totals[series] = totals.get(series, 0) + 1
        ordered = sorted(totals)
        return SegmentSeries(
            np.array(ordered, dtype=np.int32),
            np.array([totals[series] for series in ordered], dtype=np.int64),
        )

    def row_of(self, series: int) -> int | None:
        """Row of a series in the table; None if the segment has nothing of it."""
        row = int(self.series.searchsorted(series))
        return row if row < len(self.series) and self.series[row] == series else None


def _counts(series: Int32s) -> tuple[Int32s, Int64s]:
    if not len(series) or int(series.max()) > 2 * len(series):
        return np.unique(series, return_counts=True)
    counts = np.bincount(series)  # no sort: a batch may hold millions of values
    ids = np.flatnonzero(counts)
    return ids.astype(np.int32), counts[ids]


@lru_cache(maxsize=64)
def _no_values(size: int) -> Int64s:
    return np.zeros(size, dtype=np.int64)


NO_SERIES = SegmentSeries(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class FileSnapshot:
    """What has been read of one log file."""

    found: FoundFile
    fingerprint: str
    """Constant while data read earlier is still the beginning of the file."""
    label: str
    """The label in the log; usually empty."""
    begun: float | None
    """Wall time of the first record, for formats that use it."""
    series: Sequence[SeriesHead]
    """The series table, shared and growing: the first `series_count` rows are this snapshot's."""
    series_count: int
    metadata: Mapping[int, bytes]
    """Series id -> its first metadata; shared and growing."""
    metadata_count: int
    batches: tuple[Batch, ...]
    totals: SeriesTotals
    spans: tuple[SegmentSpan, ...]
    held: Mapping[int, SegmentSeries]
    """By segment."""
    records: int
    offset: int
    """Everything before it is read."""
    findings: tuple[Finding, ...]
    facts: LineageFacts = NO_FACTS
    unread: str = ""
    """Why the rest is unreadable at the moment; empty if it is not."""
    read_bytes: int = 0
    """Bytes of the columns read so far, in memory or not; without those of earlier processes."""
    restart_step: int | None = None
    """The step of a restart that its beginning declares; None if it doesn't."""
    is_hparams_session: bool = False
    """Whether it is a session of TensorBoard's hparams with a single value per scalar."""

    @property
    def extent(self) -> tuple[str, str, int, int]:
        """Tells how far the file has been read."""
        return self.found.path, self.fingerprint, self.offset, self.series_count

    @property
    def column_bytes(self) -> int:
        """Bytes of the columns of the whole file, judging by what has been read."""
        return self.read_bytes * max(self.offset, self.found.identity.size) // max(1, self.offset)

    @property
    def info(self) -> LogFileInfo:
        """What a listing shows."""
        file = self.found
        kind, size = file.kind.name, file.identity.size
        return LogFileInfo(
            file.relative_path, file.format.name, kind, size, self.records, self.findings
        )

    @property
    def first_wall_time(self) -> float:
        """When its first segment was written; infinity if unknown, to sort last."""
        times = [span.first_wall_time for span in self.spans]
        return min((time for time in times if not math.isnan(time)), default=math.inf)

    @property
    def last_wall_time(self) -> float:
        """The newest wall time of its records, or NaN."""
        times = [span.last_wall_time for span in self.spans]
        return max((time for time in times if not math.isnan(time)), default=math.nan)

    def _whole(self) -> ValueIndex:
        """One row: the file itself, at step 0 and its mtime."""
        offset = np.zeros(1, dtype=np.int64)
        length = np.array([self.found.identity.size])
        return ValueIndex(
            series=np.array([WHOLE_FILE], dtype=np.int32),
            step=offset,
            wall_time=np.array([self.found.identity.mtime_ns / 1e9]),
            record_offset=offset,
            record_length=length,
            value_offset=offset,
            value_length=length,
        )

    def kind(self, series: int) -> str:
        """The kind of a row of the series table."""
        schema = self.found.kind.schema
        return schema.kinds[self.series[series].kind] if schema else self.found.kind.name

    def count_of(self, series: int) -> int:
        """Number of points or values of a series."""
        if series == WHOLE_FILE:
            return 1
        rows = [(kind_series, kind_series.row_of(series)) for kind_series in self.held.values()]
        values = sum(int(kind_series.values[row]) for kind_series, row in rows if row is not None)
        return int(self.totals.count[series]) + values

    def segments_with(self, series: int) -> tuple[SegmentSpan, ...]:
        """The segments with points or values of a series."""
        if series == WHOLE_FILE:
            return (SegmentSpan(0, math.nan, math.nan),)
        if len(self.spans) == 1:
            return self.spans
        return tuple(
            span for span in self.spans if self.held[span.segment].row_of(series) is not None
        )

    def scalars(self, series: int, segment: int) -> tuple[Int64s, Float64s, Float64s]:
        """Steps, wall times and values of a scalar series in one segment, in file order."""
        parts = []
        for batch in self.batches:
            if batch.segment != segment:
                continue  # first, as a file may have a thousand segments
            columns = batch.scalars
            # A Python int would convert the whole array.
            row = int(columns.series.searchsorted(columns.series.dtype.type(series)))
            if row < len(columns.series) and columns.series[row] == series:
                parts.append(columns.points_of(row))
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return np.empty(0, dtype=np.int64), np.empty(0), np.empty(0)
        step, wall_time, value = zip(*parts, strict=True)
        return np.concatenate(step), np.concatenate(wall_time), np.concatenate(value)

    def values(self, series: int, segment: int) -> ValueIndex:
        """The index rows of a series in one segment, in file order."""
        if series == WHOLE_FILE:
            return self._whole()
        return concatenated(
            [
                batch.values.selected(batch.values.rows_of(series))
                for batch in self.batches
                if batch.segment == segment
            ]
        )
