"""SampledRows: selects steps of many series and reads their points.

Whole series take the fastest way of each database. SQLite is queried per series, because a query
costs it microseconds and a join something per row. PostgreSQL is queried once and packs each series
into arrays, because its driver's cost is per row. Source of the format of arrays: PostgreSQL's
`array_send`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select, Table, bindparam, func, select, true

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.selection import Downsample, kept_ranks
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.sql.column_transfer import Array, copied, read_columns, without_null
from mindviz.datavisual.sql.queries import SeriesSet, counts, ranked_rows, rows, series_table
from mindviz.datavisual.sql.tables import SCALARS

LONGEST_SERIES = 1 << 22
"""Points of a series that is read whole; a row of PostgreSQL is limited to 1 GB."""

_DTYPES = {"step": np.dtype(np.int64), "wall_time": np.dtype(float), "value": np.dtype(float)}


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """Some steps of some series in one table of values."""

    table: Table
    series: SeriesSet
    ranks: tuple[Int64s, ...] | None
    """Per series, the ranks of its steps; None for all steps in the range."""
    steps: int
    """Total over all series."""
    longest: int
    """Number of steps of the longest series."""

    @staticmethod
    def of(
        connection: Connection, table: Table, series: SeriesSet, lengths: Int64s, query: SeriesQuery
    ) -> SampledRows:
        """Apply the range and the sample to series of these `lengths`.

        `minmax` needs values, so callers apply it to the points.
        """
        steps, downsample = query.steps, query.downsample
        in_range = series.of_range(steps)
        count = lengths
        if steps.start is not None or steps.end is not None:
            count = _counts(connection, table, in_range)
        kept = count if steps.most_recent is None else np.minimum(count, steps.most_recent)
        if downsample is not None and downsample.strategy != "minmax":
            kept = np.minimum(kept, downsample.num_points)
        total, longest = int(kept.sum()), int(kept.max(initial=0))
        if (kept == count).all():
            return SampledRows(table, in_range, None, total, longest)
        ranks = tuple(_ranks(n, steps.most_recent, downsample) for n in count.tolist())
        return SampledRows(table, in_range, ranks, total, longest)

    def statement(self, connection: Connection, names: Sequence[str]) -> Select[Any]:
        """A query for the rows, unordered: the series' position, then these columns."""
        if self.ranks is None:
            return rows(connection, self.table, self.series, names)
        return ranked_rows(connection, self.table, self.series, names, self.ranks)


def _ranks(count: int, most_recent: int | None, downsample: Downsample | None) -> Int64s:
    first = 0 if most_recent is None else max(0, count - most_recent)
    by_rank = downsample is not None and downsample.strategy != "minmax"
    kept = kept_ranks(count - first, downsample) if by_rank else None
    return np.arange(first, count) if kept is None else first + kept


