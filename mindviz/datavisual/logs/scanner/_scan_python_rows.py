"""Rows of the pure-Python scanner, and how they are frozen into the arrays of a `Batch`.

The twin of `_scan_memory.pxi` and `_scan_freeze.pxi`.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.logs.scanner._scan_python_values import Value
from mindviz.datavisual.series.columns import (
    Bools,
    Float64s,
    Int64s,
    Offsets,
    RecordColumns,
    ScalarColumns,
    SeriesStats,
    ValueColumns,
)

Array = TypeVar("Array", bound=NDArray[np.generic])
Column = TypeVar("Column", Int64s, Float64s)


class PointRows:
    """Scalar points of one segment in file order, growing."""

    __slots__ = ("series", "step", "value", "wall_time", "wide")

    def __init__(self) -> None:
        self.series = array("i")
        self.step = array("q")
        self.wall_time = array("d")
        self.value = array("d")
        self.wide = array("b")

    def append(self, series: int, value: Value) -> None:
        """One more point; `value` holds a number."""
        self.series.append(series)
        self.step.append(value.step)
        self.wall_time.append(value.wall_time)
        self.value.append(0.0 if value.number is None else value.number)
        self.wide.append(value.wide)

    def freeze(self) -> ScalarColumns:
        """The points by series."""
        owner = np.frombuffer(self.series, np.int32)
        order = np.argsort(owner, kind="stable")
        series, first, count = np.unique(owner[order], return_index=True, return_counts=True)
        wide = _any_of_part(np.frombuffer(self.wide, np.int8)[order], first)
        steps = np.frombuffer(self.step, np.int64)[order]
        wall_times = np.frombuffer(self.wall_time, np.float64)[order]
        values = np.frombuffer(self.value, np.float64)[order]
        is_wide = np.repeat(wide, count)
        widths = np.where(wide, count, 0), np.where(wide, 0, count)
        value_start = np.where(wide, np.cumsum(widths[0]), np.cumsum(widths[1])) - count
        stats = _summarise(steps, wall_times, values, first, count)
        steps, step_start = _share_equal_parts(steps, first, count)
        wall_times, wall_start = _share_equal_parts(wall_times, first, count)
        with np.errstate(over="ignore"):
            values32 = values[~is_wide].astype(np.float32)
        return ScalarColumns(
            series=_frozen(series.astype(np.int32)),
            count=_frozen(count.astype(np.int64)),
            step_start=_frozen(step_start),
            wall_start=_frozen(wall_start),
            value_start=_frozen(value_start.astype(np.int64)),
            wide=_frozen(wide),
            steps=_frozen(steps),
            wall_times=_frozen(wall_times),
            values32=_frozen(values32),
            values64=_frozen(values[is_wide]),
            stats=stats,
        )


class PlaceRows:
    """Values of one segment that are only indexed, growing."""

    __slots__ = ("columns", "latest", "records", "wall_time")

    def __init__(self) -> None:
        self.columns = (array("i"), array("i"), array("q"), array("q"))
        """series, record, place, length"""
        self.records = (array("q"), array("q"), array("q"))
        """step, offset, length"""
        self.wall_time = array("d")
        self.latest: tuple[int, int, float] | None = None
        """Offset, step and wall time of the latest record."""

    def append(self, series: int, value: Value, offset: int, length: int) -> None:
        """One more value; it has a place in the record at `offset`."""
        place, size = value.place or (0, 0)
        record = (offset, value.step, value.wall_time)
        if record != self.latest:
            self.latest = record
            self.wall_time.append(value.wall_time)
            for column, number in zip(self.records, (value.step, offset, length), strict=True):
                column.append(number)
        row = (series, len(self.wall_time) - 1, place - offset, size)
        for column, number in zip(self.columns, row, strict=True):
            column.append(number)

    def freeze(self) -> ValueColumns:
        """The same rows as arrays."""
        series, record, place, length = self.columns
        step, offset, record_length = (_frozen(np.array(one, np.int64)) for one in self.records)
        narrow = max(max(place, default=0), max(length, default=0)) < 1 << 32
        return ValueColumns(
            series=_frozen(np.array(series, np.int32)),
            record=_frozen(np.array(record, np.int32)),
            place=_offsets(place, narrow=narrow),
            length=_offsets(length, narrow=narrow),
            records=RecordColumns(
                step, _frozen(np.array(self.wall_time, np.float64)), offset, record_length
            ),
        )


def _offsets(numbers: array[int], *, narrow: bool) -> Offsets:
    if narrow:
        return _frozen(np.array(numbers, np.uint32))
    return _frozen(np.array(numbers, np.int64))


def _frozen(column: Array) -> Array:
    column.setflags(write=False)
    return column


def _any_of_part(flags: NDArray[np.int8], first: Int64s) -> Bools:
    if not len(flags):
        return np.empty(0, np.bool_)
    return np.maximum.reduceat(flags, first).astype(np.bool_)


def _share_equal_parts(pool: Column, first: Int64s, count: Int64s) -> tuple[Column, Int64s]:
    """The pool without parts that equal the one before them, and where each part now starts."""
    bits = pool.view(np.int64)
    start = np.empty(len(first), np.int64)
    kept = np.ones(len(pool), np.bool_)
    end = 0
    for i, (at, size) in enumerate(zip(first.tolist(), count.tolist(), strict=True)):
        before = int(first[i - 1])
        if (
            i
            and size == count[i - 1]
            and np.array_equal(bits[before : before + size], bits[at : at + size])
        ):
            start[i] = start[i - 1]
            kept[at : at + size] = False
        else:
            start[i] = end
            end += size
    return pool[kept], start


def _summarise(
    steps: Int64s, wall_times: Float64s, values: Float64s, first: Int64s, count: Int64s
) -> SeriesStats:
    parts = len(first)
    ints = {name: np.empty(parts, np.int64) for name in ("first", "last", "min", "max", "nan")}
    floats = {
        name: np.full(parts, np.nan) for name in ("first", "last", "min", "max", "from", "to")
    }
    increasing = np.empty(parts, np.bool_)
    for i, (at, size) in enumerate(zip(first.tolist(), count.tolist(), strict=True)):
        part = slice(at, at + size)
        step, wall_time, value = steps[part], wall_times[part], values[part]
        nans = np.isnan(value)
        # Where all are NaN both are 0, and the value there is NaN, as it should be.
        low = int(np.argmin(np.where(nans, np.inf, value))) if not nans.all() else 0
        high = int(np.argmax(np.where(nans, -np.inf, value))) if not nans.all() else 0
        if nans[low]:  # infinity is the minimum, and a NaN stands before the first one
            low = int(np.argmin(nans))
        if nans[high]:
            high = int(np.argmin(nans))
        ints["first"][i], ints["last"][i] = step[0], step[-1]
        ints["min"][i], ints["max"][i], ints["nan"][i] = step[low], step[high], nans.sum()
        floats["first"][i], floats["last"][i] = value[0], value[-1]
        floats["min"][i], floats["max"][i] = value[low], value[high]
        finite = wall_time[np.isfinite(wall_time)]
        if len(finite):
            floats["from"][i], floats["to"][i] = finite.min(), finite.max()
        increasing[i] = bool(np.all(step[1:] > step[:-1]))
    return SeriesStats(
        first=_frozen(floats["first"]),
        last=_frozen(floats["last"]),
        min=_frozen(floats["min"]),
        max=_frozen(floats["max"]),
        first_step=_frozen(ints["first"]),
        last_step=_frozen(ints["last"]),
        min_step=_frozen(ints["min"]),
        max_step=_frozen(ints["max"]),
        nan_count=_frozen(ints["nan"]),
        first_wall_time=_frozen(floats["from"]),
        last_wall_time=_frozen(floats["to"]),
        increasing=_frozen(increasing),
    )


@cache
def no_points() -> ScalarColumns:
    """ScalarColumns of nothing."""
    return PointRows().freeze()


@cache
def no_places() -> ValueColumns:
    """ValueColumns of nothing."""
    return PlaceRows().freeze()
