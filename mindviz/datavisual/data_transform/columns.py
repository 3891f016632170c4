"""Columns: what the scanner makes of a stretch of a log file. Frozen; nothing here is per point.

A file's data is a sequence of `Batch`es, each the frozen result of one scan of one segment. A batch
is in CSR form: one pool per column and, for each series in it, where its part of the pool starts.
Equal step or wall-time parts within a batch are stored once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Int64s = NDArray[np.int64]
Int32s = NDArray[np.int32]
Float64s = NDArray[np.float64]
Float32s = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SeriesStats:
    """One row per series of a `ScalarColumns`: what job lists need, kept when columns are evicted.

    `min`, `max` and their steps ignore NaN (infinities count); with nothing but NaN they are NaN
    and the first step. All arrays have the length of `ScalarColumns.series`.
    """

    first: Float64s
    last: Float64s
    min: Float64s
    max: Float64s
    first_step: Int64s
    last_step: Int64s
    min_step: Int64s
    max_step: Int64s
    nan_count: Int64s
    first_wall_time: Float64s
    """Smallest finite wall time; NaN if there is none."""
    last_wall_time: Float64s
    """Largest finite wall time; NaN if there is none."""
    increasing: Bools
    """Whether the steps of this series are strictly increasing within the batch."""


@dataclass(frozen=True, slots=True, eq=False)
class ScalarColumns:
    """Scalar points of one batch, in file order within each series.

    Series i has `count[i]` points: `steps[step_start[i]:][:count[i]]`,
    `wall_times[wall_start[i]:][:count[i]]` and, in `values64` where `wide[i]`, else in `values32`,
    `[value_start[i]:][:count[i]]`.
    """

    series: Int32s
    """Ids in the file's series table, ascending."""
    count: Int64s
    step_start: Int64s
    wall_start: Int64s
    value_start: Int64s
    wide: Bools
    steps: Int64s
    wall_times: Float64s
    values32: Float32s
    values64: Float64s
    stats: SeriesStats

    @property
    def points(self) -> int:
        """Number of points of all series."""
        return int(self.count.sum())

    @property
    def nbytes(self) -> int:
        """Bytes held by the pools."""
        return sum(a.nbytes for a in (self.steps, self.wall_times, self.values32, self.values64))


@dataclass(frozen=True, slots=True, eq=False)
class ValueIndex:
    """Where the values that are not scalars lie, one row per value, in file order.

    `record_offset` and `record_length` cover the whole record, framing included, because the
    checksum does; a value's bytes are `value_length` from `value_offset` in the file.
    """

    series: Int32s
    step: Int64s
    wall_time: Float64s
    record_offset: Int64s
    record_length: Int64s
    value_offset: Int64s
    value_length: Int64s

    @property
    def nbytes(self) -> int:
        """Bytes held by the columns."""
        return len(self.series) * (4 + 6 * 8)


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The data of one scan within one segment of a file."""

    segment: int
    """Counts from 0 within the file."""
    scalars: ScalarColumns
    values: ValueIndex


@dataclass(frozen=True, slots=True)
class SeriesHead:
    """A row of a file's series table; its id is its position."""

    kind: int
    """Index into `WireSchema.kinds`; 0 is scalar."""
    tag: bytes
    """As the file has it: not necessarily valid UTF-8, may be empty."""
    from_tensor: bool = False
    """Whether its first scalar point came from a rank-0 tensor."""


@dataclass(frozen=True, slots=True, eq=False)
class ScanResult:
    """What a scanner found since it was last asked."""

    batches: tuple[Batch, ...]
    new_series: tuple[SeriesHead, ...]
    """Rows to append to the file's series table."""
    metadata: dict[int, bytes]
    """Series id to its first metadata bytes, where one was seen since the last time."""
    records: int
    """Complete records read, damaged ones included."""
    offset: int
    """Everything before this offset in the file has been dealt with."""
