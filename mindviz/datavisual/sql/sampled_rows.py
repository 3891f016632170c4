"""SampledRows: selects steps of many series of tensors or blobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Select, Table

from mindviz.datavisual.series.columns import Int64s
from mindviz.datavisual.series.selection import Downsample, kept_ranks
from mindviz.datavisual.series.series_query import SeriesQuery
from mindviz.datavisual.sql.column_transfer import read_columns
from mindviz.datavisual.sql.queries import SeriesSet, counts, ranked_rows, rows


@dataclass(frozen=True, slots=True, eq=False)
class SampledRows:
    """Some steps of some series in one table of values."""

    table: Table
    series: SeriesSet
    ranks: tuple[Int64s, ...] | None
    """Per series, the ranks of its steps; None for all steps in the range."""
    steps: int
    """Total over all series."""

    @staticmethod
    def of(
        connection: Connection, table: Table, series: SeriesSet, lengths: Int64s, query: SeriesQuery
    ) -> SampledRows:
        """Apply the range and the sample to series of these `lengths`."""
        steps, downsample = query.steps, query.downsample
        in_range = series.of_range(steps)
        count = lengths
        if steps.start is not None or steps.end is not None:
            count = _counts(connection, table, in_range)
        kept = count if steps.most_recent is None else np.minimum(count, steps.most_recent)
        if downsample is not None:
            kept = np.minimum(kept, downsample.num_points)
        total = int(kept.sum())
        if (kept == count).all():
            return SampledRows(table, in_range, None, total)
        ranks = tuple(_ranks(n, steps.most_recent, downsample) for n in count.tolist())
        return SampledRows(table, in_range, ranks, total)

    def statement(self, connection: Connection, names: Sequence[str]) -> Select[Any]:
        """A query for the rows, unordered: the series' position, then these columns."""
        if self.ranks is None:
            return rows(connection, self.table, self.series, names)
        return ranked_rows(connection, self.table, self.series, names, self.ranks)


def _ranks(count: int, most_recent: int | None, downsample: Downsample | None) -> Int64s:
    first = 0 if most_recent is None else max(0, count - most_recent)
    kept = kept_ranks(count - first, downsample)
    return np.arange(first, count) if kept is None else first + kept


def _counts(connection: Connection, table: Table, series: SeriesSet) -> Int64s:
    all_counts = np.zeros(len(series.run_id), np.int64)
    number, count = read_columns(connection, counts(connection, table, series))
    all_counts[number] = count
    return all_counts
