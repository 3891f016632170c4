"""Turns the rows that the Python scanner collects into the columns of a `Batch`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mindviz.datavisual.series.columns import (
    RecordColumns,
    ScalarColumns,
    SeriesStats,
    ValueColumns,
)

PointRow = tuple[int, int, float, float, bool]
"""Series, step, wall time, value, whether that needs a double."""
PlaceRow = tuple[int, int, int, int]
"""Series, row of its record, offset in the record, length."""
RecordRow = tuple[int, float, int, int]
"""Step, wall time, offset, length."""

_POINT = [("series", "i4"), ("step", "i8"), ("wall_time", "f8"), ("value", "f8"), ("wide", "?")]
_PLACE = [("series", "i4"), ("record", "i4"), ("place", "i8"), ("length", "i8")]
_RECORD = [("step", "i8"), ("wall_time", "f8"), ("offset", "i8"), ("length", "i8")]
_STATS = [
    *((name, "f8") for name in ("first", "last", "min", "max")),
    *((name, "i8") for name in ("first_step", "last_step", "min_step", "max_step", "nan_count")),
    *((name, "f8") for name in ("first_wall_time", "last_wall_time")),
    ("increasing", "?"),
]

Array = TypeVar("Array", bound=NDArray[Any])


def scalar_columns(rows: Sequence[PointRow]) -> ScalarColumns:
    """The points by series, each in file order; nothing is shared."""
    table = np.array(rows, _POINT)
    table = table[np.argsort(table["series"], kind="stable")]
    series, start, count = np.unique(table["series"], return_index=True, return_counts=True)
    parts = np.split(table, start[1:]) if len(series) else []
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
        stats=SeriesStats(**_columns(np.array([_stats(part) for part in parts], _STATS))),
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


def _stats(part: NDArray[Any]) -> tuple[Any, ...]:
    steps, wall_times, values = part["step"], part["wall_time"], part["value"]
    numbers = np.flatnonzero(~np.isnan(values))
    low = numbers[values[numbers].argmin()] if len(numbers) else 0
    high = numbers[values[numbers].argmax()] if len(numbers) else 0
    finite = wall_times[np.isfinite(wall_times)]
    return (
        *(values[i] for i in (0, -1, low, high)),
        *(steps[i] for i in (0, -1, low, high)),
        len(values) - len(numbers),
        *((finite.min(), finite.max()) if len(finite) else (np.nan, np.nan)),
        np.all(steps[1:] > steps[:-1]),
    )


def _frozen(column: Array) -> Array:
    column.setflags(write=False)
    return column
