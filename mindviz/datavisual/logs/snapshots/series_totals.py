"""SeriesTotals: statistics of a file's scalar series, kept when its points are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from mindviz.datavisual.series.columns import STATS_DTYPES, Int64s, ScalarColumns, SeriesStats


@dataclass(frozen=True, slots=True, eq=False)
class SeriesTotals:
    """One row per series of a file, in the order of its series table; never evicted.

    Series that are not scalar have count 0. The statistics are of raw points: for a series that
    restarts (`stats.increasing` is False), use its points instead.
    """

    count: Int64s
    stats: SeriesStats

    @property
    def are_of_one_step(self) -> bool:
        """Whether no series has points at two steps."""
        return bool((self.stats.first_step == self.stats.last_step).all())

    @staticmethod
    @lru_cache(maxsize=64)
    def empty(size: int) -> SeriesTotals:
        """Totals of `size` series without points; shared, as many files have equally many."""
        nan = np.full(size, np.nan)
        zero = np.zeros(size, dtype=np.int64)
        blank = {"f8": nan, "i8": zero, "?": np.ones(size, dtype=np.bool_)}
        columns = {name: blank[dtype] for name, dtype in STATS_DTYPES.items()}
        return SeriesTotals(zero, SeriesStats(**columns))

    def extended(self, size: int, columns: ScalarColumns) -> SeriesTotals:
        """These totals plus the points of `columns`, for a series table of `size` rows."""
        ids, new = columns.series, columns.stats
        if not len(self.count) and len(ids) == size:
            return SeriesTotals(count=columns.count, stats=new)
        grown = self.of_size(size)
        count = grown.count.copy()
        old = SeriesStats(**{name: getattr(grown.stats, name).copy() for name in STATS_DTYPES})
        seen = count[ids] > 0
        # fmin and comparisons with NaN keep the number.
        lower = (new.min < old.min[ids]) | np.isnan(old.min[ids])
        higher = (new.max > old.max[ids]) | np.isnan(old.max[ids])
        old.increasing[ids] &= new.increasing & (~seen | (new.first_step > old.last_step[ids]))
        fresh = ids[~seen]
        old.first[fresh] = new.first[~seen]
        old.first_step[fresh] = new.first_step[~seen]
        old.last[ids] = new.last
        old.last_step[ids] = new.last_step
        old.min[ids[lower]] = new.min[lower]
        old.min_step[ids[lower]] = new.min_step[lower]
        old.max[ids[higher]] = new.max[higher]
        old.max_step[ids[higher]] = new.max_step[higher]
        old.nan_count[ids] += new.nan_count
        old.first_wall_time[ids] = np.fmin(old.first_wall_time[ids], new.first_wall_time)
        old.last_wall_time[ids] = np.fmax(old.last_wall_time[ids], new.last_wall_time)
        count[ids] += columns.count
        return SeriesTotals(count=count, stats=old)

    def of_size(self, size: int) -> SeriesTotals:
        """These totals with empty rows appended, for a series table of `size` rows."""
        if size == len(self.count):
            return self
        if not len(self.count):
            return SeriesTotals.empty(size)
        more = SeriesTotals.empty(size - len(self.count))
        columns = {
            name: np.concatenate([getattr(self.stats, name), getattr(more.stats, name)])
            for name in STATS_DTYPES
        }
        count = np.concatenate([self.count, more.count])
        return SeriesTotals(count, SeriesStats(**columns))


class KeptTotals(SeriesTotals):
    """Totals in columns that are created on access, in the order of the fields."""

    __slots__ = ("_columns", "_known")
    _columns: tuple[Sequence[Any], int]
    _known: SeriesTotals | None

    def __init__(self, columns: Sequence[Any], start: int) -> None:
        """`columns[start]` are the counts."""
        object.__setattr__(self, "_columns", (columns, start))
        object.__setattr__(self, "_known", None)

    def _totals(self) -> SeriesTotals:
        known = self._known
        if known is None:
            columns, start = self._columns
            count, *stats = columns[start : start + 1 + len(STATS_DTYPES)]
            known = SeriesTotals(count, SeriesStats(*stats))
            object.__setattr__(self, "_known", known)
        return known

    @property
    def count(self) -> Int64s:
        """As in `SeriesTotals`."""
        return self._totals().count

    @property
    def stats(self) -> SeriesStats:
        """As in `SeriesTotals`."""
        return self._totals().stats


NO_TOTALS = SeriesTotals.empty(0)
