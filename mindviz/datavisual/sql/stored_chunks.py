"""Stored chunks: reads points and aggregates of many series, and of each only the chunks it needs.

Statistics tell how many points are selected and what whole chunks hold; only chunks at the ends of
a range of steps are decoded for that.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import ColumnElement, Connection, and_, select

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints
from mindviz.datavisual.series.selection import StepRange, kept_ranks, step_slice
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.sql.column_codec import damaged_series
from mindviz.datavisual.sql.column_transfer import fetched
from mindviz.datavisual.sql.queries import SeriesSet, series_table
from mindviz.datavisual.sql.scalar_chunks import CHUNK_POINTS, points_of
from mindviz.datavisual.sql.tables import SCALAR_CHUNKS

_BATCH_POINTS = 1 << 22
"""Points that one query reads; their bytes are in memory beside the decoded columns."""
_KEPT_CHUNKS = 64
"""Chunks at the ends of ranges that are not read again for their points."""

_TABLE = SCALAR_CHUNKS.c
_PLACE = ("first_rank", "length", "first_step", "last_step")


class StoredChunk(NamedTuple):
    """A chunk of one of the selected series, without its points."""

    number: int
    """Position of the series."""
    first_rank: int
    length: int
    first_step: int
    last_step: int

    def within(self, steps: StepRange) -> bool:
        """Whether all of its steps are in the range."""
        return (steps.start is None or self.first_step >= steps.start) and (
            steps.end is None or self.last_step <= steps.end
        )


def listed_chunks(
    connection: Connection,
    series: SeriesSet,
    first_rank: Int64s | None = None,
) -> list[StoredChunk]:
    """The chunks with steps in the series' range, sorted.

    `first_rank` omits chunks that end before that rank of their series.
    """
    bounds = [_overlaps(series)]
    selected = series_table(connection, series, *([] if first_rank is None else [first_rank]))
    if first_rank is not None:
        bounds.append(_TABLE.first_rank + _TABLE.length > selected.c.c3)
    statement = select(selected.c.c0, *(_TABLE[name] for name in _PLACE)).where(
        _TABLE.run_id == selected.c.c1, _TABLE.tag_id == selected.c.c2, *bounds
    )
    return sorted(StoredChunk(*row) for row in fetched(connection, statement))


def _overlaps(series: SeriesSet) -> ColumnElement[bool]:
    bounds = []
    if series.start is not None:
        bounds.append(_TABLE.last_step >= series.start)
    if series.end is not None:
        bounds.append(_TABLE.first_step <= series.end)
    return and_(True, *bounds)


def read_chunks(
    connection: Connection, series: SeriesSet, chunks: Sequence[StoredChunk]
) -> Iterator[tuple[StoredChunk, ScalarPoints]]:
    """The points of these chunks, in the same order. Raises DamagedValue."""
    at_once = _BATCH_POINTS // CHUNK_POINTS
    for start in range(0, len(chunks), at_once):
        batch = chunks[start : start + at_once]
        keys = series.selected([chunk.number for chunk in batch])
        ranks = np.array([chunk.first_rank for chunk in batch], np.int64)
        selected = series_table(connection, keys, ranks)
        statement = select(selected.c.c0, _TABLE.data).where(
            _TABLE.run_id == selected.c.c1,
            _TABLE.tag_id == selected.c.c2,
            _TABLE.first_rank == selected.c.c3,
        )
        data = dict(fetched(connection, statement))
        for place, chunk in enumerate(batch):
            yield chunk, points_of(data.pop(place, b""), chunk.length)


def read_series(
    connection: Connection, series: SeriesSet, lengths: Int64s
) -> Iterator[ScalarPoints]:
    """All points of each series, which has this length. Raises DamagedValue."""
    batch = np.cumsum(lengths) // _BATCH_POINTS
    borders = np.flatnonzero(np.diff(batch, prepend=-1))
    for numbers in np.split(np.arange(len(batch)), borders)[1:]:
        selected = series_table(connection, series.selected(numbers))
        statement = select(selected.c.c0, _TABLE.first_rank, _TABLE.length, _TABLE.data).where(
            _TABLE.run_id == selected.c.c1, _TABLE.tag_id == selected.c.c2
        )
        parts: list[list[tuple[int, ScalarPoints]]] = [[] for _ in numbers]
        for number, first_rank, length, data in fetched(connection, statement):
            parts[number].append((first_rank, points_of(data, length)))
        for of_series, length in zip(parts, lengths[numbers].tolist(), strict=True):
            of_series.sort(key=itemgetter(0))
            points = joined([points for _, points in of_series])
            if len(points.step) != length:
                raise damaged_series()
            yield points


def joined(parts: Sequence[ScalarPoints]) -> ScalarPoints:
    """The points of all parts."""
    if len(parts) == 1:
        return parts[0]
    return ScalarPoints(
        np.concatenate([np.empty(0, np.int64), *(part.step for part in parts)]),
        np.concatenate([np.empty(0), *(part.wall_time for part in parts)]),
        np.concatenate([np.empty(0), *(part.value for part in parts)]),
    )


class SelectedPoints:
    """The points of series that a range and a sample select; `minmax` is left to the caller."""

    def __init__(
        self, connection: Connection, series: SeriesSet, lengths: Int64s, query: SeriesQuery
    ) -> None:
        """Count them. Raises DamagedValue."""
        steps, downsample = query.steps, query.downsample
        self._connection = connection
        self._series = series.of_range(steps)
        self._lengths = lengths
        self._chunks: list[StoredChunk] | None = None
        self._known: dict[StoredChunk, ScalarPoints] = {}
        # Per series, a window of ranks.
        self._first, self._count = np.zeros(len(lengths), np.int64), lengths
        if self._series.is_limited:
            self._chunks = listed_chunks(connection, self._series)
            self._count_in_range(self._chunks, StepRange(steps.start, steps.end))
        if steps.most_recent is not None:
            end = self._first + self._count
            self._count = np.minimum(self._count, steps.most_recent)
            self._first = end - self._count
        is_sampled = downsample is not None and downsample.strategy != "minmax"
        self._kept = [
            kept_ranks(count, downsample) if is_sampled else None for count in self._count.tolist()
        ]
        """Per series, the ranks in its window; None for all."""
        self.total = sum(
            count if kept is None else len(kept)
            for count, kept in zip(self._count.tolist(), self._kept, strict=True)
        )
        """Number of points of all series."""

    def _count_in_range(self, chunks: Sequence[StoredChunk], steps: StepRange) -> None:
        self._count = np.zeros(len(self._lengths), np.int64)
        for chunk in reversed(chunks):
            self._first[chunk.number] = chunk.first_rank
            self._count[chunk.number] += chunk.length
        ends = [chunk for chunk in chunks if not chunk.within(steps)]
        for chunk, points in read_chunks(self._connection, self._series, ends):
            if len(self._known) < _KEPT_CHUNKS:
                self._known[chunk] = points
            rows = range(chunk.length)[step_slice(points.step, steps)]
            self._first[chunk.number] += rows.start
            self._count[chunk.number] += len(rows) - chunk.length

    def read(self) -> Iterator[ScalarPoints]:
        """The points of each series. Raises DamagedValue."""
        if self.total == int(self._lengths.sum()):
            yield from read_series(self._connection, self._series, self._lengths)
            return
        needed = self._needed()
        unknown = [chunk for chunk, _ in needed if chunk not in self._known]
        read = read_chunks(self._connection, self._series, unknown)
        parts: list[list[ScalarPoints]] = [[] for _ in self._lengths]
        for chunk, rows in needed:
            points = self._known[chunk] if chunk in self._known else next(read)[1]
            # Indexing copies, so that a few points do not keep a chunk in memory.
            columns = (points.step[rows], points.wall_time[rows], points.value[rows])
            parts[chunk.number].append(ScalarPoints(*columns))
        yield from map(joined, parts)

    def _needed(self) -> list[tuple[StoredChunk, Int64s]]:
        """The chunks with selected points, and their rows of these."""
        chunks = self._chunks
        if chunks is None:
            chunks = listed_chunks(self._connection, self._series, self._first)
        needed = []
        first, count = self._first.tolist(), self._count.tolist()
        for chunk in chunks:
            before = first[chunk.number] - chunk.first_rank
            end = min(before + count[chunk.number], chunk.length)
            rows = np.arange(max(before, 0), max(end, 0))
            kept = self._kept[chunk.number]
            if kept is not None:
                start, stop = np.searchsorted(kept, (-before, chunk.length - before))
                rows = kept[start:stop] + before
            if len(rows):
                needed.append((chunk, rows))
        return needed


def aggregates(
    connection: Connection, series: SeriesSet, steps: StepRange
) -> Sequence[ScalarAggregate | None]:
    """The aggregate of each series' points in the range; None without points.

    Raises DamagedValue.
    """
    in_range = series.of_range(steps)
    names = ("min", "min_step", "max", "max_step", "first", "last")
    selected = series_table(connection, in_range)
    statement = select(selected.c.c0, *(_TABLE[name] for name in (*_PLACE, *names))).where(
        _TABLE.run_id == selected.c.c1, _TABLE.tag_id == selected.c.c2, _overlaps(in_range)
    )
    rows = [(StoredChunk(*row[:5]), row[5:]) for row in sorted(fetched(connection, statement))]
    read = read_chunks(connection, series, [chunk for chunk, _ in rows if not chunk.within(steps)])
    totals: list[ScalarAggregate | None] = [None] * len(series.run_id)
    for chunk, statistics in rows:
        known: ScalarAggregate | None = None
        if chunk.within(steps):
            known = ScalarAggregate(chunk.length, *map(_number, statistics))
        else:
            known = ScalarAggregate.of(next(read)[1].selected(steps, None))
        total = totals[chunk.number]
        if known is not None:
            totals[chunk.number] = known if total is None else total.followed_by(known)
    return totals


def _number(value: Any) -> Any:
    return math.nan if value is None else value