def _counts(connection: Connection, table: Table, series: SeriesSet) -> Int64s:
    all_counts = np.zeros(len(series.run_id), np.int64)
    number, count = read_columns(connection, counts(connection, table, series))
    all_counts[number] = count
    return all_counts


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points of several series, sorted by series and step; all arrays have the shape (n,)."""

    number: Int64s
    """Position of the series."""
    step: Int64s
    wall_time: Float64s
    value: Float64s

    @staticmethod
    def of(columns: Sequence[Array]) -> Points:
        """Sort if necessary; databases usually answer in the order of the key."""
        number, step = columns[:2]
        risen = (number[1:] > number[:-1]) | ((number[1:] == number[:-1]) & (step[1:] > step[:-1]))
        if not risen.all():
            order = np.lexsort((step, number))
            columns = [column[order] for column in columns]
        return Points(*columns)


def read_points(connection: Connection, sampled: SampledRows) -> Points:
    """The listed points of series of scalars."""
    if sampled.ranks is None and sampled.longest <= LONGEST_SERIES:
        return Points.of(_read_whole_series(connection, sampled.series))
    return Points.of(read_columns(connection, sampled.statement(connection, tuple(_DTYPES))))


# Whole series -------------------------------------------------------------------------------------


def _read_whole_series(connection: Connection, series: SeriesSet) -> tuple[Array, ...]:
    """Position of the series, step, wall time and value of each point in the range of steps."""
    if connection.dialect.name == "sqlite":
        parts = _one_by_one(connection, series)
    else:
        parts = _packed(connection, series)
    lengths = [len(step) for _, (step, *_) in parts]
    number = np.repeat(np.array([number for number, _ in parts], np.int64), lengths)
    empty = [np.empty(0, dtype) for dtype in _DTYPES.values()]
    columns = zip(empty, *(columns for _, columns in parts), strict=True)
    return number, *(np.concatenate(column) for column in columns)


_Parts = list[tuple[int, tuple[Array, ...]]]
"""Position of a series, and its columns."""


def _one_by_one(connection: Connection, series: SeriesSet) -> _Parts:
    query = (
        select(*(SCALARS.c[name] for name in _DTYPES))
        .where(
            SCALARS.c.run_id == bindparam("run_id"),
            SCALARS.c.tag_id == bindparam("tag_id"),
            series.holds(SCALARS),
        )
        .order_by(SCALARS.c.step)
    )
    compiled = query.compile(connection.engine)
    raw: Any = connection.connection.driver_connection
    parts: _Parts = []
    keys = zip(series.run_id.tolist(), series.tag_id.tolist(), strict=True)
    for number, (run_id, tag_id) in enumerate(keys):
        values = compiled.construct_params({"run_id": run_id, "tag_id": tag_id})
        arguments = [values[name] for name in compiled.positiontup or ()]
        parts.append((number, _columns(raw, str(compiled), arguments)))
    return parts


def _columns(raw: Any, query: str, arguments: list[Any]) -> tuple[Array, ...]:
    try:
        rows = np.fromiter(raw.execute(query, arguments), list(_DTYPES.items()))
    except TypeError:  # a NULL, which is NaN
        tuples = raw.execute(query, arguments).fetchall()
        columns = zip(zip(*tuples, strict=True), _DTYPES.values(), strict=True)
        return tuple(np.array(column, dtype) for column, dtype in columns)
    return tuple(rows[name] for name in _DTYPES)


def _packed(connection: Connection, series: SeriesSet) -> _Parts:
    listed = series_table(connection, series)
    packed = (
        select(*(func.array_agg(without_null(SCALARS.c[name])).label(name) for name in _DTYPES))
        .where(
            SCALARS.c.run_id == listed.c.c1, SCALARS.c.tag_id == listed.c.c2, series.holds(SCALARS)
        )
        .lateral("packed")
    )
    query = select(listed.c.c0, *packed.c).select_from(listed.join(packed, true()))
    answer = copied(connection, query)
    parts: _Parts = []
    at = 0
    while at < len(answer):
        # Skip the number of fields and the length of the first one.
        number = int.from_bytes(answer[at + 6 : at + 14], "big")
        at += 14
        columns = []
        for dtype in _DTYPES.values():
            size = max(int.from_bytes(answer[at : at + 4], "big", signed=True), 0)
            columns.append(_array(answer, at + 4, size, dtype))
            at += 4 + size
        parts.append((number, tuple(columns)))
    return parts


_HEADER = 20
"""Bytes of dimensions, NULL flag, type, size and lower bound."""


def _array(answer: bytes, at: int, size: int, dtype: np.dtype[Any]) -> Array:
    """An array without NULLs; empty for NULL itself."""
    if not size:
        return np.empty(0, dtype)
    element = [("length", ">i4"), ("value", dtype.newbyteorder(">").str)]
    count = (size - _HEADER) // np.dtype(element).itemsize
    return np.frombuffer(answer, element, count, at + _HEADER)["value"].astype(dtype)
