"""SampledRows: of each series, which steps a question asks for, and the query that fetches them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, Table

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.sampling import POINTS_PER_BUCKET, minmax
from mindviz.datavisual.series.selection import Downsample, StepRange, kept_ranks
from mindviz.datavisual.sql.column_transfer import read_columns
from mindviz.datavisual.sql.queries import (
    SeriesSet,
    counts,
    extreme_rows,
    ranked_rows,
    rows,
)
from mindviz.datavisual.sql.tables import SCALARS
from mindviz.datavisual.sql.whole_series import LONGEST_SERIES, read_whole_series


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """Some steps of some series in one table of values."""

    table: Table
    series: SeriesSet
    ranks: tuple[Int64s, ...] | None
    """Of each series, which of its steps in the range; None for all of them."""
    steps: int
    """In all."""
    longest: int
    """Steps of the series that has most of them."""

    @staticmethod
    def of(
        connection: Connection,
        table: Table,
        series: SeriesSet,
        *,
        lengths: Int64s,
        steps: StepRange,
        downsample: Downsample | None,
    ) -> SampledRows:
        """What is left of the range by the number of most recent steps and by sampling.

        `lengths` are those of the whole series. `minmax` looks at values, which is not done here:
        see `extremes`.
        """
        wanted = series.of_range(steps)
        count = lengths
        if steps.start is not None or steps.end is not None:
            count = _counts(connection, table, wanted)[0]
        kept = count if steps.most_recent is None else np.minimum(count, steps.most_recent)
        if downsample is not None and downsample.strategy != "minmax":
            kept = np.minimum(kept, downsample.num_points)
        total, longest = int(kept.sum()), int(kept.max(initial=0))
        if (kept == count).all():
            return SampledRows(table, wanted, None, total, longest)
        ranks = tuple(_ranks(n, steps.most_recent, downsample) for n in count.tolist())
        return SampledRows(table, wanted, ranks, total, longest)

    def statement(self, connection: Connection, names: Sequence[str]) -> Select[Any]:
        """The query: the number of the series, then these columns. In no particular order."""
        if self.ranks is None:
            return rows(connection, self.table, self.series, names)
        return ranked_rows(connection, self.table, self.series, names, self.ranks)


def _ranks(count: int, most_recent: int | None, downsample: Downsample | None) -> Int64s:
    first = 0 if most_recent is None else max(0, count - most_recent)
    by_rank = downsample is not None and downsample.strategy != "minmax"
    kept = kept_ranks(count - first, downsample) if by_rank else None
    return np.arange(first, count) if kept is None else first + kept


def _counts(connection: Connection, table: Table, series: SeriesSet) -> tuple[Int64s, Int64s]:
    """Of each series in the range: steps, and how many of them have a number (scalars)."""
    found = np.zeros((2, len(series.run_id)), np.int64)
    number, *columns = read_columns(connection, counts(connection, table, series))
    for row, column in zip(found, columns, strict=False):
        row[number] = column
    return found[0], found[1]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """Points of several series, by series and step; all arrays have the shape (n,)."""

    number: Int64s
    """Of the series."""
    step: Int64s
    wall_time: Float64s
    value: Float64s

    @staticmethod
    def of(columns: Sequence[NDArray[Any]]) -> Points:
        """Sorted, if they are not: databases mostly go by the key."""
        number, step = columns[:2]
        risen = (number[1:] > number[:-1]) | ((number[1:] == number[:-1]) & (step[1:] > step[:-1]))
        if not risen.all():
            order = np.lexsort((step, number))
            columns = [column[order] for column in columns]
        return Points(*columns)

    def selected(self, rows: Int64s) -> Points:
        """Only these, in this order."""
        return Points(self.number[rows], self.step[rows], self.wall_time[rows], self.value[rows])


_NAMES = ("step", "wall_time", "value")


def read_points(connection: Connection, sampled: SampledRows) -> Points:
    """The points of series of scalars."""
    if sampled.ranks is None and sampled.longest <= LONGEST_SERIES:
        return Points.of(read_whole_series(connection, sampled.series))
    return Points.of(read_columns(connection, sampled.statement(connection, _NAMES)))


def read_extremes(connection: Connection, sampled: SampledRows, num_points: int) -> Points:
    """What `sampling.minmax` leaves of the points.

    In SQL, unless the rule asks for more than its four points per bucket: for few points, for
    series with NaN, and of the most recent steps only.
    """
    series = sampled.series
    count, numbers = _counts(connection, SCALARS, series)
    simple = (count == numbers) | (count <= num_points)
    if num_points < POINTS_PER_BUCKET or sampled.ranks is not None:
        simple[:] = False
    parts: list[tuple[NDArray[Any], ...]] = []
    easy, hard = np.flatnonzero(simple), np.flatnonzero(~simple)
    if len(easy):
        statement = extreme_rows(connection, series.selected(easy), num_points)
        number, *columns = read_columns(connection, statement)
        parts.append((easy[number], *columns))
    if len(hard):
        ranks = sampled.ranks and tuple(sampled.ranks[n] for n in hard.tolist())
        all_of = SampledRows(SCALARS, series.selected(hard), ranks, 0, int(count.max()))
        points = read_points(connection, all_of)
        points = points.selected(_extremes(points, num_points))
        parts.append((hard[points.number], points.step, points.wall_time, points.value))
    if not parts:
        return read_points(connection, sampled)
    return Points.of([np.concatenate(columns) for columns in zip(*parts, strict=True)])


def _extremes(points: Points, num_points: int) -> Int64s:
    """Indices of the points that are kept."""
    value = points.value
    borders = [0, *(np.flatnonzero(np.diff(points.number)) + 1).tolist(), len(value)]
    kept = [
        start + minmax(value[start:end], num_points)
        for start, end in pairwise(borders)
        if end > start and num_points
    ]
    return np.concatenate([np.empty(0, np.int64), *kept])
