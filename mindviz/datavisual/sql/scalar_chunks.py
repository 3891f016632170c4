"""Scalar chunks: the points of a series in parts, each encoded and with its statistics."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.generic_series import ScalarAggregate, ScalarPoints
from mindviz.datavisual.sql.column_codec import decoded, encoded

CHUNK_POINTS = 8192
"""Points of a full chunk: about 40 kB, less than a query costs otherwise."""


class ScalarChunk(NamedTuple):
    """A row of `SCALAR_CHUNKS` without run_id."""

    tag_id: int
    first_rank: int
    """Points of the series before this chunk."""
    length: int
    first_step: int
    last_step: int
    min: float | None
    max: float | None
    first: float | None
    last: float | None
    min_step: int
    max_step: int
    nan_count: int
    data: bytes


class SupersededChunk(NamedTuple):
    """A row of `SUPERSEDED_CHUNKS` without run_id."""

    tag_id: int
    first_rank: int
    length: int
    data: bytes


def chunks_of(tag_id: int, first_rank: int, points: ScalarPoints) -> Iterator[ScalarChunk]:
    """The chunks of a series' points from `first_rank` on."""
    for part in _parts(len(points.step)):
        step, wall_time, value = points.step[part], points.wall_time[part], points.value[part]
        aggregate = ScalarAggregate.of(ScalarPoints(step, wall_time, value))
        assert aggregate is not None
        yield ScalarChunk(
            tag_id=tag_id,
            first_rank=first_rank + part.start,
            length=aggregate.count,
            first_step=int(step[0]),
            last_step=int(step[-1]),
            min=nullable(aggregate.min),
            max=nullable(aggregate.max),
            first=nullable(aggregate.first),
            last=nullable(aggregate.last),
            min_step=aggregate.argmin,
            max_step=aggregate.argmax,
            nan_count=int(np.count_nonzero(np.isnan(value))),
            data=encoded(step, wall_time, value),
        )


def points_of(data: bytes, length: int) -> ScalarPoints:
    """The points of a chunk. Raises DamagedValue."""
    step, wall_time, value = decoded(data, length, count=3)
    return ScalarPoints(step, wall_time, value)


def superseded_chunks(
    tag_id: int, position: Int64s, step: Int64s, wall_time: Float64s, value: Float64s
) -> Iterator[SupersededChunk]:
    """The chunks of superseded points and their positions in the order written."""
    for part in _parts(len(position)):
        data = encoded(position[part], step[part], wall_time[part], value[part])
        yield SupersededChunk(tag_id, part.start, len(position[part]), data)


def _parts(length: int) -> Iterator[slice]:
    for start in range(0, length, CHUNK_POINTS):
        yield slice(start, min(start + CHUNK_POINTS, length))


def nullable(value: float) -> float | None:
    """None, which becomes NULL, instead of NaN."""
    return None if math.isnan(value) else value
